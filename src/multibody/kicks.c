// SPDX-License-Identifier: MIT
// A crowd of balls by flights and kicks (docs/theory/crowds.md).
//
// In a pile a few balls are in hard blows, of a tenth of a millisecond, while most rest or fly. So each
// contact has steps of its own: where it is looked at, it kicks its two balls with the force of half the
// step before and half the step behind, and in between balls fly freely. What a contact does costs one
// evaluation of this contact, and a ball that touches nothing costs nothing.
//
//   * Steps are a fraction of the time that the blow would take alone: the error of second order is known.
//   * A pair that does not touch is looked at before it can, for the velocities that its balls have.
//   * A ball that is kicked into another velocity makes all its contacts be planned anew.
//   * Forces that depend on velocities see those of the present time: what other contacts have given in
//     advance is taken off, and what they still owe is added.
//
// All times are counted from the start of the step, in ticks or in seconds.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "multibody/crowd_kicks.h"
#include "multibody/crowd.h"

enum { FEWEST = 4 };                // ticks for the shortest step
static const double WAY = 0.08;     // of the skin: what the fastest ball covers in a step
static const double LONGEST = 1e-3; // [s]
static const double SLOWEST = 0.02; // [m/s] taken as the speed of the fastest ball, if it is slower
static const double NOMINAL = 0.5;  // [m/s] errors of slower blows are a part of this speed
static const double STABLE = 0.4;   // step times frequency
static const double MARGIN = 0.1;   // of a velocity: changes that plans allow for
static const double LEAST_MARGIN = 0.3; // of the speed at which friction begins to slide
static const double START = 0.4;        // mean of a force that grows like x^1.5

// ---- balls

static void load_ball(const Mechanism *m, const double *x, KickBall *b) {
    const RbTree *tree = &m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, b->body);
    const double *q = x + joint->q, *v = x + tree->nq + joint->v;
    b->from = b->r = v3_add(joint->F.r, v3_load(q));
    b->way = V3_ZERO;
    b->turn = V3_ZERO;
    b->v = v3_load(v);
    b->w = v3_load(v + 3);
    b->tick = 0;
    b->now = b->due = (Wrench){V3_ZERO, V3_ZERO};
}

static void store_ball(const Mechanism *m, double *x, const KickBall *b) {
    const RbTree *tree = &m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, b->body);
    double *q = x + joint->q, *v = x + tree->nq + joint->v;
    double angle = v3_norm(b->turn);
    v3_store(q, v3_add(v3_load(q), b->way));
    if (angle > 0)
        q_store(q + 3, q_mul(q_rotation(v3_scale(1 / angle, b->turn), angle), q_load(q + 3)));
    v3_store(v, b->v);
    v3_store(v + 3, b->w);
}

static void fly(const struct KickWork *k, KickBall *b, int tick) {
    if (b->tick == tick || b->by_mass == 0) return;
    double t = (tick - b->tick) * k->tick;
    b->way = v3_axpy(v3_axpy(b->way, t, b->v), 0.5 * t * t, k->gravity);
    b->r = v3_add(b->from, b->way);
    b->v = v3_axpy(b->v, t, k->gravity);
    // One turn after another, to second order of the angles.
    b->turn = v3_axpy(b->turn, t, v3_axpy(b->w, 0.5, v3_cross(b->w, b->turn)));
    b->tick = tick;
}

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

// ---- one contact, where its balls are now

typedef struct Sight {
    Vec3 n;
    double distance;
    Vec3 velocity; // [m/s] of two relative to one, at the point of contact
    double rate;   // [m/s] of the depth
} Sight;

static Sight see(const Mechanism *m, struct KickWork *k, const KickLink *l, const MechanismWork *w,
                 int tick) {
    KickBall *p = &k->balls[l->one], *q = &k->balls[l->two];
    Sight s;
    fly(k, p, tick);
    fly(k, q, tick);
    if (l->one > 0 && l->two > 0) {
        Vec3 way = v3_sub(q->r, p->r);
        double length = v3_norm(way);
        s.distance = length - (l->radius_1 + l->radius_2);
        s.n = v3_scale(1 / length, way);
    } else {
        Pose ball = {l->one > 0 ? p->r : q->r, M3_IDENTITY};
        const Pose *world = &w->moving[0].X;
        RbPairMemory memory = {0};
        RbGap gap = rb_pair_gap(m->contacts, l->a, l->b, l->one > 0 ? &ball : world,
                                l->one > 0 ? world : &ball, &memory);
        s.distance = gap.distance;
        s.n = gap.normal;
    }
    double half = 0.5 * s.distance, arm_1 = l->radius_1 + half, arm_2 = l->radius_2 + half;
    Vec3 turning = v3_add(v3_scale(arm_1, p->w), v3_scale(arm_2, q->w));
    s.velocity = v3_sub(v3_sub(q->v, p->v), v3_cross(turning, s.n));
    s.rate = -v3_dot(v3_sub(q->v, p->v), s.n);
    return s;
}

