// SPDX-License-Identifier: MIT
// Which units are islands together: at the start, and after events (docs/theory/islands.md).
#include <math.h>
#include <string.h>

#include "sim/island_data.h"

// Islands are reused by others of about their size.
enum { CLASS_SIZE = 16 };

// ---- units

// How the states of a part fall into units: by group, or all into one.
static void add_units(RbIslands *s, int part, int count, RbArena *arena) {
    const RbSystemPart *p = &s->system->parts[part];
    const RbSegment *segment = p->segment;
    bool whole = count == 1 && !p->instance->type->islands;
    Unit *units = s->units + s->unit_count;
    for (int g = 0; g < count; g++) units[g] = (Unit){.part = part, .group = whole ? RB_NONE : g};
    for (int k = 0; k < segment->states.count; k++)
        units[whole ? 0 : segment->states.data[k].group].count++;
    for (int g = 0; g < count; g++) {
        units[g].states = rb_new_array(arena, int, units[g].count);
        units[g].count = 0;
    }
    for (int k = 0; k < segment->states.count; k++) {
        Unit *u = &units[whole ? 0 : segment->states.data[k].group];
        u->states[u->count++] = p->x + k;
    }
    for (int g = 0; g < segment->group_count; g++)
        s->unit_of_group[p->group + g] = s->unit_count + (whole ? 0 : g);
    s->unit_count += count;
}

// The groups of a part that go with the equations; list == NULL: all of it does.
static RbGroupList marked(const RbSystemPart *p, bool *marks, RbArena *arena) {
    RbGroupList g = {0};
    const RbIslandTable *table = p->instance->type->islands;
    if (!table || !table->apart || !table->apart(p->instance->self, marks)) return g;
    g.list = rb_new_array(arena, int, p->segment->group_count + 1);
    for (int k = 0; k < p->segment->group_count; k++) {
        if (marks[k]) g.list[g.count++] = k;
    }
    return g;
}

static void add_state(RbIslands *s, int state) {
    Unit *u = &s->units[0];
    u->states[u->count++] = state;
}

// The equations and what they reach are the first unit; what they do not reach falls into its groups.
static void add_driven(RbIslands *s, RbArena *arena) {
    const RbSystem *system = s->system;
    bool *marks = rb_new_array(arena, bool, system->group_count + 1);
    s->units[0] = (Unit){
        .part = RB_NONE, .group = RB_NONE, .states = rb_new_array(arena, int, system->x_count)};
    s->unit_count = 1;
    s->of_equations = rb_new_array(arena, RbGroupList, system->part_count);
    for (int i = 0; i < system->part_count; i++) {
        const RbSystemPart *p = &system->parts[i];
        RbGroupList *with = &s->of_equations[i];
        bool *own = marks + p->group;
        if (i != system->model->driver) *with = marked(p, own, arena);
        s->is_apart |= with->list != NULL;
        if (with->list) {
            add_units(s, i, p->segment->group_count, arena);
            for (int k = 0; k < with->count; k++) s->unit_of_group[p->group + with->list[k]] = 0;
        }
        for (int k = 0; k < p->segment->states.count; k++) {
            if (!with->list || own[p->segment->states.data[k].group]) add_state(s, p->x + k);
        }
        for (int g = 0; !with->list && g < p->segment->group_count; g++)
            s->unit_of_group[p->group + g] = 0;
    }
}

// Units of groups that went with the equations are none.
static void close_gaps(RbIslands *s) {
    int count = 1;
    for (int k = 1; k < s->unit_count; k++) {
        const Unit *u = &s->units[k];
        int group = s->system->parts[u->part].group + u->group;
        if (s->unit_of_group[group] == 0) continue;
        s->units[count] = *u;
        s->unit_of_group[group] = count++;
    }
    s->unit_count = count;
}

bool rb_islands_beside_equations(const RbSystem *system) {
    for (int i = 0; i < system->part_count; i++) {
        const RbSystemPart *p = &system->parts[i];
        const RbIslandTable *table = p->instance->type->islands;
        if (i == system->model->driver || !table || !table->apart) continue;
        bool *marks = rb_new_array(p->segment->arena, bool, p->segment->group_count + 1);
        if (table->apart(p->instance->self, marks)) return true;
    }
    return false;
}

void rb_islands_make_units(RbIslands *s, RbArena *arena) {
    const RbSystem *system = s->system;
    s->unit_of_group = rb_new_array(arena, int, system->group_count);
    s->units = rb_new_array(arena, Unit, system->group_count + system->part_count + 1);
    s->class_count = (system->x_count + system->group_count) / CLASS_SIZE + 2;
    s->free_islands = rb_new_array(arena, Island *, 3 * s->class_count); // crowds behind the others
    if (rb_model_is_driven(system->model)) {
        add_driven(s, arena);
        close_gaps(s);
        return;
    }
    for (int i = 0; i < system->part_count; i++) {
        const RbSystemPart *p = &system->parts[i];
        if (i == system->model->driver) continue; // it only watches
        add_units(s, i, p->instance->type->islands ? p->segment->group_count : 1, arena);
    }
}

