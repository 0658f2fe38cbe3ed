// SPDX-License-Identifier: MIT
// tags.h: what was made of every tag of a description, for people: one line each with place, tag and verdict, then the counts.
#pragma once

#include "robot/robot.h"

const char *rb_robot_report(const RbRobot *robot, RbArena *arena);
