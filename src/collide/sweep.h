// SPDX-License-Identifier: MIT
// sweep.h: when do two moving shapes touch first? Conservative advancement with rigorous bounds
// (docs/theory/sweep.md).
//
// Each body moves with constant velocity and constant angular velocity, both in world components;
// it turns about the origin of its frame:  r(t) = r + v t,  R(t) = exp(t [w]x) R. The search never
// steps over a contact, however thin the shapes and however fast they are: every step is covered by
// a direction that keeps the two shapes apart during all of it.
#pragma once

#include "geom/aabb.h"

typedef struct RbMotion {
    Vec3 v; // [m/s] of the origin
    Vec3 w; // [rad/s]
} RbMotion;

// The pose after t seconds.
Pose rb_motion_pose(Pose X, RbMotion motion, double t);

typedef struct RbSweepBody {
    const RbCore *core;
    Pose X; // in the world, at the start
    RbMotion motion;
} RbSweepBody;

typedef enum RbSweepStatus {
    RB_SWEEP_MISS, // no contact during the whole motion
    RB_SWEEP_HIT,  // they come within `tolerance` of each other at `time`, and do not touch before
    RB_SWEEP_UNDECIDED, // a grazing motion that took too many steps; they do not touch before
                        // `time`
    RB_SWEEP_INVALID,   // NaN or infinite input, two half-spaces, or a half-space that turns
} RbSweepStatus;

typedef struct RbSweep {
    RbSweepStatus status;
    double time;     // [s] start of the contact, at most by tolerance / (speed of approach) early;
                     // miss: the duration
    double distance; // [m] at that time
    Vec3 normal;     // from A to B, in the world
    Vec3 point;      // between the closest points, in the world at that time
    int steps;       // distance queries that were needed
} RbSweep;

// duration [s] >= 0; tolerance [m] > 0, for example rb_sweep_tolerance.
RbSweep rb_sweep(const RbSweepBody *a, const RbSweepBody *b, double duration, double tolerance);

// [m] A tolerance as small as distances are exact: 1e-11 of the larger size.
double rb_sweep_tolerance(const RbCore *a, const RbCore *b);

// A box around the shape during the whole motion, up to rounding.
RbAabb rb_sweep_aabb(const RbSweepBody *body, double duration);
