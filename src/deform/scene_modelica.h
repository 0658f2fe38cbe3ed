// SPDX-License-Identifier: MIT
// scene_modelica.h: a scene of soft bodies as a Modelica model: each object a Parts.SoftBody with its molecules one by one (docs/guide/soft.md).
#pragma once

#include "deform/soft_scene.h"

// The text of a model of this name. Refused with the place of what Modelica has no words for: several radii, frictions or velocities in one object.
RbStatus rb_scene_modelica_write(const RbSoftScene *scene, const char *name, RbArena *arena,
                                 RbDiag *diag, const char **out);

// A name in Modelica, in quotes if it is no identifier; and back.
const char *rb_modelica_name(const char *name, RbArena *arena);
const char *rb_plain_name(const char *name, RbArena *arena);
