// SPDX-License-Identifier: MIT
#include "collide/patch_spot.h"

#include <math.h>

#include "collide/patch_normal.h"

// ---- the largest V, and the largest W

// Of a moment's logarithm.
typedef struct Slope {
    double slope[2], bend[3];
} Slope;

static Slope slope_of(const RbSpotLook *l, RbSpotMoment i, bool exact) {
    const double *g = exact ? l->by_normal[i] : l->nearly[i], *b = l->bend[i], k = 1 / l->value[i];
    Slope s = {{k * g[0], k * g[1]}, {k * b[0], k * b[1], k * b[2]}};
    s.bend[0] -= s.slope[0] * s.slope[0];
    s.bend[1] -= s.slope[0] * s.slope[1];
    s.bend[2] -= s.slope[1] * s.slope[1];
    return s;
}

// Newton's step, or uphill where it bends the wrong way. Returns its length, at most longest.
static double step_of(const Slope *s, double longest, double out[2]) {
    const double *g = s->slope, *b = s->bend;
    double det = b[0] * b[2] - b[1] * b[1], trace = b[0] + b[2];
    if (trace < 0 && det > 1e-12 * trace * trace) {
        out[0] = -(b[2] * g[0] - b[1] * g[1]) / det;
        out[1] = -(b[0] * g[1] - b[1] * g[0]) / det;
    } else {
        double bend = fmax(fabs(b[0]), fabs(b[2])) + fabs(b[1]);
        out[0] = g[0] / bend, out[1] = g[1] / bend;
    }
    double size = hypot(out[0], out[1]), cut = size > longest ? longest / size : 1;
    out[0] *= cut, out[1] *= cut;
    return cut * size;
}

static double error_of(const Slope *s, double lever) {
    return lever * hypot(s->slope[0], s->slope[1]);
}

// Newton's method from the look on, until what the slope that is left does to the force, as a part of it, is fine.
static void climb(const RbPatchPair *pair, RbLookForSpot *look, RbSpotMoment i, bool exact,
                  double fine, RbSpotLook *at) {
    enum { LOOKS = 24 };
    const double ridge = 1e-5; // so near, a step that does not help has met a ridge, or rounding
    double lever = -pair->gap->distance / pair->radius, longest = 2 * lever;
    for (int k = 0; k < LOOKS && longest > 1e-9 * lever; k++) {
        Slope here = slope_of(at, i, exact);
        double step[2], error = error_of(&here, lever), size = step_of(&here, longest, step);
        if (!(error > fine) || !(size > 0)) return;
        RbSpotLook next;
        look(pair, rb_turned_plane(at->plane, step, 1), &next);
        Slope there = slope_of(&next, i, exact);
        bool up = next.value[i] > at->value[i];
        if (up || (next.value[i] > 0 && error_of(&there, lever) < 0.5 * error)) {
            *at = next;
            if (size >= longest) longest *= 2;
        } else if (error < ridge) {
            return;
        } else {
            longest = 0.25 * size;
        }
    }
}

// V^(1/3) is concave in the way by which A is moved, so there is one largest value. (Of W/V itself there is not: it also grows where the skirts of a
// pyramid are cut off.) That is so for the volume that both share; what is seen along the normal, which chords that end at the back of a body spoil a
// little, may have two largest values that differ by 1e-4. So the one that is next to the shared one's is taken.
static void find_most(const RbPatchPair *pair, RbLookForSpot *look, RbSpotMoment i,
                      RbSpotLook *at) {
    climb(pair, look, i, false, 1e-4, at);
    climb(pair, look, i, true, 1e-9, at);
}

// ---- how deep

// How far the depth of a spot is that of its overlap, and its slope by the depth of the closest points. Bodies that are deep in each other have no
// normal along which the overlap is largest: from half of the radius on that is given up.
typedef struct Part {
    double part, rate; // [1/m]
} Part;

static Part part_at(double depth, double radius) {
    double x = fmax(0, fmin(1, 2 * (1 - depth / radius)));
    return (Part){x * x * (3 - 2 * x), x > 0 && x < 1 ? -12 * x * (1 - x) / radius : 0};
}

// blunt: twice the mean overlap over the depth of the closest points, 1 for anything that comes to a point, whichever way its sides fall, and more if
// it does not; slope: of its logarithm but for that depth.
static RbSpot spot_of(const RbPatch *p, const RbGap *gap, double blunt, Wrench slope, Part k) {
    const double width = 0.01;
    double depth = -gap->distance, x = fmax(0, fmin(1, (blunt - 1) / width));
    double more = x < 1 ? width * x * x * (2 - x) : blunt - 1; // from 0 to blunt - 1
    double rate = blunt * (x < 1 ? x * (4 - 3 * x) : 1);
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

RbSpot rb_patch_spot(const RbPatchPair *pair, RbContactPlane plane, RbLookForSpot *look,
                     const RbPatch *p) {
    const RbSpot none = {0};
    double depth = -pair->gap->distance;
    Part part = look ? part_at(depth, pair->radius) : (Part){1, 0};
    if (!(p->volume > 0) || !(part.part > 0) || is_spotless(p, pair->reach, depth) ||
        is_pointed(p, pair))
        return none;
    RbSpotLook W = {.value = {p->volume, p->square}, .slope = {p->volume_slope, p->square_slope}};
    if (look) look(pair, plane, &W);
    if (!(W.value[RB_SPOT_SQUARE] > 0)) return none;
    if (look) find_most(pair, look, RB_SPOT_SQUARE, &W);
    RbSpotLook V = W;
    if (look) find_most(pair, look, RB_SPOT_VOLUME, &V);
    double v = 1 / V.value[RB_SPOT_VOLUME], w = 1 / W.value[RB_SPOT_SQUARE];
    const Wrench *dV = &V.slope[RB_SPOT_VOLUME], *dW = &W.slope[RB_SPOT_SQUARE];
    Wrench slope = {v3_axpy(v3_scale(w, dW->t), -v, dV->t), v3_axpy(v3_scale(w, dW->f), -v, dV->f)};
    double blunt = 2 * v / w / depth;
    return blunt > 1 ? spot_of(p, pair->gap, blunt, slope, part) : none;
}
