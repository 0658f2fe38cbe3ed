// SPDX-License-Identifier: MIT
// tidy.h: a mesh while it is tidied (mesh_tidy.c).
#pragma once

#include "geom/mesh_edges.h"

typedef struct RbTidy {
    Vec3 *x;
    int vertex_count, vertex_room;
    RbTriangle *triangles;
    int count, room;
    double tol; // [m]
    bool *met;  // vertices where surfaces meet: several became one, or a triangle was flat
} RbTidy;

static inline RbMesh rb_tidy_mesh(const RbTidy *t) {
    return (RbMesh){t->x, t->vertex_count, t->triangles, t->count};
}

// Divide the triangles of an edge at the vertex m.
void rb_tidy_divide(RbTidy *t, const RbMeshEdges *edges, int edge, int m);

// Does the vertex m lie within the edge from p to q?
bool rb_tidy_is_within(const RbTidy *t, int m, int p, int q);

// What lies in the plane of a triangle is divided into triangles anew, from its net border alone: triangles that lie on
// each other back to back leave nothing. Answers whether less is covered then.
bool rb_tidy_net_plane(RbTidy *t, int triangle, RbArena scratch);
