// SPDX-License-Identifier: MIT
// residual.h: large linear systems for derivatives of states need not be solved at every
// evaluation: an implicit solver proposes derivatives, and is told the residuals.
#pragma once

#include "program/program.h"

// What of a program can be taken as residuals.
RbResidualForm rb_residual_form(const RbLowered *lowered, RbArena *arena, RbArena scratch);

bool rb_system_is_residual(const RbCodeSystem *system);

// In place of the solution of system k: its unknowns are those that were given, its residuals stay
// in in->systems[k].r. Answers 0.
int rb_take_residual(RbProgramInstance *in, int k, RbSystemFunction *evaluate);
