// SPDX-License-Identifier: MIT
// Convex polyhedra on surfaces of triangles: on a patch they are on a half-space, however it is divided; at edges one patch holds them, and
// energy is conserved.
#include "clumps.h"

#include "dem/cloud_faces.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "resumed.h"

static const double SIDE = 0.01;

static const RbClump *shape_of(Fixture *f, int kind) {
    static const double points[18] = {0.011, 0,      0, -0.003, 0, 0,      0.002, 0.006, 0,
                                      0,     -0.006, 0, 0,      0, 0.0055, 0.001, 0,     -0.005};
    if (kind == 1)
        return polyhedron(f, (RbPolyhedronSpec){.count = 6, .points = points, .rounding = 0.0002});
    return polyhedron(f, (RbPolyhedronSpec){.lengths = {SIDE, SIDE, SIDE}, .rounding = 0.001});
}

static Stuff stuff_of(double e, double sliding) {
    Stuff s = GLASS;
    s.pair = (RbGrainPair){.restitution = e, .sliding = sliding};
    return s;
}

static void add_surface(RbCloud *cloud, Fixture *f, const RbMesh *mesh) {
    RbGrainMesh *surface = rb_new(&f->arena, RbGrainMesh);
    ENSURE(rb_grain_mesh(mesh, "wall", RB_NOWHERE, &f->arena, f->scratch, &f->diag, surface) ==
           RB_OK);
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = surface, .X = POSE_IDENTITY});
}

// n x n squares, [-a, a]², of two triangles each.
static RbMesh sheet(RbArena *arena, int n, double a) {
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int k = 0; k < (n + 1) * (n + 1); k++)
        rb_mesh_add_vertex(
            &b, v3(a * (2.0 * (k % (n + 1)) / n - 1), a * (2.0 * (k / (n + 1)) / n - 1), 0));
    for (int k = 0; k < n * n; k++) {
        int at = k / n * (n + 1) + k % n;
        rb_mesh_add_triangle(&b, at, at + 1, at + n + 2);
        rb_mesh_add_triangle(&b, at, at + n + 2, at + n + 1);
    }
    return rb_mesh_finish(&b);
}

static RbMesh box_between(Fixture *f, Vec3 low, Vec3 high) {
    RbMesh box = rb_mesh_box(v3_sub(high, low), &f->arena);
    return rb_mesh_map(&box, M3_IDENTITY, low, &f->arena);
}

static RbMesh cut_out(Fixture *f, RbMesh a, RbMesh b) {
    RbMesh out;
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &a, "a", &b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                  &out) == RB_OK);
    return out;
}

// What acts on the only particle, where it is.
static Wrench load_of(RbCloud *cloud) {
    rb_cloud_start(cloud);
    return (Wrench){cloud->bodies.data[0].t, cloud->bodies.data[0].f};
}

static void same_load(Wrench got, Wrench want, double relative) {
    double force = v3_norm(want.f);
    ENSURE_NEAR(v3_distance(got.f, want.f), 0, relative * force);
    ENSURE_NEAR(v3_distance(got.t, want.t), 0, relative * force * SIDE);
}

static Quat random_turn(RbRng *rng) {
    Vec3 axis = v3(rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1));
    return q_rotation(v3_scale(1 / v3_norm(axis), axis), rb_rng_range(rng, 0, 3));
}

// ---- on a plane

// Any pose that overlaps, moving anyhow: flat, on edges, on corners.
static void test_plane(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    const int cells[] = {1, 10, 60};
    int touching = 0;
    for (int k = 0; k < 60; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = stuff_of(0.5, 0.3);
        const RbClump *form = shape_of(&f, k % 2);
        Quat q = k % 3 == 0 ? q_rotation(v3(0, 0, 1), rb_rng_range(&rng, 0, 3)) : random_turn(&rng);
        double x = rb_rng_range(&rng, -0.01, 0.01), z = SIDE * rb_rng_range(&rng, 0.49, 0.8);
        if (k % 3 == 0) z = 0.49 * SIDE;
        Vec3 v = v3(rb_rng_range(&rng, -1, 1), 0.2, rb_rng_range(&rng, -1, 1)), w = v3(3, x, -20);
        Wrench want = WRENCH_ZERO;
        for (int n = 0; n < 4; n++) {
            RbCloud *cloud = cloud_of(&f.arena, s, 1e-5, 1);
            if (n == 0) add_ground(cloud, &f.arena);
            RbMesh mesh = sheet(&f.arena, n == 0 ? 1 : cells[n - 1], 0.04);
            if (n > 0) add_surface(cloud, &f, &mesh);
            RbGrainClump c = clump_at(cloud, form, s, v3(x, -x, z), q);
            c.v = v, c.w = w;
            rb_cloud_add_clump(cloud, c);
            Wrench load = load_of(cloud);
            if (n == 0) want = load;
            same_load(load, want, 1e-9);
        }
        touching += v3_norm(want.f) > 0;
        fixture_close(&f);
    }
    ENSURE(touching > 30);
}

