// SPDX-License-Identifier: MIT
// Belts: walls that stay, whose surfaces run along themselves. Against the closed forms of a sphere that is put on one.
#include <string.h>

#include "dem/region.h"
#include "resumed.h"

static const double R = 0.005, G = 9.81;

static Stuff beads(double friction, double rolling) {
    return (Stuff){5e7, 0.3, 2500, {.restitution = 0.3, .sliding = friction, .rolling = rolling}};
}

static RbCloud *on_belt(RbArena *arena, Stuff s, Mat3 turned, Vec3 belt) {
    RbCloud *cloud = cloud_of(arena, s, 2e-6, 1);
    cloud->options.gravity = v3(0, 0, -G);
    add_ground(cloud, arena);
    cloud->walls.data[0].X.R = turned;
    cloud->walls.data[0].belt = belt;
    return cloud;
}

// A sphere is put on a belt with the speed u. It slides, with the acceleration μ g, and is spun by the torque (μ - μ_r) m g R: slip falls
// by g (7/2 μ - 5/2 μ_r) per second. Then it rolls, and rolling resistance brings it to the speed of the belt with 5/7 μ_r g. The belt has pushed with
// the momentum m u, so its work is m u²; one half of it is motion, the other is heat.
static void test_carried(void **state) {
    (void)state;
    const double u = 0.4, mu = 0.3, mu_r = 0.1;
    Fixture f;
    fixture_open(&f);
    Stuff s = beads(mu, mu_r);
    double m = mass_of(s, R);
    RbCloud *cloud = on_belt(&f.arena, s, M3_IDENTITY, v3(u, 0, 0));
    double sunk = pow(m * G / (law_of_stuff(s).normal * sqrt(R)), 2.0 / 3);
    rb_cloud_add(cloud, grain(s, R, v3(0, 0, R - sunk), V3_ZERO));
    rb_cloud_start(cloud);
    double slides = u / (G * (3.5 * mu - 2.5 * mu_r)), v1 = mu * G * slides;
    double rolls = (u - v1) / (5.0 / 7 * mu_r * G);
    run(cloud, lround(0.5 * slides / 2e-6));
    ENSURE_NEAR(cloud->v[0].x, mu * G * cloud->time, 2e-3 * u);
    ENSURE_NEAR(cloud->w[0].y, -2.5 * (mu - mu_r) * G / R * cloud->time, 2e-3 * u / R);
    run(cloud, lround((slides + 0.5 * rolls) / 2e-6) - cloud->steps);
    ENSURE_NEAR(cloud->v[0].x, v1 + 0.5 * (u - v1), 3e-3 * u);
    ENSURE_NEAR(cloud->v[0].x - R * cloud->w[0].y, u, 1e-3 * u); // it rolls
    run(cloud, lround((slides + rolls) / 2e-6) - cloud->steps);
    double x =
        0.5 * mu * G * slides * slides + v1 * rolls + 0.5 * 5.0 / 7 * mu_r * G * rolls * rolls;
    ENSURE_NEAR(cloud->r[0].x, x, 2e-3 * x);
    run(cloud, 20000);
    ENSURE_NEAR(cloud->v[0].x, u, 2e-4 * u);
    ENSURE_NEAR(cloud->w[0].y, 0, 2e-3 * u / R);
    RbGrainLedger l = rb_cloud_ledger(cloud);
    ENSURE_NEAR(cloud->wall_sums[0].belt, m * u * u, 1e-3 * m * u * u);
    ENSURE_NEAR(l.driven, cloud->wall_sums[0].belt, 1e-9 * m * u * u); // nothing else moves
    ENSURE_NEAR(l.rubbed + l.resisted, 0.5 * m * u * u, 2e-3 * m * u * u);
    ENSURE_NEAR(l.balance, 0, 1e-3 * m * u * u);
    ENSURE_NEAR(cloud->wall_sums[0].impulse.x, -m * u, 1e-3 * m * u);
    ENSURE_NEAR(cloud->wall_sums[0].impulse.z, -m * G * cloud->time, 1e-3 * m * G * cloud->time);
    fixture_close(&f);
}

