// SPDX-License-Identifier: MIT
// mesh_sets.h: triangles that occur more than once.
#pragma once

#include "geom/mesh.h"

// A triangle under the name of its sorted vertices.
typedef struct RbTriangleName {
    int v[3]; // ascending
    int triangle;
} RbTriangleName;

// All triangles, sorted by name and then by number (those with impossible vertices last): equal ones stand together.
RbTriangleName *rb_mesh_triangle_names(const RbMesh *mesh, RbArena *arena);

static inline bool rb_triangle_name_equal(const RbTriangleName *a, const RbTriangleName *b) {
    return a->v[0] == b->v[0] && a->v[1] == b->v[1] && a->v[2] == b->v[2];
}

// Triangles with the same vertices as an earlier one.
int rb_mesh_count_duplicates(const RbMesh *mesh, RbArena scratch);
