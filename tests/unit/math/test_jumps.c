// SPDX-License-Identifier: MIT
// Jumps of functions of time are found where they are known to be; one right behind the start of a run is none.
#include <math.h>

#include "math/jumps.h"
#include "math/rng.h"
#include "testing.h"

typedef struct Steps {
    double at[3], span; // [s]
    int count;
} Steps;

static void after(void *user, double t, double *value) {
    const Steps *s = user;
    value[0] = sin(3 * t / s->span);
    for (int i = 0; i < s->count; i++) value[0] += t > s->at[i];
}

static RbJumpSearch search_of(Steps *s, double start, double stop) {
    RbJumpSearch search = {after, s, 1, start, stop, {0}};
    rb_jumps_open(&search);
    return search;
}

static void jumps_are_found_in_their_order(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    for (int k = 0; k < 200; k++) {
        double start = rb_rng_range(&rng, -2, 2), span = exp(rb_rng_range(&rng, -9, 9)), t = start;
        Steps s = {.count = 3, .span = span};
        for (int i = 0; i < 3; i++)
            s.at[i] = start + span * (0.1 + 0.3 * i + rb_rng_range(&rng, 0, 0.2));
        s.at[0] = k % 2 ? s.at[0] : start + 0.0004 * span; // before the second look
        RbJumpSearch search = search_of(&s, start, start + span);
        for (int i = 0; i < 3; i++) {
            t = rb_jumps_next(&search, t, INFINITY);
            ENSURE_NEAR(t, s.at[i], 1e-14 * (fabs(s.at[i]) + span));
        }
        ENSURE(isinf(rb_jumps_next(&search, t, INFINITY)));
    }
}

// The search halved the time from zero on for ever.
static void what_begins_with_the_run_is_no_jump(void **state) {
    (void)state;
    Steps s = {.at = {0, 0.6}, .span = 1, .count = 2};
    RbJumpSearch search = search_of(&s, 0, 1);
    double t = rb_jumps_next(&search, 0, INFINITY);
    ENSURE_NEAR(t, 0.6, 1e-14);
    ENSURE(isinf(rb_jumps_next(&search, t, INFINITY)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(jumps_are_found_in_their_order),
                                       cmocka_unit_test(what_begins_with_the_run_is_no_jump)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
