// SPDX-License-Identifier: MIT
// The mechanism as islands: which branches are linked, and what happens along the step of some of
// them (docs/theory/islands.md).
//
// While a group makes a step, each of its bodies stays inside a ball; pairs whose balls are apart
// cannot touch. For the others the distance is looked at along the dense outputs, with the bound on
// speeds that step.c uses.
#include <math.h>
#include <string.h>

#include "contact/touch.h"
#include "multibody/step_look.h"
#include "multibody/crowd.h"

enum { SAMPLES = 3 };
static const double SPEED_MARGIN = 1.25; // for what lies between the samples

// -------------------------------------------------------------------------------------------------
// preparations

void rb_mechanism_index_elements(Mechanism *m, RbArena *arena) {
    const RbContactSetup *s = m->contact.setup;
    int bodies = m->structure.tree.bodies.count;
    int *start = m->contact.element_start = rb_new_array(arena, int, bodies + 1);
    m->contact.element_list = rb_new_array(arena, int, s->element_count);
    for (int i = 0; i < s->element_count; i++) start[s->elements[i].body + 1]++;
    for (int i = 0; i < bodies; i++) start[i + 1] += start[i];
    int *next = rb_new_array(arena, int, bodies);
    for (int i = 0; i < s->element_count; i++) {
        int body = s->elements[i].body;
        m->contact.element_list[start[body] + next[body]++] = i;
    }
    m->contact.fixed_boxes = rb_new_array(arena, RbAabb, start[1]);
    for (int k = 0; k < start[1]; k++) {
        const RbElement *e = &s->elements[m->contact.element_list[k]];
        m->contact.fixed_boxes[k] = rb_aabb_of_core(e->core, e->X_BS);
    }
}

void rb_mechanism_open_near(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    int bodies = m->structure.tree.bodies.count, items = bodies + m->contact.element_start[1];
    w->step.near = rb_box_tree(arena);
    rb_box_tree_reserve(&w->step.near, items);
    w->step.found = rb_new_array(arena, int, items);
    w->crowd.bodies = rb_new_array(arena, CrowdBody, bodies);
    for (int k = 0; k < m->contact.element_start[1]; k++)
        rb_box_tree_insert(&w->step.near, bodies + k, m->contact.fixed_boxes[k]);
}

// -------------------------------------------------------------------------------------------
// distances along a step

void rb_step_look_place(const StepLook *l, int body, double t) {
    if (body == 0) return;
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    int group = m->groups.of[body];
    if (w->step.placed[group].look == w->step.look && w->step.placed[group].time == t) return;
    rb_step_group(l->step, group, t, w->step.x);
    rb_mechanism_move_group(m, group, w->step.x, w);
    w->step.placed[group] = (Placed){w->step.look, t};
}

double rb_step_look_distance(const StepLook *l, int a, int b, double t, RbPairMemory *memory) {
    const RbContactSetup *s = l->m->contact.setup;
    rb_step_look_place(l, s->elements[a].body, t);
    rb_step_look_place(l, s->elements[b].body, t);
    double d = rb_contacts_pair_distance(s, a, b, l->w->moving, memory);
    if (isnan(d)) {
        rb_step_fail_at(l->step, rb_mechanism_declared(l->m, a, b), NO_DISTANCE,
                        s->elements[a].side.object, s->elements[b].side.object, t);
    }
    return d;
}

void rb_step_look_note(StepLook *l, int a, int b, PairEvent kind, double t) {
    const RbContactSetup *s = l->m->contact.setup;
    if (!(t < l->first)) return;
    int bodies[2] = {s->elements[a].body, s->elements[b].body}, count = 0;
    l->first = t;
    *l->found = (RbWatch){.time = t,
                          .groups = {RB_NONE, RB_NONE},
                          .indicator = kind == PAIR_ENDS ? 0 : 1,
                          .sign = kind == PAIR_ENDS ? 1 : -1,
                          .quiet = kind == PAIR_NEARS || kind == CROWD_LEAVES};
    for (int i = 0; i < 2; i++) {
        if (bodies[i] > 0) l->found->groups[count++] = l->m->groups.of[bodies[i]];
    }
    l->found->what = kind + EVENT_KINDS * ((int64_t)a * s->element_count + b);
}

// ---------------------------------------------------------------------------------------------------
// contact starts

typedef struct LookAtPair {
    const StepLook *look;
    int a, b;
    RbPairMemory memory;
} LookAtPair;

