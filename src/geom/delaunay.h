// SPDX-License-Identifier: MIT
// delaunay.h: tetrahedra between points in space: no point is inside the sphere through the corners of a tetrahedron (A. Bowyer; D. Watson, 1981).
//
// Points are put in one by one: all tetrahedra whose sphere contains the new one are taken out, and the hole is filled with tetrahedra from its faces to the
// point. Where many points lie on one sphere, as in a grid, the answer is not unique: each point is moved by about 1e-5 of the mean distance for the
// predicates, always the same way, so that one of the answers is found.
#pragma once

#include "base/arena.h"
#include "math/vec3.h"

typedef struct RbDelaunay {
    int (*tets)
        [4]; // numbers of points; right-handed: (b - a) x (c - a) . (d - a) > 0 but for flat ones
    int count;
} RbDelaunay;

// No two points at one place. false: the points lie in a plane, or rounding has made a hole that cannot be filled.
bool rb_delaunay(const Vec3 *points, int count, RbArena *keep, RbArena scratch, RbDelaunay *out);

// [m] Radius of the sphere through four points; INFINITY: they lie in a plane.
double rb_circumradius(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
