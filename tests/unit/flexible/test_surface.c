// SPDX-License-Identifier: MIT
// Surfaces and interfaces of finite-element parts: stresses of linear displacements, closed triangles, nodes that planes, cylinders and balls find,
// reductions as files.
#include "testing.h"

#include <string.h>

#include "flexible/box_mesh.h"
#include "base/file.h"
#include "flexible/flexible_file.h"
#include "geom/mesh_check.h"
#include "geom/moments.h"
#include "math/rng.h"

static const double E = 2e11, NU = 0.3;

static const Vec3 SIZE = {0.3, 0.2, 0.1};

static RbElasticPart part_of(Fixture *f, int order) {
    RbTetMesh *mesh = rb_new(&f->arena, RbTetMesh);
    *mesh = box_mesh(SIZE, (int[]){3, 2, 2}, order, &f->arena);
    return (RbElasticPart){.mesh = mesh, .material = {E, NU, 8000}};
}

// u = F x for six F: each stress is Hooke's, in every node.
static void stresses_of_linear_displacements_are_exact(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int order = 1; order <= 2; order++) {
        RbElasticPart p = part_of(&f, order);
        int n = p.mesh->node_count;
        double *shapes = rb_new_array(&f.arena, double, 9 * 3 * n);
        for (int k = 0; k < 9; k++)
            for (int i = 0; i < n; i++)
                shapes[3 * (n * k + i) + k / 3] = 1e-3 * v3_get(p.mesh->nodes[i], k % 3);
        RbPartSurface s = rb_part_surface(&p, v3(0.1, 0, 0), shapes, 9, &f.arena, f.scratch);
        double q[9] = {1, 0.5, -0.3, 0.2, -2, 0.7, 0.1, 0.4, 1.5};
        double *stress = rb_new_array(&f.arena, double, 6 * s.node_count);
        rb_surface_stress(&s, q, stress);
        double G = E / (2 * (1 + NU)), lame = E * NU / ((1 + NU) * (1 - 2 * NU));
        double trace = 1e-3 * (q[0] + q[4] + q[8]);
        for (int i = 0; i < s.node_count; i++) {
            const double *t = stress + 6 * i;
            for (int k = 0; k < 3; k++)
                ENSURE_NEAR(t[k], 2 * G * 1e-3 * q[4 * k] + lame * trace, 1e-3);
            ENSURE_NEAR(t[3], G * 1e-3 * (q[1] + q[3]), 1e-3);
            ENSURE_NEAR(t[4], G * 1e-3 * (q[5] + q[7]), 1e-3);
            ENSURE_NEAR(t[5], G * 1e-3 * (q[2] + q[6]), 1e-3);
        }
    }
    fixture_close(&f);
}

// Of a pull, of a shear, and of pressure from all sides.
static void von_mises(void **state) {
    (void)state;
    ENSURE_NEAR(rb_von_mises((double[6]){5, 0, 0, 0, 0, 0}), 5, 1e-14);
    ENSURE_NEAR(rb_von_mises((double[6]){0, 0, 0, 0, 2, 0}), 2 * sqrt(3), 1e-14);
    ENSURE_NEAR(rb_von_mises((double[6]){-7, -7, -7, 0, 0, 0}), 0, 1e-14);
}

static void surfaces_enclose_the_part(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int order = 1; order <= 2; order++) {
        RbElasticPart p = part_of(&f, order);
        RbPartSurface s = rb_part_surface(&p, V3_ZERO, NULL, 0, &f.arena, f.scratch);
        RbMesh mesh = {s.x, s.node_count, s.triangles, s.triangle_count};
        ENSURE(rb_mesh_check(&mesh, f.scratch).encloses_body);
        ENSURE_NEAR(rb_moments_of_mesh(&mesh).volume, SIZE.x * SIZE.y * SIZE.z, 1e-15);
    }
    fixture_close(&f);
}

static int found(Fixture *f, const RbTetMesh *mesh, RbInterface i) {
    RbPartFrame out;
    i.name = "part.frames[1]";
    RbStatus status = rb_interface_nodes(mesh, &i, &f->arena, f->scratch, &f->diag, &out);
    return status == RB_OK ? out.count : -1;
}

// A face of 2 x 2 bricks has 5 x 5 nodes, of which a quarter has 3 x 3.
static void interfaces_find_their_nodes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbTetMesh *m = part_of(&f, 2).mesh;
    RbInterface plane = {.kind = RB_INTERFACE_PLANE, .r = {0, 0.1, 0.1}, .n = {-3, 0, 0}};
    ENSURE(found(&f, m, plane) == 25);
    plane.radius = 0.01;
    ENSURE(found(&f, m, plane) == 1);
    RbInterface ball = {.kind = RB_INTERFACE_BALL, .r = {0.3, 0, 0}, .radius = 0.051};
    ENSURE(found(&f, m, ball) == 3); // a corner, its neighbour along z, and the middle between
    RbInterface axis = {
        .kind = RB_INTERFACE_CYLINDER, .r = {0, 0, 0.02}, .n = {0, 0, 2}, .radius = 0.1};
    ENSURE(found(&f, m, axis) ==
           2 * 5); // two lines along z, of which each has the nodes of two bricks
    axis.length = 0.05;
    ENSURE(found(&f, m, axis) == 2); // z = 0 alone: 0.05 is 5 mm too far
    RbInterface set = {.kind = RB_INTERFACE_NODES, .nodes = "y1"};
    ENSURE(found(&f, m, set) == 35);
    set.nodes = "y2";
    ENSURE(found(&f, m, set) == -1);
    ENSURE(strstr(fixture_message(&f, f.diag.messages.count - 1),
                  "there is no node set 'y2' for 'part.frames[1]' in its mesh; it has 'x0', 'x1', "
                  "'y0', 'y1', 'z0', 'z1'"));
    plane.r.x = -1;
    ENSURE(found(&f, m, plane) == -1);
    fixture_close(&f);
}

