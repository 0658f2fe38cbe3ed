// SPDX-License-Identifier: MIT
// penalty.h: the force that keeps molecules of different objects apart (docs/theory/soft.md).
//
// Two spheres whose centres are d apart overlap by x = R - d, R the sum of their radii. Their force begins as in Hertz'
// law and grows without bound before the centres are so near, at d0, that a molecule could slip between the molecules of the
// other object:
//
//     F(x) = A x^(3/2) (s / (s - x))²,   s = R - d0,   A = K 4/3 E* sqrt(R*)
//     E* = 1 / ((1 - 1/16) (1/E1 + 1/E2)),   R* = r1 r2 / R
//
// K is the constant of the scene. F begins smoothly, so that a contact is no event. Approach at the speed u adds c u, with
// c = V sqrt(F/(x + s/10)): V = 2 z sqrt(m) damps what lies there about as a connection of the damping ratio z does, whatever the load. The sum never pulls.
//
// Friction is a bristle z that is drawn out and then slips, as between rigid bodies (contact/law.h):
//
//     friction = -(m F/l) z - c z',   z' = (s - |s| z/l) / (1 + |s| t/l),   c = m F/√(s² + m g l + (m F/grip)²)
//
// s is the velocity of slipping. Drawn out by l it carries m F; at rest it holds with z/l = load/(m F), and nothing creeps. `grip` is a viscosity that
// molecules on their springs can follow; t, the length of an explicit step, keeps the bristle from relaxing faster than that.
#pragma once

#include "math/mat3.h"

typedef struct RbPenalty {
    double reach;     // [m] R
    double room;      // [m] s
    double strength;  // [N/m^1.5] A
    double viscosity; // [kg^0.5] V
    double friction;  // m
    double grip;      // [N.s/m]
    double bristle;   // [m] l
    double step;      // [s] t
} RbPenalty;

// For an overlap between 0 and room: elastic force, its derivative by the overlap, energy, viscosity, its derivative.
typedef struct RbPenaltyElastic {
    double force, slope, energy; // [N], [N/m], [J]
    double drag, drag_slope;     // [N.s/m], [N.s/m2]
} RbPenaltyElastic;

RbPenaltyElastic rb_penalty_elastic(const RbPenalty *law, double overlap);

static inline double rb_penalty_press(const RbPenaltyElastic *e, double approach) { // [N]
    return fmax(0, e->force + e->drag * approach);
}

typedef struct RbPenaltyForce {
    Vec3 n;        // from the first to the second centre
    double press;  // [N] on both, apart
    double energy; // [J] that comes back
    double lost;   // [W]
} RbPenaltyForce;

// `apart` is from the first to the second centre, `speed` that of the second seen from the first.
// False: they are nearer than d0, where there is no force that could be told. d < reach.
bool rb_penalty_force(const RbPenalty *law, Vec3 apart, Vec3 speed, RbPenaltyForce *out);

// Friction on what slips.
typedef struct RbRub {
    Vec3 force;    // [N]
    Vec3 rate;     // [m/s] of the bristle
    double fading; // [1/s] by how much of itself it decays
    double drag;   // [N.s/m] c
} RbRub;

// slip and z are across the normal.
RbRub rb_penalty_rub(const RbPenalty *law, double press, Vec3 slip, Vec3 z);

// Derivatives of the force on the first sphere by `apart` and by `speed`; of friction with a drag that stays as it is.
void rb_penalty_slopes(const RbPenalty *law, Vec3 apart, Vec3 speed, double drag, Mat3 *by_r,
                       Mat3 *by_v);
