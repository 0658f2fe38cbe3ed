// SPDX-License-Identifier: MIT
// emit_c.h: lowered equations as C: for libtcc at once, for the system compiler, for FMUs with
// source code, and for dump --stage=c.
#pragma once

#include "code/lower.h"

// Functions int rb_<section>(F *f), answering 0 or 1 + the number of the system that could not be
// solved; and the table of constants rb_constants, which is filled by who loads the code (or is,
// with `standalone`, part of the text).
typedef struct RbCSource {
    RbText text;
    RB_ARRAY(double) constants;
    RB_ARRAY(const RbExpr *) arrays; // array expressions that have a place in the workspace
} RbCSource;

void rb_emit_c(const RbLowered *l, RbArena *arena, RbArena scratch, RbCSource *source);

const char *rb_section_name(RbSectionId section);
