// SPDX-License-Identifier: MIT
// file.h: whole files in and out, with messages that name the file and the reason.
#pragma once

#include <stdint.h>

#include "base/diag.h"

typedef struct RbBytes {
    const unsigned char *data; // followed by a 0 that does not count
    size_t size;
} RbBytes;

// Read a file, at most max_size bytes (0: 2 GiB).
RbStatus rb_file_read(const char *path, size_t max_size, RbArena *arena, RbDiag *diag,
                      RbBytes *out);

// Write a file so that a reader sees the old one or the new one and never half of it.
RbStatus rb_file_write(const char *path, const void *bytes, size_t size, RbDiag *diag);

// Checksum of the contents of a file; false if it cannot be read.
bool rb_file_hash(const char *path, uint64_t *hash);
