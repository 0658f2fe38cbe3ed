// SPDX-License-Identifier: MIT
// label: normal
#include "elastic.h"

static void energy_stays(void **state) {
    (void)state;
    elastic_scenes((ElasticPlan){.lossless = true, .kinds = SHAPE_COUNT}, 1, 300);
}

// Scenes in which the patch of a round body was once not seen whole, or not exactly.
static void energy_stays_at_rims(void **state) {
    (void)state;
    static const int scenes[] = {
        358,  // a rim slides along that of another body, far faster than it sinks in
        3484, // the round side of a beam overlaps between the lines looked at
        5140, // a cylinder stands on a corner: rounding says where its side faces the box
        5595, // few lines of a pointed cone lie along an edge, while its point overlaps with all
    };
    for (int i = 0; i < 4; i++)
        elastic_scenes((ElasticPlan){.lossless = true, .kinds = SHAPE_COUNT}, scenes[i], 1);
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
