// SPDX-License-Identifier: MIT
// label: full
// The experiments of test_grain_physics.c with more grains, and closer.
#include "physics.h"

static void test_packing(void **state) {
    (void)state;
    const double friction[] = {0.2, 0.35, 0.5};
    double before = 0.65;
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        double part = packing_fraction(&f, 5000, 14, friction[k]);
        ENSURE_NEAR(part, 0.61, 0.03);
        ENSURE(part < before); // more friction, looser
        before = part;
        fixture_close(&f);
    }
}

static void test_silo(void **state) {
    (void)state;
    const double friction[] = {0.2, 0.3, 0.4};
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        Silo silo = fill_silo(&f, beads(3e6, friction[k]), 9, 54, 0.01);
        check_janssen(&silo, friction[k], 0.15);
        fixture_close(&f);
    }
}

static void test_hole(void **state) {
    (void)state;
    const double holes[] = {5, 6, 7, 8, 9, 10};
    ENSURE_NEAR(beverloo_exponent(5000, 18, holes, 6), 2.5, 0.15);
}

static void test_heap(void **state) {
    (void)state;
    const double friction[] = {0.1, 0.2, 0.3, 0.45, 0.6};
    double before = -1;
    for (int k = 0; k < 5; k++) {
        Fixture f;
        fixture_open(&f);
        double slope = heap_slope(&f, 12, friction[k], friction[k] / 6);
        ENSURE(slope > before);
        before = slope;
        fixture_close(&f);
    }
    ENSURE(before > 0.3 && before < 0.7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_silo),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
