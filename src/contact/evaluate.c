// SPDX-License-Identifier: MIT
#include "contact/evaluate.h"

#include <math.h>

#include "contact/pair.h"
#include "contact/press.h"
#include "contact/unrolled.h"

static inline Vec3 point_velocity(const RbMoving *body, Vec3 point_W) {
    return v3_add(body->V.v, v3_cross(body->V.w, v3_sub(point_W, body->X.r)));
}

static inline Vec3 relative_velocity(const RbMoving *ma, const RbMoving *mb, Vec3 point_W) {
    return v3_sub(point_velocity(mb, point_W), point_velocity(ma, point_W));
}

RbContactMotion rb_contact_motion_at(const RbContactSetup *s, const RbMoving *ma,
                                     const RbMoving *mb, const RbGap *gap, Vec3 point_W) {
    Vec3 v = relative_velocity(ma, mb, point_W);
    double vn = v3_dot(v, gap->normal);
    return (RbContactMotion){.n_W = gap->normal,
                             .depth = fmax(0, s->options.touch - gap->distance),
                             .depth_rate = -vn,
                             .slip_W = v3_axpy(v, -vn, gap->normal),
                             .spin_W = v3_sub(mb->V.w, ma->V.w)};
}

// ---- belts

static Vec3 belt_velocity(const RbBelt *belt, const RbMoving *body) {
    double since = body->time - belt->start;
    double part = since < 0 ? 0 : since < belt->ramp ? since / belt->ramp : 1;
    return m3_mul_vec(body->X.R, v3_scale(part, belt->velocity));
}

// Surfaces that run along themselves add to the slip alone.
static void run_belts(const RbContactSetup *s, const RbMoving *ma, const RbMoving *mb,
                      RbContactState *c) {
    const RbBelt *a = &s->elements[c->a].belt, *b = &s->elements[c->b].belt;
    c->belt_W = V3_ZERO;
    if (v3_norm2(a->velocity) == 0 && v3_norm2(b->velocity) == 0) return;
    Vec3 u = v3_sub(belt_velocity(b, mb), belt_velocity(a, ma));
    c->belt_W = v3_axpy(u, -v3_dot(u, c->motion.n_W), c->motion.n_W);
    c->motion.slip_W = v3_add(c->motion.slip_W, c->belt_W);
}

static void stick(const RbContactSetup *s, const RbMoving *ma, const RbMoving *mb,
                  const RbBristle *bristle, RbContactState *c) {
    if (!bristle || c->law.pair.friction != RB_FRICTION_BRISTLE) return;
    Vec3 plane = rb_pair_plane_spin(s, c->a, c->b, ma->V.w, mb->V.w, c->motion.n_W);
    c->motion.bristle_W = bristle->slide_W;
    c->motion.bristle_twist = bristle->twist;
    c->bristle_rate = rb_contact_bristle_rate(&c->law, &c->motion, plane);
}

// ---- at a point

// The elastic energy is a function of the distance of the closest points, but the force of a flat
// pair acts at the centre of the patch, which approaches at another speed: what it gives there
// beyond what it stores comes from nothing, and is booked by its own name.
static double false_power(const RbContactState *c, const RbMoving *ma, const RbMoving *mb) {
    if (c->law.pair.normal == RB_NORMAL_USER || !(c->motion.depth > 0)) return 0;
    double elastic = rb_contact_elastic(&c->law, &c->motion);
    double closing = v3_dot(c->gap.normal, v3_sub(point_velocity(ma, c->gap.point_a),
                                                  point_velocity(mb, c->gap.point_b)));
    return elastic * (closing - c->motion.depth_rate);
}

