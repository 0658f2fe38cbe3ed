// SPDX-License-Identifier: MIT
#include "io/matrix_file.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "base/number.h"
#include "io/bytes.h"

typedef struct Reader {
    const char *path;
    const unsigned char *bytes;
    size_t size;
    RbArena *arena;
    RbDiag *diag;
} Reader;

// What the file holds instead of the wanted matrix.
typedef struct Found {
    RbText names;
    int count;
} Found;

static void found(Found *f, const char *name) {
    if (f->count++ < 8) rb_text_printf(&f->names, "%s'%s'", f->count > 1 ? ", " : "", name);
}

static RbStatus not_there(const Reader *r, const char *name, const Found *f) {
    if (f->count == 0)
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                       "the table '%s' is wanted, but there is no table in the file", name);
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                   "there is no table '%s' in the file; it holds %s%s", name, f->names.data,
                   f->count > 8 ? " and more" : "");
}

// --- text ----------------------------------------------------------------------------------------

typedef struct Text {
    const Reader *r;
    const char *next, *end;
    int line;
} Text;

static RbPos here(const Text *t) {
    return (RbPos){.file = t->r->path, .line = t->line};
}

// Blanks, separators and comments.
static void skip(Text *t) {
    for (; t->next < t->end; t->next++) {
        char c = *t->next;
        if (c == '#') {
            while (t->next < t->end && *t->next != '\n') t->next++;
        }
        if (t->next == t->end) return;
        c = *t->next;
        if (c == '\n')
            t->line++;
        else if (!strchr(" \t\r,;", c) || !c)
            return;
    }
}

static const char *word(Text *t, int *length) {
    skip(t);
    const char *start = t->next;
    while (t->next < t->end && !strchr(" \t\r\n,;()#", *t->next)) t->next++;
    *length = (int)(t->next - start);
    return start;
}

static bool character(Text *t, char c) {
    skip(t);
    if (t->next == t->end || *t->next != c) return false;
    t->next++;
    return true;
}

static bool whole(Text *t, int *value) {
    int length;
    const char *start = word(t, &length);
    double number;
    if (!rb_number_parse(start, start + length, &number)) return false;
    if (!(number >= 0 && number <= INT_MAX) || number != (double)(int)number) return false;
    *value = (int)number;
    return true;
}

// double name(rows, columns)
static RbStatus text_header(Text *t, const char **name, int *rows, int *columns) {
    int length;
    const char *type = word(t, &length);
    bool known = (length == 6 && memcmp(type, "double", 6) == 0) ||
                 (length == 5 && memcmp(type, "float", 5) == 0);
    if (!known)
        return rb_fail(t->r->diag, RB_ERROR_IO, here(t),
                       "'double name(rows, columns)' is expected before the numbers of a table");
    const char *start = word(t, &length);
    *name = rb_arena_bytes(t->r->arena, start, (size_t)length);
    bool sizes = character(t, '(') && whole(t, rows) && whole(t, columns) && character(t, ')');
    if (length > 0 && sizes) return RB_OK;
    return rb_fail(t->r->diag, RB_ERROR_IO, here(t),
                   "the table '%s' needs its size: double %s(rows, columns)", *name, *name);
}

static RbStatus text_numbers(Text *t, const char *name, RbMatrixFile *m) {
    size_t count = (size_t)m->rows * (size_t)m->columns;
    if (count > (size_t)(t->end - t->next) / 2 + 1)
        return rb_fail(t->r->diag, RB_ERROR_IO, here(t),
                       "the table '%s' is said to have %d by %d numbers, more than the file holds",
                       name, m->rows, m->columns);
    m->data = rb_new_array(t->r->arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        int length;
        const char *start = word(t, &length);
        if (length > 0 && rb_number_parse(start, start + length, &m->data[i])) continue;
        return rb_fail(t->r->diag, RB_ERROR_IO, here(t),
                       "a number is expected: row %d, column %d of table '%s' of %d by %d",
                       (int)(i / (size_t)m->columns) + 1, (int)(i % (size_t)m->columns) + 1, name,
                       m->rows, m->columns);
    }
    return RB_OK;
}

static RbStatus read_text(const Reader *r, const char *name, RbMatrixFile *out) {
    Text t = {r, (const char *)r->bytes, (const char *)r->bytes + r->size, 1};
    Found others = {.names = rb_text(r->arena)};
    for (skip(&t); t.next < t.end; skip(&t)) {
        const char *own = "";
        RbMatrixFile m = {0};
        RB_TRY(text_header(&t, &own, &m.rows, &m.columns));
        RB_TRY(text_numbers(&t, own, &m));
        if (strcmp(own, name) == 0) {
            *out = m;
            return RB_OK;
        }
        found(&others, own);
    }
    return not_there(r, name, &others);
}

// --- comma-separated values ----------------------------------------------------------------------

