// SPDX-License-Identifier: MIT
// Reading MAT files of level 4: find the six matrices, then build the table from them. Two
// more, which only we write, have the name of the model and why a run did not come to its end.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "io/bytes.h"
#include "io/mat4.h"

enum { HEADER = 20, LONGEST_NAME = 256 };

// A matrix in the file. Elements are stored column by column.
typedef struct Matrix {
    bool there;
    int precision; // 0 double, 1 float, 2 int32, 3 int16, 4 uint16, 5 uint8
    size_t rows, columns;
    const unsigned char *data;
} Matrix;

// ORDER matrix_names
enum { ACLASS, NAME, DESCRIPTION, DATA_INFO, DATA_1, DATA_2, MODEL, INCOMPLETE, MATRIX_COUNT };
static const char *const matrix_names[MATRIX_COUNT] = {
    "Aclass", "name", "description", "dataInfo", "data_1", "data_2", "model", "incomplete"};

typedef struct Reader {
    const char *file;
    const unsigned char *bytes;
    size_t size;
    RbArena *arena;
    RbArena scratch;
    RbDiag *diag;
    RbResult *result;
    Matrix m[MATRIX_COUNT];
    bool transposed; // binTrans: names and points in time are columns
} Reader;

static const size_t element_sizes[6] = {8, 4, 4, 2, 2, 1};

static double element(const Matrix *m, size_t index) {
    const unsigned char *p = m->data + index * element_sizes[m->precision];
    switch (m->precision) {
        case 0: return rb_get_f64(p);
        case 1: return (double)rb_get_f32(p);
        case 2: return (double)(int32_t)rb_get_u32(p);
        case 3: return (double)(int16_t)(p[0] | p[1] << 8);
        case 4: return (double)(p[0] | p[1] << 8);
        default: return (double)p[0];
    }
}

// Texts are numbers, too, in any precision.
static char letter(double code) {
    return code >= 0 && code < 256 ? (char)(unsigned char)code : '?';
}

// Element k of item i: items are columns in a transposed file, rows in a normal one.
static double item_element(const Reader *r, const Matrix *m, size_t i, size_t k) {
    return element(m, r->transposed ? i * m->rows + k : k * m->rows + i);
}

static size_t item_count(const Reader *r, const Matrix *m) {
    return r->transposed ? m->columns : m->rows;
}

static size_t item_length(const Reader *r, const Matrix *m) {
    return r->transposed ? m->rows : m->columns;
}

static RbStatus refuse(const Reader *r, const char *what) {
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file), "%s", what);
}

// ---- finding the matrices

static RbStatus ends_early(const Reader *r, const char *where) {
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                   "the file ends at byte %zu, inside %s", r->size, where);
}

static RbStatus check_type(const Reader *r, size_t offset, uint32_t type, uint32_t imaginary) {
    bool known = type < 100 && type / 10 <= 5 && type % 10 <= 1;
    if (known && imaginary == 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                   "what is at byte %zu is not a real, full, little-endian matrix of a MAT file of "
                   "level 4",
                   offset);
}

static void keep_matrix(Reader *r, const char *name, Matrix m) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        if (strcmp(name, matrix_names[i]) == 0 && !r->m[i].there) r->m[i] = m;
    }
}

static RbStatus read_matrix(Reader *r, size_t *offset) {
    const unsigned char *p = r->bytes + *offset;
    size_t left = r->size - *offset;
    if (left < HEADER) return ends_early(r, "the header of a matrix");
    uint32_t type = rb_get_u32(p), length = rb_get_u32(p + 16);
    RB_TRY(check_type(r, *offset, type, rb_get_u32(p + 12)));
    Matrix m = {.there = true,
                .precision = (int)type / 10,
                .rows = rb_get_u32(p + 4),
                .columns = rb_get_u32(p + 8)};
    if (length == 0 || length > LONGEST_NAME || m.rows > INT32_MAX || m.columns > INT32_MAX) {
        return check_type(r, *offset, UINT32_MAX, 0);
    }
    if (left - HEADER < length) return ends_early(r, "the name of a matrix");
    char name[LONGEST_NAME + 1] = {0};
    memcpy(name, p + HEADER, length);
    m.data = p + HEADER + length;
    left -= HEADER + length;
    size_t size = element_sizes[m.precision];
    if (m.rows * m.columns > left / size) {
        return rb_fail(
            r->diag, RB_ERROR_IO, rb_in_file(r->file),
            "the file ends at byte %zu, inside the matrix '%s' of %zu by %zu numbers that "
            "begins at byte %zu",
            r->size, name, m.rows, m.columns, *offset);
    }
    keep_matrix(r, name, m);
    *offset += HEADER + length + m.rows * m.columns * size;
    return RB_OK;
}

