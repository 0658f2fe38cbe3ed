// SPDX-License-Identifier: MIT
// block_cholesky.h: factors L Lᵀ of large sparse symmetric positive definite matrices of 3x3 blocks, one row of blocks for each
// point in space: finite-element stiffness.
//
// Points are ordered by nested dissection: a set is cut at the median of its longest extent, the points of one side with
// neighbours on the other are the separator and come last. Every separator, and every small set at the end, is one dense front
// (multifrontal method), so that nearly all work is done by BLAS.
//
//     RbBlockCholesky *c = rb_block_cholesky(&matrix, places, &arena, scratch);   // what it will take: c->bytes
//     int bad = rb_block_cholesky_factor(c, &matrix, &arena, scratch);            // -1: fine
//     rb_block_cholesky_solve(c, x, columns, scratch);                            // x = A^-1 x
#pragma once

#include "base/arena.h"
#include "math/vec3.h"

// Columns of row i: column[start[i]] .. column[start[i + 1] - 1], ascending, with the diagonal; both triangles. Blocks by rows.
typedef struct RbBlockMatrix {
    int n;
    const int *start, *column;
    double *value; // 9 per block
} RbBlockMatrix;

double *rb_block_at(const RbBlockMatrix *a, int row, int column); // must exist

typedef struct RbBlockCholesky RbBlockCholesky;

// Looks at the pattern only.
RbBlockCholesky *rb_block_cholesky(const RbBlockMatrix *a, const Vec3 *places, RbArena *keep,
                                   RbArena scratch);
double rb_block_cholesky_bytes(const RbBlockCholesky *c); // that a factorisation takes

// The factors live in *keep. Returns -1, or a row whose pivot is not positive.
int rb_block_cholesky_factor(RbBlockCholesky *c, const RbBlockMatrix *a, RbArena *keep,
                             RbArena scratch);

// x = A^-1 x for several vectors of 3 n numbers, one after the other.
void rb_block_cholesky_solve(const RbBlockCholesky *c, double *x, int columns, RbArena scratch);
