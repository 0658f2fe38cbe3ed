// SPDX-License-Identifier: MIT
#include "contact/kick_patch.h"

#include <math.h>

#include "contact/pair.h"
#include "math/regular.h"

static Vec3 yield_of(const RbKickSide *side, Vec3 point, Vec3 along) {
    Vec3 arm = v3_sub(point, side->centre);
    Vec3 turning = m3_mul_vec(side->by_inertia, v3_cross(arm, along));
    return v3_axpy(v3_cross(turning, arm), side->by_mass, along);
}

Vec3 rb_kick_yield(const RbKickSide sides[2], Vec3 point, Vec3 along) {
    return v3_add(yield_of(&sides[0], point, along), yield_of(&sides[1], point, along));
}

// The body after an impulse at a point.
static RbMoving pushed(const RbKickSide *side, Vec3 point, Vec3 impulse, Vec3 turn) {
    RbMoving out = side->at;
    Vec3 about = v3_add(v3_cross(v3_sub(point, side->centre), impulse), turn);
    Vec3 w = m3_mul_vec(side->by_inertia, about);
    out.V.w = v3_add(out.V.w, w);
    out.V.v = v3_add(v3_axpy(out.V.v, side->by_mass, impulse),
                     v3_cross(w, v3_sub(out.X.r, side->centre)));
    return out;
}

// Both, halfway through a kick with these means.
static void halfway(const RbKickSide sides[2], Vec3 point, Vec3 force, Vec3 torque, double duration,
                    RbMoving out[2]) {
    Vec3 impulse = v3_scale(0.5 * duration, force), turn = v3_scale(0.5 * duration, torque);
    out[0] = pushed(&sides[0], point, v3_neg(impulse), v3_neg(turn));
    out[1] = pushed(&sides[1], point, impulse, turn);
}

// ---- plans

// Along a direction, the inertia that a torque feels.
static double by_spin(const RbKickSide sides[2], Vec3 n) {
    return v3_dot(n, m3_mul_vec(sides[0].by_inertia, n)) +
           v3_dot(n, m3_mul_vec(sides[1].by_inertia, n));
}

RbPatchLoad rb_kick_load(const RbContactSetup *s, const RbContactPatch *over,
                         const RbKickSide sides[2], RbContactState *c) {
    RbPressing press = rb_contact_pressing(s, over, &sides[0].at, &sides[1].at, c);
    Vec3 n = over->patch.n;
    RbPatchLoad out = {.n_W = n,
                       .point_W = press.point,
                       .elastic = v3_norm(press.elastic.f),
                       .energy = press.energy};
    // The speed at which the force is driven: its power, and that of its couple, over its size.
    if (out.elastic > 0) out.closing = -c->pressing / out.elastic;
    out.by_normal = v3_dot(n, rb_kick_yield(sides, press.point, n));
    double turning = m3_trace(sides[0].by_inertia) + m3_trace(sides[1].by_inertia);
    out.tilting = turning * press.twist_radius * press.twist_radius;
    // U grows with a power of the depth between 2, of a face, and 2.5, of a corner.
    if (out.energy > 0) out.stiffness = 0.6 * out.elastic * out.elastic / out.energy;
    const RbPairLaw *law = &c->law.pair;
    double blow = sqrt(out.closing * out.closing + 2 * out.energy * out.by_normal);
    double damping = (c->law.dissipation.a + c->law.dissipation.rise) * out.elastic *
                     out.by_normal / fmax(blow, 1e-300);
    double rubbing = law->friction == RB_FRICTION_BRISTLE
                         ? law->bristle_time / law->bristle_length
                         : 1 / law->v_small;
    double yields = out.by_normal + out.tilting;
    out.decay = fmax(damping, law->mu_k * out.elastic * rubbing * yields);
    return out;
}

// ---- friction

// Slip, and along the normal that of twisting at the mean distance of the pressure.
static Vec3 slip_of(const RbContactMotion *m) {
    return v3_axpy(m->slip_W, m->twist_radius * v3_dot(m->n_W, m->spin_W), m->n_W);
}

// What such a slip gains by a unit impulse along d, whose part along the normal is of twisting.
static double yield_along(const RbKickSide sides[2], const RbContactMotion *m, Vec3 point, Vec3 d) {
    double about = v3_dot(d, m->n_W);
    Vec3 across = v3_axpy(d, -about, m->n_W);
    double twist = about * m->twist_radius;
    return v3_dot(across, rb_kick_yield(sides, point, across)) +
           twist * twist * by_spin(sides, m->n_W);
}

// Part of a speed that is lost, as in kick.c: above small it falls evenly, below it decays.
static Vec3 slide(const RbContactLaw *law, Vec3 slip, double push, double yield, double *lost) {
    double speed = v3_norm(slip);
    if (!(speed > 0 && law->pair.mu_k > 0)) return V3_ZERO;
    double part = rb_kick_part_lost(speed, law->pair.mu_k * push * yield, law->pair.v_small);
    *lost += 0.5 * speed * speed * part * (2 - part) / yield;
    return v3_scale(-part / yield, slip);
}

