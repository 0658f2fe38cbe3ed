// SPDX-License-Identifier: MIT
// island_queue.h: items 0, 1, 2, ... in the order of times that change: which island is furthest
// behind, whose event is the first. A binary heap that knows where each item is. Of equal times the
// smaller item comes first, so that the answer does not depend on what happened before.
#pragma once

#include "base/arena.h"

typedef struct RbQueueEntry {
    double time; // [s]
    int item;
} RbQueueEntry;

typedef struct RbQueue {
    RbQueueEntry *heap; // the first one is the earliest
    int count;
    int *place; // per item: where it is in the heap, -1: not there
} RbQueue;

// For items below `capacity`.
RbQueue rb_queue(int capacity, RbArena *arena);

// Put the item in, or move it to another time.
void rb_queue_set(RbQueue *queue, int item, double time);

// Take it out; nothing happens if it is not there.
void rb_queue_remove(RbQueue *queue, int item);
