// SPDX-License-Identifier: MIT
#include "io/csv.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "io/csv_meta.h"
#include "io/sink.h"

// ---- writing

static void write_name(RbSink *sink, const char *name) {
    rb_sink_write(sink, "\"", 1);
    for (const char *c = name; *c; c++) {
        if (*c == '"') rb_sink_write(sink, "\"", 1);
        rb_sink_write(sink, c, 1);
    }
    rb_sink_write(sink, "\"", 1);
}

static void write_row(RbSink *sink, const double *row, const RbResultSlot *slots, int count) {
    rb_sink_used(sink, (size_t)rb_number_print(row[0], rb_sink_room(sink, RB_NUMBER_SIZE)));
    for (int i = 0; i < count; i++) {
        double value = rb_result_value(slots[i], row);
        char *to = rb_sink_room(sink, RB_NUMBER_SIZE + 1);
        *to = ',';
        rb_sink_used(sink, 1);
        if (!isnan(value)) rb_sink_used(sink, (size_t)rb_number_print(value, to + 1));
    }
    rb_sink_write(sink, "\n", 1);
}

static RbStatus write_rows(RbSink *sink, const RbResult *result, const int *columns, int count,
                           RbResultSlot *slots, RbDiag *diag) {
    RbResultCursor cursor = rb_result_cursor(result);
    int segment = -1;
    for (;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) return RB_OK;
        for (int i = 0; run.segment != segment && i < count; i++) {
            slots[i] = rb_result_slot(result, run.segment, columns[i]);
        }
        segment = run.segment;
        for (size_t i = 0; i < run.count; i++) {
            write_row(sink, run.rows + i * (size_t)run.width, slots, count);
        }
    }
}

RbStatus rb_csv_write(const char *path, const RbResult *result, RbCsvOptions options,
                      RbArena scratch, RbDiag *diag) {
    int *columns = rb_new_array(&scratch, int, result->variables.count);
    int count = 0;
    for (int i = 0; i < result->variables.count; i++) {
        if (!result->variables.data[i].parameter || options.parameters) columns[count++] = i;
    }
    RbResultSlot *slots = rb_new_array(&scratch, RbResultSlot, count);
    RbSink sink;
    RB_TRY(rb_sink_open(path, &scratch, diag, &sink));
    write_name(&sink, "time");
    for (int i = 0; i < count; i++) {
        rb_sink_write(&sink, ",", 1);
        write_name(&sink, result->variables.data[columns[i]].name);
    }
    rb_sink_write(&sink, "\n", 1);
    RB_TRY(rb_sink_close(&sink, write_rows(&sink, result, columns, count, slots, diag), diag));
    return rb_csv_meta_write(path, result, columns, count, scratch, diag);
}

// ---- reading

typedef struct Reader {
    const char *name;
    const char *p, *end;
    const char *line_start;
    int line;
    char separator;
    RbArena *arena;
    RbArena scratch;
    RbDiag *diag;
    RbResult *result;
} Reader;

static RbPos place(const Reader *r, const char *p) {
    return (RbPos){.file = r->name, .line = r->line, .column = (int)(p - r->line_start) + 1};
}

static bool at_line_end(const Reader *r) {
    return r->p == r->end || *r->p == '\n' || *r->p == '\r';
}

static void next_line(Reader *r) {
    if (r->p < r->end && *r->p == '\r') r->p++;
    if (r->p < r->end && *r->p == '\n') r->p++;
    r->line++;
    r->line_start = r->p;
}

// A name in quotes; two quotes within stand for one.
static RbStatus read_quoted(Reader *r, RbText *name) {
    const char *start = r->p++;
    for (;; r->p++) {
        if (r->p == r->end) {
            return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "the closing quote is missing");
        }
        if (*r->p == '"') {
            if (r->p + 1 == r->end || r->p[1] != '"') break;
            r->p++;
        }
        rb_text_add_bytes(name, r->p, 1);
    }
    r->p++;
    return RB_OK;
}

static bool at_separator(const Reader *r) {
    if (r->separator) return *r->p == r->separator;
    return *r->p == ',' || *r->p == ';' || *r->p == '\t';
}

static RbStatus read_name(Reader *r, RbText *name) {
    const char *start = r->p;
    if (r->p < r->end && *r->p == '"') {
        RB_TRY(read_quoted(r, name));
    } else {
        while (!at_line_end(r) && !at_separator(r)) rb_text_add_bytes(name, r->p++, 1);
    }
    if (!at_line_end(r) && !at_separator(r)) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, r->p), "expected a comma after a name");
    }
    if (name->count == 0) return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "a name is empty");
    if (strlen(name->data) != (size_t)name->count) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "a name contains a zero byte");
    }
    return RB_OK;
}

// The column of the time; the separator is what follows it.
static RbStatus read_time_name(Reader *r) {
    RbText name = rb_text(&r->scratch);
    if (r->p == r->end) return rb_fail(r->diag, RB_ERROR_IO, place(r, r->p), "the file is empty");
    RB_TRY(read_name(r, &name));
    if (strcmp(name.data, "time") != 0 && strcmp(name.data, "Time") != 0) { // tools write both
        return rb_fail(r->diag, RB_ERROR_IO, place(r, r->line_start),
                       "the first column is '%s'; it must be 'time'", name.data);
    }
    r->separator = at_line_end(r) ? ',' : *r->p;
    return RB_OK;
}

