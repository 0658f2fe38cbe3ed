// SPDX-License-Identifier: MIT
// A start at rest (docs/theory/rest.md): states near those that the user gave at which the derivatives of all states are zero
// that a component, which asked for it, has, or that influence these.
//
// Steps of the implicit Euler method in a time that means nothing,
//     x1 = x0 + h f(x1)
// with h from so small that bodies hardly move up to so large that a step is one of Newton's method for f = 0. What is held back
// by inertia alone (a box that may be moved along its table) stays where it is. After each step components react: contacts begin
// and end, speeds are set to zero again.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/sim.h"
#include "solver/difference.h"
#include "solver/linear.h"

static const double FIRST_STEP = 1e-5, LEAST_STEP = 1e-9, LONGEST_STEP = 100; // [s]
enum { MOST_STEPS = 1000, MOST_TRIALS = 12, STAGNANT = 4, HOPELESS = 100 };

typedef struct Search {
    RbSim *sim;
    RbArena *arena; // of the segment as it is, with its contacts
    double time;    // [s] of the run, which stands still
    double h;       // [s]
    bool *held;     // per state
    bool *held0;    // the same before the step
    bool *outside;  // per state: it has nothing to do with what rests
    RbComposed composed;
    RbLinear *linear;
    RbDifference difference;
    double *scale;       // per state: how far it changes f noticeably
    double *x0, *x, *f;  // start and end of a step; derivatives
    double *update, *d0; // of Newton's method; discrete values at the start
    double *next_time;   // likewise
    double residual;     // largest derivative that is left
    RbValues nearest;    // where it was smallest, in the segment that runs
    long build;          // number of that segment
    double least;        // and how large it was there
    double good;         // when it last became much smaller
    int stagnant;        // steps since then
    int hopeless;        // steps since it became smaller at all
} Search;

// ---- which states take part

static bool is_wanted(const RbSystem *s) {
    for (int i = 0; i < s->part_count; i++) {
        if (s->parts[i].segment->rests) return true;
    }
    return false;
}

// What the equations hand to the bodies at the states x, as a number.
static uint64_t hear(const Search *q, const double *x) {
    RbEvaluator *e = rb_sim_stage(q->sim)->evaluator;
    e->hears = true;
    e->heard = RB_HASH_START;
    rb_evaluate(e, RB_WANT_DERIVATIVES, q->time, x, q->f, NULL);
    e->hears = false;
    return e->heard;
}

// States of bodies, and of equations if moving them changes what the bodies are handed.
static void find_direct(const Search *q, bool *outside) {
    const RbRunningSegment *stage = rb_sim_stage(q->sim);
    const RbSystem *s = stage->system;
    bool driven = rb_model_is_driven(s->model);
    memcpy(q->x, stage->now.x, (size_t)s->x_count * sizeof *q->x);
    uint64_t before = driven ? hear(q, q->x) : 0;
    for (int i = 0; i < s->x_count; i++) {
        outside[i] = !rb_system_part_of_state(s, i)->segment->rests;
        if (!outside[i] || !driven) continue;
        q->x[i] += 1e-6 * fmax(q->scale[i], fabs(q->x[i]));
        outside[i] = hear(q, q->x) == before;
        q->x[i] = stage->now.x[i];
    }
}

// All states from which some path of influence leads to one that is to rest.
static void find_outside(const Search *q, const RbPattern *p, bool *outside) {
    const RbSystem *s = rb_sim_stage(q->sim)->system;
    find_direct(q, outside);
    for (bool changed = true; changed;) {
        changed = false;
        for (int j = 0; j < s->x_count; j++) {
            bool inside = false;
            for (int k = p->col_start[j]; outside[j] && k < p->col_start[j + 1]; k++)
                inside = inside || !outside[p->row_index[k]];
            if (!inside) continue;
            outside[j] = false;
            changed = true;
        }
    }
}

// What no component may change: what is fixed, and what lies outside.
static void hold_rest(const Search *q) {
    const RbSystem *s = rb_sim_stage(q->sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        for (int k = 0; k < p->segment->states.count; k++)
            q->held[p->x + k] |= q->outside[p->x + k] || p->segment->states.data[k].fixed;
    }
}

// ---- the system as it is now

static void free_linear(void *linear) {
    rb_linear_free(linear);
}

