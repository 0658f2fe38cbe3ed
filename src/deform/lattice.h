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
// Molecules on a body-centred grid, cubes with one in the middle of each: per cube, from the middle to the corners 0.6 E a, edges 0.2 E a. Molecules that stand otherwise are
// connected up to 2.1 times their mean distance, and each spring is then made as stiff as its place asks for (calibrate.h).
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

// A whole cube of the grid: its corners in the order of the bits x, y, z, and the middle of a body-centred one.
typedef struct RbLatticeCell {
    int molecule[9];
} RbLatticeCell;

typedef struct RbLattice {
    double spacing; // [m] a, the smallest distance of two molecules
    RbSoftPlacement
        placement; // as found; RB_SOFT_PLACED_AS_FOUND: all are further apart than some radii
    int count;     // molecules
    int (*at)
        [3]; // their places in the grid, in half spacings of a body-centred one; NULL: there is none
    RbGridPoint *sorted; // by place
    RbBond *bonds;       // sorted by a, then b
    int bond_count;
    RB_ARRAY(RbLatticeCell) cells;
    double *volume;    // [m3] per molecule
    double unbalanced; // what calibration could not balance (calibrate.h)
} RbLattice;

typedef struct RbLatticeRule {
    int neighbours; // 18 or 26 in a cubic grid
    RbSoftPlacement placement;
    const char *
        name; // of the object, for messages: two at one place, one without neighbour, not as placed
} RbLatticeRule;

RbStatus rb_lattice_connect(const RbMolecule *molecules, int count, const RbLatticeRule *rule,
                            RbArena *keep, RbArena scratch, RbDiag *diag, RbLattice *out);

// Neighbouring places in the grid are so many of its units apart.
static inline int rb_lattice_step(const RbLattice *lattice) {
    return lattice->placement == RB_SOFT_BODY_CENTRED ? 2 : 1;
}

// The molecule at a place in the grid, or -1.
int rb_lattice_find(const RbLattice *lattice, const int at[3]);
