// SPDX-License-Identifier: MIT
// A joint of a four-bar linkage is locked (tests/models/LockedLoop.mo). The linkage has one degree of
// freedom: whichever joint it is, everything stops, and the loop goes on alike when it is let go. Where
// it stops the loop is closed only as far as the integration is exact.
#include "translate/run_model.h"

static const char *const classes[] = {"LockedLoop.A", "LockedLoop.B", "LockedLoop.C",
                                      "LockedLoop.D"};

static void open_locked(Run *r, int i) {
    model_open(r, "LockedLoop.mo", classes[i]);
    r->options.tolerance = 1e-9;
    r->options.stop_time = 1;
    model_go(r);
}

static void everything_stops(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        Run r;
        open_locked(&r, i);
        const double *t = rb_result_times(r.result, &r.f.arena),
                     *kinetic = run_series(&r, "energy.kinetic"), *v = run_series(&r, "elbow.v[2]");
        double before = 0;
        int held = 0;
        for (size_t k = 0; k < r.result->row_count; k++) {
            if (t[k] <= 0.4 && kinetic[k] > 1e-3) before = kinetic[k];
            if (t[k] <= 0.4 || t[k] > 0.6) continue;
            ENSURE(fabs(v[k]) < 1e-7);
            held++;
        }
        ENSURE(held > 50);
        ENSURE(before > 1);
        ENSURE_NEAR(model_last(&r, "energy.impacts"), before, 1e-9);
        ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
        run_close(&r);
    }
}

static void it_does_not_matter_which(void **state) {
    (void)state;
    double x[4], v[4];
    for (int i = 0; i < 4; i++) {
        Run r;
        open_locked(&r, i);
        x[i] = model_last(&r, "tip.r[1]");
        v[i] = model_last(&r, "elbow.v[2]");
        ENSURE_NEAR(x[i], x[0], 1e-8);
        ENSURE_NEAR(v[i], v[0], 1e-8);
        ENSURE(fabs(v[i]) > 0.1); // it goes on
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_stops),
        cmocka_unit_test(it_does_not_matter_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
