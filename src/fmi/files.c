// SPDX-License-Identifier: MIT
#include "fmi/files.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

struct RbFmiFiles {
    const char *folder;
    RB_ARRAY(const char *)
    made;             // paths, in the order in which they were made; folders end with '/'
    void *library[2]; // of the kinds
    pid_t owner;      // a process that was forked later leaves the files alone
};

#if defined(__x86_64__)
static const char *const platforms[2][3] = {{"linux64", "x86_64-linux", NULL},
                                            {"x86_64-linux", NULL}};
#elif defined(__aarch64__)
static const char *const platforms[2][3] = {{"aarch64-linux", "linuxarm64", NULL},
                                            {"aarch64-linux", NULL}};
#else
static const char *const platforms[2][3] = {{NULL}, {NULL}};
#endif

static void remove_made(void *what) {
    const struct RbFmiFiles *files = what;
    if (files->owner != getpid()) return;
    for (int i = files->made.count - 1; i >= 0; i--) {
        const char *path = files->made.data[i];
        if (path[strlen(path) - 1] == '/')
            rmdir(path);
        else
            unlink(path);
    }
}

static void close_libraries(void *what) {
    const struct RbFmiFiles *files = what;
    for (int i = 0; i < 2; i++)
        if (files->library[i]) dlclose(files->library[i]);
}

static RbStatus cannot(const RbFmi *f, const char *path, RbDiag *diag) {
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(f->path),
                   "'%.200s' cannot be made to unpack the FMU: %s", path, strerror(errno));
}

static RbStatus make_folder(RbFmi *f, const char *path, RbDiag *diag) {
    if (mkdir(path, 0700) == 0)
        rb_array_push(&f->files->made, f->arena, path);
    else if (errno != EEXIST)
        return cannot(f, path, diag);
    return RB_OK;
}

// The folders of a file, which are those of the archive: no name leads out of it (unzip.h).
static RbStatus make_folders(RbFmi *f, const char *name, RbDiag *diag) {
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
        RB_TRY(make_folder(
            f, rb_arena_printf(f->arena, "%s%.*s", f->files->folder, (int)(slash + 1 - name), name),
            diag));
    return RB_OK;
}

static RbStatus unpack_file(RbFmi *f, const RbZipFile *file, RbArena *scratch, RbDiag *diag) {
    RbBlob contents;
    RB_TRY(make_folders(f, file->name, diag));
    if (rb_text_ends_with(file->name, "/")) return RB_OK;
    RB_TRY(rb_unzip_read(&f->zip, file, scratch, diag, &contents));
    const char *path = rb_arena_join(f->arena, f->files->folder, file->name, "");
    rb_array_push(&f->files->made, f->arena, path);
    RB_TRY(rb_file_write(path, contents.bytes, contents.size, diag));
    chmod(path, 0700); // a program in the resources
    rb_arena_reset(scratch);
    return RB_OK;
}

static bool is_wanted(const RbFmi *f, const char *name) {
    if (strncmp(name, "resources/", 10) == 0) return true;
    if (strncmp(name, "binaries/", 9) != 0) return false;
    for (const char *const *p = platforms[f->version - 2]; *p; p++)
        if (strncmp(name + 9, *p, strlen(*p)) == 0 && name[9 + strlen(*p)] == '/') return true;
    return false;
}

RbStatus rb_fmi_unpack(RbFmi *f, RbDiag *diag, const char **folder) {
    if (!f->files) {
        const char *base = getenv("TMPDIR");
        struct RbFmiFiles *files = rb_new(f->arena, struct RbFmiFiles);
        char *made = rb_arena_printf(f->arena, "%s/rattleback-fmu-XXXXXX",
                                     base && base[0] == '/' ? base : "/tmp");
        if (!mkdtemp(made)) return cannot(f, made, diag);
        files->owner = getpid();
        files->folder = rb_arena_join(f->arena, made, "/", "");
        rb_array_push(&files->made, f->arena, files->folder);
        f->files = files;
        rb_arena_defer(f->arena, remove_made, files);
        rb_arena_defer(f->arena, close_libraries, files);
        RB_TRY(make_folder(f, rb_arena_join(f->arena, files->folder, "resources/", ""), diag));
        RbArena *scratch = rb_arena_child(f->arena);
        for (int i = 0; i < f->zip.count; i++)
            if (is_wanted(f, f->zip.files[i].name))
                RB_TRY(unpack_file(f, &f->zip.files[i], scratch, diag));
        rb_arena_free(scratch);
    }
    *folder = f->files->folder;
    return RB_OK;
}

const char *rb_fmi_platforms(const RbFmi *f, RbArena *arena) {
    RbText text = rb_text(arena);
    const char *last = "";
    size_t length = 0;
    for (int i = 0; i < f->zip.count; i++) {
        const char *name = f->zip.files[i].name;
        if (strncmp(name, "binaries/", 9) != 0) continue;
        size_t size = strcspn(name + 9, "/");
        if (!name[9 + size] || !name[10 + size] ||
            (size == length && strncmp(last, name + 9, size) == 0))
            continue;
        last = name + 9;
        length = size;
        rb_text_printf(&text, "%s%.*s", text.count > 0 ? ", " : "", (int)length, last);
    }
    return text.count > 0 ? text.data : "none";
}

static const char *library_path(const RbFmi *f, const RbFmiKind *kind) {
    for (const char *const *p = platforms[f->version - 2]; *p; p++) {
        const char *name = rb_arena_printf(f->arena, "binaries/%s/%s.so", *p, kind->identifier);
        if (rb_unzip_find(&f->zip, name))
            return rb_arena_join(f->arena, f->files->folder, name, "");
    }
    return NULL;
}

RbStatus rb_fmi_library(RbFmi *f, const RbFmiKind *kind, RbDiag *diag, void **handle) {
    const char *folder;
    RB_TRY(rb_fmi_unpack(f, diag, &folder));
    int k = kind == &f->cosimulation;
    if (!f->files->library[k]) {
        const char *path = library_path(f, kind), *wanted = platforms[f->version - 2][0];
        if (!path)
            return rb_fail(diag, RB_ERROR_MODEL, rb_in_file(f->path),
                           "the FMU has no binary for this machine (binaries/%s/%s.so); the "
                           "platforms that it has binaries for: %s",
                           wanted ? wanted : "?", kind->identifier,
                           rb_fmi_platforms(f, diag->arena));
        f->files->library[k] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!f->files->library[k])
            return rb_fail(diag, RB_ERROR_MODEL, rb_in_file(f->path),
                           "the binary of the FMU cannot be loaded: %s", dlerror());
    }
    *handle = f->files->library[k];
    return RB_OK;
}
