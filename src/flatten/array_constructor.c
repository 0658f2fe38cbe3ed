// SPDX-License-Identifier: MIT
// Arrays that are written out: {a, b}, [a, b; c, d], a : step : b (specification, 10.4).
#include <string.h>

#include "flatten/expression.h"

static bool are_alike(const RbVal *a, const RbVal *b) {
    return a->kind == b->kind && (a->kind == RB_VAL_EXPR || a->kind == RB_VAL_RECORD) &&
           (a->type == b->type || (rb_val_is_numeric(a) && rb_val_is_numeric(b))) &&
           rb_val_same_dims(a, b);
}

// Type, size and variability of an array with these elements.
static bool array_shape(RbFrontEnd *fe, const RbVal *elements, int count, RbPos at, RbVal *out) {
    *out = elements[0];
    for (int i = 0; i < count; i++) {
        const RbVal *v = &elements[i];
        if (v->kind == RB_VAL_ERROR) return false;
        if (v->kind == RB_VAL_INST) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "an array consists of values, but element %d is %s; its name as a text stands "
                    "in quotes",
                    i + 1, rb_val_type_name(fe, v));
            return false;
        }
        if (!are_alike(v, out)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "the elements of this array differ: %s and %s",
                    rb_val_type_name(fe, &elements[0]), rb_val_type_name(fe, v));
            return false;
        }
        if (v->type == RB_REAL && out->type == RB_INTEGER) out->type = RB_REAL;
        out->variability = rb_weaker(out->variability, v->variability);
    }
    if (out->rank == RB_RANK_MAX) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "this array has more than %d dimensions",
                RB_RANK_MAX);
        return false;
    }
    memmove(out->dims + 1, out->dims, (size_t)out->rank * sizeof(int));
    out->dims[0] = count;
    out->rank++;
    return true;
}

static RbVal array_of_records(RbFrontEnd *fe, RbVal out, const RbVal *elements, int count,
                              RbPos at) {
    RbVal *column = rb_new_array(fe->work, RbVal, count);
    out.fields = rb_val_copy_fields(fe, &out);
    for (int k = 0; k < out.field_count; k++) {
        for (int i = 0; i < count; i++) column[i] = elements[i].fields[k];
        out.fields[k] = rb_val_array(fe, column, count, at);
        if (out.fields[k].kind == RB_VAL_ERROR) return rb_val_error();
    }
    return out;
}

// {a, b, c}: all of one type and size.
RbVal rb_val_array(RbFrontEnd *fe, const RbVal *elements, int count, RbPos at) {
    if (count == 0) {
        return (RbVal){.kind = RB_VAL_EXPR,
                       .rank = 1,
                       .variability = RB_AST_CONSTANT,
                       .e = rb_array(fe->x, NULL, 0)};
    }
    RbVal out;
    if (!array_shape(fe, elements, count, at, &out)) return rb_val_error();
    if (out.kind == RB_VAL_RECORD) return array_of_records(fe, out, elements, count, at);
    RbArena scratch = *fe->scratch;
    const RbExpr **list = rb_new_array(&scratch, const RbExpr *, count);
    for (int i = 0; i < count; i++) {
        list[i] = elements[i].e;
        if (out.type == RB_REAL && list[i]->type == RB_INTEGER && rb_is_constant(list[i]))
            list[i] = rb_real(fe->x, (double)list[i]->integer);
    }
    out.e = rb_array(fe->x, list, count);
    return out;
}

RbVal rb_lower_array(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal *items = rb_new_array(fe->work, RbVal, e->kid_count + 1);
    for (int i = 0; i < e->kid_count; i++) {
        items[i] = rb_val_single(rb_lower_expr(fe, ctx, e->kids[i]));
    }
    return rb_val_array(fe, items, e->kid_count, e->at);
}

// [a; b] with blocks of three and more dimensions: put together along the first one.
static RbVal stack_blocks(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RB_ARRAY(RbVal) items = {0};
    for (int r = 0; r < e->kid_count; r++) {
        RbVal v = rb_lower_expr(fe, ctx, e->kids[r]->kids[0]);
        if (v.kind != RB_VAL_EXPR || v.rank == 0 || v.dims[0] < 0 || e->kids[r]->kid_count != 1) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->kids[r]->at,
                    "arrays with more than two dimensions can only be put one below the other");
            return rb_val_error();
        }
        for (int i = 1; i <= v.dims[0]; i++) {
            rb_array_push(&items, fe->arena, rb_val_element(fe, &v, &i, 1));
        }
    }
    return rb_val_array(fe, items.data, items.count, e->at);
}

