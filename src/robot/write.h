// SPDX-License-Identifier: MIT
// write.h: a robot as a Modelica package: the model Robot for models of the user's own, and Alone, the robot in a world.
#pragma once

#include "robot/robot.h"

// The text of a package of this name. There is at least one body.
const char *rb_robot_write(const RbRobot *robot, const char *package, RbArena *arena);
