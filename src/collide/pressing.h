// SPDX-License-Identifier: MIT
// pressing.h: the elastic energy of two bodies that press on each other, as a functional of their overlap, and its slope
// (docs/theory/pressing.md). One rule for all pairs, symmetric in both bodies.
#pragma once

#include "collide/patch.h"

// [m] M₃/M₂ of the overlap, 0.6 (cone) to 1 (face) of the largest depth, and its slope as that of the energy. It is smooth where closest points jump.
typedef struct RbMeanDepth {
    double depth;
    Wrench slope;
} RbMeanDepth;

// Fills a patch with energy, slope and moments, in the frame of shape A. False: nothing overlaps, or the rule did not settle.
bool rb_pressing_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out,
                       RbMeanDepth *mean);
