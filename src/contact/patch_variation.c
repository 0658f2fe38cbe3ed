// SPDX-License-Identifier: MIT
#include "contact/patch_variation.h"

#include <float.h>
#include <math.h>

#include "contact/evaluate.h"
#include "contact/patch_rounding.h"

// ---- differences

// The contact seen from its point of force, where coordinates are short: depths are nanometres, and rounding of long ones would let the
// stiffness leak into directions in which bodies slide.
typedef struct Near {
    const RbContactSetup *setup;
    RbContactState state;
    RbMoving a, b;
    RbBristle bristle;
} Near;

static Near near_of(const RbContactSetup *setup, const RbContactState *c, const RbMoving *a,
                    const RbMoving *b) {
    Near n = {setup, *c, *a, *b, {c->motion.bristle_W, c->motion.bristle_twist}};
    n.a.X.r = v3_sub(a->X.r, c->point_W), n.b.X.r = v3_sub(b->X.r, c->point_W);
    return n;
}

static RbContactResponse answer(const Near *n, const RbContactPatch *over) {
    RbContactState c = n->state;
    rb_contact_press_over(n->setup, over, &n->a, &n->b, &n->bristle, &c);
    Vec3 t_a = v3_add(c.t_W, v3_cross(v3_sub(c.point_W, n->a.X.r), c.f_W));
    Vec3 t_b = v3_add(c.t_W, v3_cross(v3_sub(c.point_W, n->b.X.r), c.f_W));
    return (RbContactResponse){{v3_neg(t_a), v3_neg(c.f_W)}, {t_b, c.f_W}, c.bristle_rate};
}

static Pose displaced(Pose X, Vec3 shift, Vec3 axis, double angle) {
    if (angle != 0) {
        Mat3 R = m3_rotation(axis, angle);
        X = (Pose){m3_mul_vec(R, X.r), m3_mul(R, X.R)};
    }
    X.r = v3_add(X.r, shift);
    return X;
}

// elastic: of the change, what has a potential, on b about the point of force
static RbContactResponse vary_place(const Near *n, Vec3 axis, bool turn, double h,
                                    Wrench *elastic) {
    RbContactResponse out = {0};
    *elastic = (Wrench){V3_ZERO, V3_ZERO};
    for (int sign = -1; sign <= 1; sign += 2) {
        Near m = *n;
        m.b.X = turn ? displaced(n->b.X, V3_ZERO, axis, sign * h)
                     : displaced(n->b.X, v3_scale(sign * h, axis), axis, 0);
        RbContactPatch over = rb_contact_patch(m.setup, m.a.X, m.b.X, &m.state);
        RbContactResponse r = answer(&m, &over);
        out = rb_response_axpy(out, 0.5 * sign / h, &r);
        *elastic = rb_wrench_axpy(*elastic, 0.5 * sign / h,
                                  rb_contact_elastic_wrench(m.setup, &over, &m.state));
    }
    return out;
}

static RbContactResponse vary_velocity(const Near *n, const RbContactPatch *over, Vec3 axis,
                                       bool turn, double h) {
    RbContactResponse out = {0};
    for (int sign = -1; sign <= 1; sign += 2) {
        Near m = *n;
        Vec3 w = turn ? v3_scale(sign * h, axis) : V3_ZERO;
        Vec3 v = turn ? v3_cross(w, n->b.X.r) : v3_scale(sign * h, axis);
        m.b.V = (Motion){v3_add(m.b.V.w, w), v3_add(m.b.V.v, v)};
        RbContactResponse r = answer(&m, over);
        out = rb_response_axpy(out, 0.5 * sign / h, &r);
    }
    return out;
}

static RbContactResponse vary_bristle(const Near *n, const RbContactPatch *over, int k, double h) {
    RbContactResponse out = {0};
    for (int sign = -1; sign <= 1; sign += 2) {
        Near m = *n;
        if (k < 3)
            m.bristle.slide_W = v3_axpy(m.bristle.slide_W, sign * h, v3_axis(k));
        else
            m.bristle.twist += sign * h;
        RbContactResponse r = answer(&m, over);
        out = rb_response_axpy(out, 0.5 * sign / h, &r);
    }
    return out;
}

