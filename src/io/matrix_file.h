// SPDX-License-Identifier: MIT
// matrix_file.h: a named matrix of numbers from a file: text that begins with #1, MAT of level 4,
// or comma-separated values (docs/formats.md).
#pragma once

#include "base/diag.h"

typedef struct RbMatrixFile {
    int rows, columns;
    double *data; // row by row
} RbMatrixFile;

typedef struct RbMatrixFileOptions {
    char delimiter;   // of values in a CSV file; 0: comma
    int header_lines; // of a CSV file, to be skipped
} RbMatrixFileOptions;

// The matrix `name` of the file; a CSV file (recognised by its name, *.csv) has only one.
RbStatus rb_matrix_file(const char *path, const char *name, RbMatrixFileOptions options,
                        RbArena *arena, RbArena scratch, RbDiag *diag, RbMatrixFile *out);

// The same for bytes in memory; `path` names them in messages and must live as long as these.
RbStatus rb_matrix_file_bytes(const char *path, const void *bytes, size_t size, const char *name,
                              RbMatrixFileOptions options, RbArena *arena, RbDiag *diag,
                              RbMatrixFile *out);
