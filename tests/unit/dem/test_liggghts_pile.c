// SPDX-License-Identifier: MIT
// label: full
// Piles computed by LIGGGHTS, if it is installed: two spheres exactly, a heap within the scatter of five seeds, on
// one, two and four processes.
#include "physics.h"

#include <unistd.h>

#include "dem/liggghts.h"

static bool is_installed(void) {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1); // tests run in containers
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    if (system("command -v liggghts >/dev/null && command -v mpirun >/dev/null") == 0) return true;
    print_message("liggghts is not installed: skipped\n");
    return false;
}

static void by_liggghts(Fixture *f, RbCloud *cloud, Stuff s, RbMesh *walls, double time,
                        int ranks) {
    char folder[64];
    snprintf(folder, sizeof folder, "/tmp/rb_pile_%d", (int)getpid());
    RbElastic solid = {s.modulus, s.poisson};
    RbLiggghtsJob job = {.folder = folder,
                         .ranks = ranks,
                         .frame_steps = lround(time / cloud->options.step),
                         .frames = 1,
                         .solid = &solid,
                         .walls = walls};
    RbLiggghtsRun *run;
    if (rb_liggghts_write(cloud, &job, f->scratch, &f->diag) != RB_OK ||
        rb_liggghts_start(&job, &f->arena, &f->diag, &run) != RB_OK ||
        rb_liggghts_frame(run, cloud, 1, f->scratch, &f->diag) != RB_OK)
        print_error("%s", fixture_message(f, 0));
    ENSURE(f->diag.messages.count == 0);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ENSURE(system(command) == 0);
}

static const Stuff ELASTIC = {5e6, 0.3, 2500, {.restitution = 1, .sliding = 0.3}};

// One oblique impact: both have the same law, they differ by the order of their steps. Nothing is damped: its friction, spring and
// damper together, exceeds Coulomb's where a damped contact slides, and ours does not.
static void test_impact(void **state) {
    (void)state;
    if (!is_installed()) skip();
    Vec3 v[2], w[2];
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_of(&f.arena, ELASTIC, 1e-6, 1);
        rb_cloud_add(cloud, grain(ELASTIC, D / 2, v3(-0.0051, 0, 0.001), v3(0.5, 0, 0.1)));
        rb_cloud_add(cloud, grain(ELASTIC, D / 2, v3(0.0051, 0, 0), v3(-0.5, 0.05, 0)));
        rb_cloud_start(cloud);
        if (k == 0)
            run(cloud, 4000);
        else
            by_liggghts(&f, cloud, ELASTIC, NULL, 4e-3, 1);
        v[k] = vector(cloud->v[index_of(cloud, 0)]);
        w[k] = vector(cloud->w[index_of(cloud, 0)]);
        fixture_close(&f);
    }
    ENSURE(v[0].x < 0);
    ENSURE_NEAR(v3_distance(v[0], v[1]), 0, 2e-3 * 0.5);
    ENSURE_NEAR(v3_distance(w[0], w[1]), 0, 2e-3 * 100);
}

// Two spheres on a floor that is wider than a periodic cell: one slides across the border and hits the other one.
static void test_border(void **state) {
    (void)state;
    if (!is_installed()) skip();
    for (int ranks = 0; ranks <= 2; ranks++) {
        static Vec3 r[2], v[2];
        static double crossed;
        Fixture f;
        fixture_open(&f);
        RbCloudOptions options = cloud_under_gravity(&f, ELASTIC, 1e-6)->options;
        double z = 0.5 * D - 2e-5, start = 0.6 * D;
        options.borders = (RbBorders){
            .name = "cell", .periodic = {true, true}, .low = {0}, .high = {10 * D, 5 * D, 0}};
        RbCloud *cloud = rb_cloud(&f.arena, &options);
        RbMesh floor = rb_mesh_box(v3(30 * D, 30 * D, D), &f.arena);
        floor = rb_mesh_map(&floor, M3_IDENTITY, v3(-15 * D, -15 * D, -D), &f.arena);
        add_ground(cloud, &f.arena);
        rb_cloud_add(cloud, grain(ELASTIC, D / 2, v3(9 * D, 2 * D, z), v3(1.5, 0.4, 0)));
        rb_cloud_add(cloud, grain(ELASTIC, D / 2, v3(start, 2.9 * D, z), V3_ZERO));
        rb_cloud_start(cloud);
        if (ranks == 0)
            run(cloud, 20000);
        else
            by_liggghts(&f, cloud, ELASTIC, &floor, 0.02, ranks);
        for (int k = 0; k < 2; k++) {
            Vec3 at = rb_cloud_place_of(cloud, index_of(cloud, k));
            Vec3 speed = vector(cloud->v[index_of(cloud, k)]);
            if (ranks == 0) r[k] = at, v[k] = speed, crossed = cloud->crossed[0];
            ENSURE_NEAR(v3_distance(at, r[k]), 0, 5e-4 * D);
            ENSURE_NEAR(v3_distance(speed, v[k]), 0, 5e-4);
        }
        ENSURE(fabs(v[1].y) > 0.01 && crossed > 0 && cloud->crossed[0] == crossed);
        fixture_close(&f);
    }
}

