// SPDX-License-Identifier: MIT
// flat_cell.h: a flat piece of surface against one face, edge or corner of a polyhedron: moments of the overlap over the part of it
// that is closest to that (docs/theory/contact-patch.md, section 7).
//
// In the plane of the plate such a cell is a convex polygon. There the overlap is linear (face) or r - sqrt(y² + G(x)²), with
// G = a + b x the distance from an edge along x, or G² = a² + x² that from a corner. Where it vanishes and where the polygon and the
// outline of the plate end is known: nothing has to be sought but where the outline crosses the border of the overlap.
#pragma once

#include <stdbool.h>

#include "collide/near_hull.h"
#include "collide/round_sums.h"

// Sides that a face or a corner may have; corners of its polygon, with those of the plate and where overlap ends.
enum { RB_FLAT_CELL_SIDES_MAX = 40, RB_FLAT_CELL_CORNERS_MAX = RB_FLAT_CELL_SIDES_MAX + 12 };

// A disc, a stadium or a rectangle.
typedef struct RbPlate {
    Vec3 c, e1, e2, n; // middle, axes and n = e1 x e2
    double straight;   // [m] half length along e1, without round ends
    double wide;       // [m] half width along e2, and radius of round ends
    bool round;        // the ends are round
    double margin;     // [m] so close to the outline is at it
} RbPlate;

// A part of the round outline of an end that overlaps over one piece of the polyhedron: at most half a turn around c, counter-clockwise about the end's n.
typedef struct RbRimArc {
    RbNearPiece piece;   // as if it went on for ever
    Vec3 c, n, from, to; // from and to: unit vectors out of c
    double steep;        // how far the bounds of that piece lean from along n, at most: a sine
} RbRimArc;

// All of them; not complete: some are missing.
enum { RB_RIM_ARCS_MAX = 64 };
typedef struct RbRimArcs {
    int count;
    bool complete;
    RbRimArc arc[RB_RIM_ARCS_MAX];
} RbRimArcs;

// In the middle of it: unit vector.
static inline Vec3 rb_rim_arc_middle(Vec3 n, Vec3 from, Vec3 to) {
    bool wide = !(v3_dot(from, to) > 0);
    return v3_unit(wide ? v3_cross(n, v3_sub(from, to)) : v3_add(from, to));
}

typedef enum RbFlatCellKind {
    RB_FLAT_CELL_FACE,
    RB_FLAT_CELL_EDGE,
    RB_FLAT_CELL_CORNER
} RbFlatCellKind;

typedef struct RbFlatCell {
    const RbPlate *plate;
    RbFlatCellKind kind;
    double radius;  // [m] r of both bodies
    Vec3 o, ex, ey; // frame in the plane of the plate; an edge runs along ex
    Vec3 up; // FACE: its normal; else from the edge (where G > 0) or corner to the plate, at y = 0
    double a, b;      // [m], [1] EDGE: G = a + b x; CORNER: a its height, b of the circle
                      // where the overlap ends
    double w, wx, wy; // [m], [1] FACE: the overlap w + wx x + wy y
    double steep;     // of planes that bound it: how far they lean from upright, at most
    int count;        // corners of the polygon
    double x[RB_FLAT_CELL_CORNERS_MAX], y[RB_FLAT_CELL_CORNERS_MAX];
} RbFlatCell;

// What is over the plane n . p = offset and overlaps.
void rb_flat_cell_face(const RbPlate *plate, double radius, Vec3 n, double offset, RbFlatCell *out);

// What overlaps and is beside the edge, between its ends. along: unit vector.
void rb_flat_cell_edge(const RbPlate *plate, double radius, Vec3 from, Vec3 along, double length,
                       RbFlatCell *out);

void rb_flat_cell_corner(const RbPlate *plate, double radius, Vec3 corner, RbFlatCell *out);

// Leaves of it what has n . p <= d; at most RB_FLAT_CELL_SIDES_MAX times.
void rb_flat_cell_keep(RbFlatCell *cell, Vec3 n, double d);

// Adds its moments; the polyhedron must not reach into the plate. True: the overlap comes to the outline of the plate, or may do so.
bool rb_flat_cell_add(RbFlatCell *cell, RbRimArcs *rim, RbRoundSums *sums);
