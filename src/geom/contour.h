// SPDX-License-Identifier: MIT
// contour.h: polygons in the plane, put together from points, arcs and copies; the sections of solids.
//
//     RbContour o = rb_contour(arena);
//     rb_contour_circle(&o, 0, 0, 0.02, 64);
//     rb_contour_gear_tooth(...); rb_contour_repeat_around(&o, first, teeth);
//     RB_TRY(rb_contour_finish(&o, "gear", at, scratch, diag, &polygon));
#pragma once

#include "base/diag.h"
#include "geom/triangulate.h"

typedef struct RbPoint2 {
    double x[2]; // [m]
} RbPoint2;

typedef struct RbContour {
    RbArena *arena;
    RB_ARRAY(RbPoint2) points;
    RB_ARRAY(int) starts; // first point of each loop
} RbContour;

RbContour rb_contour(RbArena *arena);

// What follows belongs to a new loop (the first one needs no call). Loops may run either way round:
// what lies in an odd number of loops belongs to the polygon.
void rb_contour_next_loop(RbContour *o);

void rb_contour_point(RbContour *o, double x, double y);

// Points from angle `from` to `to` [rad], both included, with `segments` pieces.
void rb_contour_arc(RbContour *o, double x, double y, double radius, double from, double to,
                    int segments);

// A whole circle as `segments` points of the present loop; the first at angle 0.
void rb_contour_circle(RbContour *o, double x, double y, double radius, int segments);

// The flanks and the tip of one involute tooth, symmetric about the x axis, counter-clockwise: to be
// repeated around the origin `teeth` times. Addendum 1, dedendum 1.25 modules; below the base circle
// the flanks are radial. `steps` points per flank.
void rb_contour_gear_tooth(RbContour *o, double module, int teeth, double pressure_angle,
                           int steps);

// Let copies of the points from number `first` on follow, each turned by 1/count of a full circle
// about the origin, or moved by (dx, dy), until there are `count` of them.
void rb_contour_repeat_around(RbContour *o, int first, int count);
void rb_contour_repeat_along(RbContour *o, int first, int count, double dx, double dy);

// All points x become m x + r (m by rows).
void rb_contour_map(RbContour *o, const double m[4], double rx, double ry);

// Check and orient the loops: a point that repeats the one before it goes (also the last if it is the
// first again). Refused, with the place: fewer than three points, no area, loops that cross or run back along themselves.
RbStatus rb_contour_finish(RbContour *o, const char *name, RbPos at, RbArena scratch, RbDiag *diag,
                           RbPolygon *out);

// cos and sin of i/n of a full circle; exact at the quarters and symmetric to the last bit.
void rb_circle_point(long i, long n, double out[2]);

// cos and sin of an angle [rad], exact at what is a multiple of a quarter turn up to rounding.
void rb_clean_angle(double angle, double out[2]);
