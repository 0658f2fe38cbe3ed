// SPDX-License-Identifier: MIT
#include "code/compile.h"

#include "expr/builtins.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libtcc.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "code/leftovers.h"
#include "code/tcc_memory.h"

// --- libtcc --------------------------------------------------------------------------------------

// What libtcc takes for stdout, stderr and environ (cmake/dependencies.cmake renames them): its
// messages come through a callback, so it never uses them.
#pragma GCC visibility push(hidden) // inside, wherever else names can be seen: libtcc is not made for shared libraries
extern FILE *const rb_tcc_stdout, *const rb_tcc_stderr;
extern char **const rb_tcc_environ;
FILE *const rb_tcc_stdout = NULL, *const rb_tcc_stderr = NULL;
char **const rb_tcc_environ = NULL;
#pragma GCC visibility pop

// All that generated code may call besides the functions of the table of builtins, which are passed
// explicitly as well, so that it is the same libm that folded the constants.
static const struct {
    const char *name;
    const void *function;
} symbols[] = {
    {"trunc", trunc}, {"pow", pow}, {"memset", memset}, {"memcpy", memcpy}, {"memmove", memmove},
};

typedef struct Listener {
    char text[512]; // the first message
} Listener;

static void listen(void *user, const char *message) {
    Listener *l = user;
    if (!l->text[0]) snprintf(l->text, sizeof l->text, "%s", message);
}

// A compiler and the memory it lives in.
typedef struct OwnedTcc {
    TCCState *state;
    RbTccMemory memory;
} OwnedTcc;

static void delete_state(void *what) {
    OwnedTcc *owned = what;
    if (owned->state) tcc_delete(owned->state);
    rb_tcc_release(&owned->memory);
    *owned = (OwnedTcc){0};
}

static bool translate(TCCState *s, const char *text) {
    tcc_set_options(s, "-nostdlib -nostdinc -w");
    tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
    tcc_define_symbol(s, "RB_OWN_AREAS", "1");
    if (tcc_compile_string(s, text) < 0) return false;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        tcc_add_symbol(s, symbols[i].name, symbols[i].function);
    for (int i = 0; i < RB_BUILTIN_COUNT; i++) {
        const RbBuiltinInfo *b = &rb_builtins[i];
        if (!b->in_c || strcmp(b->in_c, b->name) != 0) continue; // rb_abs is part of the text
        tcc_add_symbol(s, b->in_c, b->one ? (const void *)b->one : (const void *)b->two);
    }
    return tcc_relocate(s, TCC_RELOCATE_AUTO) >= 0;
}

// `what` names the text in a message. The code lives as long as the arena.
static RbStatus compile_text(const char *text, const char *what, RbArena *arena, RbDiag *diag,
                             TCCState **out) {
    OwnedTcc *owned = rb_new(arena, OwnedTcc);
    rb_arena_defer(arena, delete_state, owned);
    Listener listener = {{0}};
    if (!rb_tcc_reserve(&owned->memory, strlen(text))) rb_heap_fail(arena->heap);
    rb_tcc_use(&owned->memory);
    TCCState *s = owned->state = tcc_new();
    if (s) tcc_set_error_func(s, &listener, listen);
    bool done = s && translate(s, text);
    rb_tcc_use(NULL);
    if (!s || strstr(listener.text, "memory full")) rb_heap_fail(arena->heap);
    if (!done)
        return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "the %s cannot be compiled: %s", what,
                       listener.text);
    *out = s;
    return RB_OK;
}

static void fill_constants(const RbCSource *source, double *const *table) {
    if (table && source->constants.count > 0)
        memcpy(*table, source->constants.data, (size_t)source->constants.count * sizeof(double));
}

RbStatus rb_compile_now(const RbCSource *source, RbArena *arena, RbDiag *diag,
                        RbCompiled *compiled) {
    TCCState *s;
    RB_TRY(compile_text(source->text.data, "generated code", arena, diag, &s));
    for (int id = 0; id < RB_SECTION_COUNT; id++) {
        char name[64];
        snprintf(name, sizeof name, "rb_%s", rb_section_name((RbSectionId)id));
        void *symbol = tcc_get_symbol(s, name);
        if (!symbol)
            return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                           "the generated code has no function %s", name);
        memcpy(&compiled->sections[id], &symbol, sizeof symbol);
    }
    double *const *areas = tcc_get_symbol(s, "rb_areas");
    if (areas) memcpy(compiled->areas, areas, sizeof compiled->areas);
    fill_constants(source, tcc_get_symbol(s, "rb_constant_table"));
    return RB_OK;
}

