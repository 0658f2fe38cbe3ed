// SPDX-License-Identifier: MIT
// label: full
#include "energy.h"

static void every_scene_balances(void **state) {
    (void)state;
    every_scene("islands", INFINITY);
    every_scene("cvode", INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_balances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
