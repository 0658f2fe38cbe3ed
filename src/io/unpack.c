// SPDX-License-Identifier: MIT
#include "io/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"

struct RbUnpackedFiles {
    RB_ARRAY(const char *) paths; // in the order in which they were made; folders end with '/'
    pid_t owner;                  // a process that was forked later leaves the files alone
};

static void remove_made(void *what) {
    const struct RbUnpackedFiles *files = what;
    if (files->owner != getpid()) return;
    for (int i = files->paths.count - 1; i >= 0; i--) {
        const char *path = files->paths.data[i];
        if (path[strlen(path) - 1] == '/')
            rmdir(path);
        else
            unlink(path);
    }
}

static RbStatus cannot(const RbUnpacked *to, const RbUnzip *zip, const char *path, RbDiag *diag) {
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(zip->path),
                   "'%.200s' cannot be made to unpack the %s: %s", path, to->what, strerror(errno));
}

RbStatus rb_unpacked(const RbUnzip *zip, const char *what, RbArena *arena, RbDiag *diag,
                     RbUnpacked **out) {
    const char *base = getenv("TMPDIR");
    RbUnpacked *to = rb_new(arena, RbUnpacked);
    char *made =
        rb_arena_printf(arena, "%s/rattleback-fmu-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    *to = (RbUnpacked){.what = what, .arena = arena, .made = rb_new(arena, struct RbUnpackedFiles)};
    to->made->owner = getpid();
    rb_arena_defer(arena, remove_made, to->made);
    if (!mkdtemp(made)) return cannot(to, zip, made, diag);
    to->folder = rb_arena_join(arena, made, "/", "");
    rb_array_push(&to->made->paths, arena, to->folder);
    *out = to;
    return RB_OK;
}

RbStatus rb_unpack_folder(RbUnpacked *to, const RbUnzip *zip, const char *name, RbDiag *diag) {
    const char *path = rb_arena_join(to->arena, to->folder, name, "");
    if (mkdir(path, 0700) == 0)
        rb_array_push(&to->made->paths, to->arena, path);
    else if (errno != EEXIST)
        return cannot(to, zip, path, diag);
    return RB_OK;
}

RbStatus rb_unpack(RbUnpacked *to, const RbUnzip *zip, const RbZipFile *file, RbArena *scratch,
                   RbDiag *diag) {
    RbBlob contents;
    // The folders of a file, which are those of the archive: no name leads out of it (unzip.h).
    for (const char *slash = strchr(file->name, '/'); slash; slash = strchr(slash + 1, '/'))
        RB_TRY(rb_unpack_folder(
            to, zip, rb_arena_bytes(to->arena, file->name, (size_t)(slash + 1 - file->name)),
            diag));
    if (rb_text_ends_with(file->name, "/")) return RB_OK;
    RB_TRY(rb_unzip_read(zip, file, scratch, diag, &contents));
    const char *path = rb_arena_join(to->arena, to->folder, file->name, "");
    rb_array_push(&to->made->paths, to->arena, path);
    RB_TRY(rb_file_write(path, contents.bytes, contents.size, diag));
    chmod(path, 0700); // a program in the resources
    rb_arena_reset(scratch);
    return RB_OK;
}
