// SPDX-License-Identifier: MIT
// border.h: borders of the space that grains are in. What leaves through a periodic border comes in on the opposite side, and grains
// touch each other across it: the cell between low and high is repeated for ever. In the other directions space has no border.
#pragma once

#include "base/diag.h"
#include "math/vec3.h"

typedef struct RbBorders {
    const char *name;
    RbPos at;
    bool periodic[3]; // along x, y, z
    Vec3 low, high;   // [m] of the cell; counts where it is periodic
} RbBorders;

static inline bool rb_borders_any(const RbBorders *b) {
    return b->periodic[0] || b->periodic[1] || b->periodic[2];
}

// Neighbours of the cell, itself being the one in the middle.
enum { RB_IMAGES = 27, RB_NO_IMAGE = 13 };

// [m] From the cell to one of them.
Vec3 rb_borders_image(const RbBorders *borders, int image);

// The same point in the cell; times[3], if wanted: how many cells it was away.
Vec3 rb_borders_wrap(const RbBorders *borders, Vec3 r, double times[3]);

// The shortest of all vectors that lead from a point to the images of another, of which d is one.
Vec3 rb_borders_nearest(const RbBorders *borders, Vec3 d);

// Is what reaches from low to high [m] along a periodic direction, 0, 1 or 2, within the cell, but for roundings?
bool rb_borders_hold(const RbBorders *borders, int direction, double low, double high);

// Is the cell large enough for grains of this radius [m], and lists with this skin [m]? No two grains may be listed twice.
RbStatus rb_borders_check(const RbBorders *borders, double radius, double skin, RbDiag *diag);
