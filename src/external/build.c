// SPDX-License-Identifier: MIT
#include "external/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "code/compile.h"
#include "external/services.h"

extern char **environ;

// --- finding libraries ---------------------------------------------------------------------------

static const char *existing(const char *path) {
    return access(path, R_OK) == 0 ? path : NULL;
}

static const char *find_in(const char *folder, const char *name, RbArena *arena) {
    static const char *const patterns[] = {"%s/linux64/lib%s.so", "%s/lib%s.so", "%s/%s.so",
                                           "%s/linux64/lib%s.a", "%s/lib%s.a"};
    for (size_t i = 0; folder && i < sizeof patterns / sizeof *patterns; i++) {
        RbText path = rb_text(arena);
        const char *p = patterns[i]; // each has two places for texts
        const char *parts[2] = {folder, name};
        for (int k = 0; *p; p++) {
            if (p[0] == '%' && p[1] == 's')
                rb_text_add(&path, parts[k++]), p++;
            else
                rb_text_add_bytes(&path, p, 1);
        }
        if (existing(path.data)) return path.data;
    }
    return NULL;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// name.c, or all C files in a folder of this name.
static void find_sources(const char *folder, const char *name, RbArena *arena, RbFound *found) {
    const char *single = rb_arena_printf(arena, "%s/%s.c", folder, name);
    if (existing(single)) {
        rb_array_push(&found->sources, arena, single);
        return;
    }
    const char *below = rb_arena_printf(arena, "%s/%s", folder, name);
    DIR *d = opendir(below);
    if (!d) return;
    int first = found->sources.count;
    char names[64][256]; // no memory is taken while the folder is open
    int count = 0;
    for (struct dirent *e = readdir(d); e && count < 64; e = readdir(d)) {
        size_t length = strlen(e->d_name);
        if (length > 2 && strcmp(e->d_name + length - 2, ".c") == 0)
            memcpy(names[count++], e->d_name, length + 1);
    }
    closedir(d);
    for (int i = 0; i < count; i++)
        rb_array_push(&found->sources, arena,
                      (const char *)rb_arena_printf(arena, "%s/%s", below, names[i]));
    if (count > 0)
        qsort(found->sources.data + first, (size_t)count, sizeof *found->sources.data,
              compare_paths);
}

static bool is_known(const RbFound *found, const char *path) {
    for (int i = 0; i < found->sources.count; i++) {
        if (strcmp(found->sources.data[i], path) == 0) return true;
    }
    return false;
}

// The name in the next #include "name" at or after *at, which moves behind it; NULL: there is none.
static const char *next_include(const char **at, const char *end, RbArena *arena) {
    for (const char *p = *at; p < end; p++) {
        const char *line = memchr(p, '\n', (size_t)(end - p)), *stop = line ? line : end;
        while (p < stop && (*p == ' ' || *p == '\t')) p++;
        const char *open = p < stop && *p == '#' ? memchr(p, '"', (size_t)(stop - p)) : NULL;
        const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
        *at = p = stop;
        if (close) return rb_arena_bytes(arena, open + 1, (size_t)(close - open - 1));
    }
    return NULL;
}

// A library may be there as C text only, under the names of its headers: #include "x.h" stands for
// x.c, and for what that includes in turn.
static void find_by_headers(const char *folder, const char *text, size_t length, RbArena *arena,
                            RbFound *found) {
    const char *at = text, *name;
    while ((name = next_include(&at, text + length, arena))) {
        size_t stem = strlen(name);
        if (stem < 3 || strcmp(name + stem - 2, ".h") != 0) continue;
        const char *path = rb_arena_printf(arena, "%s/%.*sc", folder, (int)stem - 1, name);
        RbDiag silent = rb_diag(arena);
        RbBytes bytes;
        if (!existing(path) || is_known(found, path)) continue;
        rb_array_push(&found->sources, arena, path);
        if (rb_file_read(path, 0, arena, &silent, &bytes) == RB_OK)
            find_by_headers(folder, (const char *)bytes.data, bytes.size, arena, found);
    }
}

static bool system_has(const char *name, RbArena *arena, const char **file) {
    *file = rb_arena_printf(arena, "lib%s.so", name);
    void *handle = dlopen(*file, RTLD_LAZY | RTLD_LOCAL);
    if (handle) dlclose(handle);
    return handle != NULL;
}

RbFound rb_find_libraries(const RbFunction *f, RbArena *arena) {
    const RbExternal *e = &f->external;
    RbFound found = {0};
    for (int i = 0; i < e->libraries.count; i++) {
        const char *name = e->libraries.data[i], *path = find_in(e->library_directory, name, arena);
        if (path) {
            size_t length = strlen(path);
            found.has_archives |= strcmp(path + length - 2, ".a") == 0;
            rb_array_push(&found.paths, arena, path);
            continue;
        }
        int before = found.sources.count;
        find_sources(e->source_directory, name, arena, &found);
        if (found.sources.count > before) continue;
        if (system_has(name, arena, &path)) {
            rb_array_push(&found.paths, arena, path);
            continue;
        }
        const char *folders[] = {e->source_directory, e->include_directory};
        for (int k = 0; k < 2 && e->include && found.sources.count == before; k++)
            find_by_headers(folders[k], e->include, strlen(e->include), arena, &found);
        if (found.sources.count == before) rb_array_push(&found.names, arena, name);
    }
    found.report = rb_arena_printf(arena,
                                   "searched as lib%s.so or .a in %s, in linux64 there and in the "
                                   "system's folders, as C text in %s",
                                   e->libraries.count > 0 ? e->libraries.data[0] : "",
                                   e->library_directory, e->source_directory);
    return found;
}

// --- the name in the cache -----------------------------------------------------------------------

typedef struct Hashing {
    uint64_t hash;
    const char *folders[2];
    RbArena *arena;
    int depth;
} Hashing;

static void hash_text(Hashing *h, const char *text, size_t length);

static void hash_file(Hashing *h, const char *path) {
    RbDiag silent = rb_diag(h->arena);
    RbBytes bytes;
    if (rb_file_read(path, 0, h->arena, &silent, &bytes) == RB_OK)
        hash_text(h, (const char *)bytes.data, bytes.size);
}

// The text and what it includes by #include "file", so that an edited file is compiled again.
static void hash_text(Hashing *h, const char *text, size_t length) {
    h->hash = rb_hash_bytes(h->hash, text, length);
    if (h->depth >= 8) return;
    h->depth++;
    const char *end = text + length;
    for (const char *p = text; p && p < end;
         p = memchr(p, '\n', (size_t)(end - p)), p = p ? p + 1 : p) {
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        if (p == end || *p != '#') continue;
        const char *line = memchr(p, '\n', (size_t)(end - p)), *stop = line ? line : end;
        const char *open = memchr(p, '"', (size_t)(stop - p));
        const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
        if (!close) continue;
        const char *name = rb_arena_bytes(h->arena, open + 1, (size_t)(close - open - 1));
        for (int i = 0; i < 2; i++) {
            const char *path =
                name[0] == '/' ? name : rb_arena_printf(h->arena, "%s/%s", h->folders[i], name);
            if (!existing(path)) continue;
            hash_file(h, path);
            break;
        }
    }
    h->depth--;
}

static const char *const options[] = {"-O1", "-fPIC", "-shared", "-ffp-contract=off", "-w"};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static uint64_t hash_of(const RbFunction *f, const char *text, const RbFound *found,
                        RbArena *arena) {
    const RbExternal *e = &f->external;
    Hashing h = {RB_HASH_START, {e->include_directory, e->source_directory}, arena, 0};
    hash_text(&h, text, strlen(text));
    for (int i = 0; i < found->sources.count; i++) hash_file(&h, found->sources.data[i]);
    for (int i = 0; i < found->paths.count; i++) {
        h.hash = rb_hash_bytes(h.hash, found->paths.data[i], strlen(found->paths.data[i]));
        hash_file(&h, found->paths.data[i]);
    }
    for (int i = 0; i < OPTION_COUNT; i++)
        h.hash = rb_hash_bytes(h.hash, options[i], strlen(options[i]));
    return h.hash;
}

// --- compiling -----------------------------------------------------------------------------------

typedef RB_ARRAY(char *) Arguments;

static void add(Arguments *a, RbArena *arena, const char *argument) {
    rb_array_push(a, arena, rb_arena_text(arena, argument));
}

static Arguments command(const RbFunction *f, const RbFound *found, const char *text,
                         const char *object, const char *headers, RbArena *arena) {
    const RbExternal *e = &f->external;
    const char *compiler = getenv("CC") && getenv("CC")[0] ? getenv("CC") : "cc";
    Arguments a = {0};
    add(&a, arena, compiler);
    for (int i = 0; i < OPTION_COUNT; i++) add(&a, arena, options[i]);
    const char *folders[] = {e->include_directory, e->source_directory, headers};
    for (int i = 0; i < 3; i++) add(&a, arena, rb_arena_printf(arena, "-I%s", folders[i]));
    add(&a, arena, "-o");
    add(&a, arena, object);
    add(&a, arena, text);
    for (int i = 0; i < found->sources.count; i++) add(&a, arena, found->sources.data[i]);
    for (int i = 0; i < found->paths.count; i++) {
        const char *path = found->paths.data[i], *slash = strrchr(path, '/');
        // "libm.so" of the system has no folder: the linker knows it
        add(&a, arena, slash ? path : rb_arena_printf(arena, "-l:%s", path));
        if (slash)
            add(&a, arena, rb_arena_printf(arena, "-Wl,-rpath,%.*s", (int)(slash - path), path));
    }
    add(&a, arena, rb_arena_printf(arena, "-L%s", e->library_directory));
    for (int i = 0; i < found->names.count; i++)
        add(&a, arena, rb_arena_printf(arena, "-l%s", found->names.data[i]));
    add(&a, arena, "-lm");
    rb_array_push(&a, arena, (char *)NULL);
    return a;
}

// 0: it succeeded; -1: it could not be started. What it says goes to the file `said`.
static int run(const Arguments *a, const char *said) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_addopen(&actions, 2, said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int error = posix_spawnp(&child, a->data[0], &actions, NULL, a->data, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) return -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// The first line with an error, without the name of our own file.
static const char *first_error(const char *said, RbArena *arena) {
    RbDiag silent = rb_diag(arena);
    RbBytes bytes;
    if (rb_file_read(said, 0, arena, &silent, &bytes) != RB_OK || bytes.size == 0)
        return "it says nothing";
    const char *text = (const char *)bytes.data, *error = strstr(text, "error: ");
    const char *undefined = strstr(text, "undefined reference");
    if (undefined && (!error || undefined < error)) error = undefined;
    if (!error) error = text;
    return rb_arena_bytes(arena, error, strcspn(error, "\n"));
}

static RbStatus write_headers(const char *folder, RbArena *arena, RbDiag *diag) {
    const char *path = rb_arena_printf(arena, "%s/ModelicaUtilities.h", folder);
    RB_TRY(rb_make_directory(folder, arena, diag));
    return existing(path)
               ? RB_OK
               : rb_file_write(path, rb_modelica_utilities, strlen(rb_modelica_utilities), diag);
}

static RbStatus compile(const RbFunction *f, const char *text, const RbFound *found,
                        const char *name, const char *headers, RbArena *arena, RbDiag *diag) {
    const char *source = rb_arena_printf(arena, "%s.%d.c", name, (int)getpid());
    const char *object = rb_arena_printf(arena, "%s.%d.o", name, (int)getpid());
    const char *said = rb_arena_printf(arena, "%s.%d.txt", name, (int)getpid());
    RB_TRY(rb_file_write(source, text, strlen(text), diag));
    Arguments a = command(f, found, source, object, headers, arena);
    int failed = run(&a, said);
    RbStatus status = RB_OK;
    if (failed < 0)
        status = rb_fail(diag, RB_ERROR_IO, f->at,
                         "the C text of the external function '%s' needs a C compiler, but '%s' "
                         "cannot be started; install one or name it in the environment variable CC",
                         f->name, a.data[0]);
    else if (failed > 0)
        status = rb_fail(diag, RB_ERROR_MODEL, f->at,
                         "the C text of the external function '%s' cannot be compiled: %s%s%s%s",
                         f->name, first_error(said, arena),
                         f->external.libraries.count > 0 ? " (the library was " : "",
                         f->external.libraries.count > 0 ? found->report : "",
                         f->external.libraries.count > 0 ? ")" : "");
    else if (rename(object, name) != 0)
        status =
            rb_fail(diag, RB_ERROR_IO, rb_in_file(name), "cannot be written: %s", strerror(errno));
    unlink(source);
    unlink(object);
    unlink(said);
    return status;
}

RbStatus rb_build_object(const RbFunction *f, const char *text, const RbFound *found,
                         RbArena *arena, RbDiag *diag, const char **object) {
    const char *cache;
    RB_TRY(rb_cache_directory(NULL, arena, diag, &cache));
    const char *headers = rb_arena_printf(arena, "%s/include", cache);
    RB_TRY(write_headers(headers, arena, diag));
    RbArena *temporary = rb_arena_child(arena);
    unsigned long long hash = hash_of(f, text, found, temporary);
    rb_arena_free(temporary);
    *object = rb_arena_printf(arena, "%s/external-%016llx.so", cache, hash);
    if (access(*object, R_OK) == 0) return RB_OK;
    return compile(f, text, found, *object, headers, arena, diag);
}
