// SPDX-License-Identifier: MIT
// front.h: the faces of a polytope that reach into the layer at its front, found from its foremost vertex on: what is behind is not looked at.
#pragma once

#include "geom/core.h"

// Faces that have a corner p with m . p >= least, in ascending order from one on. foremost: vertex along m. Returns how many, at most as many as there is room for.
int rb_front_faces(const RbPolytope *t, Vec3 m, int foremost, double least, int from, int room,
                   int *faces);
