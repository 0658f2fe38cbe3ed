// SPDX-License-Identifier: MIT
#include "sim/island.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/gauss.h"
#include "sim/island_data.h"

// States that one island may have, unless it is a crowd: its linear algebra is dense.
enum { LARGEST = 512 };

// ---- evaluating

void rb_unit_states(const Unit *u, double t, double *x) {
    double inside = fmin(fmax(t, island_start(u->island)), island_end(u->island));
    rb_small_interpolate(u->island->small, inside, u->first, u->count, x);
}

void rb_island_place(Island *i, double t) {
    RbIslands *s = i->owner;
    for (int k = 0; k < i->unit_count; k++) {
        const Unit *u = &s->units[i->units[k]];
        rb_unit_states(u, t, s->z); // which has room for every unit
        for (int j = 0; j < u->count; j++) s->x[u->states[j]] = s->z[j];
    }
}

int rb_island_evaluate(Island *i, unsigned want, double t) {
    RbIslands *s = i->owner;
    if (i->part == RB_NONE && s->is_apart)
        return rb_evaluate_equations(s->evaluator, s->of_equations, want, t, s->x, s->dx, s->dq);
    if (i->part == RB_NONE) return rb_evaluate(s->evaluator, want, t, s->x, s->dx, s->dq);
    return rb_evaluate_groups(s->evaluator, i->part, i->groups, i->group_count, want, t, s->x,
                              s->dx, s->dq);
}

int rb_island_derivative(void *user, double t, const double *x, double *dx) {
    Island *i = user;
    RbIslands *s = i->owner;
    RbEvaluator *e = s->evaluator;
    for (int k = 0; k < i->n; k++) s->x[i->states[k]] = x[k];
    int answer = rb_island_evaluate(i, RB_WANT_DERIVATIVES, t);
    s->last_x = x;
    s->last_evaluation = e->evaluations;
    if (answer != 0) return answer;
    for (int k = 0; k < i->n; k++) {
        dx[k] = s->dx[i->states[k]];
        if (isfinite(dx[k])) continue;
        e->bad_state = i->states[k];
        e->bad_value = dx[k];
        e->bad_time = t;
    }
    return 0;
}

int rb_island_advance(void *user, double t0, const double *x0, double limit, bool exactly,
                      bool look, double *t1, double *x1, double *integrals) {
    Island *i = user;
    RbIslands *s = i->owner;
    RbAdvance a = {.limit = limit,
                   .exactly = exactly,
                   .look = look,
                   .tolerance = s->options.tolerance};
    RbGroupList groups = {i->groups, i->group_count};
    int first, count = rb_island_quadrature_range(i, &first);
    for (int k = 0; k < i->n; k++) s->x[i->states[k]] = x0[k];
    int answer = rb_evaluate_advance(s->evaluator, i->part, &groups, t0, s->x, s->dq, &a);
    s->last_x = NULL;
    *t1 = a.end;
    for (int k = 0; k < i->n; k++) x1[k] = s->x[i->states[k]];
    for (int k = 0; k < count; k++) integrals[k] = s->dq[first + k];
    return answer;
}

// The integrator asks for the Jacobian where it has evaluated the derivatives last, with few
// exceptions.
int rb_island_jacobian(void *user, double t, const double *x, const double *dx, double *values) {
    (void)dx;
    Island *i = user;
    RbIslands *s = i->owner;
    RbEvaluator *e = s->evaluator;
    bool evaluated = s->last_x == x && s->last_evaluation == e->evaluations;
    for (int k = 0; k < i->n; k++) s->x[i->states[k]] = x[k];
    s->last_x = NULL;
    return rb_evaluate_group_jacobian(e, i->part, i->groups, i->group_count, evaluated, t, s->x,
                                      values);
}

// What components may ask about each other's steps.
static double group_end(void *user, int group) {
    RbIslands *s = user;
    return island_end(s->units[s->unit_of_group[group]].island);
}

