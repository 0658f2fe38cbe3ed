// SPDX-License-Identifier: MIT
// source.h: the text of one Modelica file, checked to be UTF-8 (Modelica specification, 2.1
// and 13.4).
#pragma once

#include "base/file.h"
#include "base/intern.h"

typedef struct RbModelicaSource {
    const char *file; // as messages show it
    const char *text; // followed by a 0 that does not count; without byte order mark
    size_t length;
} RbModelicaSource;

// Check a text that is already in memory. It must live as long as the diagnostics that speak about
// it.
RbStatus rb_source_from_text(const char *file, const char *text, size_t length, RbDiag *diag,
                             RbModelicaSource *out);

// Read and check a file.
RbStatus rb_source_read(const char *path, RbArena *keep, RbDiag *diag, RbModelicaSource *out);

// Length of the UTF-8 sequence at text, 0 if the bytes are none (also for overlong forms and
// surrogates).
int rb_utf8_length(const unsigned char *text, size_t available);
