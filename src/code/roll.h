// SPDX-License-Identifier: MIT
// roll.h: repeated equations as loops. A model with thousands of equal cells has steps that are the
// same but for the places of their operands. Written one after the other they leave the caches of
// the processor; as a loop over cells they are small (docs/theory/dae.md, section 10).
//
// A run is a stretch of steps that consists of equal cells:
//
//     w[6] = x[2] - x[0];   dx[3] = w[6] / p[4];      first cell
//     w[11] = x[4] - x[2];  dx[5] = w[11] / p[7];     second cell: places 5, 2, 2, 2, 2, 5, 3
//     further
//
// Every place of cell k is that of the first cell plus k times a stride of its own. Steps are not
// reordered, so a loop over the cells does what the steps do, also if a cell uses the one before.
#pragma once

#include "code/lower.h"

typedef struct RbRolledRun {
    int first, period, count; // step that begins it, steps per cell, cells
    int turn;      // cells per turn of the loop with libtcc (write_loop.c); divides count
    RbMap strides; // place in the first cell (rb_place_key) -> stride
} RbRolledRun;

typedef RB_ARRAY(RbRolledRun) RbRuns;

typedef struct RbSystemRuns {
    RbRuns values, matrix; // of RbCodeSystem
} RbSystemRuns;

// Runs do not overlap, and ascend.
typedef struct RbRolled {
    RbRuns sections[RB_SECTION_COUNT];
    RbSystemRuns *systems;
} RbRolled;

// Nodes of expressions per turn of a loop. Two turns of straight code fit into the first cache and
// are faster than a loop.
enum { RB_ROLL_NEVER = -1, RB_ROLL_TURN = 1500 };

// All runs of at least two turns of up to `nodes` nodes; 0: RB_ROLL_TURN. Cells that do not fill a
// turn stay outside.
void rb_roll(const RbLowered *l, int nodes, RbArena *arena, RbArena scratch, RbRolled *rolled);

uint64_t rb_place_key(RbCodePlace place);
int rb_run_stride(const RbRolledRun *run, RbCodePlace place); // of a place of the first cell

// A cell reads one place, and a step of it writes another (both of the first cell). True if what is
// read was written by that step `age` cells before, in all cells.
bool rb_run_age(const RbRolledRun *run, RbCodePlace read, RbCodePlace written, int *age);
