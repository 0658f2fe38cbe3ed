// SPDX-License-Identifier: MIT
// polygon.h: triangles of a polygon in space, as faces of files are given.
#pragma once

#include "geom/mesh.h"

// Polygons that are not convex take time of the order n²; longer ones are refused.
enum { RB_POLYGON_LIMIT = 1000 };

// Append the triangles of the polygon with the given vertices (at least 3), in its orientation: a
// fan if it is convex, otherwise by cutting off ears in the mean plane. A polygon that crosses
// itself gets triangles too, which then overlap. False: not convex and too long.
bool rb_polygon_triangulate(const Vec3 *vertices, const int *polygon, int count, RbArena scratch,
                            RbTriangle *triangles);
