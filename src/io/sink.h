// SPDX-License-Identifier: MIT
// sink.h: a file that is written from front to back in pieces, however large, with a fixed buffer.
//
// "-" is the standard output. A regular file appears under its name only when it is whole; other
// readers see the old one until then. Errors are remembered and reported by rb_sink_close, so that
// writers need not look after every piece.
#pragma once

#include "base/diag.h"

enum { RB_SINK_BUFFER = 64 * 1024 };

typedef struct RbSink {
    const char *path;
    const char
        *draft; // name while it is being written; NULL: it is written in place (a pipe, a device)
    int file;
    int error; // errno of the first failure
    size_t used;
    char *buffer; // RB_SINK_BUFFER bytes
    uint64_t total;
} RbSink;

// Takes all memory it needs from the arena at once.
RbStatus rb_sink_open(const char *path, RbArena *arena, RbDiag *diag, RbSink *sink);

void rb_sink_write(RbSink *sink, const void *bytes, size_t count);

// At least `count` (up to 1000) bytes of room in the buffer; say with rb_sink_used how many were
// put there.
char *rb_sink_room(RbSink *sink, size_t count);
static inline void rb_sink_used(RbSink *sink, size_t count) {
    sink->used += count;
}

// Finish the file, or remove it if `status` (of what wrote it) is not RB_OK. Answers status or an
// error of its own.
RbStatus rb_sink_close(RbSink *sink, RbStatus status, RbDiag *diag);
