// SPDX-License-Identifier: MIT
// zip.h: a zip archive in memory (APPNOTE 6.3: local headers, deflated contents, central directory).
// No times are stored: same contents, same bytes.
#pragma once

#include "base/diag.h"
#include "base/text.h"
#include "io/bytes.h"

typedef struct RbZip {
    RbText bytes, directory;
    int count;
} RbZip;

RbZip rb_zip(RbArena *arena);

// A file of this name, with '/' between folders. *scratch is a copy: what is pushed there is gone.
RbStatus rb_zip_add(RbZip *zip, const char *name, RbBlob contents, RbArena scratch, RbDiag *diag);

// The archive; nothing can be added any more.
RbBlob rb_zip_done(RbZip *zip);
