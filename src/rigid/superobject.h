// SPDX-License-Identifier: MIT
// superobject.h: objects that cannot move against each other become one body (a super-object); the
// bodies form the tree of tree.h (docs/theory/multibody.md, section 1). Built at the start and
// again after every structural change: O(objects + joints).
//
// Super-object i is body i of the tree; 0 is the world. Its frame is that of its root, the object
// through which its joint holds it.
#pragma once

#include "rigid/loop.h"
#include "rigid/arrangement.h"

typedef struct RbSuperObject {
    int root;    // object
    int cluster; // nearest super-object towards the world with a joint that moves in between: what
                 // is rigid for now
    int first, count; // its objects: structure.order[first] ...
    bool can_collide; // with what its joint connects it to
} RbSuperObject;

typedef struct RbStructure {
    int object_count;
    bool *absent; // per object: of the arrangement it was built from
    int *order;     // objects, depth first, one super-object after the other
    RbFrame *frame; // per object: its super-object and its pose therein
    int count;      // super-objects
    RbSuperObject *supers;
    RbTree tree;
    double *q, *v; // start values
    Pose *split_frame; // per body: where the object is in it through which its joint holds it
    int *part;     // per body: what hangs together without the world has one number
    RbLoops loops; // joints that close loops, by part as these stand in the tree
} RbStructure;

// Group, order, sum masses (each tensor turned into the axes of its root). Where joints form loops,
// a tree is chosen that spans all objects, preferring joints whose coordinates are wanted
// (RbObjectJoint.keep, owner); the others become cuts. If a loop has only such joints, a body of it
// is split in two halves that are welded together. Errors: bad masses, rigid connections that repeat
// others, objects that lead nowhere, joints that cannot be reversed.
// Objects that are absent get no place: they count as fixed to the world and touch nothing.
RbStatus rb_structure_build(const RbArrangement *arrangement, RbArena *keep, RbArena scratch,
                            RbDiag *diag, RbStructure *out);

// May they touch? Never if they are rigidly connected at present; across a joint only if it can
// collide.
bool rb_structure_may_collide(const RbStructure *structure, int a, int b);
