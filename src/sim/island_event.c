// SPDX-License-Identifier: MIT
// Events of islands: found along dense outputs, met by taking steps again.
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/island_data.h"

static const double MET =
    0.25; // a watched function this close to zero: the event is met (component.h)
static const double ROOT_WIDTH =
    100; // an indicator is located to this many units of rounding in time, as in SUNDIALS
enum { MAX_TRIES = 80 };

// ---- a zero between two times

// Regula falsi on [lo, hi] with v(lo) > 0 > v(hi), as modified by Illinois: an end that stays for
// the second time counts half. Tries keep half the wanted width away from the ends, so that the
// bracket itself shrinks to that width.
typedef struct Bracket {
    double lo, hi, v_lo, v_hi;
    double width; // [s]
    int stayed;   // > 0: lo did, < 0: hi did
} Bracket;

static double bracket_try(const Bracket *b) {
    double t = b->lo + (b->hi - b->lo) * b->v_lo / (b->v_lo - b->v_hi);
    if (!(t > b->lo && t < b->hi)) t = 0.5 * (b->lo + b->hi);
    double away = fmin(0.5 * b->width, 0.25 * (b->hi - b->lo));
    return fmin(fmax(t, b->lo + away), b->hi - away);
}

static void bracket_put(Bracket *b, double t, double v) {
    if (v > 0) {
        b->lo = t, b->v_lo = v;
        if (b->stayed < 0) b->v_hi *= 0.5;
        b->stayed = -1;
    } else {
        b->hi = t, b->v_hi = v;
        if (b->stayed > 0) b->v_lo *= 0.5;
        b->stayed = 1;
    }
}

// ---- indicators

static bool watches_itself(const Island *i) {
    if (i->part == RB_NONE) return false;
    const RbIslandTable *table = i->owner->system->parts[i->part].instance->type->islands;
    return table && table->watch;
}

// Indicators that belong to the island: from *first on *count, of which owns() tells.
static void indicator_range(const Island *i, int *first, int *count) {
    const RbSystem *system = i->owner->system;
    int part = i->part == RB_NONE && i->owner->is_apart ? system->model->driver : i->part;
    bool all = part == RB_NONE;
    *first = all ? 0 : system->parts[part].z;
    *count = all ? system->z_count : system->parts[part].segment->indicators.count;
    if (watches_itself(i)) *count = 0;
}

static bool owns(const Island *i, int z) {
    if (!i->groups) return true;
    const RbSystemPart *p = &i->owner->system->parts[i->part];
    int group = p->segment->indicators.data[z - p->z].group;
    for (int k = 0; k < i->group_count; k++) {
        if (i->groups[k] == group) return true;
    }
    return false;
}

// Values at a time inside the step, to s->z.
static RbStatus evaluate_indicators(Island *i, double t) {
    RbIslands *s = i->owner;
    int answer;
    rb_island_place(i, t);
    if (i->part == RB_NONE && !s->is_apart)
        answer = rb_evaluate_indicators(s->evaluator, t, s->x, NULL, s->z);
    else {
        int part = i->part == RB_NONE ? s->system->model->driver : i->part;
        answer = rb_island_evaluate(i, RB_WANT_INDICATORS, t);
        if (answer == 0)
            answer =
                rb_evaluate_part_indicators(s->evaluator, part, s->z + s->system->parts[part].z);
    }
    if (answer == 0) return RB_OK;
    if (rb_evaluator_knows_why(s->evaluator)) return RB_ERROR_SOLVER;
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "event indicators cannot be evaluated at t = %.12g s", t);
}

// +1 rose, -1 fell, 0 neither, or not in a direction that matters. What was zero has not been
// watched yet.
static int crossing(const RbIslands *s, int z) {
    double before = s->z_last[z], now = s->z[z];
    if (before == 0 || (now != 0 && (before > 0) == (now > 0))) return 0;
    int sign = before > 0 ? -1 : 1, direction = s->system->direction[z];
    return direction == 0 || direction == sign ? sign : 0;
}

