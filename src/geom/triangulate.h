// SPDX-License-Identifier: MIT
// triangulate.h: triangles of polygons in the plane, which may be concave and have holes.
#pragma once

#include "geom/mesh.h"

// A polygon with holes: loops of points, the part that belongs to it on their left: the outer loops run
// counter-clockwise, holes clockwise.
typedef struct RbPolygon {
    const double (*x)[2];  // [m]
    const int *loop_start; // loop_count + 1: points of each loop
    int loop_count;
} RbPolygon;

// Twice the signed area of a loop.
double rb_polygon_area2(const RbPolygon *polygon, int loop);

// Room for the triangles of a polygon.
static inline int rb_triangulate_room(const RbPolygon *p) {
    return p->loop_count > 0 ? p->loop_start[p->loop_count] + 2 * p->loop_count : 0;
}

// The triangles, counter-clockwise, by the numbers of the points; answers how many. Every side of every
// loop is a side of exactly one triangle, and every other side of a triangle is shared by two that run
// along it in opposite directions: this holds for any input, also for loops that cross or are
// degenerate (whose triangles then overlap), if triangles with a point twice (along the bridge to a
// hole) are left out. A hole that lies in no outer loop is treated as one. Time n² for n points of an
// outer loop and its holes.
int rb_triangulate(const RbPolygon *polygon, RbTriangle *out, RbArena scratch);
