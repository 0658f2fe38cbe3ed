// SPDX-License-Identifier: MIT
// Bodies of a crowd between their kicks. The centre of mass falls; a ball keeps its angular velocity, any other body its angular
// momentum L: R' = (R I⁻¹ Rᵀ L) x R, which is followed on the group of rotations, so that L is kept to rounding and the energy to the
// fourth order of the angle.
#include <math.h>

#include "multibody/crowd.h"
#include "multibody/crowd_kicks.h"

static const double ANGLE = 0.05; // [rad] of one step of the fourth order

void rb_kick_load_body(const Mechanism *m, const double *x, KickBody *b) {
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
    KickTurning *t = b->turning;
    if (!t) return;
    t->q = q_unit(q_load(q + 3));
    t->R = q_matrix(t->q);
    t->by_world = t->even ? t->by_body : m3_rotate_tensor(t->R, t->by_body);
    t->L = m3_mul_vec(m3_inverse(t->by_world), b->w);
    Vec3 arm = m3_mul_vec(t->R, t->centre);
    b->from = b->r = v3_add(b->r, arm);
    b->v = v3_add(b->v, v3_cross(b->w, arm));
}

static void store_turned(double *q, double *v, const KickBody *b) {
    const KickTurning *t = b->turning;
    Vec3 before = m3_mul_vec(q_matrix(q_unit(q_load(q + 3))), t->centre),
         arm = m3_mul_vec(t->R, t->centre);
    v3_store(q, v3_add(v3_load(q), v3_add(b->way, v3_sub(before, arm))));
    q_store(q + 3, t->q);
    v3_store(v, v3_sub(b->v, v3_cross(b->w, arm)));
    v3_store(v + 3, b->w);
}

void rb_kick_store_body(const Mechanism *m, double *x, const KickBody *b) {
    const RbTree *tree = &m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, b->body);
    double *q = x + joint->q, *v = x + tree->nq + joint->v;
    if (b->turning) {
        store_turned(q, v, b);
        return;
    }
    double angle = v3_norm(b->turn);
    v3_store(q, v3_add(v3_load(q), b->way));
    if (angle > 0)
        q_store(q + 3, q_mul(q_rotation(v3_scale(1 / angle, b->turn), angle), q_load(q + 3)));
    v3_store(v, b->v);
    v3_store(v + 3, b->w);
}

// ---- turning

static Quat turned(Quat q, Vec3 by) {
    double angle = v3_norm(by);
    if (!(angle > 0)) return q;
    return q_mul(q_rotation(v3_scale(1 / angle, by), angle), q);
}

static Vec3 spin_at(const KickTurning *t, Quat q) {
    Vec3 L = q_unrotate(q, t->L);
    return q_rotate(q, m3_mul_vec(t->by_body, L));
}

static Vec3 sum4(double a, Vec3 p, double b, Vec3 q, double c, Vec3 r, double d, Vec3 s) {
    return v3_axpy(v3_axpy(v3_axpy(v3_scale(a, p), b, q), c, r), d, s);
}

// Celledoni, Marthinsen, Owren 2003: order 4 without commutators.
static Quat spun(const KickTurning *t, Quat q, double h) {
    Vec3 k1 = spin_at(t, q);
    Quat q2 = turned(q, v3_scale(0.5 * h, k1));
    Vec3 k2 = spin_at(t, q2), k3 = spin_at(t, turned(q, v3_scale(0.5 * h, k2)));
    Vec3 k4 = spin_at(t, turned(q2, v3_axpy(v3_scale(h, k3), -0.5 * h, k1)));
    double c = h / 12;
    q = turned(q, sum4(3 * c, k1, 2 * c, k2, 2 * c, k3, -c, k4));
    return turned(q, sum4(-c, k1, 2 * c, k2, 2 * c, k3, 3 * c, k4));
}

