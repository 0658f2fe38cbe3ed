// SPDX-License-Identifier: MIT
// Sensors and sinks against what is known of single grains: weights of a column, times of a fall.
#include "dem/region.h"

#include "grains.h"

static const double R = 0.005, G = 9.81;

static RbCloud *falling(Fixture *f, Stuff s, double step) {
    RbCloud *cloud = cloud_of(&f->arena, s, step, 1);
    cloud->options.gravity = v3(0, 0, -G);
    return cloud;
}

static RbRegion box(Vec3 low, Vec3 high) {
    return (RbRegion){.name = "box", .kind = RB_REGION_BOX, .low = low, .high = high};
}

// A contact of a column carries what is above it: the stress of a box is force times distance of the centres over the
// volume, summed over its contacts.
static void test_column(void **state) {
    (void)state;
    enum { N = 6 };
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = falling(&f, GLASS, 1e-5);
    add_ground(cloud, &f.arena);
    for (int k = 0; k < N; k++)
        rb_cloud_add(cloud, grain(GLASS, R, v3(0, 0, (2 * k + 1) * R), V3_ZERO));
    rb_cloud_start(cloud);
    run(cloud, 400000);
    double m = mass_of(GLASS, R), volume = 0.02 * 0.02 * 0.1, values[16] = {0}, want = 0;
    double filled = N * 4.0 / 3 * M_PI * R * R * R / volume;
    RbRegion all = box(v3(-0.01, -0.01, -0.02), v3(0.01, 0.01, 0.08));
    rb_region_look(&all, cloud, 0, values);
    for (int k = 0; k < N; k++) {
        double below = k > 0 ? cloud->r[index_of(cloud, k - 1)].z
                             : 0.5 * (cloud->r[index_of(cloud, 0)].z - R); // amid the overlap
        want += (N - k) * m * G * (cloud->r[index_of(cloud, k)].z - below) / volume;
    }
    ENSURE(values[0] == N);
    ENSURE_NEAR(values[1], N * m, 1e-15);
    ENSURE_NEAR(values[5], filled, 1e-12);
    ENSURE_NEAR(values[8], want, 1e-6 * want);
    ENSURE_NEAR(values[6], 0, 1e-9 * want);
    // One contact alone: between the third and the fourth, which carries three.
    double z = cloud->r[index_of(cloud, 2)].z + R;
    RbRegion one = box(v3(-0.01, -0.01, z - R / 2), v3(0.01, 0.01, z + R / 2));
    rb_region_look(&one, cloud, 0, values);
    double apart = cloud->r[index_of(cloud, 3)].z - cloud->r[index_of(cloud, 2)].z;
    ENSURE(values[0] == 0);
    ENSURE_NEAR(values[8], 3 * m * G * apart / (0.02 * 0.02 * R), 1e-6 * values[8]);
    fixture_close(&f);
}

// Motion about the mean is a pressure too: m u u over the volume.
static void test_gas(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-5, 1);
    rb_cloud_add(cloud, grain(GLASS, R, v3(0.02, 0, 0), v3(1 + 0.5, 0.25, 0)));
    rb_cloud_add(cloud, grain(GLASS, R, v3(-0.02, 0, 0), v3(1 - 0.5, -0.25, 0)));
    rb_cloud_add(cloud, grain(GLASS, R, v3(0.5, 0, 0), v3(9, 9, 9))); // outside
    rb_cloud_start(cloud);
    double values[16], m = mass_of(GLASS, R), volume = 0.1 * 0.1 * 0.1;
    RbRegion g = box(v3(-0.05, -0.05, -0.05), v3(0.05, 0.05, 0.05));
    rb_region_look(&g, cloud, 0, values);
    ENSURE_NEAR(values[2], 1, 1e-14);
    ENSURE_NEAR(values[3], 0, 1e-14);
    ENSURE_NEAR(values[6], 2 * m * 0.25 / volume, 1e-12);
    ENSURE_NEAR(values[7], 2 * m * 0.0625 / volume, 1e-12);
    ENSURE_NEAR(values[9], 2 * m * 0.125 / volume, 1e-12);
    fixture_close(&f);
}

