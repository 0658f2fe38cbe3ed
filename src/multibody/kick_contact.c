// SPDX-License-Identifier: MIT
// The kick of one contact: the force of half the step before and half the step behind, for velocities of the present time.
#include <math.h>

#include "multibody/crowd.h"
#include "multibody/crowd_kicks.h"

// The last force of the link, as it is known to the sums.
static void owed_of_both(const struct KickWork *k, const KickLink *l, double t, Vec3 v[2],
                         Vec3 w[2]) {
    rb_kick_owed(&k->bodies[l->one], l, t, v3_neg(l->force), l->torque_1, &v[0], &w[0]);
    rb_kick_owed(&k->bodies[l->two], l, t, l->force, l->torque_2, &v[1], &w[1]);
}

static double part_of(double decay, double duration) {
    double z = decay * duration;
    return 1 / (1 + 4 * z * z);
}

// ---- balls

static RbKickMotion motion_of_balls(const struct KickWork *k, const KickLink *l, const KickSight *s,
                                    double depth, double t, double duration) {
    const KickBody *p = &k->bodies[l->one], *q = &k->bodies[l->two];
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
    double part_n = part_of(rates.normal, duration), part_t = part_of(rates.slip, duration);
    Vec3 v[2], w[2];
    owed_of_both(k, l, t, v, w);
    Vec3 between = v3_sub(v[1], v[0]);
    Vec3 turning = v3_add(v3_scale(arm_1, w[0]), v3_scale(arm_2, w[1]));
    double along = v3_dot(between, s->n);
    Vec3 across = v3_sub(v3_axpy(between, -along, s->n), v3_cross(turning, s->n));
    out.motion.depth_rate -= part_n * along;
    out.motion.slip_W = v3_axpy(out.motion.slip_W, part_t, across);
    out.motion.spin_W = v3_axpy(out.motion.spin_W, part_t, v3_sub(w[1], w[0]));
    return out;
}

static RbKick kick_balls(const struct KickWork *k, const KickLink *l, const KickSight *s,
                         double depth, double t, double duration, Vec3 torque[2]) {
    RbKickMotion motion = motion_of_balls(k, l, s, depth, t, duration);
    RbKick out = rb_kick(l->law, &motion);
    double half = 0.5 * s->distance;
    Vec3 moment = v3_cross(s->n, out.force_W);
    torque[0] = v3_sub(v3_scale(-(l->radius_1 + half), moment), out.torque_W);
    torque[1] = v3_axpy(out.torque_W, -(l->radius_2 + half), moment);
    return out;
}

// ---- a round body on any other

static double by_spin_along(const RbKickSide sides[2], Vec3 d) {
    return v3_dot(d, m3_mul_vec(sides[0].by_inertia, d)) +
           v3_dot(d, m3_mul_vec(sides[1].by_inertia, d));
}

static void torques(const struct KickWork *k, const KickLink *l, Vec3 point, Vec3 force,
                    Vec3 couple, Vec3 out[2]) {
    Vec3 arm_1 = v3_sub(point, k->bodies[l->one].r), arm_2 = v3_sub(point, k->bodies[l->two].r);
    out[0] = v3_neg(v3_add(v3_cross(arm_1, force), couple));
    out[1] = v3_add(v3_cross(arm_2, force), couple);
}

