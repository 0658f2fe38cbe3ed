// SPDX-License-Identifier: MIT
// kinematics.h: where the bodies of a tree are and how they move, level by level. Each level needs
// the ones before it.
//
// All quantities have world components; a body's motions refer to the origin of its frame B. The
// caller owns the workspace; nothing is allocated after rb_kin.
#pragma once

#include "rigid/tree.h"

typedef struct RbBodyKin {
    // positions
    Pose X;         // X_WB
    Vec3 d;         // [m] from the parent's origin to this one
    RigidInertia I; // in world axes about the origin of B
    // velocities
    Motion V; // of B
    Motion C; // what the acceleration has beyond the parent's and the joint's own: centripetal,
              // Coriolis
    // accelerations
    Motion A; // of B, as d/dt V
} RbBodyKin;

// The modes of a flexible body.
typedef struct RbModalKin {
    double *q, *v, *a; // their coordinates, speeds and accelerations, copied
    Mat3 *Q;           // sum m r dr/dq_aT, with the inertias
} RbModalKin;

typedef struct RbKin {
    RbBodyKin *bodies;
    Motion *S;          // per speed: motion of B relative to the parent at unit speed
    RbModalKin *modals; // per flexible body
    Motion *psi;        // per frame of one and mode: motion of the frame relative to the body
} RbKin;

RbKin rb_kin(const RbTree *tree, RbArena *arena);

void rb_kin_positions_in(const RbTree *tree, RbSpan span, const double *q, RbKin *kin);
static inline void rb_kin_positions(const RbTree *tree, const double *q, RbKin *kin) {
    rb_kin_positions_in(tree, rb_tree_span(tree), q, kin);
}
// Inertias of bodies that are placed.
void rb_kin_inertias_in(const RbTree *tree, RbSpan span, RbKin *kin);
// The same without the inertias: where only places, velocities and forces are asked for.
void rb_kin_places_in(const RbTree *tree, RbSpan span, const double *q, RbKin *kin);
void rb_kin_velocities_in(const RbTree *tree, RbSpan span, const double *v, RbKin *kin);
static inline void rb_kin_velocities(const RbTree *tree, const double *v, RbKin *kin) {
    rb_kin_velocities_in(tree, rb_tree_span(tree), v, kin);
}
void rb_kin_accelerations_in(const RbTree *tree, RbSpan span, const double *dv, RbKin *kin);
// Those of the modes alone.
void rb_kin_mode_accelerations_in(const RbTree *tree, RbSpan span, const double *dv, RbKin *kin);
static inline void rb_kin_accelerations(const RbTree *tree, const double *dv, RbKin *kin) {
    rb_kin_accelerations_in(tree, rb_tree_span(tree), dv, kin);
}

// A frame fixed to a body: where objects, force elements and sensors sit.
typedef struct RbFrame {
    int body;
    Pose X_BF;
} RbFrame;

Pose rb_frame_pose(const RbKin *kin, RbFrame frame);           // X_WF
Motion rb_frame_velocity(const RbKin *kin, RbFrame frame);     // of the origin of F
Motion rb_frame_acceleration(const RbKin *kin, RbFrame frame); // of the origin of F

// Sums over all bodies.
double rb_kinetic_energy(const RbTree *tree, const RbKin *kin); // [J]
Wrench rb_momentum(const RbTree *tree,
                   const RbKin *kin); // f: [kg m/s]; t: [kg m2/s] about the world's origin