// Thrown on it, it goes the same way, whatever is below: it slides, tips over and bounces, rough and lossy.
static void test_thrown(void **state) {
    (void)state;
    Vec3 want = V3_ZERO;
    const int cells[] = {1, 7, 40};
    for (int n = 0; n < 4; n++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = stuff_of(0.5, 0.3);
        RbCloud *cloud = cloud_of(&f.arena, s, 1e-5, 1);
        cloud->options.gravity = v3(0, 0, -9.81);
        if (n == 0) add_ground(cloud, &f.arena);
        RbMesh mesh = sheet(&f.arena, n == 0 ? 1 : cells[n - 1], 0.1);
        if (n > 0) add_surface(cloud, &f, &mesh);
        RbGrainClump c = clump_at(cloud, shape_of(&f, 0), s, v3(-0.02, 0, 0.012),
                                  q_rotation(v3(0.6, 0.8, 0), 0.4));
        c.v = v3(0.5, 0.1, -0.5), c.w = v3(0, 10, 3);
        rb_cloud_add_clump(cloud, c);
        rb_cloud_start(cloud);
        run(cloud, 6000);
        Vec3 r = cloud->bodies.data[0].r;
        if (n == 0) want = r;
        ENSURE_NEAR(v3_distance(r, want), 0, 1e-9);
        fixture_close(&f);
    }
}

// In the corner of a bin it feels what three half-spaces make.
static void test_bin(void **state) {
    (void)state;
    RbRng rng = rb_rng(12);
    for (int k = 0; k < 30; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = stuff_of(0.5, 0.3);
        double a = 0.05, in = 0.49 * SIDE;
        RbMesh bin =
            cut_out(&f, box_between(&f, v3(-0.002, -0.002, -0.002), v3(a + 0.002, a + 0.002, a)),
                    box_between(&f, V3_ZERO, v3(a, a, 2 * a)));
        Vec3 at = v3(k % 2 ? in : SIDE, k % 4 > 1 ? in : SIDE, in);
        Quat q = k < 8 ? Q_IDENTITY : q_rotation(v3(0, 0.6, 0.8), rb_rng_range(&rng, -0.05, 0.05));
        Wrench want = WRENCH_ZERO;
        for (int n = 0; n < 2; n++) {
            RbCloud *cloud = cloud_of(&f.arena, s, 1e-5, 1);
            if (n == 0)
                add_box(cloud, &f.arena, a);
            else
                add_surface(cloud, &f, &bin);
            rb_cloud_add_clump(cloud, clump_at(cloud, shape_of(&f, 0), s, at, q));
            Wrench load = load_of(cloud);
            if (n == 0) want = load;
            same_load(load, want, 1e-9);
        }
        ENSURE(v3_norm(want.f) > 0);
        fixture_close(&f);
    }
}

// ---- at edges

// A cube that overhangs the edge of a table by less than half stays, and is not pushed aside; by more than half it falls.
static void test_overhang(void **state) {
    (void)state;
    const double over[] = {0.2, 0.4, 0.6};
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = stuff_of(0.3, 0.5);
        RbCloud *cloud = cloud_of(&f.arena, s, 2e-5, 1);
        cloud->options.gravity = v3(0, 0, -9.81);
        RbMesh table = box_between(&f, v3(-0.05, -0.05, -0.01), v3(0, 0.05, 0));
        add_surface(cloud, &f, &table);
        double x = (over[k] - 0.5) * SIDE;
        rb_cloud_add_clump(cloud,
                           clump_at(cloud, shape_of(&f, 0), s, v3(x, 0, 0.5 * SIDE), Q_IDENTITY));
        rb_cloud_start(cloud);
        run(cloud, 15000);
        const RbGrainBody *b = &cloud->bodies.data[0];
        if (over[k] > 0.5) {
            ENSURE(b->r.z < -SIDE);
        } else {
            ENSURE_NEAR(b->r.x, x, 1e-3 * SIDE);
            ENSURE_NEAR(cloud->wall_loads[0].f.z / (b->mass * 9.81), -1, 1e-3);
            ENSURE_NEAR(cloud->wall_loads[0].f.x / (b->mass * 9.81), 0, 1e-3);
        }
        fixture_close(&f);
    }
}

