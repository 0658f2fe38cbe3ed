// SPDX-License-Identifier: MIT
#include "collide/patch_cores.h"

#include <math.h>
#include <stddef.h>

#include "collide/patch_faces.h"

static const double FINE = 1e-9; // of the force

// ---- the best normal

// The largest W and its slope, with the mean of both bodies' motions.
typedef struct Square {
    double value; // of the logarithm
    Wrench slope; // of that
    Vec3 n;
} Square;

static Wrench slope_of(const RbPatchLook *l) {
    double mean[6];
    for (int j = 0; j < 6; j++) mean[j] = 0.5 * (l->aim.by_a[j] + l->aim.by_b[j]);
    return rb_patch_wrench(l->view.plane, mean);
}

// What the slope that is left does to the force, as a part of it.
static double error_of(const RbPatchPair *pair, const RbPatchAim *m) {
    double lever = -pair->gap->distance / pair->radius;
    return lever * sqrt(m->slope[0] * m->slope[0] + m->slope[1] * m->slope[1]);
}

// Newton's method finds it unless there is a ridge. On one, with sharp bends next to it where sides are nearly flush, planes that bound it from above go on. at: the look from which V is near.
static Square largest_square(const RbPatchPair *pair, Vec3 origin, RbPatchLook looks[3],
                             RbPatchLook **at) {
    const double fine = 1e-8;
    RbPatchLook *other;
    double part;
    *at = rb_patch_normal(pair, looks, &other, &part);
    Square out = {(*at)->aim.value, slope_of(*at), (*at)->view.plane.n};
    if (other) out.slope = rb_wrenches(out.slope, part, slope_of(other), 1 - part);
    if (!other && error_of(pair, &(*at)->aim) < fine) return out;
    RbMost most = rb_most_square(pair, origin, out.n);
    if (most.value > out.value) out = (Square){most.value, most.slope, v3_unit(most.way)};
    return out;
}

// The largest V, which the look is along.
static RbMost most_along(const RbPatchPair *pair, const RbPatchLook *l) {
    double mean[6];
    for (int j = 0; j < 6; j++) mean[j] = 0.5 * (l->volume_aim.by_a[j] + l->volume_aim.by_b[j]);
    Wrench slope = rb_patch_wrench(l->view.plane, mean);
    Vec3 n = l->view.plane.n;
    return (RbMost){v3_scale(pair->radius, n), l->volume_aim.value, slope, -v3_dot(slope.f, n)};
}

static bool is_largest(const RbPatchPair *pair, const RbPatchLook *l) {
    return isfinite(l->volume_aim.value) && error_of(pair, &l->volume_aim) < FINE;
}

// By Newton's method again, and else as on ridges of W. Returns a look along it.
static RbPatchLook *largest_volume(const RbPatchPair *pair, Vec3 origin, RbPatchLook *from,
                                   RbPatchLook *scratch, RbMost *most) {
    Vec3 n;
    RbPatchLook *at = rb_patch_most_volume(pair, from, scratch, &n);
    if (at) *most = most_along(pair, at);
    if (at && most->rate > 0) return at;
    *most = rb_all_shared(pair, origin, n);
    if (isfinite(most->value))
        rb_patch_look(pair, rb_plane_along(from->view.plane, v3_unit(most->way)), from);
    return from;
}

// W is largest along one normal, V along another one, along which the patch is looked at.
static RbAlong best_shared(const RbPatchPair *pair, RbPatchLook looks[3], RbPatchLook **at,
                           RbMost *most) {
    RbAlong none = {.patch = rb_empty_patch(pair->gap)};
    *at = &looks[0];
    if (!isfinite(looks->aim.value)) return none;
    Square square = largest_square(pair, none.patch.origin, looks, at);
    *at = largest_volume(pair, none.patch.origin, *at, &looks[*at == looks], most);
    if (!isfinite(most->value)) return none;
    RbAlong out = rb_along(*at, pair, RB_FIXED_TO_NONE);
    RbPatch *p = &out.patch;
    if (!(p->volume > 0)) return none;
    p->volume = exp(most->value), p->square = exp(square.value);
    p->volume_slope = rb_wrenches(most->slope, p->volume, most->slope, 0);
    p->square_slope = rb_wrenches(square.slope, p->square, square.slope, 0);
    out.press = 1.5 * square.value - most->value;
    out.press_slope = rb_wrenches(square.slope, 1.5, most->slope, -1);
    rb_aim_at_both(&out);
    return out;
}

// Deep in each other.
static RbAlong best_deep(const RbPatchPair *pair, RbPatchLook looks[3], RbPatchLook **at) {
    RbPatchLook *other, *scratch = looks;
    Wrench turning;
    double part;
    *at = rb_patch_normal(pair, looks, &other, &part);
    RbAlong out = rb_along(*at, pair, RB_FIXED_TO_NONE);
    RbPatch *p = &out.patch;
    if (!(p->volume > 0)) return out;
    if (other) {
        RbAlong flank = rb_along(other, pair, RB_FIXED_TO_NONE);
        out.press_slope = rb_wrenches(out.press_slope, part, flank.press_slope, 1 - part);
        out.aim_slope = rb_wrenches(out.aim_slope, part, flank.aim_slope, 1 - part);
    }
    while (scratch == *at || scratch == other) scratch++;
    if (rb_patch_turning(pair, *at, other, part, scratch, &turning))
        out.press_slope = rb_wrenches(out.press_slope, 1, turning, 1);
    rb_set_square(out.press, out.press_slope, p);
    return out;
}

