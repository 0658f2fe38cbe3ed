// SPDX-License-Identifier: MIT
#include "code/function_shape.h"

#include <string.h>

#include "expr/builtins.h"

#define text(...) rb_arena_printf(w->scratch, __VA_ARGS__)

// --- variables -----------------------------------------------------------------------------------

int rb_static_dim(const RbFunction *f, int var, int dim) {
    const RbFunctionVar *v = &f->vars.data[var];
    double n;
    if (!v->dims[dim] || !rb_constant_value(v->dims[dim], &n) || !(n >= 0 && n < 1e6)) return -1;
    return (int)n;
}

static int static_size(const RbFunction *f, int var) {
    double count = 1;
    for (int d = 0; d < f->vars.data[var].rank; d++) {
        int n = rb_static_dim(f, var, d);
        if (n < 0) return -1;
        count *= n;
    }
    return count < 1e6 ? (int)count : -1;
}

RbFunctionVariable rb_variable_kind(const RbFunction *f, int var) {
    const RbFunctionVar *v = &f->vars.data[var];
    if (v->rank == 0) return RB_SCALAR_VARIABLE;
    if (var < f->input_count) return RB_FIXED_ARRAY;
    if (v->is_flexible) return RB_FREE_ARRAY;
    int count = static_size(f, var);
    if (count >= 0 && count <= RB_SMALL_VARIABLE) return RB_SMALL_ARRAY;
    if (count >= 0) return RB_FIXED_ARRAY;
    for (int d = 0; d < v->rank; d++) {
        if (!v->dims[d] || v->binding) return RB_FREE_ARRAY;
    }
    return RB_FIXED_ARRAY;
}

// --- sizes that are known now --------------------------------------------------------------------

typedef struct Sizes {
    RbFunctionWriter *w;
    bool unknown;
} Sizes;

static const int *sizes_of(const RbFunctionWriter *w, const RbExpr *e) {
    return w->shapes + (size_t)e->id * RB_RANK_MAX;
}

static void ask_sizes(void *user, const RbExpr *e, int dims[RB_RANK_MAX]) {
    Sizes *s = user;
    for (int d = 0; d < e->rank; d++) dims[d] = sizes_of(s->w, e)[d];
}

static int ask_number(void *user, const RbExpr *e) {
    double n;
    (void)user;
    return rb_constant_value(e, &n) && n >= 0 && n < 1e6 ? (int)n : -1;
}

static int range_size(const RbExpr *e) {
    double a, h, b;
    if (!rb_constant_value(e->args[0], &a) || !rb_constant_value(e->args[1], &h) ||
        !rb_constant_value(e->args[2], &b) || h != 1 || e->type != RB_INTEGER)
        return -1;
    return b - a + 1 > 0 ? b - a + 1 < 1e6 ? (int)(b - a + 1) : -1 : 0;
}

static void slice_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    const int *base = sizes_of(w, e->args[0]);
    int n = 0;
    for (int d = 0; d < e->args[0]->rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        if (!s || s->op == RB_OP_ALL)
            dims[n++] = base[d];
        else if (s->rank > 0)
            dims[n++] = sizes_of(w, s)[0];
    }
}

static void product_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    int n = 0;
    if (a->rank == 2) dims[n++] = sizes_of(w, a)[0];
    if (b->rank == 2) dims[n++] = sizes_of(w, b)[1];
}

static void result_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    const RbExpr *call = e->op == RB_OP_RESULT ? e->args[0] : e;
    if (call->op != RB_OP_CALL || !w->code->compiled[call->index]) return;
    const RbFunction *g = w->model->functions.data[call->index];
    int var = g->input_count + (e->op == RB_OP_RESULT ? e->index : 0);
    RbFunctionVariable kind = rb_variable_kind(g, var);
    for (int d = 0; d < e->rank && (kind == RB_SMALL_ARRAY || kind == RB_FIXED_ARRAY); d++)
        dims[d] = rb_static_dim(g, var, d);
}

static void either_sizes(RbFunctionWriter *w, const RbExpr *e, int first, int *dims) {
    for (int k = first; k < e->arg_count; k++) {
        if (e->args[k]->rank != e->rank) continue;
        for (int d = 0; d < e->rank; d++) {
            if (dims[d] < 0) dims[d] = sizes_of(w, e->args[k])[d];
        }
    }
}

