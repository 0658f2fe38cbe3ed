// SPDX-License-Identifier: MIT
// plate_mesh.h: a plate of tetrahedra: a polygon in the plane, which may be concave and have holes, is divided into triangles of about one size, and
// these are drawn out along z in layers.
//
// Sides are divided evenly, points of a lattice of equal triangles are put in where they are not close to a side, and sides of triangles are flipped until
// the triangles are those of Delaunay among the sides of the polygon (C. Lawson, 1977). Then points move to the middle of their neighbours.
#pragma once

#include "geom/tet_mesh.h"
#include "geom/triangulate.h"

// [m] A size of triangles that puts two across a strip: area by circumference, larger where that makes more than `most` triangles.
double rb_plate_size(const RbPolygon *polygon, int most);

// Triangles of sides about `size` [m]. The points of the polygon come first, in their order.
typedef struct RbPlaneMesh {
    double (*x)[2]; // [m]
    int count;
    RbTriangle *triangles; // counter-clockwise
    int triangle_count;
} RbPlaneMesh;
RbPlaneMesh rb_plane_mesh(const RbPolygon *polygon, double size, RbArena *keep, RbArena scratch);

// From z = 0 to z = height: elements of 4 (order 1) or 10 nodes.
RbTetMesh rb_plate_mesh(const RbPlaneMesh *plane, double height, int layers, int order,
                        RbArena *keep, RbArena scratch);
