// SPDX-License-Identifier: MIT
#include "sim/island.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/island_data.h"

// States that one island may have: its linear algebra is dense.
enum { CLASS_SIZE = 16, LARGEST = 512 };

static void make_units(RbIslands *s, RbArena *arena);
static void find_links(RbIslands *s);
static void mark_restarts(RbIslands *s, double t, const double *x, const bool *groups);
static RbStatus integrate_quadratures(Island *i, double until);
static void retire(RbIslands *s, Island *i);
static RbStatus make_islands(RbIslands *s, double t, const double *x);

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
    if (i->part == RB_NONE) return rb_evaluate(s->evaluator, want, t, s->x, s->dx, s->dq);
    return rb_evaluate_groups(s->evaluator, i->part, i->groups, i->group_count, want, t, s->x,
                              s->dx, s->dq);
}

static int derivative(void *user, double t, const double *x, double *dx) {
    Island *i = user;
    RbIslands *s = i->owner;
    RbEvaluator *e = s->evaluator;
    for (int k = 0; k < i->n; k++) s->x[i->states[k]] = x[k];
    int answer = rb_island_evaluate(i, RB_WANT_DERIVATIVES, t);
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

// ---- creating

RbIslands *rb_islands_create(const RbSystem *system, RbEvaluator *evaluator,
                             const RbIslandOptions *options, RbArena *arena, RbDiag *diag) {
    RbIslands *s = rb_new(arena, RbIslands);
    *s = (RbIslands){.system = system,
                     .evaluator = evaluator,
                     .options = *options,
                     .arena = arena,
                     .diag = diag};
    int nz = system->z_count, nx = system->x_count;
    s->x = rb_new_array(arena, double, nx);
    s->dx = rb_new_array(arena, double, nx);
    s->dq = rb_new_array(arena, double, system->q_count);
    s->q = rb_new_array(arena, double, system->q_count);
    s->d = rb_new_array(arena, double, system->d_count);
    s->z = rb_new_array(arena, double, nz + nx);
    s->z_last = rb_new_array(arena, double, nz);
    s->crossed = rb_new_array(arena, signed char, nz);
    s->roots = rb_new_array(arena, int, nz);
    s->class_count = nx / CLASS_SIZE + 2;
    s->free_islands = rb_new_array(arena, Island *, s->class_count);
    make_units(s, arena);
    s->islands = rb_new_array(arena, Island *, s->unit_count);
    s->link = rb_new_array(arena, int, s->unit_count);
    s->size = rb_new_array(arena, int, s->unit_count);
    s->restart = rb_new_array(arena, bool, s->unit_count);
    s->steps = (RbGroupSteps){s, group_end, group_states};
    evaluator->steps = &s->steps;
    return s;
}

// How the states of a part fall into units: by group, or all into one.
static void add_units(RbIslands *s, int part, int count, RbArena *arena) {
    const RbPart *p = &s->system->parts[part];
    int states = p->segment->states.count;
    for (int g = 0; g < count; g++) {
        bool whole = count == 1 && !p->instance->type->links;
        Unit *u = &s->units[s->unit_count];
        *u = (Unit){
            .part = part, .group = whole ? RB_NONE : g, .states = rb_new_array(arena, int, states)};
        for (int k = 0; k < states; k++) {
            if (whole || p->segment->states.data[k].group == g) u->states[u->count++] = p->x + k;
        }
        for (int k = 0; k < p->segment->group_count; k++) {
            if (whole || k == g) s->unit_of_group[p->group + k] = s->unit_count;
        }
        s->unit_count++;
    }
}

static void make_units(RbIslands *s, RbArena *arena) {
    const RbSystem *system = s->system;
    s->unit_of_group = rb_new_array(arena, int, system->group_count);
    s->units = rb_new_array(arena, Unit, system->group_count + system->part_count + 1);
    if (system->model->driver != RB_NONE) {
        s->units[0] = (Unit){.part = RB_NONE,
                             .group = RB_NONE,
                             .count = system->x_count,
                             .states = rb_new_array(arena, int, system->x_count)};
        for (int i = 0; i < system->x_count; i++) s->units[0].states[i] = i;
        s->unit_count = 1;
        return;
    }
    for (int i = 0; i < system->part_count; i++) {
        const RbPart *p = &system->parts[i];
        add_units(s, i, p->instance->type->links ? p->segment->group_count : 1, arena);
    }
}

// ---- restart

RbStatus rb_islands_restart(RbIslands *s, double t, const double *x, const bool *groups) {
    s->time = t;
    mark_restarts(s, t, x, groups);
    find_links(s);
    int kept = 0;
    for (int k = 0; k < s->count; k++) {
        Island *i = s->islands[k];
        bool stays = s->size[s->link[i->units[0]]] == i->unit_count;
        for (int j = 0; j < i->unit_count; j++) {
            stays =
                stays && !s->restart[i->units[j]] && s->link[i->units[j]] == s->link[i->units[0]];
        }
        if (stays) {
            s->islands[kept++] = i;
        } else {
            RB_TRY(integrate_quadratures(i, fmin(t, island_end(i))));
            retire(s, i);
        }
    }
    s->count = kept;
    memcpy(s->d, s->evaluator->d, (size_t)s->system->d_count * sizeof(double));
    RB_TRY(make_islands(s, t, x));
    for (int k = kept; k < s->count; k++) RB_TRY(rb_island_check_start(s->islands[k]));
    return rb_islands_recheck(s, t);
}

static void mark_restarts(RbIslands *s, double t, const double *x, const bool *groups) {
    for (int k = 0; k < s->unit_count; k++) s->restart[k] = !groups || !s->units[k].island;
    for (int g = 0; groups && g < s->system->group_count; g++) {
        if (groups[g]) s->restart[s->unit_of_group[g]] = true;
    }
    for (int k = 0; k < s->unit_count; k++) {
        const Unit *u = &s->units[k];
        if (s->restart[k]) continue;
        rb_unit_states(u, t, s->z);
        for (int j = 0; j < u->count; j++) {
            if (memcmp(&s->z[j], &x[u->states[j]], sizeof *x) != 0) s->restart[k] = true;
        }
    }
}

// ---- which units are linked: union-find with the smallest unit as root

static int root_of(const RbIslands *s, int k) {
    while (s->link[k] != k) k = s->link[k];
    return k;
}

typedef struct Linking {
    RbIslands *islands;
    const RbPart *part;
} Linking;

static void link_groups(void *user, int group_a, int group_b) {
    const Linking *l = user;
    RbIslands *s = l->islands;
    int a = root_of(s, s->unit_of_group[l->part->group + group_a]);
    int b = root_of(s, s->unit_of_group[l->part->group + group_b]);
    if (a < b)
        s->link[b] = a;
    else
        s->link[a] = b;
}

static void find_links(RbIslands *s) {
    for (int k = 0; k < s->unit_count; k++) s->link[k] = k;
    for (int i = 0; i < s->system->part_count && s->system->model->driver == RB_NONE; i++) {
        const RbPart *p = &s->system->parts[i];
        if (!p->instance->type->links) continue;
        Linking linking = {s, p};
        RbLinks links = {.discrete = s->evaluator->d + p->d, .user = &linking, .link = link_groups};
        p->instance->type->links(p->instance->self, &links);
    }
    memset(s->size, 0, (size_t)s->unit_count * sizeof *s->size);
    for (int k = 0; k < s->unit_count; k++) s->link[k] = root_of(s, k);
    for (int k = 0; k < s->unit_count; k++) s->size[s->link[k]]++;
}

// ---- islands come and go

static void add_stats(RbSolverStats *sum, const RbSmall *small) {
    RbSmallStats a = rb_small_stats(small);
    sum->restarts += a.starts;
    sum->steps += a.steps;
    sum->derivatives += a.derivatives;
    sum->jacobians += a.jacobians;
    sum->linear_setups += a.factorisations;
    sum->error_test_failures += a.rejected;
}

static void retire(RbIslands *s, Island *i) {
    add_stats(&s->finished, i->small);
    for (int k = 0; k < i->unit_count; k++) {
        s->units[i->units[k]].island = NULL;
        s->restart[i->units[k]] = true;
    }
    i->next_free = s->free_islands[i->size_class];
    s->free_islands[i->size_class] = i;
}

static Island *take(RbIslands *s, int n) {
    int size_class = n / CLASS_SIZE + 1;
    Island *i = s->free_islands[size_class];
    if (i) {
        s->free_islands[size_class] = i->next_free;
        return i;
    }
    int capacity = size_class * CLASS_SIZE;
    i = rb_new(s->arena, Island);
    i->size_class = size_class;
    i->states = rb_new_array(s->arena, int, capacity);
    i->units = rb_new_array(s->arena, int, s->unit_count);
    i->group_memory = rb_new_array(s->arena, int, s->unit_count);
    i->relative = rb_new_array(s->arena, double, capacity);
    i->absolute = rb_new_array(s->arena, double, capacity);
    i->small = rb_small_create(capacity, s->arena);
    return i;
}

static void fill(RbIslands *s, Island *i, int root) {
    const Unit *first = &s->units[root];
    i->owner = s;
    i->part = first->part;
    i->unit_count = i->group_count = i->n = 0;
    i->found = false;
    i->groups = first->group == RB_NONE ? NULL : i->group_memory;
    for (int k = root; k < s->unit_count; k++) {
        Unit *u = &s->units[k];
        if (s->link[k] != root) continue;
        u->first = i->n;
        u->island = i;
        i->units[i->unit_count++] = k;
        if (u->group != RB_NONE) i->groups[i->group_count++] = u->group;
        for (int j = 0; j < u->count; j++) i->states[i->n++] = u->states[j];
    }
}

static void start(RbIslands *s, Island *i, double t, const double *x) {
    for (int k = 0; k < i->n; k++) {
        i->relative[k] = s->options.relative[i->states[k]];
        i->absolute[k] = s->options.absolute[i->states[k]];
        s->z[k] = x[i->states[k]];
    }
    RbSmallOde ode = {.n = i->n, .user = i, .derivative = derivative};
    RbSmallOptions o = {.tolerance = s->options.tolerance,
                        .relative = i->relative,
                        .absolute = i->absolute,
                        .max_step = s->options.max_step};
    rb_small_open(i->small, &ode, &o);
    rb_small_start(i->small, t, s->z, RB_SMALL_AUTO, 0);
    i->q_from = t;
}

static RbStatus make_islands(RbIslands *s, double t, const double *x) {
    for (int root = 0; root < s->unit_count; root++) {
        if (s->link[root] != root || s->units[root].island) continue;
        int n = 0;
        for (int k = root; k < s->unit_count; k++) {
            if (s->link[k] == root) n += s->units[k].count;
        }
        if (n > LARGEST) {
            return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                           "at t = %.10g s %d states influence each other, more than islands are "
                           "made for (%d); use the "
                           "solver 'cvode'",
                           t, n, LARGEST);
        }
        Island *i = take(s, n);
        fill(s, i, root);
        start(s, i, t, x);
        s->islands[s->count++] = i;
    }
    return RB_OK;
}

