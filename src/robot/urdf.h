// SPDX-License-Identifier: MIT
// urdf.h: robots in the Unified Robot Description Format.
#pragma once

#include "robot/robot.h"

// From the element <robot>. Refused with the place: links without a name or with that of another, joints without parent or child, loops, several roots.
RbStatus rb_urdf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot);
