// SPDX-License-Identifier: MIT
// sdf_frames.h: the frames of an SDF file. Models, links, joints and frames have a pose relative to another one, which stands
// anywhere in the file: all are listed first, then placed. Names of nested models are "outer::inner::name".
#pragma once

#include "robot/robot.h"

typedef enum RbSdfKind { RB_SDF_MODEL, RB_SDF_LINK, RB_SDF_JOINT, RB_SDF_FRAME } RbSdfKind;

typedef struct RbSdfFrame {
    const char *name; // with those of the models around it
    RbSdfKind kind;
    int model; // that it is in; -1: none, of a model in the world
    RbXml *from;
    Pose pose;      // in the world, when it is placed
    bool is_static; // a model
    int state;      // of placing
} RbSdfFrame;

enum { RB_SDF_WORLD = -1 };

typedef struct RbSdfFrames {
    RbArena *arena;
    RbDiag *diag;
    RB_ARRAY(RbSdfFrame) list;
} RbSdfFrames;

// The frames of a world; a model and all that is in it.
RbStatus rb_sdf_list_world(RbSdfFrames *frames, RbXml *world);
RbStatus rb_sdf_list(RbSdfFrames *frames, RbXml *model, int outer);
RbStatus rb_sdf_place_all(RbSdfFrames *frames);

// The frame of a name that an element says, in the scope of a model; RB_SDF_WORLD: "world".
RbStatus rb_sdf_find(RbSdfFrames *frames, RbXml *at, int model, const char *name, int *frame);

// The link that a frame is fixed to; RB_SDF_WORLD: none.
RbStatus rb_sdf_link_of(RbSdfFrames *frames, int frame, int *link);

Pose rb_sdf_pose(const RbSdfFrames *frames, int frame);

// <pose> of an element: x y z and roll pitch yaw, or a quaternion.
RbStatus rb_sdf_read_pose(RbXml *of, RbDiag *diag, Pose *out);

// The text of a child without blanks around it; NULL: there is none.
const char *rb_sdf_text(RbXml *of, const char *child, RbArena *arena);
