// SPDX-License-Identifier: MIT
// mesh_tidy.h: a closed surface with pieces of no extent becomes one without, and each of its edges
// gets exactly two triangles.
#pragma once

#include "geom/mesh.h"

// Vertices closer than tol [m] become one; triangles that vanish, and pairs that lie back to back, go;
// vertices on the opposite side of a flat triangle are joined to that side's neighbour; triangles of one plane
// that lie on each other leave nothing; the rest is rb_mesh_split. The mesh must be closed: as many triangles run along an
// edge in one direction as in the other. *folded: parts lie on each other within RB_TIDY_COARSER tol; so do the two sides of
// a sheet or wedge as thin as that.
RbMesh rb_mesh_tidy(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch, bool *folded);

#define RB_TIDY_COARSER 16
