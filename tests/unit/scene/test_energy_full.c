// SPDX-License-Identifier: MIT
// label: full
#include "energy.h"

static void balanced_with_islands(void **state) {
    (void)state;
    every_scene("islands", INFINITY);
}

static void balanced_with_cvode(void **state) {
    (void)state;
    every_scene("cvode", INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balanced_with_islands),
                                       cmocka_unit_test(balanced_with_cvode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
