// SPDX-License-Identifier: MIT
// Random crowds (crowd_random.h).
// label: normal
// sanitizers: full
#include "crowd_random.h"

static void random_crowds_behave(void **state) {
    (void)state;
    crowds_behave(1, REPEATS(12, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_crowds_behave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