// Grains at heights h pass a plane after √(2 h/g), whether others are added on either side or leave meanwhile.
static void test_passing(void **state) {
    (void)state;
    enum { N = 8 };
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = falling(&f, GLASS, 1e-4);
    for (int k = 0; k < N; k++)
        rb_cloud_add(cloud, grain(GLASS, R, v3(0.02 * k, 0, 0.05 * (k + 1)), V3_ZERO));
    rb_cloud_start(cloud);
    RbRegion plane = {.name = "p", .kind = RB_REGION_PLANE, .n = {0, 0, -2}, .average = 1e-9};
    RbRegion sink = {.name = "s",
                     .kind = RB_REGION_SINK,
                     .low = {-INFINITY, -INFINITY, -INFINITY},
                     .high = {INFINITY, INFINITY, -0.1}};
    double passed[8] = {0}, left[4] = {0}, m = mass_of(GLASS, R);
    rb_region_mark(&plane, cloud, passed);
    for (int look = 1; look <= 40; look++) {
        run(cloud, 100);
        double t = cloud->time, before = passed[1];
        int want = 0, gone = 0;
        for (int k = 0; k < N; k++) {
            want += 0.05 * (k + 1) - 0.5 * G * t * t < 0;
            gone += 0.05 * (k + 1) - 0.5 * G * t * t < -0.1;
        }
        rb_region_look(&plane, cloud, 0.01, passed);
        rb_region_drain(&sink, cloud, left);
        if (look == 5) { // they were there from now on, and do not fall far
            rb_cloud_add(cloud, grain(GLASS, R, v3(0, 1, -0.05), v3(0, 0, 1.5)));
            rb_cloud_add(cloud, grain(GLASS, R, v3(0, 2, 90), V3_ZERO));
        }
        rb_region_mark(&plane, cloud, passed);
        // The one that was thrown upwards comes back through the plane, and goes down again.
        double u = t - 0.05, z = -0.05 + 1.5 * u - 0.5 * G * u * u;
        want -= look > 5 && z > 0;
        gone += look > 5 && z < -0.1;
        ENSURE(passed[0] == want && left[0] == gone);
        ENSURE_NEAR(passed[1], want * m, 1e-15);
        ENSURE_NEAR(passed[2], (passed[1] - before) / 0.01, 1e-9);
        ENSURE_NEAR(left[1], gone * m, 1e-15);
        ENSURE(cloud->count == N + (look >= 5 ? 2 : 0) - gone);
    }
    ENSURE(left[0] == N + 1);
    fixture_close(&f);
}

// What a sink takes from under a load leaves the account closed, and springs that are left in place.
static void test_taken_from_below(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};
    RbCloud *cloud = falling(&f, s, 1e-5);
    add_box(cloud, &f.arena, 0.05);
    add_heap(cloud, s, 60, R, 0.05, 5);
    rb_cloud_start(cloud);
    run(cloud, 20000);
    RbRegion sink = {
        .name = "s", .kind = RB_REGION_SINK, .low = {0, 0, 0}, .high = {0.03, 0.03, 0.01}};
    RbGrainLedger before = rb_cloud_ledger(cloud);
    double left[4] = {0};
    int gone = rb_region_drain(&sink, cloud, left);
    RbGrainLedger after = rb_cloud_ledger(cloud);
    ENSURE(gone >= 4 && after.stored < 0.95 * before.stored);
    ENSURE_NEAR(after.balance, before.balance, 1e-12 * before.height);
    ENSURE_NEAR(after.rubbed, before.rubbed, 1e-12 * before.rubbed);
    ENSURE_NEAR(after.resisted, before.resisted, 1e-12 * before.rubbed);
    double error = fabs(after.balance);
    run(cloud, 5000);
    ENSURE_NEAR(rb_cloud_ledger(cloud).balance, after.balance, 2 * error + 1e-6 * before.height);
    fixture_close(&f);
}

static void test_wrong(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbRegion wrong[] = {
        box(v3(0, 0, 0), v3(1, 0, 1)),
        box(v3(0, 0, 0), v3(1, NAN, 1)),
        box(v3(0, 0, 0), v3(1, INFINITY, 1)),
        {.name = "p", .kind = RB_REGION_PLANE, .average = 1},
        {.name = "p", .kind = RB_REGION_PLANE, .n = {0, 0, 1}},
        {.name = "p", .kind = RB_REGION_PLANE, .n = {0, 0, 1}, .r = {NAN, 0, 0}, .average = 1},
        {.name = "s", .kind = RB_REGION_SINK, .low = {1, 1, 1}, .high = {0, 2, 2}},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ENSURE(rb_region_check(&wrong[k], &f.diag) == RB_ERROR_MODEL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column),  cmocka_unit_test(test_gas),
        cmocka_unit_test(test_passing), cmocka_unit_test(test_taken_from_below),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
