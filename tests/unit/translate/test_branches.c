// SPDX-License-Identifier: MIT
// Equations with several solutions (tests/models/Branches.mo): a solution is followed until its
// branch ends, and the time of the jump has a closed form.
#include "translate/run_model.h"

// Times at which a variable changes its sign.
static int sign_changes(Run *r, const char *name, double *times, int max) {
    const double *v = run_series(r, name), *t = rb_result_times(r->result, &r->f.arena);
    int count = 0;
    for (size_t i = 1; i < r->result->row_count && count < max; i++) {
        if ((v[i] > 0) != (v[i - 1] > 0)) times[count++] = t[i];
    }
    return count;
}

// Between jumps c goes to out = -+15 exponentially; a branch ends where gain (7.5 - |c|) = 15, at
// |c| = 7.499.
static void multivibrator(void **state) {
    (void)state;
    Run r;
    double jumps[20];
    model_open(&r, "Branches.mo", "Branches.Multivibrator");
    model_go(&r);
    int count = sign_changes(&r, "out", jumps, 20);
    double end = 7.499, T = 0.05; // [V], [s]
    double first = T * log((15 + 1) / (15 - end)), half_period = T * log((15 + end) / (15 - end));
    ENSURE(count == 1 + (int)((0.5 - first) / half_period));
    for (int k = 0; k < count; k++) ENSURE_NEAR(jumps[k], first + k * half_period, 1e-6);
    run_close(&r);
}

// y = 1 until u < -1 (and a bit), then -1 until u > 1: at asin(1/3) after the zeros of the sine.
static void trigger(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Branches.mo", "Branches.Trigger");
    model_go(&r);
    const double *y = run_series(&r, "y"), *t = rb_result_times(r.result, &r.f.arena);
    double late = asin(1.0 / 3) / (2 * M_PI); // [s]
    for (size_t i = 0; i < r.result->row_count; i++) {
        double phase = fmod(t[i], 1);
        bool high = phase < 0.5 + late && (t[i] < 1 || phase > late);
        bool near = fabs(phase - 0.5 - late) < 1e-4 || fabs(phase - late) < 1e-4;
        if (!near) ENSURE_NEAR(y[i], high ? 1 : -1, 1e-9);
    }
    run_close(&r);
}

// x' = (y^2 - 1) y' = -y: from y = 2 to the fold at y = 1 takes 3/2 - log 2; then y jumps to -2.
static void relaxation(const char *class, double tolerance) {
    Run r;
    double jumps[20];
    model_open(&r, "Branches.mo", class);
    model_go(&r);
    int count = sign_changes(&r, "y", jumps, 20);
    double half_period = 1.5 - log(2);
    ENSURE(count == (int)(8 / half_period));
    for (int k = 0; k < count; k++) ENSURE_NEAR(jumps[k], (k + 1) * half_period, tolerance);
    run_close(&r);
}

static void folds(void **state) {
    (void)state;
    relaxation("Branches.Relaxation", 1e-5);
    relaxation("Branches.RelaxationOfTwo", 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multivibrator),
        cmocka_unit_test(trigger),
        cmocka_unit_test(folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
