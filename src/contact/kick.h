// SPDX-License-Identifier: MIT
// kick.h: what a contact of a ball does while its depth is taken as constant (docs/theory/crowds.md).
//
// Splitting the motion of balls into flights and kicks turns stiff friction into equations for two
// numbers: with the depth frozen, the contact changes the speed of approach, the slip, whose direction
// stays, and the spin. Each is followed by itself over the duration of the kick, to second order, and
// however fast it decays it never turns round.
#pragma once

#include "contact/law.h"

// One contact of a ball with another one or with something fixed. Inverse masses of what it moves:
typedef struct RbKickMotion {
    RbContactMotion motion; // before the kick; no bristle, no patch
    double by_normal;       // [1/kg] speed of parting by an impulse along the normal
    double by_slip;         // [1/kg] slip by an impulse across it
    double by_spin;         // [1/(kg m2)] spin by an impulse of a torque
    double duration;        // [s]
} RbKickMotion;

typedef struct RbKick {
    Vec3 force_W;                      // [N] mean over the duration, on body 2
    Vec3 torque_W;                     // [N m] likewise: besides that of the force
    double damping, friction, rolling; // [J] dissipated
} RbKick;

// Laws that can be followed in this way: Hertz's, with a damping that depends on the state and friction
// that slides.
bool rb_law_kicks(const RbContactMaterial *material);

RbKick rb_kick(const RbContactLaw *law, const RbKickMotion *motion);

// A speed that falls by `fall` speed / reg(speed, small) in all: above small it falls evenly, below it decays. What part of it is lost.
double rb_kick_part_lost(double speed, double fall, double small);

// [1/s] How fast slip decays at most, and approach, at this depth: over what is resolved they are stiff.
typedef struct RbKickRates {
    double slip, normal;
} RbKickRates;
RbKickRates rb_kick_rates(const RbContactLaw *law, const RbKickMotion *motion);

// [1/s] The frequency of the blow that the contact is in, were it alone: that of its greatest depth.
// speed: of the blow [m/s].
double rb_kick_frequency(const RbContactLaw *law, double depth, double depth_rate, double *speed);
