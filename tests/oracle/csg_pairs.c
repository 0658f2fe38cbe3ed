// SPDX-License-Identifier: MIT
// Prints pairs of solids with coordinates rounded to single precision, and volume, area and Euler's characteristic of their
// union, difference and intersection, one JSON object per line, for manifold.mjs.
//     csg_pairs FIRST COUNT
#include "../unit/geom/csg_cases.h"

static void round_to_single(RbMesh *m, RbArena *arena) {
    Vec3 *x = rb_new_array(arena, Vec3, m->vertex_count);
    for (int i = 0; i < m->vertex_count; i++) {
        Vec3 p = m->vertices[i];
        x[i] = v3(in_single(p.x), in_single(p.y), in_single(p.z));
    }
    m->vertices = x;
}

static void print_mesh(const char *name, const RbMesh *m) {
    printf("\"%s\":{\"x\":[", name);
    for (int i = 0; i < m->vertex_count; i++) {
        Vec3 p = m->vertices[i];
        printf("%s%.9g,%.9g,%.9g", i ? "," : "", p.x, p.y, p.z);
    }
    printf("],\"t\":[");
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        printf("%s%d,%d,%d", t ? "," : "", v[0], v[1], v[2]);
    }
    printf("]}");
}

static void print_pair(int number) {
    static const char *const names[] = {"union", "difference", "intersection"}; // ORDER RbCsg
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng((uint64_t)number * 7919 + 1);
    RbMesh a, b, result;
    csg_case_pair(&rng, number, &f.arena, &a, &b);
    round_to_single(&a, &f.arena);
    round_to_single(&b, &f.arena);
    printf("{\"number\":%d,", number);
    print_mesh("a", &a);
    printf(",");
    print_mesh("b", &b);
    for (int k = 0; k < 3; k++) {
        double volume = csg_case_volume(&f, (RbCsg)k, &a, &b, number, &result);
        double area = result.triangle_count ? rb_mesh_check(&result, f.scratch).area : 0;
        // Euler's characteristic: every edge has two triangles
        int euler = result.vertex_count - result.triangle_count / 2;
        printf(",\"%s\":{\"volume\":%.17g,\"area\":%.17g,\"euler\":%d}", names[k], volume, area,
               euler);
    }
    printf("}\n");
    fixture_close(&f);
}

int main(int argc, char **argv) {
    int first = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 100;
    for (int i = first; i < first + count; i++) print_pair(i);
    return 0;
}
