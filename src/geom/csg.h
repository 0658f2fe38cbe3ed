// SPDX-License-Identifier: MIT
// csg.h: union, difference and intersection of solids given by closed surfaces.
//
// The result is regular: faces that coincide leave no skin, solids that only touch have no common
// part. Closed surfaces in give closed surfaces out, with two triangles at every edge; where parts of
// the result meet in an edge or a vertex, the vertices are doubled. Points of the result lie within
// about 1e-13 of the size of where they should (docs/theory/solids.md).
#pragma once

#include "base/diag.h"
#include "geom/mesh.h"

typedef enum RbCsg { RB_CSG_UNION, RB_CSG_DIFFERENCE, RB_CSG_INTERSECTION } RbCsg;

// The result lives in *keep and has no triangles if nothing is left. A surface that is open, twisted
// or crosses itself is refused with the place; names and `at` are for messages.
RbStatus rb_csg(RbCsg operation, const RbMesh *a, const char *name_a, const RbMesh *b,
                const char *name_b, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                RbMesh *out);