// One row of blocks of a matrix: [a, b].
typedef struct Row {
    const RbAstExpr *text;
    RbVal *blocks;
    int height, width;
} Row;

typedef struct Rows {
    Row *data;
    int count;
    bool is_stack; // some block has more than two dimensions
    bool is_open;  // the size of some block is known only when the function is called
} Rows;

static bool lower_rows(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, Rows *rows) {
    *rows = (Rows){.data = rb_new_array(fe->work, Row, e->kid_count + 1), .count = e->kid_count};
    for (int r = 0; r < e->kid_count; r++) {
        const RbAstExpr *text = e->kids[r];
        Row *row = &rows->data[r];
        *row = (Row){text, rb_new_array(fe->work, RbVal, text->kid_count + 1), -1, 0};
        for (int k = 0; k < text->kid_count; k++) {
            RbVal v = rb_val_single(rb_lower_expr(fe, ctx, text->kids[k]));
            if (v.kind == RB_VAL_ERROR) return false;
            row->blocks[k] = v;
            rows->is_stack |= v.kind == RB_VAL_EXPR && v.rank > 2;
            for (int i = 0; v.kind == RB_VAL_EXPR && i < v.rank; i++)
                rows->is_open |= v.dims[i] < 0;
        }
    }
    return true;
}

static bool check_block(RbFrontEnd *fe, const Row *row, int k) {
    const RbVal *v = &row->blocks[k];
    if (v->kind == RB_VAL_EXPR || v->kind == RB_VAL_RECORD) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, row->text->kids[k]->at,
            "a matrix is made of scalars, vectors and matrices, but this is %s",
            rb_val_type_name(fe, v));
    return false;
}

static bool measure_row(RbFrontEnd *fe, Row *row) {
    for (int k = 0; k < row->text->kid_count; k++) {
        const RbVal *v = &row->blocks[k];
        if (!check_block(fe, row, k)) return false;
        int height = v->rank > 0 ? v->dims[0] : 1;
        if (row->height >= 0 && height != row->height) {
            rb_fail(fe->diag, RB_ERROR_MODEL, row->text->kids[k]->at,
                    "the blocks of a row of this matrix have %d and %d lines", row->height, height);
            return false;
        }
        row->height = height;
        row->width += v->rank == 2 ? v->dims[1] : 1;
    }
    return true;
}

// One line of numbers of a row of blocks, counted from 1.
static RbVal matrix_line(RbFrontEnd *fe, const Row *row, int line) {
    RbVal *items = rb_new_array(fe->work, RbVal, row->width + 1);
    int at = 0;
    for (int k = 0; k < row->text->kid_count; k++) {
        const RbVal *v = &row->blocks[k];
        if (v->rank < 2) items[at++] = v->rank == 0 ? *v : rb_val_element(fe, v, &line, 1);
        for (int c = 1; v->rank == 2 && c <= v->dims[1]; c++)
            items[at++] = rb_val_element(fe, v, (int[]){line, c}, 2);
    }
    return rb_val_array(fe, items, row->width, row->text->at);
}

// cat(k, parts) of matrices, some of open size.
static RbVal join(RbFrontEnd *fe, int k, const RbVal *parts, int count) {
    const RbExpr **args = rb_new_array(fe->work, const RbExpr *, count + 1);
    RbVal out = parts[0];
    int total = 0;
    args[0] = rb_integer(fe->x, k);
    for (int i = 0; i < count; i++) {
        args[i + 1] = parts[i].e;
        total = total < 0 || parts[i].dims[k - 1] < 0 ? -1 : total + parts[i].dims[k - 1];
        out.variability = rb_weaker(out.variability, parts[i].variability);
        if (parts[i].type == RB_REAL) out.type = RB_REAL;
        if (out.dims[2 - k] < 0) out.dims[2 - k] = parts[i].dims[2 - k];
    }
    out.dims[k - 1] = total;
    if (count > 1) out.e = rb_builtin(fe->x, RB_FN_CAT, args, count + 1);
    return out;
}

