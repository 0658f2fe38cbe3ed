// SPDX-License-Identifier: MIT
// patch_view.h: two polyhedral cores seen along a normal: the flat pieces over which they overlap, moved together by their smoothing
// radii (docs/theory/contact-patch.md, section 1). Moments of these pieces are in patch.c, the choice of the normal in patch_normal.c.
#pragma once

#include "collide/distance.h"
#include "collide/outline.h"

enum { RB_PIECE_CORNERS = 96 };

// Where a side of a piece comes from decides with which body it moves: A, also at an edge of a face, or B, or neither (w = 0).
typedef enum RbBorder { RB_BORDER_A, RB_BORDER_B, RB_BORDER_ZERO, RB_BORDER_EDGE } RbBorder;

// Convex polygon with w at its corners; border[k] is the side from corner k to the next, of the facet's side[k].
typedef struct RbPatchPiece {
    int count;
    bool covers; // a side of A and one of B lie over each other, but for rounding, which decides whose border that is
    double x[RB_PIECE_CORNERS], y[RB_PIECE_CORNERS], w[RB_PIECE_CORNERS];
    unsigned char border[RB_PIECE_CORNERS], side[RB_PIECE_CORNERS];
} RbPatchPiece;

// Where two facets overlap whose foremost points pass each other by depth. edge: which sides of A are edges of a face; NULL: none.
// False: nowhere.
bool rb_piece_of(const RbFacet *a, const RbFacet *b, double depth, const bool *edge,
                 RbPatchPiece *out);

// A facet that stands nearly upright: over its depth it has 1e-6 of that in width. The sides of a box that
// lies flat, whose small moments are but rounding errors of large ones.
bool rb_is_steep(const RbFacet *f);

// What the normal makes largest: W, or V of cores that are deep in each other (contact-patch.md, "Deep").
typedef enum RbPatchGoal { RB_GOAL_SQUARE, RB_GOAL_DEEP } RbPatchGoal;

// Two cores in one frame, at the closest points that the distance found.
typedef struct RbPatchPair {
    const RbCore *core[2];
    Pose X[2];
    const RbGap *gap;
    double reach;  // [m] of facets behind the foremost point
    double radius; // [m] both smoothing radii
    RbPatchGoal goal;
} RbPatchPair;

typedef struct RbPatchView {
    RbContactPlane plane;
    double depth;      // [m] by which the foremost points pass each other, A moved by the radius
    double heights[2]; // [m] of the foremost points over the origin
} RbPatchView;

// A way by which A is moved right into B.
Vec3 rb_patch_way_in(const RbPatchPair *pair);

RbPatchView rb_look_along(const RbPatchPair *pair, RbContactPlane plane);

// Calls take for every pair of facets that overlap. piece: where.
typedef void RbTakePatchPiece(void *taker, const RbPatchView *view, const RbFacet *a,
                              const RbFacet *b, const RbPatchPiece *piece);
void rb_each_piece(const RbPatchPair *pair, const RbPatchView *view, RbTakePatchPiece *take,
                   void *taker);
