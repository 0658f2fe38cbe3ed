// SPDX-License-Identifier: MIT
// cloud_parts.h: what the files of a cloud share.
#pragma once

#include "dem/cloud_law.h"

// ---- cloud_list.c

// Order the grains and list the pairs that may touch before somebody has moved by half a skin.
void rb_cloud_make_list(RbCloud *cloud);

// What the pairs of the list remember, by identities; and give up the list.
void rb_cloud_collect_memories(RbCloud *cloud);
void rb_cloud_remember(RbCloud *cloud);

// ---- cloud_step.c

// Make the list and evaluate the forces where everything is, without a step.
void rb_cloud_evaluate(RbCloud *cloud);

// ---- cloud_force.c

// Forces, torques and loads of walls where everything is now, into f1 and t1. start: no time has passed
// since the last evaluation.
void rb_cloud_forces(RbCloud *cloud, bool start);

// A block without contacts. Then contacts of a list, whose grains and place are in the block; and one of a wall, if it
// touches: with everything that the law needs.
void rb_cloud_empty_block(const RbCloud *cloud, bool start, RbGrainBlock *block);
void rb_cloud_gather(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *block);
bool rb_cloud_gather_wall(const RbCloud *cloud, RbWallPair *pair, RbGrainBlock *block);
