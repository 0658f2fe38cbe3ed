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

// An impact that slides all the way against a wall: the impulse of friction is μ times that with which the normal force presses, and the spin 5/2 of that over
// m R. As an oscillator of damping ratio β it presses until it has turned to u exp(-2 β acos β/√(1 - β²)), u its speed; then damping pulls, as it must to
// return with e, and nothing rubs. In random directions.
static void test_sliding_impact(void **state) {
    (void)state;
    const double es[] = {1, 0.7, 0.5, 0.3, 0.1};
    unsigned seed = 7;
    double worst = 0;
    for (int i = 0; i < 20; i++) {
        double random[3], e = es[i % 5];
        for (int k = 0; k < 3; k++)
            random[k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
        Fixture f;
        fixture_open(&f);
        double mu = 0.1 + 0.2 * random[0], normal = 0.2 + 0.5 * random[1], turn = 6 * random[2];
        double slip = 2 + 3.5 * (1 + e) * mu * normal;
        // So stiff that the lever arm is the radius.
        Stuff s = {5e9, 0.3, 2500, {.restitution = e, .sliding = mu}};
        RbCloud *cloud = cloud_of(&f.arena, s, 6e-8, 1);
        add_ground(cloud, &f.arena);
        Vec3 way = v3(cos(turn), sin(turn), 0);
        rb_cloud_add(cloud, grain(s, D / 2, v3(0, 0, D / 2 + 1e-5),
                                  v3(slip * way.x, slip * way.y, -normal)));
        rb_cloud_start(cloud);
        run(cloud, 6000);
        Vec3 v = vector(cloud->v[0]), w = vector(cloud->w[0]);
        double beta = -log(e) / hypot(log(e), M_PI);
        double pressed = exp(-2 * beta * acos(beta) / sqrt(1 - beta * beta));
        double impulse = mu * normal * (1 + pressed), lost = slip - v3_dot(v, way);
        double spin = 2.5 * impulse / (D / 2), turned = v3_dot(w, v3_cross(v3(0, 0, 1), way));
        ENSURE_NEAR(v.z, e * normal, 1e-3 * normal);
        ENSURE_NEAR(lost, impulse, 2e-3 * impulse);
        ENSURE_NEAR(turned, spin, 4e-3 * spin);
        ENSURE_NEAR(v3_dot(v, v3_cross(v3(0, 0, 1), way)), 0, 1e-9);
        worst = fmax(worst, fabs(lost / impulse - 1));
        fixture_close(&f);
    }
    print_message("impulse of friction over that of Coulomb: off by %.1e at most\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),        cmocka_unit_test(test_silo),
        cmocka_unit_test(test_hole),           cmocka_unit_test(test_heap),
        cmocka_unit_test(test_sliding_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
