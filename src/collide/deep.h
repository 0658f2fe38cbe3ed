// SPDX-License-Identifier: MIT
// deep.h: penetration depth of overlapping cores: the shortest translation that separates them
// (docs/theory/distance.md, section 6). An expanding polytope inside the Minkowski difference gives
// bounds from both sides; it ends exactly for polytopes, and for curved cores its normals are
// polished by Newton's method.
#pragma once

#include "collide/near.h"

// Cores as they are (no inset); X: core frame of b in that of a. distance <= 0 up to rounding.
RbCoreGap rb_deep(const RbCore *a, const RbCore *b, Pose X, double scale);