// Vectors for the states of the segment that runs; its pattern follows.
static void open_segment(Search *q) {
    const RbSystem *s = rb_sim_stage(q->sim)->system;
    int n = s->x_count;
    rb_arena_reset(q->arena);
    q->held = rb_new_array(q->arena, bool, n + 1);
    q->held0 = rb_new_array(q->arena, bool, n + 1);
    q->outside = rb_new_array(q->arena, bool, n + 1);
    q->scale = rb_new_array(q->arena, double, n + 1);
    q->x0 = rb_new_array(q->arena, double, n + 1);
    q->x = rb_new_array(q->arena, double, n + 1);
    q->f = rb_new_array(q->arena, double, n + 1);
    q->update = rb_new_array(q->arena, double, n + 1);
    q->d0 = rb_new_array(q->arena, double, s->d_count + 1);
    q->next_time = rb_new_array(q->arena, double, s->part_count + 1);
    q->linear = rb_new(q->arena, RbLinear);
    rb_arena_defer(q->arena, free_linear, q->linear);
    q->difference = (RbDifference){0};
    for (int i = 0; i < n; i++) q->scale[i] = s->nominal[i];
}

static void compose(Search *q) {
    RbRunningSegment *stage = rb_sim_stage(q->sim);
    int n = stage->system->x_count;
    q->composed =
        rb_system_couplings(stage->system, stage->now.d, false, q->arena, q->sim->scratch);
    stage->evaluator->jacobian = rb_new_array(q->arena, double, q->composed.value_count + 1);
    rb_linear_set_pattern(q->linear, n, &q->composed.pattern, RB_LINEAR_AUTO, q->arena);
    rb_difference_set_pattern(&q->difference, n, &q->composed.pattern, q->arena);
    find_outside(q, &q->composed.pattern, q->outside);
    hold_rest(q);
}

static int evaluate(void *user, const double *x, double *f) {
    const Search *q = user;
    RbEvaluator *e = rb_sim_stage(q->sim)->evaluator;
    return rb_evaluate(e, RB_WANT_DERIVATIVES, q->time, x, f, NULL);
}

static int find_slopes(Search *q) {
    RbEvaluator *e = rb_sim_stage(q->sim)->evaluator;
    const RbPattern *p = &q->composed.pattern;
    double *values = q->linear->jacobian;
    memset(values, 0, (size_t)p->count * sizeof *values);
    int answer = q->composed.has_jacobian
                     ? rb_evaluate_jacobian(e, &q->composed, q->time, q->x, values)
                     : rb_difference_jacobian(&q->difference, evaluate, q, q->x, q->f, q->scale,
                                              q->f, values);
    for (int k = 0; k < p->count; k++)
        if (q->held[p->row_index[k]]) values[k] = 0;
    return answer;
}

// ---- one step

// How large changes of the states are, in their own scales.
static double size_of(const Search *q, const double *a, const double *b) {
    const RbSystem *s = rb_sim_stage(q->sim)->system;
    double largest = 0;
    for (int i = 0; i < s->x_count; i++) {
        double scale = s->absolute[i] ? q->scale[i] : fmax(q->scale[i], fabs(q->x0[i]));
        largest = fmax(largest, fabs(b ? a[i] - b[i] : a[i]) / scale);
    }
    return largest;
}

// Newton's method for x - x0 - h f(x) = 0; returns how many iterations it took, 0: it fails.
static int solve_step(Search *q) {
    const double accuracy = 0.05, rounding = 1e-10; // of the step; of the scales
    int n = rb_sim_stage(q->sim)->system->x_count;
    memcpy(q->x, q->x0, (size_t)n * sizeof *q->x);
    for (int i = 1; i <= MOST_TRIALS; i++) {
        if (evaluate(q, q->x, q->f) != 0 || find_slopes(q) != 0) return 0;
        rb_linear_assemble(q->linear, 1, -q->h);
        if (!rb_linear_factor(q->linear)) return 0;
        for (int k = 0; k < n; k++)
            q->update[k] = q->held[k] ? 0 : q->x0[k] - q->x[k] + q->h * q->f[k];
        rb_linear_solve(q->linear, q->update);
        for (int k = 0; k < n; k++) q->x[k] += q->update[k];
        double size = size_of(q, q->update, NULL);
        if (!isfinite(size)) return 0;
        if (size <= accuracy * size_of(q, q->x, q->x0) || size <= rounding) return i;
    }
    return 0;
}

