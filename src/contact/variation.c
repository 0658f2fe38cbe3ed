// SPDX-License-Identifier: MIT
#include "contact/variation.h"

#include <math.h>

#include "contact/pair.h"

// -----------------------------------------------------------------------------------------------
// geometry in closed form
//
// The closest points of two cores have the common normal n and the distance L. With the matrix H of
// a core, which says how its support point moves when the normal turns (0: a point; infinite: a
// face), a displacement of b against a, u at the point of force and a turn t, gives
//     (L + H_a + H_b) dn = T u + (s + H_b) (t x n),   T = 1 - n nT, s: from the point to the core
//     of b
// in the tangent plane. The point of force lies halfway between the surfaces.

typedef struct Bend {
    bool known; // there is a closed form
    bool flat;  // H is infinite
    Mat3 H;     // [m] in world components
} Bend;

// d(support point)/dn of an ellipsoid: support s = E² n / |E n|, H = (E² - s sT) / |E n|.
static Mat3 ellipsoid_bend(const RbCore *core, Vec3 n_C) {
    Vec3 e2 = v3_mul(core->h, core->h);
    double length = sqrt(v3_dot(v3_mul(e2, n_C), n_C));
    Vec3 s = v3_scale(1 / length, v3_mul(e2, n_C));
    return m3_scale(1 / length, m3_sub(m3_diagonal(e2), m3_outer(s, s)));
}

// A smooth core touches the face of a box, not an edge or a corner, if the normal is that of the
// face to rounding.
static bool is_face(Vec3 n_C) {
    const double rounding = 1e-13;
    return fmax(fabs(n_C.x), fmax(fabs(n_C.y), fabs(n_C.z))) > 1 - rounding;
}

// n_W: outward normal of the element at its closest point.
static Bend bend_of(const RbElement *e, Pose X, Vec3 n_W) {
    Mat3 R_WC = m3_mul(X.R, e->X_BC.R);
    Vec3 n_C = m3_tmul_vec(R_WC, n_W);
    switch (e->core->kind) {
        case RB_CORE_POINT: return (Bend){.known = true, .H = M3_ZERO};
        case RB_CORE_ELLIPSOID:
            return (Bend){.known = true, .H = m3_rotate_tensor(R_WC, ellipsoid_bend(e->core, n_C))};
        case RB_CORE_HALFSPACE: return (Bend){.known = true, .flat = true};
        case RB_CORE_BOX: return (Bend){.known = is_face(n_C), .flat = true};
        default: return (Bend){.known = false};
    }
}

static Mat3 tangential(Vec3 n) {
    return m3_sub(M3_IDENTITY, m3_outer(n, n));
}

// Both cores curved or points.
static bool vary_curved(RbContactVariation *v, double L, double s, Mat3 Ha, Mat3 Hb) {
    Vec3 n = v->state->gap.normal;
    Mat3 T = tangential(n), nn = m3_outer(n, n);
    Mat3 sum = m3_add(m3_add(m3_scale(L, T), nn), m3_add(Ha, Hb)); // n nT makes it regular
    Mat3 M = m3_mul(T, m3_inverse(sum));
    v->normal_shift = m3_mul(M, T);
    // t x n = -skew(n) t
    v->normal_turn = m3_scale(-1, m3_mul(m3_mul(M, m3_add(m3_scale(s, T), Hb)), m3_skew(n)));
    return isfinite(m3_trace(M));
}

