// SPDX-License-Identifier: MIT
#include "translate/input_file.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "io/result_file.h"
#include "modelica/unit.h"

// A signal on its own grid: discrete ones keep only the rows at which they change.
typedef struct Signal {
    int slot; // of the input
    RbTimeTable *table;
} Signal;

struct RbInputFile {
    const char *path;
    Signal *signals;
    int count;
    double first, last; // [s] of the file
    double next;        // [s] the next jump
};

typedef struct Reader {
    const RbProgram *program;
    const char *path;
    const RbResult *result;
    const double *times;
    int rows;
    RbArena *arena, *scratch;
    RbDiag *diag;
} Reader;

// --- reading -------------------------------------------------------------------------------------

static RbStatus no_column(const Reader *r, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 0; i < r->result->variables.count; i++)
        rb_text_try_near(&near, r->result->variables.data[i].name);
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                   "there is no column '%s' for the input of that name; the file has %d columns "
                   "besides the time%s",
                   name, r->result->variables.count, rb_text_near_question(&near, "", r->scratch));
}

// Factor from the unit of the file to that of the model.
static RbStatus unit_factor(const Reader *r, const RbFlatVar *v, const char *unit, double *factor) {
    RbUnit from, to;
    *factor = 1;
    if (!unit || !unit[0] || !v->attributes.unit || !v->attributes.unit[0]) return RB_OK;
    if (!rb_unit_parse(unit, &from) || !rb_unit_parse(v->attributes.unit, &to)) return RB_OK;
    if (memcmp(from.exponent, to.exponent, sizeof from.exponent) != 0)
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                       "the column '%s' is in '%s', but the input is in '%s'", v->name, unit,
                       v->attributes.unit);
    *factor = from.factor / to.factor;
    return RB_OK;
}

static RbStatus check_values(const Reader *r, const RbFlatVar *v, const double *values) {
    for (int i = 0; i < r->rows; i++) {
        bool fits = v->type == RB_REAL      ? isfinite(values[i])
                    : v->type == RB_BOOLEAN ? values[i] == 0 || values[i] == 1
                                            : values[i] == rint(values[i]);
        if (fits) continue;
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                       "the column '%s' has the value %g at %g s, which is not %s", v->name,
                       values[i], r->times[i],
                       v->type == RB_REAL      ? "a finite number"
                       : v->type == RB_BOOLEAN ? "0 or 1, as the Boolean input needs"
                                               : "a whole number, as the input needs");
    }
    return RB_OK;
}

// Rows of (time, value): all of them, or those where the value changes.
static RbMatrix make_table(const Reader *r, const double *values, double factor, bool holds) {
    double *table = rb_new_array(r->scratch, double, 2 * r->rows + 2);
    int rows = 0;
    for (int i = 0; i < r->rows; i++) {
        bool same_time = rows > 0 && table[2 * rows - 2] == r->times[i];
        if (holds && same_time) rows--; // the last one counts
        if (holds && rows > 0 && table[2 * rows - 1] == values[i]) continue;
        table[2 * rows] = r->times[i];
        table[2 * rows++ + 1] = factor * values[i];
    }
    return (RbMatrix){rows, 2, table};
}

static RbStatus read_signal(const Reader *r, int var, Signal *s) {
    const RbFlatVar *v = &r->program->dae->model->vars.data[var];
    int column = rb_result_find(r->result, v->name);
    if (column < 0) return no_column(r, v->name);
    double factor;
    const double second = 2, *values = rb_result_series(r->result, column, r->scratch);
    RB_TRY(unit_factor(r, v, r->result->variables.data[column].unit, &factor));
    RB_TRY(check_values(r, v, values));
    bool holds = v->type != RB_REAL;
    RbMatrix table = make_table(r, values, factor, holds);
    RbCurves *curves;
    RbArena *temporary = rb_arena_child(r->arena);
    RB_TRY(rb_curves(v->name, table, &second, 1, holds ? RB_CONSTANT_SEGMENTS : RB_LINEAR_SEGMENTS,
                     RB_HOLD_LAST_POINT, r->arena, *temporary, r->diag, &curves));
    rb_arena_free(temporary);
    s->slot = r->program->dae->vars.data[var].slot;
    s->table = rb_time_table(curves, -DBL_MAX, 0,
                             holds ? RB_EVENTS_ALWAYS : RB_EVENTS_AT_DISCONTINUITIES, r->arena);
    return RB_OK;
}

RbStatus rb_input_file(const RbProgram *program, const char *path, RbArena *arena, RbArena scratch,
                       RbDiag *diag, RbInputFile **out) {
    const RbSortedDae *dae = program->dae;
    RbResult *result;
    RbArena *file = rb_arena_child(arena);
    if (dae->inputs.count == 0)
        return rb_fail(diag, RB_ERROR_USAGE, rb_in_file(path),
                       "the model has no inputs at its top level that a file could give");
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, file, scratch, diag, &result));
    RbInputFile *f = rb_new(arena, RbInputFile);
    Reader r = {program, path, result, rb_result_times(result, file), (int)result->row_count,
                arena,   file, diag};
    if (r.rows == 0) return rb_fail(diag, RB_ERROR_IO, rb_in_file(path), "the file has no rows");
    f->path = rb_arena_text(arena, path);
    f->signals = rb_new_array(arena, Signal, dae->inputs.count + 1);
    for (int i = 0; i < dae->inputs.count; i++)
        RB_TRY(read_signal(&r, dae->inputs.data[i], &f->signals[f->count++]));
    f->first = r.times[0];
    f->last = r.times[r.rows - 1];
    rb_arena_free(file);
    *out = f;
    return RB_OK;
}

void rb_input_file_check(const RbInputFile *f, double start_time, double stop_time, RbDiag *diag) {
    if (f->first > start_time)
        rb_warn(
            diag, rb_in_file(f->path),
            "the signals begin at %g s, after the start of the run at %g s; they hold their first "
            "values before",
            f->first, start_time);
    if (f->last < stop_time)
        rb_warn(diag, rb_in_file(f->path),
                "the signals end at %g s, before the end of the run at %g s; they hold their last "
                "values from there on",
                f->last, stop_time);
}

// --- in the run ----------------------------------------------------------------------------------

void rb_input_file_read(const RbInputFile *f, double time, double *inputs) {
    for (int i = 0; i < f->count; i++) {
        double d[3];
        rb_time_table_at(f->signals[i].table, 0, time, f->next, f->next, d);
        inputs[f->signals[i].slot] = d[0];
    }
}

void rb_input_file_pass(RbInputFile *f, double time) {
    f->next = DBL_MAX;
    for (int i = 0; i < f->count; i++)
        f->next = fmin(f->next, rb_time_table_next(f->signals[i].table, time));
}

double rb_input_file_next(const RbInputFile *f) {
    return f->next < DBL_MAX ? f->next : INFINITY;
}

void rb_input_file_resume(RbInputFile *f, double next) {
    f->next = isfinite(next) ? next : DBL_MAX;
}

uint64_t rb_input_file_hash(const RbInputFile *f, uint64_t hash) {
    for (int i = 0; i < f->count; i++) {
        const RbMatrix *m = &f->signals[i].table->curves->table;
        hash = rb_hash_bytes(hash, m->data, (size_t)(m->rows * m->columns) * sizeof(double));
    }
    return hash;
}