// The impulse along the normal changes slip, too, and that of friction the approach: each sees half of what the other one does.
static RbKick kick_point(const struct KickWork *k, const KickLink *l, const KickSight *s,
                         double depth, double t, double duration, Vec3 torque[2]) {
    const KickBody *p = &k->bodies[l->one], *q = &k->bodies[l->two];
    RbKickSide sides[2] = {rb_kick_side(p), rb_kick_side(q)};
    Vec3 slip = v3_axpy(s->velocity, s->rate, s->n), spin = v3_sub(q->w, p->w);
    Vec3 d = v3_unit_or(slip, v3_perpendicular(s->n));
    RbKickMotion in = {
        .motion = {.n_W = s->n,
                   .depth = depth,
                   .depth_rate = s->rate,
                   .slip_W = slip,
                   .spin_W = spin},
        .by_normal = v3_dot(s->n, rb_kick_yield(sides, s->point, s->n)),
        .by_slip = v3_dot(d, rb_kick_yield(sides, s->point, d)),
        .by_spin = fmax(by_spin_along(sides, s->n), by_spin_along(sides, v3_unit_or(spin, s->n))),
        .duration = duration};
    RbKickRates rates = rb_kick_rates(l->law, &in);
    double part_n = part_of(rates.normal, duration), part_t = part_of(rates.slip, duration);
    Vec3 v[2], w[2];
    owed_of_both(k, l, t, v, w);
    Vec3 v_1 = v3_add(v[0], v3_cross(w[0], v3_sub(s->point, p->r))),
         v_2 = v3_add(v[1], v3_cross(w[1], v3_sub(s->point, q->r)));
    Vec3 between = v3_sub(v_2, v_1);
    double along = v3_dot(between, s->n);
    in.motion.depth_rate -= part_n * along;
    in.motion.slip_W = v3_axpy(slip, part_t, v3_axpy(between, -along, s->n));
    in.motion.spin_W = v3_axpy(spin, part_t, v3_sub(w[1], w[0]));
    RbKick out = rb_kick(l->law, &in);
    RbKickMotion coupled = in;
    double push = v3_dot(out.force_W, s->n);
    Vec3 rub = v3_axpy(out.force_W, -push, s->n);
    Vec3 by_push = v3_scale(0.5 * duration,
                            rb_kick_yield(sides, s->point, v3_scale(push, s->n))),
         by_rub = v3_scale(0.5 * duration, rb_kick_yield(sides, s->point, rub));
    coupled.motion.depth_rate -= v3_dot(by_rub, s->n);
    coupled.motion.slip_W = v3_add(
        in.motion.slip_W, v3_axpy(by_push, -v3_dot(by_push, s->n), s->n));
    out = rb_kick(l->law, &coupled);
    torques(k, l, s->point, out.force_W, out.torque_W, torque);
    return out;
}

// ---- over a patch

static RbKick kick_patch(const Mechanism *m, struct KickWork *k, const KickLink *l, double t,
                         double duration, Vec3 torque[2]) {
    KickShapes *x = l->shapes;
    RbKickSide sides[2] = {rb_kick_side(&k->bodies[l->one]), rb_kick_side(&k->bodies[l->two])};
    double part = part_of(x->load.decay, duration);
    Vec3 v[2], w[2];
    owed_of_both(k, l, t, v, w);
    for (int i = 0; i < 2; i++) {
        Motion *V = &sides[i].at.V;
        Vec3 arm = v3_sub(sides[i].at.X.r, sides[i].centre);
        V->w = v3_axpy(V->w, part, w[i]);
        V->v = v3_axpy(V->v, part, v3_add(v[i], v3_cross(w[i], arm)));
    }
    RbPatchKick out =
        rb_kick_over(m->contact.setup, &k->over, sides, duration, &x->now.bristle, &x->state);
    torques(k, l, out.point_W, out.force_W, out.torque_W, torque);
    k->lost[Q_PRESSING] += out.pressing;
    return (RbKick){out.force_W, out.torque_W, out.damping, out.friction, out.rolling};
}

// ---- all of them

void rb_kick_link(const Mechanism *m, struct KickWork *k, KickLink *l, const KickSight *s,
                  double depth, double t, double until) {
    double duration = until - l->given;
    if (!(duration > 0)) return;
    Vec3 torque[2];
    RbKick out = !l->shapes        ? kick_balls(k, l, s, depth, t, duration, torque)
                 : l->shapes->patch ? kick_patch(m, k, l, t, duration, torque)
                                    : kick_point(k, l, s, depth, t, duration, torque);
    rb_kick_note(k, l, -1);
    l->force = out.force_W;
    l->torque_1 = torque[0];
    l->torque_2 = torque[1];
    l->given = until;
    rb_kick_note(k, l, 1);
    rb_kick_give(&k->bodies[l->one], duration, v3_neg(l->force), l->torque_1);
    rb_kick_give(&k->bodies[l->two], duration, l->force, l->torque_2);
    const double lost[] = {out.damping, out.friction, out.rolling};
    for (int i = 0; i < 3; i++) {
        l->losing[i] = lost[i] / duration;
        k->lost[Q_DAMPING + i] += lost[i]; // ORDER Q_DAMPING, Q_FRICTION, Q_ROLLING
    }
    k->kicks++;
}
