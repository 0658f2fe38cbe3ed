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

// Any C text with libtcc. It sees no header and no function but those that it declares itself and
// that are passed to it by pointers.
typedef struct RbCompiledText {
    void *state;
} RbCompiledText;
RbStatus rb_compile_text(const char *text, RbArena *arena, RbDiag *diag, RbCompiledText *compiled);
void *rb_compiled_symbol(const RbCompiledText *compiled, const char *name); // NULL: none

// The user's cache of compiled code, and a folder with all folders above it.
const char *rb_cache_directory(RbArena *arena);
RbStatus rb_make_directory(const char *path, RbArena *arena, RbDiag *diag);
