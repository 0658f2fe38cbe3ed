// SPDX-License-Identifier: MIT
// morton.h: all overlapping pairs of a set of boxes by one sort along the Z-order curve
// (docs/theory/broad-phase.md).
//
// Space is divided into cubic cells, and these into eight, and so on. A box is entered into the one
// to eight cells that it meets on the level where cells are as large as itself. In the order of
// their Morton codes the cells of an octree are nested intervals, so one pass with a stack meets
// exactly the pairs of boxes that share a cell. Everything is made anew at each call: best for many
// boxes of similar size when most of them moved.
#pragma once

#include "base/array.h"
#include "collide/box_tree.h"

typedef struct RbMortonEntry {
    uint64_t key; // Morton code of the lower corner of the cell, then large cells before small ones
    int item;
    int corner; // which of the up to eight cells of the item: bit k is set for the upper one along
                // axis k
} RbMortonEntry;

typedef struct RbMortonBox {
    uint32_t lo[3]; // base cell of the lower corner
    int level;      // cells of 2^level base cells
} RbMortonBox;

// Work space, kept between calls; all zero but the arena at first.
typedef struct RbMorton {
    RbArena *arena;
    RB_ARRAY(RbMortonBox) boxes; // by item
    RB_ARRAY(RbMortonEntry) entries;
    RB_ARRAY(RbMortonEntry) sorted;
    RB_ARRAY(int) open; // stack of entries whose cells contain the current one
} RbMorton;

// The three coordinates interlaced, x lowest. 19 bits each.
uint64_t rb_morton_code(uint32_t x, uint32_t y, uint32_t z);

// Are the boxes similar enough in size for this method? A few large ones do no harm.
bool rb_morton_suits(const int *items, int count, const RbAabb *boxes);

// Every unordered pair of items whose boxes overlap, once. boxes is indexed by item.
void rb_morton_pairs(RbMorton *m, const int *items, int count, const RbAabb *boxes,
                     RbVisitPair *visit, void *user);
