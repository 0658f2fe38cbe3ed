// SPDX-License-Identifier: MIT
// robot.h: descriptions of robots as Modelica packages (docs/guide/robots.md).
//
//     RbRobotOptions options = rb_robot_options_default();
//     const char *report;
//     rb_robot_import(context, "arm.urdf", &options, "Arm.mo", &report);
#pragma once

#include "rattleback/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbRobotOptions {
    const char *package; // name of the package; NULL: from the name of the robot
} RbRobotOptions;

RB_API RbRobotOptions rb_robot_options_default(void);

// Read a description and write it as a Modelica package with the models Robot and Alone. *report, unless it is NULL, lists what was made of every tag; it lives as long as the context.
RB_API RbStatus rb_robot_import(RbContext *context, const char *description,
                                const RbRobotOptions *options, const char *file,
                                const char **report);

#ifdef __cplusplus
}
#endif
