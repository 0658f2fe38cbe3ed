// SPDX-License-Identifier: MIT
// Integrals by Gauss' rule against closed forms.
#include <math.h>

#include "math/gauss.h"
#include "testing.h"

typedef struct Powers {
    double exponent;
    int calls, fails_at;
} Powers;

// t^exponent, (2 - t)^exponent
static int powers(void *user, double t, double *g) {
    Powers *p = user;
    if (++p->calls == p->fails_at) return 7;
    g[0] = pow(t, p->exponent);
    g[1] = pow(2 - t, p->exponent);
    return 0;
}

static double of_power(double exponent, double from, double until) {
    return (pow(until, exponent + 1) - pow(from, exponent + 1)) / (exponent + 1);
}

static void polynomials_are_exact(void **state) {
    (void)state;
    for (int points = 2; points <= 4; points++) {
        for (int degree = 0; degree < 2 * points; degree++) {
            double g[2], sum[2] = {1, 2};
            Powers p = {.exponent = degree};
            ENSURE(rb_gauss_add(&(RbGauss){2, powers, &p, g}, points, 0.5, 1.5, sum) == 0);
            ENSURE(p.calls == points);
            ENSURE_NEAR(sum[0], 1 + of_power(degree, 0.5, 1.5), 1e-13);
            ENSURE_NEAR(sum[1], 2 + of_power(degree, 0.5, 1.5), 1e-13);
        }
    }
}

// A contact that opens takes (2 - t)^1.5 and (2 - t)^2.5 to its end at t = 2.
static void what_ends_like_a_power_is_followed_to_its_end(void **state) {
    (void)state;
    for (double exponent = 1.5; exponent < 3; exponent++) {
        double g[2], work[2 * RB_GAUSS_WORK], plain[2] = {0}, sum[2] = {0};
        double want = of_power(exponent, 0, 1.9);
        Powers p = {.exponent = exponent}, q = p;
        RbGauss r = {2, powers, &p, g}, once = {2, powers, &q, g};
        ENSURE(rb_gauss_add(&once, 3, 0.1, 2, plain) == 0);
        ENSURE(rb_gauss_add_closely(&r, 3, 0.1, 2, 1e-8, false, sum, work) == 0);
        print_message("power %g: %.2g off, else %.2g; %d calls\n", exponent, sum[1] / want - 1,
                      plain[1] / want - 1, p.calls);
        ENSURE(fabs(sum[1] / want - 1) < 2e-6);
        ENSURE(fabs(sum[1] - want) < 0.1 * fabs(plain[1] - want));
    }
}

// Three calls, and a second look of twice three.
static void what_is_smooth_costs_one_more_look(void **state) {
    (void)state;
    double g[2], work[2 * RB_GAUSS_WORK], sum[2] = {0};
    Powers p = {.exponent = 3};
    RbGauss r = {2, powers, &p, g};
    ENSURE(rb_gauss_add_closely(&r, 3, 0, 2, 1e-10, false, sum, work) == 0);
    ENSURE(p.calls == 9);
    ENSURE_NEAR(sum[0], 4, 1e-13);
}

// |t - 0.7|, which bends, and 3 + t, which does not.
static int bends(void *user, double t, double *g) {
    ++*(int *)user;
    g[0] = fabs(t - 0.7);
    g[1] = 3 + t;
    return 0;
}

static void what_bends_is_halved_where_it_does(void **state) {
    (void)state;
    int calls = 0;
    double g[2], work[2 * RB_GAUSS_WORK], sum[2] = {0};
    RbGauss r = {2, bends, &calls, g};
    ENSURE(rb_gauss_add_closely(&r, 3, 0, 2, 1e-7, true, sum, work) == 0);
    print_message("a bend: %.2g off; %d calls\n", sum[0] - 1.09, calls);
    ENSURE_NEAR(sum[0], 0.5 * (0.7 * 0.7 + 1.3 * 1.3), 1e-6);
    ENSURE_NEAR(sum[1], 8, 1e-13);
    ENSURE(calls <= 120);
}

// What is loose is taken along as it comes: a bend costs nothing, and nothing is judged by how large it is.
static void what_is_loose_is_taken_along(void **state) {
    (void)state;
    const bool loose[2] = {true, false};
    int calls = 0;
    double g[2], work[2 * RB_GAUSS_WORK], sum[2] = {0};
    RbGauss r = {2, bends, &calls, g, loose};
    ENSURE(rb_gauss_add_closely(&r, 3, 0, 2, 1e-7, true, sum, work) == 0);
    ENSURE(calls == 9); // 3 + t changes by more than a third, so halves are looked at once
    ENSURE_NEAR(sum[0], 0.5 * (0.7 * 0.7 + 1.3 * 1.3), 0.05);
    ENSURE_NEAR(sum[1], 8, 1e-13);
}

// From 4 to 5: by less than a third.
static void what_changes_little_is_looked_at_once(void **state) {
    (void)state;
    int calls = 0;
    double g[2], work[2 * RB_GAUSS_WORK], sum[2] = {0};
    RbGauss r = {2, bends, &calls, g};
    ENSURE(rb_gauss_add_closely(&r, 3, 4, 5, 1e-12, true, sum, work) == 0);
    ENSURE(calls == 3);
    ENSURE_NEAR(sum[0], 3.8, 1e-13);
}

static void a_failure_is_told_and_leaves_the_sum(void **state) {
    (void)state;
    for (int k = 1; k <= 9; k++) {
        double g[2], work[2 * RB_GAUSS_WORK], sum[2] = {5, 6};
        Powers p = {.exponent = 3, .fails_at = k};
        RbGauss r = {2, powers, &p, g};
        ENSURE(rb_gauss_add_closely(&r, 3, 0, 2, 1e-10, false, sum, work) == 7);
        ENSURE(sum[0] == 5 && sum[1] == 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_exact),
        cmocka_unit_test(what_ends_like_a_power_is_followed_to_its_end),
        cmocka_unit_test(what_is_smooth_costs_one_more_look),
        cmocka_unit_test(what_bends_is_halved_where_it_does),
        cmocka_unit_test(what_is_loose_is_taken_along),
        cmocka_unit_test(what_changes_little_is_looked_at_once),
        cmocka_unit_test(a_failure_is_told_and_leaves_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
