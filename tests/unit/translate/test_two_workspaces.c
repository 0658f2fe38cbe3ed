// SPDX-License-Identifier: MIT
// The promise of component.h for the equation half: evaluations remember things in the caller's
// workspace and nowhere else. Two callers that take turns at different points, and two that run at
// the same time, get the bits that each gets alone.
#include "testing.h"

#include <pthread.h>
#include <string.h>

#include "math/rng.h"
#include "model/evaluator.h"
#include "model/modelica.h"

enum { POINTS = 400, STATES = 3 };

// Iterations start from the last solution, so the memory of the last evaluation matters to the last
// bits: z and w are unknowns of nonlinear systems, A*x is a linear one.
static const char MODEL[] =
    "model Twins\n"
    "  parameter Real k = 3; parameter Real A[2, 2] = [2, 1; 1, k];\n"
    "  Real x(start = 1, fixed = true), y(start = 0.2, fixed = true), s(start = 0, fixed = true);\n"
    "  Real z, w, a, b; Boolean up;\n"
    "equation\n"
    "  up = x > 0.5;\n"
    "  der(x) = -x + z*(if up then 1 else 2); der(y) = x - w; der(s) = a + b;\n"
    "  z^3 + z*cos(z) = x*y + time; w + 0.1*sin(w) = y*z + s;\n"
    "  A[1, 1]*a + A[1, 2]*b*cos(x) = y; A[2, 1]*a + A[2, 2]*b = x;\n"
    "end Twins;\n";

typedef struct Caller {
    RbEvaluator *evaluator;
    double times[POINTS], points[POINTS][STATES];
    double got[POINTS][STATES + 1]; // derivatives and the event indicator
    int failures;
} Caller;

typedef struct Twins {
    Fixture f;
    RbNames names;
    RbRegistry registry;
    RbSystem *system;
    RbValues values;
    Caller callers[2];
} Twins;

static void choose_points(Caller *c, uint64_t seed) {
    RbRng rng = rb_rng(seed);
    for (int i = 0; i < POINTS; i++) {
        c->times[i] = rb_rng_range(&rng, 0, 2);
        for (int k = 0; k < STATES; k++) c->points[i][k] = rb_rng_range(&rng, -1.5, 1.5);
    }
}

static void open_twins(Twins *t) {
    fixture_open(&t->f);
    RbModelica source = rb_modelica_default();
    source.text = MODEL;
    t->registry = rb_registry(&t->f.arena);
    RbModelicaOpener opener = {.source = &source,
                               .registry = &t->registry,
                               .arena = &t->f.arena,
                               .scratch = &t->f.scratch,
                               .diag = &t->f.diag};
    RbModel *model;
    ENSURE(rb_modelica_model(&opener, &model) == RB_OK);
    ENSURE(rb_system_build(model, 0, NULL, NULL, &t->f.arena, t->f.scratch, &t->f.diag,
                           &t->system) == RB_OK);
    ENSURE(t->system->x_count == STATES);
    t->values = rb_system_values(t->system, &t->f.arena);
    rb_system_start_values(t->system, &t->values);
    for (int i = 0; i < 2; i++) {
        t->callers[i].evaluator = rb_evaluator_new(t->system, t->values.d, NULL, &t->f.arena);
        choose_points(&t->callers[i], 7 + (uint64_t)i);
    }
}

// An evaluation, and what is asked about the same point afterwards.
static void evaluate(Caller *c, int i) {
    if (rb_evaluate(c->evaluator, RB_WANT_DERIVATIVES | RB_WANT_INDICATORS, c->times[i],
                    c->points[i], c->got[i], NULL))
        c->failures++;
}

static void ask(Caller *c, int i) {
    double z[8]; // of the relation, then of the branches of the nonlinear systems
    ENSURE(c->evaluator->system->z_count <= 8);
    if (rb_evaluate_part_indicators(c->evaluator, 0, z)) c->failures++;
    c->got[i][STATES] = z[0];
}

static void *evaluate_all(void *caller) {
    for (int i = 0; i < POINTS; i++) {
        evaluate(caller, i);
        ask(caller, i);
    }
    return NULL;
}

static void take_turns(Twins *t) {
    for (int i = 0; i < POINTS; i++) {
        evaluate(&t->callers[0], i);
        evaluate(&t->callers[1], i);
        ask(&t->callers[0], i);
        ask(&t->callers[1], i);
    }
}

// Each alone, in a model of its own.
static void find_want(double want[2][POINTS][STATES + 1]) {
    for (int i = 0; i < 2; i++) {
        Twins *t = calloc(1, sizeof *t);
        open_twins(t);
        evaluate_all(&t->callers[i]);
        ENSURE(t->callers[i].failures == 0);
        memcpy(want[i], t->callers[i].got, sizeof t->callers[i].got);
        fixture_close(&t->f);
        free(t);
    }
}

static void ensure_same(const Twins *t, double want[2][POINTS][STATES + 1]) {
    for (int i = 0; i < 2; i++) {
        ENSURE(t->callers[i].failures == 0);
        ENSURE(memcmp(t->callers[i].got, want[i], sizeof want[i]) == 0);
    }
}

static double want[2][POINTS][STATES + 1];

static void taking_turns(void **state) {
    (void)state;
    Twins *t = calloc(1, sizeof *t);
    open_twins(t);
    take_turns(t);
    ensure_same(t, want);
    fixture_close(&t->f);
    free(t);
}

static void at_the_same_time(void **state) {
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        Twins *t = calloc(1, sizeof *t);
        pthread_t threads[2];
        open_twins(t);
        for (int i = 0; i < 2; i++)
            ENSURE(pthread_create(&threads[i], NULL, evaluate_all, &t->callers[i]) == 0);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        ensure_same(t, want);
        fixture_close(&t->f);
        free(t);
    }
}

// Without workspaces of their own the two would meet: the test can fail.
static void one_workspace_for_both_would_show(void **state) {
    (void)state;
    Twins *t = calloc(1, sizeof *t);
    open_twins(t);
    t->callers[1].evaluator = t->callers[0].evaluator;
    take_turns(t);
    bool same = memcmp(t->callers[0].got, want[0], sizeof want[0]) == 0;
    fixture_close(&t->f);
    free(t);
    ENSURE(!same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taking_turns),
        cmocka_unit_test(at_the_same_time),
        cmocka_unit_test(one_workspace_for_both_would_show),
    };
    find_want(want);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