// [s] The step of a contact: a part of the blow it is in, so that an error of (h w)²/24 of what moves is as
// large as the tolerance. swing: that is the speed of the blow, or, where the contact has been followed for
// a while, what there is besides the load that rests on it.
static double step_of(const struct KickWork *k, const RbContactLaw *law, double depth, double rate,
                      double acceleration) {
    double speed, frequency = rb_kick_frequency(law, depth, rate, &speed);
    double swing = fmin(speed, fabs(rate) + fabs(acceleration) / frequency);
    double fraction = sqrt(24 * k->tolerance * (1 + NOMINAL / fmax(swing, 1e-6)));
    return fmin(fraction, STABLE) / frequency;
}

// Ticks until the contact must be looked at again.
static int plan(const struct KickWork *k, const KickLink *l, double depth, double rate, int tick) {
    bool followed = l->touches && tick > l->last;
    double acceleration = followed ? (rate - l->rate) / ((tick - l->last) * k->tick) : INFINITY;
    double ticks = step_of(k, l->law, depth, rate, acceleration) / k->tick;
    return ticks < 1 ? 1 : ticks < KICK_TICKS ? (int)ticks : KICK_TICKS;
}

// The last steps up to the end of all are of about the same size.
static int fit(int ticks, int tick) {
    int left = KICK_TICKS - tick;
    return ticks >= left ? left : 2 * ticks > left ? (left + 1) / 2 : ticks;
}

// What the ball's velocity at time t would be without what this link has given in advance and with
// what the others have not given yet, less what it is.
static void owed(const KickBall *b, const KickLink *l, double t, Vec3 force, Vec3 torque, Vec3 *v,
                 Vec3 *w) {
    double own = t - l->given;
    Vec3 f = v3_sub(v3_axpy(v3_scale(t, b->now.f), -1, b->due.f), v3_scale(own, force));
    Vec3 c = v3_sub(v3_axpy(v3_scale(t, b->now.t), -1, b->due.t), v3_scale(own, torque));
    *v = v3_scale(b->by_mass, f);
    *w = v3_scale(b->by_inertia, c);
}

static RbKickMotion motion_of(const struct KickWork *k, const KickLink *l, const Sight *s,
                              double depth, double t, double duration) {
    const KickBall *p = &k->balls[l->one], *q = &k->balls[l->two];
    double half = 0.5 * s->distance, arm_1 = l->radius_1 + half, arm_2 = l->radius_2 + half;
    double by_mass = p->by_mass + q->by_mass;
    RbKickMotion out = {.motion = {.n_W = s->n,
                                   .depth = depth,
                                   .depth_rate = s->rate,
                                   .slip_W = v3_axpy(s->velocity, s->rate, s->n),
                                   .spin_W = v3_sub(q->w, p->w)},
                        .by_normal = by_mass,
                        .by_slip =
                            by_mass + arm_1 * arm_1 * p->by_inertia + arm_2 * arm_2 * q->by_inertia,
                        .by_spin = p->by_inertia + q->by_inertia,
                        .duration = duration};
    RbKickRates rates = rb_kick_rates(l->law, &out);
    double z_n = rates.normal * duration, z_t = rates.slip * duration;
    double part_n = 1 / (1 + 4 * z_n * z_n), part_t = 1 / (1 + 4 * z_t * z_t);
    Vec3 v_1, w_1, v_2, w_2;
    owed(p, l, t, v3_neg(l->force), l->torque_1, &v_1, &w_1);
    owed(q, l, t, l->force, l->torque_2, &v_2, &w_2);
    Vec3 between = v3_sub(v_2, v_1), turning = v3_add(v3_scale(arm_1, w_1), v3_scale(arm_2, w_2));
    double along = v3_dot(between, s->n);
    Vec3 across = v3_sub(v3_axpy(between, -along, s->n), v3_cross(turning, s->n));
    out.motion.depth_rate -= part_n * along;
    out.motion.slip_W = v3_axpy(out.motion.slip_W, part_t, across);
    out.motion.spin_W = v3_axpy(out.motion.spin_W, part_t, v3_sub(w_2, w_1));
    return out;
}

