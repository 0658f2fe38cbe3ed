// SPDX-License-Identifier: MIT
// label: full
// 1,000 spheres of 5 MPa, as a cloud and by islands: places until chaos, averages afterwards.
#include "islands.h"

static void test_places(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Balls b = cube_of_balls(&f.arena, 10);
    Vec3 *want = by_islands(&f, &b, 0.02, 1e-9);
    double coarse = cloud_error(&f, &b, want, 0.02, 500),
           fine = cloud_error(&f, &b, want, 0.02, 2000);
    double finest = cloud_error(&f, &b, want, 0.02, 8000);
    ENSURE(coarse < 1e-5 && fine < coarse / 11 && finest < fine / 11);
    fixture_close(&f);
}

// Mean height and mean distance from the axis of the cube.
static void averages(const Vec3 *r, int count, double mean[2]) {
    mean[0] = mean[1] = 0;
    for (int i = 0; i < count; i++) {
        mean[0] += r[i].z / count;
        mean[1] += hypot(r[i].x - 0.0477, r[i].y - 0.0477) / count;
    }
}

// A difference in the last digit has grown to the size of grains, and says nothing about the whole.
static void test_averages(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Balls b = cube_of_balls(&f.arena, 10);
    double time = 0.12, mean[2], other[2];
    Vec3 *want = by_islands(&f, &b, time, 1e-6), *got = rb_new_array(&f.arena, Vec3, b.count);
    RbCloud *cloud = as_cloud(&f, &b, time / 6000);
    run(cloud, 6000);
    double apart = 0;
    for (int i = 0; i < b.count; i++) {
        got[cloud->id[i]] = vector(cloud->r[i]);
        apart = fmax(apart, v3_distance(vector(cloud->r[i]), want[cloud->id[i]]));
    }
    averages(want, b.count, mean);
    averages(got, b.count, other);
    ENSURE(apart > 1e-4);
    ENSURE_NEAR(other[0], mean[0], 0.02 * mean[0]);
    ENSURE_NEAR(other[1], mean[1], 0.02 * mean[1]);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_averages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