RbStatus rb_compile_text(const char *text, RbArena *arena, RbDiag *diag, RbCompiledText *compiled) {
    TCCState *s;
    RB_TRY(compile_text(text, "C text", arena, diag, &s));
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

static const char *compiler(void) {
    const char *name = getenv("CC");
    return name && name[0] ? name : "cc";
}

static uint64_t hash_of(const RbCSource *source) {
    uint64_t hash = rb_hash_bytes(RB_HASH_START, source->text.data, (size_t)source->text.count);
    hash = rb_hash_bytes(hash, compiler(), strlen(compiler()));
    for (int i = 0; i < OPTION_COUNT; i++)
        hash = rb_hash_bytes(hash, options[i], strlen(options[i]));
    return hash;
}

RbStatus rb_make_directory(const char *path, RbArena *arena, RbDiag *diag) {
    char *part = rb_arena_text(arena, path);
    for (char *slash = part + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        mkdir(part, 0777);
        *slash = '/';
    }
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                   "cannot make the directory for compiled models: %s", strerror(errno));
}

// Objects are loaded from here and run: nobody else may put one there.
static RbStatus check_owner(const char *path, RbDiag *diag) {
    struct stat info;
    if (stat(path, &info) != 0)
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(path), "cannot open: %s", strerror(errno));
    if (info.st_uid != geteuid())
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                       "the folder '%s' for compiled models belongs to somebody else, so that "
                       "nothing is loaded from it; set XDG_CACHE_HOME to a folder of your own",
                       path);
    bool others_write = info.st_mode & (S_IWGRP | S_IWOTH);
    if (!others_write || chmod(path, info.st_mode & 07755) == 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                   "others can write to this folder for compiled models: %s", strerror(errno));
}

RbStatus rb_cache_directory(const char *wanted, RbArena *arena, RbDiag *diag, const char **out) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *out = wanted              ? wanted
           : cache && cache[0] ? rb_arena_printf(arena, "%s/rattleback", cache)
           : home && home[0]   ? rb_arena_printf(arena, "%s/.cache/rattleback", home)
                               : NULL;
    if (*out) {
        RB_TRY(rb_make_directory(*out, arena, diag));
        return check_owner(*out, diag);
    }
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                   "there is no place for compiled models: set HOME or XDG_CACHE_HOME");
}

RbStatus rb_job_prepare(const RbCSource *source, const char *cache, RbArena *arena, RbDiag *diag,
                        RbCompileJob *job) {
    const char *directory;
    *job = (RbCompileJob){0};
    RB_TRY(rb_cache_directory(cache, arena, diag, &directory));
    job->object =
        rb_arena_printf(arena, "%s/%016llx.so", directory, (unsigned long long)hash_of(source));
    // names of our own, so that runs at the same time do not disturb each other
    int process = (int)getpid();
    job->text = rb_arena_printf(arena, "%s.%d.%p.c", job->object, process, (void *)job);
    job->unfinished = rb_arena_printf(arena, "%s.%d.%p.o", job->object, process, (void *)job);
    return RB_OK;
}

bool rb_job_is_cached(const RbCompileJob *job) {
    return access(job->object, R_OK) == 0;
}

extern char **environ;

// Of computing, for a compiler in the background. [s]
#define BACKGROUND_SECONDS "120"

// A compiler in the background would outlive a run that is killed, and its helpers outlive it. So it
// is a group of its own with limited seconds of computing, and a shell beside it waits at a pipe that
// only we can write to: when it is closed, with this process at the latest, the files are removed and
// the group ends.
static const char in_background[] =
    "ulimit -t " BACKGROUND_SECONDS "\n"
    "text=$1 unfinished=$2; shift 2\n"
    "(read -r line <&3; rm -f \"$text\" \"$unfinished\"; kill -KILL 0) &\n"
    "\"$@\" 3<&-; status=$?\n"
    "kill -KILL $!; exit $status\n";

