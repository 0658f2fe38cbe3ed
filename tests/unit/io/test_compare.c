// SPDX-License-Identifier: MIT
// The tube: closed-form cases, events, gaps, and random curves against a check of every rectangle
// with every line.
#include "testing.h"

#include <string.h>

#include "io/compare.h"
#include "math/rng.h"

static RbResult *curve(Fixture *f, const char *name, const double (*points)[2], int count) {
    RbResult *r = rb_result_new(&f->arena);
    RbResultEntry entry = {.name = name, .unit = "m"};
    rb_result_begin_segment(r, &entry, 1);
    for (int i = 0; i < count; i++) rb_result_add_row(r, points[i][0], &points[i][1]);
    rb_result_finish(r, f->scratch);
    return r;
}

// y = a + b t on [0, end]
static RbResult *line(Fixture *f, double a, double b, double end, int count) {
    RbResult *r = rb_result_new(&f->arena);
    RbResultEntry entry = {.name = "y"};
    rb_result_begin_segment(r, &entry, 1);
    for (int i = 0; i < count; i++) {
        double t = end * i / (count - 1);
        rb_result_add_row(r, t, (double[]){a + b * t});
    }
    rb_result_finish(r, f->scratch);
    return r;
}

static RbComparedSignal compare_one(Fixture *f, const RbResult *reference, const RbResult *test) {
    RbComparison *c;
    ENSURE(rb_compare(reference, test, rb_compare_options_default(), &f->arena, f->scratch,
                      &f->diag, &c) == RB_OK);
    ENSURE(c->inside == (c->signals[0].verdict == RB_VERDICT_INSIDE && !c->too_short));
    return c->signals[0];
}

static void identical_results_agree(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = line(&f, 0, 1, 1, 101);
    RbComparedSignal s = compare_one(&f, r, r);
    ENSURE(s.verdict == RB_VERDICT_INSIDE && s.reach == 0 && s.excess == 0 && s.point_count == 202);
    fixture_close(&f);
}

// Around y = t with range 1 and duration 1 the rectangles reach 0.002 in time, which is 0.002 in
// value here, and 0.002 in value: a parallel line may be off by 0.004 (except near the ends, where
// the curve stops).
static void a_parallel_line(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *reference = line(&f, 0, 1, 1, 101);
    double near[5][2] = {{0, 0}, {0.3, 0.3039}, {0.5, 0.5039}, {0.7, 0.7039}, {1, 1}};
    RbComparedSignal s = compare_one(&f, reference, curve(&f, "y", (const double(*)[2])near, 5));
    ENSURE(s.verdict == RB_VERDICT_INSIDE);
    ENSURE_NEAR(s.half_height, 0.002, 1e-15);
    ENSURE_NEAR(s.reach, 0.95, 1e-9);
    near[2][1] = 0.5041;
    s = compare_one(&f, reference, curve(&f, "y", (const double(*)[2])near, 5));
    ENSURE(s.verdict == RB_VERDICT_OUTSIDE && !s.reference_point);
    ENSURE(s.outside_count > 1 && s.point_count == 5 + 101); // (0.5, 0.5) of the reference as well
    ENSURE_NEAR(s.excess, 1e-4, 1e-12);
    ENSURE_NEAR(s.time, 0.5, 0);
    ENSURE_NEAR(s.upper, 0.504, 1e-12);
    ENSURE_NEAR(s.lower, 0.496, 1e-12);
    fixture_close(&f);
}

