// SPDX-License-Identifier: MIT
#include "base/file.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool rb_file_is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

// The standard input, whose length is known only at its end.
static RbStatus read_standard_input(size_t limit, RbArena *arena, RbDiag *diag, RbBytes *out) {
    enum { PIECE = 1 << 16 };
    RbText text = rb_text(arena);
    char piece[PIECE];
    for (;;) {
        ssize_t got = read(STDIN_FILENO, piece, PIECE);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return rb_fail(diag, RB_ERROR_IO, rb_in_file("-"), "cannot read the standard input: %s",
                           strerror(errno));
        if (got == 0) break;
        if ((size_t)got > limit - (size_t)text.count)
            return rb_fail(diag, RB_ERROR_IO, rb_in_file("-"),
                           "the standard input has more than %zu bytes, which is the limit", limit);
        rb_text_add_bytes(&text, piece, (size_t)got);
    }
    *out = (RbBytes){(const unsigned char *)(text.data ? text.data : ""), (size_t)text.count};
    return RB_OK;
}

ssize_t rb_file_read_all(int file, void *bytes, size_t size, size_t *got) {
    for (*got = 0; *got < size;) {
        ssize_t piece = read(file, (char *)bytes + *got, size - *got);
        if (piece < 0 && errno == EINTR) continue;
        if (piece <= 0) return piece;
        *got += (size_t)piece;
    }
    return 0;
}

// The memory is taken before the file is opened, so that nothing is left open when there is none.
RbStatus rb_file_read(const char *path, size_t max_size, RbArena *arena, RbDiag *diag,
                      RbBytes *out) {
    *out = (RbBytes){0};
    RbPos at = rb_in_file(path);
    size_t limit = max_size > 0 ? max_size : (size_t)1 << 31;
    struct stat info;
    if (rb_file_is_standard(path))
        return read_standard_input(limit < INT_MAX / 2 ? limit : INT_MAX / 2, arena, diag, out);
    if (stat(path, &info) != 0) {
        return rb_fail(diag, RB_ERROR_IO, at, "cannot open: %s", strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return rb_fail(diag, RB_ERROR_IO, at, "cannot read: it is a directory");
    }
    if (!S_ISREG(info.st_mode)) {
        return rb_fail(diag, RB_ERROR_IO, at,
                       "cannot read: it is a pipe or a device; use '-' for the standard input");
    }
    size_t size = info.st_size > 0 ? (size_t)info.st_size : 0;
    if (size > limit) {
        return rb_fail(diag, RB_ERROR_IO, at, "the file has %zu bytes; at most %zu can be read",
                       size, limit);
    }
    unsigned char *data = rb_arena_push(arena, size + 1, 1);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return rb_fail(diag, RB_ERROR_IO, at, "cannot open: %s", strerror(errno));
    size_t got = 0;
    ssize_t piece = rb_file_read_all(file, data, size, &got);
    int reason = errno;
    close(file);
    if (piece < 0) return rb_fail(diag, RB_ERROR_IO, at, "cannot read: %s", strerror(reason));
    *out = (RbBytes){data, got};
    return RB_OK;
}

// A link that somebody else has put into a folder like /tmp must not lead our bytes elsewhere. A
// link of our own is followed: nobody else can replace it where this matters.
int rb_file_open_write(const char *path, int flags) {
    flags |= O_CREAT | O_CLOEXEC;
    int file = open(path, flags | O_NOFOLLOW, 0666);
    struct stat info;
    if (file >= 0 || errno != ELOOP) return file;
    if (lstat(path, &info) == 0 && info.st_uid == geteuid()) return open(path, flags, 0666);
    errno = ELOOP;
    return -1;
}

const char *rb_file_reason(int error) {
    return error == ELOOP ? "it is a symbolic link that belongs to somebody else" : strerror(error);
}

// A link to a file that is not there yet is followed as well, which realpath(3) does not do.
const char *rb_file_target(const char *path, RbArena *arena) {
    enum { LONGEST_CHAIN = 40 }; // as in the kernel
    struct stat info;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
        char to[PATH_MAX];
        if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode) || info.st_uid != geteuid())
            return path;
        ssize_t length = readlink(path, to, sizeof to);
        if (length <= 0 || (size_t)length >= sizeof to) return path;
        const char *slash = strrchr(path, '/');
        int folder = slash && to[0] != '/' ? (int)(slash - path) + 1 : 0;
        path = rb_arena_printf(arena, "%.*s%.*s", folder, path, (int)length, to);
    }
    return path;
}

