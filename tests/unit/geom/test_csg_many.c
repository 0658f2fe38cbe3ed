// SPDX-License-Identifier: MIT
// label: full
// Ten thousand pairs of solids: the volumes of their union, intersection and differences add up.
#include "csg_cases.h"

static void volumes_add_up(void **state) {
    (void)state;
    csg_case_check(1000, 10000);
    print_message("%d of 40,000 results with a fold\n", csg_case_folded);
    ENSURE(csg_case_folded <= 8); // 4; 242 as they come from the cut
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