// Smallest of all indicators that cross, counted positive before they do: its zero is the first
// crossing.
static double first_crossing(Island *i) {
    const RbIslands *s = i->owner;
    int first, count;
    double least = INFINITY;
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) {
        if (s->crossed[z] && owns(i, z))
            least = fmin(least, s->crossed[z] < 0 ? s->z[z] : -s->z[z]);
    }
    return least;
}

// Mark what crosses between z_last and z; true if something does.
static bool mark_crossings(Island *i) {
    RbIslands *s = i->owner;
    int first, count;
    bool any = false;
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) {
        if (!owns(i, z)) continue;
        s->crossed[z] = (signed char)crossing(s, z);
        any = any || s->crossed[z] != 0;
    }
    return any;
}

static void keep_indicators(Island *i) {
    RbIslands *s = i->owner;
    int first, count;
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) {
        if (owns(i, z)) s->z_last[z] = s->z[z];
    }
}

// Something crosses between lo and hi: end the step right behind the first crossing.
static RbStatus end_at_crossing(Island *i, double lo, double v_lo, double hi) {
    RbIslands *s = i->owner;
    double width = ROOT_WIDTH * DBL_EPSILON * (fabs(hi) + (hi - island_start(i)));
    Bracket b = {lo, hi, fmax(v_lo, DBL_MIN), first_crossing(i), width, 0};
    for (int tries = 0; b.hi - b.lo > width && tries < MAX_TRIES; tries++) {
        double t = bracket_try(&b);
        RB_TRY(rb_small_retake(i->small, t, s->diag));
        s->retakes++;
        RB_TRY(evaluate_indicators(i, t));
        double v = first_crossing(i);
        bracket_put(&b, t, v);
        if (v == 0) break;
    }
    if (island_end(i) != b.hi) RB_TRY(rb_small_retake(i->small, b.hi, s->diag));
    RB_TRY(evaluate_indicators(i, b.hi));
    mark_crossings(i);
    keep_indicators(i);
    i->found = i->by_root = true;
    i->watch = (RbWatch){.time = b.hi, .groups = {RB_NONE, RB_NONE}};
    return RB_OK;
}

// An indicator that was zero at the start is watched from where it has left zero.
static bool starts_at_zero(const Island *i) {
    const RbIslands *s = i->owner;
    int first, count;
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) {
        if (s->z_last[z] == 0 && owns(i, z)) return true;
    }
    return false;
}

static double nearest_zero(const Island *i) {
    const RbIslands *s = i->owner;
    int first, count;
    double least = INFINITY;
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) {
        if (s->crossed[z] && owns(i, z)) least = fmin(least, fabs(s->z_last[z]));
    }
    return least;
}

// The step is looked at in a few places, lest two crossings cancel.
static RbStatus check_roots(Island *i) {
    static const double places[] = {1e-4, 0.1, 0.4, 0.7, 1};
    int first, count;
    indicator_range(i, &first, &count);
    if (count == 0) return RB_OK;
    double t0 = island_start(i), t1 = island_end(i), lo = t0;
    for (int k = starts_at_zero(i) ? 0 : 2; k < 5; k++) {
        double t = k == 4 ? t1 : t0 + places[k] * (t1 - t0);
        RB_TRY(evaluate_indicators(i, t));
        if (mark_crossings(i)) return end_at_crossing(i, lo, nearest_zero(i), t);
        keep_indicators(i);
        lo = t;
    }
    return RB_OK;
}

// ---- watches

static RbStatus meet(Island *island, double from);

static RbStepView step_of(const Island *i, double t0) {
    const RbIslands *s = i->owner;
    const RbSystemPart *p = &s->system->parts[i->part];
    return (RbStepView){.t0 = t0,
                        .t1 = island_end(i),
                        .discrete = s->evaluator->d + p->d,
                        .groups = i->groups,
                        .group_count = i->group_count,
                        .workspace = s->evaluator->workspace + p->workspace,
                        .host = &s->evaluator->hosts[i->part]};
}

// The first event along the step, which is met at once: its time in the queue is exact.
static RbStatus look(Island *i, double t0) {
    const RbInstance *c = i->owner->system->parts[i->part].instance;
    RbStepView step = step_of(i, t0);
    i->owner->last_x = NULL; // bodies are placed elsewhere
    i->by_root = false;
    i->found = c->type->islands->watch(c->self, &step, &i->watch) && i->watch.time >= t0;
    if (i->owner->evaluator->step_failed) return RB_ERROR_SOLVER;
    return i->found ? meet(i, t0) : RB_OK;
}

