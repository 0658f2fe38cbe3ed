// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ERROR_LIMIT = 100 };

const char *rb_status_name(RbStatus status) {
    switch (status) {
        case RB_OK: return "ok";
        case RB_ERROR_MODEL: return "model";
        case RB_ERROR_USAGE: return "usage";
        case RB_ERROR_INIT: return "initialisation";
        case RB_ERROR_SOLVER: return "solver";
        case RB_ERROR_ASSERTION: return "assertion";
        case RB_ERROR_IO: return "io";
        case RB_ERROR_MEMORY: return "memory";
        case RB_ERROR_INTERNAL: return "internal";
        case RB_INTERRUPTED: return "interrupted";
    }
    return "unknown";
}

RbDiag rb_diag(RbArena *arena) {
    return (RbDiag){.arena = arena, .error_limit = ERROR_LIMIT};
}

void rb_diag_add_source(RbDiag *diag, const char *file, const char *text, size_t length) {
    rb_array_push(&diag->sources, diag->arena, (RbSource){file, text, length, diag->messages.count});
}

// Messages outlive what they speak of: they keep their own copy of the file name.
static const char *keep_file(RbDiag *diag, const char *file) {
    if (!file) return NULL;
    int count = diag->messages.count;
    const char *last = count > 0 ? diag->messages.data[count - 1].at.file : NULL;
    return last && strcmp(last, file) == 0 ? last : rb_arena_text(diag->arena, file);
}

// A later look at the same thing finds the same.
static bool was_said(const RbDiag *diag, RbSeverity severity, RbPos at, const char *text) {
    for (int i = diag->messages.count - 1; i >= 0; i--) {
        const RbMessage *m = &diag->messages.data[i];
        bool same_place = at.file ? m->at.file && strcmp(m->at.file, at.file) == 0 : !m->at.file;
        if (m->severity == severity && m->at.line == at.line && m->at.column == at.column &&
            same_place && strcmp(m->text, text) == 0)
            return true;
    }
    return false;
}

static void add(RbDiag *diag, RbSeverity severity, RbStatus status, RbPos at, const char *format,
                va_list arguments) {
    if (severity == RB_ERROR && diag->error_count++ >= diag->error_limit) return;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = rb_arena_push(diag->arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    if (severity == RB_WARNING && was_said(diag, severity, at, text)) return;
    at.file = keep_file(diag, at.file);
    rb_array_push(&diag->messages, diag->arena, (RbMessage){severity, status, at, text});
}

RbStatus rb_fail(RbDiag *diag, RbStatus status, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diag, RB_ERROR, status, at, format, arguments);
    va_end(arguments);
    return status;
}

void rb_warn(RbDiag *diag, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diag, RB_WARNING, RB_OK, at, format, arguments);
    va_end(arguments);
}

void rb_note(RbDiag *diag, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diag, RB_NOTE, RB_OK, at, format, arguments);
    va_end(arguments);
}

static const char *severity_name(RbSeverity severity) {
    switch (severity) {
        case RB_NOTE: return "note";
        case RB_WARNING: return "warning";
        case RB_ERROR: return "error";
    }
    return "message";
}

// The text that was the newest of the file when the message was added: files are read again after
// an edit.
static const RbSource *find_source(const RbDiag *diag, const RbMessage *m) {
    for (int i = diag->sources.count - 1; i >= 0; i--) {
        const RbSource *source = &diag->sources.data[i];
        if (strcmp(source->file, m->at.file) == 0 && m >= diag->messages.data + source->since)
            return source;
    }
    return NULL;
}

// A byte that continues a UTF-8 character: it takes no column on the screen.
static bool continues(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

// Of a line that a machine has written only the surroundings of the column are shown.
enum { PART_BEFORE = 120, PART_AFTER = 80 };

static size_t part_start(const char *line, size_t column) {
    size_t first = column > PART_BEFORE ? column - PART_BEFORE : 0;
    while (first > 0 && first < column && continues(line[first])) first++;
    return first;
}

static size_t part_end(const char *line, size_t length, size_t column) {
    size_t end = length - column > PART_AFTER ? column + PART_AFTER : length;
    while (end < length && continues(line[end])) end++;
    return end;
}

// The source line of a message and a caret below its column. Tabs are kept so that the caret lines
// up.
static void print_caret(const RbSource *source, RbPos at, RbText *out) {
    const char *line = source->text, *end = source->text + source->length;
    for (int n = 1; n < at.line; n++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline) return;
        line = newline + 1;
    }
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop ? stop : end) - line);
    if (length > 0 && line[length - 1] == '\r') length--;
    size_t column = at.column > 0 ? (size_t)at.column - 1 : 0;
    if (column > length) column = length;
    size_t first = part_start(line, column), end_of_part = part_end(line, length, column);
    const char *dots = first > 0 ? "... " : "";
    rb_text_printf(out, "    %s", dots);
    rb_text_add_bytes(out, line + first, end_of_part - first);
    rb_text_printf(out, "%s\n    %*s", end_of_part < length ? " ..." : "", (int)strlen(dots), "");
    for (size_t i = first; i < column; i++) {
        if (!continues(line[i])) rb_text_add(out, line[i] == '\t' ? "\t" : " ");
    }
    rb_text_add(out, "^\n");
}

void rb_diag_print(const RbDiag *diag, const RbMessage *m, RbText *out) {
    rb_text_add(out, m->at.file ? m->at.file : "rattleback");
    if (m->at.line > 0) rb_text_printf(out, ":%d", m->at.line);
    if (m->at.line > 0 && m->at.column > 0) rb_text_printf(out, ":%d", m->at.column);
    rb_text_printf(out, ": %s: %s", severity_name(m->severity), m->text);
    if (m->severity == RB_ERROR) rb_text_printf(out, " [%s]", rb_status_name(m->status));
    rb_text_add(out, "\n");
    const RbSource *source = m->at.file && m->at.line > 0 ? find_source(diag, m) : NULL;
    if (source && m->at.column > 0) print_caret(source, m->at, out);
}

void rb_diag_print_json(const RbMessage *m, RbText *out) {
    rb_text_printf(out, "{\"severity\":\"%s\"", severity_name(m->severity));
    if (m->severity == RB_ERROR) {
        rb_text_printf(out, ",\"code\":\"%s\"", rb_status_name(m->status));
    }
    if (m->at.file) {
        rb_text_add(out, ",\"file\":\"");
        rb_text_add_json(out, m->at.file);
        rb_text_printf(out, "\",\"line\":%d,\"column\":%d", m->at.line, m->at.column);
    }
    rb_text_add(out, ",\"text\":\"");
    rb_text_add_json(out, m->text);
    rb_text_add(out, "\"}\n");
}
