// SPDX-License-Identifier: MIT
// volume_law.h: the force between two solids that share a volume (docs/theory/solids.md, section 5).
// Region by region: elastic force, damping, friction, torque against spinning. Damping and sticking are
// those of the pair as a whole.
//
//     RbVolumeState s = rb_volume_state(&law, overlap, &motion);
//     for each region: RbVolumeForce f = rb_volume_force(&s, region);
#pragma once

#include "collide/mesh_overlap.h"
#include "contact/restitution.h"
#include "math/spatial.h"

typedef enum RbVolumeForm {
    RB_VOLUME_AREA,  // N = 2/sqrt(pi) E* V/sqrt(S), S over all regions of the pair
    RB_VOLUME_DEPTH, // N = 4/(3 sqrt(pi)) E* sqrt(V d), d the extent along the normal (Nassauer)
    RB_VOLUME_POTENTIAL, // p = E* V/L³ over the patch: the force is a gradient
    RB_VOLUME_BEDDING,   // p = E* depth/L at each place: likewise, and without jumps
} RbVolumeForm;

typedef struct RbVolumeLaw {
    RbVolumeForm form;
    double modulus;     // [Pa] E*
    double length;      // [m] L of the potential and of the bedding; of that 0: rb_bedding_length
    double restitution; // typed: an impact returns with it
    double v_small;     // [m/s] below it impacts return with less, so that bodies come to rest
    double load_ratio;  // how many times heavier than the effective mass may be what presses on both and comes to rest soon
    double damping;     // [s/m] c of F = elastic (1 + c v), v the speed of approach; never pulls;
                        // 0: as the restitution says
    double mu_static, mu_kinetic;
    double slip_speed;                   // [m/s] where friction changes from static to kinetic
    bool sticks;                         // what rests does not creep; needs the states of a bristle
    double bristle_length, bristle_time; // [m], [s] L and T of contact-law.md, section 4
    double spin;    // [s/m] c_r: torque against spinning, - c_r N A w; 0 with tractions
    double rolling, w_small; // [m], [rad/s] t = -rolling N w/reg(|w|, w_small), as of points (contact-law.md, (1.2))
    bool tractions; // normal and friction forces integrated over the patch, so that resistance to
                    // rolling and spinning follows from its shape
    RbDissipation dissipation; // of the restitution: rb_volume_law_prepare
} RbVolumeLaw;

// Bedding with the length of its layers, E* 1e8 Pa, restitution 0.5, friction 0.3 and 0.25 at 1 mm/s, sticks, tractions.
RbVolumeLaw rb_volume_law(void);

// [m] L of a bedding from the thickness of the thinner of both layers: 4 sqrt(pi) of it, so that a cube on its face is as stiff as a
// rigid punch of that area on an elastic half-space, and no bedding is compressed by more than 14 %.
double rb_bedding_length(double thickness);

// What follows from the numbers, once they are right.
void rb_volume_law_prepare(RbVolumeLaw *law);

// A law whose numbers make no sense is refused; `name` is the pair's.
RbStatus rb_volume_law_check(const RbVolumeLaw *law, const char *name, RbPos at, RbDiag *diag);

// B is a body of revolution: when it turns with w its surface, which is what overlaps, does so without the part w·share about the
// axis through a point. Zero: it turns with its body.
typedef struct RbVolumeAxis {
    Vec3 direction, share;
    Vec3 point; // [m]
} RbVolumeAxis;

// How B moves against A, in the frame of A.
typedef struct RbVolumeMotion {
    Vec3 v, w;         // [m/s] of the point of B at the origin of A, [rad/s]
    RbVolumeAxis axis; // of B
    Vec3 slide, twist; // [m], [rad] the bristle of a law that sticks
    double mass;       // [kg] effective, for the restitution; 0: nothing can yield
} RbVolumeMotion;

// Of the surface of B, at the origin of A.
Motion rb_volume_surface_motion(const RbVolumeMotion *motion);

// A pair as it is now: what its regions have in common.
typedef struct RbVolumeState {
    const RbVolumeLaw *law;
    const RbMeshOverlap *overlap;
    RbVolumeMotion motion;
    Motion surface; // [m/s], [rad/s] of the surface of B at the origin of A: what approaches
    bool revolves;  // that differs from the motion
    // Means over the patch; zero if friction does not stick and damping was typed: then nothing needs them.
    double normal;       // [N] elastic forces, as scalars
    double depth;        // [m] twice the energy that a flat patch would store over that
    Vec3 centre;         // [m] where they have their mean place
    double radius;       // [m] their mean distance from it
    Vec3 slip, spin;     // [m/s], [rad/s] of the patches: means of what is tangential
    double linear, even; // damping: elastic x (1 + linear x local speed of approach + even)
} RbVolumeState;

RbVolumeState rb_volume_state(const RbVolumeLaw *law, const RbMeshOverlap *o,
                              const RbVolumeMotion *motion);

// On B, in the frame of A.
typedef struct RbVolumeForce {
    Vec3 force;               // [N]
    Vec3 torque;              // [N m] about the origin of A
    Vec3 point;               // [m] centroid of the region
    double normal_force;      // [N]
    double elastic;           // [W] of the elastic part
    double damping, friction; // [W] lost
} RbVolumeForce;

// The force of one region.
RbVolumeForce rb_volume_force(const RbVolumeState *state, int region);

// [1/s] How fast the bristle of a pair that does not touch fades.
#define RB_VOLUME_FADING 10.0

// How the bristle changes, in the frame of A. [m/s], [rad/s]
void rb_volume_bristle(const RbVolumeState *state, Vec3 *slide_rate, Vec3 *twist_rate);

// Is the elastic force the gradient of what rb_volume_energy tells?
bool rb_volume_has_potential(const RbVolumeLaw *law);

// [J] Energy stored; if the form has no potential what a flat patch of this volume and area would store. Of a bedding it costs
// several times what the forces do.
double rb_volume_energy(const RbVolumeLaw *law, const RbMeshOverlap *o);

// [Pa] Elastic pressure on the polygons of a region.
double rb_volume_pressure(const RbVolumeLaw *law, const RbMeshOverlap *o, int region);

// [m] How deep a load [N] presses a flat patch of some area [m2].
double rb_volume_depth(const RbVolumeLaw *law, double load, double area);

// Friction coefficient at a slip speed: 0 at rest, mu_static at about slip_speed, mu_kinetic beyond. Of
// a law that sticks: mu_static at rest.
double rb_volume_friction(const RbVolumeLaw *law, double speed);