static void evaluate_point(const RbContactSetup *s, const RbMoving *ma, const RbMoving *mb,
                           const RbBristle *bristle, RbContactState *c) {
    bool smooth = rb_pair_is_smooth(s, c->a, c->b);
    c->point_W = smooth ? v3_scale(0.5, v3_add(c->gap.point_a, c->gap.point_b))
                        : rb_pair_force_point(s, c->a, c->b, ma->X, mb->X, &c->gap);
    c->motion = rb_contact_motion_at(s, ma, mb, &c->gap, c->point_W);
    run_belts(s, ma, mb, c);
    c->pressing = 0;
    stick(s, ma, mb, bristle, c);
    if (c->law.pair.response != RB_RESPONSE_ELASTIC) return;
    c->force = rb_contact_force(&c->law, &c->motion);
    c->f_W = v3_axpy(c->force.friction_W, c->force.normal, c->motion.n_W);
    c->t_W = c->force.torque_W;
    // The closest points of a smooth pair lie on the normal through the point of force.
    c->from_nothing = smooth ? 0 : false_power(c, ma, mb);
}

// ---- over a patch

// Radius of rounded corners, or of the round ends of capsules. [m]
static double spot_radius(const RbContactSetup *s, const RbContactState *c) {
    const RbCore *a = s->elements[c->a].core, *b = s->elements[c->b].core;
    bool capsule = a->kind == RB_CORE_SEGMENT || b->kind == RB_CORE_SEGMENT;
    return capsule ? c->law.radius : 10 * rb_region_reach(a, b);
}

static RbPatch patch_of(const RbContactSetup *s, const RbContactState *c, Pose X_a, Pose X_b,
                        const RbGap *gap_W) {
    const RbElement *ea = &s->elements[c->a], *eb = &s->elements[c->b];
    Pose X_WA = pose_mul(X_a, ea->X_BS), X_WB = pose_mul(X_b, eb->X_BS);
    RbGap gap = *gap_W;
    gap.normal = m3_tmul_vec(X_WA.R, gap_W->normal);
    gap.point_a = pose_unpoint(X_WA, gap_W->point_a);
    gap.point_b = pose_unpoint(X_WA, gap_W->point_b);
    RbPatch p;
    rb_patch(ea->core, eb->core, pose_relative(X_WA, X_WB), &gap, &p);
    return rb_patch_in_world(p, X_WA);
}

// A patch that is about to touch, or so shallow that rounding shapes it, has the centre and the radius of
// one that is just seen. Otherwise both would jump at depth zero, and with them the slip of a body that
// spins, however small the force is.
static void hold_centre(const RbContactSetup *s, const RbContactState *c, Pose X_a, Pose X_b,
                        RbContactPatch *out) {
    double seen = 1e-12 * fmin(s->elements[c->a].thickness, s->elements[c->b].thickness);
    double nearer = seen + c->gap.distance; // [m]
    if (!(nearer > 0)) return;
    RbGap gap = c->gap;
    gap.distance = -seen;
    gap.point_b = v3_axpy(gap.point_b, -nearer, gap.normal);
    X_b.r = v3_axpy(X_b.r, -nearer, gap.normal);
    RbPatch p = patch_of(s, c, X_a, X_b, &gap);
    RbPressing of_seen = rb_press(&c->law, &p, &gap, spot_radius(s, c), (Motion){0}, (Motion){0});
    out->held = true, out->centre_W = of_seen.point, out->twist_radius = of_seen.twist_radius;
}

RbContactPatch rb_contact_patch(const RbContactSetup *s, Pose X_a, Pose X_b, RbContactState *c) {
    c->gap = rb_pair_gap(s, c->a, c->b, &X_a, &X_b, &c->memory);
    return rb_contact_patch_of_gap(s, X_a, X_b, c);
}

RbContactPatch rb_contact_patch_of_gap(const RbContactSetup *s, Pose X_a, Pose X_b,
                                       RbContactState *c) {
    RbContactPatch out = {.patch = patch_of(s, c, X_a, X_b, &c->gap)};
    hold_centre(s, c, X_a, X_b, &out);
    return out;
}