static double distance_in_step(void *user, double t) {
    LookAtPair *p = user;
    if (rb_step_interrupted(p->look->step)) return NAN;
    return rb_step_look_distance(p->look, p->a, p->b, t, &p->memory);
}

void rb_step_look_start(StepLook *l, int a, int b, double end, double speed) {
    const RbContactSetup *s = l->m->contact.setup;
    double touch = s->options.touch, t0 = l->step->t0, t1 = fmin(end, l->first);
    if (!(t1 > t0) || rb_slot_index_find(l->m, &l->w->contact.slots, l->slots, a, b) >= 0 ||
        !rb_contacts_may_touch(s, a, b))
        return;
    LookAtPair pair = {l, a, b, {.valid = 0}};
    double d1 = rb_step_look_distance(l, a, b, t1, &pair.memory);
    if (d1 - touch > speed * (t1 - t0)) return; // too far away at the end to have touched
    double d0 = rb_step_look_distance(l, a, b, t0, &pair.memory);
    RbTouchSearch search = {.distance = distance_in_step,
                            .user = &pair,
                            .speed = speed,
                            .touch = touch,
                            .unseen = rb_mechanism_unseen(s, a, b)};
    double t = d0 < touch ? t0 : rb_touch_first(&search, t0, d0, t1, d1);
    if (isnan(t))
        rb_mechanism_lost_sight(l->step, rb_mechanism_declared(l->m, a, b),
                                s->elements[a].side.object, s->elements[b].side.object, speed);
    if (t < INFINITY) rb_step_look_note(l, a, b, PAIR_STARTS, t);
}

static void check_pair(StepLook *l, int p, int q, double end, double speed) {
    int a = l->m->contact.element_list[p], b = l->m->contact.element_list[q];
    rb_step_look_start(l, a < b ? a : b, a < b ? b : a, end, speed);
}

static void check_fixed(StepLook *l, int i, int q) {
    const Mechanism *m = l->m;
    const StepBall *ball = &l->w->step.balls[i];
    double away = rb_aabb_distance(m->contact.fixed_boxes[q], (RbAabb){ball->centre, ball->centre});
    if (away > ball->radius + m->contact.setup->options.touch) return;
    for (int p = m->contact.element_start[i]; p < m->contact.element_start[i + 1]; p++)
        check_pair(l, p, q, l->step->t1, ball->speed);
}

static void check_moving(StepLook *l, int i, int j) {
    const Mechanism *m = l->m;
    const MechanismWork *w = l->w;
    double apart =
        w->step.balls[i].radius + w->step.balls[j].radius + m->contact.setup->options.touch;
    if (v3_norm2(v3_sub(w->step.balls[i].centre, w->step.balls[j].centre)) > apart * apart) return;
    double end = fmin(l->step->t1, rb_step_end(l->step, m->groups.of[j]));
    double speed = w->step.balls[i].speed + w->step.balls[j].speed;
    if (w->crowd.bodies[i].stamp != 0 || w->crowd.bodies[j].stamp != 0) {
        rb_crowd_check_near(l, i, j, end, speed);
        return;
    }
    for (int p = m->contact.element_start[i]; p < m->contact.element_start[i + 1]; p++) {
        for (int q = m->contact.element_start[j]; q < m->contact.element_start[j + 1]; q++)
            check_pair(l, p, q, end, speed);
    }
}

bool rb_keep_found(void *user, int item) {
    MechanismWork *w = user;
    int k = w->step.found_count++;
    for (; k > 0 && w->step.found[k - 1] > item; k--) w->step.found[k] = w->step.found[k - 1];
    w->step.found[k] = item; // in increasing order: that of the tree depends on its history
    return true;
}

RbAabb rb_step_ball_box(const StepBall *ball, double grown) {
    double r = ball->radius + grown;
    Vec3 half = v3(r, r, r);
    return (RbAabb){v3_sub(ball->centre, half), v3_add(ball->centre, half)};
}

static void check_starts(StepLook *l, int i) {
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    int bodies = m->structure.tree.bodies.count;
    RbAabb box = rb_step_ball_box(&w->step.balls[i], m->contact.setup->options.touch);
    w->step.found_count = 0;
    rb_box_tree_overlap(&w->step.near, &box, rb_keep_found, w);
    for (int k = 0; k < w->step.found_count; k++) {
        int j = w->step.found[k];
        if (j >= bodies)
            check_fixed(l, i, j - bodies);
        else if (j != i && !(w->step.wanted[j] && j < i))
            check_moving(l, i, j);
    }
}

