// SPDX-License-Identifier: MIT
// cloud_parts.h: what the files of a cloud share.
#pragma once

#include "dem/cloud.h"

// ---- cloud_list.c

// Order the grains and list the pairs that may touch before somebody has moved by half a skin.
void rb_cloud_make_list(RbCloud *cloud);

// What the pairs of the list remember, by identities; and give up the list.
void rb_cloud_collect_memories(RbCloud *cloud);
void rb_cloud_remember(RbCloud *cloud);

// ---- cloud_force.c

// Forces, torques and loads of walls where everything is now, into f1 and t1. start: no time has passed
// since the last evaluation.
void rb_cloud_forces(RbCloud *cloud, bool start);
