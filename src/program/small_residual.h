// SPDX-License-Identifier: MIT
// small_residual.h: do the equations of a system hold at what was found for them? Whatever a method
// says of itself, a residual that is not small never passes.
//
// Small is what is a millionth of the terms that the residual is made of; or what a change of the
// unknowns by 1e-8 of their values, or of their nominal values, makes of it (y^3 = 0: all terms vanish
// with the residual).
#pragma once

#include "program/systems.h"

// Of system k, with s->y, s->r and the variables at the solution. Linear: s->a is its matrix,
// s->trial its residual at y = 0. Others: s->slopes is the matrix nearby if `symbolic`; y, r and
// variables are afterwards what they were.
bool rb_linear_residual_small(RbProgramInstance *in, int k);
bool rb_newton_residual_small(RbProgramInstance *in, int k, RbSystemFunction *evaluate,
                              bool symbolic);
