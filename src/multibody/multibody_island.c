// SPDX-License-Identifier: MIT
// The mechanism as islands: which branches are linked, and what happens along the step of some of
// them (docs/theory/islands.md).
//
// While a group makes a step, each of its bodies stays inside a ball; pairs whose balls are apart
// cannot touch. For the others the distance is looked at along the dense outputs, with the bound on
// speeds that multibody_step.c uses.
#include <math.h>
#include <string.h>

#include "multibody/mechanism.h"

enum { SAMPLES = 3, MAX_HALVINGS = 40, MAX_SECANTS = 12 };
static const double SPEED_MARGIN = 1.25; // for what lies between the samples
static const double MISS = 1e-3;         // of the thickness: what a pair may sink in unseen

// -------------------------------------------------------------------------------------------------
// preparations

void rb_mechanism_index_elements(Mechanism *m, RbArena *arena) {
    const RbContactSetup *s = m->contacts;
    int bodies = m->structure.tree.bodies.count, at = 0;
    m->element_start = rb_new_array(arena, int, bodies + 1);
    m->element_list = rb_new_array(arena, int, s->element_count);
    m->fixed_boxes = rb_new_array(arena, RbAabb, s->element_count);
    for (int body = 0; body < bodies; body++) {
        m->element_start[body] = at;
        for (int i = 0; i < s->element_count; i++) {
            const RbElement *e = &s->elements[i];
            if (e->body != body) continue;
            if (body == 0) m->fixed_boxes[at] = rb_aabb_of_core(e->core, e->X_BS);
            m->element_list[at++] = i;
        }
    }
    m->element_start[bodies] = at;
}

static int slot_owner(const Mechanism *m, const double *slots, int slot) {
    int a, b;
    if (!rb_slot_pair(m->contacts, slots, slot, &a, &b)) return -1;
    int body = m->contacts->elements[a].body;
    return body > 0 ? body : m->contacts->elements[b].body;
}

// Contacts change at events only; their version says whether the index is that of the present ones.
void rb_mechanism_index_slots(const Mechanism *m, const double *discrete, MechanismWork *w) {
    if (w->slot_version == discrete[m->slot_version]) return;
    w->slot_version = discrete[m->slot_version];
    const double *slots = discrete + m->slots;
    int bodies = m->structure.tree.bodies.count, *start = w->slot_start;
    memset(start, 0, (size_t)(bodies + 1) * sizeof *start);
    for (int i = 0; i < m->contacts->slot_count; i++) {
        int body = slot_owner(m, slots, i);
        if (body >= 0) start[body + 1]++;
    }
    for (int i = 0; i < bodies; i++) start[i + 1] += start[i];
    for (int i = m->contacts->slot_count - 1; i >= 0; i--) {
        int body = slot_owner(m, slots, i);
        if (body >= 0) w->slot_list[--start[body + 1]] = i;
    }
    // Each start now stands where the next body's list began to be filled from: at its own begin.
    for (int i = 0; i < bodies; i++) start[i] = start[i + 1];
    int used = 0;
    for (int i = 0; i < m->contacts->slot_count; i++) used += slots[RB_SLOT_SIZE * i] != 0;
    start[bodies] = used;
}

// -------------------------------------------------------------------------------------------------------
// links

static void link_bodies(const Mechanism *m, RbLinks *links, int a, int b) {
    if (a > 0 && b > 0 && m->group[a] != m->group[b]) rb_link(links, m->group[a], m->group[b]);
}

void rb_mechanism_links(const Mechanism *m, RbLinks *links) {
    const RbScene *s = m->scene;
    int a, b;
    for (int i = 0; i < s->springs.count; i++)
        link_bodies(m, links, m->springs[i].a.body, m->springs[i].b.body);
    for (int i = 0; i < s->bushings.count; i++)
        link_bodies(m, links, m->bushings[i].a.body, m->bushings[i].b.body);
    for (int i = 0; i < s->world_forces.count; i++) {
        link_bodies(m, links, m->world_forces[i].apply.body, m->world_forces[i].axes.body);
    }
    const double *slots = rb_links_discrete(links) + m->slots;
    for (int i = 0; m->contacts && i < m->contacts->slot_count; i++) {
        if (!rb_slot_pair(m->contacts, slots, i, &a, &b)) continue;
        link_bodies(m, links, m->contacts->elements[a].body, m->contacts->elements[b].body);
    }
}

// -------------------------------------------------------------------------------------------
// distances along a step

typedef struct Look {
    const Mechanism *m;
    const RbStepView *step;
    MechanismWork *w;
    const double *slots;
    RbWatch *found;
    double first; // [s] earliest event so far
} Look;

// Is the pair in a slot?
static bool touches(const Look *l, int a, int b) {
    const RbContactSetup *s = l->m->contacts;
    int body = s->elements[a].body > 0 ? s->elements[a].body : s->elements[b].body, x, y;
    for (int k = l->w->slot_start[body]; k < l->w->slot_start[body + 1]; k++) {
        if (rb_slot_pair(s, l->slots, l->w->slot_list[k], &x, &y) && x == a && y == b) return true;
    }
    return false;
}

