// SPDX-License-Identifier: MIT
// api_scene.h: what the files behind include/rattleback/scene.h share.
#pragma once

#include "api/api_context.h"
#include "multibody/multibody.h"

struct RbSceneBuilder {
    RbContext *context;
    RbScene *scene;
    const char *name;
    Quat up; // turns z to what is up
    bool finished;
    const struct RbSceneCase *example; // NULL: it is none of those that are built in
};

// A message if the scene has no such object.
RbStatus rb_scene_check_object(const RbSceneBuilder *builder, int object);

// Can something be added? Otherwise RB_ERROR_USAGE with a message that names the function.
RbStatus rb_scene_open_check(RbSceneBuilder *builder, const char *function);

#define RB_NEED_SCENE(builder)                                                                     \
    do {                                                                                           \
        RbStatus open_ = rb_scene_open_check(builder, __func__);                                   \
        if (open_ != RB_OK) return open_;                                                          \
    } while (0)

// What a user sees of a motion.
void rb_object_motion(const RbFrameMotion *motion, RbObjectMotion *out);
