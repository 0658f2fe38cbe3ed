// SPDX-License-Identifier: MIT
// systems.h: solution of the systems of equations of a program at run time: linear ones by LU,
// dense or sparse, others by Newton's method.
#pragma once

#include "program/factors.h"
#include "program/program.h"

typedef struct RbSystemWork {
    int size;
    double *y, *r, *dy, *trial, *before;
    double *a;     // matrix: see rb_matrix_place
    double *scale; // nominal sizes of the unknowns
    // Nonlinear systems only: the matrix at the last solution; solutions and
    // matrices at in->anchor_time (branch.h); room for others.
    double *slopes, *anchor[2], *anchor_slopes[2], *kept, *last, *end, *terms;
    bool *taken; // equations of a step of least change
    int anchor_size;
    bool left_branch; // where the last evaluation was, the branch of solutions has ended
    bool jumped;      // to another one, since this was last set to false
    int *pivots;
    RbFactors *factors; // linear systems only
    bool *free;     // which unknowns are not determined, if undecided
    bool undecided; // its equations repeat each other: more than one solution where it was last solved
} RbSystemWork;

RbSystemWork *rb_system_works(const RbLowered *l, RbArena *arena);

// RbCodeFrame.solve: 0 if solved.
int rb_solve_system(RbCodeFrame *f, int system, RbSystemFunction *evaluate);

// The present values of the unknowns of system k.
void rb_system_present(const RbProgramInstance *in, int k, double *y);

// Remember which system failed and why; answers 1.
int rb_system_failed(RbProgramInstance *in, int system, const char *why);
