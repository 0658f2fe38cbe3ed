// SPDX-License-Identifier: MIT
// most_shared.h: the largest volume that two polyhedral cores share as A is moved by a way of some length (docs/theory/contact-patch.md,
// "Short edges"). Its cube root is concave in the way (Brunn and Minkowski). So there is one largest value as long as the way is shorter than the one that
// brings the middles together, and the planes that touch the cube root anywhere are bounds everywhere.
#pragma once

#include "collide/patch_view.h"
#include "math/spatial.h"

typedef struct RbMost {
    Vec3 way;     // [m]
    double value; // log of the volume; -INFINITY: nothing is shared
    Wrench
        slope; // of that as B moves, with the mean of both bodies' motions; on a ridge of all flanks, as they count
    double rate; // [1/m] of that by the length
} RbMost;

// What is shared along one way, and the derivatives of its cube root as A is moved on.
typedef struct RbSharedRoot {
    double root; // [m]
    Vec3 slope;
    Mat3 bend;     // [1/m]
    Wrench wrench; // d log S as B moves
} RbSharedRoot;

// False: nothing is shared.
bool rb_shared_root(const RbPatchPair *pair, Vec3 origin, Vec3 way, RbSharedRoot *out);

// way: of the length that is wanted, any along which something is shared. origin: about which torques are.
RbMost rb_most_shared(const RbPatchPair *pair, Vec3 origin, Vec3 way);

// The same of W along ways as long as the radius (contact-patch.md, section 1). n: any along which something is shared on the way.
RbMost rb_most_square(const RbPatchPair *pair, Vec3 origin, Vec3 n);
