// SPDX-License-Identifier: MIT
// api_scene.h: what the files behind include/rattleback/scene.h share.
#pragma once

#include "api_context.h"
#include "multibody/multibody.h"

struct RbSceneBuilder {
    RbContext *context;
    RbScene *scene;
    const char *name;
};

// Arguments and answer of one call, which runs where running out of memory is caught.
typedef struct RbSceneCall {
    RbContext *context;
    RbSceneBuilder *builder;
    const char *text;
    const void *spec; // what the user passed
    RbSceneObject object;
    int a, b; // objects
    int number;
    RbModel *model;
} RbSceneCall;

static inline RbStatus rb_scene_call(RbSceneCall *call, RbStatus (*body)(void *)) {
    return rb_context_call(call->context, body, call);
}

// A message if the scene has no such object.
RbStatus rb_scene_call_check(const RbSceneCall *call, int object);