static void place_body(const Look *l, int body, double t) {
    if (body == 0) return;
    const Mechanism *m = l->m;
    int group = m->group[body];
    RbSpan span = rb_mechanism_span(m, group);
    rb_step_group(l->step, group, t, l->w->x);
    rb_kin_positions_in(&m->structure.tree, span, l->w->x, &l->w->kin);
    for (int i = span.first; i < span.end; i++) l->w->moving[i].X = l->w->kin.bodies[i].X;
}

static double distance_at(const Look *l, int a, int b, double t) {
    const RbContactSetup *s = l->m->contacts;
    place_body(l, s->elements[a].body, t);
    place_body(l, s->elements[b].body, t);
    return rb_contacts_pair_distance(s, a, b, l->w->moving);
}

// Where sign (d - level) falls through zero between t1 and t2, by Illinois' rule. [s]
static double locate(const Look *l, int a, int b, double sign, double level, double t1, double v1,
                     double t2, double v2) {
    double touch = l->m->contacts->options.touch;
    int stayed = 0;
    for (int i = 0; i < MAX_SECANTS && v1 > 0 && v2 < 0; i++) {
        double t = t1 + (t2 - t1) * v1 / (v1 - v2);
        if (!(t > t1 && t < t2)) break;
        double v = sign * (distance_at(l, a, b, t) - level);
        if (fabs(v) < 0.1 * touch) return t;
        if (v > 0) {
            t1 = t, v1 = v;
            if (stayed < 0) v2 *= 0.5;
            stayed = -1;
        } else {
            t2 = t, v2 = v;
            if (stayed > 0) v1 *= 0.5;
            stayed = 1;
        }
    }
    return v1 > 0 ? t2 : t1;
}

static void note(Look *l, int a, int b, bool starts, double t) {
    const RbContactSetup *s = l->m->contacts;
    if (!(t < l->first)) return;
    int bodies[2] = {s->elements[a].body, s->elements[b].body}, count = 0;
    l->first = t;
    *l->found = (RbWatch){.time = t,
                          .groups = {RB_NONE, RB_NONE},
                          .indicator = starts ? 1 : 0,
                          .sign = starts ? -1 : 1};
    for (int i = 0; i < 2; i++) {
        if (bodies[i] > 0) l->found->groups[count++] = l->m->group[bodies[i]];
    }
    int64_t code = 1 + (int64_t)a * s->element_count + b;
    l->found->what = starts ? code : -code;
}

// ---------------------------------------------------------------------------------------------------
// contact starts

// First time in (t1, t2] at which the pair is seen closer than the threshold; INFINITY if it never
// is. See multibody_step.c.
static double search(const Look *l, int a, int b, double t1, double d1, double t2, double d2,
                     double speed, int halvings) {
    const RbContactSetup *s = l->m->contacts;
    double unseen = MISS * fmin(s->elements[a].thickness, s->elements[b].thickness);
    if (d1 + d2 > speed * (t2 - t1) || speed * (t2 - t1) < unseen || halvings == 0) return INFINITY;
    double t = 0.5 * (t1 + t2), d = distance_at(l, a, b, t);
    double earlier = search(l, a, b, t1, d1, t, d, speed, halvings - 1);
    if (earlier < INFINITY || d < s->options.touch) return fmin(earlier, t);
    return search(l, a, b, t, d, t2, d2, speed, halvings - 1);
}

static void check_start(Look *l, int a, int b, double end, double speed) {
    const RbContactSetup *s = l->m->contacts;
    double touch = s->options.touch, t0 = l->step->t0, t1 = fmin(end, l->first);
    if (!(t1 > t0) || touches(l, a, b) || !rb_contacts_may_touch(s, a, b)) return;
    double d1 = distance_at(l, a, b, t1);
    if (d1 - touch > speed * (t1 - t0)) return; // too far away at the end to have touched
    double d0 = distance_at(l, a, b, t0);
    if (d1 >= touch && d0 >= touch) {
        t1 = search(l, a, b, t0, d0, t1, d1, speed, MAX_HALVINGS);
        if (!(t1 < INFINITY)) return;
        d1 = distance_at(l, a, b, t1);
    }
    note(l, a, b, true, locate(l, a, b, 1, touch, t0, d0 - touch, t1, d1 - touch));
}

static void check_bodies(Look *l, int i, int j, double end) {
    const Mechanism *m = l->m;
    const RbContactSetup *s = m->contacts;
    double speed = l->w->balls[i].speed + (j > 0 ? l->w->balls[j].speed : 0);
    for (int p = m->element_start[i]; p < m->element_start[i + 1]; p++) {
        for (int q = m->element_start[j]; q < m->element_start[j + 1]; q++) {
            if (j == 0 && rb_aabb_distance(m->fixed_boxes[q],
                                           (RbAabb){l->w->balls[i].centre, l->w->balls[i].centre}) >
                              l->w->balls[i].radius + s->options.touch) {
                continue;
            }
            int a = m->element_list[p], b = m->element_list[q];
            if (a < b)
                check_start(l, a, b, end, speed);
            else
                check_start(l, b, a, end, speed);
        }
    }
}

