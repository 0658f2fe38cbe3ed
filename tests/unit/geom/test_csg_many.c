// SPDX-License-Identifier: MIT
// label: full
// Ten thousand pairs of solids: the volumes of their union, intersection and differences add up; ten thousand chains of
// operations on boxes against counted cells.
#include "csg_grid.h"

static void volumes_add_up(void **state) {
    (void)state;
    csg_case_check(1000, 10000);
    print_message("%d of 40,000 results with a fold\n", csg_case_folded);
    ENSURE(csg_case_folded <= 8); // 4; 242 as they come from the cut
}

// Boxes that coincide in faces, edges and vertices.
static void results_are_counted(void **state) {
    (void)state;
    grid_check(1000, 10000);
    print_message("%d results against counted cells, %d off, %d refused\n", grid_results, grid_off,
                  grid_refused);
    ENSURE(grid_off <= 2 && grid_refused <= 2); // of 73,000
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_add_up),
        cmocka_unit_test(results_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