static double clamp_01(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// Where the bristle is at the end, for a slip that is constant: it yields from 0.7 of its length on, and never gets longer than that.
static Vec3 bend(Vec3 s, Vec3 slip, double L, double duration) {
    const double elastic_part = 0.7;
    double x = clamp_01((v3_norm(s) / L - elastic_part) / (1 - elastic_part));
    double yields = x * x * (3 - 2 * x) * fmax(0, v3_dot(s, slip)) / (L * L);
    Vec3 end = v3_scale(1 / (1 + yields * duration), v3_axpy(s, duration, slip));
    double length = v3_norm(end);
    return length > L ? v3_scale(L / length, end) : end;
}

// -mu N sat((s + T v)/L) with s and v in the middle of the kick, which the impulse itself has changed.
static Vec3 stick(const RbContactLaw *law, Vec3 s, Vec3 slip, double push, double duration,
                  double yield, Vec3 *end, double *lost) {
    double L = law->pair.bristle_length, time = law->pair.bristle_time + 0.5 * duration;
    Vec3 wish = v3_axpy(s, time, slip);
    double most = law->pair.mu_k * push, size = v3_norm(wish);
    double part = size / (L + 0.5 * time * yield * most); // of the most there is
    Vec3 impulse = V3_ZERO;
    if (size > 0) impulse = v3_scale(-most * fmin(part, 1) / size, wish);
    Vec3 middle = v3_axpy(slip, 0.5 * yield, impulse);
    *lost -= v3_dot(impulse, middle);
    *end = bend(s, middle, L, duration);
    return impulse;
}

// ---- all of it

// Mean of what presses: at the motion in the middle, found by repetition, since damping is weak over a kick.
static RbPressing press(const RbContactSetup *s, const RbContactPatch *over,
                        const RbKickSide sides[2], double duration, RbMoving middle[2],
                        RbContactState *c) {
    enum { TRIES = 3 };
    RbPressing p = rb_contact_pressing(s, over, &sides[0].at, &sides[1].at, c);
    for (int i = 0; i < TRIES; i++) {
        Vec3 force = v3_axpy(p.side, p.normal, over->patch.n);
        halfway(sides, p.point, force, p.couple, duration, middle);
        if (!(c->law.dissipation.a > 0) && i > 0) break;
        p = rb_contact_pressing(s, over, &middle[0], &middle[1], c);
    }
    return p;
}

RbPatchKick rb_kick_over(const RbContactSetup *s, const RbContactPatch *over,
                         const RbKickSide sides[2], double duration, RbBristle *bristle,
                         RbContactState *c) {
    RbMoving middle[2];
    RbPatchKick out = {0};
    RbPressing p = press(s, over, sides, duration, middle, c);
    const RbContactLaw *law = &c->law;
    out.point_W = p.point;
    out.force_W = v3_axpy(p.side, p.normal, over->patch.n);
    out.torque_W = p.couple;
    out.damping = p.damping_power * duration;
    out.pressing = c->pressing * duration;
    RbGap across = c->gap;
    across.normal = over->patch.n;
    c->motion = rb_contact_motion_at(s, &middle[0], &middle[1], &across, p.point);
    c->motion.twist_radius = p.twist_radius;
    double push = p.normal * duration;
    Vec3 n = c->motion.n_W, slip = slip_of(&c->motion);
    bool sticks = law->pair.friction == RB_FRICTION_BRISTLE;
    if (!(push > 0)) return out;
    Vec3 bent = V3_ZERO, wish = slip;
    if (sticks) {
        bent = v3_axpy(bristle->slide_W, -v3_dot(n, bristle->slide_W), n);
        bent = v3_axpy(bent, bristle->twist, n);
        wish = v3_axpy(bent, law->pair.bristle_time + 0.5 * duration, slip);
    }
    double yield = yield_along(sides, &c->motion, p.point, v3_unit_or(wish, v3_perpendicular(n)));
    Vec3 end = V3_ZERO;
    Vec3 rub = sticks ? stick(law, bent, slip, push, duration, yield, &end, &out.friction)
                      : slide(law, slip, push, yield, &out.friction);
    double about = v3_dot(rub, n);
    Vec3 force = v3_axpy(rub, -about, n);
    Vec3 turn = v3_scale(about * p.twist_radius, n);
    double spin = v3_norm(c->motion.spin_W);
    if (law->pair.mu_r > 0 && spin > 0) {
        double yields = by_spin(sides, v3_scale(1 / spin, c->motion.spin_W));
        double part = rb_kick_part_lost(spin, law->pair.mu_r * law->radius * push * yields,
                                        law->pair.w_small);
        turn = v3_axpy(turn, -part / yields, c->motion.spin_W);
        out.rolling = 0.5 * spin * spin * part * (2 - part) / yields;
    }
    out.force_W = v3_axpy(out.force_W, 1 / duration, force);
    out.torque_W = v3_axpy(out.torque_W, 1 / duration, turn);
    if (sticks) {
        bristle->twist = v3_dot(end, n);
        bristle->slide_W = v3_axpy(end, -bristle->twist, n);
        Vec3 plane = rb_pair_plane_spin(s, c->a, c->b, middle[0].V.w, middle[1].V.w, n);
        bristle->slide_W =
            v3_axpy(bristle->slide_W, duration, v3_cross(plane, bristle->slide_W));
    }
    return out;
}
