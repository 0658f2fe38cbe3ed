// SPDX-License-Identifier: MIT
// near_hull.h: of a polyhedron the faces, edges and corners next to a body that overlaps it by less than both are rounded: the distance
// from the polyhedron of all points that overlap, from these alone (docs/theory/contact-patch.md, section 7).
//
// Along the unit vector n from the polyhedron to the body their cores are apart by g > 0. A point p of the body that is closer than r to
// the polyhedron has its closest point b there less than r - g below the highest one, and is itself less than r - g above the body's lowest one: both lie
// in caps. So has the highest corner of the face or edge that b is on: what has no corner in the cap is closest to no such p. Nor is what all of the
// body's cap is beside.
#pragma once

#include "collide/sheet.h"

enum {
    RB_NEAR_CORNERS_MAX = 64,
    RB_NEAR_FACES_MAX = 96,
    RB_NEAR_EDGES_MAX = 160,
    RB_NEAR_PIECES_MAX = RB_NEAR_CORNERS_MAX + RB_NEAR_FACES_MAX + RB_NEAR_EDGES_MAX,
    RB_NEAR_BOUNDS_MAX = 4 * RB_NEAR_EDGES_MAX
};

typedef enum RbNearKind {
    RB_NEAR_FACE,
    RB_NEAR_EDGE,
    RB_NEAR_CORNER,
    // of round bodies alone (near_round.h)
    RB_NEAR_SIDE,
    RB_NEAR_RIM
} RbNearKind;

// The plane n . p = at, at which what is closest to a piece ends; of round bodies n . p + around s = at, s being the distance from the axis.
typedef struct RbNearBound {
    Vec3 n;
    double at, around;
} RbNearBound;

typedef struct RbNearPiece {
    RbNearKind kind;
    int id; // of the polytope
    // FACE: its normal, and normal . p there. EDGE: two directions across it. CORNER: where it is. SIDE: cosine, x and sine, with the overlap falling as
    // cosine s + sine z - at[0], s from the axis at x. RIM: its radius, x and z.
    Vec3 across[2];
    double at[2];
    int first, count; // needs
} RbNearPiece;

typedef struct RbNearHull {
    Vec3 n;             // to the other body
    double least, most; // n . p at the bottom of the cap, and at the top of the other body's
    double radius;
    double
        straight; // [m] of round bodies: half length of the axis, along x, that s is the distance from
    int count, bound_count;
    RbNearPiece pieces[RB_NEAR_PIECES_MAX];
    RbNearBound bounds[RB_NEAR_BOUNDS_MAX];
    int needs[2 * RB_NEAR_BOUNDS_MAX]; // of pieces: 2 bound, to be above it; + 1: below
} RbNearHull;

// core: a box or a polytope; body: the other one, placed by X. n: from the polyhedron to it. radius: of both. False: it is not below the body along n, or too
// much of it is near.
bool rb_near_hull(const RbCore *core, const RbCore *body, Pose X, Vec3 n, double radius,
                  RbNearHull *out);

// Distance of a point of the other body, and its gradient; where it is closest to something else a lower bound, which is not below the radius.
double rb_near_distance(const RbNearHull *hull, Vec3 p, Vec3 *m);

// Which piece the point is closest to; -1: something else.
int rb_near_piece(const RbNearHull *hull, Vec3 p);

// Distance from a piece of a round body.
double rb_near_round_distance(const RbNearPiece *piece, Vec3 p, Vec3 *m);

// How far beyond a bound a point is, and which way that grows.
static inline double rb_near_beyond(const RbNearHull *hull, const RbNearBound *bound, Vec3 p,
                                    Vec3 *rise) {
    double beyond = v3_dot(bound->n, p) - bound->at;
    *rise = bound->n;
    if (bound->around == 0) return beyond;
    double half = hull->straight, x = p.x > half ? p.x - half : p.x < -half ? p.x + half : 0;
    double s = v3_norm(v3(x, p.y, 0)), k = s > 0 ? bound->around / s : 0;
    *rise = v3_axpy(bound->n, k, v3(x, p.y, 0));
    return beyond + bound->around * s;
}

// Distance from that piece, as if it went on for ever, and its gradient; negative behind a face.
static inline double rb_near_piece_distance(const RbNearPiece *at, Vec3 p, Vec3 *m) {
    if (at->kind >= RB_NEAR_SIDE) return rb_near_round_distance(at, p, m);
    double x = v3_dot(at->across[0], p) - at->at[0];
    if (at->kind == RB_NEAR_FACE) return *m = at->across[0], x;
    Vec3 away = v3_sub(p, at->across[0]);
    if (at->kind == RB_NEAR_EDGE) {
        double y = v3_dot(at->across[1], p) - at->at[1];
        away = v3_axpy(v3_scale(x, at->across[0]), y, at->across[1]);
    }
    double d = v3_norm(away);
    *m = v3_scale(1 / d, away);
    return d;
}

// Is a point that overlaps closest to that piece?
bool rb_near_is_over(const RbNearHull *hull, int piece, Vec3 p);

// Part of a line that is closest to one piece: away from that to the point at s leads from + s rate.
typedef struct RbNearPart {
    double start, end; // s
    int piece;
    RbNearKind kind;
    Vec3 from, rate;
} RbNearPart;

// One after the other, at most max. wet: only those that may overlap.
int rb_near_parts(const RbNearHull *hull, const RbLine *line, bool wet, RbNearPart *out, int max);

// No point of the body between n . p = low, where it begins, and top has d . p beyond the result.
double rb_cap_extent(const RbCore *body, Pose X, Vec3 n, double low, double top, Vec3 d);