// ---- steps

// [m/s] in which friction turns around
static double rubbing_speed(const RbPairLaw *p) {
    if (!(p->mu_k > 0)) return INFINITY;
    return p->friction == RB_FRICTION_BRISTLE && p->bristle_time > 0
               ? fmin(p->v_small, p->bristle_length / p->bristle_time)
               : p->v_small;
}

// Steps that move surfaces by a small part of the depth, and speeds by one of the blow and of that in which friction turns around. (With the blow's alone,
// 1e-4 of it, friction of blows above 100 m/s looked too soft, and their steps never ended.) Not too small: depths are nanometres, and
// coordinates are rounded.
typedef struct Steps {
    double place, velocity; // [m], [m/s]
    double lever;           // [m] of turns
} Steps;

// [m] by which coordinates of surfaces may be off
static double rounding_of(const Near *n) {
    const RbCore *a = n->setup->elements[n->state.a].core, *b = n->setup->elements[n->state.b].core;
    double sizes = (isfinite(a->size) ? a->size : 0) + (isfinite(b->size) ? b->size : 0);
    return 4 * DBL_EPSILON * (v3_norm(n->a.X.r) + v3_norm(n->b.X.r) + sizes);
}

// [m] A thousandth of the depth, or of a tenth of a nanometre where it is less. But a contact that is as shallow as that step must not open on one side of the difference: it
// would seem half as stiff as it is, and no step of a solver that relies on it converges. So rest bodies of steel below 0.3 mm, 1e-14 m deep.
static double step_of_place(const Near *n) {
    double deep = fmax(0, -n->state.gap.distance); // motion.depth has the band of touching too
    double usual = 1e-3 * fmax(n->state.motion.depth, 1e-10), most = 0.25 * deep;
    return most > 0.05 * rounding_of(n) ? fmin(usual, most) : usual;
}

static Steps steps_of(const Near *near, const RbContactSetup *s, const RbContactState *c) {
    double least = c->law.pair.v_small;
    double blow = sqrt(c->motion.depth_rate * c->motion.depth_rate +
                       2 * c->force.elastic_energy / fmax(c->law.mass, 1e-12));
    return (Steps){.place = step_of_place(near),
                   .velocity =
                       fmin(1e-4 * fmax(blow, 1e-3 * least), 1e-2 * rubbing_speed(&c->law.pair)),
                   .lever = 0.5 * fmin(s->elements[c->a].core->size, s->elements[c->b].core->size)};
}

void rb_patch_variation(const RbContactSetup *setup, const RbContactState *c, const RbMoving *a,
                        const RbMoving *b, RbPatchVariation *v) {
    const Vec3 n = c->motion.n_W, u = v3_perpendicular(n);
    *v = (RbPatchVariation){.state = c, .a = a, .b = b, .axes = {u, v3_cross(n, u), n}};
    Near near = near_of(setup, c, a, b);
    Steps h = steps_of(&near, setup, c);
    RbContactPatch over = rb_contact_patch(setup, near.a.X, near.b.X, &near.state);
    RbContactResponse now = answer(&near, &over);
    v->on_a = now.on_a, v->on_b = now.on_b;
    RbElasticVariation elastic = {rb_contact_elastic_wrench(setup, &over, &near.state),
                                  .lever = h.lever, .rounding = rounding_of(&near) / h.place};
    for (int i = 0; i < RB_PATCH_DIRECTIONS; i++) {
        bool turn = i >= 3;
        Vec3 axis = v->axes[i % 3];
        double lever = turn ? h.lever : 1;
        v->by_place[i] = vary_place(&near, axis, turn, h.place / lever, &elastic.by[i]);
        v->by_velocity[i] = vary_velocity(&near, &over, axis, turn, h.velocity / lever);
    }
    rb_patch_remove_rounding(v, &elastic);
    if (c->law.pair.friction != RB_FRICTION_BRISTLE) return;
    for (int k = 0; k < RB_BRISTLE_STATES; k++)
        v->by_bristle[k] = vary_bristle(&near, &over, k, 1e-4 * c->law.pair.bristle_length);
}

