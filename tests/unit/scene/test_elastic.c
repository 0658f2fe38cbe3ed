// SPDX-License-Identifier: MIT
// label: normal
#include "elastic.h"

static void energy_stays(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.lossless = true, .kinds = SHAPE_COUNT}, 1, 300);
}

// A rim slides along that of another body, far faster than it sinks in: what counts is how the overlap
// changes along the rim, and each line across the patch needs six points for it.
static void energy_stays_at_rims(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.lossless = true, .kinds = SHAPE_COUNT}, 358, 1);
}

static void energy_never_rises(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.kinds = SHAPE_COUNT}, 1, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays),
                                       cmocka_unit_test(energy_stays_at_rims),
                                       cmocka_unit_test(energy_never_rises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