// ---- which units are looked at

static void touch_all(RbIslands *s) {
    for (int k = 0; k < s->unit_count; k++) {
        s->touched[k] = k;
        s->is_touched[k] = true;
    }
    s->touched_count = s->unit_count;
}

// Units of both islands, merged in increasing order: each has its own in order.
static void touch_concerned(RbIslands *s) {
    static Island nobody;
    const Island *a = s->concerned[0], *b = s->concerned_count > 1 ? s->concerned[1] : &nobody;
    int i = 0, j = 0;
    s->touched_count = 0;
    while (i < a->unit_count || j < b->unit_count) {
        bool first = j == b->unit_count || (i < a->unit_count && a->units[i] < b->units[j]);
        int unit = first ? a->units[i++] : b->units[j++];
        s->touched[s->touched_count++] = unit;
        s->is_touched[unit] = true;
    }
}

static void touch_none(RbIslands *s) {
    for (int k = 0; k < s->touched_count; k++)
        s->is_touched[s->touched[k]] = s->restart[s->touched[k]] = false;
    s->touched_count = 0;
}

// ---- which units are linked: union-find with the smallest unit as root

static int root_of(const RbIslands *s, int k) {
    while (s->link[k] != k) k = s->link[k];
    return k;
}

typedef struct Linking {
    RbIslands *islands;
    const RbSystemPart *part;
} Linking;

static void link_groups(void *user, int group_a, int group_b) {
    const Linking *l = user;
    RbIslands *s = l->islands;
    int a = s->unit_of_group[l->part->group + group_a],
        b = s->unit_of_group[l->part->group + group_b];
    if (!s->is_touched[a] || !s->is_touched[b]) {
        s->escaped = s->escaped || s->is_touched[a] || s->is_touched[b];
        return;
    }
    a = root_of(s, a);
    b = root_of(s, b);
    if (a < b)
        s->link[b] = a;
    else
        s->link[a] = b;
}

// Touched units of one part, which begin at *k.
static void link_part(RbIslands *s, int *k) {
    int part = s->units[s->touched[*k]].part, count = 0, from = *k;
    for (; *k < s->touched_count && s->units[s->touched[*k]].part == part; ++*k) {
        if (s->units[s->touched[*k]].group != RB_NONE)
            s->groups[count++] = s->units[s->touched[*k]].group;
    }
    if (count == 0) return; // it has no links
    const RbSystemPart *p = &s->system->parts[part];
    Linking linking = {s, p};
    RbLinks links = {.discrete = s->evaluator->d + p->d,
                     .workspace = s->evaluator->workspace + p->workspace,
                     .user = &linking,
                     .link = link_groups};
    if (*k - from < s->unit_count) {
        links.groups = s->groups;
        links.group_count = count;
    }
    p->instance->type->islands->links(p->instance->self, &links);
}

static void find_links(RbIslands *s) {
    s->escaped = false;
    for (int k = 0; k < s->touched_count; k++) {
        int unit = s->touched[k];
        s->link[unit] = unit;
        s->size[unit] = s->states[unit] = 0;
    }
    for (int k = 0; k < s->touched_count;) link_part(s, &k);
    for (int k = 0; k < s->touched_count; k++) {
        int unit = s->touched[k], root = s->link[unit] = root_of(s, unit);
        s->size[root]++;
        s->states[root] += s->units[unit].count;
    }
}

// ---- islands come and go

void rb_island_add_stats(RbSolverStats *sum, const RbSmall *small) {
    RbSmallStats a = rb_small_stats(small);
    sum->restarts += a.starts;
    sum->steps += a.steps;
    sum->derivatives += a.derivatives;
    sum->jacobians += a.jacobians;
    sum->linear_setups += a.factorisations;
    sum->error_test_failures += a.rejected;
}

static bool stays(const RbIslands *s, const Island *i) {
    int root = s->link[i->units[0]];
    if (s->size[root] != i->unit_count) return false;
    for (int k = 0; k < i->unit_count; k++) {
        if (s->restart[i->units[k]] || s->link[i->units[k]] != root) return false;
    }
    return true;
}

static void retire(RbIslands *s, Island *i) {
    rb_island_add_stats(&s->finished, i->small);
    rb_queue_remove(&s->ends, i->units[0]);
    rb_queue_remove(&s->events, i->units[0]);
    rb_queue_remove(&s->stale, i->units[0]);
    for (int k = 0; k < i->unit_count; k++) {
        s->units[i->units[k]].island = NULL;
        s->restart[i->units[k]] = true;
    }
    i->next_free = s->free_islands[i->size_class];
    s->free_islands[i->size_class] = i;
}

