// SPDX-License-Identifier: MIT
// cell.h: what keeps a cell of springs from being turned inside out (docs/theory/soft.md, section 1). Springs know lengths, not volumes; so the tetrahedra of
// a cell, in all symmetric ways, have an energy that is exactly zero while more than two fifths of their volume are left, and grows without bound before nothing is left:
//
//     U = 1/10 E V (0.4/J - 1)³,   J = volume/volume at rest,   V the share of the tetrahedron in the cell
//
// Cubes have the eight tetrahedra of a corner and the next three; body-centred cubes those of the middle, a corner and two that are next to it, 24.
#pragma once

#include <stdint.h>

#include "math/mat3.h"

enum { RB_CELL_MOLECULES = 9 };

typedef struct RbSoftCell {
    int molecule[RB_CELL_MOLECULES]; // corners in the order of the bits x, y, z; the middle
    int count;                       // 8; 9: body-centred
    uint32_t left;                   // bits: tetrahedra that have none of their connections torn
    double per_volume; // [1/m3] one by six times the volume of a tetrahedron at rest, with its sign
    double energy;     // [J] 1/10 E V
} RbSoftCell;

// Of a cell of this volume [m3] and of Young's modulus [Pa], at rest at r.
void rb_soft_cell_start(RbSoftCell *cell, const Vec3 *r, double volume, double youngs_modulus);

// Adds the forces to f. False: it is flat or inside out.
bool rb_soft_cell_forces(const RbSoftCell *cell, const Vec3 *r, Vec3 *f);
double rb_soft_cell_energy(const RbSoftCell *cell, const Vec3 *r); // [J]

bool rb_soft_cell_folded(const RbSoftCell *cell, const Vec3 *r); // somewhere inside out

// Tetrahedra of which two molecules are no longer connected are given up: the energy that was in them [J], if there are places.
typedef bool RbCellTorn(const void *user, int a, int b);
double rb_soft_cell_tear(RbSoftCell *cell, RbCellTorn *torn, const void *user, const Vec3 *r);

// Derivatives of the force on its molecule i by the place of its molecule j. False: there is no force.
typedef struct RbCellSlopes {
    Mat3 by[RB_CELL_MOLECULES][RB_CELL_MOLECULES];
} RbCellSlopes;
bool rb_soft_cell_slopes(const RbSoftCell *cell, const Vec3 *r, RbCellSlopes *out);

// Adds K x to y, at the places r.
void rb_soft_cell_apply(const RbSoftCell *cell, const Vec3 *r, const Vec3 *x, Vec3 *y);
