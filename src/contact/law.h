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

typedef enum RbResponse { RB_RESPONSE_ELASTIC, RB_RESPONSE_OBSERVER, RB_RESPONSE_NONE } RbResponse;

typedef enum RbNormalLaw {
    RB_NORMAL_HERTZ,         // thesis, eq. 7.3a: K δ^1.5 (1 + d δ')
    RB_NORMAL_SPRING_DAMPER, // CollisionLib, eqs 2 to 5: K δⁿ + D δ', the second limited
    RB_NORMAL_USER,          // a callback computes everything
} RbNormalLaw;

typedef enum RbFrictionLaw {
    RB_FRICTION_SLIDING, // thesis, eq. 7.3c: mu_k, regularised below v_small
    RB_FRICTION_STATIC,  // CollisionLib, eqs 10 to 13: mu_s below v_static, mu_k above, limited
    RB_FRICTION_CURVE,   // Elmqvist et al. 2015, 6.2.2: smooth, maximum mu_s near v_static
    RB_FRICTION_BRISTLE, // sticks: a tangential spring that slips at mu_k; three states
} RbFrictionLaw;

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

// A law of the user: fills in everything. Pure: same input, same output.
typedef void (*RbUserLaw)(const RbContactMotion *motion, void *user, RbContactForce *force);

// Constants of a pair of materials. rb_pair_law() fills in the defaults.
typedef struct RbPairLaw {
    RbResponse response;
    bool alarm; // observer: report contacts
    RbNormalLaw normal;
    RbFrictionLaw friction;
    RbDampingRule damping;
    double restitution;    // 0 .. 1
    double mu_k;           // sliding friction
    double mu_s;           // static friction (static, curve)
    double mu_r;           // rolling resistance, times the contact radius
    double v_small;        // [m/s] regularisation of slip and of restitution
    double w_small;        // [rad/s] regularisation of rolling resistance
    double v_static;       // [m/s] transition from static to sliding friction (static, curve)
    double stiffness;      // spring-damper: K [N/mⁿ]
    double exponent;       // spring-damper: n
    double damper;         // spring-damper: D [N s/m]
    double max_friction;   // [N] static: limit of the friction force
    double bristle_length; // [m] slip at which sticking ends
    double bristle_time;   // [s] damping of the bristle
    RbUserLaw user_law;
    void *user;
} RbPairLaw;

RbPairLaw rb_pair_law(void);

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
