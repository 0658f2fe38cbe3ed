// SPDX-License-Identifier: MIT
// Contacts go through checkpoints bit for bit, and nothing is allocated between restarts.
#include "resume.h"

typedef struct Named {
    const char *scene;
    double stop_time; // [s]
    bool sticks;
} Named;

static void build_named(Stand *s, const void *argument) {
    const Named *n = argument;
    stand_open_case(s, n->scene);
    if (n->sticks) stand_law(s, "DryWood", "DryWood")->friction = RB_FRICTION_BRISTLE;
    s->options.stop_time = n->stop_time;
    s->options.tolerance = 1e-6;
}

static void contacts_survive(void **state) {
    (void)state;
    resume_is_identical(build_named, &(Named){"two-balls", 1.5, false}, 0.7);
    resume_is_identical(build_named, &(Named){"bouncing-sphere", 1.2, false}, 0.25);
    resume_is_identical(build_named, &(Named){"rattleback", 0.5, false}, 0.2);
}

static void bristles_survive(void **state) {
    (void)state;
    resume_is_identical(build_named, &(Named){"incline", 0.5, true}, 0.2);
}

// A wheel and its drive as meshes that touch.
static void meshes_survive(void **state) {
    (void)state;
    resume_is_identical(build_named, &(Named){"geneva-6", 1.2, false}, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_survive),
                                       cmocka_unit_test(bristles_survive),
                                       cmocka_unit_test(meshes_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
