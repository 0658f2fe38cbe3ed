// SPDX-License-Identifier: MIT
// scene_describe.h: what a scene consists of, in words and figures: for `rattleback info`.
#pragma once

#include "scene/scene.h"

// One line per object and joint, and the sums.
void rb_scene_describe(const RbScene *scene, RbArena scratch, RbText *out);
