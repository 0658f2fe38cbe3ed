// SPDX-License-Identifier: MIT
// patch_normal.h: the normal of a patch of two polyhedral cores: the direction along which they press most when they are moved together
// by their smoothing radii (docs/theory/contact-patch.md, section 1). The energy has no slope by this normal, so that the force needs no derivative
// of it and is continuous where the normal is. Unlike that of the distance it does not care which corners and edges are closest.
#pragma once

#include "collide/patch_moments.h"
#include "math/spatial.h"

// What is largest along the normal (contact-patch.md, (2c)): log(W^1.5/V) unless the cores are deep in each other.
typedef struct RbPatchAim {
    double value;                           // -INFINITY: nothing overlaps
    double of_volume, of_square, of_shared; // slopes by V, W and the volume that is shared
    double by_a[6], by_b[6];                // rates, as in RbPatchRates
    double slope[2], bend[3]; // by a turn of n towards u and v; bends: uu, uv, vv, nearly
} RbPatchAim;

typedef struct RbPatchLook {
    RbPatchView view;
    RbPatchMoments moments;
    RbPatchAim aim;
} RbPatchLook;

void rb_patch_look(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook *out);

// About how much larger the aim would be along its best normal, and along that than along m.
double rb_patch_gain(const RbPatchAim *aim);
double rb_patch_loss(const RbPatchLook *look, Vec3 m);

// looks[0]: along any normal that is near. Returns the one that is along the normal that is sought. If that is on a ridge, other is a look along the same normal on its other flank,
// and part what the first one counts of both, so that together they have no slope by the normal. NULL: no ridge.
RbPatchLook *rb_patch_normal(const RbPatchPair *pair, RbPatchLook looks[3], RbPatchLook **other,
                             double *part);

// Where what is largest is not U: by how much d(log U) differs as B moves, since the normal turns. other, part: as above. False: by nothing.
bool rb_patch_turning(const RbPatchPair *pair, const RbPatchLook *look, const RbPatchLook *other,
                      double part, RbPatchLook *scratch, Wrench *out);

// In the frame of the pair.
Wrench rb_patch_wrench(RbContactPlane plane, const double rates[6]);

// The plane with its normal turned by k times a small step along u and v.
RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k);
