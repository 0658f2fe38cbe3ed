// SPDX-License-Identifier: MIT
// Contacts that start and end inside a step, with distances whose lowest point is known.
#include "testing.h"

#include "contact/touch.h"

typedef struct Curve {
    double lowest, at, bend; // d = lowest + bend (t - at)^2 + cubic (t - at)^3
    double cubic;
    int calls;
} Curve;

static double value(void *user, double t) {
    Curve *c = user;
    double s = t - c->at;
    c->calls++;
    return c->lowest + s * s * (c->bend + c->cubic * s);
}

static const double touch = 1e-8; // [m]

static double search(Curve *c, double unseen) {
    RbTouchSearch p = {
        .distance = value, .user = c, .speed = 2.5 * c->bend, .touch = touch, .unseen = unseen};
    return rb_touch_first(&p, 0, value(c, 0), 1, value(c, 1));
}

// However light: from far deeper to far lighter than what intervals resolve by themselves.
static void light_touches_are_seen(void **state) {
    (void)state;
    for (double depth = 1e-2; depth > 1e-10; depth *= 0.1) {
        for (int k = 1; k < 100; k++) {
            Curve c = {.lowest = touch - depth, .at = 0.01 * k + 0.0037, .bend = 1, .cubic = 0.2};
            double t = search(&c, 1e-3);
            ENSURE(t < INFINITY);
            ENSURE(value(&c, t) < 1.1 * touch);
        }
    }
}

static void near_misses_are_none(void **state) {
    (void)state;
    for (double gap = 1e-2; gap > 1e-10; gap *= 0.1) {
        Curve c = {.lowest = touch + gap, .at = 0.3137, .bend = 1, .cubic = 0.2};
        ENSURE(search(&c, 1e-3) == INFINITY);
    }
}

// A parabola in a wide interval needs no bound of its speed.
static void dip_of_a_wide_interval(void **state) {
    (void)state;
    Curve c = {.lowest = -2e-9, .at = 0.7, .bend = 3, .cubic = 0.1};
    RbTouchSearch p = {.distance = value, .user = &c};
    double t = rb_touch_dip(&p, 0, value(&c, 0), 1, value(&c, 1));
    ENSURE(t < INFINITY && value(&c, t) < 0);
    c.lowest = 2e-9;
    ENSURE(rb_touch_dip(&p, 0, value(&c, 0), 1, value(&c, 1)) == INFINITY);
}

// It is the first time, where the distance is that of the threshold.
static void first_touch_is_located(void **state) {
    (void)state;
    for (int k = 1; k < 10; k++) {
        Curve c = {.lowest = -1e-3 * k, .at = 0.4137, .bend = 1};
        double exact = c.at - sqrt((touch - c.lowest) / c.bend);
        ENSURE_NEAR(search(&c, 1e-3), exact, 0.1 * touch / (2 * c.bend * (c.at - exact)));
    }
}

// Far away no more is asked than the two ends.
static void distance_is_a_proof(void **state) {
    (void)state;
    Curve c = {.lowest = 3, .at = 0.5, .bend = 1};
    ENSURE(search(&c, 1e-3) == INFINITY);
    ENSURE(c.calls == 2);
}

// What cannot be told is not said to be nothing: a way whose rounding is longer than a body is thick, no number, and a body that goes along beside
// another one for longer than can be looked at.
static double no_number(void *user, double t) {
    (void)user;
    return t == 0 || t == 1 ? 1 : NAN;
}

static double beside(void *user, double t) {
    (void)user, (void)t;
    return 2 * touch;
}

static void what_cannot_be_told_is_no_answer(void **state) {
    (void)state;
    static const double speeds[] = {1e14, 1e40, 1e300, INFINITY, NAN};
    Curve c = {.lowest = -1, .at = 0.3, .bend = 1e40};
    for (int i = 0; i < 5; i++) {
        RbTouchSearch p = {
            .distance = value, .user = &c, .speed = speeds[i], .touch = touch, .unseen = 1e-3};
        ENSURE(isnan(rb_touch_first(&p, 0, 1, 1, 1)));
    }
    RbTouchSearch p = {.distance = no_number, .speed = 10, .touch = touch, .unseen = 1e-3};
    ENSURE(isnan(rb_touch_first(&p, 0, 1, 1, 1)));
    p.distance = beside, p.speed = 1e3;
    ENSURE(rb_touch_first(&p, 0, 2 * touch, 1, 2 * touch) == INFINITY);
    p.speed = 1e5;
    ENSURE(isnan(rb_touch_first(&p, 0, 2 * touch, 1, 2 * touch)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_touches_are_seen), cmocka_unit_test(near_misses_are_none),
        cmocka_unit_test(dip_of_a_wide_interval), cmocka_unit_test(first_touch_is_located),
        cmocka_unit_test(distance_is_a_proof), cmocka_unit_test(what_cannot_be_told_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
