// SPDX-License-Identifier: MIT
// Unions, differences and intersections of boxes with faces, edges and vertices in common, against counted cells: volume,
// area and Euler's characteristic are exact, nothing is left of walls between solids that became one, and solids that meet
// in an edge or a vertex have their own.
#include "csg_grid.h"

static void results_are_counted(void **state) {
    (void)state;
    grid_check(0, 300);
    ENSURE(grid_results > 1500 && grid_off == 0);
}

static void solids_that_meet_themselves(void **state) {
    (void)state;
    int before = grid_results;
    grid_check_heaps(0, 40);
    ENSURE(grid_results - before > 700 && grid_off == 0);
}

// What the oracle counts of solids that everybody knows.
static void oracle_counts(void **state) {
    (void)state;
    Grid g = grid_of_box(&(GridBox){{1, 1, 1}, {4, 4, 4}});
    GridCount n = grid_count(&g);
    ENSURE(n.volume == 27 && n.area == 54 && n.euler == 2);
    g.full[2][2][2] = false; // a cavity
    n = grid_count(&g);
    ENSURE(n.volume == 26 && n.area == 60 && n.euler == 4);
    g.full[1][2][2] = g.full[3][2][2] = false; // a hole through it
    n = grid_count(&g);
    ENSURE(n.volume == 24 && n.area == 52 + 12 && n.euler == 0);
    g = (Grid){0};
    g.full[1][1][1] = g.full[2][2][1] = g.full[3][3][2] = true; // an edge and a vertex in common
    n = grid_count(&g);
    ENSURE(n.volume == 3 && n.area == 18 && n.euler == 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(oracle_counts),
                                       cmocka_unit_test(results_are_counted),
                                       cmocka_unit_test(solids_that_meet_themselves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
