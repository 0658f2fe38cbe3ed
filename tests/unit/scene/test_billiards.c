// SPDX-License-Identifier: MIT
// label: normal
// Sixteen billiard balls: symmetry, the number of contacts, no chatter.
#include "stand.h"

enum { BALLS = 16 };

static const char *ball_name(int i, char *buffer) {
    if (i == 0) return "cue";
    snprintf(buffer, 32, "ball%d", i);
    return buffer;
}

// Positions of all balls after some time; answers the number of contact events.
static int break_rack(const char *scene, double time, double tolerance, Vec3 *r) {
    Stand s;
    char name[32];
    stand_open_case(&s, scene);
    stand_run(&s, time, tolerance);
    for (int i = 0; i < BALLS; i++) r[i] = stand_vector(&s, ball_name(i, name), "r");
    int events = s.contact_count;
    stand_close(&s);
    return events;
}

static void number_of_events_does_not_depend_on_the_tolerance(void **state) {
    (void)state;
    Vec3 r[BALLS];
    int loose = break_rack("billiards", 5, 1e-7, r), tight = break_rack("billiards", 5, 1e-9, r),
        tighter = break_rack("billiards", 5, 1e-11, r);
    print_message("events: %d, %d, %d\n", loose, tight, tighter);
    assert_int_equal(loose, tight);
    assert_int_equal(tight, tighter);
}

static void loose_tolerances_do_not_chatter(void **state) {
    (void)state;
    Vec3 r[BALLS];
    for (double tolerance = 1e-3; tolerance > 1e-6; tolerance /= 10) {
        int events = break_rack("billiards", 5, tolerance, r);
        print_message("tolerance %g: %d events\n", tolerance, events);
        ENSURE(events > 100 && events < 130); // 114 at tight ones
    }
}

// Ball k of row r has its mirror image in ball r - k; the cue ball runs on the axis.
static void symmetric_break_stays_symmetric(void **state) {
    (void)state;
    Vec3 r[BALLS];
    break_rack("symmetric-break", 1.5, 1e-9, r);
    ENSURE_NEAR(r[0].y, 0, 1e-6);
    for (int row = 0, first = 1; row < 5; first += ++row) {
        for (int k = 0; k <= row; k++) {
            Vec3 a = r[first + k], b = r[first + row - k];
            ENSURE_NEAR(v3_norm(v3_sub(a, v3(b.x, -b.y, b.z))), 0, 1e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_break_stays_symmetric),
        cmocka_unit_test(loose_tolerances_do_not_chatter),
        cmocka_unit_test(number_of_events_does_not_depend_on_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
