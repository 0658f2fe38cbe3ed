// SPDX-License-Identifier: MIT
// press_field.h: how far a place is from a core, continued smoothly into it (docs/theory/pressing.md).
//
// Outside it is the distance. Inside minus the common depth (Σ t⁻⁴)^(-1/4) below all faces, ends and sides: concave, with a continuous slope, the distance on
// each face; the distance to the nearest face itself bends in the middle of a body and beside its edges, and with it the force of bodies that are deeper in each
// other than their edges are rounded would jump.
#pragma once

#include "geom/core.h"

// [m] p in frame C. slope: gradient; a unit vector outside.
double rb_press_field(const RbCore *core, Vec3 p, Vec3 *slope);
