// SPDX-License-Identifier: MIT
// compile.h: C text to functions in memory.
#pragma once

#include "code/emit_c.h"
#include "code/frame.h"

typedef int RbSectionFunction(RbCodeFrame *f);

typedef struct RbCompiled {
    RbSectionFunction *sections[RB_SECTION_COUNT];
    double *areas[RB_AREA_COUNT]; // its own memory, or NULL: it works on that of the frame
} RbCompiled;

// With libtcc, in milliseconds. The code lives as long as the arena, and has its own memory.
RbStatus rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                        RbCompiled *compiled);

// With the system's C compiler and its optimiser, into a shared object in directory `cache` (NULL:
// the user's cache), named after a hash of the text and of the compiler; made only if it is not
// there yet. The code lives as long as the arena.
RbStatus rb_compile_optimized(const RbCSource *source, const char *cache, RbArena *arena,
                              RbDiag *diag, RbCompiled *compiled);
