// SPDX-License-Identifier: MIT
// Values that are no numbers are found at every step, and located, not only where results are
// recorded; values beyond min and max are told, each once (tests/models/Limits.mo).
#include "translate/run_model.h"

static const char *message(Run *r, int i) {
    return fixture_message(&r->f, i);
}

static void open_for_long(Run *r, const char *class) {
    model_open(r, "Limits.mo", class);
    r->options.stop_time = r->options.output_interval = 6;
    r->options.tolerance = 1e-9;
}

// x = cos(t) = -0.99
static void no_number_between_outputs(void **state) {
    (void)state;
    const char *const classes[] = {"Limits.Between", "Limits.Aside"};
    for (int i = 0; i < 2; i++) {
        Run r;
        open_for_long(&r, classes[i]);
        ENSURE(run_go(&r) == RB_ERROR_SOLVER);
        ENSURE_NEAR(r.summary.time, acos(-0.99), 1e-6);
        ENSURE(r.f.diag.messages.count == 1);
        if (i == 0) {
            ENSURE(strstr(message(&r, 0), "'y' cannot be computed: sqrt(x + 0.99)"));
            ENSURE(strstr(message(&r, 0), "Limits.mo:11:"));
        }
        run_close(&r);
    }
}

static int said(Run *r, const char *text) {
    int count = 0;
    for (int i = 0; i < r->f.diag.messages.count; i++) count += strstr(message(r, i), text) != NULL;
    return count;
}

static void limits_are_told_once(void **state) {
    (void)state;
    Run r;
    open_for_long(&r, "Limits.Beyond");
    ENSURE(rb_model_override(r.model, "p", 2.25, &r.f.diag) == RB_OK);
    model_go(&r);
    ENSURE(said(&r, "'x' is -") == 1 && said(&r, "but its min is 0") == 2);
    ENSURE(said(&r, "'a[1]' is 2") == 1 && said(&r, "'a[2]' is 2") == 1);
    ENSURE(said(&r, "but its max is 2 (this") == 2);
    ENSURE(said(&r, "time 0 s: 'tiny' is -1e-12, but its min is 0") == 1);
    ENSURE(said(&r, "time 0 s: 'q' is 1.5, but its max is 1.25") == 1); // follows from p
    ENSURE(said(&r, "time 3 s: 'k' is 4, but its max is 3") == 1);
    ENSURE(r.f.diag.messages.count == 6);
    run_close(&r);
}

static void doubtful_at_translation(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Limits.mo", "Limits.Doubtful");
    ENSURE(said(&r, "the unit 'kg*m' of 'y' is not known") == 1);
    ENSURE(said(&r, "products are written as N.m") == 1);
    ENSURE(said(&r, "the unit 'furlong' of 'z' is not known") == 1);
    ENSURE(said(&r, "compared for equality") == 2); // of Reals that vary, outside functions
    ENSURE(r.f.diag.messages.count == 4);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_number_between_outputs),
                                       cmocka_unit_test(limits_are_told_once),
                                       cmocka_unit_test(doubtful_at_translation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