static void take_back(Search *q) {
    RbRunningSegment *stage = rb_sim_stage(q->sim);
    const RbSystem *s = stage->system;
    memcpy(stage->now.x, q->x0, (size_t)s->x_count * sizeof(double));
    memcpy(stage->now.d, q->d0, (size_t)s->d_count * sizeof(double));
    memcpy(stage->now.next_time, q->next_time, (size_t)s->part_count * sizeof(double));
    stage->evaluator->asserting_part = RB_NONE;
    rb_evaluator_reset(stage->evaluator);
}

static void keep_start(Search *q) {
    RbRunningSegment *stage = rb_sim_stage(q->sim);
    const RbSystem *s = stage->system;
    memcpy(q->x0, stage->now.x, (size_t)s->x_count * sizeof(double));
    memcpy(q->d0, stage->now.d, (size_t)s->d_count * sizeof(double));
    memcpy(q->next_time, stage->now.next_time, (size_t)s->part_count * sizeof(double));
}

// Components react to where they are now. False: they cannot, and nothing has been said.
static bool react(Search *q, RbRest *rest, RbRestart *restart) {
    RbSim *sim = q->sim;
    RbArena text = sim->scratch;
    RbDiag silent = rb_diag(&text), *diag = sim->diag;
    int n = rb_sim_stage(sim)->system->x_count;
    memset(q->held, 0, (size_t)n * sizeof *q->held);
    *rest = (RbRest){.held = q->held};
    *restart = RB_NO_RESTART;
    sim->diag = &silent;
    RbStatus status = rb_event_iterate(sim, &(RbEventCause){.set = true, .rest = rest}, restart);
    sim->diag = diag;
    hold_rest(q);
    return status == RB_OK && !rest->too_far;
}

static double residual_of(const Search *q) {
    double largest = 0;
    for (int i = 0; i < rb_sim_stage(q->sim)->system->x_count; i++)
        if (!q->held[i]) largest = fmax(largest, fabs(q->f[i]));
    return largest;
}

// Where the components have come to is the start of the next step: with other contacts, or in another segment.
static RbStatus go_on(Search *q, RbRestart restart) {
    RbSim *sim = q->sim;
    RbRest rest;
    for (int i = 0; restart == RB_FULL_RESTART && i < sim->options.max_event_iterations; i++) {
        RB_TRY(rb_stage_build(sim, q->time, false));
        open_segment(q);
        compose(q);
        if (!react(q, &rest, &restart)) return RB_ERROR_INIT;
    }
    rb_evaluator_reset(rb_sim_stage(sim)->evaluator);
    open_segment(q);
    RbRestart ignored;
    compose(q);
    if (!react(q, &rest, &ignored)) return RB_ERROR_INIT;
    keep_start(q);
    return RB_OK;
}

// One step, shorter and shorter until it succeeds. *moved: it did.
static RbStatus step(Search *q, bool *moved) {
    RbSim *sim = q->sim;
    bool shortened = false;
    for (*moved = false; q->h >= LEAST_STEP; q->h /= 4, shortened = true) {
        RbRunningSegment *stage = rb_sim_stage(sim);
        int trials = solve_step(q);
        if (trials == 0) continue;
        size_t count = (size_t)stage->system->x_count;
        memcpy(stage->now.x, q->x, count * sizeof(double));
        memcpy(q->held0, q->held, count * sizeof *q->held);
        RbRest rest;
        RbRestart restart;
        if (!react(q, &rest, &restart) || evaluate(q, rb_sim_stage(sim)->now.x, q->f) != 0) {
            take_back(q);
            memcpy(q->held, q->held0, count * sizeof *q->held);
            continue;
        }
        *moved = true;
        double growth = trials <= 4 ? 4 : trials <= 7 ? 2 : 1;
        q->h = fmin(LONGEST_STEP, q->h * (shortened ? 1.5 : growth));
        if (restart != RB_NO_RESTART) return go_on(q, restart);
        keep_start(q);
        return RB_OK;
    }
    return RB_OK;
}

// ---- the search

