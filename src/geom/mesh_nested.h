// SPDX-License-Identifier: MIT
// mesh_nested.h: bodies in one another.
#pragma once

#include "geom/mesh_check.h"

// Does a component of a closed surface that does not cross itself lie within another one and face the same way? Its volume
// would count twice. A cavity in nothing is told, too. Components thinner than `tiny` [m] do not matter. *where: a point of it.
RbMeshFault rb_mesh_find_nested(const RbMesh *mesh, double tiny, RbArena scratch, Vec3 *where);
