// SPDX-License-Identifier: MIT
// multibody.h: a scene as a component: bodies on joints, force elements and contacts, with its
// energy account.
//
//     rb_model_add_with(model, &rb_multibody, "", scene, diag, NULL);
//
// States are the coordinates of all joints, then their speeds. Bodies that hang on the world by one
// chain of joints are one group of states. Two event indicators watch all contacts; a step is
// inspected so that nothing passes through anything unseen.
#pragma once

#include "multibody/scene.h"
#include "rattleback/component.h"

extern const RbComponentType rb_multibody;