// A step of the reference at 0.5 s, duration 1 s: the step of the result may be 0.002 s off, either
// way.
static void a_step_may_shift_a_little(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const double reference[][2] = {{0, 0}, {0.5, 0}, {0.5, 1}, {1, 1}};
    RbResult *r = curve(&f, "y", reference, 4);
    static const struct {
        double at;
        bool inside;
    } cases[] = {{0.5, true}, {0.5019, true}, {0.4981, true}, {0.5021, false}, {0.4979, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double test[][2] = {{0, 0}, {cases[i].at, 0}, {cases[i].at, 1}, {1, 1}};
        RbComparedSignal s = compare_one(&f, r, curve(&f, "y", (const double(*)[2])test, 4));
        ENSURE((s.verdict == RB_VERDICT_INSIDE) == cases[i].inside);
        if (!cases[i].inside) ENSURE_NEAR(s.time, s.reference_point ? 0.5 : cases[i].at, 0);
    }
    // Within the step all values are in the tube, far from it they are not.
    static const double within[][2] = {{0, 0},       {0.4985, 0}, {0.499, 0.4},
                                       {0.501, 0.6}, {0.5015, 1}, {1, 1}};
    ENSURE(compare_one(&f, r, curve(&f, "y", within, 6)).verdict == RB_VERDICT_INSIDE);
    static const double early[][2] = {{0, 0},      {0.48, 0},   {0.49, 0.4},
                                      {0.4985, 0}, {0.5015, 1}, {1, 1}};
    RbComparedSignal s = compare_one(&f, r, curve(&f, "y", early, 6));
    ENSURE(s.verdict == RB_VERDICT_OUTSIDE && s.outside_count == 1);
    ENSURE_NEAR(s.excess, 0.398, 1e-12);
    fixture_close(&f);
}

// A peak that only one of two curves has is a difference, whichever it is.
static void a_peak_that_is_left_out(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const double peak[][2] = {{0, 0}, {1, 0.5}, {1, 0.9}, {1, 0.5}, {2, 1}};
    RbResult *flat = line(&f, 0, 0.5, 2, 3), *peaked = curve(&f, "y", peak, 5);
    RbComparedSignal s = compare_one(&f, flat, peaked);
    ENSURE(s.verdict == RB_VERDICT_OUTSIDE && !s.reference_point && s.outside_count == 1);
    s = compare_one(&f, peaked, flat);
    ENSURE(s.verdict == RB_VERDICT_OUTSIDE && s.reference_point && s.outside_count == 1);
    ENSURE(s.time == 1 && s.value == 0.9);
    ENSURE_NEAR(s.excess, 0.4 - 0.002 - 0.5 * 0.004, 1e-12); // the tube: 0.002 of 1, 0.002 of 2 s
    fixture_close(&f);
}

static void constant_and_zero_signals(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *five = line(&f, -5, 0, 1, 11), *zero = line(&f, 0, 0, 1, 11);
    ENSURE_NEAR(compare_one(&f, five, five).half_height, 0.01, 1e-15); // 0.002 of |max|
    ENSURE(compare_one(&f, five, line(&f, -5.009, 0, 1, 11)).verdict == RB_VERDICT_INSIDE);
    RbComparedSignal s = compare_one(&f, five, line(&f, -5.011, 0, 1, 11));
    ENSURE(s.verdict == RB_VERDICT_OUTSIDE);
    ENSURE_NEAR(s.excess, 0.001, 1e-12);
    ENSURE(compare_one(&f, zero, line(&f, 0.9e-9, 0, 1, 11)).verdict == RB_VERDICT_INSIDE);
    ENSURE(compare_one(&f, zero, line(&f, 1.1e-9, 0, 1, 11)).verdict == RB_VERDICT_OUTSIDE);
    // 300 with a ripple of 1e-5: the floor of 1e-7 of the magnitude is wider than 0.002 of the
    // ripple.
    ENSURE_NEAR(compare_one(&f, line(&f, 300, 1e-5, 1, 11), five).half_height, 3e-5, 1e-10);
    fixture_close(&f);
}

static void missing_values_must_be_missing_in_both(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const double gone[][2] = {{0, 1}, {0.5, 1}, {0.5, NAN}, {1, NAN}};
    RbResult *reference = curve(&f, "y", gone, 4);
    static const double a_bit_later[][2] = {
        {0, 1}, {0.5015, 1}, {0.5015, NAN}, {0.75, NAN}, {1, NAN}};
    ENSURE(compare_one(&f, reference, curve(&f, "y", a_bit_later, 5)).verdict == RB_VERDICT_INSIDE);
    static const double much_later[][2] = {{0, 1}, {0.6, 1}, {0.6, NAN}, {1, NAN}};
    RbComparedSignal s = compare_one(&f, reference, curve(&f, "y", much_later, 4));
    ENSURE(s.verdict == RB_VERDICT_STRUCTURE && s.time == 0.6 && s.value == 1 && isnan(s.upper));
    static const double much_earlier[][2] = {{0, 1}, {0.4, 1}, {0.4, NAN}, {1, NAN}};
    s = compare_one(&f, reference, curve(&f, "y", much_earlier, 4));
    ENSURE(s.verdict == RB_VERDICT_STRUCTURE && s.time == 0.4 && isnan(s.value));
    fixture_close(&f);
}

static void the_table_says_it_all(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *reference = rb_result_new(&f.arena), *test = rb_result_new(&f.arena);
    RbResultEntry wanted[] = {
        {.name = "body.r", .unit = "m"}, {.name = "w", .unit = "rad/s"}, {.name = "gone"}};
    rb_result_begin_segment(reference, wanted, 3);
    rb_result_begin_segment(test, wanted, 2);
    rb_result_add_row(reference, 0, (double[]){1, 1, 1});
    rb_result_add_row(reference, 2, (double[]){1, 1, 1});
    rb_result_add_row(test, 0, (double[]){1.001, 1});
    rb_result_add_row(test, 1, (double[]){1, 1.5});
    rb_result_finish(reference, f.scratch);
    rb_result_finish(test, f.scratch);
    RbComparison *c;
    ENSURE(rb_compare(reference, test, rb_compare_options_default(), &f.arena, f.scratch, &f.diag,
                      &c) == RB_OK);
    ENSURE(!c->inside && c->bad_count == 2 && c->too_short && c->end_time == 1);
    RbText out = rb_text(&f.arena), brief = rb_text(&f.arena);
    rb_compare_print(c, true, &out);
    rb_compare_print(c, false, &brief);
    assert_string_equal(
        out.data,
        "body.r  inside    50 % of the tube at t = 0 s\n"
        "w       OUTSIDE  by 0.498 rad/s at t = 1 s: 1.5 is not in [0.998, 1.002]; 1 of 3 points\n"
        "gone    ABSENT   the result has no such signal\n"
        "The result ends at 1 s, before its reference (2 s).\n"
        "1 of 3 signals inside from 0 s to 1 s: the results differ\n");
    ENSURE(strncmp(brief.data, "w     OUTSIDE", 13) == 0);
    fixture_close(&f);
}

static void the_range_that_is_compared(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *reference = line(&f, 0, 1, 1, 101);
    RbComparison *c;
    RbCompareOptions options = rb_compare_options_default();
    // Longer than the reference: what follows is not looked at.
    ENSURE(rb_compare(reference, line(&f, 0, 1, 2, 101), options, &f.arena, f.scratch, &f.diag,
                      &c) == RB_OK);
    ENSURE(c->inside && c->end_time == 1 && !c->too_short);
    // Shorter: not inside, unless that is wanted.
    ENSURE(rb_compare(reference, line(&f, 0, 1, 0.5, 101), options, &f.arena, f.scratch, &f.diag,
                      &c) == RB_OK);
    ENSURE(!c->inside && c->bad_count == 0 && c->too_short && c->end_time == 0.5);
    options.common_end = true;
    ENSURE(rb_compare(reference, line(&f, 0, 1, 0.5, 101), options, &f.arena, f.scratch, &f.diag,
                      &c) == RB_OK);
    ENSURE(c->inside && c->too_short);
    static const double elsewhere[][2] = {{5, 1}, {6, 1}};
    ENSURE(rb_compare(reference, curve(&f, "y", elsewhere, 2), options, &f.arena, f.scratch,
                      &f.diag, &c) == RB_ERROR_IO);
    ENSURE(rb_compare(rb_result_new(&f.arena), reference, options, &f.arena, f.scratch, &f.diag,
                      &c) == RB_ERROR_IO);
    ENSURE(rb_compare(reference, rb_result_new(&f.arena), options, &f.arena, f.scratch, &f.diag,
                      &c) == RB_ERROR_IO);
    assert_string_equal(
        f.diag.messages.data[0].text,
        "the result (5 s to 6 s) and the reference (0 s to 1 s) have no point in common");
    assert_string_equal(f.diag.messages.data[1].text, "the reference has no signals");
    assert_string_equal(f.diag.messages.data[2].text, "the result has no rows");
    fixture_close(&f);
}

// CSV files have no parameters: that is no difference. A parameter that is there must agree.
static void parameters_are_compared_if_there(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResultEntry entries[] = {{.name = "y"},
                               {.name = "m", .storage = RB_STORE_CONSTANT, .value = 2}};
    RbResult *r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = rb_result_new(&f.arena);
        if (i == 2) entries[1].value = 2.1;
        rb_result_begin_segment(r[i], entries, i == 1 ? 1 : 2);
        rb_result_add_row(r[i], 0, (double[]){1});
        rb_result_add_row(r[i], 1, (double[]){1});
        rb_result_finish(r[i], f.scratch);
    }
    RbComparison *c;
    ENSURE(rb_compare(r[0], r[1], rb_compare_options_default(), &f.arena, f.scratch, &f.diag, &c) ==
           RB_OK);
    ENSURE(c->inside && c->signal_count == 1);
    ENSURE(rb_compare(r[0], r[2], rb_compare_options_default(), &f.arena, f.scratch, &f.diag, &c) ==
           RB_OK);
    ENSURE(!c->inside && c->bad_count == 1 && c->signals[1].verdict == RB_VERDICT_OUTSIDE);
    ENSURE_NEAR(c->signals[1].excess, 0.096, 1e-12); // 0.1 less 0.002 of 2
    fixture_close(&f);
}