// ---- what indicators do not show

// Everything is one island, and components look at its step as they do at that of one solver for all.
// The step ends at what they find. Made anew up to there it may not come as far: then the event is nothing, and the next step, which is short, will
// meet it.
static RbStatus check_inside(Island *i) {
    RbIslands *s = i->owner;
    int indicator = RB_NONE, sign = 0;
    s->last_x = NULL; // bodies are placed elsewhere
    s->evaluator->solver = NULL;
    double t =
        rb_evaluator_inspect(s->evaluator, island_start(i), island_end(i), &indicator, &sign);
    if (s->evaluator->step_failed) return RB_ERROR_SOLVER;
    if (!(t <= island_end(i))) return RB_OK;
    if (t < island_end(i)) {
        memset(s->crossed, 0, (size_t)s->system->z_count * sizeof *s->crossed);
        RB_TRY(rb_small_retake(i->small, t, s->diag));
        s->retakes++;
    }
    RB_TRY(evaluate_indicators(i, t));
    keep_indicators(i);
    if (indicator != RB_NONE) s->crossed[indicator] = (signed char)sign;
    i->found = i->by_root = true;
    i->watch = (RbWatch){.time = t, .groups = {RB_NONE, RB_NONE}};
    return RB_OK;
}

RbStatus rb_island_check(Island *i, double t0) {
    if (!watches_itself(i)) {
        RB_TRY(check_roots(i));
        return i->part == RB_NONE && !i->owner->is_apart ? check_inside(i) : RB_OK;
    }
    RB_TRY(look(i, t0));
    return rb_islands_look_again(i->owner, t0);
}

RbStatus rb_island_check_start(Island *i) {
    int first, count;
    double t = island_end(i);
    i->found = false;
    if (watches_itself(i)) RB_TRY(look(i, t));
    indicator_range(i, &first, &count);
    if (count == 0) return RB_OK;
    RB_TRY(evaluate_indicators(i, t));
    keep_indicators(i);
    return RB_OK;
}

// ---- events that are void

static bool concerns_marked(const Island *i, const bool *marked) {
    const RbIslands *s = i->owner;
    for (int k = 0; k < 2; k++) {
        int g = i->watch.groups[k];
        if (g != RB_NONE && marked[s->unit_of_group[s->system->parts[i->part].group + g]])
            return true;
    }
    return false;
}

void rb_islands_void_events(RbIslands *s, const bool *marked, double after) {
    for (int k = 0; k < s->events.count; k++) {
        int item = s->events.heap[k].item;
        const Island *i = island_of(s, item);
        if (!i->by_root && i->watch.time > after && concerns_marked(i, marked))
            rb_queue_set(&s->stale, item, 0);
    }
    for (int k = 0; k < s->stale.count; k++) {
        Island *i = island_of(s, s->stale.heap[k].item);
        i->found = false;
        rb_island_moved(i);
    }
}

// To meet the event of one may shorten the steps of others that wait here: the smallest number goes
// first, so that the outcome does not depend on the order of the queue of events.
RbStatus rb_islands_look_again(RbIslands *s, double t) {
    while (s->stale.count > 0) {
        Island *i = island_of(s, s->stale.heap[0].item);
        rb_queue_remove(&s->stale, i->units[0]);
        double from = fmax(t, island_start(i));
        if (island_end(i) >= from) RB_TRY(look(i, from)); // also where it has just started
        rb_island_moved(i);
    }
    return RB_OK;
}

// ---- meeting

static void set_roots(RbIslands *s, Island *i) {
    int first, count;
    memset(s->roots, 0, (size_t)s->system->z_count * sizeof *s->roots);
    if (!i->by_root) {
        if (i->watch.indicator != RB_NONE)
            s->roots[s->system->parts[i->part].z + i->watch.indicator] = i->watch.sign;
        return;
    }
    indicator_range(i, &first, &count);
    for (int z = first; z < first + count; z++) s->roots[z] = owns(i, z) ? s->crossed[z] : 0;
}

