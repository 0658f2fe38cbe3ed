// SPDX-License-Identifier: MIT
// newton.h: nonlinear systems of equations at run time (docs/theory/dae.md, section 7).
#pragma once

#include "program/systems.h"

// System k: 0 if solved; the unknowns and inner variables have their values then.
int rb_solve_newton(RbProgramInstance *in, int k, RbSystemFunction *evaluate);

// Sizes of the unknowns, from their nominal values; parameters must be known.
void rb_system_scales(RbProgramInstance *in);