// Elastic and smooth, among the edges and corners of a block in a bin. [J] how far the account is off, over the energy.
static double account_error(double step, long steps) {
    Fixture f;
    fixture_open(&f);
    Stuff s = stuff_of(1, 0);
    RbCloud *cloud = cloud_of(&f.arena, s, step, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    double a = 0.06;
    RbMesh bin = cut_out(&f, box_between(&f, v3(-0.01, -0.01, -0.01), v3(a + 0.01, a + 0.01, 0.2)),
                         box_between(&f, V3_ZERO, v3(a, a, 0.3)));
    RbMesh block = box_between(&f, v3(0.02, 0.02, 0), v3(0.04, 0.035, 0.02));
    add_surface(cloud, &f, &bin);
    add_surface(cloud, &f, &block);
    RbRng rng = rb_rng(5);
    for (int k = 0; k < 8; k++) {
        RbGrainClump c = clump_at(
            cloud, shape_of(&f, k % 2), s,
            v3(0.018 + 0.024 * (k & 1), 0.018 + 0.024 * (k >> 1 & 1), 0.034 + 0.024 * (k >> 2)),
            random_turn(&rng));
        rb_cloud_add_clump(cloud, c);
    }
    rb_cloud_start(cloud);
    double start = rb_cloud_ledger(cloud).height, worst = 0;
    for (long k = 0; k < steps; k++) {
        rb_cloud_step(cloud, NULL);
        worst = fmax(worst, fabs(rb_cloud_ledger(cloud).balance));
    }
    ENSURE(cloud->lodged.part == 0 && !cloud->lost);
    for (int k = 0; k < cloud->bodies.count; k++) {
        Vec3 r = cloud->bodies.data[k].r;
        ENSURE(r.z > 0 && r.x > 0 && r.x < a && r.y > 0 && r.y < a);
    }
    fixture_close(&f);
    return worst / start;
}

static void test_energy(void **state) {
    (void)state;
    ENSURE(account_error(2e-5, 6000) < 1e-3);
}

// A cube falls on an edge of it on a plane, or flat on a ridge of 90 degrees, whose two patches damp for themselves and take somewhat more.
// How fast it leaves, over how it came.
static double returned(double e, bool ridge) {
    Fixture f;
    fixture_open(&f);
    Stuff s = stuff_of(e, 0);
    RbCloud *cloud = cloud_of(&f.arena, s, 2e-6, 1);
    RbMesh block = box_between(&f, v3(-0.05, -0.05, -0.05), v3(0, 0.05, 0));
    Mat3 R = m3_rotation(v3(0, 1, 0), ridge ? -0.25 * M_PI : 0);
    block = rb_mesh_map(&block, R, ridge ? V3_ZERO : v3(0.02, 0, 0), &f.arena);
    add_surface(cloud, &f, &block);
    double half = ridge ? 0.5 * SIDE : sqrt(0.5) * SIDE;
    Quat q = ridge ? Q_IDENTITY : q_rotation(v3(0, 1, 0), 0.25 * M_PI);
    RbGrainClump c = clump_at(cloud, shape_of(&f, 0), s, v3(0, 0, 1.01 * half), q);
    c.v = v3(0, 0, -0.5);
    rb_cloud_add_clump(cloud, c);
    rb_cloud_start(cloud);
    run(cloud, 10000);
    const RbGrainBody *b = &cloud->bodies.data[0];
    ENSURE(cloud->wall_contacts == 0);

    double v = b->v.z / 0.5;
    fixture_close(&f);
    return v;
}

static void test_ridge(void **state) {
    (void)state;
    const double e[] = {0.3, 0.7, 1}, less[] = {0.07, 0.04, 1e-3};
    for (int k = 0; k < 3; k++) {
        double ridge = returned(e[k], true);
        ENSURE_NEAR(returned(e[k], false), e[k], 1e-4);
        ENSURE(ridge > e[k] - less[k] && ridge < e[k] + 1e-3);
    }
}

// ---- bits

static RbCloud *dice(Fixture *f, int threads) {
    Stuff s = stuff_of(0.5, 0.3);
    RbCloud *cloud = cloud_of(&f->arena, s, 2e-5, threads);
    cloud->options.gravity = v3(0, 0, -9.81);
    RbMesh bin = cut_out(f, box_between(f, v3(-0.01, -0.01, -0.01), v3(0.07, 0.07, 0.2)),
                         box_between(f, V3_ZERO, v3(0.06, 0.06, 0.3)));
    add_surface(cloud, f, &bin);
    RbRng rng = rb_rng(6);
    for (int k = 0; k < 27; k++)
        rb_cloud_add_clump(cloud, clump_at(cloud, shape_of(f, k % 2), s,
                                           v3(0.012 + 0.018 * (k % 3), 0.012 + 0.018 * (k / 3 % 3),
                                              0.012 + 0.018 * (k / 9)),
                                           random_turn(&rng)));
    rb_cloud_start(cloud);
    return cloud;
}

static void test_bits(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = dice(&f, threads), *other = dice(&f, 1);
        run(cloud, 1500);
        goes_on_as(cloud, other, &f.arena, 300);
        if (threads == 1) hash = rb_cloud_hash(cloud);
        ENSURE(rb_cloud_hash(cloud) == hash);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),  cmocka_unit_test(test_thrown),
        cmocka_unit_test(test_bin),    cmocka_unit_test(test_overhang),
        cmocka_unit_test(test_energy), cmocka_unit_test(test_ridge),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
