// SPDX-License-Identifier: MIT
#include "geom/mesh_sets.h"

#include <stdlib.h>

static bool comes_later(const RbTriangleName *a, const RbTriangleName *b) {
    if (a->v[0] != b->v[0]) return a->v[0] > b->v[0];
    if (a->v[1] != b->v[1]) return a->v[1] > b->v[1];
    return a->v[2] > b->v[2];
}

static int by_name(const void *pa, const void *pb) {
    const RbTriangleName *a = pa, *b = pb;
    if (comes_later(a, b)) return 1;
    if (comes_later(b, a)) return -1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Those with the same lowest vertex, which come in the order of the triangles. Mostly there are few.
static void sort_group(RbTriangleName *names, int count) {
    enum { FEW = 24 };
    if (count > FEW) {
        qsort(names, (size_t)count, sizeof *names, by_name);
        return;
    }
    for (int i = 1; i < count; i++) {
        RbTriangleName moved = names[i];
        int k = i;
        for (; k > 0 && comes_later(&names[k - 1], &moved); k--) names[k] = names[k - 1];
        names[k] = moved;
    }
}

static void order(int *a, int *b) {
    if (*a <= *b) return;
    int swap = *a;
    *a = *b;
    *b = swap;
}

static RbTriangleName name_of(const RbMesh *mesh, int t) {
    const int *v = mesh->triangles[t].v;
    RbTriangleName name = {{v[0], v[1], v[2]}, t};
    order(&name.v[0], &name.v[1]);
    order(&name.v[1], &name.v[2]);
    order(&name.v[0], &name.v[1]);
    return name;
}

// Its lowest vertex; a mesh from outside may have impossible ones, which come last.
static int group_of(const RbMesh *mesh, const RbTriangleName *name) {
    int v = name->v[0];
    return v >= 0 && v < mesh->vertex_count ? v : mesh->vertex_count;
}

RbTriangleName *rb_mesh_triangle_names(const RbMesh *mesh, RbArena *arena) {
    RbTriangleName *names = rb_new_array(arena, RbTriangleName, mesh->triangle_count);
    int groups = mesh->vertex_count + 1, *start = rb_new_array(arena, int, (size_t)groups + 2);
    for (int t = 0; t < mesh->triangle_count; t++) {
        RbTriangleName name = name_of(mesh, t);
        start[group_of(mesh, &name) + 2]++;
    }
    for (int g = 0; g < groups; g++) start[g + 1] += start[g];
    for (int t = 0; t < mesh->triangle_count; t++) {
        RbTriangleName name = name_of(mesh, t);
        names[start[group_of(mesh, &name) + 1]++] = name;
    }
    for (int g = 0; g < groups; g++) sort_group(names + start[g], start[g + 1] - start[g]);
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
