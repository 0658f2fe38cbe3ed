// SPDX-License-Identifier: MIT
// system_structure.h: systems of connected FMUs in SSP, the standard for System Structure and Parameterization: SystemStructure.ssd, or an
// archive .ssp that has one. A system becomes a Modelica model with a class for each FMU.
#pragma once

#include "fmi/fmi.h"

// The model as text, its own class last. The archive is unpacked until the arena goes.
RbStatus rb_system_structure_text(const char *path, RbArena *arena, RbDiag *diag, const char **text);
RbStatus rb_system_structure_parse(const char *path, RbBytes bytes, RbArena *arena, RbDiag *diag,
                                   const char **text); // bytes that would stand in that file
