// SPDX-License-Identifier: MIT
// Signs of determinants against whole numbers of 128 bits, most of them zero or nearly so.
#include "testing.h"

#include "geom/predicate.h"
#include "math/rng.h"

typedef __int128 Whole;

static int sign(Whole x) {
    return (x > 0) - (x < 0);
}

static Whole det3(const Whole a[3], const Whole b[3], const Whole c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static Whole whole_det(long long p[4][3]) {
    Whole d[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) d[i][k] = (Whole)p[i + 1][k] - p[0][k];
    }
    return det3(d[0], d[1], d[2]);
}

static double cube(long long p[4][3]) {
    double m = 0;
    for (int i = 0; i < 12; i++) m = fmax(m, fabs((double)p[i / 3][i % 3]));
    return m * m * m;
}

// A point near the plane of the first three: a whole combination of their differences, moved by at
// most one unit along each axis.
static void draw_points(RbRng *rng, long long range, long long p[4][3]) {
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            p[i][k] = (long long)(rb_rng_bits(rng) % (uint64_t)range) - range / 2;
        }
    }
    int kind = rb_rng_int(rng, 4);
    if (kind == 0) return;
    int m = rb_rng_int(rng, 7) - 3, n = rb_rng_int(rng, 7) - 3;
    for (int k = 0; k < 3; k++) {
        p[3][k] = p[0][k] + m * (p[1][k] - p[0][k]) + n * (p[2][k] - p[0][k]);
        if (kind > 1) p[3][k] += rb_rng_int(rng, 3) - 1;
    }
}

static Vec3 point(const long long p[3], double scale) {
    return v3(scale * (double)p[0], scale * (double)p[1], scale * (double)p[2]);
}

static void exact_in_space(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    for (int i = 0; i < 200000; i++) {
        long long p[4][3];
        draw_points(&rng, 1ll << (4 + rb_rng_int(&rng, 34)), p);
        double s = ldexp(1, rb_rng_int(&rng, 80) - 60);
        Vec3 x[4];
        for (int k = 0; k < 4; k++) x[k] = point(p[k], s);
        int want = sign(whole_det(p));
        ENSURE(rb_orient3d(x[0], x[1], x[2], x[3]) == want);
        double value = rb_orient3d_value(x[0], x[1], x[2], x[3]) / (s * s * s);
        ENSURE_NEAR(value, (double)whole_det(p),
                    1e-14 * fabs((double)whole_det(p)) + 1e-28 * cube(p));
    }
}

static void exact_in_the_plane(void **state) {
    (void)state;
    RbRng rng = rb_rng(2);
    for (int i = 0; i < 200000; i++) {
        long long p[4][3];
        draw_points(&rng, 1ll << (4 + rb_rng_int(&rng, 45)), p);
        int m = rb_rng_int(&rng, 5) - 2;
        for (int k = 0; k < 2 && i % 2; k++) p[2][k] = p[0][k] + m * (p[1][k] - p[0][k]);
        double a[2] = {(double)p[0][0], (double)p[0][1]}, b[2] = {(double)p[1][0], (double)p[1][1]},
               c[2] = {(double)p[2][0], (double)p[2][1]};
        Whole det = ((Whole)p[1][0] - p[0][0]) * ((Whole)p[2][1] - p[0][1]) -
                    ((Whole)p[1][1] - p[0][1]) * ((Whole)p[2][0] - p[0][0]);
        ENSURE(rb_orient2d(a, b, c) == sign(det));
    }
}

// Points in one plane, on one line, at one place: moved by name they have a side, which changes when
// two are swapped, and is that to which the determinant starts to change.
static void names_decide(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 20000; i++) {
        RbNamed p[4];
        int kind = rb_rng_int(&rng, 4);
        for (int k = 0; k < 4; k++) {
            p[k].x = v3(rb_rng_int(&rng, 9), kind > 0 ? 0 : rb_rng_int(&rng, 9), 1);
            if (kind == 2) p[k].x = v3(1, 2, 3);
            if (kind == 3) p[k].x = v3(rb_rng_range(&rng, 0, 1), 0.1, rb_rng_range(&rng, 0, 1));
            p[k].name = (unsigned)(4 * i + k);
        }
        int s = rb_orient3d_named(p[0], p[1], p[2], p[3]);
        ENSURE(s != 0);
        ENSURE(rb_orient3d_named(p[1], p[0], p[2], p[3]) == -s);
        ENSURE(rb_orient3d_named(p[0], p[1], p[3], p[2]) == -s);
        ENSURE(rb_orient3d_named(p[1], p[2], p[0], p[3]) == s);
        double slope = rb_orient3d_slope(p[0], p[1], p[2], p[3]);
        ENSURE(slope == 0 || (slope > 0) == (s > 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_in_space),
        cmocka_unit_test(exact_in_the_plane),
        cmocka_unit_test(names_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
