// SPDX-License-Identifier: MIT
// parts.h: a section is written as several functions, its parts: loops (roll.h), and what lies
// between them, a limited number of steps each, since compilers are slow on giant functions. And
// who reads the algebraic variables that the derivatives compute: those that only their own part
// reads need no memory.
#pragma once

#include "code/roll.h"

typedef struct RbCodePart {
    int first, count;       // steps
    const RbRolledRun *run; // NULL: one step after the other
} RbCodePart;

typedef RB_ARRAY(RbCodePart) RbCodeParts;

RbCodeParts rb_parts(const RbSteps *steps, const RbRuns *runs, RbArena *arena);

// Beside steps of the same part, and in loops of the same cell.
enum {
    RB_READ_BY_OTHERS = 1, // other parts, systems, event indicators; other cells than the next one
    RB_READ_BY_NEXT = 2,   // the next cell of the loop
    RB_READ_LAST = 4,      // others read that of the last cell of the loop, and no further one
};

// By step of the derivatives; in loops by step of the first cell, for the steps of all cells.
unsigned char *rb_part_readers(const RbLowered *l, const RbCodeParts *parts, RbArena *arena,
                               RbArena scratch);
