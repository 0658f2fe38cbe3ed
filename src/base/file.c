// SPDX-License-Identifier: MIT
#include "base/file.h"

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The memory is taken before the file is opened, so that nothing is left open when there is none.
RbStatus rb_file_read(const char *path, size_t max_size, RbArena *arena, RbDiag *diag,
                      RbBytes *out) {
    *out = (RbBytes){0};
    RbPos at = rb_in_file(path);
    size_t limit = max_size > 0 ? max_size : (size_t)1 << 31;
    struct stat info;
    if (stat(path, &info) != 0) {
        return rb_fail(diag, RB_ERROR_IO, at, "cannot open: %s", strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return rb_fail(diag, RB_ERROR_IO, at, "cannot read: it is a directory");
    }
    size_t size = info.st_size > 0 ? (size_t)info.st_size : 0;
    if (size > limit) {
        return rb_fail(diag, RB_ERROR_IO, at, "the file has %zu bytes; at most %zu can be read",
                       size, limit);
    }
    unsigned char *data = rb_arena_push(arena, size + 1, 1);
    FILE *f = fopen(path, "rb");
    if (!f) return rb_fail(diag, RB_ERROR_IO, at, "cannot open: %s", strerror(errno));
    size_t got = fread(data, 1, size, f);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed) return rb_fail(diag, RB_ERROR_IO, at, "cannot read: %s", strerror(EIO));
    *out = (RbBytes){data, got};
    return RB_OK;
}

RbStatus rb_file_write(const char *path, const void *bytes, size_t size, RbDiag *diag) {
    RbPos at = rb_in_file(path);
    char draft[4096];
    int length = snprintf(draft, sizeof draft, "%s.part", path);
    if (length < 0 || (size_t)length >= sizeof draft) {
        return rb_fail(diag, RB_ERROR_IO, at, "cannot write: the name is too long");
    }
    FILE *f = fopen(draft, "wb");
    if (!f) return rb_fail(diag, RB_ERROR_IO, at, "cannot write: %s", strerror(errno));
    bool good = fwrite(bytes, 1, size, f) == size;
    good = fflush(f) == 0 && fsync(fileno(f)) == 0 && good;
    good = fclose(f) == 0 && good;
    if (!good || rename(draft, path) != 0) {
        int reason = errno;
        remove(draft);
        return rb_fail(diag, RB_ERROR_IO, at, "cannot write: %s", strerror(reason));
    }
    return RB_OK;
}

bool rb_file_hash(const char *path, uint64_t *hash) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    unsigned char bytes[1 << 14];
    *hash = RB_HASH_START;
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        *hash = rb_hash_bytes(*hash, bytes, n);
    bool good = !ferror(file);
    fclose(file);
    return good;
}