// Both branches of a choice must have them.
static void choice_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    const int *a = sizes_of(w, e->args[1]), *b = sizes_of(w, e->args[2]);
    for (int d = 0; d < e->rank; d++) dims[d] = a[d] == b[d] ? a[d] : -1;
}

static void constructor_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    dims[0] = e->arg_count;
    for (int d = 1; d < e->rank; d++) dims[d] = sizes_of(w, e->args[0])[d - 1];
}

static void builtin_sizes(RbFunctionWriter *w, const RbExpr *e, int *dims) {
    static const RbBuiltin known[] = {RB_FN_FILL,  RB_FN_IDENTITY, RB_FN_TRANSPOSE,
                                      RB_FN_OUTER, RB_FN_CROSS,    RB_FN_SKEW};
    bool is_known = rb_is_builtin(e, RB_TRAIT_MATHS) || rb_builtins[e->index].passes > 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) is_known |= e->index == (int)known[k];
    if (!is_known) return;
    Sizes s = {.w = w};
    RbShapeAsk ask = {.sizes = ask_sizes, .number = ask_number, .user = &s};
    rb_builtin_shape(e, &ask, dims);
    if (e->index == RB_FN_OUTER) {
        dims[0] = sizes_of(w, e->args[0])[0];
        dims[1] = sizes_of(w, e->args[1])[0];
    }
}

void rb_function_shape_node(RbFunctionWriter *w, const RbExpr *e) {
    int *dims = w->shapes + (size_t)e->id * RB_RANK_MAX;
    for (int d = 0; d < RB_RANK_MAX; d++) dims[d] = -1;
    if (e->rank == 0) return;
    switch ((RbOp)e->op) {
        case RB_OP_LOCAL: {
            RbFunctionVariable kind = rb_variable_kind(w->f, e->index);
            for (int d = 0; d < e->rank && kind != RB_FREE_ARRAY; d++)
                dims[d] = rb_static_dim(w->f, e->index, d);
            break;
        }
        case RB_OP_SUBSCRIPT: slice_sizes(w, e, dims); break;
        case RB_OP_RANGE: dims[0] = range_size(e); break;
        case RB_OP_ARRAY: constructor_sizes(w, e, dims); break;
        case RB_OP_CALL:
        case RB_OP_RESULT: result_sizes(w, e, dims); break;
        case RB_OP_IF: choice_sizes(w, e, dims); break;
        case RB_OP_BUILTIN: builtin_sizes(w, e, dims); break;
        case RB_OP_MUL:
            if (e->args[0]->rank > 0 && e->args[1]->rank > 0)
                product_sizes(w, e, dims);
            else
                either_sizes(w, e, 0, dims);
            break;
        default:
            if (rb_is_elementwise(e)) either_sizes(w, e, 0, dims);
    }
}

int rb_static_count(const RbFunctionWriter *w, const RbExpr *e) {
    double count = 1;
    for (int d = 0; d < e->rank; d++) {
        if (sizes_of(w, e)[d] < 0) return -1;
        count *= sizes_of(w, e)[d];
    }
    return count < 1e6 ? (int)count : -1;
}

bool rb_is_small_value(const RbFunctionWriter *w, const RbExpr *e) {
    int count = rb_static_count(w, e);
    return count >= 0 && count <= RB_SMALL_VALUE;
}

// --- places --------------------------------------------------------------------------------------

const RbExpr *rb_passed_through(const RbExpr *e) {
    while (e->op == RB_OP_BUILTIN && rb_builtins[e->index].passes > 0)
        e = e->args[rb_builtins[e->index].passes - 1];
    return e;
}

bool rb_is_constant_array(const RbExpr *e) {
    double value;
    if (e->op != RB_OP_ARRAY || e->arg_count == 0) return false;
    for (int i = 0; i < e->arg_count; i++) {
        const RbExpr *a = e->args[i];
        if (a->rank > 0 ? !rb_is_constant_array(a) || a->arg_count != e->args[0]->arg_count
                        : !rb_constant_value(a, &value))
            return false;
    }
    return true;
}

static void push_constants(RbFunctionWriter *w, const RbExpr *e) {
    RbCSource *source = w->constants->source;
    for (int i = 0; i < e->arg_count; i++) {
        double value;
        if (e->args[i]->rank > 0)
            push_constants(w, e->args[i]);
        else if (rb_constant_value(e->args[i], &value))
            rb_array_push(&source->constants, w->constants->arena, value);
    }
}

