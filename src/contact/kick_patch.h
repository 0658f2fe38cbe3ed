// SPDX-License-Identifier: MIT
// kick_patch.h: what a contact over a patch does while the poses of its bodies are taken as constant (docs/theory/crowds.md): as kick.h,
// for bodies of any shape. The elastic wrench is then constant; damping is that at the motion in the middle of the kick; friction takes
// slip and twisting together, by sliding or by a bristle, and never turns them round.
#pragma once

#include "contact/evaluate.h"
#include "contact/kick.h"

// One of the two bodies; what cannot move has zeros.
typedef struct RbKickSide {
    RbMoving at;
    Vec3 centre; // [m] of mass
    double by_mass;
    Mat3 by_inertia; // about it, world axes
} RbKickSide;

// [m/s] by an impulse `along` on body 2 at a point, and its opposite on body 1: change of the velocity of 2 relative to 1 there.
Vec3 rb_kick_yield(const RbKickSide sides[2], Vec3 point_W, Vec3 along);

// How hard the bodies press where they are, for plans.
typedef struct RbPatchLoad {
    Vec3 n_W, point_W;
    double elastic;   // [N]
    double energy;    // [J]
    double closing;   // [m/s]
    double by_normal; // [1/kg] at the point, along the normal
    double stiffness; // [N/m] of what is pressed now
    double tilting;   // [1/kg] what turning adds to by_normal, at the mean distance from the point
    double decay;     // [1/s] how fast damping or friction slow down at most
} RbPatchLoad;

RbPatchLoad rb_kick_load(const RbContactSetup *setup, const RbContactPatch *over,
                         const RbKickSide sides[2], RbContactState *state);

typedef struct RbPatchKick {
    Vec3 point_W;                      // [m]
    Vec3 force_W, torque_W;            // [N], [N m] mean, on body 2, about the point
    double damping, friction, rolling; // [J] dissipated
    double pressing;                   // [J] what the elastic force did
} RbPatchKick;

// The bristle moves with it. At the same poses as the patch.
RbPatchKick rb_kick_over(const RbContactSetup *setup, const RbContactPatch *over,
                         const RbKickSide sides[2], double duration, RbBristle *bristle,
                         RbContactState *state);
