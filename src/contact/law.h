// SPDX-License-Identifier: MIT
// law.h: force and torque of one contact point from penetration and relative velocity
// (docs/theory/contact-law.md).
//
// The normal n points from body 1 to body 2. All vectors are those of body 2 relative to body 1,
// and forces act on body 2; body 1 gets the opposite.
//
// Once, at contact start, and then at every evaluation:
//     RbContactLaw law = rb_contact_law(&pair, solid_1, solid_2, R_geo, &scene, approach_speed);
//     RbContactForce force = rb_contact_force(&law, &motion);
#pragma once

#include <stdbool.h>

#include "contact/restitution.h"
#include "math/vec3.h"
#include "rattleback/contact.h"

typedef struct RbContactMotion {
    Vec3 n_W;          // unit vector from body 1 to body 2
    double depth;      // [m] penetration
    double depth_rate; // [m/s] positive while it grows
    Vec3 slip_W;       // [m/s] tangential velocity of body 2 relative to body 1
    Vec3 spin_W;       // [rad/s] angular velocity of body 2 relative to body 1
    Vec3 bristle_W;    // [m] state of RB_FRICTION_BRISTLE
} RbContactMotion;

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

typedef struct RbContactScene {
    double reduction;   // k_red: all forces times this factor
    double max_damping; // d_max [s/m]
} RbContactScene;

static inline RbContactScene rb_contact_scene(void) {
    return (RbContactScene){1, 2000};
}

// What is frozen while a contact lasts.
typedef struct RbContactLaw {
    RbPairLaw pair;
    double stiffness; // K, reduced [N/mⁿ]
    double exponent;  // n
    double damping;   // Hertz: d [s/m]; spring-damper: D, reduced [N s/m]
    double radius;    // R_geo [m]
} RbContactLaw;

RbContactLaw rb_contact_law(const RbPairLaw *pair, RbElastic solid_1, RbElastic solid_2,
                            double R_geo, const RbContactScene *scene, double approach_speed);

RbContactForce rb_contact_force(const RbContactLaw *law, const RbContactMotion *motion);

// Derivative of the bristle. The tangent plane turns with w_plane [rad/s], and the bristle with it:
// take the mean of both bodies.
Vec3 rb_contact_bristle_rate(const RbContactLaw *law, const RbContactMotion *motion,
                             Vec3 w_plane_W);

// Friction force over normal force at a slip speed [m/s] (bristle: in steady sliding).
double rb_friction_coefficient(const RbPairLaw *pair, double speed);

// 1 / E* = (1 - nu1²)/E1 + (1 - nu2²)/E2   [Pa]
double rb_contact_modulus(RbElastic solid_1, RbElastic solid_2);