// ------------------------------------------------------------------------------------------------------
// contact ends

// The step is accepted: as rb_contacts_too_deep for a single solver.
static void check_depth(const StepLook *l, int a, int b, double depth) {
    const RbContactSetup *s = l->m->contact.setup;
    double limit = rb_contacts_deepest(s, a, b);
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    if (!(depth > limit) || !material || material->law.response != RB_RESPONSE_ELASTIC) return;
    char text[RB_TOO_DEEP_SIZE];
    rb_step_fail_at(l->step, rb_mechanism_declared(l->m, a, b), "%s",
                    rb_mechanism_too_deep(l->m, l->slots, (RbTooDeep){a, b, depth, limit}, text));
}

// The end of a contact as the search for starts sees it: below the threshold of starts once the
// distance is above that of ends, which is twice as high.
static double distance_below(void *user, double t) {
    LookAtPair *p = user;
    return 3 * p->look->m->contact.setup->options.touch -
           rb_step_look_distance(p->look, p->a, p->b, t, &p->memory);
}

static void check_end(StepLook *l, int slot) {
    const RbContactSetup *s = l->m->contact.setup;
    double touch = s->options.touch, t0 = l->step->t0, t1 = fmin(l->step->t1, l->first);
    int a, b;
    if (!(t1 > t0) || !rb_slot_pair(s, l->slots, slot, &a, &b)) return;
    LookAtPair pair = {l, a, b, {.valid = 0}};
    RbTouchSearch search = {.distance = distance_below, .user = &pair, .touch = touch};
    double d1 = distance_below(&pair, t1);
    check_depth(l, a, b, d1 - 3 * touch);
    double d0 = distance_below(&pair, t0);
    if (d1 >= touch) { // a hop that begins and ends in the step
        t1 = rb_touch_dip(&search, t0, d0, t1, d1);
        if (!(t1 < INFINITY)) return;
        d1 = distance_below(&pair, t1);
    }
    rb_step_look_note(l, a, b, PAIR_ENDS,
                      d0 < touch ? t0 : rb_touch_locate(&search, t0, d0, t1, d1));
}

static void check_ends(StepLook *l, RbSpan span) {
    const SlotIndex *x = &l->w->contact.slots;
    for (int body = span.first; body < span.end; body++) {
        for (int slot = x->first[body]; slot >= 0; slot = x->next[slot]) check_end(l, slot);
    }
}

// ----------------------------------------------------------------------------------------------------
// one whole step

// The ball around each body of a group during the step.
static void note_balls(const StepLook *l, int group) {
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    RbSpan span = rb_mechanism_span(m, group);
    if (span.first == span.end) return; // nothing moves
    double t0 = l->step->t0, t1 = l->step->t1;
    for (int i = span.first; i < span.end; i++) w->step.balls[i] = (StepBall){.radius = 0};
    for (int k = 0; k < SAMPLES; k++) {
        double t = k == SAMPLES - 1 ? t1 : t0 + (t1 - t0) * k / (SAMPLES - 1);
        rb_step_look_place(l, span.first, t);
        for (int i = span.first; i < span.end; i++) {
            Motion V = w->moving[i].V;
            StepBall *ball = &w->step.balls[i];
            double reach = isfinite(m->contact.reach[i]) ? m->contact.reach[i] : 0,
                   travel = SPEED_MARGIN * v3_norm(V.v);
            if (k == SAMPLES / 2) ball->centre = w->moving[i].X.r;
            ball->speed = fmax(ball->speed, travel + SPEED_MARGIN * v3_norm(V.w) * reach);
            ball->radius = fmax(ball->radius, m->contact.reach[i] + 0.5 * travel * (t1 - t0));
        }
    }
}

// Boxes in the tree are larger than they must be, so that few steps have to change it; but not so
// large that searches find much more than there is.
void rb_note_step_box(const Mechanism *m, MechanismWork *w, int i) {
    const double loose = 0.25, much = 2; // of the radius
    const StepBall *ball = &w->step.balls[i];
    if (m->contact.element_start[i] == m->contact.element_start[i + 1])
        return; // nothing there that could touch
    double grown = isfinite(ball->radius) ? loose * ball->radius : 0;
    if (!rb_box_tree_has(&w->step.near, i)) {
        rb_box_tree_insert(&w->step.near, i, rb_step_ball_box(ball, grown));
        return;
    }
    RbAabb old = w->step.near.nodes[w->step.near.leaves[i]].box;
    bool small = old.high.x - old.low.x <= 2 * much * ball->radius;
    if (!small || !rb_aabb_contains(old, rb_step_ball_box(ball, 0)))
        rb_box_tree_move(&w->step.near, i, rb_step_ball_box(ball, grown));
}