static RbStatus read_header(Reader *r) {
    if (r->end - r->p >= 3 && memcmp(r->p, "\xef\xbb\xbf", 3) == 0) r->p += 3; // byte order mark
    RB_TRY(read_time_name(r));
    while (!at_line_end(r)) {
        r->p++;
        const char *start = r->p;
        RbText name = rb_text(&r->scratch);
        RB_TRY(read_name(r, &name));
        int count = r->result->variables.count;
        int index = rb_result_add_variable(r->result, name.data, "", "", false);
        if (index != count || strcmp(name.data, "time") == 0) {
            return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "there are two columns '%s'",
                           name.data);
        }
    }
    next_line(r);
    return RB_OK;
}

// A number, maybe in quotes or between blanks. Nothing is a missing value.
static RbStatus read_number(Reader *r, double *value) {
    const char *start = r->p;
    while (!at_line_end(r) && *r->p != r->separator) r->p++;
    const char *from = start, *to = r->p;
    while (from < to && *from == ' ') from++;
    while (from < to && to[-1] == ' ') to--;
    if (to - from >= 2 && *from == '"' && to[-1] == '"') from++, to--;
    *value = NAN;
    if (from == to || rb_number_parse(from, to, value)) return RB_OK;
    int length = to - from > 40 ? 40 : (int)(to - from);
    return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "'%.*s' is not a number", length, from);
}

static RbStatus read_row(Reader *r, double *row, double last_time) {
    int count = r->result->variables.count;
    const char *start = r->p;
    for (int i = 0; i <= count; i++) {
        RB_TRY(read_number(r, &row[i]));
        if (at_line_end(r) != (i == count)) {
            bool more = i == count;
            return rb_fail(r->diag, RB_ERROR_IO, place(r, r->p),
                           "the line has %s than %d fields, as many as there are names",
                           more ? "more" : "fewer", count + 1);
        }
        if (i < count) r->p++;
    }
    if (!isfinite(row[0])) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "the time is not a finite number");
    }
    if (row[0] < last_time) {
        return rb_fail(r->diag, RB_ERROR_IO, place(r, start), "the time goes back from %g to %g",
                       last_time, row[0]);
    }
    return RB_OK;
}

static void begin_rows(Reader *r) {
    int count = r->result->variables.count;
    RbResultSlot *slots = rb_new_array(r->arena, RbResultSlot, count);
    for (int i = 0; i < count; i++) {
        slots[i] = (RbResultSlot){.variable = i, .column = i + 1, .value = NAN};
    }
    // The rows are counted first, so that they need no more memory than they fill. Every row has
    // its separators.
    size_t lines = 0;
    for (const char *p = r->p; p < r->end; p++) lines += *p == '\n' || *p == '\r';
    size_t most = (size_t)(r->end - r->p) / ((size_t)count + 1) + 1;
    rb_result_add_segment(r->result, slots, count, count + 1, lines + 1 < most ? lines + 1 : most);
}

static RbStatus read_rows(Reader *r) {
    begin_rows(r);
    double *row = rb_new_array(&r->scratch, double, r->result->variables.count + 1);
    double last_time = -INFINITY;
    while (r->p < r->end) {
        if (at_line_end(r)) { // an empty line
            next_line(r);
            continue;
        }
        RB_TRY(read_row(r, row, last_time));
        last_time = row[0];
        rb_result_add_row(r->result, row[0], row + 1);
        next_line(r);
    }
    return RB_OK;
}

RbStatus rb_csv_read_bytes(const char *name, const char *bytes, size_t size, RbArena *arena,
                           RbArena scratch, RbDiag *diag, RbResult **out) {
    *out = NULL;
    Reader r = {
        .name = name,
        .p = bytes,
        .end = bytes + size,
        .line_start = bytes,
        .line = 1,
        .arena = arena,
        .scratch = scratch,
        .diag = diag,
        .result = rb_result_new(arena),
    };
    r.result->file = rb_arena_text(arena, name);
    r.result->ending_unknown = true;
    RB_TRY(read_header(&r));
    RB_TRY(read_rows(&r));
    const RbResultSegment *rows = &r.result->segments.data[0];
    if (rows->row_count > 0) {
        r.result->experiment.start_time = rows->rows[0];
        r.result->experiment.stop_time = rows->rows[(rows->row_count - 1) * (size_t)rows->width];
    }
    rb_result_finish(r.result, r.scratch);
    *out = r.result;
    return RB_OK;
}

RbStatus rb_csv_read(const char *path, RbArena *arena, RbArena scratch, RbDiag *diag,
                     RbResult **out) {
    *out = NULL;
    RbBytes bytes;
    RB_TRY(rb_file_read(path, (size_t)1 << 34, &scratch, diag, &bytes));
    const char *name = rb_arena_text(diag->arena, path);
    RB_TRY(rb_csv_read_bytes(name, (const char *)bytes.data, bytes.size, arena, scratch, diag, out));
    rb_csv_meta_read(path, *out, arena, scratch, diag);
    return RB_OK;
}
