// SPDX-License-Identifier: MIT
// file.h: whole files in and out, with messages that name the file and the reason.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

typedef struct RbBytes {
    const unsigned char *data; // followed by a 0 that does not count
    size_t size;
} RbBytes;

// Does the path mean the standard input or output ("-")?
bool rb_file_is_standard(const char *path);

// Read a regular file, or the standard input, at most max_size bytes (0: 2 GiB).
RbStatus rb_file_read(const char *path, size_t max_size, RbArena *arena, RbDiag *diag,
                      RbBytes *out);

// Open a file to write to it, with the flags of open(2), unless it is a symbolic link that belongs
// to somebody else. Negative: errno tells why, in words: rb_file_reason.
int rb_file_open_write(const char *path, int flags);
const char *rb_file_reason(int error);

// The file that is to be written for a path: symbolic links are followed if they are our own.
const char *rb_file_target(const char *path, RbArena *arena);

// Remove a regular file; a link, a device, a pipe or a folder of that name stays.
void rb_file_remove(const char *path);

// A new file for what will get its name when it is whole; a file or link that had the name of the
// draft is gone.
int rb_file_open_draft(const char *path);

// Read up to `size` bytes of an open file, fewer only at its end. Negative: errno tells why.
ssize_t rb_file_read_all(int file, void *bytes, size_t size, size_t *got);

// Write a file (or the standard output) so that a reader sees the old one or the new one and never
// half of it.
RbStatus rb_file_write(const char *path, const void *bytes, size_t size, RbDiag *diag);

// Keep other runs away from a file until the arena is freed: the file is made if it does not exist
// (empty, and then removed again if it stays so; an older file is not), and nobody else gets the lock. Goes with the
// process, however it ends.
RbStatus rb_file_lock(const char *path, RbArena *arena, RbDiag *diag);

// Checksum of the contents of a file; false if it cannot be read.
bool rb_file_hash(const char *path, uint64_t *hash);
