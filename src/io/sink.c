// SPDX-License-Identifier: MIT
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/file.h"
#include "io/place.h"

RbStatus rb_sink_open(const char *path, RbArena *arena, RbDiag *diag, RbSink *sink) {
    struct stat info;
    bool standard = rb_file_is_standard(path);
    bool special = standard || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
    *sink = (RbSink){
        .path = rb_arena_text(arena, special ? path : rb_file_target(path, arena)),
        .buffer = rb_arena_push(arena, RB_SINK_BUFFER, 1),
    };
    if (!special) sink->draft = rb_arena_printf(arena, "%s.part", sink->path);
    if (standard)
        sink->file = dup(STDOUT_FILENO);
    else
        sink->file = special ? open(path, O_WRONLY | O_CLOEXEC) : rb_file_open_draft(sink->draft);
    if (sink->file >= 0) return RB_OK;
    const char *reason = strerror(errno);
    return rb_fail(diag, RB_ERROR_IO, rb_place(diag, sink->path), "cannot write: %s", reason);
}

static void write_out(RbSink *sink, const char *bytes, size_t count) {
    while (count > 0 && !sink->error) {
        ssize_t done = write(sink->file, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            sink->error = errno;
            return;
        }
        bytes += done;
        count -= (size_t)done;
        sink->total += (uint64_t)done;
    }
}

static void flush(RbSink *sink) {
    write_out(sink, sink->buffer, sink->used);
    sink->used = 0;
}

void rb_sink_write(RbSink *sink, const void *bytes, size_t count) {
    if (count > RB_SINK_BUFFER - sink->used) flush(sink);
    if (count > RB_SINK_BUFFER) {
        write_out(sink, bytes, count);
        return;
    }
    if (count > 0) memcpy(sink->buffer + sink->used, bytes, count);
    sink->used += count;
}

char *rb_sink_room(RbSink *sink, size_t count) {
    RB_ASSERT(count <= 1000);
    if (count > RB_SINK_BUFFER - sink->used) flush(sink);
    return sink->buffer + sink->used;
}

RbStatus rb_sink_close(RbSink *sink, RbStatus status, RbDiag *diag) {
    flush(sink);
    if (close(sink->file) != 0 && !sink->error) sink->error = errno;
    if (status == RB_OK && !sink->error && sink->draft && rename(sink->draft, sink->path) != 0) {
        sink->error = errno;
    }
    if (sink->draft && (status != RB_OK || sink->error)) rb_file_remove(sink->draft);
    if (status != RB_OK || !sink->error) return status;
    return rb_fail(diag, RB_ERROR_IO, rb_place(diag, sink->path), "cannot write: %s",
                   strerror(sink->error));
}
