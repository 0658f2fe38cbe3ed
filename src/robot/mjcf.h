// SPDX-License-Identifier: MIT
// mjcf.h: robots in the format of MuJoCo.
#pragma once

#include "robot/robot.h"

// From the element <mujoco>: one file, coordinates of the bodies they are in. Refused with the place: included files, names that nothing has, classes of defaults that do not exist.
RbStatus rb_mjcf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot);