// ---- where to begin

// Next to nothing overlaps along the normal of the distance if corners touch that lie beside each other: then further inwards. Where a sharp corner or crossed edges
// overlap by little it is the largest W nevertheless.
static bool is_beside(const RbPatchPair *pair, const RbPatchLook *look) {
    double spot = rb_spot_volume(pair->reach, -pair->gap->distance);
    if (!isfinite(look->aim.value)) return true;
    return look->moments.volume < 1e-3 * spot && error_of(pair, &look->aim) > FINE;
}

static void look_inwards(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook looks[2]) {
    rb_patch_look(pair, rb_plane_along(plane, v3_unit(rb_way_inwards(pair))), &looks[1]);
    if (looks[1].aim.value > looks[0].aim.value) looks[0] = looks[1];
}

// Parallel edges cover each other along the normal of their distance. Rounding decides there to which core a border belongs, and slopes are wrong: a little aside
// they are not. (Sides of faces that are flush are another matter: there slopes do jump.)
static void look_aside(const RbPatchPair *pair, RbPatchLook looks[2]) {
    const double step[2] = {0.8e-5, 0.6e-5}; // [rad]
    if (!looks->covers || rb_is_face_normal(pair, looks->view.plane.n)) return;
    rb_patch_look(pair, rb_turned_plane(looks->view.plane, step, 1), &looks[1]);
    if (isfinite(looks[1].aim.value)) looks[0] = looks[1];
}

static void first_look(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook looks[2]) {
    Vec3 likely = rb_likely_normal(pair);
    rb_patch_look(pair, rb_plane_along(plane, likely), looks);
    if (!isfinite(looks->aim.value)) rb_patch_look(pair, plane, looks);
    look_aside(pair, looks);
    if (is_beside(pair, looks) && -pair->gap->distance < pair->radius)
        look_inwards(pair, plane, looks);
}

// ---- the patch

// most: where V is sought by itself
static void press_of(const RbPatchPair *pair, RbPatch *out, RbMost *most) {
    RbPatchLook looks[3], *at;
    RbAlong along[RB_FACES_MAX];
    first_look(pair, rb_plane_of_patch(out), looks);
    RbFaces faces = rb_faces_near(pair, looks);
    Vec3 first = looks->view.plane.n;
    const RbFace *settled = rb_face_settled(&faces, pair, looks);
    if (settled) {
        *out = rb_along_face(looks, pair, settled).patch;
        if (most && is_largest(pair, looks)) *most = most_along(pair, looks);
        return;
    }
    RbAlong best = most ? best_shared(pair, looks, &at, most) : best_deep(pair, looks, &at);
    *out = best.patch;
    if (!(best.patch.volume > 0)) return;
    RbPatchLook *scratch = &looks[at == looks];
    if (v3_distance(at->view.plane.n, first) > 0) faces = rb_faces_near(pair, at);
    for (int i = 0; i < faces.count; i++) {
        rb_patch_look(pair, rb_plane_along(at->view.plane, faces.face[i].n), scratch);
        along[i] = rb_along_face(scratch, pair, &faces.face[i]);
        if (i == 0 && rb_face_is_all(&best, &faces, along)) faces.count = 1;
    }
    rb_mix_faces(&best, &faces, along, out);
}

static Wrench slope_of_press(const RbPatch *p) {
    return rb_wrenches(p->square_slope, 1.5 / p->square, p->volume_slope, -1 / p->volume);
}

// part: of the deep one, with its slope
static void join(RbPatch *deep, double part, Wrench slope, RbPatch *p) {
    rb_turn_axes(rb_plane_along(rb_plane_of_patch(p), deep->n).u, deep);
    double press = 1.5 * log(p->square) - log(p->volume);
    double more = 1.5 * log(deep->square) - log(deep->volume) - press;
    Wrench both = rb_wrenches(slope_of_press(p), 1 - part, slope_of_press(deep), part);
    RbPatch out = {.origin = p->origin};
    rb_add_part(p, 1 - part, &out), rb_add_part(deep, part, &out);
    rb_straighten(p, &out);
    rb_set_square(press + part * more, rb_wrenches(both, 1, slope, more), &out);
    *p = out;
}

// Where the cores themselves come to overlap. When they do the way back to half is at least half of the radius, and it is not more than the depth.
void rb_patch_of_cores(const RbPatchPair *pair, RbPatch *out, RbHalf *half) {
    const double from = 0.4, to = 0.5, depth = -pair->gap->distance, r = pair->radius;
    RbPatchPair within = *pair;
    RbPatch deep = *out;
    double x = 1;
    within.goal = RB_GOAL_DEEP;
    half->all.value = -INFINITY, half->back = 0;
    if (depth < r) {
        press_of(pair, out, &half->all);
        if (!(out->volume > 0) || !(depth > from * r)) return;
        if (!rb_half_shared(pair, out->origin, out->n, half)) return;
        x = (half->back / r - from) / (to - from);
        if (!(x > 0)) return;
    }
    press_of(&within, &deep, NULL);
    double rate = 6 * x * (1 - x) / (to - from) / r;
    if (x < 1 && deep.volume > 0)
        join(&deep, x * x * (3 - 2 * x), rb_wrenches(half->slope, rate, half->slope, 0), out);
    else
        *out = deep;
}
