// SPDX-License-Identifier: MIT
// inverse.h: forces from accelerations (recursive Newton-Euler) and the mass matrix (composite
// rigid bodies):
//     tau = M(q) dv + h(q, v, forces)
// (docs/theory/multibody.md, section 4). Where a drive train must see the mass matrix, and as the
// oracle of dynamics.h.
#pragma once

#include "rigid/kinematics.h"

typedef struct RbInverse {
    Wrench *wrench;      // per body, what its joint transmits to it
    RigidInertia *whole; // per body, its subtree as one rigid body
} RbInverse;

RbInverse rb_inverse(const RbTree *tree, RbArena *arena);

// Generalised forces that go with the accelerations in kin. `forces` act on the bodies, about the
// origins of their frames (NULL: none).
void rb_inverse_dynamics(const RbTree *tree, const RbKin *kin, const Wrench *forces,
                         RbInverse *work, double *tau);

// h: the same with dv = 0. Overwrites the accelerations in kin.
void rb_bias_forces(const RbTree *tree, RbKin *kin, const Wrench *forces, RbInverse *work,
                    double *h);

// M, full and by rows, nv x nv.
void rb_mass_matrix(const RbTree *tree, const RbKin *kin, RbInverse *work, double *M);
