// SPDX-License-Identifier: MIT
#include "collide/patch_along.h"

#include <math.h>

RbContactPlane rb_plane_of_patch(const RbPatch *p) {
    return (RbContactPlane){p->origin, p->u, p->v, p->n};
}

RbContactPlane rb_plane_along(RbContactPlane p, Vec3 n) {
    double ahead = 1 + v3_dot(p.n, n);
    Vec3 u = v3_axpy(p.u, -v3_dot(p.u, n) / ahead, v3_add(p.n, n));
    p.n = n;
    p.u = ahead > 1e-3 ? v3_unit(u) : v3_perpendicular(n);
    p.v = v3_cross(n, p.u);
    return p;
}

RbPatch rb_empty_patch(const RbGap *gap) {
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    return (RbPatch){
        .origin = v3_lerp(gap->point_a, gap->point_b, 0.5), .u = u, .v = v3_cross(n, u), .n = n};
}

Wrench rb_wrenches(Wrench a, double ka, Wrench b, double kb) {
    return (Wrench){v3_axpy(v3_scale(ka, a.t), kb, b.t), v3_axpy(v3_scale(ka, a.f), kb, b.f)};
}

double rb_spot_volume(double reach, double depth) {
    return 31.4 * reach * depth * depth;
}

bool rb_take_moments(const RbPatchMoments *t, double reach, double depth, RbPatch *out) {
    if (!(t->volume > 1e-6 * rb_spot_volume(reach, depth)) || !(t->square > 0)) return false;
    out->area = t->area, out->volume = t->volume, out->square = t->square;
    out->x = t->x / t->volume, out->y = t->y / t->volume;
    out->xx = t->xx / t->volume, out->xy = t->xy / t->volume, out->yy = t->yy / t->volume;
    return true;
}

void rb_take_slopes(const RbPatchRates *r, RbPatch *out) {
    out->volume_slope = rb_patch_wrench(rb_plane_of_patch(out), r->volume);
    out->square_slope = rb_patch_wrench(rb_plane_of_patch(out), r->square);
}

// Whose motion counts: if the normal is fixed to a body, the other one's; else the mean of both, which does not depend on the order. With the normal
// along which something is largest it does not matter for that.
static void rates_of(const double by_a[6], const double by_b[6], RbFixed fixed, double out[6]) {
    double of_a = fixed == RB_FIXED_TO_A ? 0 : fixed == RB_FIXED_TO_B ? 1 : 0.5;
    for (int j = 0; j < 6; j++) out[j] = of_a * by_a[j] + (1 - of_a) * by_b[j];
}

void rb_aim_at_both(RbAlong *a) {
    RbPatch *p = &a->patch;
    a->aim = 0.5 * (log(p->volume) + log(p->square));
    a->aim_slope = rb_wrenches(p->volume_slope, 0.5 / p->volume, p->square_slope, 0.5 / p->square);
}

RbAlong rb_along(const RbPatchLook *look, const RbPatchPair *pair, RbFixed fixed) {
    const RbPatchMoments *m = &look->moments;
    RbAlong out = {.patch = rb_empty_patch(pair->gap)};
    RbPatch *p = &out.patch;
    RbPatchRates r;
    double aim[6];
    p->u = look->view.plane.u, p->v = look->view.plane.v, p->n = look->view.plane.n;
    if (!rb_take_moments(m, pair->reach, -pair->gap->distance, p)) return out;
    rates_of(m->by_a.volume, m->by_b.volume, fixed, r.volume);
    rates_of(m->by_a.square, m->by_b.square, fixed, r.square);
    rb_take_slopes(&r, p);
    out.press = 1.5 * log(p->square) - log(p->volume);
    out.press_slope =
        rb_wrenches(p->square_slope, 1.5 / p->square, p->volume_slope, -1 / p->volume);
    if (pair->goal == RB_GOAL_SQUARE) {
        rb_aim_at_both(&out);
        return out;
    }
    rates_of(look->aim.by_a, look->aim.by_b, fixed, aim);
    out.aim = look->aim.value, out.aim_slope = rb_patch_wrench(rb_plane_of_patch(p), aim);
    return out;
}

void rb_add_part(const RbPatch *q, double k, RbPatch *p) {
    p->area += k * q->area, p->volume += k * q->volume;
    p->x += k * q->x, p->y += k * q->y;
    p->xx += k * q->xx, p->xy += k * q->xy, p->yy += k * q->yy;
    p->n = v3_axpy(p->n, k, q->n);
    p->volume_slope = rb_wrenches(p->volume_slope, 1, q->volume_slope, k);
}

void rb_straighten(const RbPatch *like, RbPatch *p) {
    RbContactPlane plane = rb_plane_along(rb_plane_of_patch(like), v3_unit(p->n));
    p->u = plane.u, p->v = plane.v, p->n = plane.n;
}

void rb_turn_axes(Vec3 u, RbPatch *p) {
    double c = v3_dot(u, p->u), s = v3_dot(u, p->v), size = sqrt(c * c + s * s);
    if (!(size > 0)) return;
    c /= size, s /= size;
    double x = p->x, y = p->y, xx = p->xx, xy = p->xy, yy = p->yy;
    p->x = c * x + s * y, p->y = c * y - s * x;
    p->xx = c * c * xx + 2 * c * s * xy + s * s * yy;
    p->yy = s * s * xx - 2 * c * s * xy + c * c * yy;
    p->xy = c * s * (yy - xx) + (c * c - s * s) * xy;
    p->u = v3_axpy(v3_scale(c, p->u), s, p->v), p->v = v3_cross(p->n, p->u);
}

void rb_set_square(double press, Wrench slope, RbPatch *p) {
    p->square = exp((press + log(p->volume)) / 1.5);
    p->square_slope =
        rb_wrenches(slope, p->square / 1.5, p->volume_slope, p->square / 1.5 / p->volume);
}
