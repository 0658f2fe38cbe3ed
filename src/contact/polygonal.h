// SPDX-License-Identifier: MIT
// polygonal.h: the polygonal contact model (Hippmann): elastic layers on two meshes. Each triangle of the
// base that has sunk into the target carries a pressure proportional to its depth
// (docs/theory/solids.md, section 6).
#pragma once

#include "collide/mesh_overlap.h"

typedef enum RbPolygonalTask {
    RB_POLYGONAL_BOTH, // both surfaces as base in turn, each with half of the force
    RB_POLYGONAL_BASE_A,
    RB_POLYGONAL_BASE_B,
} RbPolygonalTask;

typedef enum RbPolygonalDamping {
    RB_POLYGONAL_NO_PULL,     // elastic and damping force together never pull
    RB_POLYGONAL_COMPRESSION, // no damping while the bodies part
    RB_POLYGONAL_FULL,
} RbPolygonalDamping;

// The layer of one body.
typedef struct RbPolygonalLayer {
    double modulus; // [Pa] Young's; 0: rigid
    double poisson;
    double depth; // [m] of the layer; 0: rigid
} RbPolygonalLayer;

typedef struct RbPolygonal {
    RbPolygonalTask task;
    RbPolygonalLayer a, b;
    double compression, expansion; // [N s/m³] damping per area
    RbPolygonalDamping mode;
    double transition_depth; // [m] damping fades in linearly up to here; 0: at once
    double friction;
    double slip_speed;      // [m/s] full friction from here on
    double max_penetration; // [m] how deep a triangle may lie in the target
} RbPolygonal;

// On B, in the frame of A.
typedef struct RbPolygonalForce {
    Vec3 force;          // [N]
    Vec3 torque;         // [N m] about the origin of A
    Vec3 point;          // [m] where the layers meet, in the mean of their pressure
    Vec3 n;              // unit vector: along which they press in the mean
    double normal_force; // [N]
    double area;         // [m²] of the base triangles in contact
    double penetration;  // [m] largest
    double energy;       // [J] in the layers
    double power_lost;   // [W]
    int triangles;       // in contact
} RbPolygonalForce;

// [Pa/m] Stiffness of both layers in series; a rigid one counts as infinitely stiff. 0 if both are rigid.
double rb_polygonal_stiffness(const RbPolygonal *p);

RbStatus rb_polygonal_check(const RbPolygonal *p, const char *name, RbPos at, RbDiag *diag);

// For the velocity of B against A: v [m/s] of the point of B at the origin of A, w [rad/s], in the frame
// of A. `work` is of both meshes.
RbPolygonalForce rb_polygonal_force(const RbPolygonal *p, RbMeshOverlap *work, Pose X_AB, Vec3 v,
                                    Vec3 w);
