// SPDX-License-Identifier: MIT
// files.h: the binary and the resources of an FMU, unpacked into a folder of their own. Only what was made there is removed, when the
// arena of the FMU is freed.
#pragma once

#include "fmi/fmi.h"

// Folder of the archive's contents; once for all instances, and for processes that are forked later (a sweep).
RbStatus rb_fmi_unpack(RbFmi *fmi, RbDiag *diag, const char **folder);

// The shared object of a kind, open until the arena goes.
RbStatus rb_fmi_library(RbFmi *fmi, const RbFmiKind *kind, RbDiag *diag, void **handle);

// The platforms that the FMU has binaries for, in words; "none" if it has source code alone.
const char *rb_fmi_platforms(const RbFmi *fmi, RbArena *arena);
