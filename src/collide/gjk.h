// SPDX-License-Identifier: MIT
// gjk.h: the point of the Minkowski difference B - A nearest to the origin, by shrinking simplices
// (Gilbert, Johnson and Keerthi). Works on two placed cores. It ends exactly for polytopes; for
// curved cores it approaches the answer and hands it to the Newton iterations of polish.h.
#pragma once

#include "collide/feature.h"

typedef struct RbSimplex {
    int count;        // 1..4
    Vec3 w[4];        // [m] points b - a
    Vec3 a[4], b[4];  // [m] points of A and B
    int va[4], vb[4]; // vertices of polytopes
    double weight[4]; // barycentric coordinates of the point nearest to the origin
} RbSimplex;

typedef struct RbGjk {
    RbSimplex simplex;
    Vec3 v;       // [m] from A to B, shortest so far
    double upper; // [m] |v|
    double lower; // [m] largest lower bound so far
    bool overlap; // the origin lies in the simplex, or |v| is zero within rounding
    bool done;    // no further progress is possible
    int rounds;
} RbGjk;

// Start with the support points along `direction` (from A to B, any length but zero).
RbGjk rb_gjk(RbPlaced *a, RbPlaced *b, Vec3 direction);

// Start with pairs of vertices of two polytopes (count 1..4), for instance the last simplex of a
// slow motion.
RbGjk rb_gjk_vertices(RbPlaced *a, RbPlaced *b, const int vertices[][2], int count);

// Go on until upper - lower <= tolerance * upper [1], or nothing moves, or the cores overlap.
void rb_gjk_run(RbGjk *gjk, RbPlaced *a, RbPlaced *b, double tolerance, double scale);

// After GJK has ended on disjoint cores: the nearest point is right within rounding, but its normal
// only to the root of that, and so is the separation along it. Goes on with simplices that make both
// agree. v becomes the normal of the widest separation found, times its width.
void rb_gjk_widen(RbGjk *gjk, RbPlaced *a, RbPlaced *b, double scale);

Vec3 rb_gjk_point_a(const RbGjk *gjk);
Vec3 rb_gjk_point_b(const RbGjk *gjk);

// The point of the simplex nearest to the origin; vertices that do not carry it are dropped. True
// if the origin is inside a tetrahedron (then v = 0 and all four stay).
bool rb_simplex_reduce(RbSimplex *s, Vec3 *v);