static bool vary_in_closed_form(const RbContactSetup *setup, RbContactVariation *v) {
    const RbContactState *c = v->state;
    const RbElement *ea = &setup->elements[c->a], *eb = &setup->elements[c->b];
    Vec3 n = c->gap.normal;
    if (setup->options.distance != RB_DISTANCE_AUTO) return false;
    Bend a = bend_of(ea, v->a->X, n), b = bend_of(eb, v->b->X, v3_neg(n));
    if (!a.known || !b.known || (a.flat && b.flat)) return false;
    double d = c->gap.distance, ra = ea->core->radius, rb = eb->core->radius;
    double s = 0.5 * d + rb; // from the point of force to the core of b
    Mat3 T = tangential(n), nn = m3_outer(n, n), skew = m3_skew(n);
    if (a.flat) {
        if (eb->core->kind == RB_CORE_POINT && !(d + rb > 0)) return false; // centre inside
        v->normal_shift = v->normal_turn = M3_ZERO;
    } else if (b.flat) {
        if (ea->core->kind == RB_CORE_POINT && !(d + ra > 0)) return false;
        v->normal_shift = M3_ZERO;
        v->normal_turn = m3_scale(-1, skew);
    } else if (!vary_curved(v, d + ra + rb, s, a.H, b.H)) {
        return false;
    }
    if (b.flat) {
        // p = p_a + d/2 n, and p_a moves by (H_a + r_a) dn
        Mat3 swing = m3_add(a.H, m3_scale(ra + 0.5 * d, T));
        v->point_shift = m3_add(m3_mul(swing, v->normal_shift), m3_scale(0.5, nn));
        v->point_turn = m3_mul(swing, v->normal_turn);
        return true;
    }
    // p = p_b - d/2 n, and p_b moves by u + s t x n - H_b (dn - t x n) - r_b dn
    Mat3 swing = m3_add(b.H, m3_scale(s, T));
    v->point_shift = m3_sub(m3_sub(M3_IDENTITY, m3_scale(0.5, nn)), m3_mul(swing, v->normal_shift));
    v->point_turn = m3_sub(m3_scale(-1, m3_mul(swing, skew)), m3_mul(swing, v->normal_turn));
    return true;
}

// -----------------------------------------------------------------------------------------------
// geometry by central differences in the relative pose: six directions, two distances each

static Pose displaced(Pose X, Vec3 about, Vec3 turn, Vec3 shift) {
    double angle = v3_norm(turn);
    Mat3 R = angle > 0 ? m3_rotation(v3_scale(1 / angle, turn), angle) : M3_IDENTITY;
    Vec3 arm = v3_sub(X.r, about);
    return (Pose){v3_add(about, v3_add(m3_mul_vec(R, arm), shift)), m3_mul(R, X.R)};
}

typedef struct Touch {
    Vec3 normal, point;
} Touch;

static Touch touch_at(const RbContactSetup *s, const RbContactVariation *v, Vec3 turn, Vec3 shift) {
    const RbContactState *c = v->state;
    RbPairMemory memory = c->memory;
    Pose X_b = displaced(v->b->X, c->point_W, turn, shift);
    RbGap gap = rb_pair_gap(s, c->a, c->b, &v->a->X, &X_b, &memory);
    return (Touch){gap.normal, rb_pair_force_point(s, c->a, c->b, v->a->X, X_b, &gap)};
}

static void vary_by_differences(const RbContactSetup *s, RbContactVariation *v) {
    const RbCore *a = s->elements[v->state->a].core, *b = s->elements[v->state->b].core;
    // Surfaces bend over the radii that round them off; normals are exact to about 1e-13.
    double size = fmin(a->size, b->size);
    double h = 1e-5 * fmax(a->radius + b->radius, 1e-6 * size), h_turn = h / size; // [m], [rad]
    Vec3 columns[4][3];
    for (int i = 0; i < 3; i++) {
        Vec3 e = v3_axis(i);
        Touch plus = touch_at(s, v, v3_scale(h_turn, e), V3_ZERO);
        Touch minus = touch_at(s, v, v3_scale(-h_turn, e), V3_ZERO);
        columns[0][i] = v3_scale(0.5 / h_turn, v3_sub(plus.normal, minus.normal));
        columns[1][i] = v3_scale(0.5 / h_turn, v3_sub(plus.point, minus.point));
        plus = touch_at(s, v, V3_ZERO, v3_scale(h, e));
        minus = touch_at(s, v, V3_ZERO, v3_scale(-h, e));
        columns[2][i] = v3_scale(0.5 / h, v3_sub(plus.normal, minus.normal));
        columns[3][i] = v3_scale(0.5 / h, v3_sub(plus.point, minus.point));
    }
    v->normal_turn = m3_from_columns(columns[0][0], columns[0][1], columns[0][2]);
    v->point_turn = m3_from_columns(columns[1][0], columns[1][1], columns[1][2]);
    v->normal_shift = m3_from_columns(columns[2][0], columns[2][1], columns[2][2]);
    v->point_shift = m3_from_columns(columns[3][0], columns[3][1], columns[3][2]);
}