// ---- stepping

// The island that is furthest behind.
static Island *find_last(const RbIslands *s) {
    Island *last = s->islands[0];
    for (int k = 1; k < s->count; k++) {
        if (island_end(s->islands[k]) < island_end(last)) last = s->islands[k];
    }
    return last;
}

static Island *find_event(const RbIslands *s, double until) {
    Island *first = NULL;
    for (int k = 0; k < s->count; k++) {
        Island *i = s->islands[k];
        if (i->found && i->watch.time <= until && (!first || i->watch.time < first->watch.time))
            first = i;
    }
    return first;
}

// Nothing happens before t_stop: islands that have run ahead come back.
static RbStatus end_at(RbIslands *s, double t_stop, RbStop *stop) {
    for (int k = 0; k < s->count; k++) {
        Island *i = s->islands[k];
        if (island_end(i) <= t_stop) continue;
        RB_TRY(rb_small_retake(i->small, t_stop, s->diag));
        RB_TRY(rb_island_check_start(i)); // what it had found was later
    }
    s->time = t_stop;
    *stop = (RbStop){.why = RB_STOP_END, .t = t_stop};
    return RB_OK;
}

RbStatus rb_islands_step(RbIslands *s, double t_stop, RbStop *stop) {
    if (s->count == 0) return end_at(s, t_stop, stop);
    Island *last = find_last(s);
    Island *event = find_event(s, fmin(island_end(last), t_stop));
    if (!event) {
        if (island_end(last) >= t_stop) return end_at(s, t_stop, stop);
        RB_TRY(integrate_quadratures(last, island_end(last)));
        RB_TRY(rb_small_step(last->small, t_stop, s->diag));
        RB_TRY(rb_island_check(last, island_start(last)));
        last = find_last(s);
        event = find_event(s, fmin(island_end(last), t_stop));
    }
    if (event) {
        double t;
        RB_TRY(rb_island_meet(event, &t));
        s->time = fmax(t, s->time);
        *stop = (RbStop){.why = RB_STOP_ROOT, .t = s->time, .roots = s->roots};
        return RB_OK;
    }
    if (island_end(last) >= t_stop) return end_at(s, t_stop, stop);
    s->time = island_end(last);
    *stop = (RbStop){.why = RB_STOP_STEP, .t = s->time};
    return RB_OK;
}

