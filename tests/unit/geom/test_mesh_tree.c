// SPDX-License-Identifier: MIT
// Every node of a tree holds all triangles below it: in its box, its slab and its ball.
#include "testing.h"

#include "geom/mesh_make.h"
#include "geom/mesh_tree.h"
#include "math/rng.h"

static void check_corner(const RbMeshNode *n, Vec3 x, double rounding) {
    Vec3 off = v3_sub(v3_abs(v3_sub(x, n->centre)), n->half);
    double along = v3_dot(n->normal, x);
    ENSURE(off.x <= rounding && off.y <= rounding && off.z <= rounding);
    ENSURE(n->low - rounding <= along && along <= n->high + rounding);
    ENSURE(v3_distance(x, n->centre) <= n->radius + rounding);
}

// Checks a node against the triangles of all leaves below, marks these, and answers how many there are.
static int check_node(const RbMesh *mesh, const RbMeshTree *tree, int node, double rounding,
                      bool *seen) {
    const RbMeshNode *n = &tree->nodes[node];
    int stack[128], count = 0, triangles = 0;
    stack[count++] = node;
    while (count > 0) {
        const RbMeshNode *below = &tree->nodes[stack[--count]];
        for (int i = 0; i < 3 * below->count; i++) {
            int t = tree->triangles[below->first + i / 3];
            seen[t] = true;
            check_corner(n, mesh->vertices[mesh->triangles[t].v[i % 3]], rounding);
        }
        triangles += below->count;
        if (below->count > 0) continue;
        stack[count++] = below->left;
        stack[count++] = below->right;
    }
    return triangles;
}

static void nodes_hold_their_triangles(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(11);
    for (int round = 0; round < 60; round++) {
        int segments = 3 + rb_rng_int(&rng, 30);
        RbMesh mesh = round % 3 == 0   ? rb_mesh_sphere(1, segments, &f.arena)
                      : round % 3 == 1 ? rb_mesh_cone(1, 0.3, 0.2, segments, &f.arena)
                                       : rb_mesh_box(v3(1, 2, 0.01), &f.arena);
        Vec3 far = v3_scale(round % 2 ? 1e3 : 1, v3(0.3, -0.7, 0.2));
        mesh = rb_mesh_map(&mesh, m3_scale(1 + round, M3_IDENTITY), far, &f.arena);
        RbMeshTree tree = rb_mesh_tree(&mesh, &f.arena, f.scratch);
        double rounding = 1e-15 * (v3_norm(far) + 4 * (1 + round)) * 4;
        bool *seen = rb_new_array(&f.arena, bool, mesh.triangle_count);
        ENSURE(check_node(&mesh, &tree, 0, rounding, seen) == mesh.triangle_count);
        for (int t = 0; t < mesh.triangle_count; t++) ENSURE(seen[t]);
        for (int n = 1; n < tree.node_count; n++) check_node(&mesh, &tree, n, rounding, seen);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_hold_their_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