// The class says what the file is and how it is laid out; its own rows are texts.
static RbStatus read_class(Reader *r) {
    const Matrix *m = &r->m[ACLASS];
    char rows[4][12] = {{0}};
    for (size_t row = 0; row < 4 && row < m->rows; row++) {
        for (size_t column = 0; column < 11 && column < m->columns; column++) {
            rows[row][column] = letter(element(m, column * m->rows + row));
        }
    }
    if (strncmp(rows[0], "Atrajectory", 11) != 0) {
        return refuse(r, "the matrix 'Aclass' does not say 'Atrajectory': this is not a simulation "
                         "result");
    }
    r->transposed = strncmp(rows[3], "binTrans", 8) == 0;
    if (!r->transposed && strncmp(rows[3], "binNormal", 9) != 0) {
        return refuse(r, "the matrix 'Aclass' says neither 'binTrans' nor 'binNormal'");
    }
    return RB_OK;
}

static RbStatus find_matrices(Reader *r) {
    if (r->size == 0) return refuse(r, "the file is empty");
    for (size_t offset = 0; offset < r->size;) RB_TRY(read_matrix(r, &offset));
    for (int i = 0; i < MATRIX_COUNT; i++) {
        if (r->m[i].there || i == DESCRIPTION || i == DATA_1 || i >= MODEL) continue;
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                       "the matrix '%s' is missing: this is not a simulation result, or it is cut",
                       matrix_names[i]);
    }
    RB_TRY(read_class(r));
    size_t names = item_count(r, &r->m[NAME]);
    bool fits = names > 0 && names <= INT32_MAX / 2 && names == item_count(r, &r->m[DATA_INFO]) &&
                item_length(r, &r->m[DATA_INFO]) >= 2;
    bool described = !r->m[DESCRIPTION].there || item_count(r, &r->m[DESCRIPTION]) == names;
    if (fits && described) return RB_OK;
    return refuse(r, "the matrices 'name', 'description' and 'dataInfo' do not fit together");
}

// ---- variables

// A text without its padding.
static char *read_text(Reader *r, RbArena *arena, const Matrix *m, size_t index) {
    size_t length = item_length(r, m);
    char *text = rb_arena_push(arena, length + 1, 1);
    for (size_t k = 0; k < length; k++) text[k] = letter(item_element(r, m, index, k));
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') text[--length] = 0;
    return text;
}

// "position of the body [m|mm:#(type=Real)]": what is in the last brackets up to | or : is the
// unit. Splits the text.
static const char *split_unit(char *description) {
    size_t length = strlen(description);
    if (length == 0 || description[length - 1] != ']') return "";
    char *open = strrchr(description, '[');
    if (!open) return "";
    open[1 + strcspn(open + 1, "|:]")] = 0;
    *open = 0;
    for (char *p = open; p > description && p[-1] == ' '; p--) p[-1] = 0;
    return open + 1;
}

// The table (1 or 2) and signed row of a name.
static RbStatus read_info(const Reader *r, size_t index, int *table, int *row) {
    double first = item_element(r, &r->m[DATA_INFO], index, 0);
    double second = item_element(r, &r->m[DATA_INFO], index, 1);
    *table = first == 1 ? 1 : 2; // 0 is the time, which is the first row of data_2
    const Matrix *m = &r->m[*table == 1 ? DATA_1 : DATA_2];
    double rows = m->there ? (double)item_length(r, m) : 0;
    bool good =
        (first == 0 || first == 1 || first == 2) && fabs(second) >= 1 && fabs(second) <= rows;
    *row = good ? (int)second : 0;
    if (good && *row == second) return RB_OK;
    return rb_fail(
        r->diag, RB_ERROR_IO, rb_in_file(r->file),
        "column %zu of the matrix 'dataInfo' refers to row %g of table %g, which does not "
        "exist",
        index + 1, second, first);
}

