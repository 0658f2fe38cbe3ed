// SPDX-License-Identifier: MIT
// law.h: force and torque of one contact point from penetration and relative velocity
// (docs/theory/contact-law.md).
//
// The normal n points from body 1 to body 2. All vectors are those of body 2 relative to body 1,
// and forces act on body 2; body 1 gets the opposite.
//
// Once, at contact start, and then at every evaluation:
//     RbContactMaterial material = rb_contact_material(&pair, solid_1, solid_2);
//     RbContactLaw law = rb_contact_law(&material, R_geo, &scene, (RbBlow){.mass = m});
//     RbContactForce force = rb_contact_force(&law, &motion);
#pragma once

#include <stdbool.h>

#include "contact/restitution.h"
#include "math/vec3.h"
#include "rattleback/contact.h"

typedef struct RbContactMotion {
    Vec3 n_W;             // unit vector from body 1 to body 2
    double depth;         // [m] penetration
    double depth_rate;    // [m/s] positive while it grows
    Vec3 slip_W;          // [m/s] tangential velocity of body 2 relative to body 1
    Vec3 spin_W;          // [rad/s] angular velocity of body 2 relative to body 1
    Vec3 bristle_W;       // [m] state of RB_FRICTION_BRISTLE; what is across n counts
    double bristle_twist; // [m] the same for twisting, at twist_radius
    double twist_radius; // [m] mean distance of the pressure from the centre of a patch; 0: a point
} RbContactMotion;

// Deflection of what sticks, or how fast it changes. That of twisting has its own number: a mirror image twists the other way but slides
// the same way, so that as a component of the vector, along a normal that turns, each would leak into the other.
typedef struct RbBristle {
    Vec3 slide_W; // [m]
    double twist; // [m]
} RbBristle;

typedef struct RbContactForce {
    double normal;         // [N] pressure, never negative
    Vec3 friction_W;       // [N] on body 2
    Vec3 torque_W;         // [N m] on body 2: rolling and drilling resistance
    double elastic_energy; // [J] stored
    double damping_power;  // [W] dissipated in normal direction
    double friction_power; // [W] dissipated by sliding (bristle: includes what the bristle stores
                           // and returns)
    double rolling_power;  // [W] dissipated by rolling resistance
} RbContactForce;

typedef struct RbElastic {
    double youngs_modulus; // [Pa]
    double poissons_ratio;
} RbElastic;

// Two solids that touch.
typedef struct RbContactMaterial {
    RbPairLaw law;
    RbElastic elastic_1, elastic_2;
    RbDissipation dissipation; // of the typed restitution
} RbContactMaterial;

RbContactMaterial rb_contact_material(const RbPairLaw *law, RbElastic solid_1, RbElastic solid_2);

typedef struct RbContactScene {
    double reduction;   // k_red: all forces times this factor
    double max_damping; // d_max [s/m] of RB_DAMPING_FLORES
} RbContactScene;

static inline RbContactScene rb_contact_scene(void) {
    return (RbContactScene){1, 2000};
}

// What is known when a contact starts.
typedef struct RbBlow {
    double mass;  // [kg] effective, along the normal at the contact point; 0: nothing can yield
    double speed; // [m/s] of approach; for RB_DAMPING_FLORES alone
} RbBlow;

// What is frozen while a contact lasts.
typedef struct RbContactLaw {
    RbPairLaw pair;
    double stiffness;          // K, reduced [N/mⁿ]
    double modulus;            // E*, reduced [Pa]
    double exponent;           // n
    double damping;            // Flores: d [s/m]; spring-damper: D, reduced [N s/m]
    RbDissipation dissipation; // otherwise
    double mass;               // [kg] effective
    double radius;             // R_geo [m]
    double twist;              // at a point: what resists twisting acts at this part of its radius
} RbContactLaw;

// RB_FRICTION_AUTO: that of a round body.
RbContactLaw rb_contact_law(const RbContactMaterial *material, double R_geo,
                            const RbContactScene *scene, RbBlow blow);

// The part of the force along the normal that has a potential [N].
double rb_contact_elastic(const RbContactLaw *law, const RbContactMotion *motion);

// What damping makes of the elastic force N of a contact that stores U (restitution.h). slopes: by δ'
// and, at constant δ', by U; NULL: not wanted.
double rb_contact_damping_factor(const RbContactLaw *law, double depth_rate, double energy,
                                 double slopes[2]);

// Is the force a function of the motion alone, so that nothing depends on when a contact began?
bool rb_pair_law_forgets(const RbPairLaw *pair);

RbContactForce rb_contact_force(const RbContactLaw *law, const RbContactMotion *motion);

// [m] At a point: torque against twisting over mu_k N, in proportion to the radius of contact. Patches
// have their own, in the motion; it is part of their friction.
double rb_contact_point_twist(const RbContactLaw *law, const RbContactMotion *motion);

// Friction and rolling resistance alone, for the pressure in force->normal.
void rb_contact_rub(const RbContactLaw *law, const RbContactMotion *motion, RbContactForce *force);

// Derivative of the bristle. The tangent plane turns with w_plane [rad/s], and the bristle with it:
// take the mean of both bodies.
RbBristle rb_contact_bristle_rate(const RbContactLaw *law, const RbContactMotion *motion,
                                  Vec3 w_plane_W);

// Friction force over normal force at a slip speed [m/s] (bristle: in steady sliding).
double rb_friction_coefficient(const RbPairLaw *pair, double speed);

// 1 / E* = (1 - nu1²)/E1 + (1 - nu2²)/E2   [Pa]
double rb_contact_modulus(RbElastic solid_1, RbElastic solid_2);
