// SPDX-License-Identifier: MIT
// object.h: what a user puts into a scene: frames (Object3D) that hang on one another, and joints
// between them.
//
// Object 0 is the world. Every other object has a parent, to which it is fixed or relative to which
// it moves freely, or it is held by a joint, or both ends of a chain of these lead to the world.
// superobject.h turns this into a tree of bodies.
#pragma once

#include "flexible/modal.h"
#include "geom/mass.h"
#include "rigid/joint.h"

typedef enum RbObjectFeature {
    RB_FEATURE_NONE,
    RB_FEATURE_SCENE,
    RB_FEATURE_VISUAL,
    RB_FEATURE_SOLID
} RbObjectFeature;

typedef struct RbObject {
    const char *name;
    RbPos at;           // where the user defined it
    int parent;         // object; -1: none
    Pose pose;          // in the parent; of a freely moving object at the start
    bool moves_freely;  // relative to the parent
    bool assembly_root; // stays a body of its own even while it is fixed, because it may be
                        // released later
    RbObjectFeature feature;
    bool collidable;

    const RbModalBody *modal; // flexible: it is the mean frame, and joints to its frames alone hold it

    bool has_mass;
    bool only_turns; // moments of inertia, but no mass: on purpose
    bool ideal;      // moments of inertia that no body has: on purpose
    RbMassProperties mass;

    Vec3 velocity;         // [m/s] start value of a freely moving object, in the parent's axes
    Vec3 angular_velocity; // [rad/s] the same
    bool r_held[3], v_held[3]; // where a loop is closed, these components are not changed
    bool angles_held, w_held;  // nor is how it is turned, or turns
} RbObject;

// What two objects are held by without being carried: equations between them, which always close a
// loop, and no coordinates (docs/theory/loops.md, section 8).
typedef enum RbHoldKind {
    RB_HOLD_NONE,     // a joint
    RB_HOLD_LOCKS,    // b does not move along some axes of a, and turns as a joint lets it
    RB_HOLD_DISTANCE, // of the two origins: a rod without mass between two balls
    RB_HOLD_TIP,      // b is at the end of a rod that lies along n in a
    RB_HOLD_WHEEL,    // b rolls about n2 on the plane z = 0 of a, which is fixed in the world
    RB_HOLD_BETWEEN,  // b is on the line from a to a third object, at a share of its length
} RbHoldKind;

typedef struct RbHold {
    RbHoldKind kind;
    bool locked[3]; // locks: along x, y, z of a; wheel: neither slips ahead nor aside, nor leaves
                    // the ground
    RbJointKind
        turns;     // locks: revolute about n, prismatic (not at all), universal about n in a and
                   // n2 in b, spherical
    double length; // [m] of the rod; radius of the wheel
    bool measured; // the length is what it is at the start; 0: not known yet
    int third;     // between: object
    double share;  // between: 0 at a, 1 at the third
} RbHold;

typedef struct RbObjectJoint {
    const char *name;
    RbPos at;
    RbJointKind kind; // of a hold: free, since it carries nothing
    RbHold hold;
    RbJointOwner owner;
    int a, b;         // objects; axes and coordinates describe b in a
    Vec3 n, n2;       // axes in a (universal: n2 in b); need not be of length one
    Pose pose;        // fixed joint: b in a
    int modal_frame;  // fixed joint: 1 + frame of a that b is at, where a is flexible; 0: none
    bool has_base;    // another joint: it starts from `base` in a instead of a itself
    Pose base;
    bool can_collide; // what is fixed to a may touch what is fixed to b
    bool keep;        // its coordinates are wanted: where a loop must be cut, another joint is taken;
                      // fixed joint: what it transmits is wanted, so that a and b stay two bodies
    // Per speed: where a loop is closed, the start values below are not changed.
    bool q_held[RB_JOINT_MAX_V], v_held[RB_JOINT_MAX_V];
    double q[RB_JOINT_MAX_Q],
        v[RB_JOINT_MAX_V]; // start values; a quaternion of zeros means the identity
} RbObjectJoint;

// Defaults: fixed to its parent at identity.
static inline RbObject rb_object(const char *name, int parent) {
    return (RbObject){.name = name, .parent = parent, .pose = POSE_IDENTITY};
}

// Mass, centre of mass and moments make sense; otherwise a message names the object.
RbStatus rb_object_check(const RbObject *object, RbDiag *diag);

// Start values are finite and axes have a direction; normalises the axes (n2 is made perpendicular
// to n, or chosen).
RbStatus rb_object_joint_check(RbObjectJoint *joint, const RbObject *objects, RbDiag *diag);
