// SPDX-License-Identifier: MIT
// A force that is no number: whatever contacts, indicators or errors would make of NaN, the run ends
// with a message, at the time where it begins, and nothing is taken for "no contact".
#include "stand.h"

typedef struct Bad {
    double from; // [s]
    double value;
} Bad;

static Vec3 bad_force(double t, void *user) {
    const Bad *b = user;
    return v3(0, t >= b->from ? b->value : 0, 0);
}

static Wrench bad_law(double t, const RbFrameMotion *a, const RbFrameMotion *b, void *user) {
    (void)a, (void)b;
    return (Wrench){V3_ZERO, bad_force(t, user)};
}

// Two balls that touch; the force acts on the first.
static void run_bad(const char *solver, Bad bad, bool law) {
    Stand s;
    stand_open(&s);
    s.scene->gravity.kind = RB_GRAVITY_NONE;
    for (int i = 0; i < 2; i++) {
        RbSceneObject ball = rb_solid(i ? "other" : "ball", rb_shape_sphere(0.1), "Steel");
        ball.object.moves_freely = true;
        ball.object.pose.r = v3(0, 0.1999 * i, 0);
        rb_scene_add(s.scene, ball);
    }
    RbSceneWorldForce f = {.apply = 1, .element = {.user = &bad}};
    if (law)
        f.element.law = bad_law;
    else
        f.element.force = bad_force;
    rb_array_push(&s.scene->world_forces, s.scene->arena, f);
    s.options.solver = solver;
    s.options.stop_time = 1;
    ENSURE(stand_go(&s) == (bad.from > 0 ? RB_ERROR_SOLVER : RB_ERROR_INIT));
    ENSURE_NEAR(s.summary.time, bad.from, 1e-9);
    const char *last = fixture_message(&s.f, s.f.diag.messages.count - 1);
    ENSURE(strstr(last, "'ball.") && strstr(last, "is not a number at t = "));
    stand_close(&s);
}

static void run_ends_where_it_begins(void **state) {
    (void)state;
    const char *const solvers[] = {"cvode", "islands", "dp5", "ida"};
    for (int i = 0; i < 4; i++) {
        for (int law = 0; law < 2; law++) {
            run_bad(solvers[i], (Bad){0.3, (double)NAN}, law);
            run_bad(solvers[i], (Bad){0.3, (double)INFINITY}, law);
            run_bad(solvers[i], (Bad){0, (double)NAN}, law);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(run_ends_where_it_begins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
