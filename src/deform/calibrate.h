// SPDX-License-Identifier: MIT
// calibrate.h: how stiff each spring of a body must be so that the body is as stiff as its material, whatever way its molecules stand (docs/theory/soft.md, section 1).
//
// Under a uniform strain every molecule must be in balance: inside by itself, at the surface with the stress on its part A of the surface. For all strains at once, springs
// of stiffness k, length l and direction n, seen from the molecule:
//
//     sum of k l n_i n_j n_k = -0.4 E (d_ij A_k + d_ik A_j + d_jk A_i)
//
// Ten equations per molecule; the stiffnesses are those, near the ones given, that fulfil them best (least squares, none below 0.02 of what was given).
#pragma once

#include "deform/lattice.h"

// Changes k of the bonds; `area` [m2] per molecule: of its part of the surface, outwards; zero inside. The root mean square of what is left, of 0.4 a²,
// a the spacing. `near` is the weight of staying near what was given, where that is not asked for by the equations: measured.
double rb_calibrate(const RbMolecule *molecules, int count, const Vec3 *area, double spacing,
                    double near, RbBond *bonds, int bond_count, RbArena scratch);