void rb_file_remove(const char *path) {
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISREG(info.st_mode)) unlink(path);
}

int rb_file_open_draft(const char *path) {
    struct stat info;
    if (lstat(path, &info) == 0 && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))) unlink(path);
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

// To what is no regular file: the standard output, a pipe, a device.
static RbStatus write_special(const char *path, const void *bytes, size_t size, RbDiag *diag) {
    int file = rb_file_is_standard(path) ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write_all(file, bytes, size);
    int reason = errno;
    if (file >= 0) close(file);
    return good
               ? RB_OK
               : rb_fail(diag, RB_ERROR_IO, rb_in_file(path), "cannot write: %s", strerror(reason));
}

RbStatus rb_file_write(const char *path, const void *bytes, size_t size, RbDiag *diag) {
    RbPos at = rb_in_file(path);
    struct stat info;
    if (rb_file_is_standard(path) ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return write_special(path, bytes, size, diag);
    path = rb_file_target(path, diag->arena);
    const char *draft = rb_arena_printf(diag->arena, "%s.%d.part", path,
                                        (int)getpid()); // two processes may write at once
    int file = rb_file_open_draft(draft);
    if (file < 0) return rb_fail(diag, RB_ERROR_IO, at, "cannot write: %s", strerror(errno));
    bool good = write_all(file, bytes, size) && fsync(file) == 0;
    good = close(file) == 0 && good;
    if (!good || rename(draft, path) != 0) {
        int reason = errno;
        remove(draft);
        return rb_fail(diag, RB_ERROR_IO, at, "cannot write: %s", strerror(reason));
    }
    return RB_OK;
}

// ---- locks

typedef struct Lock {
    int file;
    const char *path;
    bool is_new; // this run has created the file
} Lock;

static bool same_file(int file, const char *path, struct stat *here) {
    struct stat there;
    return fstat(file, here) == 0 && stat(path, &there) == 0 && here->st_ino == there.st_ino &&
           here->st_dev == there.st_dev;
}

static void unlock(void *what) {
    Lock *lock = what;
    struct stat here;
    if (lock->file < 0) return;
    if (same_file(lock->file, lock->path, &here) && here.st_size == 0 && lock->is_new)
        rb_file_remove(lock->path);
    close(lock->file);
}

RbStatus rb_file_lock(const char *path, RbArena *arena, RbDiag *diag) {
    RbPos at = rb_in_file(path);
    Lock *lock = rb_new(arena, Lock);
    struct stat here;
    *lock = (Lock){-1, rb_arena_text(arena, path), false};
    rb_arena_defer(arena, unlock, lock);
    for (;;) {
        lock->file = rb_file_open_write(path, O_RDWR | O_NONBLOCK | O_EXCL);
        lock->is_new = lock->file >= 0;
        if (lock->file < 0) lock->file = rb_file_open_write(path, O_RDWR | O_NONBLOCK);
        if (lock->file < 0)
            return rb_fail(diag, RB_ERROR_IO, at, "cannot write: %s", rb_file_reason(errno));
        if (fstat(lock->file, &here) == 0 && !S_ISREG(here.st_mode))
            return RB_OK; // a device: several runs may write to it
        if (flock(lock->file, LOCK_EX | LOCK_NB) != 0) {
            int reason = errno;
            close(lock->file);
            lock->file = -1;
            if (reason == ENOLCK || reason == EOPNOTSUPP || reason == EINVAL)
                return RB_OK; // a file system or a device without locks
            return rb_fail(diag, RB_ERROR_IO, at,
                           "another run is writing this file; wait for it, or give this run a file "
                           "of its own ('--output-file', or journal_file in C)");
        }
        if (same_file(lock->file, path, &here)) return RB_OK;
        close(lock->file); // the run before removed it just now
    }
}

bool rb_file_hash(const char *path, uint64_t *hash) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    unsigned char bytes[1 << 14];
    *hash = RB_HASH_START;
    ssize_t end = 0;
    for (size_t n = 1; n > 0 && end == 0;) {
        end = rb_file_read_all(file, bytes, sizeof bytes, &n);
        *hash = rb_hash_bytes(*hash, bytes, n);
    }
    close(file);
    return end == 0;
}