// The force stays where it is.
static void move_centre(const RbContactPatch *to, RbPressing *press) {
    Vec3 force = v3_axpy(press->side, press->normal, to->patch.n);
    Vec3 arm = v3_sub(press->point, to->centre_W);
    press->couple = v3_add(press->couple, v3_cross(arm, force));
    press->point = to->centre_W, press->twist_radius = to->twist_radius;
}

RbPressing rb_contact_pressing(const RbContactSetup *s, const RbContactPatch *over,
                               const RbMoving *ma, const RbMoving *mb, RbContactState *c) {
    const RbPatch *p = &over->patch;
    Motion motion = {v3_sub(mb->V.w, ma->V.w), relative_velocity(ma, mb, p->origin)};
    Motion surface =
        rb_unrolled(&s->elements[c->a], &s->elements[c->b], &ma->X, &mb->X, p->origin, motion);
    RbPressing press = rb_press(&c->law, p, &c->gap, spot_radius(s, c), motion, surface);
    if (over->held) move_centre(over, &press);
    c->pressing = v3_dot(press.elastic.f, motion.v) + v3_dot(press.elastic.t, motion.w);
    return press;
}

void rb_contact_press_over(const RbContactSetup *s, const RbContactPatch *over, const RbMoving *ma,
                           const RbMoving *mb, const RbBristle *bristle, RbContactState *c) {
    const RbPatch *p = &over->patch;
    RbPressing press = rb_contact_pressing(s, over, ma, mb, c);
    c->point_W = press.point;
    RbGap across = c->gap;
    across.normal = p->n;
    c->motion = rb_contact_motion_at(s, ma, mb, &across, c->point_W);
    run_belts(s, ma, mb, c);
    c->motion.twist_radius = press.twist_radius;
    stick(s, ma, mb, bristle, c);
    c->force = (RbContactForce){.normal = press.normal,
                                .elastic_energy = press.energy,
                                .damping_power = press.damping_power};
    rb_contact_rub(&c->law, &c->motion, &c->force);
    c->f_W = v3_axpy(v3_add(c->force.friction_W, press.side), press.normal, c->motion.n_W);
    c->t_W = v3_add(c->force.torque_W, press.couple);
    c->from_nothing = 0; // the law has a potential
}

Wrench rb_contact_elastic_wrench(const RbContactSetup *s, const RbContactPatch *over,
                                 const RbContactState *c) {
    const RbPatch *p = &over->patch;
    Wrench w = rb_press(&c->law, p, &c->gap, spot_radius(s, c), MOTION_ZERO, MOTION_ZERO).elastic;
    return (Wrench){v3_add(w.t, v3_cross(p->origin, w.f)), w.f};
}

RbContactParts rb_contact_parts(const RbContactState *c) {
    RbContactParts out = {c->force.normal, c->motion.n_W, c->force.friction_W};
    Vec3 pressing = v3_sub(c->f_W, c->force.friction_W);
    double size = v3_norm(pressing);
    if (c->patch && size > 0) out.normal = size, out.n_W = v3_scale(1 / size, pressing);
    return out;
}

void rb_contact_evaluate(const RbContactSetup *s, const RbMoving *ma, const RbMoving *mb,
                         const RbBristle *bristle, RbContactState *c) {
    if (c->patch && c->law.pair.response == RB_RESPONSE_ELASTIC) {
        RbContactPatch over = rb_contact_patch(s, ma->X, mb->X, c);
        rb_contact_press_over(s, &over, ma, mb, bristle, c);
    } else {
        c->gap = rb_pair_gap(s, c->a, c->b, &ma->X, &mb->X, &c->memory);
        evaluate_point(s, ma, mb, bristle, c);
    }
    c->driven = -v3_dot(c->force.friction_W, c->belt_W);
    c->lost = c->force.damping_power + c->force.friction_power + c->force.rolling_power;
}
