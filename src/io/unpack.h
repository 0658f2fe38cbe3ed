// SPDX-License-Identifier: MIT
// unpack.h: files of an archive in a folder of their own in TMPDIR. Only what was made there is removed, when the arena is freed.
#pragma once

#include "io/unzip.h"

typedef struct RbUnpacked {
    const char *folder; // ends with '/'
    const char *what;   // "FMU", for messages
    RbArena *arena;
    struct RbUnpackedFiles *made;
} RbUnpacked;

RbStatus rb_unpacked(const RbUnzip *zip, const char *what, RbArena *arena, RbDiag *diag,
                     RbUnpacked **out);

// A folder, whose name ends with '/', or a file with the folders that it is in.
RbStatus rb_unpack(RbUnpacked *to, const RbUnzip *zip, const RbZipFile *file, RbArena *scratch,
                   RbDiag *diag);
RbStatus rb_unpack_folder(RbUnpacked *to, const RbUnzip *zip, const char *name, RbDiag *diag);