void rb_contact_variation(const RbContactSetup *setup, const RbContactState *c,
                          const RbMoving *bodies, RbContactVariation *v) {
    *v = (RbContactVariation){.state = c,
                              .a = &bodies[setup->elements[c->a].body],
                              .b = &bodies[setup->elements[c->b].body],
                              .f_W = c->f_W};
    if (c->patch) {
        rb_patch_variation(setup, c, v->a, v->b, &v->patch);
        return;
    }
    const RbPairLaw *law = &c->law.pair;
    v->by_slopes = law->normal != RB_NORMAL_USER && law->friction != RB_FRICTION_BRISTLE;
    if (v->by_slopes) v->slopes = rb_contact_slopes(&c->law, &c->motion);
    if (law->friction == RB_FRICTION_BRISTLE) {
        v->part = rb_pair_plane_part(setup, c->a, c->b);
        v->plane_W = rb_pair_plane_spin(setup, c->a, c->b, v->a->V.w, v->b->V.w, c->motion.n_W);
    }
    if (!vary_in_closed_form(setup, v)) vary_by_differences(setup, v);
}

// -----------------------------------------------------------------------------------------------
// laws

// A change of what the law depends on, and of what it answers.
typedef struct Cause {
    RbContactMotion motion;
    Vec3 plane_W; // [rad/s]
} Cause;

typedef struct Effect {
    double normal; // [N]
    Vec3 friction_W, torque_W;
    RbBristle bristle_rate;
} Effect;

// d: a change of the motion m. What resists twisting acts along n.
static Vec3 twist_effect(const RbContactSlopes *s, const RbContactMotion *m,
                         const RbContactMotion *d) {
    double spin = v3_dot(m->n_W, d->spin_W) + v3_dot(d->n_W, m->spin_W);
    double along =
        s->twist_spin * spin + s->twist_depth * d->depth + v3_dot(s->twist_slip, d->slip_W);
    return v3_axpy(v3_scale(along, m->n_W), s->twist, d->n_W);
}

static Effect effect_by_slopes(const RbContactSlopes *s, const RbContactMotion *at,
                               const RbContactMotion *m) {
    Effect out = {.normal = s->normal_depth * m->depth + s->normal_rate * m->depth_rate};
    out.friction_W =
        v3_axpy(m3_mul_vec(s->friction_slip, m->slip_W), out.normal, s->friction_normal);
    out.torque_W = v3_axpy(m3_mul_vec(s->torque_spin, m->spin_W), out.normal, s->torque_normal);
    if (at->depth > 0) out.torque_W = v3_add(out.torque_W, twist_effect(s, at, m));
    return out;
}

static Effect answer_at(const RbContactVariation *v, const Cause *cause, double h) {
    const RbContactState *c = v->state;
    RbContactMotion m = c->motion;
    m.n_W = v3_axpy(m.n_W, h, cause->motion.n_W);
    m.depth += h * cause->motion.depth;
    m.depth_rate += h * cause->motion.depth_rate;
    m.slip_W = v3_axpy(m.slip_W, h, cause->motion.slip_W);
    m.spin_W = v3_axpy(m.spin_W, h, cause->motion.spin_W);
    m.bristle_W = v3_axpy(m.bristle_W, h, cause->motion.bristle_W);
    RbContactForce f = rb_contact_force(&c->law, &m);
    Effect out = {f.normal, f.friction_W, f.torque_W, {V3_ZERO, 0}};
    if (c->law.pair.friction == RB_FRICTION_BRISTLE) {
        out.bristle_rate =
            rb_contact_bristle_rate(&c->law, &m, v3_axpy(v->plane_W, h, cause->plane_W));
    }
    return out;
}

