// SPDX-License-Identifier: MIT
#include "translate/input_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "math/jumps.h"
#include "program/layout.h"
#include "io/result_file.h"
#include "flatten/unit.h"

// A signal on its own grid: discrete ones keep only the rows at which they change.
typedef struct Signal {
    int slot;                // among the inputs
    int array;               // or -1: the whole array it is an element of
    int subscripts[2], rank; // of that element
    bool holds;              // its value until the next row; otherwise linear between rows
    RbTimeTable *table;
} Signal;

struct RbInputFile {
    const char *path;
    RB_ARRAY(Signal) signals;
    const char *columns;    // what the file has, in words
    double first, last;     // [s] of the file
    double next;            // [s] the next jump
    RB_ARRAY(double) bends; // [s] ascending: where a signal changes its slope
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

// "2 columns besides the time: 'u', 'v'"
static const char *list_columns(const Reader *r) {
    enum { SHOWN = 8 };
    int count = r->result->variables.count;
    RbText text = rb_text(r->arena);
    rb_text_printf(&text, "%d column%s besides the time", count, count == 1 ? "" : "s");
    for (int i = 0; i < count && i < SHOWN; i++)
        rb_text_printf(&text, "%s'%s'", i == 0 ? ": " : ", ", r->result->variables.data[i].name);
    if (count > SHOWN) rb_text_printf(&text, " and %d more", count - SHOWN);
    return text.data;
}

static RbStatus no_column(const Reader *r, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 0; i < r->result->variables.count; i++)
        rb_text_try_near(&near, r->result->variables.data[i].name);
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                   "there is no column '%s' for the input of that name; the file has %s%s", name,
                   list_columns(r), rb_text_near_question(&near, "", r->scratch));
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

// The signal in a column for variable v, which is named after the column.
static RbStatus read_column(const Reader *r, const RbFlatVar *v, int column, RbTimeTable **out) {
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
    *out = rb_time_table(curves, -DBL_MAX, 0,
                         holds ? RB_EVENTS_ALWAYS : RB_EVENTS_AT_DISCONTINUITIES, r->arena);
    return RB_OK;
}

static RbStatus read_signal(const Reader *r, int var, RbInputFile *f) {
    const RbFlatVar *v = &r->program->dae->model->vars.data[var];
    int column = rb_result_find(r->result, v->name);
    if (column < 0) return no_column(r, v->name);
    Signal s = {
        .slot = r->program->dae->vars.data[var].slot, .array = -1, .holds = v->type != RB_REAL};
    RB_TRY(read_column(r, v, column, &s.table));
    rb_array_push(&f->signals, r->arena, s);
    return RB_OK;
}

// --- whole arrays --------------------------------------------------------------------------------

// Is this the name of an element, x[2] or x[2, 3], of the array? Then its subscripts.
static bool is_element(const char *name, const char *array, Signal *s) {
    size_t length = strlen(array);
    const char *at = name + length;
    if (strncmp(name, array, length) != 0 || *at != '[') return false;
    s->subscripts[1] = 1;
    for (s->rank = 0; s->rank < 2 && (*at == '[' || *at == ',');) {
        char *end;
        s->subscripts[s->rank++] = (int)strtol(at + 1, &end, 10);
        if (end == at + 1) return false;
        for (at = end; *at == ' ';) at++;
    }
    return at[0] == ']' && at[1] == 0;
}

// All columns for elements of an array, whose size is known only when the run starts.
static RbStatus read_array(const Reader *r, int var, RbInputFile *f) {
    RbFlatVar v = r->program->dae->model->vars.data[var];
    const char *name = v.name;
    for (int column = 0; column < r->result->variables.count; column++) {
        Signal s = {.array = var, .holds = v.type != RB_REAL};
        v.name = r->result->variables.data[column].name;
        if (!is_element(v.name, name, &s)) continue;
        RB_TRY(read_column(r, &v, column, &s.table));
        rb_array_push(&f->signals, r->arena, s);
    }
    return RB_OK;
}

static const char *size_text(const RbFlatVar *v, const int *sizes, RbArena *arena) {
    int rows = sizes[RB_SIZES_ROWS], columns = sizes[RB_SIZES_COLUMNS];
    if (v->rank == 2) return rb_arena_printf(arena, "the size [%d,%d]", rows, columns);
    return rb_arena_printf(arena, "%d element%s", rows, rows == 1 ? "" : "s");
}

// The place of an element in its array; -1 if there is none.
static int place_in(const Signal *s, const RbFlatVar *v, const int *sizes) {
    bool inside = s->rank == v->rank && s->subscripts[0] >= 1 &&
                  s->subscripts[0] <= sizes[RB_SIZES_ROWS] && s->subscripts[1] >= 1 &&
                  s->subscripts[1] <= sizes[RB_SIZES_COLUMNS];
    return inside ? (s->subscripts[0] - 1) * sizes[RB_SIZES_COLUMNS] + s->subscripts[1] - 1 : -1;
}

static RbStatus no_element(const RbInputFile *f, const Signal *s, const RbFlatVar *v,
                           const int *sizes, RbDiag *diag) {
    RbText name = rb_text(diag->arena);
    rb_text_printf(&name, s->rank == 2 ? "%s[%d,%d]" : "%s[%d]", v->name, s->subscripts[0],
                   s->subscripts[1]);
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(f->path),
                   "there is a column '%s', but the input '%s' has %s", name.data, v->name,
                   size_text(v, sizes, diag->arena));
}

