// SPDX-License-Identifier: MIT
// uses.h: versions of libraries (Modelica specification, 18.8: annotations version, uses,
// conversion).
#pragma once

#include "classes/library.h"

// Warn where a package that was read asks for another version of a library than the one that was
// read, unless that says that nothing is to be converted from the version asked for.
void rb_check_uses(RbLibrary *library);