// The largest step that changes nothing by more than a millionth of the length over which the law
// bends.
static double law_step(const RbContactVariation *v, const Cause *cause) {
    const RbContactState *c = v->state;
    const RbPairLaw *p = &c->law.pair;
    const RbContactMotion *d = &cause->motion;
    double speed = fmax(p->v_small, v3_norm(c->motion.slip_W));
    double bristle = p->friction == RB_FRICTION_BRISTLE ? p->bristle_length : 1; // [m]
    if (p->friction == RB_FRICTION_BRISTLE) speed = fmin(speed, bristle / p->bristle_time);
    double changes[] = {v3_norm(d->n_W),
                        fabs(d->depth) / fmax(c->motion.depth, 1e-12),
                        fabs(d->depth_rate) / fmax(p->v_small, fabs(c->motion.depth_rate)),
                        v3_norm(d->slip_W) / speed,
                        v3_norm(d->spin_W) / fmax(p->w_small, v3_norm(c->motion.spin_W)),
                        v3_norm(d->bristle_W) / bristle};
    double largest = 0;
    for (int i = 0; i < 6; i++) largest = fmax(largest, changes[i]);
    return 1e-6 / fmax(largest, 1e-6);
}

// a + k b
static RbBristle bristle_axpy(RbBristle a, double k, RbBristle b) {
    return (RbBristle){v3_axpy(a.slide_W, k, b.slide_W), a.twist + k * b.twist};
}

static Effect effect_by_differences(const RbContactVariation *v, const Cause *cause) {
    double h = law_step(v, cause), scale = 0.5 / h;
    Effect plus = answer_at(v, cause, h), minus = answer_at(v, cause, -h);
    return (Effect){
        scale * (plus.normal - minus.normal),
        v3_scale(scale, v3_sub(plus.friction_W, minus.friction_W)),
        v3_scale(scale, v3_sub(plus.torque_W, minus.torque_W)),
        bristle_axpy(bristle_axpy((RbBristle){V3_ZERO, 0}, scale, plus.bristle_rate), -scale,
                     minus.bristle_rate),
    };
}

// -----------------------------------------------------------------------------------------------
// one direction

static Vec3 moved_by(Motion place, Vec3 origin, Vec3 point) {
    return v3_add(place.v, v3_cross(place.w, v3_sub(point, origin)));
}

// Wrenches about the origins, which move as well. shift_a, shift_b: of the origins.
static RbContactResponse respond(const RbContactVariation *v, const Effect *e, Vec3 normal,
                                 Vec3 point, Vec3 shift_a, Vec3 shift_b) {
    const RbContactState *c = v->state;
    Vec3 n = c->motion.n_W, p = c->point_W;
    Vec3 f = v3_add(v3_axpy(e->friction_W, e->normal, n), v3_scale(c->force.normal, normal));
    Vec3 arm_a = v3_sub(p, v->a->X.r), arm_b = v3_sub(p, v->b->X.r);
    Vec3 t_a = v3_add(v3_cross(v3_sub(point, shift_a), v->f_W), v3_cross(arm_a, f));
    Vec3 t_b = v3_add(v3_cross(v3_sub(point, shift_b), v->f_W), v3_cross(arm_b, f));
    return (RbContactResponse){
        .on_a = {v3_neg(v3_add(e->torque_W, t_a)), v3_neg(f)},
        .on_b = {v3_add(e->torque_W, t_b), f},
        .bristle_rate = e->bristle_rate,
    };
}

