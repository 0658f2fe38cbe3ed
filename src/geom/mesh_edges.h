// SPDX-License-Identifier: MIT
// mesh_edges.h: which triangles meet in which edges, for meshes that may be broken in any way.
#pragma once

#include <stdint.h>

#include "geom/mesh.h"

// One side of a triangle.
typedef struct RbHalfEdge {
    uint64_t key; // smaller vertex << 32 | larger vertex
    int triangle;
    int side; // from v[side] to v[(side + 1) % 3]
} RbHalfEdge;

typedef struct RbMeshEdges {
    const RbHalfEdge *halves; // sorted by key, then by triangle and side
    int half_count;
    const int *start; // edge_count + 1: halves of each edge
    int edge_count;
} RbMeshEdges;

// Triangles with a vertex index out of range or used twice have no edges. The result lives in
// *arena.
RbMeshEdges rb_mesh_edges(const RbMesh *mesh, RbArena *arena);

// Of some triangles only.
RbMeshEdges rb_mesh_edges_of(const RbMesh *mesh, const bool *only, RbArena *arena);

// The edge a-b, or -1.
int rb_mesh_find_edge(const RbMeshEdges *edges, int a, int b);

// How many triangles have it; 0: there is no such edge.
int rb_mesh_edge_users(const RbMeshEdges *edges, int a, int b);

// Three different indices of existing vertices?
bool rb_triangle_is_valid(const RbMesh *mesh, int triangle);

// Does the half run from its smaller to its larger vertex?
static inline bool rb_half_edge_forward(const RbMesh *mesh, RbHalfEdge h) {
    const int *v = mesh->triangles[h.triangle].v;
    return v[h.side] < v[(h.side + 1) % 3];
}

// Component of each triangle, numbered in order of first appearance; triangles that share an edge
// belong together. -1 for triangles without edges.
int rb_mesh_components(const RbMesh *mesh, const RbMeshEdges *edges, RbArena *arena,
                       int **component);
