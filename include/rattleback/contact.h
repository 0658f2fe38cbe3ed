// SPDX-License-Identifier: MIT
// contact.h: what two materials do to each other where they touch. Palettes (data/materials.json)
// say it in JSON, rb_builder_set_pair (scene.h) in C (docs/theory/contact-law.md).
#pragma once

#include <stdbool.h>

#include "rattleback/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbResponse { RB_RESPONSE_ELASTIC, RB_RESPONSE_OBSERVER, RB_RESPONSE_NONE } RbResponse;

typedef enum RbNormalLaw {
    RB_NORMAL_HERTZ,         // thesis, eq. 7.3a: K δ^1.5 (1 + d δ')
    RB_NORMAL_SPRING_DAMPER, // CollisionLib, eqs 2 to 5: K δⁿ + D δ', the second limited
    RB_NORMAL_USER,          // a callback computes everything
    RB_NORMAL_FUNCTION,      // a callback computes the force along the normal; friction is as below
} RbNormalLaw;

typedef enum RbFrictionLaw {
    RB_FRICTION_SLIDING, // thesis, eq. 7.3c: mu_k, regularised below v_small
    RB_FRICTION_STATIC,  // CollisionLib, eqs 10 to 13: mu_s below v_static, mu_k above, limited
    RB_FRICTION_CURVE,   // Elmqvist et al. 2015, 6.2.2: smooth, maximum mu_s near v_static
    RB_FRICTION_BRISTLE, // sticks: a tangential spring that slips at mu_k; three states
    RB_FRICTION_AUTO,    // bristle, or sliding where one of the bodies is a ball or an ellipsoid
} RbFrictionLaw;

typedef enum RbDampingRule {
    RB_DAMPING_TYPED,  // exactly what was typed
    RB_DAMPING_FLORES, // Flores et al. 2011 with the regularisations of the thesis, eqs 7.11
                       // to 7.13: for comparison
} RbDampingRule;

typedef enum RbFaceLaw {
    RB_FACES_PATCH, // bodies with faces, edges, rims or straight sides press over the patch they share,
                    // by a potential; balls and ellipsoids at a point
    RB_FACES_POINT, // thesis: one force at the centre of the patch, by the depth of its deepest point
} RbFaceLaw;

// How two bodies touch: body 2 relative to body 1, in the axes of the world.
typedef struct RbTouch {
    double normal[3];  // unit vector from body 1 to body 2
    double depth;      // [m] penetration
    double depth_rate; // [m/s] positive while it grows
    double slip[3];    // [m/s] tangential velocity
    double spin[3];    // [rad/s] angular velocity
} RbTouch;

// What acts on body 2; body 1 gets the opposite. Energies enter the account of the run.
typedef struct RbTouchForce {
    double normal;         // [N] pressure, never negative
    double friction[3];    // [N]
    double torque[3];      // [N m]
    double elastic_energy; // [J] stored
    double damping_power;  // [W] dissipated in normal direction
    double friction_power; // [W] dissipated by sliding
    double rolling_power;  // [W] dissipated by rolling resistance
} RbTouchForce;

// A law of the user: fills in everything (all zero on entry). Pure: same input, same output.
typedef void (*RbUserLaw)(const RbTouch *touch, void *user, RbTouchForce *force);

// How two bodies press on each other, for a law that is a function.
typedef struct RbPress {
    double depth;      // [m] penetration
    double depth_rate; // [m/s] positive while it grows
    double radius;     // [m] effective, 1/(1/R1 + 1/R2)
    double
        modulus; // [Pa] effective, 1/((1 - nu1²)/E1 + (1 - nu2²)/E2), times the reduction factor of
                 // the scene; 0: a material has none
    double mass; // [kg] effective, at the start of the contact; 0: neither can yield
} RbPress;

// Force [N] along the normal; what is negative counts as zero. Pure, and zero at depth zero. What it
// gives without speed is taken as elastic, the rest as damping.
typedef double (*RbNormalForce)(const RbPress *press, void *user);

// Constants of a pair of materials. rb_pair_law_default() fills in the defaults.
typedef struct RbPairLaw {
    RbResponse response;
    bool alarm; // observer: report contacts
    RbNormalLaw normal;
    RbFrictionLaw friction;
    RbDampingRule damping;
    RbFaceLaw faces;       // of bodies that are not round
    double restitution;    // 0 .. 1
    double mu_k;           // sliding friction
    double mu_s;           // static friction (static, curve)
    double mu_r;           // rolling resistance, times the contact radius
    double twist;          // at a point: share of what a Hertz contact has against twisting,
                           // (3 pi/16) mu_k N a, a = sqrt(R depth); default 1, 0: none
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
    RbNormalForce normal_force; // of RB_NORMAL_FUNCTION
    void *user;
} RbPairLaw;

RB_API RbPairLaw rb_pair_law_default(void);

#ifdef __cplusplus
}
#endif
