// SPDX-License-Identifier: MIT
// predicate.h: on which side of a line or plane does a point lie? The answers are the exact signs
// for the given doubles: a filter in double decides nearly all, double-double most of the rest,
// expansions what is left (docs/theory/solids.md).
#pragma once

#include "math/vec3.h"

// Sign of the area of a, b, c: +1 if they turn left, 0 if they are collinear.
int rb_orient2d(const double a[2], const double b[2], const double c[2]);

// Sign of ((b - a) x (c - a)) . (d - a): +1 if d lies on the side that the normal of a, b, c points
// to.
int rb_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

// The same determinant as a number, with a relative error of about 1e-15, or 1e-7 where it is less than 1e-13 of the products of
// which it is a difference; 0 if it is zero exactly.
double rb_orient3d_value(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

// A point with a name. The name picks a direction in which the point is moved by an infinitesimal
// amount when four points lie in a plane, so that no four points do (simulation of simplicity).
typedef struct RbNamed {
    Vec3 x;
    unsigned name;
} RbNamed;

// As rb_orient3d, for points moved by their names; never 0 for four different names. The answers for
// all quadruples agree with one and the same set of moved points.
int rb_orient3d_named(RbNamed a, RbNamed b, RbNamed c, RbNamed d);

// How fast the determinant changes as the points start to move by their names.
double rb_orient3d_slope(RbNamed a, RbNamed b, RbNamed c, RbNamed d);
