// SPDX-License-Identifier: MIT
// tetrahedra.h: the elements of an object: those it was given, or cells of its grid of molecules. A cube is cut into six tetrahedra
// around one of its diagonals, the same in all cubes, so that their faces fit. Elements with ten nodes are cut out of cubes of two
// spacings: their middles of edges are molecules too.
#pragma once

#include "deform/element.h"
#include "deform/lattice.h"

typedef struct RbTetrahedra {
    int (*node)[RB_ELEMENT_NODES]; // molecules of the object
    int nodes;                     // 4 or 10
    int count;
    double *share; // [m3] per molecule of the object: volume that it has the mass of
} RbTetrahedra;

// An error names a molecule that no element has.
RbStatus rb_tetrahedra_of_grid(const RbLattice *lattice, const RbMolecule *molecules, int count,
                               int order, const char *name, RbArena *keep, RbArena scratch,
                               RbDiag *diag, RbTetrahedra *out);
RbStatus rb_tetrahedra_given(const RbSoftScene *scene, const RbSoftObject *object, RbArena *keep,
                             RbDiag *diag, RbTetrahedra *out);