static void set_up_background(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                              int life_line) {
    for (int fd = 1; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(actions, fd, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(actions, life_line, 3);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP); // the group has the child's number
}

static int list_arguments(const RbCompileJob *job, bool background, char **arguments) {
    int n = 0;
    if (background) {
        arguments[n++] = (char *)"sh";
        arguments[n++] = (char *)"-c";
        arguments[n++] = (char *)in_background;
        arguments[n++] = (char *)"sh";
        arguments[n++] = (char *)job->text;
        arguments[n++] = (char *)job->unfinished;
    }
    arguments[n++] = (char *)compiler();
    for (int i = 0; i < OPTION_COUNT; i++) arguments[n++] = (char *)options[i];
    arguments[n++] = (char *)"-o";
    arguments[n++] = (char *)job->unfinished;
    arguments[n++] = (char *)job->text;
    arguments[n++] = (char *)"-lm";
    arguments[n] = NULL;
    return n;
}

static int spawn(RbCompileJob *job, bool background) {
    char *arguments[OPTION_COUNT + 12];
    int ends[2] = {-1, -1};
    list_arguments(job, background, arguments);
    if (background && pipe2(ends, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (background) set_up_background(&actions, &attributes, ends[0]);
    pid_t child = 0;
    int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (background) close(ends[0]);
    if (background && error != 0) close(ends[1]);
    job->child = error == 0 ? (int)child : 0;
    job->life_line = error == 0 && background ? ends[1] + 1 : 0;
    return error;
}

// The process has ended.
static void forget_child(RbCompileJob *job) {
    job->child = 0;
    if (job->life_line > 0) close(job->life_line - 1);
    job->life_line = 0;
}

RbStatus rb_job_start(RbCompileJob *job, const RbCSource *source, bool background, RbDiag *diag) {
    RB_TRY(rb_file_write(job->text, source->text.data, (size_t)source->text.count, diag));
    job->background = background;
    if (background) rb_remove_leftovers(job->object);
    int error = spawn(job, background);
    if (error == 0) return RB_OK;
    unlink(job->text);
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "the C compiler '%s' cannot be started: %s",
                   compiler(), strerror(error));
}

// The finished object appears under its name at once.
RbJobState rb_job_poll(RbCompileJob *job, bool wait) {
    int status = 0;
    if (job->child == 0) return rb_job_is_cached(job) ? RB_JOB_DONE : RB_JOB_FAILED;
    pid_t ended;
    while ((ended = waitpid(job->child, &status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR) {
    }
    if (ended == 0) return RB_JOB_RUNS;
    forget_child(job);
    bool good = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                rename(job->unfinished, job->object) == 0;
    unlink(job->text);
    if (!good) unlink(job->unfinished);
    return good ? RB_JOB_DONE : RB_JOB_FAILED;
}

void rb_job_cancel(RbCompileJob *job) {
    if (job->child == 0) return;
    kill(job->background ? -job->child : job->child, job->background ? SIGKILL : SIGTERM);
    while (waitpid(job->child, NULL, 0) < 0 && errno == EINTR) {
    }
    forget_child(job);
    unlink(job->text);
    unlink(job->unfinished);
}

static void close_object(void *handle) {
    dlclose(handle);
}

RbStatus rb_job_load(const RbCompileJob *job, const RbCSource *source, RbArena *arena, RbDiag *diag,
                     RbCompiled *compiled) {
    const char *name = job->object;
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
    fill_constants(source, dlsym(handle, "rb_constant_table"));
    return RB_OK;
}

RbStatus rb_compile_optimized(const RbCSource *source, const char *cache, RbArena *arena,
                              RbDiag *diag, RbCompiled *compiled) {
    RbCompileJob job;
    RB_TRY(rb_job_prepare(source, cache, arena, diag, &job));
    if (!rb_job_is_cached(&job)) {
        RB_TRY(rb_job_start(&job, source, false, diag));
        if (rb_job_poll(&job, true) != RB_JOB_DONE)
            return rb_fail(diag, RB_ERROR_IO, rb_in_file(job.object),
                           "the C compiler '%s' did not succeed on the generated code", compiler());
    }
    return rb_job_load(&job, source, arena, diag, compiled);
}
