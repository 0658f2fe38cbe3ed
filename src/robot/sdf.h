// SPDX-License-Identifier: MIT
// sdf.h: SDFormat, the descriptions of Gazebo: worlds with models, models with links and joints, also nested ones.
#pragma once

#include "robot/robot.h"

// root: <sdf>
RbStatus rb_sdf_read(RbXml *root, RbArena *arena, RbDiag *diag, RbRobot *robot);
