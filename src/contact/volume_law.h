// SPDX-License-Identifier: MIT
// volume_law.h: the force between two solids that share a volume (docs/theory/solids.md, section 5).
// Region by region: elastic force, damping, friction, torque against spinning.
#pragma once

#include "collide/mesh_overlap.h"
#include "math/spatial.h"

typedef enum RbVolumeForm {
    RB_VOLUME_AREA,  // N = 2/sqrt(pi) E* V/sqrt(S), S over all regions of the pair
    RB_VOLUME_DEPTH, // N = 4/(3 sqrt(pi)) E* sqrt(V d), d the extent along the normal (Nassauer)
    RB_VOLUME_POTENTIAL, // p = E* V/L³ over the patch: the force is a gradient
} RbVolumeForm;

typedef struct RbVolumeLaw {
    RbVolumeForm form;
    double modulus; // [Pa] E*
    double length;  // [m] L of the potential form
    double damping; // [s/m] c of F = elastic (1 + c v), v the speed of approach; never pulls
    double mu_static, mu_kinetic;
    double slip_speed; // [m/s] where friction changes from static to kinetic
    double spin;       // [s/m] c_r: torque against spinning, - c_r N A w; 0 with tractions
    bool tractions; // normal and friction forces integrated over the patch, so that resistance to
                    // rolling and spinning follows from its shape
} RbVolumeLaw;

// E* 1e8 Pa, damping 0.1 s/m, friction 0.3 and 0.25 at 1 mm/s, area form, tractions.
RbVolumeLaw rb_volume_law(void);

// A law whose numbers make no sense is refused; `name` is the pair's.
RbStatus rb_volume_law_check(const RbVolumeLaw *law, const char *name, RbPos at, RbDiag *diag);

// On B, in the frame of A.
typedef struct RbVolumeForce {
    Vec3 force;          // [N]
    Vec3 torque;         // [N m] about the origin of A
    Vec3 point;          // [m] centroid of the region
    double normal_force; // [N]
    double power_lost;   // [W] by damping and friction
} RbVolumeForce;

// The force of one region, for the velocity of B against A: v [m/s] of the point of B at the origin of A,
// w [rad/s], in the frame of A.
RbVolumeForce rb_volume_force(const RbVolumeLaw *law, const RbMeshOverlap *o, int region, Vec3 v,
                              Vec3 w);

// [J] Energy stored, if the form has a potential; otherwise 0.
double rb_volume_energy(const RbVolumeLaw *law, const RbMeshOverlap *o);

// [Pa] Elastic pressure on the polygons of a region.
double rb_volume_pressure(const RbVolumeLaw *law, const RbMeshOverlap *o, int region);

// Friction coefficient at a slip speed: 0 at rest, mu_static at about slip_speed, mu_kinetic beyond.
double rb_volume_friction(const RbVolumeLaw *law, double speed);
