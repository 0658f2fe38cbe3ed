// SPDX-License-Identifier: MIT
// Evaluations are pure and re-entrant: what they return does not depend on what the same workspace,
// or another one at the same time, was asked before (rattleback/component.h).
// label: normal
#include <pthread.h>

#include "sim/run.h"

#include "math/rng.h"
#include "scenes.h"

enum { POINTS = 60, BALLS = 16 };

typedef struct Points {
    const RbSystem *system;
    const double *d;
    double *x; // POINTS times x_count
} Points;

// One caller: memory of its own.
typedef struct Caller {
    Fixture f;
    const Points *points;
    RbEvaluator *evaluator;
    double *dx, *z;  // derivatives and indicators of all points
    int first, step; // order in which it goes through the points
} Caller;

static RbStatus open_caller(void *argument) {
    Caller *c = argument;
    const RbSystem *s = c->points->system;
    c->evaluator = rb_evaluator_new(s, c->points->d, NULL, &c->f.arena);
    c->dx = rb_new_array(&c->f.arena, double, POINTS * s->x_count);
    c->z = rb_new_array(&c->f.arena, double, POINTS * s->z_count);
    return RB_OK;
}

static void caller_open(Caller *c, const Points *points, int first, int step) {
    fixture_open(&c->f);
    c->points = points;
    c->first = first;
    c->step = step;
    ENSURE(rb_protect(&c->f.heap, open_caller, c) == RB_OK);
}

static RbStatus ask_point(Caller *c, int k) {
    const RbSystem *s = c->points->system;
    int i = (c->first + k * c->step) % POINTS;
    const double *x = c->points->x + i * s->x_count;
    if (rb_evaluate(c->evaluator, RB_WANT_DERIVATIVES, 0, x, c->dx + i * s->x_count, NULL) != 0 ||
        rb_evaluate_indicators(c->evaluator, 0, x, NULL, c->z + i * s->z_count) != 0)
        return RB_ERROR_SOLVER;
    return RB_OK;
}

static RbStatus ask_all(void *argument) {
    for (int k = 0; k < POINTS; k++) RB_TRY(ask_point(argument, k));
    return RB_OK;
}

static void *thread(void *argument) {
    Caller *c = argument;
    static RbStatus failed = RB_ERROR_SOLVER;
    return rb_protect(&c->f.heap, ask_all, c) == RB_OK ? NULL : &failed;
}

static RbStatus alternate(void *argument) {
    Caller *two = argument;
    for (int k = 0; k < POINTS; k++) {
        for (int i = 0; i < 2; i++) RB_TRY(ask_point(&two[i], k));
    }
    return RB_OK;
}

static void ensure_same(const Caller *a, const Caller *b) {
    const RbSystem *s = a->points->system;
    size_t dx = (size_t)(POINTS * s->x_count), z = (size_t)(POINTS * s->z_count);
    ENSURE(memcmp(a->dx, b->dx, dx * sizeof(double)) == 0);
    ENSURE(memcmp(a->z, b->z, z * sizeof(double)) == 0);
}

static RbStatus open_scene(void *argument) {
    Run *r = argument;
    return rb_scene_case_model(rb_scene_case("billiards"), &r->f.arena, &r->f.diag, &r->model,
                               NULL);
}

// The balls in the middle of their break, each moved by up to 5 mm: other pairs are near.
static Points find_points(Run *r, double *x) {
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    RbRng rng = rb_rng(5);
    ENSURE(s->x_count == 13 * BALLS);
    for (int i = 0; i < POINTS * s->x_count; i++) {
        int k = i % s->x_count;
        bool place = k < 7 * BALLS && k % 7 < 2;
        x[i] = run_now(r)->x[k] + (place ? rb_rng_range(&rng, -5e-3, 5e-3) : 0);
    }
    return (Points){s, run_now(r)->d, x};
}

static void evaluations_do_not_see_each_other(void **state) {
    (void)state;
    static double x[POINTS * BALLS * 13];
    Run r;
    run_open(&r, "pendulum"); // for its files; the model is another one
    ENSURE(rb_protect(&r.f.heap, open_scene, &r) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.solver = "cvode";
    r.options.stop_time = 0.7;
    ENSURE(run_go(&r) == RB_OK);
    Points points = find_points(&r, x);
    Caller alone, two[2], apart[2];
    caller_open(&alone, &points, 0, 1);
    for (int i = 0; i < 2; i++) { // backwards, and all over the place
        caller_open(&two[i], &points, 13 * i + 7, i ? 7 : 59);
        caller_open(&apart[i], &points, 29 * i + 3, i ? 59 : 11);
    }
    ENSURE(rb_protect(&alone.f.heap, ask_all, &alone) == RB_OK);
    ENSURE(rb_protect(&two[0].f.heap, alternate, two) == RB_OK);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) ENSURE(pthread_create(&threads[i], NULL, thread, &apart[i]) == 0);
    for (int i = 0; i < 2; i++) {
        void *failed;
        ENSURE(pthread_join(threads[i], &failed) == 0 && !failed);
    }
    for (int i = 0; i < 2; i++) {
        ensure_same(&alone, &two[i]);
        ensure_same(&alone, &apart[i]);
        fixture_close(&two[i].f);
        fixture_close(&apart[i].f);
    }
    fixture_close(&alone.f);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(evaluations_do_not_see_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