static void check_starts(Look *l, int i) {
    const Mechanism *m = l->m;
    const MechanismWork *w = l->w;
    check_bodies(l, i, 0, l->step->t1);
    for (int j = 1; j < m->structure.tree.bodies.count; j++) {
        if (j == i || (w->wanted[j] && j < i)) continue;
        double apart = w->balls[i].radius + w->balls[j].radius + m->contacts->options.touch;
        if (v3_norm2(v3_sub(w->balls[i].centre, w->balls[j].centre)) > apart * apart) continue;
        check_bodies(l, i, j, fmin(l->step->t1, rb_step_end(l->step, m->group[j])));
    }
}

// ------------------------------------------------------------------------------------------------------
// contact ends

static void check_end(Look *l, int slot) {
    const RbContactSetup *s = l->m->contacts;
    double level = 2 * s->options.touch, t0 = l->step->t0, t1 = fmin(l->step->t1, l->first);
    int a, b;
    if (!(t1 > t0) || !rb_slot_pair(s, l->slots, slot, &a, &b)) return;
    double d1 = distance_at(l, a, b, t1);
    if (!(d1 > level)) return;
    double d0 = distance_at(l, a, b, t0);
    note(l, a, b, false, locate(l, a, b, -1, level, t0, level - d0, t1, level - d1));
}

static void check_ends(Look *l, RbSpan span) {
    for (int k = l->w->slot_start[span.first]; k < l->w->slot_start[span.end]; k++)
        check_end(l, l->w->slot_list[k]);
}

// ----------------------------------------------------------------------------------------------------
// one whole step

// The ball around each body of a group during the step.
static void note_balls(const Look *l, int group) {
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    RbSpan span = rb_mechanism_span(m, group);
    double t0 = l->step->t0, t1 = l->step->t1;
    for (int i = span.first; i < span.end; i++) w->balls[i] = (StepBall){.radius = 0};
    for (int k = 0; k < SAMPLES; k++) {
        double t = k == SAMPLES - 1 ? t1 : t0 + (t1 - t0) * k / (SAMPLES - 1);
        rb_step_group(l->step, group, t, w->x);
        rb_mechanism_move_in(m, span, w->x, w);
        for (int i = span.first; i < span.end; i++) {
            Motion V = w->moving[i].V;
            StepBall *ball = &w->balls[i];
            double reach = isfinite(m->reach[i]) ? m->reach[i] : 0,
                   travel = SPEED_MARGIN * v3_norm(V.v);
            if (k == SAMPLES / 2) ball->centre = w->moving[i].X.r;
            ball->speed = fmax(ball->speed, travel + SPEED_MARGIN * v3_norm(V.w) * reach);
            ball->radius = fmax(ball->radius, m->reach[i] + 0.5 * travel * (t1 - t0));
        }
    }
}

bool rb_mechanism_watch(const Mechanism *m, const RbStepView *step, RbWatch *found) {
    if (!m->contacts) return false;
    MechanismWork *w = step->workspace;
    Look l = {.m = m,
              .step = step,
              .w = w,
              .slots = step->discrete + m->slots,
              .found = found,
              .first = INFINITY};
    w->moving[0] = (RbMoving){w->kin.bodies[0].X, w->kin.bodies[0].V};
    rb_mechanism_index_slots(m, step->discrete, w);
    for (int k = 0; k < step->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, step->groups[k]);
        note_balls(&l, step->groups[k]);
        for (int i = span.first; i < span.end; i++) w->wanted[i] = true;
    }
    if (step->t1 > step->t0) {
        for (int k = 0; k < step->group_count; k++) {
            RbSpan span = rb_mechanism_span(m, step->groups[k]);
            check_ends(&l, span);
            for (int i = span.first; i < span.end; i++) check_starts(&l, i);
        }
    }
    for (int k = 0; k < step->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, step->groups[k]);
        memset(w->wanted + span.first, 0, (size_t)(span.end - span.first) * sizeof *w->wanted);
    }
    return l.first < INFINITY;
}

double rb_mechanism_watched(const Mechanism *m, const RbStepView *step, const RbWatch *watch,
                            double time) {
    const RbContactSetup *s = m->contacts;
    Look l = {.m = m, .step = step, .w = step->workspace};
    int64_t code = (watch->what > 0 ? watch->what : -watch->what) - 1;
    double d =
        distance_at(&l, (int)(code / s->element_count), (int)(code % s->element_count), time);
    double touch = s->options.touch;
    return watch->what > 0 ? (d - touch) / touch : (2 * touch - d) / touch;
}