static Effect effect_of(const RbContactVariation *v, const Cause *cause) {
    return v->by_slopes ? effect_by_slopes(&v->slopes, &v->state->motion, &cause->motion)
                        : effect_by_differences(v, cause);
}

// The tangent plane turns with w_a + part (w_b - w_a) + (1/2 - part) (n.(w_b - w_a)) n.
static Vec3 plane_change(const RbContactVariation *v, Vec3 normal, Vec3 w_a, Vec3 w_b) {
    Vec3 n = v->state->motion.n_W, spin = v3_sub(w_b, w_a);
    Vec3 difference = v3_sub(v->b->V.w, v->a->V.w);
    double along = v3_dot(n, difference), change = v3_dot(n, spin) + v3_dot(normal, difference);
    Vec3 turned = v3_add(v3_scale(change, n), v3_scale(along, normal));
    return v3_axpy(v3_axpy(w_a, v->part, spin), 0.5 - v->part, turned);
}

RbContactResponse rb_contact_vary(const RbContactVariation *v, RbSide side, Motion place,
                                  Motion velocity) {
    if (v->state->patch) return rb_patch_vary(&v->patch, side == RB_SIDE_B, place, velocity);
    const RbContactState *c = v->state;
    Vec3 n = c->motion.n_W, p = c->point_W;
    bool on_b = side == RB_SIDE_B;
    const RbMoving *body = on_b ? v->b : v->a;
    double sign = on_b ? 1 : -1;

    // b against a: turn, and shift at the point of force; then all moves along with a
    Vec3 turn = v3_scale(sign, place.w), shift = v3_scale(sign, moved_by(place, body->X.r, p));
    Vec3 normal = v3_add(m3_mul_vec(v->normal_turn, turn), m3_mul_vec(v->normal_shift, shift));
    Vec3 point = v3_add(m3_mul_vec(v->point_turn, turn), m3_mul_vec(v->point_shift, shift));
    if (!on_b) {
        normal = v3_add(normal, v3_cross(place.w, n));
        point = v3_add(point, moved_by(place, body->X.r, p));
    }
    Vec3 closest = on_b ? c->gap.point_b : c->gap.point_a;
    double distance = sign * v3_dot(n, moved_by(place, body->X.r, closest));

    // relative velocity at the point of force
    Vec3 shift_a = on_b ? V3_ZERO : place.v, shift_b = on_b ? place.v : V3_ZERO;
    Vec3 v_rel = v3_axpy(c->motion.slip_W, -c->motion.depth_rate, n);
    Vec3 change = v3_scale(sign, moved_by(velocity, body->X.r, p));
    change = v3_add(change, v3_cross(v->b->V.w, v3_sub(point, shift_b)));
    change = v3_sub(change, v3_cross(v->a->V.w, v3_sub(point, shift_a)));
    double parting = v3_dot(change, n) + v3_dot(v_rel, normal);

    Cause cause = {
        .motion = {.n_W = normal,
                   .depth = c->motion.depth > 0 ? -distance : 0,
                   .depth_rate = -parting,
                   .slip_W = v3_axpy(v3_axpy(change, -parting, n), c->motion.depth_rate, normal),
                   .spin_W = v3_scale(sign, velocity.w)}};
    if (!v->by_slopes) {
        cause.plane_W =
            plane_change(v, normal, on_b ? V3_ZERO : velocity.w, on_b ? velocity.w : V3_ZERO);
    }
    Effect effect = effect_of(v, &cause);
    return respond(v, &effect, normal, point, shift_a, shift_b);
}

RbContactResponse rb_contact_vary_bristle(const RbContactVariation *v, RbBristle bristle) {
    if (v->state->patch) return rb_patch_vary_bristle(&v->patch, bristle);
    Cause cause = {.motion = {.bristle_W = bristle.slide_W}};
    Effect effect = effect_of(v, &cause);
    return respond(v, &effect, V3_ZERO, V3_ZERO, V3_ZERO, V3_ZERO);
}
