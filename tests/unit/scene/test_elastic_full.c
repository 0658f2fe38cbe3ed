// SPDX-License-Identifier: MIT
// label: full
#include "elastic.h"

static void energy_stays(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.lossless = true, .kinds = SHAPE_COUNT}, 1, 10000);
}

static void energy_never_rises(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.kinds = SHAPE_COUNT}, 1, 10000);
}

static void energy_falls_with_the_tolerance(void **state) {
    (void)state;
    elastic_falls(300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays),
                                       cmocka_unit_test(energy_never_rises),
                                       cmocka_unit_test(energy_falls_with_the_tolerance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
