// SPDX-License-Identifier: MIT
// Functions as arguments of functions (tests/models/Functional.mo).
#include <math.h>

#include "translate/run_model.h"

static const double exactly = 1e-12;

// Integrals of a u^3 + b[1] u + b[2] from 0 to h are a h^4/4 + b[1] h^2/2 + b[2] h.
static void polynomials(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Functional.mo", "Functional.Polynomials");
    double t = r.options.stop_time = 0.6;
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "known"), 4, exactly);
    ENSURE_NEAR(model_last(&r, "varying"), 4 * t + 2 + 2 * t, exactly);
    ENSURE_NEAR(model_last(&r, "average"), 4 * t * 81 / 4 / 3, 100 * exactly);
    ENSURE_NEAR(model_last(&r, "third"), cbrt(t), exactly);
    ENSURE_NEAR(model_last(&r, "straight"), t / 2 + 2, exactly);
    run_close(&r);
}

// y = x/4, and x = exp(-t).
static void values_that_vary(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Functional.mo", "Functional.Slope");
    r.options.tolerance = 1e-9;
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "y"), exp(-1) / 4, 1e-8);
    run_close(&r);
}

// (u + u^2 + u^3 + 3 u)' = 4 + 2 u + 3 u^2
static void derivatives_of_iterators(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Functional.mo", "Functional.Rate");
    r.options.stop_time = 2;
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "y"), 4 * 2 + 4 + 8, exactly);
    ENSURE_NEAR(model_last(&r, "rate"), 4 + 4 + 12, exactly);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials),
        cmocka_unit_test(values_that_vary),
        cmocka_unit_test(derivatives_of_iterators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
