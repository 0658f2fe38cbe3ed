// SPDX-License-Identifier: MIT
// soft.h: a scene of soft bodies as a component of a model. Its states are the places of the molecules that move, then
// their velocities, in the order of the scene.
#pragma once

#include "deform/soft_scene.h"
#include "rattleback/component.h"

// Built with an RbSoftScene as its data.
extern const RbComponentType rb_soft_component;

// The bodies of such a component as they were at the start of its run, with the materials that they have now.
const RbSoftScene *rb_soft_component_scene(const void *self);
