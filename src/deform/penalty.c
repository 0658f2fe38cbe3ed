// SPDX-License-Identifier: MIT
#include "deform/penalty.h"

static const double EARLY = 0.1;    // [room] up to there the damping grows to its full ratio
static const double GRAVITY = 9.81; // [m/s2] that presses what rocks on its bristles

// With w² = x/s: F = A s^1.5 w³/(1 - w²)², and its integral A s^2.5 (2 w - 3 artanh w + w/(1 - w²)). For small w that is the
// difference of large terms: there the first terms of its series, 2/5 w^5 + 4/7 w^7 + 6/9 w^9.
RbPenaltyElastic rb_penalty_elastic(const RbPenalty *p, double overlap) {
    double u = overlap / p->room, w = sqrt(u), left = 1 - u;
    double scale = p->strength * p->room * sqrt(p->room);
    double integral = w < 0.03 ? w * u * u * (2.0 / 5 + u * (4.0 / 7 + u * 6.0 / 9))
                               : 2 * w - 3 * atanh(w) + w / left;
    RbPenaltyElastic e = {.force = scale * u * w / (left * left),
                          .slope = scale / p->room * w * (1.5 + 0.5 * u) / (left * left * left),
                          .energy = scale * p->room * integral};
    double late = overlap + EARLY * p->room;
    e.drag = p->viscosity * sqrt(e.force / late);
    if (u > 0) e.drag_slope = 0.5 * e.drag * ((1.5 + 0.5 * u) / (overlap * left) - 1 / late);
    return e;
}

bool rb_penalty_force(const RbPenalty *p, Vec3 apart, Vec3 speed, RbPenaltyForce *out) {
    double d = v3_norm(apart), overlap = p->reach - d;
    if (!(overlap < p->room)) return false;
    RbPenaltyElastic e = rb_penalty_elastic(p, overlap);
    out->n = v3_scale(1 / d, apart);
    double approach = -v3_dot(out->n, speed);
    out->press = rb_penalty_press(&e, approach);
    out->energy = e.energy;
    out->lost = (out->press - e.force) * approach;
    return true;
}

RbRub rb_penalty_rub(const RbPenalty *p, double press, Vec3 slip, Vec3 z) {
    double limit = p->friction * press, pace = v3_norm(slip);
    if (!(limit > 0)) return (RbRub){0};
    // what rocks on its bristles, at √(m g/l), is damped by half; a molecule is not held faster than it can follow
    double rock = p->friction * GRAVITY * p->bristle, follow = limit / p->grip;
    double root = sqrt(pace * pace + rock + follow * follow);
    double ease = 1 / (1 + pace * p->step / p->bristle);
    RbRub rub = {.fading = ease * pace / p->bristle, .drag = ease * limit / root};
    rub.rate = v3_axpy(v3_scale(ease, slip), -rub.fading, z);
    rub.force = v3_axpy(v3_scale(-limit / p->bristle, z), -limit / root, rub.rate);
    return rub;
}

void rb_penalty_slopes(const RbPenalty *p, Vec3 apart, Vec3 speed, double drag, Mat3 *by_r,
                       Mat3 *by_v) {
    double d = v3_norm(apart), overlap = p->reach - d;
    RbPenaltyElastic e = rb_penalty_elastic(p, overlap);
    Vec3 n = v3_scale(1 / d, apart);
    double approach = -v3_dot(n, speed), press = e.force + e.drag * approach;
    if (!(press > 0)) press = e.slope = e.drag = e.drag_slope = 0;
    Vec3 slide = v3_axpy(speed, approach, n);
    Mat3 nn = m3_outer(n, n), across = m3_sub(M3_IDENTITY, nn);

    // by speed: press falls with n . speed; friction grows with the part of speed across n
    *by_v = m3_add(m3_scale(e.drag, nn), m3_scale(drag, across));

    // by apart: n turns with across/d, the overlap falls with n
    Vec3 dn = v3_scale(1 / d, slide); // d(n . speed) = dn . d(apart)
    Vec3 dpress = v3_sub(v3_scale(-e.slope - e.drag_slope * approach, n), v3_scale(e.drag, dn));
    Mat3 dslide = m3_add(m3_scale(approach / d, across), m3_scale(-1, m3_outer(n, dn)));
    *by_r = m3_add(m3_scale(-1, m3_outer(n, dpress)), m3_scale(-press / d, across));
    *by_r = m3_add(*by_r, m3_scale(drag, dslide));
}
