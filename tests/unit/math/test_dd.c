// SPDX-License-Identifier: MIT
// Double-double arithmetic against __float128 (113 bits), whose own rounding is far below the 104
// bits that are asked for.
#include "math/dd.h"
#include "math/rng.h"
#include "testing.h"

typedef __float128 Quad;

static Quad quad(RbDd a) {
    return (Quad)a.hi + (Quad)a.lo;
}

static RbDd random_dd(RbRng *rng) {
    double hi = (rb_rng_unit(rng) - 0.5) * exp(rb_rng_range(rng, -20, 20));
    return dd_quick_two_sum(hi, hi * 0x1p-53 * (rb_rng_unit(rng) - 0.5));
}

// |got - want| in units of 2^-104 |scale|
static double error(RbDd got, Quad want, Quad scale) {
    Quad e = quad(got) - want;
    if (e < 0) e = -e;
    if (scale < 0) scale = -scale;
    return scale > 0 ? (double)(e / scale * 0x1p104) : (double)e;
}

static void basic_operations(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    double worst[4] = {0};
    for (int k = 0; k < 100000; k++) {
        RbDd a = random_dd(&rng), b = random_dd(&rng);
        Quad x = quad(a), y = quad(b);
        worst[0] = fmax(worst[0], error(dd_add(a, b), x + y, x + y));
        worst[1] = fmax(worst[1], error(dd_mul(a, b), x * y, x * y));
        worst[2] = fmax(worst[2], error(dd_div(a, b), x / y, x / y));
        RbDd root = dd_sqrt(dd_abs(a));
        worst[3] = fmax(worst[3], error(dd_mul(root, root), x < 0 ? -x : x, x));
        ENSURE(dd_less(a, b) == (x < y));
        ENSURE(dd_positive(a) == (x > 0) && dd_negative(a) == (x < 0));
        ENSURE(fabs(root.lo) <= 0x1p-53 * fabs(root.hi));
    }
    for (int k = 0; k < 4; k++) ENSURE(worst[k] < 16);
}

// Sums that cancel keep what was lost by double: (1 + 2^-80) - 1.
static void cancellation(void **state) {
    (void)state;
    RbDd tiny = dd(0x1p-80), one = dd(1.0);
    ENSURE_NEAR(dd_double(dd_sub(dd_add(one, tiny), one)), 0x1p-80, 0);
    RbDd third = dd_div(one, dd(3.0));
    RbDd rest = dd_sub(one, dd_mul(dd(3.0), third));
    ENSURE(fabs(rest.hi) < 0x1p-103);
    ENSURE_NEAR(dd_double(dd_sqrt(dd(0.0))), 0, 0);
}

static void vectors(void **state) {
    (void)state;
    RbRng rng = rb_rng(2);
    for (int k = 0; k < 1000; k++) {
        RbDd3 a = dd3(rb_rng_direction(&rng)), b = dd3(rb_rng_direction(&rng)), n = dd3_cross(a, b);
        ENSURE(fabs(dd3_dot(n, a).hi) < 1e-30 && fabs(dd3_dot(n, b).hi) < 1e-30);
        RbDd3 u = dd3_unit(a);
        ENSURE(fabs(dd_sub(dd3_dot(u, u), dd(1.0)).hi) < 1e-30);
        // Lagrange: |a x b|^2 = |a|^2 |b|^2 - (a . b)^2
        RbDd ab = dd3_dot(a, b),
             right = dd_sub(dd_mul(dd3_dot(a, a), dd3_dot(b, b)), dd_mul(ab, ab));
        ENSURE(fabs(dd_sub(dd3_dot(n, n), right).hi) < 1e-30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(basic_operations),
                                       cmocka_unit_test(cancellation), cmocka_unit_test(vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
