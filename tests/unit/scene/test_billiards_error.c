// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (the same table runs in scene/test_gathered_scenes)
// Sixteen billiard balls for 5 s with the solver that is chosen for them: how far positions at
// 1e-7 are from those at 1e-11. Ten tolerances around 1e-7, as one may be lucky.
#include <stdlib.h>

#include "stand.h"

enum { BALLS = 16, RUNS = 10 };

typedef struct Table {
    Vec3 r[BALLS];
    int events;
} Table;

static Table play(double time, double tolerance) {
    Stand s;
    Table out;
    char name[64];
    stand_open_case(&s, "billiards");
    stand_run(&s, time, tolerance);
    for (int i = 0; i < BALLS; i++) {
        if (i == 0)
            snprintf(name, sizeof name, "cue");
        else
            snprintf(name, sizeof name, "ball%d", i);
        out.r[i] = stand_vector(&s, name, "r");
    }
    out.events = s.contact_count;
    stand_close(&s);
    return out;
}

static double error_of(const Table *a, const Table *b) {
    double far = 0;
    for (int i = 0; i < BALLS; i++) far = fmax(far, v3_distance(a->r[i], b->r[i]));
    return far;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Tolerances from 0.5e-7 to 2e-7, evenly in their logarithm. [m]
static double median_error(double time) {
    Table exact = play(time, 1e-11);
    double errors[RUNS];
    for (int k = 0; k < RUNS; k++) {
        Table t = play(time, 0.5e-7 * pow(4, k / (RUNS - 1.0)));
        ENSURE(t.events == exact.events);
        errors[k] = error_of(&t, &exact);
    }
    qsort(errors, RUNS, sizeof *errors, compare);
    double median = 0.5 * (errors[RUNS / 2 - 1] + errors[RUNS / 2]);
    print_message("%g s: %d events, errors %.2g to %.2g m, median %.2g m\n", time, exact.events,
                  errors[0], errors[RUNS - 1], median);
    return median;
}

static void until_the_break_is_over(void **state) {
    (void)state;
    ENSURE(median_error(1.5) <= 2e-6);
}

static void until_most_balls_rest(void **state) {
    (void)state;
    ENSURE(median_error(5) <= 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_the_break_is_over),
        cmocka_unit_test(until_most_balls_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
