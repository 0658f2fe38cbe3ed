// SPDX-License-Identifier: MIT
// outline.h: polygons in the plane, put together from points, arcs, gear teeth and copies: the sections
// of workpieces (solid.h).
//
//     RbOutline *o;                                       // a gear with 20 teeth of module 2 mm and a hole
//     RbWorkpiecePolygon polygon;
//     rb_outline_create(context, &o);
//     rb_outline_gear_tooth(o, 0.002, 20, 0.349, 12);
//     rb_outline_repeat_around(o, 0, 20);
//     rb_outline_next_loop(o);
//     rb_outline_circle(o, 0, 0, 0.005, 64);
//     rb_outline_polygon(o, &polygon);
//     rb_workpiece_extrude(context, &polygon, 0.01, &gear);
//
// Units are SI. An outline lives as long as its context.
#pragma once

#include "rattleback/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbOutline RbOutline;

RB_API RbStatus rb_outline_create(RbContext *context, RbOutline **outline);

// What follows belongs to a new loop (the first one needs no call). What lies in an odd number of loops
// belongs to the polygon.
RB_API RbStatus rb_outline_next_loop(RbOutline *outline);

RB_API RbStatus rb_outline_point(RbOutline *outline, double x, double y);

// Points from angle `from` to `to` [rad], both included, in `segments` pieces; a whole circle.
RB_API RbStatus rb_outline_arc(RbOutline *outline, double x, double y, double radius, double from,
                               double to, int segments);
RB_API RbStatus rb_outline_circle(RbOutline *outline, double x, double y, double radius,
                                  int segments);

// The flanks and the tip of one involute tooth, symmetric about the x axis: to be repeated around the
// origin `teeth` times. Addendum 1, dedendum 1.25 modules [m]; `steps` points per flank.
RB_API RbStatus rb_outline_gear_tooth(RbOutline *outline, double module, int teeth,
                                      double pressure_angle, int steps);

// Number of points so far; -1 for NULL.
RB_API int rb_outline_count(const RbOutline *outline);

// Copies of the points from number `first` on follow, each turned by 1/count of a full circle about the
// origin, or moved by (dx, dy), until there are `count` of them.
RB_API RbStatus rb_outline_repeat_around(RbOutline *outline, int first, int count);
RB_API RbStatus rb_outline_repeat_along(RbOutline *outline, int first, int count, double dx,
                                        double dy);

// All points x become m x + r: a matrix by rows and a translation.
RB_API RbStatus rb_outline_map(RbOutline *outline, const double m[4], const double r[2]);

// For rb_workpiece_extrude, _lathe and _sweep; valid until the outline is changed.
RB_API RbStatus rb_outline_polygon(const RbOutline *outline, RbWorkpiecePolygon *polygon);

#ifdef __cplusplus
}
#endif