// The nearest to rest that was found so far: what slides on and on ends where it began to.
static void note_nearest(Search *q) {
    RbSim *sim = q->sim;
    const RbSystem *s = rb_sim_stage(sim)->system;
    if (q->build != sim->builds) {
        q->nearest = rb_system_values(s, &sim->keep);
        q->build = sim->builds;
        q->least = INFINITY;
    }
    q->hopeless++;
    if (!(q->residual < 0.99 * q->least)) return;
    q->hopeless = 0;
    q->least = q->residual;
    memcpy(q->nearest.x, q->x0, (size_t)s->x_count * sizeof(double));
    memcpy(q->nearest.d, q->d0, (size_t)s->d_count * sizeof(double));
}

static void return_to_nearest(Search *q) {
    RbRunningSegment *stage = rb_sim_stage(q->sim);
    const RbSystem *s = stage->system;
    if (q->build != q->sim->builds || q->residual <= q->least) return;
    memcpy(stage->now.x, q->nearest.x, (size_t)s->x_count * sizeof(double));
    memcpy(stage->now.d, q->nearest.d, (size_t)s->d_count * sizeof(double));
    rb_evaluator_reset(stage->evaluator);
}

static bool has_ended(Search *q) {
    const double none = 1e-13;
    q->residual = evaluate(q, q->x0, q->f) == 0 ? residual_of(q) : INFINITY;
    note_nearest(q);
    if (q->residual < 0.5 * q->good) {
        q->good = q->residual;
        q->stagnant = 0;
    } else
        q->stagnant++;
    if (q->h < LONGEST_STEP) return q->hopeless >= HOPELESS;
    return q->residual <= none || q->stagnant >= STAGNANT;
}

// Of states that belong to equations; what bodies lack their component knows.
static RbStatus check_equations(Search *q) {
    const double accuracy = 1e-6; // of a second's change
    RbSim *sim = q->sim;
    const RbSystem *s = rb_sim_stage(sim)->system;
    RbStatus status = RB_OK;
    keep_start(q);
    if (evaluate(q, q->x0, q->f) != 0)
        return rb_evaluator_explain(rb_sim_stage(sim)->evaluator, q->time, RB_ERROR_INIT,
                                    sim->diag);
    for (int i = 0; i < s->x_count; i++) {
        if (q->held[i] || rb_system_part_of_state(s, i)->segment->rests) continue;
        if (fabs(q->f[i]) <= accuracy * fmax(s->nominal[i], fabs(q->x0[i]))) continue;
        RbArena text = sim->scratch;
        status = rb_fail(sim->diag, RB_ERROR_INIT, RB_NOWHERE,
                         "no start at rest was found: '%s', on which bodies depend, goes on "
                         "changing (der = %.6g)",
                         rb_system_state_name(s, i, &text), q->f[i]);
    }
    return status;
}

// The components say what they think of it.
static RbStatus end_search(Search *q) {
    RbSim *sim = q->sim;
    RbRest rest = {.held = q->held, .ended = true};
    RbRestart restart = RB_NO_RESTART;
    memset(q->held, 0, (size_t)rb_sim_stage(sim)->system->x_count * sizeof *q->held);
    RbStatus bodies = rb_event_iterate(sim, &(RbEventCause){.set = true, .rest = &rest}, &restart);
    hold_rest(q);
    RbStatus equations = check_equations(q);
    return bodies != RB_OK ? bodies : equations;
}

static RbStatus search(Search *q) {
    RB_TRY(go_on(q, RB_NO_RESTART));
    for (int i = 0; i < MOST_STEPS && !has_ended(q); i++) {
        bool moved;
        RB_TRY(step(q, &moved));
        if (!moved) break;
    }
    return_to_nearest(q);
    rb_log(q->sim->log, RB_LOG_INIT, "start at rest: largest derivative left %.3g", q->residual);
    return end_search(q);
}

RbStatus rb_sim_find_rest(RbSim *sim) {
    if (!is_wanted(rb_sim_stage(sim)->system)) return RB_OK;
    Search q = {.sim = sim,
                .arena = &sim->trial,
                .time = sim->time,
                .h = FIRST_STEP,
                .good = INFINITY,
                .build = -1};
    open_segment(&q);
    RbStatus status = search(&q);
    rb_arena_reset(&sim->trial);
    rb_sim_stage(sim)->evaluator->jacobian = NULL;
    rb_evaluator_reset(rb_sim_stage(sim)->evaluator);
    return status;
}