static Island *take(RbIslands *s, int states, int units, bool crowd) {
    int size_class = (states > units ? states : units) / CLASS_SIZE + 1;
    if (crowd) { // few sizes: a crowd that grows has had all of them
        int power = 1;
        while (power < size_class) power *= 2;
        size_class = power;
    }
    int capacity = size_class * CLASS_SIZE;
    if (crowd) size_class += s->class_count;
    Island *i = s->free_islands[size_class];
    if (i) {
        s->free_islands[size_class] = i->next_free;
        return i;
    }
    i = rb_new(s->arena, Island);
    i->size_class = size_class;
    i->crowd = crowd;
    i->states = rb_new_array(s->arena, int, capacity);
    i->units = rb_new_array(s->arena, int, capacity);
    i->unit_ends = rb_new_array(s->arena, int, capacity);
    i->group_memory = rb_new_array(s->arena, int, capacity);
    i->relative = rb_new_array(s->arena, double, capacity);
    i->absolute = rb_new_array(s->arena, double, capacity);
    i->small = rb_small_create(capacity, !crowd, s->arena);
    return i;
}

static void add_unit(RbIslands *s, Island *i, int unit) {
    Unit *u = &s->units[unit];
    u->first = i->n;
    u->island = i;
    i->units[i->unit_count] = unit;
    if (u->group != RB_NONE) i->groups[i->group_count++] = u->group;
    for (int j = 0; j < u->count; j++) i->states[i->n++] = u->states[j];
    i->unit_ends[i->unit_count++] = i->n;
}

// Can the units of a root be an island of any size?
static bool is_crowd(RbIslands *s, int root) {
    int part = s->units[root].part, count = 0;
    if (part == RB_NONE || s->units[root].group == RB_NONE) return false;
    const RbInstance *c = s->system->parts[part].instance;
    if (!c->type->islands->crowd) return false;
    for (int k = 0; k < s->touched_count; k++) {
        if (s->link[s->touched[k]] == root) s->groups[count++] = s->units[s->touched[k]].group;
    }
    return c->type->islands->crowd(c->self, s->groups, count, s->options.tolerance);
}

// An empty island for the units of a root.
static Island *found_island(RbIslands *s, int root) {
    Island *i = take(s, s->states[root], s->size[root], is_crowd(s, root));
    i->owner = s;
    i->part = s->units[root].part;
    i->unit_count = i->group_count = i->n = 0;
    i->found = false;
    i->groups = s->units[root].group == RB_NONE ? NULL : i->group_memory;
    return i;
}

static bool moves_by_itself(const RbIslands *s, const Island *i) {
    const RbInstance *c = s->system->parts[i->part].instance;
    int q, q_count = rb_island_quadrature_range(i, &q);
    return c->type->islands->advances && q_count <= RB_SMALL_RATES &&
           c->type->islands->advances(c->self, i->groups, i->group_count, s->options.tolerance);
}

static bool explains(void *user) {
    const Island *i = user;
    return rb_evaluator_knows_why(i->owner->evaluator);
}

static const char *state_name(void *user, int index) {
    const Island *i = user;
    return rb_system_own_state_name(i->owner->system, i->states[index]);
}

static void start(RbIslands *s, Island *i, double t, const double *x) {
    for (int k = 0; k < i->n; k++) {
        i->relative[k] = s->options.relative[i->states[k]];
        i->absolute[k] = s->options.absolute[i->states[k]];
        s->z[k] = x[i->states[k]];
    }
    int q, q_count = rb_island_quadrature_range(i, &q);
    i->moves = i->crowd && moves_by_itself(s, i);
    bool jacobian = i->groups && rb_part_has_group_jacobian(s->evaluator, i->part);
    RbSmallOde ode = {
        .n = i->n,
        .user = i,
        .derivative = rb_island_derivative,
        .jacobian = jacobian ? rb_island_jacobian : NULL,
        .autonomous = i->part != RB_NONE && s->system->parts[i->part].segment->autonomous,
        .jacobian_cost = i->part != RB_NONE ? s->system->parts[i->part].segment->jacobian_cost : 0,
        .rates = s->dq + q,
        .rate_count = q_count <= RB_SMALL_RATES ? q_count : 0,
        .loose = s->system->q_loose + q,
        .advance = i->moves ? rb_island_advance : NULL,
        .explains = explains,
        .state_name = state_name};
    RbSmallOptions o = {.tolerance = s->options.tolerance,
                        .relative = i->relative,
                        .absolute = i->absolute,
                        .max_step = s->options.max_step,
                        .part_ends = i->crowd ? i->unit_ends : NULL,
                        .part_count = i->unit_count};
    double step = i->crowd && s->hint > 0 ? s->hint : s->options.initial_step;
    if (isfinite(s->first_step)) step = step > 0 ? fmin(step, s->first_step) : s->first_step;
    rb_small_open(i->small, &ode, &o);
    rb_small_start(i->small, t, s->z, RB_SMALL_AUTO, step);
    i->q_from = t;
}

