// SPDX-License-Identifier: MIT
// emit_c.h: lowered equations as C: for libtcc at once, for the system compiler, for FMUs with
// source code, and for dump --stage=c.
#pragma once

#include "code/roll.h"

// An array expression that generated code has to know the size of.
typedef enum RbWorkKind {
    RB_WORK_STORED, // has a place in the workspace
    RB_WORK_PART,   // x[2:4]: elements side by side in another array
    RB_WORK_SIZE,   // only its size is needed
} RbWorkKind;

typedef struct RbWorkArray {
    const RbExpr *value;
    RbWorkKind kind;
    int base; // PART: of which entry of the table
} RbWorkArray;

// With RB_OWN_AREAS defined the unit has memory of its own for all areas, at fixed addresses, and
// the frame must point to it: one unit per instance then. Otherwise it uses the frame's.
//
// Functions int rb_<section>(F *f), answering 0 or 1 + the number of the system that could not be
// solved; the table of constants at rb_constant_table, which is filled by who loads the code; and,
// with RB_OWN_AREAS, where the areas are: rb_areas, by RbArea.
typedef struct RbCSource {
    RbText text;
    RB_ARRAY(double) constants;
    RB_ARRAY(RbWorkArray) arrays;   // the table of sizes goes on with these
    RB_ARRAY(const RbExpr *) nodes; // operations on arrays that compiled functions hand back to us
    int stack_size;                 // numbers that their arrays may need; 0: there are none
} RbCSource;

void rb_emit_c(const RbLowered *l, const RbRolled *rolled, RbArena *arena, RbArena scratch,
               RbCSource *source);

const char *rb_section_name(RbSectionId section);
const char *rb_area_name(RbArea area);
