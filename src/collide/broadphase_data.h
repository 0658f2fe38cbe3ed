// SPDX-License-Identifier: MIT
// broadphase_data.h: the inside of the broad phase, for broadphase.c (objects), broadphase_pairs.c
// and broadphase_query.c only.
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "collide/broadphase.h"
#include "collide/morton.h"

// Who has to hear of a changed object. Each one has its own list, as each one catches up when it is
// asked.
typedef enum Listener { FOR_TREE, FOR_PAIRS, FOR_GAP, LISTENER_COUNT } Listener;

enum {
    CHANGED_FOR_TREE = 1 << FOR_TREE,
    CHANGED_FOR_PAIRS = 1 << FOR_PAIRS,
    CHANGED_FOR_GAP = 1 << FOR_GAP,
    USED = 1 << 3,
    ACTIVE = 1 << 4, // only if USED
};

enum { BRUTE_COUNT = 32 }; // up to so many objects going through all pairs is fastest

typedef struct Object {
    RbPairFilter filter;
    unsigned flags;
    int disabled_count; // switched-off pairs with this object
} Object;

typedef struct Changes {
    int *ids; // each once
    int count;
} Changes;

typedef RB_ARRAY(RbPair) PairArray;

struct RbBroadphase {
    RbArena *arena;
    RbBroadphaseOptions options;

    // All of these have room for `capacity` objects.
    int capacity;
    Object *objects;
    RbAabb *loose;
    int *free_ids;
    int *items;    // work space: the active objects
    int *counters; // work space: one more than capacity
    Changes changes[LISTENER_COUNT];
    RbBoxTree tree;

    int high; // ids ever used are below
    int free_count;
    int used_count;
    int active_count;

    RbMap disabled_pairs;  // key of the pair -> 1: off, 0: on again
    RbMap disabled_groups; // the same for groups
    int disabled_group_count;

    PairArray pairs;
    PairArray found, work; // work space
    uint64_t pairs_version;
    bool pairs_stale; // the list is of no use, not even in part
    RbMorton morton;

    RbBoxGap gap; // of the last call
};

static inline bool is_active(const RbBroadphase *bp, int id) {
    return bp->objects[id].flags & ACTIVE;
}

static inline bool is_changed(const RbBroadphase *bp, int id, Listener listener) {
    return bp->objects[id].flags & (1u << listener);
}

// The active objects in increasing order, in bp->items.
int rb_broadphase_list_active(RbBroadphase *bp);

// Bring the tree up to date if this number of objects is worth one; false: go through all objects
// instead.
bool rb_broadphase_use_tree(RbBroadphase *bp);

// This listener knows of everything now.
void rb_broadphase_heard(RbBroadphase *bp, Listener listener);