// Islands for all touched units that have none: roots come first.
static void make_islands(RbIslands *s) {
    for (int k = 0; k < s->touched_count; k++) {
        int unit = s->touched[k];
        if (s->units[unit].island) continue;
        Island *i = s->link[unit] == unit ? found_island(s, unit) : island_of(s, s->link[unit]);
        add_unit(s, i, unit);
        s->restart[unit] = true;
    }
}

// The first touched unit from *k on that is the first of an island that starts anew.
static Island *next_started(const RbIslands *s, int *k) {
    for (; *k < s->touched_count; ++*k) {
        int unit = s->touched[*k];
        if (s->restart[unit] && island_of(s, unit)->units[0] == unit)
            return island_of(s, s->touched[(*k)++]);
    }
    return NULL;
}

static RbStatus start_islands(RbIslands *s, double t, const double *x) {
    Island *i;
    for (int k = 0; (i = next_started(s, &k));) start(s, i, t, x);
    for (int k = 0; (i = next_started(s, &k));) {
        RB_TRY(rb_island_check_start(i));
        rb_island_moved(i);
    }
    return RB_OK;
}

// ---- restart

int rb_islands_overflow(const RbIslands *s) {
    return s->overflow;
}

static int find_overflow(RbIslands *s) {
    for (int k = 0; k < s->touched_count; k++) {
        int unit = s->touched[k];
        if (s->link[unit] == unit && s->states[unit] > s->largest && !is_crowd(s, unit))
            return s->states[unit];
    }
    return 0;
}

// Touched units: those in s->restart start anew, and all whose company has changed.
static RbStatus form_islands(RbIslands *s, double t, const double *x) {
    find_links(s);
    if (s->escaped) {
        touch_all(s);
        find_links(s);
    }
    s->overflow = find_overflow(s);
    if (s->overflow == 0) {
        for (int k = 0; k < s->touched_count; k++) {
            Island *i = island_of(s, s->touched[k]);
            if (i && !stays(s, i)) retire(s, i);
        }
        make_islands(s);
        RB_TRY(start_islands(s, t, x));
        rb_islands_void_events(s, s->restart, -INFINITY);
        RB_TRY(rb_islands_look_again(s, t));
    }
    touch_none(s);
    if (s->overflow == 0) s->event.part = RB_NONE; // its islands may be others now
    return RB_OK;
}

static void mark_changed(RbIslands *s, double t, const double *x) {
    for (int k = 0; k < s->unit_count; k++) {
        const Unit *u = &s->units[k];
        if (s->restart[k]) continue;
        rb_unit_look(s, u, t, s->z);
        for (int j = 0; j < u->count; j++) {
            if (memcmp(&s->z[j], &x[u->states[j]], sizeof *x) != 0) s->restart[k] = true;
        }
    }
}

RbStatus rb_islands_restart(RbIslands *s, double t, const double *x, const bool *groups) {
    s->time = t;
    touch_all(s);
    for (int k = 0; k < s->unit_count; k++) s->restart[k] = !groups || !s->units[k].island;
    for (int g = 0; groups && g < s->system->group_count; g++) {
        if (groups[g]) s->restart[s->unit_of_group[g]] = true;
    }
    mark_changed(s, t, x);
    return form_islands(s, t, x);
}

// A crowd that somebody joins or leaves goes on with its step size: to choose one would cost as
// much as a third of a step.
static double step_of_crowds(const RbIslands *s) {
    double least = INFINITY;
    for (int k = 0; k < s->concerned_count; k++) {
        const Island *i = s->concerned[k];
        double next = rb_small_next_step(i->small);
        if (i->crowd && next > 0) least = fmin(least, next);
    }
    return isfinite(least) ? least : 0;
}

void rb_islands_first_step(RbIslands *s, double step) {
    s->first_step = step;
}

RbStatus rb_islands_restart_event(RbIslands *s, const double *x, const bool *groups) {
    s->hint = step_of_crowds(s);
    touch_concerned(s);
    for (int k = 0; k < 2; k++) {
        int g = s->event.watch.groups[k];
        if (g == RB_NONE) continue;
        g += s->system->parts[s->event.part].group;
        if (groups[g]) s->restart[s->unit_of_group[g]] = true;
    }
    RB_TRY(form_islands(s, s->time, x));
    s->hint = 0;
    return RB_OK;
}