// ---- looking at the solution

void rb_islands_interpolate(RbIslands *s, double t, double *x) {
    for (int k = 0; k < s->unit_count; k++) {
        const Unit *u = &s->units[k];
        rb_unit_states(u, t, s->z);
        for (int j = 0; j < u->count; j++) x[u->states[j]] = s->z[j];
    }
}

// Gauss' rule with three points on the dense output, as for one solver: adds the island's share of
// its component's quadratures.
static int add_share(Island *i, double from, double until, int first, int count) {
    static const double point[] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    RbIslands *s = i->owner;
    for (int k = 0; k < 3; k++) {
        double t = from + point[k] * (until - from);
        rb_island_place(i, t);
        int answer = rb_island_evaluate(i, RB_WANT_DERIVATIVES, t);
        if (answer != 0) return answer;
        for (int j = first; j < first + count; j++)
            s->q[j] += weight[k] * (until - from) * s->dq[j];
    }
    return 0;
}

// At an event the discrete values have changed already when an island is told that it must start
// anew: its share up to there is that of the old ones.
static RbStatus integrate_quadratures(Island *i, double until) {
    RbIslands *s = i->owner;
    double from = i->q_from;
    int first = i->part == RB_NONE ? 0 : s->system->parts[i->part].q;
    int count = i->part == RB_NONE ? s->system->q_count
                                   : s->system->parts[i->part].segment->quadratures.count;
    if (!(until > from)) return RB_OK;
    i->q_from = until;
    if (count == 0) return RB_OK;
    const double *present = s->evaluator->d;
    s->evaluator->d = s->d;
    int answer = add_share(i, from, until, first, count);
    s->evaluator->d = present;
    if (answer == 0) return RB_OK;
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "quadratures cannot be evaluated before t = %.12g s", until);
}

RbStatus rb_islands_quadrature(RbIslands *s, double t, double *q) {
    for (int k = 0; k < s->count; k++)
        RB_TRY(integrate_quadratures(s->islands[k], fmin(t, island_end(s->islands[k]))));
    memcpy(q, s->q, (size_t)s->system->q_count * sizeof *q);
    return RB_OK;
}

void rb_islands_set_quadrature(RbIslands *s, const double *q) {
    memcpy(s->q, q, (size_t)s->system->q_count * sizeof *q);
}

int rb_islands_count(const RbIslands *s) {
    return s->count;
}

RbSolverStats rb_islands_stats(const RbIslands *s) {
    RbSolverStats sum = s->finished;
    for (int k = 0; k < s->count; k++) add_stats(&sum, s->islands[k]->small);
    return sum;
}