static void group_states(void *user, int group, double t, double *x, int offset) {
    RbIslands *s = user;
    const Unit *u = &s->units[s->unit_of_group[group]];
    rb_unit_states(u, t, s->z);
    for (int j = 0; j < u->count; j++) x[u->states[j] - offset] = s->z[j];
}

static void all_states(void *user, double time, double *x) {
    rb_islands_interpolate(user, time, x);
}

// ---- creating

RbIslands *rb_islands_create(const RbSystem *system, RbEvaluator *evaluator,
                             const RbIslandOptions *options, RbArena *arena, RbDiag *diag) {
    RbIslands *s = rb_new(arena, RbIslands);
    *s = (RbIslands){.system = system,
                     .worst = RB_NONE,
                     .first_step = INFINITY,
                     .evaluator = evaluator,
                     .options = *options,
                     .arena = arena,
                     .diag = diag};
    int nz = system->z_count, nx = system->x_count;
    s->x = rb_new_array(arena, double, nx);
    s->dx = rb_new_array(arena, double, nx);
    s->dq = rb_new_array(arena, double, system->q_count);
    s->q = rb_new_array(arena, double, system->q_count);
    s->q_work = rb_new_array(arena, double, (2 + RB_GAUSS_WORK) * system->q_count);
    s->z = rb_new_array(arena, double, nz + nx);
    s->z_last = rb_new_array(arena, double, nz);
    s->crossed = rb_new_array(arena, signed char, nz);
    s->roots = rb_new_array(arena, int, nz);
    rb_islands_make_units(s, arena);
    int n = s->unit_count;
    s->ends = rb_queue(n, arena);
    s->events = rb_queue(n, arena);
    s->stale = rb_queue(n, arena);
    s->touched = rb_new_array(arena, int, n);
    s->is_touched = rb_new_array(arena, bool, n);
    s->link = rb_new_array(arena, int, n);
    s->size = rb_new_array(arena, int, n);
    s->states = rb_new_array(arena, int, n);
    s->groups = rb_new_array(arena, int, n);
    s->restart = rb_new_array(arena, bool, n);
    s->shorter = rb_new_array(arena, bool, n);
    s->event.part = RB_NONE;
    s->largest = LARGEST;
    s->steps = (RbGroupSteps){s, group_end, group_states, all_states};
    evaluator->steps = &s->steps;
    return s;
}

// ---- quadratures

enum { GAUSS_POINTS = 3 };
static const double ENOUGH = 0.1; // of the tolerance, and of a difference

static int share_rates(void *user, double t, double *unused) {
    (void)unused; // an evaluation leaves them there
    rb_island_place(user, t);
    return rb_island_evaluate(user, RB_WANT_QUADRATURES, t);
}

// Which quadratures the component of the island has: from *first on.
int rb_island_quadrature_range(const Island *i, int *first) {
    const RbSystem *system = i->owner->system;
    *first = i->part == RB_NONE ? 0 : system->parts[i->part].q;
    return i->part == RB_NONE ? system->q_count : system->parts[i->part].segment->quadratures.count;
}

static RbStatus quadratures_failed(RbIslands *s, double until) {
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "quadratures cannot be evaluated before t = %.12g s", until);
}

// The island's share of its component's quadratures, on the dense output as for one solver. Costs
// little for a few of them: the integrator has what is needed.
RbStatus rb_island_quadratures(Island *i, double until) {
    RbIslands *s = i->owner;
    double from = i->q_from;
    int first, count = rb_island_quadrature_range(i, &first);
    if (!(until > from)) return RB_OK;
    i->q_from = until;
    if (count == 0) return RB_OK;
    double *sum = s->q + first;
    RbGauss gauss = {count, share_rates, i, s->dq + first, s->system->q_loose + first};
    int answer = count > RB_SMALL_RATES ? rb_gauss_add(&gauss, GAUSS_POINTS, from, until, sum)
                 : rb_small_doubts_rates(i->small, sum)
                     ? rb_gauss_add_closely(&gauss, GAUSS_POINTS, from, until,
                                            ENOUGH * s->options.tolerance, false, sum, s->q_work)
                     : rb_small_integrate(i->small, from, until, sum);
    return answer == 0 ? RB_OK : quadratures_failed(s, until);
}

