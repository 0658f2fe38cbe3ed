// SPDX-License-Identifier: MIT
// label: normal
#include "energy.h"

static void every_scene_balances(void **state) {
    (void)state;
    every_scene("islands", 1);
    every_scene("cvode", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_balances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
