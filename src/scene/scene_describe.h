// SPDX-License-Identifier: MIT
// scene_describe.h: what a scene consists of, in words and figures: for `rattleback info`.
#pragma once

#include "scene/scene.h"

// One line per object and joint, and the sums.
void rb_scene_describe(const RbScene *scene, RbArena scratch, RbText *out);

// A line for each pair that touches as meshes: which contact it gets.
void rb_scene_describe_solids(const RbScene *scene, RbText *out);
