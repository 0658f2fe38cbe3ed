// SPDX-License-Identifier: MIT
// statics.h: a part at rest. Six springs that hold it without redundancy make its stiffness A = K + springs regular: loads in
// equilibrium do not feel them. Boundary functionals D (6 per frame) say how frames move. With G = A^-1 Dᵀ and rigid motions R
// (orthonormal in the mass), every problem is one system for the forces μ on frames and the rigid motion c,
//
//     | D G    D R |  | μ |   | d - D A^-1 f |
//     | (DR)ᵀ   0  |  | c | = |   - Rᵀ f     |        u = A^-1 f + G μ + R c,    K u = f + Dᵀ μ,    D u = d.
//
// Without frames D = Rᵀ M: the mean axes are held.
#pragma once

#include "flexible/part.h"

typedef struct RbStatics {
    const RbElasticPart *part;
    RbBlockCholesky *factors;
    int bounds;  // 6 per frame, or 6
    size_t size; // 3 blocks
    Vec3 origin; // centre of mass
    double mass;
    double *R, *MR; // size x 6
    double *Dt;     // size x bounds; rotations times the size of the part
    double *G;      // size x bounds
    double *DR;     // bounds x 6
    double *system; // factors of the matrix above, its first block times scale
    int *pivot;
    double scale;
    double *nodes[2]; // work: 3 numbers per node
} RbStatics;

RbStatus rb_statics(RbElasticPart *part, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                    RbStatics *out);

// x becomes u for `columns` loads, with boundary motion d (bounds x columns; NULL: 0). mu may be NULL.
void rb_statics_solve(const RbStatics *s, double *x, int columns, const double *d, double *mu,
                      RbArena scratch);

void rb_statics_mass(const RbStatics *s, const double *x, int columns, double *y); // y = M x

// x becomes the answer to loads x whose resultants the inertia of the part bears, without rigid motion.
void rb_statics_relieved(const RbStatics *s, double *x, int columns, RbArena scratch);
void rb_statics_remove_rigid(const RbStatics *s, double *x, int columns, RbArena scratch);
