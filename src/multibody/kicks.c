// SPDX-License-Identifier: MIT
// A crowd of bodies by flights and kicks (docs/theory/crowds.md).
//
// In a pile a few bodies are in hard blows, of a tenth of a millisecond, while most rest or fly. So each
// contact has steps of its own: where it is looked at, it kicks its two bodies with the force of half the
// step before and half the step behind, and in between bodies fly freely. What a contact does costs one
// evaluation of this contact, and a body that touches nothing costs nothing.
//
//   * Steps are a fraction of the time that the blow would take alone: the error of second order is known.
//   * A pair that does not touch is looked at before it can, for the velocities that its bodies have.
//   * A body that is kicked into another velocity makes all its contacts be planned anew.
//   * Forces that depend on velocities see those of the present time: what other contacts have given in
//     advance is taken off, and what they still owe is added.
//
// All times are counted from the start of the step, in ticks or in seconds.
#include <float.h>
#include <math.h>
#include <string.h>

#include "multibody/crowd_kicks.h"
#include "multibody/crowd.h"

enum { FEWEST = 4 };                // ticks for the shortest step
static const double WAY = 0.08;     // of the skin: what the fastest body covers in a step
static const double LONGEST = 1e-3; // [s]
static const double SLOWEST = 0.02; // [m/s] taken as the speed of the fastest body, if it is slower
static const double NOMINAL = 0.5;  // [m/s] errors of slower blows are a part of this speed
static const double STABLE = 0.4;   // step times frequency
static const double MARGIN = 0.1;   // of a velocity: changes that plans allow for
static const double LEAST_MARGIN = 0.3; // of the speed at which friction begins to slide
static const double SPIN_MARGIN = 1.25; // for what a free body's spin may become
static const double START = 0.4;        // mean of a force that grows like x^1.5
static const double STEEPEST = 0.5;     // of one that grows like x, as on a face

// ---- the calendar

static void cancel(struct KickWork *k, int link) {
    KickLink *l = &k->links[link];
    if (l->next == KICK_NEVER) return;
    if (l->before >= 0)
        k->links[l->before].behind = l->behind;
    else
        k->ticks[l->next] = l->behind;
    if (l->behind >= 0) k->links[l->behind].before = l->before;
    l->next = KICK_NEVER;
}

static void schedule(struct KickWork *k, int link, int tick) {
    KickLink *l = &k->links[link];
    cancel(k, link);
    l->next = tick;
    l->before = -1;
    l->behind = k->ticks[tick];
    if (l->behind >= 0) k->links[l->behind].before = link;
    k->ticks[tick] = link;
}

// [s] The step of a contact: a part of the blow it is in, so that an error of (h w)²/24 of what moves is as
// large as the tolerance. swing: that is the speed of the blow, or, where the contact has been followed for
// a while, what there is besides the load that rests on it.
static double step_of(const struct KickWork *k, const KickLink *l, double depth, double rate,
                      double acceleration) {
    double speed, frequency = rb_kick_link_frequency(l, depth, rate, &speed);
    double swing = fmin(speed, fabs(rate) + fabs(acceleration) / frequency);
    double fraction = sqrt(24 * k->tolerance * (1 + NOMINAL / fmax(swing, 1e-6)));
    return fmin(fraction, STABLE) / frequency;
}

// Ticks until the contact must be looked at again.
static int plan(const struct KickWork *k, const KickLink *l, double depth, double rate, int tick) {
    bool followed = l->touches && tick > l->last;
    double acceleration = followed ? (rate - l->rate) / ((tick - l->last) * k->tick) : INFINITY;
    double ticks = step_of(k, l, depth, rate, acceleration) / k->tick;
    return ticks < 1 ? 1 : ticks < KICK_TICKS ? (int)ticks : KICK_TICKS;
}

// The last steps up to the end of all are of about the same size.
static int fit(int ticks, int tick) {
    int left = KICK_TICKS - tick;
    return ticks >= left ? left : 2 * ticks > left ? (left + 1) / 2 : ticks;
}

// A step that others have cut to less than its half has given its force beyond the present. The next kick could only be left out, so what goes beyond
// the middle of the step is taken back.
static void take_back(struct KickWork *k, KickLink *l, int tick) {
    if (!l->touches || !(l->given > tick * k->tick)) return;
    double until = 0.5 * (l->last + tick) * k->tick, excess = l->given - until; // [s]
    rb_kick_fly(k, &k->bodies[l->one], tick);
    rb_kick_fly(k, &k->bodies[l->two], tick);
    rb_kick_note(k, l, -1);
    l->given = until;
    rb_kick_note(k, l, 1);
    rb_kick_give(&k->bodies[l->one], -excess, v3_neg(l->force), l->torque_1);
    rb_kick_give(&k->bodies[l->two], -excess, l->force, l->torque_2);
    for (int i = 0; i < 3; i++) k->lost[Q_DAMPING + i] -= excess * l->losing[i];
}

