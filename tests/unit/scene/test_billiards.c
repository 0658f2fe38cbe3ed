// SPDX-License-Identifier: MIT
// label: full
// Sixteen billiard balls: symmetry, the number of contacts, no chatter; with islands and with one
// BDF integration, which is their oracle. How exact they are: test_billiards_error.c.
#include "stand.h"

enum { BALLS = 16 };

static const char *ball_name(int i, char *buffer) {
    if (i == 0) return "cue";
    snprintf(buffer, 32, "ball%d", i);
    return buffer;
}

static const char *const solvers[] = {"islands", "cvode"};

// Positions of all balls after some time; answers the number of contact events.
static int break_rack(const char *scene, const char *solver, double time, double tolerance,
                      Vec3 *r) {
    Stand s;
    char name[32];
    stand_open_case(&s, scene);
    s.options.solver = solver;
    stand_run(&s, time, tolerance);
    for (int i = 0; i < BALLS; i++) r[i] = stand_vector(&s, ball_name(i, name), "r");
    int events = s.contact_count;
    stand_close(&s);
    return events;
}

static double farthest(const Vec3 *a, const Vec3 *b) {
    double out = 0;
    for (int i = 0; i < BALLS; i++) out = fmax(out, v3_distance(a[i], b[i]));
    return out;
}

static void number_of_events_does_not_depend_on_the_tolerance(void **state) {
    (void)state;
    Vec3 r[2][BALLS];
    int events[2];
    for (int k = 0; k < 2; k++) {
        int loose = break_rack("billiards", solvers[k], 5, 1e-7, r[k]),
            tight = break_rack("billiards", solvers[k], 5, 1e-9, r[k]);
        events[k] = break_rack("billiards", solvers[k], 5, 1e-11, r[k]);
        print_message("%s: events %d, %d, %d\n", solvers[k], loose, tight, events[k]);
        assert_int_equal(loose, events[k]);
        assert_int_equal(tight, events[k]);
    }
    assert_int_equal(events[0], events[1]);
    print_message("the two solvers at 1e-11 and 5 s: %.2g m\n", farthest(r[0], r[1]));
    ENSURE(farthest(r[0], r[1]) < 1e-5);
}

static void loose_tolerances_do_not_chatter(void **state) {
    (void)state;
    Vec3 r[BALLS];
    for (int k = 0; k < 2; k++) {
        for (double tolerance = 1e-3; tolerance > 1e-6; tolerance /= 10) {
            int events = break_rack("billiards", solvers[k], 5, tolerance, r);
            print_message("%s, tolerance %g: %d events\n", solvers[k], tolerance, events);
            ENSURE(events > 100 && events < 130); // 114 at tight ones
        }
    }
}

// Ball k of row r has its mirror image in ball r - k; the cue ball runs on the axis.
static void symmetric_break_stays_symmetric(void **state) {
    (void)state;
    Vec3 r[BALLS];
    for (int i = 0; i < 2; i++) {
        break_rack("symmetric-break", solvers[i], 1.5, 1e-9, r);
        double worst = fabs(r[0].y);
        for (int row = 0, first = 1; row < 5; first += ++row) {
            for (int k = 0; k <= row; k++) {
                Vec3 a = r[first + k], b = r[first + row - k];
                worst = fmax(worst, v3_norm(v3_sub(a, v3(b.x, -b.y, b.z))));
            }
        }
        print_message("%s: symmetric to %.2g m\n", solvers[i], worst);
        ENSURE(worst <= 1e-6);
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
