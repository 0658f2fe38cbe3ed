// SPDX-License-Identifier: MIT
// lattice_parts.h: what the files lattice*.c share.
#pragma once

#include "deform/lattice.h"

#define RB_ON_GRID 1e-3 // [a] how far from its grid point a molecule may stand

typedef struct RbNearest { // two molecules
    double distance;
    int i, j;
} RbNearest;

// Molecules sorted into cells of a size.
typedef struct RbLatticeCells {
    const RbMolecule *molecules;
    int count;
    Vec3 low;
    double size;
    RbGridPoint *sorted;
} RbLatticeCells;

RbLatticeCells rb_lattice_cells(const RbMolecule *molecules, int count, double size,
                                RbArena *scratch);

// Calls `visit` for every pair (i, j > i) in cells that touch; i in the order of the molecules.
typedef void RbLatticeVisit(void *user, int i, int j, double distance);
void rb_lattice_visit(const RbLatticeCells *cells, int i, RbLatticeVisit *visit, void *user);

// Sets at, sorted and count; false: a molecule stands beside the grid.
bool rb_lattice_locate(const RbMolecule *molecules, int count, double spacing, const Vec3 axis[3],
                       RbArena *keep, RbLattice *out);

int rb_lattice_compare_bonds(const void *a, const void *b);

// lattice_centred.c: false: they do not stand on a body-centred grid in whole cells.
bool rb_lattice_centred(const RbMolecule *molecules, int count, RbNearest nearest, RbArena *keep,
                        RbArena scratch, RbLattice *out);

// lattice_free.c: molecules that stand anyhow.
void rb_lattice_free(const RbMolecule *molecules, int count, RbArena *keep, RbArena scratch,
                     RbLattice *out);