// A soft sphere rolls on a floor, slower by 5/7 mu_r g: while it rolls the torque m g r mu_r is the limit of the spring.
static void test_rolling(void **state) {
    (void)state;
    if (!is_installed()) skip();
    Stuff s = {2e6, 0.3, 2500, {.restitution = 0.5, .sliding = 0.6, .rolling = 0.02}};
    double speed = 0.2, time = 0.3, sunk = 5e-6;
    for (int ranks = 0; ranks <= 2; ranks++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_under_gravity(&f, s, 2e-6);
        RbMesh floor = rb_mesh_box(v3(60 * D, 20 * D, D), &f.arena);
        floor = rb_mesh_map(&floor, M3_IDENTITY, v3(-5 * D, -10 * D, -D), &f.arena);
        add_ground(cloud, &f.arena);
        RbGrain ball = grain(s, D / 2, v3(0, 0, D / 2 - sunk), v3(speed, 0, 0));
        ball.w = v3(0, speed / (D / 2), 0);
        rb_cloud_add(cloud, ball);
        rb_cloud_start(cloud);
        if (ranks == 0)
            run_for(cloud, time);
        else
            by_liggghts(&f, cloud, s, &floor, time, ranks);
        double want = speed - 5.0 / 7 * s.pair.rolling * GRAVITY * time;
        print_message("%d ranks: %.6f m/s, closed form %.6f\n", ranks, (double)cloud->v[0].x, want);
        ENSURE_NEAR(cloud->v[0].x, want, 5e-3 * want);
        fixture_close(&f);
    }
}

enum { SLICES_ACROSS = 4 };

// Mean height of the grains in slices along the slope; energies of height and of contacts.
typedef struct Heap {
    double value[SLICES_ACROSS + 2];
} Heap;

static RbMesh tray(Fixture *f, double a) {
    RbMesh outer = rb_mesh_box(v3(a + 4 * D, a + 4 * D, 16 * D), &f->arena), out;
    RbMesh inner = rb_mesh_box(v3(a, a, 20 * D), &f->arena);
    outer = rb_mesh_map(&outer, M3_IDENTITY, v3(-2 * D, -2 * D, -2 * D), &f->arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &outer, "outer", &inner, "inner", RB_NOWHERE, &f->arena,
                  f->scratch, &f->diag, &out) == RB_OK);
    return out;
}

// 400 grains fall into a tray that leans by 20 degrees, so that they lie deep on one side. ranks 0: by us.
static Heap heap_in_tray(uint64_t seed, int ranks) {
    Fixture f;
    fixture_open(&f);
    Stuff s = {5e6, 0.3, 2500, {.restitution = 0.3, .sliding = 0.5}};
    double a = 10 * D, time = 0.8;
    RbCloud *cloud = cloud_under_gravity(&f, s, fitting_step(s));
    cloud->options.gravity = v3(GRAVITY * sin(0.35), 0, -GRAVITY * cos(0.35));
    cloud->options.ledger = true;
    RbMesh mesh = tray(&f, a);
    RbGrainMesh surface;
    ENSURE(rb_grain_mesh(&mesh, "tray", RB_NOWHERE, &f.arena, f.scratch, &f.diag, &surface) ==
           RB_OK);
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = &surface, .X = POSE_IDENTITY});
    pour(cloud, s, 400, 8 * D, 0, seed);
    for (int i = 0; i < cloud->count; i++) cloud->r[i].x += D, cloud->r[i].y += D;
    rb_cloud_start(cloud);
    if (ranks == 0)
        run_for(cloud, time);
    else
        by_liggghts(&f, cloud, s, &mesh, time, ranks);
    Heap heap = {0};
    double n[SLICES_ACROSS] = {0};
    for (int i = 0; i < cloud->count; i++) {
        int slice = (int)(cloud->r[i].x / a * SLICES_ACROSS);
        heap.value[slice] += cloud->r[i].z / D, n[slice]++;
    }
    for (int k = 0; k < SLICES_ACROSS; k++) heap.value[k] /= n[k];
    RbGrainLedger l = rb_cloud_ledger(cloud);
    heap.value[SLICES_ACROSS] = l.height / (cloud->count * cloud->v[0].w * GRAVITY * D);
    heap.value[SLICES_ACROSS + 1] = l.stored / (cloud->v[0].w * GRAVITY * D);
    fixture_close(&f);
    return heap;
}

// Each number within four standard deviations of ours, whose mean and scatter are of five seeds. (Student's
// distribution with four degrees of freedom, one more sample: 99 % for all six together.)
static void test_heap(void **state) {
    (void)state;
    if (!is_installed()) skip();
    enum { SEEDS = 5, VALUES = SLICES_ACROSS + 2 };
    double mean[VALUES] = {0}, scatter[VALUES] = {0};
    Heap own[SEEDS];
    for (int k = 0; k < SEEDS; k++) own[k] = heap_in_tray((uint64_t)k + 1, 0);
    for (int n = 0; n < VALUES; n++) {
        for (int k = 0; k < SEEDS; k++) mean[n] += own[k].value[n] / SEEDS;
        for (int k = 0; k < SEEDS; k++)
            scatter[n] += pow(own[k].value[n] - mean[n], 2) / (SEEDS - 1);
    }
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        Heap other = heap_in_tray(9, ranks);
        for (int n = 0; n < VALUES; n++) {
            print_message("%d ranks, number %d: own %.4f +- %.4f, liggghts %.4f\n", ranks, n,
                          mean[n], sqrt(scatter[n]), other.value[n]);
            ENSURE_NEAR(other.value[n], mean[n], 4 * sqrt(scatter[n]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_impact), cmocka_unit_test(test_border),
                                       cmocka_unit_test(test_rolling),
                                       cmocka_unit_test(test_heap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
