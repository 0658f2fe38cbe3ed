// SPDX-License-Identifier: MIT
// mesh_weld.h: which vertices of a mesh are one.
#pragma once

#include "geom/mesh.h"

// For each vertex the first one within tol [m] of it (itself if none; 0: only equal places). Vertices
// that are not finite stay alone. *welded is increased by the number of vertices that go.
int *rb_mesh_weld(const RbMesh *mesh, double tol, RbArena *scratch, int *welded);