static void part(struct KickWork *k, KickLink *l) {
    rb_kick_note(k, l, -1);
    l->force = l->torque_1 = l->torque_2 = V3_ZERO;
    l->touches = false;
    if (l->shapes) l->shapes->now = (KickHistory){.mass = l->shapes->now.mass};
}

// ---- what comes next

// [m/s] How fast turning moves the surface while plans hold.
static double sweep_planned(const KickBody *b) {
    return b->turning ? SPIN_MARGIN * v3_norm(b->planned_w) * b->turning->reach : 0;
}

// A pair that does not touch: when could it? A blow that is missed by less than its own step is seen
// in time. The velocities of both bodies are those planned with, up to their margins.
static void look_ahead(struct KickWork *k, int link, const KickSight *s, int tick) {
    KickLink *l = &k->links[link];
    const KickBody *p = &k->bodies[l->one], *q = &k->bodies[l->two];
    double closing = fmax(0, -v3_dot(v3_sub(q->planned, p->planned), s->n)) + p->margin +
                     q->margin + k->gravity_change; // one of them may be held against gravity
    if (l->shapes) closing += sweep_planned(p) + sweep_planned(q);
    double ticks = s->distance / (closing * k->tick);
    int left = KICK_TICKS - tick;
    l->last = tick;
    if (!(ticks < left)) {
        cancel(k, link);
        return;
    }
    int wait = (int)ticks, least = plan(k, l, 0, closing, tick);
    if (wait < least && !(s->bound && wait > 0)) wait = least;
    schedule(k, link, tick + (wait < left ? wait : left));
}

// A force F that has grown over a depth did the work U: its mean over the time is the part U/(F depth) of it.
static double mean_part(const KickLink *l, double depth) {
    const RbPatchLoad *p = l->shapes && l->shapes->patch ? &l->shapes->load : NULL;
    return p && p->energy > 0 ? fmin(p->energy / (p->elastic * depth), STEEPEST) : START;
}

static void act(const Mechanism *m, struct KickWork *k, int link, const MechanismWork *w,
                int tick) {
    KickLink *l = &k->links[link];
    take_back(k, l, tick);
    KickSight s = rb_kick_glance(m, k, l, w, tick);
    double depth = m->contact.setup->options.touch - s.distance, t = tick * k->tick;
    if (!(depth > 0)) {
        if (isnan(depth) || depth < -DBL_MAX) k->deep = (RbTooDeep){l->a, l->b, NAN, l->deepest};
        if (l->touches) part(k, l);
        if (tick < KICK_TICKS) look_ahead(k, link, &s, tick);
        return;
    }
    if (depth > l->deepest) k->deep = (RbTooDeep){l->a, l->b, depth, l->deepest};
    rb_kick_weigh(m, k, l, &s);
    if (!l->touches) { // since when?
        double since = s.rate > 0 ? depth / s.rate : INFINITY;
        l->given = t - (tick > 0 ? mean_part(l, depth) * fmin(since, t - l->last * k->tick) : 0);
        l->touches = true;
        l->rate = s.rate;
    }
    int ticks = fit(plan(k, l, depth, s.rate, tick), tick);
    double step = ticks * k->tick, until = t + 0.5 * step;
    if (s.rate < 0 && depth < -s.rate * step) until = t + mean_part(l, depth) * depth / -s.rate;
    rb_kick_link(m, k, l, &s, depth, t, until);
    l->last = tick;
    l->rate = s.rate;
    if (ticks > 0) schedule(k, link, tick + ticks);
}

// ---- plans that hold no longer

static void set_plan(const struct KickWork *k, KickBody *b) {
    b->planned = b->v;
    b->planned_w = b->w;
    b->margin = fmax(MARGIN * (v3_norm(b->v) + rb_kick_sweep(b)), LEAST_MARGIN * k->v_small);
}

static void plan_again(const Mechanism *m, struct KickWork *k, int body, int link_now,
                       const MechanismWork *w, int tick) {
    KickBody *b = &k->bodies[body];
    set_plan(k, b);
    for (int i = k->start[body]; i < k->start[body + 1]; i++) {
        int link = k->of_body[i];
        KickLink *l = &k->links[link];
        if (link == link_now || tick == KICK_TICKS) continue;
        KickSight s = rb_kick_glance(m, k, l, w, tick);
        double depth = m->contact.setup->options.touch - s.distance;
        if (!l->touches) {
            if (depth > 0)
                schedule(k, link, tick);
            else
                look_ahead(k, link, &s, tick);
        } else if (l->next > tick) {
            int ticks = plan(k, l, fmax(depth, 0), s.rate, tick);
            if (l->last + ticks < l->next)
                schedule(k, link, l->last + ticks > tick ? l->last + ticks : tick + 1);
        }
    }
}

