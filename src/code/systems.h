// SPDX-License-Identifier: MIT
// systems.h: solution of the systems of equations of a program at run time: linear ones by LU,
// others by Newton's method.
#pragma once

#include "code/program.h"

typedef struct RbSystemWork {
    int size;
    double *y, *r, *a, *dy, *trial, *before;
    int *pivots, *columns;
    bool factored;  // of a constant matrix
    bool undecided; // its equations repeat each other: more than one solution at the last attempt
} RbSystemWork;

RbSystemWork *rb_system_works(const RbLowered *l, RbArena *arena);

// RbCodeFrame.solve: 0 if solved.
int rb_solve_system(RbCodeFrame *f, int system, RbSystemFunction *evaluate);

// LU factors of a (n x n, row by row) with row exchanges, in place; false if singular. Then solve a
// x = b, b in, x out.
bool rb_system_factor(int n, double *a, int *pivots);
void rb_system_back_solve(int n, const double *a, const int *pivots, double *b);

// A singular system a x = b that has solutions: the one with zeros for what it leaves free. Uses up
// a and b; `scales` and `columns` are workspace. False if there is none.
bool rb_solve_consistent(int n, double *a, double *b, double *x, double *scales, int *columns);