static void turn_on(KickBody *b, double h) {
    KickTurning *t = b->turning;
    if (t->even) {
        t->q = q_unit(turned(t->q, v3_scale(h, b->w)));
        t->R = q_matrix(t->q);
        return;
    }
    int steps = 1 + (int)fmin(v3_norm(b->w) * h / ANGLE, 1000);
    for (int i = 0; i < steps; i++) t->q = spun(t, t->q, h / steps);
    t->q = q_unit(t->q);
    t->R = q_matrix(t->q);
    t->by_world = m3_rotate_tensor(t->R, t->by_body);
    b->w = m3_mul_vec(t->by_world, t->L);
}

void rb_kick_fly(const struct KickWork *k, KickBody *b, int tick) {
    if (b->tick == tick || b->by_mass == 0) return;
    double t = (tick - b->tick) * k->tick;
    b->way = v3_axpy(v3_axpy(b->way, t, b->v), 0.5 * t * t, k->gravity);
    b->r = v3_add(b->from, b->way);
    b->v = v3_axpy(b->v, t, k->gravity);
    if (b->turning)
        turn_on(b, t);
    else // one turn after another, to second order of the angles
        b->turn = v3_axpy(b->turn, t, v3_axpy(b->w, 0.5, v3_cross(b->w, b->turn)));
    b->tick = tick;
}

// ---- impulses

void rb_kick_give(KickBody *b, double duration, Vec3 force, Vec3 torque) {
    b->v = v3_axpy(b->v, duration * b->by_mass, force);
    if (!b->turning) {
        b->w = v3_axpy(b->w, duration * b->by_inertia, torque);
        return;
    }
    b->turning->L = v3_axpy(b->turning->L, duration, torque);
    b->w = m3_mul_vec(b->turning->by_world, b->turning->L);
}

void rb_kick_owed(const KickBody *b, const KickLink *l, double t, Vec3 force, Vec3 torque, Vec3 *v,
                  Vec3 *w) {
    double own = t - l->given;
    Vec3 f = v3_sub(v3_axpy(v3_scale(t, b->now.f), -1, b->due.f), v3_scale(own, force));
    Vec3 c = v3_sub(v3_axpy(v3_scale(t, b->now.t), -1, b->due.t), v3_scale(own, torque));
    *v = v3_scale(b->by_mass, f);
    *w = b->turning ? m3_mul_vec(b->turning->by_world, c) : v3_scale(b->by_inertia, c);
}

static void note(KickBody *b, double sign, double until, Vec3 force, Vec3 torque) {
    b->now.f = v3_axpy(b->now.f, sign, force);
    b->now.t = v3_axpy(b->now.t, sign, torque);
    b->due.f = v3_axpy(b->due.f, sign * until, force);
    b->due.t = v3_axpy(b->due.t, sign * until, torque);
}

void rb_kick_note(struct KickWork *k, const KickLink *l, double sign) {
    note(&k->bodies[l->one], sign, l->given, v3_neg(l->force), l->torque_1);
    note(&k->bodies[l->two], sign, l->given, l->force, l->torque_2);
}

// ---- as others see it

Pose rb_kick_pose(const KickBody *b) {
    const KickTurning *t = b->turning;
    if (!t) return (Pose){b->r, M3_IDENTITY};
    return (Pose){v3_sub(b->r, m3_mul_vec(t->R, t->centre)), t->R};
}

RbKickSide rb_kick_side(const KickBody *b) {
    Pose X = rb_kick_pose(b);
    Motion V = {b->w, v3_add(b->v, v3_cross(b->w, v3_sub(X.r, b->r)))};
    Mat3 by_inertia =
        b->turning ? b->turning->by_world : m3_scale(b->by_inertia, M3_IDENTITY);
    return (RbKickSide){{X, V}, b->r, b->by_mass, by_inertia};
}

double rb_kick_sweep(const KickBody *b) {
    return b->turning ? v3_norm(b->w) * b->turning->reach : 0;
}
