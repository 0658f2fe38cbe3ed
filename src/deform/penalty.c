// SPDX-License-Identifier: MIT
#include "deform/penalty.h"

// With w² = x/s: F = A s^1.5 w³/(1 - w²)², and its integral A s^2.5 (2 w - 3 artanh w + w/(1 - w²)). For small w that is the
// difference of large terms: there the first terms of its series, 2/5 w^5 + 4/7 w^7 + 6/9 w^9.
RbPenaltyElastic rb_penalty_elastic(const RbPenalty *p, double overlap) {
    double u = overlap / p->room, w = sqrt(u), left = 1 - u;
    double scale = p->strength * p->room * sqrt(p->room);
    double integral = w < 0.03 ? w * u * u * (2.0 / 5 + u * (4.0 / 7 + u * 6.0 / 9))
                               : 2 * w - 3 * atanh(w) + w / left;
    return (RbPenaltyElastic){.force = scale * u * w / (left * left),
                              .slope = scale / p->room * w * (1.5 + 0.5 * u) / (left * left * left),
                              .energy = scale * p->room * integral};
}

bool rb_penalty_force(const RbPenalty *p, Vec3 apart, Vec3 speed, RbPenaltyForce *out) {
    double d = v3_norm(apart), overlap = p->reach - d;
    if (!(overlap < p->room)) return false;
    RbPenaltyElastic e = rb_penalty_elastic(p, overlap);
    Vec3 n = v3_scale(1 / d, apart);
    double approach = -v3_dot(n, speed);
    double factor = fmax(0, 1 + p->damping * approach);
    Vec3 slide = v3_axpy(speed, approach, n);
    out->press = e.force * factor;
    double limit = p->friction * out->press, soft = limit / p->grip;
    double root = sqrt(v3_norm2(slide) + p->slip * p->slip + soft * soft);
    Vec3 friction = v3_scale(limit / root, slide);
    out->force = v3_axpy(friction, -out->press, n);
    out->energy = e.energy;
    out->lost = (out->press - e.force) * approach + v3_dot(friction, slide);
    return true;
}

void rb_penalty_slopes(const RbPenalty *p, Vec3 apart, Vec3 speed, Mat3 *by_r, Mat3 *by_v) {
    double d = v3_norm(apart), overlap = p->reach - d;
    RbPenaltyElastic e = rb_penalty_elastic(p, overlap);
    Vec3 n = v3_scale(1 / d, apart);
    double approach = -v3_dot(n, speed);
    double factor = 1 + p->damping * approach, damping = p->damping;
    if (!(factor > 0)) factor = damping = 0;
    Vec3 slide = v3_axpy(speed, approach, n);
    double press = e.force * factor, soft = p->friction * press / p->grip;
    double root = sqrt(v3_norm2(slide) + p->slip * p->slip + soft * soft);
    double rub = p->friction / root;                       // friction = rub press slide
    double more = rub * (1 - soft * soft / (root * root)); // its derivative by press, per slide
    Mat3 nn = m3_outer(n, n), across = m3_sub(M3_IDENTITY, nn);

    // by speed: press falls with n . speed; friction with the part of speed across n
    Mat3 limit = m3_sub(M3_IDENTITY, m3_scale(1 / (root * root), m3_outer(slide, slide)));
    *by_v = m3_add(m3_scale(e.force * damping, nn), m3_scale(press * rub, m3_sub(limit, nn)));
    *by_v = m3_sub(*by_v, m3_scale(e.force * damping * more, m3_outer(slide, n)));

    // by apart: n turns with across/d, the overlap falls with n
    Vec3 dn = v3_scale(1 / d, slide); // d(n . speed) = dn . d(apart)
    Vec3 dpress = v3_sub(v3_scale(-e.slope * factor, n), v3_scale(e.force * damping, dn));
    Mat3 dslide = m3_add(m3_scale(approach / d, across), m3_scale(-1, m3_outer(n, dn)));
    *by_r = m3_add(m3_scale(-1, m3_outer(n, dpress)), m3_scale(-press / d, across));
    *by_r = m3_add(*by_r, m3_scale(more, m3_outer(slide, dpress)));
    *by_r = m3_add(*by_r, m3_scale(press * rub, m3_mul(limit, dslide)));
}
