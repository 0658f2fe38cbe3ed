// SPDX-License-Identifier: MIT
// grow.h: a solid grown by a trifle, so that faces which coincide with those of another one up to rounding cut cleanly.
#pragma once

#include "geom/skin.h"

#define RB_GROW_FARTHEST 16 // in units of the growth: how far the point of a needle moves so that its faces grow

typedef struct RbGrowth {
    double by;  // [m] by which faces move out; negative: in
    double tol; // [m] what is closer touches
    unsigned
        seed; // of the scatter, a part of the growth in any direction, so that hardly anything stays degenerate
} RbGrowth;

// The vertices. Where the surface touches itself what touches moves together, or it would cross itself; *touches tells
// whether it does anywhere.
Vec3 *rb_grow(const RbSkin *s, const RbGrowth *growth, bool *touches, RbArena *keep,
              RbArena scratch);