// Without rolling resistance it ends with 2/7 of the speed of the belt, and the belt turns with its part.
static void test_rolls(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = beads(0.5, 0);
    Mat3 turned = m3_rotation(v3(0, 0, 1), M_PI / 2);
    RbCloud *cloud = on_belt(&f.arena, s, turned, v3(0.7, 0, 0));
    rb_cloud_add(cloud, grain(s, R, v3(0, 0, R), V3_ZERO));
    rb_cloud_start(cloud);
    run(cloud, 100000);
    ENSURE_NEAR(cloud->v[0].y, 0.2, 1e-3);
    ENSURE_NEAR(cloud->v[0].x, 0, 1e-12);
    fixture_close(&f);
}

// What runs into the end of a belt meets a wall that stands: what is not along the surface does not count.
static void test_end(void **state) {
    (void)state;
    double back[2];
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = beads(0.3, 0);
        RbCloud *cloud = cloud_of(&f.arena, s, 1e-6, 1);
        RbShape shape = rb_shape_box(v3(0.1, 0.1, 0.1));
        RbGrainWall wall = {.X = POSE_IDENTITY, .belt = v3(k ? 2 : 0, 0, 0)};
        wall.parts = rb_shape_cores(&shape, &f.arena, &wall.part_count);
        rb_cloud_add_wall(cloud, wall);
        rb_cloud_add(cloud, grain(s, R, v3(0.05 + 1.1 * R, 0, 0), v3(-1, 0, 0)));
        rb_cloud_start(cloud);
        run(cloud, 3000);
        back[k] = cloud->v[0].x;
        fixture_close(&f);
    }
    ENSURE_NEAR(back[0], 0.3, 1e-3);
    ENSURE(back[1] == back[0]);
}

static void test_ramp(void **state) {
    (void)state;
    RbGrainWall wall = {.X = POSE_IDENTITY, .belt = {0, 2, 0}, .belt_start = 1, .belt_ramp = 0.5};
    const double times[] = {0, 1, 1.1, 1.5, 9}, want[] = {0, 0, 0.4, 2, 2};
    for (int k = 0; k < 5; k++) {
        rb_grain_wall_run_belt(&wall, times[k]);
        ENSURE_NEAR(wall.belt_W.y, want[k], 1e-12);
    }
    wall.belt_ramp = 0;
    rb_grain_wall_run_belt(&wall, 1);
    ENSURE(wall.belt_W.y == 2);
}

// ---- many

static RbCloud *crowd_of(RbArena *arena, int count, int threads) {
    Stuff s = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};
    RbCloud *cloud = cloud_of(arena, s, 2e-5, threads);
    cloud->options.gravity = v3(0, 0, -G);
    add_box(cloud, arena, 0.14);
    cloud->walls.data[0].belt = v3(0.5, 0.2, 0), cloud->walls.data[0].belt_ramp = 0.01;
    add_heap(cloud, s, count, R, 0.14, 7);
    rb_cloud_start(cloud);
    return cloud;
}

static void test_bits(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    double work = 0;
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = crowd_of(&f.arena, 2200, threads[k]);
        run(cloud, 300);
        RbCloud *again = crowd_of(&f.arena, 5, 2);
        goes_on_as(cloud, again, &f.arena, 300);
        if (k == 0) hash = rb_cloud_hash(cloud), work = cloud->wall_sums[0].belt;
        ENSURE(work > 1e-5);
        ENSURE(rb_cloud_hash(cloud) == hash && cloud->wall_sums[0].belt == work);
        ENSURE(memcmp(again->wall_sums, cloud->wall_sums, 5 * sizeof *again->wall_sums) == 0);
        fixture_close(&f);
    }
}

static void test_wrong(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRegion belt = {.name = "belt", .kind = RB_REGION_PART, .surface = {1, 0, 0}, .ramp = -1};
    ENSURE(rb_region_check(&belt, &f.diag) == RB_ERROR_MODEL);
    assert_string_equal(f.diag.messages.data[0].text,
                        "the surface of 'belt' runs with (1, 0, 0) m/s from 0 s on, which takes -1 "
                        "s; these must be finite, and the last one not negative");
    belt.ramp = 0, belt.surface.y = NAN;
    ENSURE(rb_region_check(&belt, &f.diag) == RB_ERROR_MODEL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carried), cmocka_unit_test(test_rolls), cmocka_unit_test(test_end),
        cmocka_unit_test(test_ramp),    cmocka_unit_test(test_bits),  cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
