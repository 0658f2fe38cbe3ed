// SPDX-License-Identifier: MIT
// label: full
// Nothing passes through anything, at any tolerance and output interval.
#include "tunnel.h"

static void ball_bounces_off_a_thin_plate(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    shoot_and_bounce(&rng, 10000);
}

static void too_hard_impact_is_seen_and_reported(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    shoot_too_hard(&rng, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_off_a_thin_plate),
        cmocka_unit_test(too_hard_impact_is_seen_and_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
