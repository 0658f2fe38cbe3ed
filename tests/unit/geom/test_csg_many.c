// SPDX-License-Identifier: MIT
// label: full
// Ten thousand pairs of solids: the volumes of their union, intersection and differences add up; ten thousand chains of
// operations on boxes, and ten thousand pairs of solids that meet themselves, against counted cells.
#include "csg_grid.h"

static void volumes_add_up(void **state) {
    (void)state;
    csg_case_check(1000, 10000);
    print_message("%d of 40,000 results with a fold\n", csg_case_folded);
    ENSURE(csg_case_folded == 0); // 242 as they come from the cut
}

// Boxes that coincide in faces, edges and vertices.
static void results_are_counted(void **state) {
    (void)state;
    grid_check(1000, 10000);
    print_message("%d results against counted cells, %d off\n", grid_results, grid_off);
    ENSURE(grid_off == 0);
}

static void solids_that_meet_themselves(void **state) {
    (void)state;
    int before = grid_results;
    grid_check_heaps(1000, 10000);
    print_message("%d results of solids that meet themselves, %d off\n", grid_results - before,
                  grid_off);
    ENSURE(grid_off == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_add_up),
        cmocka_unit_test(results_are_counted),
        cmocka_unit_test(solids_that_meet_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
