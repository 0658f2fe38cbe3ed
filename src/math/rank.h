// SPDX-License-Identifier: MIT
// rank.h: singular linear systems that have solutions all the same: equations that repeat each
// other. Complete pivoting finds the rank, which lu.h does not; it costs several times as much.
#pragma once

#include <stdbool.h>

// A system a x = b (n x n, by columns): the solution with zeros for what it leaves free. Uses up a
// and b; `scales` and `columns` (n each) are workspace. False if there is no solution, by more than rounding of b; x satisfies as many rows
// as are independent even so. `free` (n): which unknowns are not determined, so that other values are possible.
bool rb_solve_consistent(int n, double *a, double *b, double *x, double *scales, int *columns,
                         bool *free);