static bool has_changed(const KickBody *b) {
    if (!(b->by_mass > 0)) return false;
    double change = v3_norm2(v3_sub(b->v, b->planned));
    if (b->turning) {
        double turned = v3_norm(v3_sub(b->w, b->planned_w)) * b->turning->reach;
        change += turned * turned;
    }
    return change > b->margin * b->margin;
}

// ---- a step

// A link in its hardest blow: what all balls of some law have in common, or one of other shapes.
static double shortest_step(const struct KickWork *k, double fastest) {
    double shortest = INFINITY;
    for (int i = 0; i < k->law_count; i++) {
        KickLink any = {.law = &k->laws[i]};
        shortest = fmin(shortest, step_of(k, &any, 0, 2 * fastest, 0));
    }
    for (int i = 0; i < k->link_count; i++) {
        if (k->links[i].shapes)
            shortest = fmin(shortest, step_of(k, &k->links[i], 0, 2 * fastest, 0));
    }
    return shortest;
}

// [s] How far: the fastest body goes a small part of the skin, and the hardest blow takes some ticks for
// each of its steps.
static double choose_length(const Mechanism *m, const struct KickWork *k, double limit) {
    double fastest = SLOWEST;
    for (int i = 1; i < k->body_count; i++)
        fastest = fmax(fastest, v3_norm(k->bodies[i].v) + rb_kick_sweep(&k->bodies[i]));
    double shortest = shortest_step(k, fastest);
    return fmin(fmin(WAY * m->crowd.skin / fastest, LONGEST),
                fmin(KICK_TICKS / FEWEST * shortest, limit));
}

static void start_step(const Mechanism *m, struct KickWork *k, const MechanismWork *w) {
    for (int i = 0; i <= KICK_TICKS; i++) k->ticks[i] = -1;
    for (int i = 1; i < k->body_count; i++) set_plan(k, &k->bodies[i]);
    for (int i = 0; i < k->link_count; i++) {
        KickLink *l = &k->links[i];
        l->touches = false;
        l->next = KICK_NEVER;
        l->last = 0;
        l->given = 0;
        l->force = l->torque_1 = l->torque_2 = V3_ZERO;
        if (l->shapes) {
            l->shapes->state.memory = (RbPairMemory){0};
            l->shapes->now = l->shapes->before;
        }
        KickSight s = rb_kick_see(m, k, l, w, 0);
        if (m->contact.setup->options.touch - s.distance > 0) {
            schedule(k, i, 0);
        } else {
            if (l->shapes) l->shapes->now = (KickHistory){.mass = l->shapes->now.mass};
            look_ahead(k, i, &s, 0);
        }
    }
}

static void run_tick(const Mechanism *m, struct KickWork *k, const MechanismWork *w, int tick) {
    while (k->ticks[tick] >= 0) {
        int link = k->ticks[tick], one = k->links[link].one, two = k->links[link].two;
        cancel(k, link);
        act(m, k, link, w, tick);
        if (has_changed(&k->bodies[one])) plan_again(m, k, one, link, w, tick);
        if (has_changed(&k->bodies[two])) plan_again(m, k, two, link, w, tick);
    }
}

RbTooDeep rb_crowd_advance(const Mechanism *m, RbAdvance *a) {
    const RbEval *e = a->eval;
    MechanismWork *w = e->workspace;
    struct KickWork *k = w->crowd.kicks;
    rb_kicks_gather(m, e, k);
    for (int i = 1; i < k->body_count; i++) rb_kick_load_body(m, e->x, &k->bodies[i]);
    rb_kicks_load_histories(m, e, k);
    double length = a->limit - e->time;
    k->tolerance = a->tolerance;
    if (!a->exactly) {
        double wanted = choose_length(m, k, length);
        length = wanted < 0.99 * length ? wanted : length;
    }
    a->end = length == a->limit - e->time ? a->limit : e->time + length;
    k->tick = (a->end - e->time) / KICK_TICKS;
    k->gravity = rb_gravity_field(&m->scene->gravity, V3_ZERO);
    k->gravity_change = v3_norm(k->gravity) * length;
    k->deep = (RbTooDeep){-1, -1, 0, 0};
    k->kicks = 0;
    memset(k->lost, 0, sizeof k->lost);
    start_step(m, k, w);
    for (int tick = 0; tick <= KICK_TICKS && k->deep.a < 0; tick++) run_tick(m, k, w, tick);
    for (int i = 1; i < k->body_count; i++) {
        rb_kick_fly(k, &k->bodies[i], KICK_TICKS);
        rb_kick_store_body(m, a->x, &k->bodies[i]);
    }
    rb_kicks_store_histories(m, a, k);
    memcpy(a->dq, k->lost, sizeof k->lost);
    a->evaluations = k->kicks;
    return k->deep;
}