static RbStatus csv_line(const Reader *r, const char *line, const char *end, int number,
                         RbMatrixFileOptions o, RbMatrixFile *m, double **values, int *capacity) {
    int columns = 0;
    for (const char *p = line; p <= end; columns++) {
        const char *stop = memchr(p, o.delimiter, (size_t)(end - p));
        if (!stop) stop = end;
        const char *a = p, *b = stop;
        while (a < b && strchr(" \t\r", *a)) a++;
        while (a < b && strchr(" \t\r", b[-1])) b--;
        int at = m->rows * (m->rows > 0 ? m->columns : 0) + columns;
        if (at >= *capacity) {
            int more = 2 * *capacity + 64;
            double *grown = rb_new_array(r->arena, double, more);
            if (at > 0) memcpy(grown, *values, (size_t)at * sizeof **values);
            *values = grown;
            *capacity = more;
        }
        if (!rb_number_parse(a, b, &(*values)[at]))
            return rb_fail(r->diag, RB_ERROR_IO, (RbPos){.file = r->path, .line = number},
                           "column %d is not a number; header lines must be declared", columns + 1);
        if (stop == end) {
            columns++;
            break;
        }
        p = stop + 1;
    }
    if (m->rows == 0) m->columns = columns;
    if (columns == m->columns) {
        m->rows++;
        return RB_OK;
    }
    return rb_fail(r->diag, RB_ERROR_IO, (RbPos){.file = r->path, .line = number},
                   "%d numbers, where the lines before have %d", columns, m->columns);
}

static RbStatus read_csv(const Reader *r, RbMatrixFileOptions o, RbMatrixFile *out) {
    const char *p = (const char *)r->bytes, *end = p + r->size;
    int capacity = 0;
    if (!o.delimiter) o.delimiter = ',';
    *out = (RbMatrixFile){0};
    for (int line = 1; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop) stop = end;
        const char *last = stop;
        while (last > p && strchr(" \t\r", last[-1])) last--;
        if (line > o.header_lines && last > p)
            RB_TRY(csv_line(r, p, last, line, o, out, &out->data, &capacity));
        p = stop + 1;
    }
    if (out->rows > 0) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path), "the file has no numbers");
}

// --- MAT of level 4 ------------------------------------------------------------------------------

enum { HEADER = 20, NAME_MAX_LENGTH = 256 };
static const size_t element_sizes[6] = {8, 4, 4, 2, 2, 1};

static double element(const unsigned char *p, int precision) {
    switch (precision) {
        case 0: return rb_get_f64(p);
        case 1: return (double)rb_get_f32(p);
        case 2: return (double)(int32_t)rb_get_u32(p);
        case 3: return (double)(int16_t)(p[0] | p[1] << 8);
        case 4: return (double)(p[0] | p[1] << 8);
        default: return (double)p[0];
    }
}

static RbStatus not_level_4(const Reader *r, size_t offset) {
    return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                   "what is at byte %zu is not a real, full, little-endian matrix of a MAT file of "
                   "level 4; write the file with: save -v4",
                   offset);
}

static RbStatus read_mat(const Reader *r, const char *name, RbMatrixFile *out) {
    Found others = {.names = rb_text(r->arena)};
    for (size_t offset = 0; offset < r->size;) {
        const unsigned char *p = r->bytes + offset;
        if (r->size - offset < HEADER) return not_level_4(r, offset);
        uint32_t type = rb_get_u32(p), rows = rb_get_u32(p + 4), columns = rb_get_u32(p + 8),
                 length = rb_get_u32(p + 16);
        if (type >= 100 || type / 10 > 5 || type % 10 > 1 || rb_get_u32(p + 12) != 0 ||
            length == 0 || length > NAME_MAX_LENGTH || rows > INT_MAX || columns > INT_MAX ||
            r->size - offset - HEADER < length)
            return not_level_4(r, offset);
        size_t size = element_sizes[type / 10], first = offset + HEADER + length,
               count = (size_t)rows * columns;
        if (count > (r->size - first) / size)
            return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(r->path),
                           "the file ends inside a matrix of %u by %u numbers that begins at byte "
                           "%zu",
                           rows, columns, offset);
        char own[NAME_MAX_LENGTH + 1] = {0};
        memcpy(own, p + HEADER, length);
        if (strcmp(own, name) == 0) { // column by column in the file
            *out =
                (RbMatrixFile){(int)rows, (int)columns, rb_new_array(r->arena, double, count + 1)};
            for (size_t i = 0; i < count; i++)
                out->data[i % rows * columns + i / rows] =
                    element(r->bytes + first + i * size, (int)type / 10);
            return RB_OK;
        }
        found(&others, own);
        offset = first + count * size;
    }
    return not_there(r, name, &others);
}

// --- which of them -------------------------------------------------------------------------------

static bool ends_with(const char *path, const char *ending) {
    size_t a = strlen(path), b = strlen(ending);
    return a >= b && strcasecmp(path + a - b, ending) == 0;
}

RbStatus rb_matrix_file_bytes(const char *path, const void *bytes, size_t size, const char *name,
                              RbMatrixFileOptions options, RbArena *arena, RbDiag *diag,
                              RbMatrixFile *out) {
    Reader r = {path, bytes, size, arena, diag};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) { // byte order mark
        r.bytes += 3;
        r.size -= 3;
    }
    if (ends_with(path, ".csv")) return read_csv(&r, options, out);
    if (r.size >= 2 && memcmp(r.bytes, "#1", 2) == 0) return read_text(&r, name, out);
    if (ends_with(path, ".mat")) return read_mat(&r, name, out);
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                   "a table file is text whose first two characters are #1, or has the ending .mat "
                   "or .csv");
}

RbStatus rb_matrix_file(const char *path, const char *name, RbMatrixFileOptions options,
                        RbArena *arena, RbArena scratch, RbDiag *diag, RbMatrixFile *out) {
    RbBytes bytes;
    RB_TRY(rb_file_read(path, 0, &scratch, diag, &bytes));
    return rb_matrix_file_bytes(path, bytes.data, bytes.size, name, options, arena, diag, out);
}