static void give(KickBall *b, double duration, Vec3 force, Vec3 torque) {
    b->v = v3_axpy(b->v, duration * b->by_mass, force);
    b->w = v3_axpy(b->w, duration * b->by_inertia, torque);
}

static void note(KickBall *b, double sign, double until, Vec3 force, Vec3 torque) {
    b->now.f = v3_axpy(b->now.f, sign, force);
    b->now.t = v3_axpy(b->now.t, sign, torque);
    b->due.f = v3_axpy(b->due.f, sign * until, force);
    b->due.t = v3_axpy(b->due.t, sign * until, torque);
}

// What the contact does to the sums of its balls.
static void note_link(struct KickWork *k, const KickLink *l, double sign) {
    note(&k->balls[l->one], sign, l->given, v3_neg(l->force), l->torque_1);
    note(&k->balls[l->two], sign, l->given, l->force, l->torque_2);
}

static void part(struct KickWork *k, KickLink *l) {
    note_link(k, l, -1);
    l->force = l->torque_1 = l->torque_2 = V3_ZERO;
    l->touches = false;
}

// Kick both balls with what is due up to `until`.
static void kick(struct KickWork *k, KickLink *l, const Sight *s, double depth, double t,
                 double until) {
    double duration = until - l->given;
    if (!(duration > 0)) return;
    RbKickMotion motion = motion_of(k, l, s, depth, t, duration);
    RbKick out = rb_kick(l->law, &motion);
    double half = 0.5 * s->distance;
    Vec3 moment = v3_cross(s->n, out.force_W);
    note_link(k, l, -1);
    l->force = out.force_W;
    l->torque_1 = v3_sub(v3_scale(-(l->radius_1 + half), moment), out.torque_W);
    l->torque_2 = v3_axpy(out.torque_W, -(l->radius_2 + half), moment);
    l->given = until;
    note_link(k, l, 1);
    give(&k->balls[l->one], duration, v3_neg(l->force), l->torque_1);
    give(&k->balls[l->two], duration, l->force, l->torque_2);
    k->lost[Q_DAMPING] += out.damping;
    k->lost[Q_FRICTION] += out.friction;
    k->lost[Q_ROLLING] += out.rolling;
    k->kicks++;
}

// ---- what comes next

// A pair that does not touch: when could it? A blow that is missed by less than its own step is seen
// in time. The velocities of both balls are those planned with, up to their margins.
static void look_ahead(struct KickWork *k, int link, const Sight *s, int tick) {
    KickLink *l = &k->links[link];
    const KickBall *p = &k->balls[l->one], *q = &k->balls[l->two];
    double closing = fmax(0, -v3_dot(v3_sub(q->planned, p->planned), s->n)) + p->margin +
                     q->margin + k->gravity_change; // one of them may be held against gravity
    double ticks = s->distance / (closing * k->tick);
    int left = KICK_TICKS - tick;
    l->last = tick;
    if (!(ticks < left)) {
        cancel(k, link);
        return;
    }
    int wait = (int)ticks, least = plan(k, l, 0, closing, tick);
    if (wait < least) wait = least;
    schedule(k, link, tick + (wait < left ? wait : left));
}

