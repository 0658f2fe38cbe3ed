// SPDX-License-Identifier: MIT
// lattice.h: which molecules of an object are connected, how stiff, and how much of the object each
// one stands for (docs/theory/soft.md).
//
// Molecules on a cubic grid of spacing a, which may be turned, are the corners of cells. The elastic energy is put together
// cell by cell, so that a connection at the surface, which has cells on one side only, gets its share
// by itself (a half in faces, a quarter along edges; a little is moved inwards so that bending is right as well), and the
// body is the box that the outer molecules span:
//
//     cubes, per cell       axes 0.1 E a, face diagonals 0.2 E a                     (18 neighbours)
//                           axes 2/15 E a, face 2/15 E a, body diagonals 0.1 E a     (26)
//     squares in no cube    sides and diagonals 0.375 E a: a sheet of thickness a, Poisson's ratio 1/3
//     lines in no square    E a: a rod with the cross section a²
//
// Molecules that stand otherwise are connected up to 1.6 a, with k = 6 V E / (l sum of all l).
#pragma once

#include <stdint.h>

#include "deform/soft_scene.h"

typedef struct RbBond {
    int a, b;      // molecules of the object, a < b
    double k;      // [m] stiffness divided by Young's modulus
    double length; // [m] at rest
} RbBond;

typedef struct RbGridPoint {
    uint64_t key;
    int molecule;
} RbGridPoint;

typedef struct RbLattice {
    double spacing; // [m] a, the smallest distance of two molecules
    bool cubic;
    int count;           // molecules
    int (*at)[3];        // their places in the grid; NULL: there is none
    RbGridPoint *sorted; // by place
    RbBond *bonds;       // sorted by a, then b
    int bond_count;
    double *volume; // [m3] per molecule
} RbLattice;

// `name` and the places of the molecules are for messages: two at one place, one without neighbour.
RbStatus rb_lattice_connect(const RbMolecule *molecules, int count, int neighbours,
                            const char *name, RbArena *keep, RbArena scratch, RbDiag *diag,
                            RbLattice *out);

// The molecule at a place in the grid, or -1.
int rb_lattice_find(const RbLattice *lattice, const int at[3]);