static RbStatus read_variable(Reader *r, size_t index, RbResultSlot *slot) {
    RbArena scratch = r->scratch;
    const char *name = read_text(r, &scratch, &r->m[NAME], index);
    char *description = r->m[DESCRIPTION].there ? read_text(r, &scratch, &r->m[DESCRIPTION], index)
                                                : rb_arena_text(&scratch, "");
    const char *unit = split_unit(description);
    int count = r->result->variables.count, table, row;
    RB_TRY(read_info(r, index, &table, &row));
    if (!name[0]) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file), "variable %zu has no name",
                       index + 1);
    }
    *slot = (RbResultSlot){.value = NAN, .negated = row < 0, .column = abs(row) - 1};
    slot->variable = rb_result_add_variable(r->result, name, unit, description, false);
    if (slot->variable != count || strcmp(name, "time") == 0) {
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file), "there are two variables '%s'",
                       name);
    }
    if (table == 1) {
        double value = NAN;
        bool empty = item_count(r, &r->m[DATA_1]) == 0;
        if (!empty) value = item_element(r, &r->m[DATA_1], 0, (size_t)abs(row) - 1);
        *slot = (RbResultSlot){.variable = slot->variable,
                               .column = RB_RESULT_CONSTANT,
                               .value = row < 0 ? -value : value};
    }
    return RB_OK;
}

static RbStatus check_time_name(Reader *r) {
    RbArena scratch = r->scratch;
    const char *name = read_text(r, &scratch, &r->m[NAME], 0);
    if (strcasecmp(name, "time") == 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                   "the first variable is '%s'; it must be 'time'", name);
}

static RbStatus read_rows(Reader *r, const RbResultSlot *slots, int count) {
    const Matrix *m = &r->m[DATA_2];
    size_t rows = item_count(r, m), width = item_length(r, m);
    if (width == 0) rows = 0;
    RbResultSegment *segment =
        rb_result_add_segment(r->result, slots, count, width > 0 ? (int)width : 1, rows);
    double last = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        double *row = segment->rows + i * width;
        for (size_t k = 0; k < width; k++) row[k] = item_element(r, m, i, k);
        if (!(row[0] >= last && row[0] < INFINITY)) {
            return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->file),
                           "the time goes from %g to %g at point %zu", last, row[0], i + 1);
        }
        last = row[0];
    }
    segment->row_count = rows;
    r->result->row_count = rows;
    return RB_OK;
}

// Start and stop time stand in front of the parameters.
static void read_experiment(Reader *r) {
    const Matrix *m = &r->m[DATA_1];
    if (!m->there || item_length(r, m) == 0 || item_count(r, m) == 0) return;
    r->result->experiment.start_time = item_element(r, m, 0, 0);
    r->result->experiment.stop_time = item_element(r, m, item_count(r, m) - 1, 0);
}

static void read_ending(Reader *r) {
    const Matrix *m = &r->m[INCOMPLETE];
    if (!m->there || m->rows * m->columns == 0) return;
    char *reason = rb_new_array(r->arena, char, m->rows * m->columns + 1);
    for (size_t i = 0; i < m->rows * m->columns; i++) reason[i] = letter(element(m, i));
    r->result->complete = false;
    r->result->reason = reason;
}

RbStatus rb_mat4_read_bytes(const char *name, const void *bytes, size_t size, RbArena *arena,
                            RbArena scratch, RbDiag *diag, RbResult **out) {
    *out = NULL;
    Reader r = {
        .file = name,
        .bytes = bytes,
        .size = size,
        .arena = arena,
        .scratch = scratch,
        .diag = diag,
        .result = rb_result_new(arena),
    };
    r.result->file = rb_arena_text(arena, name);
    RB_TRY(find_matrices(&r));
    RB_TRY(check_time_name(&r));
    size_t count = item_count(&r, &r.m[NAME]) - 1;
    RbResultSlot *slots = rb_new_array(arena, RbResultSlot, count);
    for (size_t i = 0; i < count; i++) RB_TRY(read_variable(&r, i + 1, &slots[i]));
    RB_TRY(read_rows(&r, slots, (int)count));
    read_experiment(&r);
    if (r.m[MODEL].there && item_count(&r, &r.m[MODEL]) > 0)
        r.result->experiment.model = read_text(&r, arena, &r.m[MODEL], 0);
    read_ending(&r);
    rb_result_finish(r.result, r.scratch);
    *out = r.result;
    return RB_OK;
}

RbStatus rb_mat4_read(const char *path, RbArena *arena, RbArena scratch, RbDiag *diag,
                      RbResult **out) {
    *out = NULL;
    RbBytes bytes;
    RB_TRY(rb_file_read(path, (size_t)1 << 34, &scratch, diag, &bytes));
    const char *name = rb_arena_text(diag->arena, path);
    return rb_mat4_read_bytes(name, bytes.data, bytes.size, arena, scratch, diag, out);
}
