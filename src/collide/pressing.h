// SPDX-License-Identifier: MIT
// pressing.h: the elastic energy of two bodies that press on each other, as a functional of their overlap, and its slope
// (docs/theory/pressing.md). One rule for all pairs, symmetric in both bodies.
#pragma once

#include "collide/patch.h"

// Fills a patch with energy, slope and moments, in the frame of shape A. False: nothing overlaps, or the rule did not settle.
bool rb_pressing_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out);