static double change_of(const RbGauss *gauss, const double *a, const double *b) {
    double most = 0;
    for (int k = 0; k < gauss->count; k++)
        if (!gauss->loose[k]) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

// The same up to an event, where rates may end like a power of what is left. What the integrator has fits its steps
// better than anything taken from its dense output, unless a finer look at that explains the difference.
static RbStatus quadratures_to_event(Island *i) {
    RbIslands *s = i->owner;
    double from = i->q_from, until = island_end(i);
    int first, count = rb_island_quadrature_range(i, &first);
    if (!(until > from) || count == 0) return RB_OK;
    if (i->moves) return rb_island_quadratures(i, until); // which are exact
    double *own = s->q + first, *work = s->q_work, *once = work + RB_GAUSS_WORK * count,
           *finer = once + count;
    memcpy(once, own, (size_t)count * sizeof *own);
    memcpy(finer, own, (size_t)count * sizeof *own);
    RB_TRY(rb_island_quadratures(i, until));
    RbGauss gauss = {count, share_rates, i, s->dq + first, s->system->q_loose + first};
    int answer = rb_gauss_add(&gauss, GAUSS_POINTS, from, until, once);
    if (answer == 0)
        answer = rb_gauss_add_closely(&gauss, GAUSS_POINTS, from, until,
                                      ENOUGH * s->options.tolerance, false, finer, work);
    if (answer != 0) return quadratures_failed(s, until);
    if (change_of(&gauss, finer, once) > ENOUGH * change_of(&gauss, finer, own))
        memcpy(own, finer, (size_t)count * sizeof *own);
    return RB_OK;
}

// ---- stepping

void rb_island_moved(Island *i) {
    RbIslands *s = i->owner;
    rb_queue_set(&s->ends, i->units[0], island_end(i));
    if (i->found)
        rb_queue_set(&s->events, i->units[0], i->watch.time);
    else
        rb_queue_remove(&s->events, i->units[0]);
}

// The island that is furthest behind.
static Island *find_last(const RbIslands *s) {
    return island_of(s, s->ends.heap[0].item);
}

static Island *find_event(const RbIslands *s, double until) {
    if (s->events.count == 0 || !(s->events.heap[0].time <= until)) return NULL;
    return island_of(s, s->events.heap[0].item);
}

// Time never steps back: an event has its exact time before it is compared with others.
static RbStatus stop_at(RbIslands *s, RbStopWhy why, double t, RbStop *stop) {
    RB_ASSERT(t >= s->time);
    s->time = t;
    *stop = (RbStop){.why = why, .t = t, .roots = why == RB_STOP_ROOT ? s->roots : NULL};
    return RB_OK;
}

// Nothing happens before t_stop: islands that have run ahead come back.
static RbStatus end_at(RbIslands *s, double t_stop, RbStop *stop) {
    for (int k = 0; k < s->unit_count; k++) {
        Island *i = island_of(s, k);
        if (i->units[0] != k || island_end(i) <= t_stop) continue;
        RB_TRY(rb_small_retake(i->small, t_stop, s->diag));
        RB_TRY(rb_island_check_start(i)); // what it had found was later
        rb_island_moved(i);
    }
    return stop_at(s, RB_STOP_END, t_stop, stop);
}

int rb_islands_worst_state(const RbIslands *s) {
    return s->worst;
}

static RbStatus step_on(RbIslands *s, Island *i, double t_stop) {
    RB_TRY(rb_island_quadratures(i, island_end(i)));
    RbStatus status = rb_small_step(i->small, t_stop, s->diag);
    s->worst = status == RB_OK ? RB_NONE : i->states[rb_small_worst_state(i->small)];
    RB_TRY(status);
    RB_TRY(rb_island_check(i, island_start(i)));
    rb_island_moved(i);
    return RB_OK;
}

RbStatus rb_islands_step(RbIslands *s, double t_stop, RbStop *stop) {
    s->event.part = RB_NONE;
    if (s->ends.count == 0) return end_at(s, t_stop, stop);
    Island *last = find_last(s);
    Island *event = find_event(s, fmin(island_end(last), t_stop));
    if (!event) {
        if (island_end(last) >= t_stop) return end_at(s, t_stop, stop);
        RB_TRY(step_on(s, last, t_stop));
        last = find_last(s);
        event = find_event(s, fmin(island_end(last), t_stop));
    }
    if (event) return stop_at(s, RB_STOP_ROOT, rb_island_happen(event), stop);
    if (island_end(last) >= t_stop) return end_at(s, t_stop, stop);
    return stop_at(s, RB_STOP_STEP, island_end(last), stop);
}

// ---- looking at the solution

// As exactly as at the ends of steps, for those that move by themselves.
void rb_unit_look(RbIslands *s, const Unit *u, double t, double *x) {
    const double *all;
    double inside = fmin(fmax(t, island_start(u->island)), island_end(u->island));
    if (u->island->moves && rb_small_look(u->island->small, inside, &all, s->diag) == RB_OK)
        memcpy(x, all + u->first, (size_t)u->count * sizeof *x);
    else
        rb_unit_states(u, t, x);
}

static void fetch_unit(RbIslands *s, const Unit *u, double t, double *x) {
    rb_unit_look(s, u, t, s->z);
    for (int j = 0; j < u->count; j++) x[u->states[j]] = s->z[j];
}

void rb_islands_interpolate(RbIslands *s, double t, double *x) {
    for (int k = 0; k < s->unit_count; k++) fetch_unit(s, &s->units[k], t, x);
}

const RbIslandEvent *rb_islands_event(const RbIslands *s) {
    return s->event.part == RB_NONE ? NULL : &s->event;
}

RbStatus rb_islands_fetch_event(RbIslands *s, double *x) {
    for (int k = 0; k < s->concerned_count; k++) {
        Island *i = s->concerned[k];
        RB_TRY(quadratures_to_event(i));
        const double *own = rb_small_state(i->small);
        for (int j = 0; j < i->n; j++) x[i->states[j]] = own[j];
    }
    return RB_OK;
}

void rb_islands_fetch_others(RbIslands *s, double *x) {
    for (int k = 0; k < s->unit_count; k++) {
        const Unit *u = &s->units[k];
        bool concerned = false;
        for (int j = 0; j < s->concerned_count; j++)
            concerned = concerned || u->island == s->concerned[j];
        if (!concerned) fetch_unit(s, u, s->time, x);
    }
}

// ---- quadratures and counts of all islands

RbStatus rb_islands_quadrature(RbIslands *s, double t, double *q) {
    for (int k = 0; s->event.part != RB_NONE && k < s->concerned_count; k++)
        if (island_end(s->concerned[k]) == t) RB_TRY(quadratures_to_event(s->concerned[k]));
    for (int k = 0; k < s->unit_count; k++) {
        Island *i = island_of(s, k);
        if (i->units[0] == k) RB_TRY(rb_island_quadratures(i, fmin(t, island_end(i))));
    }
    memcpy(q, s->q, (size_t)s->system->q_count * sizeof *q);
    return RB_OK;
}

void rb_islands_set_quadrature(RbIslands *s, const double *q) {
    memcpy(s->q, q, (size_t)s->system->q_count * sizeof *q);
}

int rb_islands_count(const RbIslands *s) {
    return s->ends.count;
}

RbSolverStats rb_islands_stats(const RbIslands *s) {
    RbSolverStats sum = s->finished;
    for (int k = 0; k < s->unit_count; k++) {
        const Island *i = island_of(s, k);
        if (i && i->units[0] == k) rb_island_add_stats(&sum, i->small);
    }
    return sum;
}
