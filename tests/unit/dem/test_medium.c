// SPDX-License-Identifier: MIT
// Grains in a fluid against closed forms: Stokes, Newton, Archimedes.
#include "grains.h"

static const double G = 9.81;

static RbCloud *immersed(Fixture *f, double step, RbGrainMedium medium) {
    RbCloud *cloud = cloud_of(&f->arena, GLASS, step, 1);
    cloud->options.gravity = v3(0, 0, -G);
    cloud->options.medium = medium;
    return cloud;
}

// So viscous that Stokes' law holds: v = v∞ (1 - exp(-t/τ)), τ = m / (6 π η R), v∞ = τ g (1 - ρ/ρ_s). Error of second order.
static void test_stokes(void **state) {
    (void)state;
    double R = 1e-3, eta = 50, rho = 900, m = mass_of(GLASS, R), error[2];
    double tau = m / (6 * M_PI * eta * R), end = tau * G * (1 - rho / GLASS.density);
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = immersed(&f, tau / (k == 0 ? 20 : 80), (RbGrainMedium){rho, eta, V3_ZERO});
        rb_cloud_add(cloud, grain(GLASS, R, V3_ZERO, V3_ZERO));
        rb_cloud_start(cloud);
        run(cloud, k == 0 ? 30 : 120);
        double z = -end * (1.5 * tau - tau * (1 - exp(-1.5)));
        error[k] = fabs(cloud->r[0].z / z - 1);
        double re = 2 * R * rho * end / eta;
        ENSURE(0.15 * pow(re, 0.687) < 4e-5);
        fixture_close(&f);
    }
    ENSURE(error[0] < 2e-3 && error[1] < 2e-4);
}

// Fast: the force is 0.44 ρ/2 π R² v², so 1/v grows by 0.22 ρ π R² t / m; spin decays by Stokes' torque.
static void test_newton(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double R = 0.01, m = mass_of(GLASS, R), rho = 1000, eta = 1e-5;
    RbCloud *cloud = immersed(&f, 5e-5, (RbGrainMedium){rho, eta, v3(1, 0, 0)});
    cloud->options.gravity = V3_ZERO;
    RbGrain g = grain(GLASS, R, V3_ZERO, v3(1, 3, 0));
    g.w = v3(0, 0, 7);
    rb_cloud_add(cloud, g);
    rb_cloud_start(cloud);
    run(cloud, 2000);
    double v = 1 / (1 / 3.0 + 0.22 * rho * M_PI * R * R * 0.1 / m);
    ENSURE_NEAR(cloud->v[0].y, v, 1e-6);
    ENSURE_NEAR(cloud->v[0].x, 1, 1e-12);
    ENSURE_NEAR(cloud->w[0].z, 7 * exp(-8 * M_PI * eta * R * R * R * 0.1 / (0.4 * m * R * R)),
                1e-9);
    RbGrainLedger l = rb_cloud_ledger(cloud);
    ENSURE_NEAR(l.dragged, 0.5 * m * (9 - v * v), 1e-6 * l.dragged);
    ENSURE_NEAR(l.balance, 0, 1e-6 * l.dragged);
    fixture_close(&f);
}

// What has the density of the fluid hovers; many grains that settle in water close their account, and are lighter on the
// ground by what they displace.
static void test_settling(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = immersed(&f, 1e-5, (RbGrainMedium){1000, 1e-3, V3_ZERO});
    add_box(cloud, &f.arena, 0.05);
    add_heap(cloud, GLASS, 64, 0.005, 0.05, 5);
    RbGrain light = grain(GLASS, 0.005, v3(0.025, 0.025, 0.3), V3_ZERO);
    light.mass *= 1000 / GLASS.density;
    int id = rb_cloud_add(cloud, light);
    rb_cloud_start(cloud);
    run(cloud, 60000);
    double displaced = 0, weight = 0;
    for (int i = 0; i < cloud->count; i++) {
        double R = cloud->r[i].w;
        if (cloud->id[i] == id) continue;
        displaced += 4.0 / 3 * M_PI * R * R * R * 1000 * G;
        weight += cloud->v[i].w * G;
    }
    double carried = 0; // by ground and sides: friction may hold on
    for (int k = 0; k < 5; k++) carried -= cloud->wall_loads[k].f.z;
    ENSURE_NEAR(carried, weight - displaced, 5e-3 * weight);
    RbQuad at = cloud->r[index_of(cloud, id)];
    ENSURE_NEAR(at.z, 0.3, 1e-12);
    RbGrainLedger l = rb_cloud_ledger(cloud);
    ENSURE(l.dragged > 0);
    ENSURE_NEAR(l.balance, 0, 2e-3 * l.dragged);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stokes),
        cmocka_unit_test(test_newton),
        cmocka_unit_test(test_settling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
