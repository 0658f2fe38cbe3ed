// SPDX-License-Identifier: MIT
// trapezoid.h: motion from one point of joint space to another, all axes together, with limits of speed
// and acceleration (docs/theory/restructuring.md, section 4).
//
//     q = q0 + (q1 - q0) s(t),   s from 0 to 1
//
// s grows with constant acceleration, then with constant speed, then is braked; one axis is at its limit
// in each phase, the others move in proportion. A short way has no phase of constant speed.
#pragma once

#include <stdbool.h>

// Phases; the motion is over in the last one.
typedef enum RbTravelPhase {
    RB_TRAVEL_SPEEDS_UP,
    RB_TRAVEL_CRUISES,
    RB_TRAVEL_BRAKES,
    RB_TRAVEL_RESTS
} RbTravelPhase;

typedef struct RbTrapezoid {
    double acceleration; // [1/s2] of s
    double speed;        // [1/s] of s, at most
    double ramp;         // [s] time of speeding up, and of braking
    double duration;     // [s] 0: there is nowhere to go
} RbTrapezoid;

RbTrapezoid rb_trapezoid(int axes, const double *from, const double *to, const double *v_max,
                         const double *a_max);

// When a phase ends, from the start of the motion. [s]
double rb_trapezoid_end(const RbTrapezoid *t, RbTravelPhase phase);

// s and its two derivatives, by the formula of a phase.
void rb_trapezoid_at(const RbTrapezoid *t, RbTravelPhase phase, double time, double s[3]);
