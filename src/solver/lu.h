// SPDX-License-Identifier: MIT
// lu.h: small dense linear systems, A = P L U with partial pivoting, without any library: for a
// dozen unknowns the call of one costs more than the work. Matrices by columns: a[i + n j].
#pragma once

#include <stdbool.h>

// Overwrites a by its factors; pivot has n entries. False if a is singular or not finite.
bool rb_lu_factor(int n, double *a, int *pivot);

// Solves A x = b with the factors; b becomes x.
void rb_lu_solve(int n, const double *a, const int *pivot, double *b);
