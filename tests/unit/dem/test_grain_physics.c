// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full
// What is known of granular matter from experiments and closed forms, on a small scale.
#include "physics.h"

static void test_packing(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double part = packing_fraction(&f, 1100, 8, 0.5);
    ENSURE(part > 0.58 && part < 0.64);
    // Without friction they lie as densely as spheres do that were thrown together at random.
    ENSURE_NEAR(packing_fraction(&f, 1100, 8, 0), 0.64, 0.015);
    fixture_close(&f);
}

static void test_silo(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Silo silo = fill_silo(&f, beads(1e6, 0.3), 6, 30, 0.02);
    check_janssen(&silo, 0.3, 0.15);
    fixture_close(&f);
}

static void test_hole(void **state) {
    (void)state;
    const double holes[] = {5, 6.5, 8};
    ENSURE_NEAR(beverloo_exponent(1300, 11, holes, 3), 2.5, 0.25);
}

static void test_heap(void **state) {
    (void)state;
    const double friction[] = {0.1, 0.3, 0.6};
    double before = -1;
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        double slope = heap_slope(&f, 6, friction[k], friction[k] / 6);
        ENSURE(slope > before + 0.03);
        before = slope;
        fixture_close(&f);
    }
    ENSURE(before > 0.2 && before < 0.7); // 11 to 35 degrees
}

// An elastic impact that slides all the way against a wall: the impulse of friction is μ times the normal one, so
// v_t' = v_t - 2 μ v_n, and the spin is 5 μ v_n / R. (With damping the law pulls a little at the end, and rubs while it does.)
static void test_sliding_impact(void **state) {
    (void)state;
    for (double mu = 0.1; mu < 0.4; mu += 0.1) {
        Fixture f;
        fixture_open(&f);
        // So stiff that the lever arm is the radius.
        Stuff s = {5e9, 0.3, 2500, {.restitution = 1, .sliding = mu}};
        RbCloud *cloud = cloud_of(&f.arena, s, 6e-8, 1);
        add_ground(cloud, &f.arena);
        rb_cloud_add(cloud, grain(s, D / 2, v3(0, 0, D / 2 + 1e-5), v3(2, 0, -0.5)));
        rb_cloud_start(cloud);
        run(cloud, 4000);
        double spin = 5 * mu * 0.5 / (D / 2);
        ENSURE_NEAR(cloud->v[0].z, 0.5, 2e-4);
        ENSURE_NEAR(cloud->v[0].x, 2 - 2 * mu * 0.5, 2e-3 * mu);
        ENSURE_NEAR(cloud->w[0].y, spin, 4e-3 * spin);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),        cmocka_unit_test(test_silo),
        cmocka_unit_test(test_hole),           cmocka_unit_test(test_heap),
        cmocka_unit_test(test_sliding_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
