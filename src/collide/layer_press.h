// SPDX-License-Identifier: MIT
// layer_press.h: how deep the surfaces of two solids that overlap lie in the layers of each other
// (geom/layer.h), integrated exactly over both surfaces. The result is a function of the pose without jumps, also where
// faces become flush or regions merge, and the gradient of an energy (docs/theory/solids.md, section 5).
#pragma once

#include "collide/mesh_overlap.h"

// From the polygons of the overlap: RbMeshOverlap.points and .stored.
void rb_layer_press(RbMeshOverlap *overlap);
