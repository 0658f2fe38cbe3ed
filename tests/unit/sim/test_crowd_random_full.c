// SPDX-License-Identifier: MIT
// A thousand random crowds (crowd_random.h).
// label: full
#include "crowd_random.h"

static void random_crowds_behave(void **state) {
    (void)state;
    crowds_behave(1001, REPEATS(1000, 10));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_crowds_behave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
