// SPDX-License-Identifier: MIT
// near_round.h: ends, rims and sides of a cylinder, cone, frustum or beam, each with what is closest to it, in the form in which near_hull.h has faces, edges and corners of
// polyhedra: all of them, as there are few.
#pragma once

#include "collide/near_hull.h"

// core: not overlapped by what is asked about. False: it is of another kind.
bool rb_near_round(const RbCore *core, double radius, RbNearHull *out);

// The half-space n . p <= offset, as one face.
void rb_near_plane(Vec3 n, double offset, double radius, RbNearHull *out);