static RbStatus place_array(RbInputFile *f, const RbProgramInstance *in, int var, RbDiag *diag) {
    const RbFlatVar *v = &in->program->dae->model->vars.data[var];
    const int *sizes = &in->sizes[RB_SIZES * in->program->dae->vars.data[var].slot];
    RbArena scratch = *in->call_arena;
    unsigned char *given = rb_new_array(&scratch, unsigned char, sizes[RB_SIZES_COUNT] + 1);
    for (int i = 0; i < f->signals.count; i++) {
        Signal *s = &f->signals.data[i];
        if (s->array != var) continue;
        int k = place_in(s, v, sizes);
        if (k < 0) return no_element(f, s, v, sizes, diag);
        s->slot = sizes[RB_SIZES_AT] + k;
        given[k] = 1;
    }
    for (int k = 0; k < sizes[RB_SIZES_COUNT]; k++) {
        if (given[k]) continue;
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(f->path),
                       "there is no column '%s' for the input '%s', which has %s; the file has %s",
                       rb_program_element_name(in, var, k, diag->arena), v->name,
                       size_text(v, sizes, diag->arena), f->columns);
    }
    return RB_OK;
}

static bool is_array_input(const RbSortedDae *dae, int i) {
    return dae->vars.data[dae->arrays.data[i]].kind == RB_DAE_INPUT;
}

RbStatus rb_input_file_place(RbInputFile *f, const RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *dae = in->program->dae;
    for (int i = 0; i < dae->arrays.count; i++) {
        if (is_array_input(dae, i)) RB_TRY(place_array(f, in, dae->arrays.data[i], diag));
    }
    return RB_OK;
}

// --- bends ---------------------------------------------------------------------------------------

// A solver that takes long steps must not pass over a pulse of a few rows: it stops where the next row
// is not on the straight line of the last two, by more than a thousandth of the range of the signal.
static void add_bends(RbInputFile *f, const RbMatrix *m, RbArena *arena) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < m->rows; i++) {
        least = fmin(least, m->data[2 * i + 1]);
        most = fmax(most, m->data[2 * i + 1]);
    }
    for (int i = 1; i + 1 < m->rows; i++) {
        const double *a = &m->data[2 * i - 2], *b = a + 2, *c = a + 4; // time and value
        double before = b[0] - a[0], after = c[0] - b[0];
        if (!(before > 0) || !(after > 0)) continue; // a jump
        double off = c[1] - b[1] - (b[1] - a[1]) / before * after;
        if (fabs(off) > 1e-3 * (most - least)) rb_array_push(&f->bends, arena, b[0]);
    }
}

static void find_bends(RbInputFile *f, RbArena *arena) {
    for (int i = 0; i < f->signals.count; i++) {
        const Signal *s = &f->signals.data[i];
        if (!s->holds) add_bends(f, &s->table->curves->table, arena);
    }
    rb_times_sort(f->bends.data, f->bends.count);
}

// --- the file ------------------------------------------------------------------------------------

RbStatus rb_input_file(const RbProgram *program, const char *path, RbArena *arena, RbArena scratch,
                       RbDiag *diag, RbInputFile **out) {
    const RbSortedDae *dae = program->dae;
    RbResult *result;
    RbArena *file = rb_arena_child(arena);
    int arrays = 0;
    for (int i = 0; i < dae->arrays.count; i++) arrays += is_array_input(dae, i);
    if (dae->inputs.count + arrays == 0)
        return rb_fail(diag, RB_ERROR_USAGE, rb_in_file(path),
                       "the model has no inputs at its top level that a file could give");
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, file, scratch, diag, &result));
    RbInputFile *f = rb_new(arena, RbInputFile);
    Reader r = {program, path, result, rb_result_times(result, file), (int)result->row_count,
                arena,   file, diag};
    if (r.rows == 0) return rb_fail(diag, RB_ERROR_IO, rb_in_file(path), "the file has no rows");
    f->path = rb_arena_text(arena, path);
    f->columns = list_columns(&r);
    for (int i = 0; i < dae->inputs.count; i++) RB_TRY(read_signal(&r, dae->inputs.data[i], f));
    for (int i = 0; i < dae->arrays.count; i++) {
        if (is_array_input(dae, i)) RB_TRY(read_array(&r, dae->arrays.data[i], f));
    }
    find_bends(f, arena);
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
    for (int i = 0; i < f->signals.count; i++) {
        double d[3];
        rb_time_table_at(f->signals.data[i].table, 0, time, f->next, f->next, d);
        inputs[f->signals.data[i].slot] = d[0];
    }
}

void rb_input_file_pass(RbInputFile *f, double time) {
    f->next = DBL_MAX;
    for (int i = 0; i < f->signals.count; i++)
        f->next = fmin(f->next, rb_time_table_next(f->signals.data[i].table, time));
}

double rb_input_file_next(const RbInputFile *f) {
    return f->next < DBL_MAX ? f->next : INFINITY;
}

double rb_input_file_stop(const RbInputFile *f, double now) {
    return fmin(rb_input_file_next(f), rb_times_after(f->bends.data, f->bends.count, now));
}

void rb_input_file_resume(RbInputFile *f, double next) {
    f->next = isfinite(next) ? next : DBL_MAX;
}

uint64_t rb_input_file_hash(const RbInputFile *f, uint64_t hash) {
    for (int i = 0; i < f->signals.count; i++) {
        const RbMatrix *m = &f->signals.data[i].table->curves->table;
        hash = rb_hash_bytes(hash, m->data, (size_t)(m->rows * m->columns) * sizeof(double));
    }
    return hash;
}
