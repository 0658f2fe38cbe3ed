// SPDX-License-Identifier: MIT
// Writing MAT files: every matrix is laid out so that one point in time is one contiguous column
// ("binTrans"), so rows are written as they come.
#include <math.h>
#include <string.h>

#include "io/bytes.h"
#include "io/place.h"
#include "io/mat4.h"
#include "io/sink.h"

// Types of matrices as the format counts them: 10 * precision + kind.
enum { TYPE_DOUBLE = 0, TYPE_INT32 = 20, TYPE_TEXT = 51 };

enum { HEADER = 20 }; // bytes of a matrix before its name

static const char time_description[] = "Simulation time [s]";

typedef struct Writer {
    RbSink sink;
    const RbResult *result;
    int *place;          // per variable: row of data_1 or data_2, from 1 on; negative: negated
    int parameters;      // rows of data_1, with the time
    int columns;         // rows of data_2, with the time
    int *sources;        // per row of data_2, without the time: the variable
    RbResultSlot *slots; // of the sources, in the segment that is being written
} Writer;

static size_t longest(size_t a, size_t b) {
    return a > b ? a : b;
}

// Give every variable its row. Aliases share the row of what they are an alias of.
static void assign_places(Writer *w, RbArena *scratch) {
    int count = w->result->variables.count;
    w->place = rb_new_array(scratch, int, count);
    w->sources = rb_new_array(scratch, int, count);
    w->parameters = w->columns = 1;
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &w->result->variables.data[i];
        if (v->parameter) {
            w->place[i] = ++w->parameters;
        } else if (v->alias_of >= 0) {
            w->place[i] = v->negated ? -w->place[v->alias_of] : w->place[v->alias_of];
        } else {
            w->sources[w->columns - 1] = i;
            w->place[i] = ++w->columns;
        }
    }
    w->slots = rb_new_array(scratch, RbResultSlot, count);
}

static size_t description_length(const RbResultVariable *v) {
    size_t text = strlen(v->description), unit = strlen(v->unit);
    return text + (unit > 0 ? unit + 2 + (text > 0) : 0);
}

static void measure(const RbResult *result, size_t *name, size_t *description) {
    *name = strlen("time");
    *description = strlen(time_description);
    for (int i = 0; i < result->variables.count; i++) {
        *name = longest(*name, strlen(result->variables.data[i].name));
        *description = longest(*description, description_length(&result->variables.data[i]));
    }
}

static void write_header(Writer *w, const char *name, int type, size_t rows, size_t columns) {
    unsigned char header[HEADER] = {0};
    rb_put_u32(header, (uint32_t)type);
    rb_put_u32(header + 4, (uint32_t)rows);
    rb_put_u32(header + 8, (uint32_t)columns);
    rb_put_u32(header + 16, (uint32_t)strlen(name) + 1);
    rb_sink_write(&w->sink, header, sizeof header);
    rb_sink_write(&w->sink, name, strlen(name) + 1);
}

// Four rows of eleven letters, column by column.
static void write_class(Writer *w) {
    static const char rows[4][12] = {"Atrajectory", "1.1        ", "           ", "binTrans   "};
    write_header(w, "Aclass", TYPE_TEXT, 4, 11);
    for (int column = 0; column < 11; column++) {
        for (int row = 0; row < 4; row++) rb_sink_write(&w->sink, &rows[row][column], 1);
    }
}

static void pad(Writer *w, size_t count) {
    static const char zeros[64] = {0};
    for (; count > sizeof zeros; count -= sizeof zeros)
        rb_sink_write(&w->sink, zeros, sizeof zeros);
    rb_sink_write(&w->sink, zeros, count);
}

static void write_names(Writer *w, size_t length) {
    int count = w->result->variables.count;
    write_header(w, "name", TYPE_TEXT, length, (size_t)count + 1);
    rb_sink_write(&w->sink, "time", 4);
    pad(w, length - 4);
    for (int i = 0; i < count; i++) {
        const char *name = w->result->variables.data[i].name;
        rb_sink_write(&w->sink, name, strlen(name));
        pad(w, length - strlen(name));
    }
}

static void write_descriptions(Writer *w, size_t length) {
    int count = w->result->variables.count;
    write_header(w, "description", TYPE_TEXT, length, (size_t)count + 1);
    rb_sink_write(&w->sink, time_description, strlen(time_description));
    pad(w, length - strlen(time_description));
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &w->result->variables.data[i];
        rb_sink_write(&w->sink, v->description, strlen(v->description));
        if (v->unit[0]) {
            rb_sink_write(&w->sink, " [", v->description[0] ? 2 : 0);
            rb_sink_write(&w->sink, "[", v->description[0] ? 0 : 1);
            rb_sink_write(&w->sink, v->unit, strlen(v->unit));
            rb_sink_write(&w->sink, "]", 1);
        }
        pad(w, length - description_length(v));
    }
}

