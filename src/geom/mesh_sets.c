// SPDX-License-Identifier: MIT
#include "geom/mesh_sets.h"

#include <stdlib.h>

static int by_name(const void *pa, const void *pb) {
    const RbTriangleName *a = pa, *b = pb;
    for (int k = 0; k < 3; k++) {
        if (a->v[k] != b->v[k]) return a->v[k] < b->v[k] ? -1 : 1;
    }
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void order(int *a, int *b) {
    if (*a <= *b) return;
    int swap = *a;
    *a = *b;
    *b = swap;
}

RbTriangleName *rb_mesh_triangle_names(const RbMesh *mesh, RbArena *arena) {
    RbTriangleName *names = rb_new_array(arena, RbTriangleName, mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        names[t] = (RbTriangleName){{v[0], v[1], v[2]}, t};
        order(&names[t].v[0], &names[t].v[1]);
        order(&names[t].v[1], &names[t].v[2]);
        order(&names[t].v[0], &names[t].v[1]);
    }
    if (mesh->triangle_count > 0) {
        qsort(names, (size_t)mesh->triangle_count, sizeof *names, by_name);
    }
    return names;
}

int rb_mesh_count_duplicates(const RbMesh *mesh, RbArena scratch) {
    RbTriangleName *names = rb_mesh_triangle_names(mesh, &scratch);
    int count = 0;
    for (int i = 1; i < mesh->triangle_count; i++) {
        count += rb_triangle_name_equal(&names[i - 1], &names[i]);
    }
    return count;
}
