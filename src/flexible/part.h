// SPDX-License-Identifier: MIT
// part.h: a finite-element part: tetrahedra of one material with interface frames, its stiffness and mass
// (docs/theory/flexible.md).
//
// The nodes of a rigid frame move as one body. Unknowns are blocks of three: the displacement of each other node, then translation and
// rotation (times the size of the part, so that both have one unit) of each rigid frame.
#pragma once

#include "base/diag.h"
#include "geom/tet_mesh.h"
#include "math/block_cholesky.h"

typedef struct RbPartMaterial {
    double youngs_modulus; // [Pa]
    double poisson;
    double density; // [kg/m3]
} RbPartMaterial;

typedef struct RbPartFrame {
    const char *name;
    const int *node;
    int count;
    bool averaged; // moves as its nodes do in the mean, and does not hold them together
} RbPartFrame;

typedef struct RbElasticPart {
    const RbTetMesh *mesh;
    RbPartMaterial material;
    const RbPartFrame *frames;
    int frame_count;
    Vec3 *centre;   // [m] of each frame: mean of its nodes
    Mat3 *gyration; // [m2] inverse of the mean of d² - d dᵀ
    double size;    // [m] of the part
    int blocks;
    int *block_of; // of each node; -1 - k: in rigid frame k
    int *
        turn_of; // of each frame: block of its rotation, after that of its translation; -1: averaged
    Vec3 *places; // of blocks
    RbBlockMatrix K;
    int *mass_start, *mass_column; // consistent mass by rows of nodes, both triangles
    double *mass;                  // [kg]
} RbElasticPart;

// Fails at elements that are flat or inside out, frames without three nodes off a line, and pieces that nothing joins.
RbStatus rb_part_assemble(RbElasticPart *part, RbPos at, RbArena *keep, RbArena scratch,
                          RbDiag *diag);

// Displacements of nodes by those of blocks, and forces on blocks by those on nodes: u = T x, f = Tᵀ g.
void rb_part_expand(const RbElasticPart *part, const double *x, double *u);
void rb_part_collect(const RbElasticPart *part, const double *g, double *f);

void rb_part_mass_times(const RbElasticPart *part, const double *u, double *y); // over nodes

// Stress at a point of an element under displacements of nodes. [Pa]
Mat3 rb_part_stress(const RbElasticPart *part, const int *tet, const Vec3 *slopes, const double *u);
