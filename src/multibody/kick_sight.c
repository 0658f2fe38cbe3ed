// SPDX-License-Identifier: MIT
// One contact of a crowd, where its bodies are now: distance, normal, speeds, and how hard they press.
#include <math.h>

#include "contact/pair.h"
#include "geom/support.h"
#include "multibody/crowd.h"
#include "multibody/crowd_kicks.h"

static KickSight see_round(const Mechanism *m, const struct KickWork *k, const KickLink *l,
                           const MechanismWork *w) {
    const KickBody *p = &k->bodies[l->one], *q = &k->bodies[l->two];
    KickSight s = {.bound = false};
    if (l->one > 0 && l->two > 0) {
        Vec3 way = v3_sub(q->r, p->r);
        double length = v3_norm(way);
        s.distance = length - (l->radius_1 + l->radius_2);
        s.n = v3_scale(1 / length, way);
    } else {
        Pose ball = {l->one > 0 ? p->r : q->r, M3_IDENTITY};
        const Pose *world = &w->moving[0].X;
        RbPairMemory memory = {0};
        RbGap gap = rb_pair_gap(m->contact.setup, l->a, l->b, l->one > 0 ? &ball : world,
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

static Vec3 velocity_at(const KickBody *b, Vec3 point) {
    return v3_add(b->v, v3_cross(b->w, v3_sub(point, b->r)));
}

static void measure_speeds(const struct KickWork *k, const KickLink *l, KickSight *s) {
    const KickBody *p = &k->bodies[l->one], *q = &k->bodies[l->two];
    s->velocity = v3_sub(velocity_at(q, s->point), velocity_at(p, s->point));
    s->rate = -v3_dot(s->velocity, s->n);
}

static Pose pose_of(const struct KickWork *k, int number, const MechanismWork *w) {
    return number > 0 ? rb_kick_pose(&k->bodies[number]) : w->moving[0].X;
}

static KickSight see_shapes(const Mechanism *m, const struct KickWork *k, const KickLink *l,
                            const MechanismWork *w) {
    KickShapes *x = l->shapes;
    Pose X_1 = pose_of(k, l->one, w), X_2 = pose_of(k, l->two, w);
    RbGap gap = rb_pair_gap(m->contact.setup, l->a, l->b, &X_1, &X_2, &x->state.memory);
    x->state.gap = gap;
    x->axis = gap.normal;
    KickSight s = {.n = gap.normal,
                   .distance = gap.distance,
                   .point = v3_scale(0.5, v3_add(gap.point_a, gap.point_b))};
    measure_speeds(k, l, &s);
    return s;
}

static void bring(struct KickWork *k, const KickLink *l, int tick) {
    rb_kick_fly(k, &k->bodies[l->one], tick);
    rb_kick_fly(k, &k->bodies[l->two], tick);
}

KickSight rb_kick_see(const Mechanism *m, struct KickWork *k, const KickLink *l,
                      const MechanismWork *w, int tick) {
    bring(k, l, tick);
    return l->shapes ? see_shapes(m, k, l, w) : see_round(m, k, l, w);
}

// ---- bounds

// [m] How far the element reaches along n, from the origin of the world.
static double extent(const RbElement *e, Pose X, Vec3 n) {
    Vec3 along = m3_tmul_vec(e->X_BS.R, m3_tmul_vec(X.R, n));
    return v3_dot(pose_point(X, pose_point(e->X_BS, rb_support(e->core, along))), n);
}

// Along any direction that separates two convex bodies they are apart by no more than their distance.
KickSight rb_kick_glance(const Mechanism *m, struct KickWork *k, const KickLink *l,
                         const MechanismWork *w, int tick) {
    const KickShapes *x = l->shapes;
    if (!x || l->touches || v3_norm2(x->axis) == 0) return rb_kick_see(m, k, l, w, tick);
    bring(k, l, tick);
    const RbElement *a = &m->contact.setup->elements[l->a], *b = &m->contact.setup->elements[l->b];
    Vec3 n = x->axis;
    double apart = -extent(b, pose_of(k, l->two, w), v3_neg(n)) - extent(a, pose_of(k, l->one, w), n);
    // Where it is small the distance itself is looked for.
    double enough = 0.05 * m->crowd.skin;
    if (!(apart > enough)) return rb_kick_see(m, k, l, w, tick);
    return (KickSight){.n = n, .distance = apart, .bound = true};
}

// ---- loads

void rb_kick_weigh(const Mechanism *m, struct KickWork *k, const KickLink *l, KickSight *s) {
    KickShapes *x = l->shapes;
    if (!x) return;
    RbKickSide sides[2] = {rb_kick_side(&k->bodies[l->one]), rb_kick_side(&k->bodies[l->two])};
    if (!x->now.touches) { // the mass that a blow feels is that of its beginning, as contacts elsewhere have it
        Vec3 point = rb_pair_force_point(m->contact.setup, l->a, l->b, sides[0].at.X, sides[1].at.X,
                                         &x->state.gap);
        x->now.mass = 1 / v3_dot(s->n, rb_kick_yield(sides, point, s->n));
        x->now.touches = true;
    }
    x->law.mass = x->now.mass;
    x->state.law = x->law;
    if (!x->patch) return;
    k->over = rb_contact_patch_of_gap(m->contact.setup, sides[0].at.X, sides[1].at.X, &x->state);
    x->load = rb_kick_load(m->contact.setup, &k->over, sides, &x->state);
    if (!(x->load.energy > 0))
        return; // as deep as rounding: what was seen of the closest points holds
    s->n = x->load.n_W;
    s->point = x->load.point_W;
    measure_speeds(k, l, s);
    s->rate = x->load.closing;
}

// A patch that is pressed by U with the stiffness k is stiffer at the depth where the blow turns round: k grows like U^0.2 on a corner,
// and not on a face.
static double patch_frequency(const KickLink *l, double rate, double *speed) {
    const RbPatchLoad *p = &l->shapes->load;
    double yields = p->by_normal + p->tilting;
    double energy = 0.5 * rate * rate / p->by_normal + p->energy;
    *speed = sqrt(2 * energy * p->by_normal);
    if (!(p->energy > 0)) { // nothing is known of it yet: a rounded corner
        RbContactLaw law = l->shapes->law;
        return rb_kick_frequency(&law, 0, rate, speed);
    }
    return sqrt(p->stiffness * pow(energy / p->energy, 0.2) * yields);
}

double rb_kick_link_frequency(const KickLink *l, double depth, double rate, double *speed) {
    if (l->shapes && l->shapes->patch && l->touches && depth > 0)
        return patch_frequency(l, rate, speed);
    return rb_kick_frequency(l->law, depth, rate, speed);
}
