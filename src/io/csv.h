// SPDX-License-Identifier: MIT
// csv.h: results as comma-separated values: one line of names, the first of them `time`, and one
// line per row. An empty field is a missing value. All conventions are in docs/formats.md.
#pragma once

#include "io/result.h"

typedef struct RbCsvOptions {
    bool parameters; // write parameters too, as columns that do not change
} RbCsvOptions;

// Rows may come from memory or from a journal; the writer keeps none of them.
RbStatus rb_csv_write(const char *path, const RbResult *result, RbCsvOptions options,
                      RbArena scratch, RbDiag *diag);

// Reads the whole file (up to 16 GiB) into scratch memory first. Units and descriptions are in a file
// beside it (csv_meta.h), if there is one; aliases are not known.
RbStatus rb_csv_read(const char *path, RbArena *arena, RbArena scratch, RbDiag *diag,
                     RbResult **out);

// The same for bytes in memory; name stands for the file in messages and must live as long as the
// diagnostics.
RbStatus rb_csv_read_bytes(const char *name, const char *bytes, size_t size, RbArena *arena,
                           RbArena scratch, RbDiag *diag, RbResult **out);
