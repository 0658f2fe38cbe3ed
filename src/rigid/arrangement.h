// SPDX-License-Identifier: MIT
// arrangement.h: what holds what at present. Objects and joints of a mechanism as they were
// described, changed by actions while it runs: attach, release, flip, lock, unlock, replace, remove,
// add (docs/theory/restructuring.md). superobject.h makes the tree of bodies from it.
//
// An assembly is what hangs together by joints and rigid connections. One that does not hang on the
// world moves freely: one of its objects, its root, carries the six coordinates. A unit is what hangs
// together as it was drawn, without attachments: attachments make assemblies of units, and loops.
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
    bool *broken;          // per joint: it is gone for good
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

// Are these two attached to each other?
bool rb_arrangement_holds(const RbArrangement *arrangement, int a, int b);

// Each reports in a sentence without full stop why it cannot be done, in *why, and changes nothing
// then. Names are those of the objects.

// b is attached to a at their present pose relative to each other. Within an assembly that closes a loop; both must
// be able to move against each other, and no joint that equations drive may be in the loop.
bool rb_arrange_attach(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                       const char **why);
// The attachment of a and b is released; or (b < 0) the one that holds the unit of a, or that of an
// assembly root to its parent. If a unit has several attachments the one that leads to the world
// holds it, or where nothing hangs on the world the one that leads to the root; in loops several may, and b must be said.
bool rb_arrange_release(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                        const char **why);
// What holds the unit of a is released, and a is attached to b.
bool rb_arrange_move(RbArrangement *r, int a, int b, const RbPlaces *places, RbArena *text,
                     const char **why);
// A chain is held by its other end: c lets go of what it is attached to, a is attached to b. Without
// b (b < 0) the chain moves freely, and a carries its motion instead of c.
bool rb_arrange_flip(RbArrangement *r, int a, int b, int c, const RbPlaces *places, RbArena *text,
                     const char **why);
bool rb_arrange_lock(RbArrangement *r, int joint, const RbPlaces *places, RbArena *text,
                     const char **why);
bool rb_arrange_unlock(RbArrangement *r, int joint, RbArena *text, const char **why);
// Another kind of joint with these axes in the frame of its first object, which starts from the
// present pose.
bool rb_arrange_replace(RbArrangement *r, int joint, RbJointKind kind, Vec3 n, Vec3 n2,
                        const RbPlaces *places, RbArena *text, const char **why);
// The joint is no more: what hung on it alone moves freely.
bool rb_arrange_break(RbArrangement *r, int joint, const RbPlaces *places, RbArena *text,
                      const char **why);
// The unit of an object, with its attachments; of a fixed part of the world: it, and what is fixed to it. What was attached
// to it moves freely afterwards.
bool rb_arrange_remove(RbArrangement *r, int object, const RbPlaces *places, RbArena *text,
                       const char **why);
// The unit of an absent object appears: the object at this pose, all of it with this motion of
// the object. Fills in the places of its objects.
bool rb_arrange_add(RbArrangement *r, int object, Pose X, Motion V, RbPlaces *places, RbArena *text,
                    const char **why);
