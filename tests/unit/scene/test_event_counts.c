// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (the same tables run in scene/test_gathered_scenes, the box on its incline in scene/test_sticking)
// As many events as things happen: a box that slides makes its contact and hardly more, and at a loose
// tolerance no contact of billiard balls is seen that is none.
#include "stand.h"

// (With friction at a single point it made 220 to 490.)
static void a_sliding_box_makes_no_events(void **state) {
    (void)state;
    const double angles[] = {0.6, 0.8};
    for (int i = 0; i < 2; i++) {
        for (double tolerance = 1e-5; tolerance > 1e-9; tolerance *= 0.1) {
            Stand s;
            stand_open(&s);
            rb_scene_box_on_incline(s.scene, angles[i], v3(0.5, 0, 0));
            s.options.solver = "cvode";
            stand_run(&s, 1, tolerance);
            ENSURE(stand_starts(&s) == 1);
            ENSURE(s.summary.state_events <= 1);
            stand_close(&s);
        }
    }
}

static int contacts_of(const char *scene, const char *solver, double tolerance) {
    Stand s;
    stand_open_case(&s, scene);
    s.options.solver = solver;
    stand_run(&s, s.options.stop_time, tolerance);
    int count = stand_starts(&s);
    stand_close(&s);
    return count;
}

static void loose_tolerances_see_the_same_contacts(void **state) {
    (void)state;
    const char *const scenes[] = {"billiards-4", "billiards"};
    for (int i = 0; i < 2; i++) {
        int exact = contacts_of(scenes[i], "cvode", 1e-9);
        for (double tolerance = 1e-5; tolerance > 1e-8; tolerance *= 0.1) {
            ENSURE(contacts_of(scenes[i], "cvode", tolerance) == exact);
            ENSURE(contacts_of(scenes[i], "islands", tolerance) == exact);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sliding_box_makes_no_events),
                                       cmocka_unit_test(loose_tolerances_see_the_same_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
