// SPDX-License-Identifier: MIT
// evaluate.h: one contact, from where its two bodies are and how they move to its force.
#pragma once

#include "collide/patch.h"
#include "contact/press.h"
#include "contact/set.h"

// Elements, law and memory are in the state; the rest is filled in. ma, mb: the two bodies.
void rb_contact_evaluate(const RbContactSetup *setup, const RbMoving *ma, const RbMoving *mb,
                         const RbBristle *bristle, RbContactState *state);

// The same in two parts for a contact over a patch: what depends on the poses alone, with the gap of the state, and what is left to do for any velocities.
typedef struct RbContactPatch {
    RbPatch patch;       // in world axes
    bool held;           // too shallow to have a centre: it has that of one that is just seen
    Vec3 centre_W;       // [m] then
    double twist_radius; // [m] likewise
} RbContactPatch;

RbContactPatch rb_contact_patch(const RbContactSetup *setup, Pose X_a, Pose X_b,
                                RbContactState *state);
// The same for a gap that is known, in the state.
RbContactPatch rb_contact_patch_of_gap(const RbContactSetup *setup, Pose X_a, Pose X_b,
                                       RbContactState *state);

// How the bodies press; sets what the elastic forces do in the state.
RbPressing rb_contact_pressing(const RbContactSetup *setup, const RbContactPatch *patch,
                               const RbMoving *ma, const RbMoving *mb, RbContactState *state);
void rb_contact_press_over(const RbContactSetup *setup, const RbContactPatch *patch,
                           const RbMoving *ma, const RbMoving *mb, const RbBristle *bristle,
                           RbContactState *state);

// What has a potential of it: the elastic wrench on b, about the origin of the world.
Wrench rb_contact_elastic_wrench(const RbContactSetup *setup, const RbContactPatch *patch,
                                 const RbContactState *state);

// The force on b in two parts that add up to it, f_W = normal n_W + friction_W: what presses, elastic and damped, along a normal of its own, and what rubs. Over a patch what presses may lean against
// the normal of the motion, across which the bodies slide: where borders overhang, and on corners and edges.
typedef struct RbContactParts {
    double normal;   // [N] never negative
    Vec3 n_W;        // unit vector, from a to b; that of the motion if nothing presses
    Vec3 friction_W; // [N]
} RbContactParts;

RbContactParts rb_contact_parts(const RbContactState *state);

// Motion of b relative to a at a point.
RbContactMotion rb_contact_motion_at(const RbContactSetup *setup, const RbMoving *ma,
                                     const RbMoving *mb, const RbGap *gap, Vec3 point_W);
