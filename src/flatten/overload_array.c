// SPDX-License-Identifier: MIT
// Operators on arrays of operator records: by their elements, as for arrays of numbers
// (specification, 10.6 and 14.5).
#include "flatten/expression.h"
#include "flatten/overload.h"

static bool is_known(const RbVal *v) {
    for (int i = 0; i < v->rank; i++) {
        if (v->dims[i] < 0) return false;
    }
    return true;
}

static RbVal fail_open(RbFrontEnd *fe, const char *what, RbPos at) {
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "%s of records needs arrays of known size; write a loop over the elements", what);
    return rb_val_error();
}

// The record that one of the operands is.
static RbClass *record_class(const RbVal *a, const RbVal *b) {
    return a->kind == RB_VAL_RECORD ? a->class : b->class;
}

static RbVal element(RbFrontEnd *fe, const RbVal *v, int n) {
    return v->rank > 0 ? rb_val_element(fe, v, &n, 1) : *v;
}

typedef struct Operation {
    RbFrontEnd *fe;
    RbTokenKind op;
    const RbVal *a, *b; // b is NULL: unary
    RbPos at;
} Operation;

static RbVal apply(void *user, const RbVal *index) {
    const Operation *o = user;
    RbVal x = o->a->rank > 0 ? rb_val_subscript(o->fe, o->a, index, 1, o->at) : *o->a;
    if (!o->b) return rb_val_unary(o->fe, o->op, x, o->at);
    RbVal y = o->b->rank > 0 ? rb_val_subscript(o->fe, o->b, index, 1, o->at) : *o->b;
    return rb_overload_elements(o->fe, o->op, &x, &y, o->at);
}

// The operation on all elements of an array that is not empty.
static RbVal apply_to_all(const Operation *o, const RbVal *array) {
    RbFrontEnd *fe = o->fe;
    int count = array->dims[0];
    void *user = (void *)(uintptr_t)o;
    if (count < 0)
        return fe->function ? rb_open_elements(fe, array, apply, user)
                            : fail_open(fe, rb_token_kind_name(o->op), o->at);
    RbVal *items = rb_new_array(fe->arena, RbVal, count + 1);
    for (int n = 0; n < count; n++) {
        RbVal index = rb_val_scalar(rb_integer(fe->x, n + 1), RB_AST_CONSTANT);
        items[n] = apply(user, &index);
        if (items[n].kind == RB_VAL_ERROR) return items[n];
    }
    return rb_val_array(fe, items, count, o->at);
}

RbVal rb_overload_elements(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b,
                           RbPos at) {
    const RbVal *shape = a->rank > 0 ? a : b;
    if (shape->rank == 0) return rb_val_binary(fe, op, *a, *b, at);
    if (a->rank > 0 && b->rank > 0 && !rb_val_same_dims(a, b)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s cannot be applied to %s and %s",
                rb_token_kind_name(op), rb_val_type_name(fe, a), rb_val_type_name(fe, b));
        return rb_val_error();
    }
    if (shape->dims[0] == 0)
        return rb_val_no_records(fe, record_class(a, b), shape->rank, shape->dims);
    return apply_to_all(&(Operation){fe, op, a, b, at}, shape);
}

RbVal rb_overload_each(RbFrontEnd *fe, RbTokenKind op, const RbVal *v, RbPos at) {
    return v->dims[0] == 0 ? *v : apply_to_all(&(Operation){fe, op, v, NULL, at}, v);
}

// --- products of linear algebra ------------------------------------------------------------------

// A row times a column of a matrix, or a vector: a[1]*b[1] + a[2]*b[2] + ...
static RbVal inner_product(RbFrontEnd *fe, const RbVal *a, const RbVal *b, int column, RbPos at) {
    if (a->dims[0] == 0) return rb_overload_zero(fe, record_class(a, b), at);
    RbVal sum = rb_val_error();
    for (int n = 1; n <= a->dims[0]; n++) {
        RbVal y = rb_val_element(fe, b, (int[]){n, column}, b->rank);
        RbVal term = rb_val_binary(fe, RB_TOKEN_TIMES, element(fe, a, n), y, at);
        sum = n == 1 ? term : rb_val_binary(fe, RB_TOKEN_PLUS, sum, term, at);
        if (sum.kind == RB_VAL_ERROR) return sum;
    }
    return sum;
}

// A row of the result: a times every column of b, or the vector b.
static RbVal row_product(RbFrontEnd *fe, const RbVal *a, const RbVal *b, RbPos at) {
    if (b->rank == 1) return inner_product(fe, a, b, 0, at);
    if (b->dims[1] == 0) return rb_val_no_records(fe, record_class(a, b), 1, &b->dims[1]);
    RbVal *items = rb_new_array(fe->arena, RbVal, b->dims[1] + 1);
    for (int n = 1; n <= b->dims[1]; n++) items[n - 1] = inner_product(fe, a, b, n, at);
    return rb_val_array(fe, items, b->dims[1], at);
}

static RbVal product(RbFrontEnd *fe, const RbVal *a, const RbVal *b, RbPos at) {
    if (a->rank == 1) return row_product(fe, a, b, at);
    if (a->dims[0] == 0) {
        int dims[2] = {0, b->rank == 2 ? b->dims[1] : 0};
        return rb_val_no_records(fe, record_class(a, b), b->rank, dims);
    }
    RbVal *rows = rb_new_array(fe->arena, RbVal, a->dims[0] + 1);
    for (int n = 1; n <= a->dims[0]; n++) {
        RbVal row = element(fe, a, n);
        rows[n - 1] = row_product(fe, &row, b, at);
    }
    return rb_val_array(fe, rows, a->dims[0], at);
}

bool rb_overload_arrays(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b, RbPos at,
                        RbVal *out) {
    bool both = a->rank > 0 && b->rank > 0;
    bool sum = (op == RB_TOKEN_PLUS || op == RB_TOKEN_MINUS) && rb_val_same_dims(a, b);
    bool scaled = (op == RB_TOKEN_TIMES && !both) || (op == RB_TOKEN_DIVIDE && b->rank == 0);
    bool linear = op == RB_TOKEN_TIMES && both && a->rank <= 2 && b->rank <= 2 &&
                  a->dims[a->rank - 1] == b->dims[0];
    if (sum || scaled) {
        *out = rb_overload_elements(fe, op, a, b, at);
        return true;
    }
    if (!linear) return false;
    *out = is_known(a) && is_known(b) ? product(fe, a, b, at)
                                      : fail_open(fe, "the matrix product", at);
    return true;
}

RbVal rb_overload_sum(RbFrontEnd *fe, const RbVal *array, RbPos at) {
    if (!is_known(array)) return fail_open(fe, "the sum", at);
    if (array->rank == 0) return *array;
    if (array->dims[0] == 0) return rb_overload_zero(fe, array->class, at);
    RbVal sum = rb_val_error();
    for (int n = 1; n <= array->dims[0]; n++) {
        RbVal e = element(fe, array, n);
        RbVal term = rb_overload_sum(fe, &e, at);
        sum = n == 1 ? term : rb_val_binary(fe, RB_TOKEN_PLUS, sum, term, at);
        if (sum.kind == RB_VAL_ERROR) return sum;
    }
    return sum;
}