// The one or two islands whose states decide.
static int concerned(Island *i, Island *out[2]) {
    RbIslands *s = i->owner;
    int count = 0;
    for (int k = 0; k < 2; k++) {
        if (i->watch.groups[k] == RB_NONE) continue;
        Island *a =
            s->units[s->unit_of_group[s->system->parts[i->part].group + i->watch.groups[k]]].island;
        if (count == 0 || out[0] != a) out[count++] = a;
    }
    return count;
}

typedef struct Meeting {
    Island *finder;
    Island *islands[2];
    int count;
    double from; // [s] nothing has happened until here
    RbWatch watch;
} Meeting;

static double watched(const Meeting *m, double t) {
    const RbInstance *c = m->finder->owner->system->parts[m->finder->part].instance;
    RbStepView step = step_of(m->finder, t);
    m->finder->owner->last_x = NULL;
    return c->type->islands->watched(c->self, &step, &m->watch, t);
}

static RbStatus bring(const Meeting *m, double t) {
    for (int k = 0; k < m->count; k++) {
        if (island_end(m->islands[k]) == t) continue;
        m->finder->owner->retakes++;
        RB_TRY(rb_small_retake(m->islands[k]->small, t, m->finder->owner->diag));
    }
    return RB_OK;
}

// Newton's method would need the derivative; the secant through both ends of the bracket, once the
// guess from the dense output has been tried, needs two or three steps taken again.
static RbStatus meet_watch(const Meeting *m, double *t) {
    double lo = m->from, hi = INFINITY;
    for (int k = 0; k < m->count; k++) {
        lo = fmax(lo, island_start(m->islands[k]));
        hi = fmin(hi, island_end(m->islands[k]));
    }
    Bracket b = {lo, hi, watched(m, lo), watched(m, hi), 4 * DBL_EPSILON * fabs(hi), 0};
    bool gone = !(
        b.v_hi < 0); // again at the end of the step; then it may last for less than this part of it
    double guess = fmin(gone ? m->watch.time : fmax(m->watch.time, lo + 1e-6 * (hi - lo)), hi);
    if (guess <= lo) guess = nextafter(lo, hi); // a step must have a length
    if (gone) b.hi = guess, b.v_hi = fmin(watched(m, guess), -MET);
    for (int tries = 0; tries < MAX_TRIES && b.hi - b.lo > b.width; tries++) {
        RB_TRY(bring(m, guess));
        double v = watched(m, guess);
        *t = guess;
        if (fabs(v) <= MET || !(b.v_lo > 0))
            return RB_OK;                         // met, or it was below zero from the start
        if (v > 0 && guess >= b.hi) return RB_OK; // only the dense output saw it: nothing happens
        bracket_put(&b, guess, v);
        guess = bracket_try(&b);
    }
    *t = b.hi;
    return bring(m, b.hi);
}

// The steps of these islands are shorter now: what was found with them at a later time is void.
static void shorten(const Meeting *m, double t) {
    RbIslands *s = m->finder->owner;
    for (int k = 0; k < m->count; k++) {
        Island *i = m->islands[k];
        rb_island_moved(i);
        for (int j = 0; j < i->unit_count; j++) s->shorter[i->units[j]] = true;
    }
    rb_islands_void_events(s, s->shorter, t);
    for (int k = 0; k < m->count; k++) {
        const Island *i = m->islands[k];
        for (int j = 0; j < i->unit_count; j++) s->shorter[i->units[j]] = false;
    }
}

// Bring all that the event concerns to its time, exactly. There they wait until all others have
// come as far.
static RbStatus meet(Island *i, double from) {
    Meeting m = {.finder = i, .from = from, .watch = i->watch};
    m.count = concerned(i, m.islands);
    RB_TRY(meet_watch(&m, &i->watch.time));
    shorten(&m, i->watch.time);
    return RB_OK;
}

double rb_island_happen(Island *i) {
    RbIslands *s = i->owner;
    set_roots(s, i);
    i->found = false;
    rb_island_moved(i);
    if (!i->by_root) {
        s->event = (RbIslandEvent){i->part, i->watch, i->groups, i->group_count};
        s->concerned_count = concerned(i, s->concerned);
    }
    return i->watch.time;
}