// ---- files

static void same(const double *a, const double *b, size_t count) {
    ENSURE((a == NULL) == (b == NULL));
    if (a) ENSURE(memcmp(a, b, count * sizeof *a) == 0);
}

static void same_body(const RbFlexibleBody *a, const RbFlexibleBody *b) {
    size_t n = (size_t)a->body.n, rows = n * (size_t)a->surface.node_count;
    ENSURE(a->body.n == b->body.n && a->body.frame_count == b->body.frame_count);
    same(a->body.omega, b->body.omega, n), same(a->body.P0, b->body.P0, 9 * n);
    same(a->body.P, b->body.P, 9 * n * n), same(a->body.w, b->body.w, 9 * n * n);
    for (int k = 0; k < a->body.frame_count; k++) {
        same(a->body.frames[k].phi, b->body.frames[k].phi, 3 * n);
        same(a->body.frames[k].theta, b->body.frames[k].theta, 3 * n);
        same(a->body.frames[k].H, b->body.frames[k].H, 3 * n * n);
        same(&a->body.frames[k].x.x, &b->body.frames[k].x.x, 3);
        ENSURE(strcmp(a->body.frames[k].name, b->body.frames[k].name) == 0);
    }
    ENSURE(a->surface.node_count == b->surface.node_count);
    same(&a->surface.origin.x, &b->surface.origin.x, 3);
    same(a->surface.shapes, b->surface.shapes, 3 * rows);
    same(a->surface.stress, b->surface.stress, 6 * rows);
    ENSURE(memcmp(a->surface.triangles, b->surface.triangles,
                  (size_t)a->surface.triangle_count * sizeof(RbTriangle)) == 0);
}

static RbFlexibleBody body_of(Fixture *f, const RbFlexibleOptions *o) {
    RbInterface faces[2] = {{.name = "a", .kind = RB_INTERFACE_PLANE, .n = {1, 0, 0}},
                            {.name = "b", .kind = RB_INTERFACE_NODES, .nodes = "x1"}};
    RbFlexibleBody out;
    ENSURE(rb_flexible_body(part_of(f, 2).mesh, faces, 2, o, RB_NOWHERE, &f->arena, f->scratch,
                            &f->diag, &out) == RB_OK);
    return out;
}

// The file is found again; changed, cut off at any place or of other options it is not.
static void reductions_are_kept(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    char folder[] = "/tmp/rb_flexible_XXXXXX";
    ENSURE(mkdtemp(folder) != NULL);
    RbFlexibleOptions o = rb_flexible_options();
    o.modes = 4, o.cache = folder, o.cache_least = 1;
    RbFlexibleBody first = body_of(&f, &o), again = body_of(&f, &o);
    ENSURE(!first.from_cache && again.from_cache);
    same_body(&first, &again);
    o.zeta = 0.5; // damping is no part of it
    again = body_of(&f, &o);
    ENSURE(again.from_cache && again.body.zeta[3] == 0.5);
    o.modes = 5;
    ENSURE(!body_of(&f, &o).from_cache);
    const char *file = rb_arena_printf(&f.arena, "%s/copy", folder);
    ENSURE(rb_flexible_save(file, &first, f.scratch, &f.diag) == RB_OK);
    RbBytes bytes;
    ENSURE(rb_file_read(file, 0, &f.arena, &f.diag, &bytes) == RB_OK);
    RbRng rng = rb_rng(7);
    for (int i = 0; i < 50; i++) {
        size_t size = (size_t)rb_rng_int(&rng, (int)bytes.size);
        ENSURE(rb_file_write(file, bytes.data, size, &f.diag) == RB_OK);
        ENSURE(!rb_flexible_load(file, &f.arena, f.scratch, &again));
    }
    ENSURE(system(rb_arena_printf(&f.arena, "rm -r %s", folder)) == 0);
    fixture_close(&f);
}

// ---- modes up to a frequency

// Of a clamped slender beam: 16, 101, 283 Hz, twice each (3.516, 22.03, 61.70 times h / L2 sqrt(E / (12 rho)) / 2 pi), and 712 Hz by torsion.
static void modes_up_to_a_frequency(void **state) {
    (void)state;
    static const struct {
        double limit;
        int count;
    } cases[] = {{10, 0}, {60, 2}, {190, 4}, {400, 6}};
    Fixture f;
    fixture_open(&f);
    RbTetMesh mesh = box_mesh(v3(1, 0.02, 0.02), (int[]){12, 1, 1}, 2, &f.arena);
    RbInterface face = {.name = "root", .kind = RB_INTERFACE_PLANE, .n = {1, 0, 0}};
    RbFlexibleOptions o = rb_flexible_options();
    RbFlexibleBody out;
    for (int k = 0; k < 4; k++) {
        o.highest_frequency = cases[k].limit;
        ENSURE(rb_flexible_body(&mesh, &face, 1, &o, RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                                &out) == RB_OK);
        ENSURE(out.body.n == cases[k].count);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stresses_of_linear_displacements_are_exact),
        cmocka_unit_test(von_mises),
        cmocka_unit_test(surfaces_enclose_the_part),
        cmocka_unit_test(interfaces_find_their_nodes),
        cmocka_unit_test(reductions_are_kept),
        cmocka_unit_test(modes_up_to_a_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
