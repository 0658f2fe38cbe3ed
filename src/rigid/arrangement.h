// SPDX-License-Identifier: MIT
// arrangement.h: what holds what at present. Objects and joints of a mechanism as they were
// described, changed by actions while it runs: attach, release, lock, unlock, replace, remove, add
// (docs/theory/restructuring.md). superobject.h makes the tree of bodies from it.
//
// An assembly is what hangs together by joints and rigid connections. One that does not hang on the
// world moves freely: one of its objects, its root, carries the six coordinates.
#pragma once

#include "rigid/object.h"

// What a joint was before it was locked.
typedef struct RbLockedJoint {
    bool is;
    RbJointKind kind;
    double q[RB_JOINT_MAX_Q];
} RbLockedJoint;

typedef struct RbArrangement {
    RbObject *objects;
    int object_count;
    bool *absent;          // per object
    RbObjectJoint *joints; // those of the user, then attachments
    bool *gone;            // per joint: attachments that were released, joints of absent objects
    RbLockedJoint *locked; // per joint
    int joint_count, own_count; // all; those of the user
    int capacity;               // attachments that fit: one per object
} RbArrangement;

// A copy of what was described, in the arena.
RbArrangement rb_arrangement(const RbObject *objects, int object_count, const RbObjectJoint *joints,
                             int joint_count, RbArena *arena);

// Where everything is and how it moves, per object: world components; velocities of the origins.
typedef struct RbPlaces {
    Pose *X;
    Motion *V;
} RbPlaces;

// Each reports in a sentence without full stop why it cannot be done, in *why, and changes nothing
// then. Names are those of the objects.

// b is attached to a at their present pose relative to each other. What b's assembly hung on before
// must be nothing: it moves freely, or a does.
bool rb_arrange_attach(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                       const char **why);
// The attachment of a and b is released, or that of an assembly root to its parent (b < 0).
bool rb_arrange_release(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                        const char **why);
bool rb_arrange_lock(RbArrangement *r, int joint, const RbPlaces *places, RbArena *text,
                     const char **why);
bool rb_arrange_unlock(RbArrangement *r, int joint, RbArena *text, const char **why);
// Another kind of joint with these axes in the frame of its first object, which starts from the
// present pose.
bool rb_arrange_replace(RbArrangement *r, int joint, RbJointKind kind, Vec3 n, Vec3 n2,
                        const RbPlaces *places, RbArena *text, const char **why);
// The whole assembly of an object; it must move freely.
bool rb_arrange_remove(RbArrangement *r, int object, RbArena *text, const char **why);
// The assembly of an absent object appears: the object at this pose, all of it with this motion of
// the object. Fills in the places of its objects.
bool rb_arrange_add(RbArrangement *r, int object, Pose X, Motion V, RbPlaces *places, RbArena *text,
                    const char **why);
