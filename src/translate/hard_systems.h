// SPDX-License-Identifier: MIT
// hard_systems.h: nonlinear systems of a program that its own Newton's method cannot solve go to
// KINSOL, which scales residuals and unknowns and bounds its steps otherwise.
#pragma once

#include "program/program.h"

// From now on the instance has something else to try. All memory is taken here.
void rb_hard_systems(RbProgramInstance *in, RbArena *arena);
