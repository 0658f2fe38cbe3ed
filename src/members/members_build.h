// SPDX-License-Identifier: MIT
// members_build.h: the scene while it is made from gathered members (scene.c, hold.c). A
// connection set of frames is one object; parts and joints are lines between sets.
#pragma once

#include "members/members.h"

typedef struct SceneBuild {
    Members *m;
    const RbSegment *segment;
    RbScene *scene;
    int *object_of;    // per set: object, or -1
    int *start_member; // per object: the body that says where it starts, plus one
    int *root;         // per object: union of what is connected
    int root_count;
    Pose *first_frame; // per member: of a flexible body, its first frame in that of its mesh
} SceneBuild;

// The object of a frame of a member, which is made if there is none yet.
int rb_making_object(SceneBuild *b, int member, int frame);
// A new object that no connection set stands for.
int rb_making_new_object(SceneBuild *b, RbSceneObject o);
// A joint that carries what it leads to.
int rb_making_joint(SceneBuild *b, int member, RbObjectJoint joint);
// Equations between two objects that carry nothing. Of several of a member each has a name of its own.
int rb_making_hold(SceneBuild *b, int member, RbObjectJoint hold);

// ---- free.c
// Start values of free motion that are said one by one, as Joints.FreeMotionScalarInit of the standard library
// says them.
void rb_making_start_scalars(const SceneBuild *b, int i, RbObjectJoint *joint);

// ---- flexible.c
enum { RB_FLEXIBLE_PIECES = 8 }; // that are seen
RbStatus rb_making_flexible(SceneBuild *b, int i);
// A joint from the mean frame to a frame of it.
void rb_making_modal_joint(SceneBuild *b, int i, int mean, int object, int frame,
                           const RbModalFrame *f);
// How many objects it takes at most.
int rb_making_flexible_objects(const RbMember *member);

// ---- flexible_body.c
// Materials of the model are known.
RbStatus rb_making_flexible_body(SceneBuild *b, int i);
// Where its first frame starts that moves freely, whose place and speeds are those of the frame of its mesh so far.
void rb_making_flexible_start(const SceneBuild *b, int i, RbObject *o);

// ---- hold.c
RbStatus rb_making_rod(SceneBuild *b, int i);
void rb_making_constraint(SceneBuild *b, int i);
RbStatus rb_making_wheel(SceneBuild *b, int i);
RbStatus rb_making_line(SceneBuild *b, int i);