static RbVal as_matrix(RbFrontEnd *fe, RbVal v, RbPos at) {
    if (v.rank == 0) v = rb_val_array(fe, &v, 1, at);
    if (v.rank == 2) return v;
    v.e = rb_builtin1(fe->x, RB_FN_MATRIX, v.e);
    v.rank = 2;
    v.dims[1] = 1;
    return v;
}

// In a function: the sizes are those of its arguments, and are compared when it is called.
static RbVal open_matrix(RbFrontEnd *fe, const Rows *rows) {
    RbVal *parts = rb_new_array(fe->work, RbVal, rows->count + 1);
    for (int r = 0; r < rows->count; r++) {
        const Row *row = &rows->data[r];
        for (int k = 0; k < row->text->kid_count; k++) {
            if (!check_block(fe, row, k)) return rb_val_error();
            row->blocks[k] = as_matrix(fe, row->blocks[k], row->text->kids[k]->at);
        }
        parts[r] = join(fe, 2, row->blocks, row->text->kid_count);
    }
    return join(fe, 1, parts, rows->count);
}

// [a, b; c, d]: scalars, vectors as columns, and matrices, put together.
RbVal rb_lower_matrix(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    Rows rows;
    if (!lower_rows(fe, ctx, e, &rows)) return rb_val_error();
    if (rows.is_stack) return stack_blocks(fe, ctx, e);
    if (rows.is_open) return open_matrix(fe, &rows);
    RB_ARRAY(RbVal) lines = {0};
    for (int r = 0; r < rows.count; r++) {
        Row *row = &rows.data[r];
        if (!measure_row(fe, row)) return rb_val_error();
        if (row->width != rows.data[0].width) {
            rb_fail(fe->diag, RB_ERROR_MODEL, row->text->at,
                    "row %d of this matrix has %d column(s), the rows before have %d", r + 1,
                    row->width, rows.data[0].width);
            return rb_val_error();
        }
        for (int line = 1; line <= row->height; line++)
            rb_array_push(&lines, fe->arena, matrix_line(fe, row, line));
    }
    return rb_val_array(fe, lines.data, lines.count, e->at);
}

// A range whose limits are known, as the array of its numbers; unless these may change later.
static void write_out(RbFrontEnd *fe, RbVal *range, bool keeps, RbPos at) {
    RbExprValue value;
    RbUse use = keeps ? RB_USE_SIZE : RB_USE_STRUCTURE;
    if (!rb_val_evaluate_for(fe, range, use, &value, at, NULL)) return;
    range->dims[0] = value.dims[0];
    const RbExpr *const *limits = range->e->args;
    bool constant =
        rb_is_constant(limits[0]) && rb_is_constant(limits[1]) && rb_is_constant(limits[2]);
    if (keeps && range->type == RB_INTEGER && !constant) return;
    value.type = range->type;
    range->e = rb_value_expr(fe->x, &value, *fe->scratch);
}

RbVal rb_lower_range_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal part[3];
    RbAstVariability variability = RB_AST_CONSTANT;
    bool real = false;
    for (int i = 0; i < e->kid_count; i++) {
        part[i] = rb_lower_expr(fe, ctx, e->kids[i]);
        if (part[i].kind == RB_VAL_ERROR) return part[i];
        if (part[i].kind != RB_VAL_EXPR || part[i].rank > 0 || part[i].type == RB_STRING) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->kids[i]->at,
                    "a range is made of scalar numbers, but this is %s",
                    rb_val_type_name(fe, &part[i]));
            return rb_val_error();
        }
        variability = rb_weaker(variability, part[i].variability);
        real = real || part[i].type == RB_REAL;
    }
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = real ? RB_REAL : part[0].type,
               .class = part[0].class,
               .rank = 1,
               .dims = {-1},
               .variability = variability};
    const RbExpr *step = e->kid_count == 3 ? part[1].e : rb_integer(fe->x, 1);
    v.e = rb_range(fe->x, part[0].e, step, part[e->kid_count - 1].e);
    if (!ctx->frame || rb_is_constant(part[0].e)) write_out(fe, &v, ctx->indexed_is_free, e->at);
    return v;
}
