// SPDX-License-Identifier: MIT
// tet_mesh.h: bodies filled with tetrahedra of 4 or 10 nodes: corners, then the middles of edges 12, 23, 31, 14, 24, 34. What
// finite-element files contain.
#pragma once

#include "base/arena.h"
#include "math/mat3.h"

enum { RB_TET_NODES = 10 };

typedef struct RbNodeSet {
    const char *name;
    const int *node;
    int count;
} RbNodeSet;

typedef struct RbTetMesh {
    const Vec3 *nodes; // [m]
    int node_count;
    const int (*tets)[RB_TET_NODES];
    int tet_count;
    int order; // 1: 4 nodes, 2: 10 nodes
    const RbNodeSet *sets;
    int set_count;
    const int *number; // of each node in its file; NULL: 1, 2, ...
} RbTetMesh;

static inline int rb_tet_mesh_corners(const RbTetMesh *mesh) {
    return mesh->order == 2 ? 10 : 4;
}

// Shape functions and their derivatives by the barycentric coordinates L of corners 2, 3, 4.
void rb_tet_shape(int nodes, const double L[4], double *out);
void rb_tet_slopes(int nodes, const double L[4], Vec3 *out);

// At a point of an element: [1/m] slopes of the shape functions, [m3] 6 times the volume per unit of L. Not positive: flat or inside out.
double rb_tet_gradients(const Vec3 *places, int nodes, const double L[4], Vec3 *out);
