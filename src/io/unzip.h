// SPDX-License-Identifier: MIT
// unzip.h: files of a zip archive in memory, which anybody may have made: every number of it is checked, and names that lead out of
// the archive (.., an absolute path, a link) are refused.
#pragma once

#include "base/diag.h"
#include "io/bytes.h"

typedef struct RbZipFile {
    const char *name; // with '/' between folders; one that ends with '/' is a folder
    size_t size;      // [bytes] unpacked
    size_t packed, start;
    uint32_t checksum;
    bool deflated;
} RbZipFile;

typedef struct RbUnzip {
    const char *path; // of the archive, for messages
    RbBlob bytes;     // which must live as long
    RbZipFile *files;
    int count;
} RbUnzip;

// The directory of the archive. At most 65 535 files, together at most 4 GiB when unpacked.
RbStatus rb_unzip(const char *path, RbBlob bytes, RbArena *arena, RbDiag *diag, RbUnzip *out);

// NULL: there is no such file.
const RbZipFile *rb_unzip_find(const RbUnzip *zip, const char *name);

// The contents, followed by a 0 that does not count.
RbStatus rb_unzip_read(const RbUnzip *zip, const RbZipFile *file, RbArena *arena, RbDiag *diag,
                       RbBlob *out);
