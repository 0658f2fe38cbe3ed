// SPDX-License-Identifier: MIT
// label: full
#include "elastic.h"

static void energy_stays(void **state) {
    (void)state;
    elastic_scenes(10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
