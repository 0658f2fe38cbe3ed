// SPDX-License-Identifier: MIT
// press_faces.h: where two plane faces lie on each other (docs/theory/pressing.md). There sums over the faces, in closed forms, stand for the general rule:
// they are exact, and cost a tenth.
//
// Let τ be the angle between two faces, l the size of the smaller body, d = W/V the mean depth and V²/W the area that presses. The share of these faces is
//     s = ramp(τ l/d) ramp(V²/(W A)),    A the area of the smaller face,
// 1 where the depth hardly changes over a broad area, 0 at edges, corners and whatever is round; smooth, with exact slopes. Of several pairs, of hulls whose
// faces lean little against each other, 1 - Π (1 - s): none is chosen, so nothing jumps.
#pragma once

#include "collide/patch.h"

enum { RB_FACINGS_MAX = 16 };

typedef struct RbFacing {
    Vec3 m[2];   // outward normals, in the frame of shape A
    double area; // [m²] of the smaller face
} RbFacing;

// Pairs of faces that may lie on each other.
typedef struct RbFacings {
    int count;
    double size; // [m] of the smaller body
    RbFacing pair[RB_FACINGS_MAX];
} RbFacings;

void rb_find_facings(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbFacings *out);

// by_faces: with V, W and their slopes. slope: of the share when B moves, about the origin of the patch.
double rb_share_of_faces(const RbFacings *facings, const RbPatch *by_faces, Wrench *slope);
