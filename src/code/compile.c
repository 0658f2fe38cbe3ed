// SPDX-License-Identifier: MIT
#include "code/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <libtcc.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

// --- libtcc --------------------------------------------------------------------------------------

// What libtcc takes for stdout, stderr and environ (cmake/dependencies.cmake renames them): its
// messages come through a callback, so it never uses them.
extern FILE *const rb_tcc_stdout, *const rb_tcc_stderr;
extern char **const rb_tcc_environ;
FILE *const rb_tcc_stdout = NULL, *const rb_tcc_stderr = NULL;
char **const rb_tcc_environ = NULL;

// All that generated code may call. Passed explicitly, so that it is the same libm that folded the
// constants.
static const struct {
    const char *name;
    const void *function;
} symbols[] = {
    {"sin", sin},         {"cos", cos},   {"tan", tan},       {"asin", asin},
    {"acos", acos},       {"atan", atan}, {"atan2", atan2},   {"sinh", sinh},
    {"cosh", cosh},       {"tanh", tanh}, {"exp", exp},       {"log", log},
    {"log10", log10},     {"sqrt", sqrt}, {"floor", floor},   {"ceil", ceil},
    {"trunc", trunc},     {"pow", pow},   {"memset", memset}, {"memcpy", memcpy},
    {"memmove", memmove},
};

typedef struct Listener {
    char text[512]; // the first message
} Listener;

static void listen(void *user, const char *message) {
    Listener *l = user;
    if (!l->text[0]) snprintf(l->text, sizeof l->text, "%s", message);
}

static void delete_state(void *state) {
    TCCState **s = state;
    if (*s) tcc_delete(*s);
    *s = NULL;
}

static bool translate(TCCState *s, const char *text) {
    tcc_set_options(s, "-nostdlib -nostdinc -w");
    tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
    tcc_define_symbol(s, "RB_OWN_AREAS", "1");
    if (tcc_compile_string(s, text) < 0) return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        tcc_add_symbol(s, symbols[i].name, symbols[i].function);
    return tcc_relocate(s, TCC_RELOCATE_AUTO) >= 0;
}

RbStatus rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                        RbCompiled *compiled) {
    TCCState **owned = rb_new(arena, TCCState *);
    rb_arena_defer(arena, delete_state, owned);
    Listener listener = {{0}};
    TCCState *s = *owned = tcc_new();
    if (!s) return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE, "no memory for the compiler");
    tcc_set_error_func(s, &listener, listen);
    if (!translate(s, source->text.data)) {
        return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                       "the generated code cannot be compiled: %s", listener.text);
    }
    for (int id = 0; id < RB_SECTION_COUNT; id++) {
        char name[64];
        snprintf(name, sizeof name, "rb_%s", rb_section_name((RbSectionId)id));
        void *symbol = tcc_get_symbol(s, name);
        if (!symbol)
            return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                           "the generated code has no function %s", name);
        memcpy(&compiled->sections[id], &symbol, sizeof symbol);
    }
    for (int a = 0; a < RB_AREA_COUNT; a++)
        compiled->areas[a] = tcc_get_symbol(s, rb_area_name((RbArea)a));
    void *table = tcc_get_symbol(s, "rb_constants");
    if (source->constants.count > 0)
        memcpy(table, source->constants.data, (size_t)source->constants.count * sizeof(double));
    return RB_OK;
}

RbStatus rb_compile_text(const char *text, RbArena *arena, RbDiag *diag, RbCompiledText *compiled) {
    TCCState **owned = rb_new(arena, TCCState *);
    rb_arena_defer(arena, delete_state, owned);
    Listener listener = {{0}};
    TCCState *s = *owned = tcc_new();
    if (!s) return rb_fail(diag, RB_ERROR_MEMORY, RB_NOWHERE, "no memory for the compiler");
    tcc_set_error_func(s, &listener, listen);
    if (!translate(s, text))
        return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "the C text cannot be compiled: %s",
                       listener.text);
    compiled->state = s;
    return RB_OK;
}

void *rb_compiled_symbol(const RbCompiledText *compiled, const char *name) {
    return tcc_get_symbol(compiled->state, name);
}

// --- the system's compiler -----------------------------------------------------------------------

