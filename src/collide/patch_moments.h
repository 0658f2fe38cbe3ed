// SPDX-License-Identifier: MIT
// patch_moments.h: moments of the overlap of two polyhedral cores along a normal, and how they change as the one or the other core moves
// while the normal stands still (docs/theory/contact-patch.md, (2)). A joint turn of both cores and the normal changes nothing, so that
// the slopes by the normal are known as well, exactly.
#pragma once

#include "collide/patch_view.h"

// Per unit of (v_u, v_v, v_n, w_u, w_v, w_n) of B seen from A, about the origin of the plane.
typedef struct RbPatchRates {
    double volume[6], square[6];
} RbPatchRates;

typedef struct RbPatchMoments {
    double area, volume, square; // ∫1, ∫w, ∫w²
    double x, y, xx, xy, yy;     // ∫w x and so on
    RbPatchRates by_a, by_b;     // A alone moves, the other way; B alone moves
    double deepest, edges;       // largest w; length of borders that are edges of a face
} RbPatchMoments;

// What the facets a and b add that overlap over the piece. heights: of the foremost points of both over the origin. a = NULL: a plane that stands still.
void rb_patch_moments_add(const RbPatchPiece *piece, const RbFacet *a, const RbFacet *b,
                          const double heights[2], RbPatchMoments *out);

// By a turn of n towards u and v.
void rb_slope_by_normal(const double by_a[6], const double by_b[6], double out[2]);