static void tolerances_are_options(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *reference = line(&f, 1, 0, 1, 11), *test = line(&f, 1.05, 0, 1, 11);
    RbCompareOptions options = rb_compare_options_default();
    RbComparison *c;
    options.value_tol = 0.06;
    ENSURE(rb_compare(reference, test, options, &f.arena, f.scratch, &f.diag, &c) == RB_OK &&
           c->inside);
    options.value_tol = 0.04;
    ENSURE(rb_compare(reference, test, options, &f.arena, f.scratch, &f.diag, &c) == RB_OK &&
           !c->inside);
    fixture_close(&f);
}

// Does a line from p to q meet the rectangle of half-size (h, v) around c? By clipping its
// parameter range.
static bool meets(const double p[2], const double q[2], const double c[2], double h, double v) {
    double half[2] = {h, v}, from = 0, to = 1;
    for (int k = 0; k < 2; k++) {
        double low = c[k] - half[k] - p[k], high = c[k] + half[k] - p[k], d = q[k] - p[k];
        if (d == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        double a = low / d, b = high / d;
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from <= to;
}

// Random polylines with steps against random points: inside means that the rectangle around the
// point meets the curve.
static void random_curves_agree_with_geometry(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    int inside = 0, total = 0;
    for (int trial = 0; trial < 300; trial++) {
        enum { N = 40 };
        double reference[N][2], test[N][2], low = INFINITY, high = -INFINITY;
        for (int i = 0; i < N; i++) {
            bool step = i > 0 && rb_rng_int(&rng, 4) == 0;
            reference[i][0] = i == 0 ? 0 : reference[i - 1][0] + (step ? 0 : rb_rng_unit(&rng));
            reference[i][1] = rb_rng_int(&rng, 5);
            low = fmin(low, reference[i][1]);
            high = fmax(high, reference[i][1]);
        }
        for (int i = 0; i < N; i++) {
            test[i][0] = i == N - 1 ? reference[N - 1][0] : reference[N - 1][0] * i / (N - 1);
            test[i][1] = rb_rng_range(&rng, -0.5, 4.5);
        }
        RbCompareOptions o = rb_compare_options_default();
        o.time_tol = rb_rng_range(&rng, 0.001, 0.1);
        o.value_tol = rb_rng_range(&rng, 0.01, 0.1);
        double h = o.time_tol * reference[N - 1][0], v = o.value_tol * (high - low);
        size_t outside = 0;
        for (int i = 0; i < N; i++) {
            bool hit = false;
            for (int k = 0; k + 1 < N && !hit; k++)
                hit = meets(reference[k], reference[k + 1], test[i], h, v);
            outside += !hit;
        }
        for (int i = 0; i < N; i++) { // the other way round
            bool hit = false;
            for (int k = 0; k + 1 < N && !hit; k++)
                hit = meets(test[k], test[k + 1], reference[i], h, v);
            outside += !hit;
        }
        RbComparison *c;
        RbResult *r = curve(&f, "y", (const double(*)[2])reference, N);
        RbResult *t = curve(&f, "y", (const double(*)[2])test, N);
        ENSURE(rb_compare(r, t, o, &f.arena, f.scratch, &f.diag, &c) == RB_OK);
        assert_int_equal(c->signals[0].point_count, 2 * N);
        assert_int_equal(c->signals[0].outside_count, outside);
        inside += 2 * N - (int)outside;
        total += 2 * N;
    }
    ENSURE(inside > total / 10 && inside < 9 * total / 10); // both cases occur
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_results_agree),
        cmocka_unit_test(a_parallel_line),
        cmocka_unit_test(a_step_may_shift_a_little),
        cmocka_unit_test(a_peak_that_is_left_out),
        cmocka_unit_test(constant_and_zero_signals),
        cmocka_unit_test(missing_values_must_be_missing_in_both),
        cmocka_unit_test(the_table_says_it_all),
        cmocka_unit_test(the_range_that_is_compared),
        cmocka_unit_test(parameters_are_compared_if_there),
        cmocka_unit_test(tolerances_are_options),
        cmocka_unit_test(random_curves_agree_with_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