// Changing the options changes the names in the cache.
static const char *const options[] = {
    "-O1", "-fPIC", "-shared", "-ffp-contract=off", "-fno-builtin", "-fno-fast-math", "-w"};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static uint64_t hash_of(const RbCSource *source) {
    uint64_t hash = rb_hash_bytes(RB_HASH_START, source->text.data, (size_t)source->text.count);
    for (int i = 0; i < OPTION_COUNT; i++)
        hash = rb_hash_bytes(hash, options[i], strlen(options[i]));
    return hash;
}

const char *rb_cache_directory(RbArena *arena) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0]) return rb_arena_printf(arena, "%s/rattleback", cache);
    return rb_arena_printf(arena, "%s/.cache/rattleback", home && home[0] ? home : "/tmp");
}

RbStatus rb_make_directory(const char *path, RbArena *arena, RbDiag *diag) {
    char *part = rb_arena_text(arena, path);
    for (char *slash = part + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        mkdir(part, 0777);
        *slash = '/';
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                   "cannot make the directory for compiled models: %s", strerror(errno));
}

extern char **environ;

static RbStatus run_compiler(const char *text, const char *object, RbDiag *diag) {
    const char *compiler = getenv("CC") && getenv("CC")[0] ? getenv("CC") : "cc";
    char *arguments[OPTION_COUNT + 6];
    int n = 0, status;
    pid_t child;
    arguments[n++] = (char *)compiler;
    for (int i = 0; i < OPTION_COUNT; i++) arguments[n++] = (char *)options[i];
    arguments[n++] = (char *)"-o";
    arguments[n++] = (char *)object;
    arguments[n++] = (char *)text;
    arguments[n++] = (char *)"-lm";
    arguments[n] = NULL;
    int error = posix_spawnp(&child, compiler, NULL, NULL, arguments, environ);
    if (error)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "the C compiler '%s' cannot be started: %s",
                       compiler, strerror(error));
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "the C compiler was lost: %s",
                           strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(text),
                   "the C compiler '%s' did not succeed on the generated code", compiler);
}

// The finished object appears under its name at once, so that runs at the same time do not disturb
// each other.
static RbStatus build_object(const RbCSource *source, const char *name, RbArena *arena,
                             RbDiag *diag) {
    const char *text = rb_arena_printf(arena, "%s.%d.c", name, (int)getpid());
    const char *object = rb_arena_printf(arena, "%s.%d.o", name, (int)getpid());
    RB_TRY(rb_file_write(text, source->text.data, (size_t)source->text.count, diag));
    RbStatus status = run_compiler(text, object, diag);
    if (status == RB_OK && rename(object, name) != 0) {
        status =
            rb_fail(diag, RB_ERROR_IO, rb_in_file(name), "cannot be written: %s", strerror(errno));
    }
    unlink(text);
    return status;
}

static void close_object(void *handle) {
    dlclose(handle);
}

static RbStatus load(const RbCSource *source, const char *name, RbArena *arena, RbDiag *diag,
                     RbCompiled *compiled) {
    *compiled = (RbCompiled){0};
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(name),
                       "the compiled model cannot be loaded: %s", dlerror());
    rb_arena_defer(arena, close_object, handle);
    for (int id = 0; id < RB_SECTION_COUNT; id++) {
        void *symbol =
            dlsym(handle, rb_arena_printf(arena, "rb_%s", rb_section_name((RbSectionId)id)));
        if (!symbol)
            return rb_fail(diag, RB_ERROR_IO, rb_in_file(name),
                           "the compiled model is damaged; delete the file");
        memcpy(&compiled->sections[id], &symbol, sizeof symbol);
    }
    void *table = dlsym(handle, "rb_constants");
    if (table && source->constants.count > 0) {
        memcpy(table, source->constants.data, (size_t)source->constants.count * sizeof(double));
    }
    return RB_OK;
}

RbStatus rb_compile_optimized(const RbCSource *source, const char *cache, RbArena *arena,
                              RbDiag *diag, RbCompiled *compiled) {
    const char *directory = cache ? cache : rb_cache_directory(arena);
    RB_TRY(rb_make_directory(directory, arena, diag));
    const char *name =
        rb_arena_printf(arena, "%s/%016llx.so", directory, (unsigned long long)hash_of(source));
    if (access(name, R_OK) != 0) RB_TRY(build_object(source, name, arena, diag));
    return load(source, name, arena, diag, compiled);
}
