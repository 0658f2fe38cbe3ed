// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (every scene also runs in sim/test_island_scenes)
#include "energy.h"

static void balanced_with_islands(void **state) {
    (void)state;
    every_scene("islands", 1);
}

static void balanced_with_cvode(void **state) {
    (void)state;
    every_scene("cvode", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balanced_with_islands),
                                       cmocka_unit_test(balanced_with_cvode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
