// SPDX-License-Identifier: MIT
// skin.h: the closed surface of a solid, prepared for questions: who neighbours whom, and a tree
// of boxes. Every edge has exactly two triangles, which run along it in opposite directions; the
// surface may have several components, also cavities.
#pragma once

#include "base/diag.h"
#include "geom/mesh_tree.h"

typedef struct RbSkinEdge {
    int v[2]; // from, to
    int t[2]; // the triangle that runs from v[0] to v[1], and the one that runs back
} RbSkinEdge;

typedef struct RbSkin {
    RbMesh mesh;
    const RbSkinEdge *edges;
    int edge_count;
    const int (*triangle_edges)[3]; // edge from v[k] to v[(k + 1) % 3] of each triangle
    const int *vertex_start;        // vertex_count + 1: edges of each vertex in vertex_edges
    const int *vertex_edges;
    RbMeshTree tree;
    int component_count;        // connected through edges
    const int *component;       // of each triangle
    const int *component_first; // a triangle of each component
    const int (*extremes)[6];   // vertices of each component: lowest and highest along x, y, z
    double mean_side;           // [m] mean length of the edges
    double size;                // [m] longest edge of the box
} RbSkin;

// Prepare a mesh, which must live as long. A mesh that is not closed and oriented, or has no
// triangles, is refused with the place of the first defect; `name` and `at` are for the message.
RbStatus rb_skin(const RbMesh *mesh, const char *name, RbPos at, RbArena *keep, RbArena scratch,
                 RbDiag *diag, RbSkin *out);

// Does triangle t run along the edge from v[0] to v[1]?
static inline bool rb_skin_forward(const RbSkin *s, int edge, int t) {
    return s->edges[edge].t[0] == t;
}
