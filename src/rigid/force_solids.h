// SPDX-License-Identifier: MIT
// force_solids.h: contact of two solids with any surface, also concave, as a force element: by the volume
// they share or by elastic layers on their surfaces.
#pragma once

#include "contact/polygonal.h"
#include "contact/volume_law.h"
#include "rigid/force.h"

typedef enum RbSolidsLaw { RB_SOLIDS_VOLUME, RB_SOLIDS_POLYGONAL } RbSolidsLaw;

typedef struct RbSolidsForce {
    RbFrame a, b; // of the meshes
    const RbSkin *skin_a, *skin_b;
    RbSolidsLaw law;
    RbVolumeLaw volume;
    RbPolygonal polygonal;
    int number; // which of the caller's work spaces is its own
    bool idle;  // one of them is not there, or both are one body
} RbSolidsForce;

typedef struct RbSolidsResult {
    Vec3 force_W;        // [N] on b
    Vec3 torque_W;       // [N m] on b, about point_W
    Vec3 point_W;        // [m] where the regions have their common centroid
    double normal_force; // [N] sum over the regions
    double volume;       // [m³] 0 for layers
    double area;         // [m²]
    int regions;         // of layers: triangles in contact
} RbSolidsResult;

// How frame b moves in frame a: v of the point of b at the origin of a.
typedef struct RbRelativeMotion {
    Vec3 v, w; // [m/s], [rad/s]
} RbRelativeMotion;

RbRelativeMotion rb_solids_motion(const RbSolidsForce *element, const RbKin *kin);

// A law that has a potential stores it; of all others the whole power of the forces is booked as
// dissipated, also what the patch stores and gives back.
RbSolidsResult rb_force_solids(const RbSolidsForce *element, RbMeshOverlap *work, const RbKin *kin,
                               Wrench *forces, RbLedger *ledger);
