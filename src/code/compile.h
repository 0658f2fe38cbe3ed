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
// there yet. The code lives as long as the arena, and works on the memory of the frame.
RbStatus rb_compile_optimized(const RbCSource *source, const char *cache, RbArena *arena,
                              RbDiag *diag, RbCompiled *compiled);

// Any C text with libtcc. It sees no header and no function but those that it declares itself and
// that are passed to it by pointers.
typedef struct RbCompiledText {
    void *state;
} RbCompiledText;
RbStatus rb_compile_text(const char *text, RbArena *arena, RbDiag *diag, RbCompiledText *compiled);
void *rb_compiled_symbol(const RbCompiledText *compiled, const char *name); // NULL: none

// The folder for compiled code: the one that is wanted, or the user's cache; it exists afterwards.
RbStatus rb_cache_directory(const char *wanted, RbArena *arena, RbDiag *diag, const char **out);
// With all folders above it.
RbStatus rb_make_directory(const char *path, RbArena *arena, RbDiag *diag);

// The same in steps, while something else goes on: the compiler is another process.
typedef struct RbCompileJob {
    const char *object; // the file that is loaded in the end
    const char *text, *unfinished;
    int child;     // process; 0: there is none (any more)
    int life_line; // plus one; a compiler in the background ends when this is closed
    bool background;
} RbCompileJob;

typedef enum RbJobState { RB_JOB_RUNS, RB_JOB_DONE, RB_JOB_FAILED } RbJobState;

// Where the object will be, and the directory for it. Nothing is compiled yet.
RbStatus rb_job_prepare(const RbCSource *source, const char *cache, RbArena *arena, RbDiag *diag,
                        RbCompileJob *job);
bool rb_job_is_cached(const RbCompileJob *job);
// A compiler in the background writes no messages, gives up by itself if it takes minutes, and ends
// with this process, even if that is killed. What killed processes left in the cache is removed.
RbStatus rb_job_start(RbCompileJob *job, const RbCSource *source, bool background, RbDiag *diag);
RbJobState rb_job_poll(RbCompileJob *job, bool wait);
// Ends the compiler if it still runs, and removes what it left.
void rb_job_cancel(RbCompileJob *job);
RbStatus rb_job_load(const RbCompileJob *job, const RbCSource *source, RbArena *arena, RbDiag *diag,
                     RbCompiled *compiled);
