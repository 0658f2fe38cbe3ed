// SPDX-License-Identifier: MIT
// mesh_split.h: one edge, two triangles (docs/theory/solids.md, section 3).
#pragma once

#include "geom/mesh_edges.h"

// Where solids meet in an edge or a vertex, the vertices are doubled, so that each solid keeps its own; of two edges that are then
// left with the same ends one gets a vertex in its middle. The mesh must be closed: as many triangles run along an edge in one
// direction as in the other; `edges` are its edges.
RbMesh rb_mesh_split(const RbMesh *mesh, const RbMeshEdges *edges, RbArena *keep, RbArena scratch);

// Does a mesh become one whose edges have two triangles and whose vertices one fan by a split alone? It is closed, solid and void take turns
// around each edge, and there are edges with more than two triangles, or vertices with more than one fan.
bool rb_mesh_needs_split(const RbMesh *mesh, const RbMeshEdges *edges, RbArena scratch);
