// SPDX-License-Identifier: MIT
// Motion from point to point: limits, continuity, and times by hand.
#include <math.h>

#include "math/rng.h"
#include "rigid/trapezoid.h"
#include "testing.h"

static RbTravelPhase phase_at(const RbTrapezoid *t, double time) {
    for (int p = RB_TRAVEL_SPEEDS_UP; p < RB_TRAVEL_RESTS; p++) {
        if (time < rb_trapezoid_end(t, (RbTravelPhase)p)) return (RbTravelPhase)p;
    }
    return RB_TRAVEL_RESTS;
}

// 3 m at 1 m/s and 2 m/s2: 0.5 s to speed up and to brake (0.25 m each), 2.5 s for the other 2.5 m.
static void long_way_by_hand(void **state) {
    (void)state;
    const double from = 1, to = 4, v = 1, a = 2;
    RbTrapezoid t = rb_trapezoid(1, &from, &to, &v, &a);
    double s[3];
    ENSURE_NEAR(t.ramp, 0.5, 1e-15);
    ENSURE_NEAR(t.duration, 3.5, 1e-15);
    rb_trapezoid_at(&t, RB_TRAVEL_CRUISES, 0.5, s);
    ENSURE_NEAR(3 * s[0], 0.25, 1e-15);
    ENSURE_NEAR(3 * s[1], 1, 1e-15);
}

// 0.5 m at 10 m/s and 2 m/s2: the speed is never reached, sqrt(0.5/2) s up and down.
static void short_way_by_hand(void **state) {
    (void)state;
    const double from = 0, to = -0.5, v = 10, a = 2;
    RbTrapezoid t = rb_trapezoid(1, &from, &to, &v, &a);
    ENSURE_NEAR(t.ramp, 0.5, 1e-15);
    ENSURE_NEAR(t.duration, 1, 1e-15);
    ENSURE_NEAR(rb_trapezoid_end(&t, RB_TRAVEL_SPEEDS_UP), rb_trapezoid_end(&t, RB_TRAVEL_CRUISES),
                1e-15);
}

static void no_way_takes_no_time(void **state) {
    (void)state;
    const double from[] = {0.1, -3}, to[] = {0.1, -3 * (1 + 2e-16)}, v[] = {1, 1};
    ENSURE(rb_trapezoid(2, from, to, v, v).duration == 0);
}

// Random ways: both limits are kept by all axes, one of them is reached; position and speed are
// continuous, and the speed is the derivative of the position.
static void random_ways_keep_the_limits(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    for (int k = 0; k < 200; k++) {
        double from[4], to[4], v[4], a[4], fastest = 0, strongest = 0;
        for (int i = 0; i < 4; i++) {
            from[i] = rb_rng_range(&rng, -2, 2), to[i] = rb_rng_range(&rng, -2, 2);
            v[i] = rb_rng_range(&rng, 0.1, 3), a[i] = rb_rng_range(&rng, 0.1, 3);
        }
        RbTrapezoid t = rb_trapezoid(4, from, to, v, a);
        for (int i = 0; i < 4; i++) {
            fastest = fmax(fastest, fabs(to[i] - from[i]) * t.speed / v[i]);
            strongest = fmax(strongest, fabs(to[i] - from[i]) * t.acceleration / a[i]);
        }
        ENSURE(fastest < 1 + 1e-14);
        ENSURE_NEAR(strongest, 1, 1e-14);
        ENSURE(fastest > 1 - 1e-14 || t.duration == 2 * t.ramp);
        for (int p = RB_TRAVEL_SPEEDS_UP; p < RB_TRAVEL_RESTS; p++) {
            double end = rb_trapezoid_end(&t, (RbTravelPhase)p), left[3], right[3];
            rb_trapezoid_at(&t, (RbTravelPhase)p, end, left);
            rb_trapezoid_at(&t, (RbTravelPhase)(p + 1), end, right);
            ENSURE_NEAR(left[0], right[0], 1e-13);
            ENSURE_NEAR(left[1], right[1], 1e-12 * (1 + t.speed));
        }
        double time = rb_rng_range(&rng, 0.01, 0.99) * t.duration, h = 1e-6 * t.duration;
        double s[3], before[3], after[3];
        RbTravelPhase phase = phase_at(&t, time);
        rb_trapezoid_at(&t, phase, time, s);
        rb_trapezoid_at(&t, phase, time - h, before);
        rb_trapezoid_at(&t, phase, time + h, after);
        ENSURE_NEAR((after[0] - before[0]) / (2 * h), s[1], 1e-8 * t.speed);
        ENSURE_NEAR((after[1] - before[1]) / (2 * h), s[2], 1e-8 * t.acceleration);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_way_by_hand),
        cmocka_unit_test(short_way_by_hand),
        cmocka_unit_test(no_way_takes_no_time),
        cmocka_unit_test(random_ways_keep_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
