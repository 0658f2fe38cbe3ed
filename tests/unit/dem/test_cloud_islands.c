// SPDX-License-Identifier: MIT
// label: normal
// Clouds against islands, which control their error and locate every contact.
#include "islands.h"

// Order two: four times as many steps, a sixteenth of the error.
static void check_order(Fixture *f, const Balls *b, const Vec3 *want, double time) {
    double coarse = cloud_error(f, b, want, time, 500), fine = cloud_error(f, b, want, time, 2000);
    double finest = cloud_error(f, b, want, time, 8000);
    ENSURE(coarse < 1e-5 && fine < coarse / 11 && finest < fine / 11);
}

// 55 balls of a triangle are hit.
static void test_triangle(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Balls b = triangle_of_balls(&f.arena, 10);
    Vec3 *want = by_islands(&f, &b, 0.03, 1e-9);
    ENSURE(v3_distance(want[54], b.ball[54].r) > 1e-3); // the blow has come to the last corner
    check_order(&f, &b, want, 0.03);
    // With the tolerance that is asked for, both agree within what is left of its error.
    want = by_islands(&f, &b, 0.03, 1e-8);
    ENSURE_NEAR(cloud_error(&f, &b, want, 0.03, 16000), 0, 5e-8);
    fixture_close(&f);
}

static void test_cube(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Balls b = cube_of_balls(&f.arena, 5, 17);
    check_order(&f, &b, by_islands(&f, &b, 0.02, 1e-9), 0.02);
    fixture_close(&f);
}

// 5,050 balls: momentum to rounding; the energy of an elastic blow within a bound that falls with the step.
static void test_large_triangle(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Balls b = triangle_of_balls(&f.arena, 100);
    ENSURE(b.count == 5051);
    double error[2];
    for (int k = 0; k < 2; k++) {
        RbCloud *cloud = as_cloud(&f, &b, k == 0 ? 1e-4 : 5e-5);
        double mass = cloud->v[0].w, momentum = 2 * mass, energy = 0.5 * mass * 4;
        run(cloud, k == 0 ? 600 : 1200);
        Vec3 p = rb_cloud_momentum(cloud).f;
        ENSURE(cloud->contacts > 50); // the blow is on its way
        ENSURE_NEAR(v3_distance(p, v3(momentum, 0, 0)), 0, 1e-12 * momentum);
        error[k] = fabs(rb_cloud_ledger(cloud).balance) / energy;
    }
    ENSURE(error[0] < 1e-4 && error[1] < error[0] / 3);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_large_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
