// SPDX-License-Identifier: MIT
// Grains that stick, against what Johnson, Kendall and Roberts (1971) and Thornton and Ning (1998) have in closed form.
#include "grains.h"

static const double R = 0.005, W = 0.5; // [m], [J/m2]

static Stuff sticky(double e) {
    return (Stuff){5e6, 0.3, 2500, {.restitution = e, .sliding = 0.3, .adhesion = W}};
}

static double modulus(void) {
    return 5e6 / (2 * (1 - 0.3 * 0.3));
}

// A grain hangs from a ceiling as long as its weight is less than 3/2 π w R, and as far below as δ(a) says.
static void test_hanging(void **state) {
    (void)state;
    Stuff s = sticky(0.3);
    double pull = 1.5 * M_PI * W * R, m = mass_of(s, R);
    const double loads[] = {0.5, 0.98, 1.02};
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_of(&f.arena, s, 2e-6, 1);
        add_ground(cloud, &f.arena); // gravity points away from it
        rb_cloud_add(cloud, grain(s, R, v3(0, 0, R * (1 - 1e-6)), V3_ZERO));
        // The weight is put on slowly, so that nothing swings.
        rb_cloud_start(cloud);
        for (int i = 0; i < 200000; i++) {
            double share = i < 150000 ? i / 150000.0 : 1;
            cloud->options.gravity = v3(0, 0, share * loads[k] * pull / m);
            rb_cloud_step(cloud, NULL);
        }
        double depth = R - cloud->r[0].z, E = modulus();
        if (loads[k] > 1) {
            ENSURE(depth < -R && cloud->wall_contacts == 0); // it has fallen
        } else {
            // a from the force, 4/3 E a³/R - √(8 π w E) a^3/2 = -N (x = a^3/2), then δ.
            double x = (sqrt(8 * M_PI * W * E) +
                        sqrt(8 * M_PI * W * E - 16.0 / 3 * E / R * loads[k] * pull)) /
                       (8.0 / 3 * E / R);
            double a = pow(x, 2.0 / 3);
            ENSURE_NEAR(depth, a * a / R - sqrt(2 * M_PI * W * a / E), 1e-6 * R);
            ENSURE(cloud->wall_contacts == 1);
        }
        fixture_close(&f);
    }
}

// Elastic, head on: slower than v_s they stay together, faster they part with √(v² - v_s²); ½ m* v_s² = 7.09 (w⁵ R*⁴ / E*²)^1/3.
static void test_sticking_speed(void **state) {
    (void)state;
    Stuff s = sticky(1);
    double m = mass_of(s, R) / 2, E = modulus();
    double stick = sqrt(2 * 7.09 * cbrt(pow(W, 5) * pow(R / 2, 4) / (E * E)) / m);
    const double speeds[] = {0.9, 0.99, 1.01, 2, 10};
    for (int k = 0; k < 5; k++) {
        Fixture f;
        fixture_open(&f);
        double v = speeds[k] * stick;
        RbCloud *cloud = cloud_of(&f.arena, s, 5e-7, 1);
        rb_cloud_add(cloud, grain(s, R, v3(-R - 1e-7, 0, 0), v3(v / 2, 0, 0)));
        rb_cloud_add(cloud, grain(s, R, v3(R + 1e-7, 0, 0), v3(-v / 2, 0, 0)));
        rb_cloud_start(cloud);
        run(cloud, 60000);
        double apart = cloud->v[index_of(cloud, 1)].x - cloud->v[index_of(cloud, 0)].x;
        if (speeds[k] < 1)
            ENSURE(cloud->contacts == 1);
        else
            ENSURE_NEAR(apart, sqrt(v * v - stick * stick), 5e-3 * v);
        Wrench p = rb_cloud_momentum(cloud);
        ENSURE_NEAR(v3_norm(p.f), 0, 1e-15 * v);
        fixture_close(&f);
    }
}

// The account closes where contacts part, the better the smaller the step.
static void test_balance(void **state) {
    (void)state;
    Stuff s = sticky(0.9);
    double error[2];
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_of(&f.arena, s, k ? 2.5e-7 : 1e-6, 1);
        rb_cloud_add(cloud, grain(s, R, v3(-1.01 * R, 0, 0), v3(0.5, 0.1, 0)));
        rb_cloud_add(cloud, grain(s, R, v3(1.01 * R, 0.2 * R, 0), v3(-0.5, 0, 0)));
        rb_cloud_start(cloud);
        double all = rb_cloud_ledger(cloud).kinetic;
        run(cloud, k ? 16000 : 4000);
        RbGrainLedger l = rb_cloud_ledger(cloud);
        ENSURE(cloud->contacts == 0 && l.kinetic < 0.95 * all);
        error[k] = fabs(l.balance) / all;
        ENSURE(error[k] < 1e-3);
        fixture_close(&f);
    }
    ENSURE(error[1] < 0.5 * error[0]);
}

// Without adhesion, and with next to none, they do the same.
static void test_limit(void **state) {
    (void)state;
    Vec3 end[2];
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = GLASS;
        s.pair.adhesion = k ? 1e-9 : 0;
        RbCloud *cloud = cloud_of(&f.arena, s, 1e-6, 1);
        rb_cloud_add(cloud, grain(s, R, v3(-1.01 * R, 0, 0), v3(0.5, 0.1, 0)));
        rb_cloud_add(cloud, grain(s, R, v3(1.01 * R, 0.2 * R, 0), v3(-0.5, 0, 0)));
        rb_cloud_start(cloud);
        run(cloud, 4000);
        end[k] = vector(cloud->v[index_of(cloud, 0)]);
        fixture_close(&f);
    }
    ENSURE_NEAR(v3_distance(end[0], end[1]), 0, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hanging),
        cmocka_unit_test(test_sticking_speed),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
