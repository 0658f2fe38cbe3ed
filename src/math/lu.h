// SPDX-License-Identifier: MIT
// lu.h: small dense linear systems, A = P L U with partial pivoting, without any library: for a
// dozen unknowns the call of one costs more than the work. Matrices by columns: a[i + n j].
//
// The one dense elimination of Rattleback: steps of islands, systems of equations of a model and
// their Newton iterations use it, so the same matrix has the same factors, bit by bit, wherever it
// turns up. Sums run in a fixed order: column k is divided (multiplied by 1 / pivot), then
// subtracted from the columns to its right; a solve goes through the columns of L forwards and
// those of U backwards.
#pragma once

#include <float.h>
#include <stdbool.h>

// Pivots below are taken for zero where equations may repeat each other, which leaves roundings.
#define RB_LU_NOISE (4 * DBL_EPSILON)

// Overwrites a by its factors; pivot has n entries. False if a is singular or not finite. A pivot
// counts as zero if it is not larger than `noise` times the largest entry of its column, those that
// were eliminated before included: 0, or some roundings where equations may repeat each other.
bool rb_lu_factor(int n, double *a, int *pivot, double noise);

// Solves A x = b with the factors; b becomes x.
void rb_lu_solve(int n, const double *a, const int *pivot, double *b);

// Sign of the determinant, from the factors.
int rb_lu_orientation(int n, const double *a, const int *pivot);