// The numbers of a constant array stand in the table one after the other.
static const char *constant_data(RbFunctionWriter *w, const RbExpr *e) {
    uint64_t *known = rb_map_find(&w->constant_arrays, (uint64_t)e->id);
    int place = known ? (int)*known : w->constants->source->constants.count;
    if (!known) {
        push_constants(w, e);
        rb_map_set(&w->constant_arrays, w->scratch, (uint64_t)e->id, (uint64_t)place);
    }
    return text("(rb_constants + %d)", place);
}

static const char *result_name(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *call = e->op == RB_OP_RESULT ? e->args[0] : e;
    const RbFunction *g = w->model->functions.data[call->index];
    int var = g->input_count + (e->op == RB_OP_RESULT ? e->index : 0);
    return text("q%d[%d]", w->temp[call->id], rb_function_slot(g, var));
}

const char *rb_function_data(RbFunctionWriter *w, const RbExpr *e) {
    e = rb_passed_through(e);
    if (e->op == RB_OP_CALL || e->op == RB_OP_RESULT) return text("%s.d", result_name(w, e));
    if (rb_function_has_temp(w, e))
        return text(w->traits[e->id] & RB_PLAIN ? "d%d" : "a%d.d", w->temp[e->id]);
    if (rb_is_constant_array(e)) return constant_data(w, e);
    if (e->op != RB_OP_LOCAL) return NULL;
    if (rb_variable_kind(w->f, e->index) == RB_FREE_ARRAY)
        return text("%s.d", rb_function_array_name(w, e->index));
    return text("p%d", e->index);
}

// An argument that has the same size in dimension *dim, which may be another one of it.
static const RbExpr *same_size(const RbExpr *e, int *dim) {
    bool product = e->op == RB_OP_MUL && e->args[0]->rank > 0 && e->args[1]->rank > 0;
    if (product) {
        bool left = e->args[0]->rank == 2 && *dim == 0;
        if (!left) *dim = 1;
        return e->args[left ? 0 : 1];
    }
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_TRANSPOSE) {
        *dim = 1 - *dim;
        return e->args[0];
    }
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_OUTER) {
        const RbExpr *a = e->args[*dim];
        *dim = 0;
        return a;
    }
    if (e->op == RB_OP_ARRAY) return --*dim, e->args[0];
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank == e->rank) return e->args[i];
    }
    return NULL;
}

static const char *slice_dim(RbFunctionWriter *w, const RbExpr *e, int dim) {
    for (int d = 0, n = 0; d < e->args[0]->rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        if (s && s->op != RB_OP_ALL && s->rank == 0) continue;
        if (n++ < dim) continue;
        if (!s || s->op == RB_OP_ALL) return rb_function_dim(w, e->args[0], d);
        if (s->op == RB_OP_RANGE) return text("c%d_%d", w->view[e->id], d);
        return rb_function_dim(w, s, 0);
    }
    return "0";
}

const char *rb_variable_dim(RbFunctionWriter *w, int var, int dim) {
    if (rb_variable_kind(w->f, var) == RB_FREE_ARRAY)
        return text("%s.n[%d]", rb_function_array_name(w, var), dim);
    int n = rb_static_dim(w->f, var, dim);
    return n >= 0 ? text("%d", n) : text("p%d_%d", var, dim);
}

const char *rb_function_dim(RbFunctionWriter *w, const RbExpr *e, int dim) {
    e = rb_passed_through(e);
    if (sizes_of(w, e)[dim] >= 0) return text("%d", sizes_of(w, e)[dim]);
    if (e->op == RB_OP_CALL || e->op == RB_OP_RESULT)
        return text("%s.n[%d]", result_name(w, e), dim);
    if (rb_function_has_temp(w, e)) return text("a%d.n[%d]", w->temp[e->id], dim);
    if (e->op == RB_OP_LOCAL) return rb_variable_dim(w, e->index, dim);
    if (e->op == RB_OP_SUBSCRIPT) return slice_dim(w, e, dim);
    if (e->op == RB_OP_BUILTIN && (e->index == RB_FN_FILL || e->index == RB_FN_IDENTITY))
        return text("c%d_%d", w->view[e->id], e->index == RB_FN_FILL ? dim : 0);
    const RbExpr *a = same_size(e, &dim);
    return a ? rb_function_dim(w, a, dim) : "0";
}
