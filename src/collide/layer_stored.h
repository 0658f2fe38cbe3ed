// SPDX-License-Identifier: MIT
// layer_stored.h: what two solids that press on each other by their layers (layer_press.h) store: the energy whose
// gradient that pressure is (docs/theory/solids.md, section 5).
#pragma once

#include "collide/mesh_overlap.h"

// [m⁴] Half the depths in both layers, integrated exactly over what the solids share: energy per K. Costs several times
// what the pressure does, so it is asked for where somebody looks at energies; of the pose of the last rb_mesh_overlap.
double rb_layer_stored(const RbMeshOverlap *overlap);
