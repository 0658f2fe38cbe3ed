// SPDX-License-Identifier: MIT
#include "collide/patch_spot.h"

#include <math.h>

#include "collide/patch_normal.h"

// ---- the largest V, and the largest W

typedef struct Most {
    double value; // of the logarithm
    Wrench slope; // as B moves
} Most;

static Wrench slope_of(const RbPatchLook *l) {
    double mean[6];
    for (int j = 0; j < 6; j++) mean[j] = 0.5 * (l->aim.by_a[j] + l->aim.by_b[j]);
    return rb_patch_wrench(l->view.plane, mean);
}

static Most find_from(const RbPatchPair *pair, RbContactPlane *plane) {
    RbPatchLook looks[3], *other;
    double part;
    rb_patch_look(pair, *plane, looks);
    const RbPatchLook *at = rb_patch_normal(pair, looks, &other, &part);
    Most m = {at->aim.value, slope_of(at)};
    *plane = at->view.plane;
    if (!other) return m;
    Wrench flank = slope_of(other);
    m.slope.t = v3_lerp(flank.t, m.slope.t, part), m.slope.f = v3_lerp(flank.f, m.slope.f, part);
    return m;
}

static bool may_be_slender(const RbPatchPair *pair) {
    return pair->core[0]->kind == RB_CORE_POLYTOPE || pair->core[1]->kind == RB_CORE_POLYTOPE;
}

// V^(1/3) is concave in the way by which A is moved, so there is one largest value. (Of W/V itself there is not: it also grows where the skirts of a
// pyramid are cut off.) That is so for the volume that both share. What is seen along the normal has two where chords end at the back of slender corners:
// of hulls, not of boxes. Then the larger one is taken; with the other one energy would jump. Where the largest value is on a ridge both flanks count.
// starts[0]: moved to where it was found.
static Most find_most(RbPatchPair pair, RbPatchGoal goal, RbContactPlane starts[2]) {
    pair.goal = goal;
    Most best = find_from(&pair, &starts[0]);
    if (!may_be_slender(&pair)) return best;
    RbContactPlane second = starts[1];
    Most other = find_from(&pair, &second);
    if (other.value > best.value) best = other, starts[0] = second;
    return best;
}

static Most most_of(double value, Wrench slope) {
    return (Most){log(value), {v3_scale(1 / value, slope.t), v3_scale(1 / value, slope.f)}};
}

// ---- how deep

static const double ROUNDING =
    1e-10; // of the size: what overlaps by less is known to three digits, and how it changes not at all

// How far the depth of a spot is that of its overlap, and its slope by the depth of the closest points. Bodies that are deep in each other have no
// normal along which the overlap is largest: from half of the radius on that is given up, of hulls, which may have two such normals the deeper they are, from a fifth on.
typedef struct Part {
    double part, rate; // [1/m]
} Part;

static Part part_at(double depth, double radius) {
    double x = fmax(0, fmin(1, 2 * (1 - depth / radius)));
    return (Part){x * x * (3 - 2 * x), x > 0 && x < 1 ? -12 * x * (1 - x) / radius : 0};
}

// From where on the depth is that of the overlap: no longer that of the closest points beyond `least`, it alone from there on by `width`.
typedef struct Blunt {
    double least, width;
} Blunt;

// Tips of hulls seem a little blunt where chords end at their back, now more and now less.
static const Blunt anything = {0, 0.01}, hulls = {0.12, 0.12};

// blunt: twice the mean overlap over the depth of the closest points, 1 for anything that comes to a point, whichever way its sides fall, and more if
// it does not; slope: of its logarithm but for that depth.
static RbSpot spot_of(const RbPatch *p, const RbGap *gap, double blunt, Wrench slope, Part k,
                      Blunt from) {
    double depth = -gap->distance, x = fmax(0, fmin(1, (blunt - 1 - from.least) / from.width));
    double end = from.least + from.width, second = 3 * end - from.width,
           third = 2 * end - from.width;
    double more = x < 1 ? x * x * (second - third * x) : blunt - 1; // from 0 to blunt - 1
    double rate = blunt * (x < 1 ? x * (2 * second - 3 * third * x) / from.width : 1);
    double by_depth = 1 + k.part * (more - rate) + k.rate * more * depth;
    double by_blunt = k.part * depth * rate;
    return (RbSpot){.depth = depth * (1 + k.part * more),
                    .slope = {v3_scale(by_blunt, slope.t),
                              v3_axpy(v3_scale(by_blunt, slope.f), -by_depth, gap->normal)},
                    .x = k.part * x * p->x,
                    .y = k.part * x * p->y};
}

// Does the overlap come to a point at the closest points, along the normal of the patch, which is theirs?
static bool is_pointed(const RbPatch *p, const RbPatchPair *pair) {
    const double fine = 1e-6;
    double depth = -pair->gap->distance;
    return 2 * p->square < (1 + fine) * depth * p->volume &&
           v3_distance(p->n, pair->gap->normal) * pair->radius <= fine * depth;
}

// Is the energy of the cores so much larger than that of a spot that its sixteenth power (contact/press.c) is nothing beside?
static bool is_spotless(const RbPatch *p, double reach, double depth) {
    double spot = fmax(depth, 2 * p->square / p->volume);
    double hertz = sqrt(10 * reach * spot) * spot * spot;
    return p->square * sqrt(p->square) > 2.5 * hertz * p->volume;
}

RbSpot rb_patch_spot(const RbPatchPair *pair, bool fixed, const RbPatch *p) {
    const RbSpot none = {0};
    double depth = -pair->gap->distance;
    if (!fixed && depth < ROUNDING * fmin(pair->core[0]->size, pair->core[1]->size)) return none;
    bool slender = !fixed && may_be_slender(pair);
    double most = slender ? 0.4 * pair->radius : pair->radius;
    Part part = fixed ? (Part){1, 0} : part_at(depth, most);
    if (!(p->volume > 0) || !(part.part > 0) || is_spotless(p, pair->reach, depth) ||
        is_pointed(p, pair))
        return none;
    Most W = most_of(p->square, p->square_slope), V = most_of(p->volume, p->volume_slope);
    if (!fixed) {
        Vec3 n = pair->gap->normal, u = v3_perpendicular(n);
        RbContactPlane starts[2] = {{p->origin, p->u, p->v, p->n},
                                    {p->origin, u, v3_cross(n, u), n}};
        W = find_most(*pair, RB_GOAL_SQUARE, starts);
        V = find_most(*pair, RB_GOAL_VOLUME, starts); // from the largest W, and along the distance
    }
    Wrench slope = {v3_sub(W.slope.t, V.slope.t), v3_sub(W.slope.f, V.slope.f)};
    double blunt = 2 * exp(W.value - V.value) / depth;
    Blunt from = slender ? hulls : anything;
    return blunt > 1 + from.least ? spot_of(p, pair->gap, blunt, slope, part, from) : none;
}