// ---- one direction

// k times what a shift and a turn (or a velocity and a spin) of b do; v: at its origin.
static RbContactResponse add_motion(RbContactResponse sum, double k, const RbPatchVariation *v,
                                    const RbContactResponse by[RB_PATCH_DIRECTIONS], Motion m) {
    Vec3 at_point = v3_add(m.v, v3_cross(m.w, v3_sub(v->state->point_W, v->b->X.r)));
    for (int i = 0; i < 3; i++) {
        sum = rb_response_axpy(sum, k * v3_dot(at_point, v->axes[i]), &by[i]);
        sum = rb_response_axpy(sum, k * v3_dot(m.w, v->axes[i]), &by[3 + i]);
    }
    return sum;
}

static RbContactResponse add_bristle(RbContactResponse sum, double k, const RbPatchVariation *v,
                                     RbBristle by) {
    for (int i = 0; i < 3; i++)
        sum = rb_response_axpy(sum, k * v3_get(by.slide_W, i), &v->by_bristle[i]);
    return rb_response_axpy(sum, k * by.twist, &v->by_bristle[3]);
}

// a motion of a, as b would move with it
static Motion carried(const RbPatchVariation *v, Motion m) {
    return (Motion){m.w, v3_add(m.v, v3_cross(m.w, v3_sub(v->b->X.r, v->a->X.r)))};
}

// Velocities alone. If that of b changes in the same way, as of one body, only the bristle turns along.
static RbContactResponse add_velocity(RbContactResponse sum, double k, const RbPatchVariation *v,
                                      bool on_b, Motion m) {
    if (on_b) return add_motion(sum, k, v, v->by_velocity, m);
    sum = add_motion(sum, -k, v, v->by_velocity, carried(v, m));
    Vec3 along = v3_cross(m.w, v->state->motion.bristle_W);
    sum.bristle_rate.slide_W = v3_axpy(sum.bristle_rate.slide_W, k, along);
    return sum;
}

static Motion turned(Vec3 w, Motion m) {
    return (Motion){v3_cross(w, m.w), v3_cross(w, m.v)};
}

static Wrench turned_wrench(Vec3 w, Wrench f) {
    return (Wrench){v3_cross(w, f.t), v3_cross(w, f.f)};
}

// If all turns together, velocities and the bristle too, so does the answer. Then b goes back, and so do velocities and the bristle.
static RbContactResponse place_of_a(const RbPatchVariation *v, Motion place) {
    Vec3 w = place.w;
    RbContactResponse out = {turned_wrench(w, v->on_a),
                             turned_wrench(w, v->on_b),
                             {v3_cross(w, v->state->bristle_rate.slide_W), 0}};
    out = add_motion(out, -1, v, v->by_place, carried(v, place));
    out = add_velocity(out, -1, v, false, turned(w, v->a->V));
    out = add_velocity(out, -1, v, true, turned(w, v->b->V));
    return add_bristle(out, -1, v, (RbBristle){v3_cross(w, v->state->motion.bristle_W), 0});
}

RbContactResponse rb_patch_vary(const RbPatchVariation *v, bool on_b, Motion place,
                                Motion velocity) {
    RbContactResponse out = {0};
    out = on_b ? add_motion(out, 1, v, v->by_place, place) : place_of_a(v, place);
    return add_velocity(out, 1, v, on_b, velocity);
}

RbContactResponse rb_patch_vary_bristle(const RbPatchVariation *v, RbBristle by) {
    return add_bristle((RbContactResponse){0}, 1, v, by);
}
