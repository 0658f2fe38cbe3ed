// SPDX-License-Identifier: MIT
// The operator delay() (tests/models/Delays.mo): closed forms, a delay differential equation by the
// method of steps, jumps, checkpoints.
#include "translate/run_model.h"

static void open_case(Run *r, const char *name) {
    char class[64];
    snprintf(class, sizeof class, "Delays.%s", name);
    model_open(r, "Delays.mo", class);
}

static void sine(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Sine");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *d = run_series(&r, "d"),
                 *dx = run_series(&r, "dx");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double want = t[i] > 0.7 ? sin(t[i] - 0.7) : 0;
        ENSURE_NEAR(d[i], want, 1e-7);  // interpolated over steps of at most 0.7 s
        ENSURE_NEAR(dx[i], want, 1e-7); // with the error of the integration
    }
    run_close(&r);
}

// By the method of steps: x(t) = sum over k <= t + 1 of (-1)^k (t - k + 1)^k / k!.
static double decay(double t) {
    double x = 0, factorial = 1;
    for (int k = 0; k <= t + 1; k++) {
        if (k > 0) factorial *= k;
        x += (k % 2 ? -1 : 1) * pow(t - k + 1, k) / factorial;
    }
    return x;
}

static void differential_equation(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Decay");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "x");
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE_NEAR(x[i], decay(t[i]), 2e-8);
    run_close(&r);
}

// A cubic is remembered exactly.
static void varying(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Varying");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *y = run_series(&r, "y");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double then = t[i] - 0.2 - 0.1 * sin(t[i]);
        ENSURE_NEAR(y[i], then > 0 ? then * then * then : 0, 1e-12);
    }
    run_close(&r);
}

// late = 1 until 0.8 s, then 2. echo = 2 (it settles at the start); after the jump at 0.3 s
// 0.5 * 2 + 2 = 3, then 3.5, 3.75, ... every 0.25 s.
static void jump(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Jump");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x"), 0.8 + 2 * 1.2, 1e-8);
    const double *t = rb_result_times(r.result, &r.f.arena), *late = run_series(&r, "late"),
                 *echo = run_series(&r, "echo");
    int arrivals = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        if (i > 0 && late[i] != late[i - 1]) {
            ENSURE_NEAR(t[i], 0.8, 1e-12);
            ENSURE(t[i] == t[i - 1]);
            arrivals++;
        }
        double k = floor((t[i] - 0.3) / 0.25 + 1), near = (t[i] - 0.3) / 0.25;
        if (fabs(near - round(near)) > 1e-6)
            ENSURE_NEAR(echo[i], t[i] < 0.3 ? 2 : 4 - 2 * pow(0.5, k), 1e-13);
    }
    ENSURE(arrivals == 1);
    run_close(&r);
}

static void too_long(void **state) {
    (void)state;
    Run r;
    open_case(&r, "TooLong");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(strstr(fixture_message(&r.f, 0), "larger than its third argument says"));
    run_close(&r);
}

// The interpreter and compiled code remember the same bits.
static void backends_agree(void **state) {
    (void)state;
    Run a, b;
    open_case(&a, "Decay");
    ENSURE(model_open_file(&b, RB_SOURCE_DIR "/tests/models/Delays.mo", "Delays.Decay",
                           RB_BACKEND_INTERPRET));
    model_go(&a);
    model_go(&b);
    ENSURE(a.result->row_count == b.result->row_count);
    ENSURE(memcmp(run_series(&a, "x"), run_series(&b, "x"), a.result->row_count * sizeof(double)) ==
           0);
    run_close(&b);
    run_close(&a);
}

// pre(n) is 1 only until the event at the start is over.
static void settled(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Delays.mo", "Delays.Settled");
    model_go(&r);
    const double *late = run_series(&r, "late");
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE_NEAR(late[i], 3, 0);
    run_close(&r);
}

// s = sin t for t > 0, and 0 before: all that is late jumps when the start arrives.
static void slopes(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Slopes");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *speed = run_series(&r, "speed"),
                 *a = run_series(&r, "acceleration"), *slope = run_series(&r, "slope");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double late = 1 + 0.1 * sin(t[i]);
        if (fabs(t[i] - 0.5) > 1e-9) {
            ENSURE_NEAR(speed[i], t[i] > 0.5 ? cos(t[i] - 0.5) : 0, 1e-6);
            ENSURE_NEAR(a[i], t[i] > 0.5 ? -sin(t[i] - 0.5) : 0, 1e-6);
        }
        if (fabs(t[i] - late) > 1e-3)
            ENSURE_NEAR(slope[i], t[i] > late ? cos(t[i] - late) * (1 - 0.1 * cos(t[i])) : 0, 1e-6);
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled),  cmocka_unit_test(slopes),
        cmocka_unit_test(sine),     cmocka_unit_test(differential_equation),
        cmocka_unit_test(varying),  cmocka_unit_test(jump),
        cmocka_unit_test(too_long), cmocka_unit_test(backends_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
