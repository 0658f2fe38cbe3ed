// SPDX-License-Identifier: MIT
// Moments of spheres that overlap: closed forms of one sphere, of several that are apart and of two that share a lens;
// points counted in a union of many; the same whichever way it is turned.
#include "testing.h"

#include "geom/sphere_union.h"
#include "math/rng.h"

// Integrals over the part z > a of a ball of radius R at the origin: volume, z, zz, xx (= yy).
typedef struct Cap {
    double volume, z, zz, xx;
} Cap;

static double power_sum(double R, double a, int n) { // ∫ zⁿ dz from a to R
    return (pow(R, n + 1) - pow(a, n + 1)) / (n + 1);
}

static Cap cap(double R, double a) {
    double R2 = R * R;
    return (Cap){
        M_PI * (R2 * power_sum(R, a, 0) - power_sum(R, a, 2)),
        M_PI * (R2 * power_sum(R, a, 1) - power_sum(R, a, 3)),
        M_PI * (R2 * power_sum(R, a, 2) - power_sum(R, a, 4)),
        M_PI / 4 *
            (R2 * R2 * power_sum(R, a, 0) - 2 * R2 * power_sum(R, a, 2) + power_sum(R, a, 4))};
}

static RbMoments from_integrals(double volume, double z, double zz, double xx) {
    double c = z / volume;
    return (RbMoments){volume, v3(0, 0, c), m3_diagonal(v3(xx, xx, zz - volume * c * c))};
}

// Spheres at z = 0 and z = d that meet in the plane z = a: each without its cap beyond it.
static RbMoments two_spheres(double R, double S, double d) {
    double a = (d * d + R * R - S * S) / (2 * d);
    Cap one = cap(R, -R), two = cap(S, -S), c = cap(R, a), e = cap(S, d - a); // e seen from d, down
    double volume = one.volume - c.volume + two.volume - e.volume;
    double v2 = two.volume - e.volume, z2 = -(two.z - e.z), zz2 = two.zz - e.zz;
    return from_integrals(volume, one.z - c.z + z2 + d * v2,
                          one.zz - c.zz + zz2 + 2 * d * z2 + d * d * v2,
                          one.xx - c.xx + two.xx - e.xx);
}

static double error_of(RbMoments a, RbMoments b) {
    Mat3 d = m3_sub(a.second, b.second);
    double most = fmax(v3_max_abs(d.x), fmax(v3_max_abs(d.y), v3_max_abs(d.z)));
    double error = fabs(a.volume - b.volume) / b.volume;
    error = fmax(error, v3_distance(a.centroid, b.centroid) / cbrt(b.volume));
    return fmax(error, most / m3_trace(b.second));
}

static RbMoments moved(RbMoments m, Pose X) {
    return rb_moments_move(m, X);
}

static void test_one_and_two(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    const double cases[][3] = {
        {1, 1, 1}, {1, 0.5, 0.8}, {1, 0.3, 1.25}, {0.7, 1, 0.35}, {1, 1, 1e-3}};
    for (int k = 0; k < 5; k++) {
        for (int n = 0; n < 8; n++) {
            Pose X = {v3_scale(3, rb_rng_direction(&rng)), q_matrix(rb_rng_orientation(&rng))};
            if (n == 0) X = POSE_IDENTITY;
            const double *c = cases[k];
            Vec3 centres[2] = {X.r, pose_point(X, v3(0, 0, c[2]))};
            RbMoments got = rb_moments_of_spheres(centres, c, 2, f.scratch);
            ENSURE_NEAR(error_of(got, moved(two_spheres(c[0], c[1], c[2]), X)), 0, 1e-10);
            RbMoments one = rb_moments_of_spheres(centres, c, 1, f.scratch);
            double ball = 4.0 / 3.0 * M_PI * c[0] * c[0] * c[0];
            RbMoments want = {ball, X.r, m3_scale(ball * c[0] * c[0] / 5, M3_IDENTITY)};
            ENSURE_NEAR(error_of(one, want), 0, 1e-11);
        }
    }
    fixture_close(&f);
}

// Those that are apart, inside another, or twice the same.
static void test_apart_and_inside(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const Vec3 centres[] = {{0, 0, 0}, {3, 0, 0}, {0.2, 0.1, 0}, {0, 0, 0}, {3, 0.1, 0.1}};
    const double radii[] = {1, 0.5, 0.3, 1, 0.2};
    RbMoments got = rb_moments_of_spheres(centres, radii, 5, f.scratch);
    double a = 4.0 / 3.0 * M_PI, b = a / 8;
    RbMoments one = {a, centres[0], m3_scale(a / 5, M3_IDENTITY)};
    RbMoments two = {b, centres[1], m3_scale(b / 20, M3_IDENTITY)};
    ENSURE_NEAR(error_of(got, rb_moments_add(one, two)), 0, 1e-11);
    fixture_close(&f);
}

enum { MANY = 7 };

static void make_many(Vec3 *centres, double *radii, RbRng *rng) {
    for (int i = 0; i < MANY; i++) {
        centres[i] = v3_scale(0.8, rb_rng_direction(rng));
        radii[i] = rb_rng_range(rng, 0.3, 0.9);
    }
}

static void test_many(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(11);
    Vec3 centres[MANY], turned[MANY];
    double radii[MANY];
    make_many(centres, radii, &rng);
    RbMoments got = rb_moments_of_spheres(centres, radii, MANY, f.scratch);
    for (int n = 0; n < 3; n++) {
        Pose X = {V3_ZERO, q_matrix(rb_rng_orientation(&rng))};
        for (int i = 0; i < MANY; i++) turned[i] = pose_point(X, centres[i]);
        RbMoments other = rb_moments_of_spheres(turned, radii, MANY, f.scratch);
        ENSURE_NEAR(error_of(other, moved(got, X)), 0, 1e-10);
    }
    // Points of a fine lattice: the error is that of the surface cells, which cancel.
    const int n = 100;
    double h = 4.0 / n, volume = 0, zz = 0;
    Vec3 sum = V3_ZERO;
    for (int k = 0; k < n * n * n; k++) {
        Vec3 p = v3(-2 + (k % n + 0.5) * h, -2 + (k / n % n + 0.5) * h, -2 + (k / n / n + 0.5) * h);
        bool in = false;
        for (int i = 0; i < MANY; i++) in |= v3_distance(p, centres[i]) < radii[i];
        if (!in) continue;
        volume += h * h * h;
        sum = v3_axpy(sum, h * h * h, p);
        zz += h * h * h * p.z * p.z;
    }
    ENSURE_NEAR(got.volume / volume, 1, 2e-3);
    ENSURE_NEAR(v3_distance(got.centroid, v3_scale(1 / volume, sum)), 0, 2e-3);
    double c = got.centroid.z;
    ENSURE_NEAR((m3_get(got.second, 2, 2) + got.volume * c * c) / zz, 1, 4e-3);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_and_two),
        cmocka_unit_test(test_apart_and_inside),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
