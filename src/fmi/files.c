// SPDX-License-Identifier: MIT
#include "fmi/files.h"

#include <dlfcn.h>
#include <string.h>

#include "io/unpack.h"

struct RbFmiFiles {
    RbUnpacked *unpacked;
    void *library[2]; // of the kinds
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

static void close_libraries(void *what) {
    const struct RbFmiFiles *files = what;
    for (int i = 0; i < 2; i++)
        if (files->library[i]) dlclose(files->library[i]);
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
        struct RbFmiFiles *files = rb_new(f->arena, struct RbFmiFiles);
        RB_TRY(rb_unpacked(&f->zip, "FMU", f->arena, diag, &files->unpacked));
        f->files = files;
        rb_arena_defer(f->arena, close_libraries, files);
        RB_TRY(rb_unpack_folder(files->unpacked, &f->zip, "resources/", diag));
        RbArena *scratch = rb_arena_child(f->arena);
        for (int i = 0; i < f->zip.count; i++)
            if (is_wanted(f, f->zip.files[i].name))
                RB_TRY(rb_unpack(files->unpacked, &f->zip, &f->zip.files[i], scratch, diag));
        rb_arena_free(scratch);
    }
    *folder = f->files->unpacked->folder;
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
            return rb_arena_join(f->arena, f->files->unpacked->folder, name, "");
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