static void act(const Mechanism *m, struct KickWork *k, int link, const MechanismWork *w,
                int tick) {
    KickLink *l = &k->links[link];
    Sight s = see(m, k, l, w, tick);
    double depth = m->contacts->options.touch - s.distance, t = tick * k->tick;
    if (!(depth > 0)) {
        if (isnan(depth) || depth < -DBL_MAX) k->deep = (RbTooDeep){l->a, l->b, NAN, l->deepest};
        if (l->touches) part(k, l);
        if (tick < KICK_TICKS) look_ahead(k, link, &s, tick);
        return;
    }
    if (depth > l->deepest) k->deep = (RbTooDeep){l->a, l->b, depth, l->deepest};
    if (!l->touches) { // since when?
        double since = s.rate > 0 ? depth / s.rate : INFINITY;
        l->given = t - (tick > 0 ? START * fmin(since, t - l->last * k->tick) : 0);
        l->touches = true;
        l->rate = s.rate;
    }
    int ticks = fit(plan(k, l, depth, s.rate, tick), tick);
    double step = ticks * k->tick, until = t + 0.5 * step;
    if (s.rate < 0 && depth < -s.rate * step) until = t + START * depth / -s.rate;
    kick(k, l, &s, depth, t, until);
    l->last = tick;
    l->rate = s.rate;
    if (ticks > 0) schedule(k, link, tick + ticks);
}

// ---- plans that hold no longer

static void set_plan(const struct KickWork *k, KickBall *b) {
    b->planned = b->v;
    b->margin = fmax(MARGIN * v3_norm(b->v), LEAST_MARGIN * k->laws[0].pair.v_small);
}

static void plan_again(const Mechanism *m, struct KickWork *k, int ball, int link_now,
                       const MechanismWork *w, int tick) {
    KickBall *b = &k->balls[ball];
    set_plan(k, b);
    for (int i = k->start[ball]; i < k->start[ball + 1]; i++) {
        int link = k->of_ball[i];
        KickLink *l = &k->links[link];
        if (link == link_now || tick == KICK_TICKS) continue;
        Sight s = see(m, k, l, w, tick);
        double depth = m->contacts->options.touch - s.distance;
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

static bool has_changed(const KickBall *b) {
    return b->by_mass > 0 && v3_norm2(v3_sub(b->v, b->planned)) > b->margin * b->margin;
}

// ---- a step

// [s] How far: the fastest ball goes a small part of the skin, and the hardest blow takes some ticks for
// each of its steps.
static double choose_length(const Mechanism *m, const struct KickWork *k, double limit) {
    double fastest = SLOWEST, shortest = INFINITY;
    for (int i = 1; i < k->ball_count; i++) fastest = fmax(fastest, v3_norm(k->balls[i].v));
    for (int i = 0; i < k->law_count; i++)
        shortest = fmin(shortest, step_of(k, &k->laws[i], 0, 2 * fastest, 0));
    return fmin(fmin(WAY * m->skin / fastest, LONGEST),
                fmin(KICK_TICKS / FEWEST * shortest, limit));
}

static void start_step(const Mechanism *m, struct KickWork *k, const MechanismWork *w) {
    for (int i = 0; i <= KICK_TICKS; i++) k->ticks[i] = -1;
    for (int i = 1; i < k->ball_count; i++) set_plan(k, &k->balls[i]);
    for (int i = 0; i < k->link_count; i++) {
        KickLink *l = &k->links[i];
        l->touches = false;
        l->next = KICK_NEVER;
        l->last = 0;
        l->given = 0;
        l->force = l->torque_1 = l->torque_2 = V3_ZERO;
        Sight s = see(m, k, l, w, 0);
        if (m->contacts->options.touch - s.distance > 0)
            schedule(k, i, 0);
        else
            look_ahead(k, i, &s, 0);
    }
}

static void run_tick(const Mechanism *m, struct KickWork *k, const MechanismWork *w, int tick) {
    while (k->ticks[tick] >= 0) {
        int link = k->ticks[tick], one = k->links[link].one, two = k->links[link].two;
        cancel(k, link);
        act(m, k, link, w, tick);
        if (has_changed(&k->balls[one])) plan_again(m, k, one, link, w, tick);
        if (has_changed(&k->balls[two])) plan_again(m, k, two, link, w, tick);
    }
}

RbTooDeep rb_crowd_advance(const Mechanism *m, RbAdvance *a) {
    const RbEval *e = a->eval;
    MechanismWork *w = e->workspace;
    struct KickWork *k = w->kicks;
    rb_kicks_gather(m, e, k);
    for (int i = 1; i < k->ball_count; i++) load_ball(m, e->x, &k->balls[i]);
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
    for (int i = 1; i < k->ball_count; i++) {
        fly(k, &k->balls[i], KICK_TICKS);
        store_ball(m, a->x, &k->balls[i]);
    }
    memcpy(a->dq, k->lost, sizeof k->lost);
    a->evaluations = k->kicks;
    return k->deep;
}
