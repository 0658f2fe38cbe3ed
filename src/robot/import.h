// SPDX-License-Identifier: MIT
// import.h: a description of a robot, from its file to a Modelica package.
#pragma once

#include "robot/robot.h"

typedef struct RbRobotText {
    const char *modelica;
    const char *report; // of every tag (tags.h)
} RbRobotText;

// The format is that of the outermost element: <robot> or <mujoco>. The package gets the name of the robot if `package` is NULL.
RbStatus rb_robot_import_text(const char *file, RbBytes bytes, const char *package, RbArena *arena,
                              RbArena scratch, RbDiag *diag, RbRobotText *out);
