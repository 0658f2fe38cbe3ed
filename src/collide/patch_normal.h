// SPDX-License-Identifier: MIT
// patch_normal.h: the normal of a patch of two polyhedral cores: the direction along which they press most when they are moved together
// by their smoothing radii (docs/theory/contact-patch.md, section 1). The energy has no slope by this normal, so that the force needs no derivative
// of it and is continuous where the normal is. Unlike that of the distance it does not care which corners and edges are closest.
#pragma once

#include "collide/patch_view.h"

// What is largest along the normal: log(V^of_volume W^of_square). [1/m] how the powers change with the depth.
typedef struct RbPatchAim {
    double of_volume, of_square;
    double volume_rate, square_rate;
} RbPatchAim;

RbPatchAim rb_patch_aim(double depth, double radius);

// Where what is largest is not U: log U changes with the normal, along u and v by the direction `turn` of the aim's slopes, and with
// the depth of the closest points. Zero where it is U.
typedef struct RbPatchTurning {
    double turn[2];
    double by_depth; // [1/m]
} RbPatchTurning;

// V and W as functions of the normal: A is moved by s = radius n towards B, V(s) is the volume that both share then, and
// W = 2 ∫ V(sigma n) d(sigma). Derivatives by a turn of n towards u and v (contact-patch.md, (2b)).
typedef struct RbShared {
    double radius;
    double area, volume, square;
    double V1[2], V2[3]; // second ones: uu, uv, vv
    double W1[2], W2[3];
} RbShared;

void rb_shared_add(RbShared *shared, const RbFacet *a, const RbFacet *b, const RbPatchPiece *piece);

// About how much larger the logarithm would be along another normal than that of the distance.
double rb_patch_gain(RbPatchAim aim, const RbShared *shared);

// views[0]: along the normal of the distance; shared: all of its pieces. Returns the view along the normal that is sought, one of the two.
const RbPatchView *rb_patch_normal(const RbPatchPair *pair, RbPatchAim aim, const RbShared *shared,
                                   RbPatchView views[2], RbPatchTurning *turning);

// The plane with its normal turned by k times a small step along u and v.
RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k);
