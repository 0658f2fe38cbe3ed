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
// K is the constant of the scene. F begins smoothly, so that a contact is no event. Approach adds
// F a |dx/dt| (no pull when they part). Sliding at speed v adds friction m F v / sqrt(v² + w²), with
// w² = slip² + (m F / grip)²: viscous at low speeds, with at most the viscosity `grip`, which
// is such that molecules on their springs can follow.
#pragma once

#include "math/mat3.h"

typedef struct RbPenalty {
    double reach;    // [m] R
    double room;     // [m] s
    double strength; // [N/m^1.5] A
    double damping;  // [s/m] a
    double friction; // m
    double slip;     // [m/s]
    double grip;     // [N.s/m]
} RbPenalty;

// Elastic part for an overlap between 0 and room: force, its derivative by the overlap, energy.
typedef struct RbPenaltyElastic {
    double force, slope, energy; // [N], [N/m], [J]
} RbPenaltyElastic;

RbPenaltyElastic rb_penalty_elastic(const RbPenalty *law, double overlap);

typedef struct RbPenaltyForce {
    Vec3 force;    // [N] on the first sphere; the other one gets the opposite
    double press;  // [N] along the line of centres
    double energy; // [J] that comes back
    double lost;   // [W]
} RbPenaltyForce;

// `apart` is from the first to the second centre, `speed` that of the second seen from the first.
// False: they are nearer than d0, where there is no force that could be told. d < reach.
bool rb_penalty_force(const RbPenalty *law, Vec3 apart, Vec3 speed, RbPenaltyForce *out);

// Derivatives of the force on the first sphere by `apart` and by `speed`.
void rb_penalty_slopes(const RbPenalty *law, Vec3 apart, Vec3 speed, Mat3 *by_r, Mat3 *by_v);
