// SPDX-License-Identifier: MIT
// mesh.h: triangle meshes: what files contain, what the viewer draws, what mass properties are
// integrated over. A mesh is only data; mesh_check.h says whether it encloses a body.
#pragma once

#include "base/array.h"
#include "math/vec3.h"

// Vertex indices, counter-clockwise seen from outside.
typedef struct RbTriangle {
    int v[3];
} RbTriangle;

typedef struct RbMesh {
    const Vec3 *vertices; // [m]
    int vertex_count;
    const RbTriangle *triangles;
    int triangle_count;
} RbMesh;

// A mesh that is being put together.
typedef struct RbMeshBuilder {
    RbArena *arena;
    RB_ARRAY(Vec3) vertices;
    RB_ARRAY(RbTriangle) triangles;
} RbMeshBuilder;

static inline RbMeshBuilder rb_mesh_builder(RbArena *arena) {
    return (RbMeshBuilder){.arena = arena};
}

// Adds a vertex and answers its index.
static inline int rb_mesh_add_vertex(RbMeshBuilder *b, Vec3 vertex) {
    rb_array_push(&b->vertices, b->arena, vertex);
    return b->vertices.count - 1;
}

static inline void rb_mesh_add_triangle(RbMeshBuilder *b, int i, int j, int k) {
    rb_array_push(&b->triangles, b->arena, (RbTriangle){{i, j, k}});
}

static inline RbMesh rb_mesh_finish(const RbMeshBuilder *b) {
    return (RbMesh){b->vertices.data, b->vertices.count, b->triangles.data, b->triangles.count};
}