// Contacts that stick and have no states: they were in a crowd.
static void check_bristles(StepLook *l, RbSpan span) {
    const SlotIndex *x = &l->w->contact.slots;
    int a, b;
    for (int body = span.first; body < span.end; body++) {
        for (int slot = x->first[body]; slot >= 0; slot = x->next[slot]) {
            if (l->m->sticking.of_slot[slot] != RB_NONE ||
                !rb_slot_sticks(l->m->contact.setup, l->slots, slot))
                continue;
            rb_slot_pair(l->m->contact.setup, l->slots, slot, &a, &b);
            rb_step_look_note(l, a, b, CROWD_LEAVES, l->step->t0);
        }
    }
}

// Pairs of shapes.
static void watch_contacts(StepLook *l) {
    const Mechanism *m = l->m;
    const RbStepView *step = l->step;
    MechanismWork *w = l->w;
    bool barred = !rb_mechanism_may_crowd(m, step->groups, step->group_count);
    for (int k = 0; k < step->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, step->groups[k]);
        note_balls(l, step->groups[k]);
        for (int i = span.first; i < span.end; i++) {
            rb_note_step_box(m, w, i);
            w->step.wanted[i] = true;
            w->crowd.bodies[i].stamp = 0;
            w->crowd.bodies[i].barred = barred;
        }
    }
    for (int k = 0; k < step->group_count; k++)
        check_bristles(l, rb_mechanism_span(m, step->groups[k]));
    if (step->t1 > step->t0) {
        for (int k = 0; k < step->group_count; k++) {
            RbSpan span = rb_mechanism_span(m, step->groups[k]);
            check_ends(l, span);
            for (int i = span.first; i < span.end; i++) check_starts(l, i);
        }
    }
    for (int k = 0; k < step->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, step->groups[k]);
        memset(w->step.wanted + span.first, 0,
               (size_t)(span.end - span.first) * sizeof *w->step.wanted);
    }
}

bool rb_mechanism_watch(const Mechanism *m, const RbStepView *step, RbWatch *found) {
    MechanismWork *w = step->workspace;
    w->step.look++;
    StepLook l = {.m = m,
                  .step = step,
                  .w = w,
                  .slots = step->discrete + m->contact.slots,
                  .found = found,
                  .first = INFINITY};
    if (m->contact.setup) {
        rb_slot_index_update(m, step->discrete, &w->contact.slots);
        if (rb_crowd_is(m, step->discrete, w, step->groups, step->group_count)) return rb_crowd_watch(&l);
        watch_contacts(&l);
    }
    rb_solids_watch(&l);
    return l.first < INFINITY;
}

PairEvent rb_mechanism_watch_pair(const Mechanism *m, const RbWatch *watch, int *a, int *b) {
    int64_t code = watch->what / EVENT_KINDS;
    *a = (int)(code / m->contact.setup->element_count);
    *b = (int)(code % m->contact.setup->element_count);
    return (PairEvent)(watch->what % EVENT_KINDS);
}

double rb_mechanism_watched(const Mechanism *m, const RbStepView *step, const RbWatch *watch,
                            double time) {
    StepLook l = {.m = m, .step = step, .w = step->workspace};
    int a, b;
    l.w->step.look++;
    if (rb_mechanism_watches_solids(watch)) return rb_solids_watched(&l, watch, time);
    PairEvent kind = rb_mechanism_watch_pair(m, watch, &a, &b);
    if (kind == CROWD_RENEWS) return rb_crowd_watched(&l, time);
    if (kind == CROWD_LEAVES) return 0;
    double touch = m->contact.setup->options.touch, d = rb_step_look_distance(&l, a, b, time, NULL);
    switch (kind) {
        case PAIR_STARTS: return (d - touch) / touch;
        case PAIR_ENDS: return (2 * touch - d) / touch;
        case PAIR_NEARS: return d < touch ? -1 : 0; // any time before they touch will do
        default: break;
    }
    return 0;
}