// Four numbers per name: which table (0: the time), which row of it with the sign, how to
// interpolate (0: linearly), and what holds outside (-1: nothing, 0: the last value).
static void write_info(Writer *w) {
    int count = w->result->variables.count;
    write_header(w, "dataInfo", TYPE_INT32, 4, (size_t)count + 1);
    for (int i = -1; i < count; i++) {
        bool parameter = i >= 0 && w->result->variables.data[i].parameter;
        int info[4] = {0, 1, 0, -1};
        if (i >= 0) {
            info[0] = parameter ? 1 : 2;
            info[1] = w->place[i];
            info[3] = parameter ? 0 : -1;
        }
        unsigned char bytes[16];
        for (int k = 0; k < 4; k++) rb_put_u32(bytes + 4 * k, (uint32_t)info[k]);
        rb_sink_write(&w->sink, bytes, sizeof bytes);
    }
}

static void write_number(Writer *w, double value) {
    rb_put_f64((unsigned char *)rb_sink_room(&w->sink, sizeof value), value);
    rb_sink_used(&w->sink, sizeof value);
}

// Parameters at the start and at the end of the run.
static void write_parameters(Writer *w) {
    const RbResultExperiment *e = &w->result->experiment;
    double times[2] = {isnan(e->start_time) ? 0 : e->start_time,
                       isnan(e->stop_time) ? 0 : e->stop_time};
    write_header(w, "data_1", TYPE_DOUBLE, (size_t)w->parameters, 2);
    for (int k = 0; k < 2; k++) {
        write_number(w, times[k]);
        for (int i = 0; i < w->result->variables.count; i++) {
            const RbResultVariable *v = &w->result->variables.data[i];
            if (v->parameter) write_number(w, v->value);
        }
    }
}

static RbStatus write_rows(Writer *w, RbDiag *diag) {
    write_header(w, "data_2", TYPE_DOUBLE, (size_t)w->columns, w->result->row_count);
    RbResultCursor cursor = rb_result_cursor(w->result);
    int segment = -1;
    for (;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) return RB_OK;
        for (int i = 0; run.segment != segment && i < w->columns - 1; i++) {
            w->slots[i] = rb_result_slot(w->result, run.segment, w->sources[i]);
        }
        segment = run.segment;
        for (size_t i = 0; i < run.count; i++) {
            const double *row = run.rows + i * (size_t)run.width;
            write_number(w, row[0]);
            for (int k = 0; k < w->columns - 1; k++)
                write_number(w, rb_result_value(w->slots[k], row));
        }
    }
}

// The name of the model: a matrix of ours behind those that everybody knows.
static void write_model(Writer *w) {
    const char *model = w->result->experiment.model;
    if (!model || !model[0]) return;
    write_header(w, "model", TYPE_TEXT, strlen(model), 1);
    rb_sink_write(&w->sink, model, strlen(model));
}

// The numbers of rows and columns are 32 bits in the file, and 2 GB is where many readers give up.
static RbStatus check_size(const Writer *w, const char *path, RbDiag *diag) {
    const double gigabyte = 1e9, reader_limit = 2147483647.0; // bytes
    RbPos at = rb_place(diag, path);
    if (w->result->row_count > INT32_MAX) {
        return rb_fail(diag, RB_ERROR_IO, at,
                       "%zu rows are too many for a MAT file of level 4; at most %d fit",
                       w->result->row_count, INT32_MAX);
    }
    double bytes = 8.0 * (double)w->columns * (double)w->result->row_count;
    if (bytes > reader_limit) {
        rb_warn(
            diag, at,
            "the file will have %.1f GB; many programs cannot read MAT files of more than 2 GB: "
            "write fewer variables or a longer output interval",
            bytes / gigabyte);
    }
    return RB_OK;
}

// A run that did not come to its end says so in a matrix of its own, behind what all programs read.
static void write_ending(Writer *w) {
    const RbResult *r = w->result;
    if (r->complete) return;
    const char *reason = r->reason[0] ? r->reason : "not known why";
    write_header(w, "incomplete", TYPE_TEXT, strlen(reason), 1);
    rb_sink_write(&w->sink, reason, strlen(reason));
}

RbStatus rb_mat4_write(const char *path, const RbResult *result, RbArena scratch, RbDiag *diag) {
    Writer w = {.result = result};
    size_t name, description;
    measure(result, &name, &description);
    assign_places(&w, &scratch);
    RB_TRY(check_size(&w, path, diag));
    RB_TRY(rb_sink_open(path, &scratch, diag, &w.sink));
    write_class(&w);
    write_names(&w, name);
    write_descriptions(&w, description);
    write_info(&w);
    write_parameters(&w);
    RbStatus status = write_rows(&w, diag);
    write_model(&w);
    write_ending(&w);
    return rb_sink_close(&w.sink, status, diag);
}
