// SPDX-License-Identifier: MIT
// stuffing.h: a closed surface filled with molecules, or with tetrahedra whose corners are molecules (docs/theory/soft.md, section 7).
//
// A cubic grid begins at the low corner of the box around the surface. Molecules of springs are the points of the grid inside. For
// elements the cubes of the grid are cut into tetrahedra; grid points near the surface are moved onto it, and tetrahedra that still stick
// out are clipped, with diagonals by the numbers of the vertices, so that neighbours fit.
#pragma once

#include "deform/soft_scene.h"
#include "geom/mesh.h"

typedef struct RbStuffing {
    double spacing; // [m] of the grid
    double radius;  // [m] of a molecule
    double friction;
    Vec3 velocity; // [m/s]
    int material;  // of springs or of elements
    bool fixed;
    RbSoftPlacement placement; // of molecules with springs
} RbStuffing;

// The object is added to the scene. The surface must be closed. Fails if nothing fits in, or far too much.
RbStatus rb_stuff(RbSoftScene *scene, const char *name, RbPos at, const RbMesh *mesh,
                  const RbStuffing *options, RbArena scratch, RbDiag *diag, RbSoftFillReport *out);
