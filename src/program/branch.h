// SPDX-License-Identifier: MIT
// branch.h: which solution of a nonlinear system is meant when there are several.
//
// A Schmitt trigger has two outputs for one input: f(t, x) is a function only together with the
// branch that the run is on. Anchors are two points of the run, the later one the end of the last
// accepted step. Newton's method starts from the last of them that is not after t, so that neither
// steps that the solver took back nor a look back for results lead to another branch.
//
// Where a branch ends (the input of the trigger rises above its threshold) an event is needed: the
// solution jumps. Up to there f must not: behind the end the unknowns stay at the end of the
// branch, where the residual is smallest, and an indicator tells that the equations do not hold any
// more. At the event the system is solved again, and goes over to what it would relax to
// (newton.c).
#pragma once

#include "program/program.h"

// The systems that have such an indicator: nonlinear, and needed for derivatives.
int *rb_branch_systems(const RbLowered *l, RbArena *arena, int *count);

// Keep the present solutions as a point of the run.
void rb_program_keep_branch(RbProgramInstance *in);

// The same after an event: nothing before it counts any more.
void rb_program_restart_branch(RbProgramInstance *in);
