// SPDX-License-Identifier: MIT
#include "dae/elements.h"

#include <math.h>
#include <string.h>

#include "expr/builtins.h"
#include "expr/eval.h"
#include "expr/simplify.h"

static void fail(RbElements *el, const char *why) {
    if (el->error) return;
    el->error = why;
    el->at = el->w->at;
}

// --- sizes and constant subscripts ---------------------------------------------------------------

static RbEnv environment(RbElements *el, RbArena *arena) {
    return (RbEnv){.model = el->w->model, .arena = arena, .lookup = rb_work_lookup, .user = el->w};
}

// A value that decides which equations there are.
static bool constant(RbElements *el, const RbExpr *e, RbExprValue *value) {
    RbEnv env = environment(el, el->w->scratch);
    if (!rb_eval(&env, e, value)) return false;
    rb_mark_structural_expr(el->w, e);
    return true;
}

static int constant_int(RbElements *el, const RbExpr *e) {
    RbExprValue v;
    if (!constant(el, e, &v) || !v.data || v.rank > 0) {
        fail(el, "an array size or subscript is not known before the run");
        el->open = true;
        return 0;
    }
    if (fabs(v.data[0]) <= RB_SIZE_MAX) return (int)v.data[0];
    fail(el, "an array size or subscript is too large");
    return 0;
}

static int product(RbElements *el, const int *dims, int rank) {
    int count = rb_size_product(rank, dims);
    if (count >= 0) return count;
    fail(el, "an array has a negative size or more than " RB_SIZE_MAX_TEXT " elements");
    return 0;
}

// Arguments that a size of the result follows from.
static void mark_deciding(RbElements *el, const RbExpr *size, const RbExpr *call) {
    if (size->op == RB_OP_LOCAL && size->index < call->arg_count && size->rank == 0)
        rb_mark_structural_expr(el->w, call->args[size->index]);
    for (int i = 0; i < size->arg_count; i++) mark_deciding(el, size->args[i], call);
}

// Does a size follow from the value of input i, not only from its size?
static bool follows_from(const RbExpr *size, int i) {
    if (size->op == RB_OP_LOCAL) return size->index == i;
    int first = size->op == RB_OP_BUILTIN && size->index == RB_FN_SIZE;
    for (int k = first; k < size->arg_count; k++)
        if (follows_from(size->args[k], i)) return true;
    return false;
}

static bool decides(const RbFunctionVar *out, int i) {
    for (int k = 0; k < out->rank; k++)
        if (out->dims[k] && follows_from(out->dims[k], i)) return true;
    return false;
}

static int open_shape(RbElements *el, int rank, int dims[RB_RANK_MAX]) {
    fail(el, "the size of the result of a function is not known before the run");
    el->open = true;
    for (int k = 0; k < rank; k++) dims[k] = 0;
    return 0;
}

// Sizes that the function finds while it computes: what decides them cannot change afterwards.
static int computed_shape(RbElements *el, const RbExpr *call, int result, const RbFunctionVar *out,
                          int dims[RB_RANK_MAX]) {
    RbExprs *x = el->w->model->exprs;
    const RbExpr *e = result == 0 ? call : rb_result(x, call, result, out->type, out->rank);
    RbExprValue value;
    if (!constant(el, e, &value) || value.rank != out->rank) return open_shape(el, out->rank, dims);
    memcpy(dims, value.dims, (size_t)out->rank * sizeof *dims);
    return product(el, dims, out->rank);
}

// Sizes of the result of a call: its dimensions are expressions over the inputs, whose sizes are
// known.
static int call_shape(RbElements *el, const RbExpr *call, int result, int dims[RB_RANK_MAX]) {
    const RbFunction *f = el->w->model->functions.data[call->index];
    const RbFunctionVar *out = &f->vars.data[f->input_count + result];
    for (int k = 0; k < out->rank; k++)
        if (!out->dims[k]) return computed_shape(el, call, result, out, dims);
    RbEnv env = environment(el, el->w->scratch);
    RbExprValue *locals = rb_new_array(env.arena, RbExprValue, f->vars.count + 1);
    for (int i = 0; i < call->arg_count; i++) {
        int d[RB_RANK_MAX];
        rb_shape(el, call->args[i], d);
        RbEnv own = environment(el, el->w->scratch);
        if (!decides(out, i)) {
            locals[i] =
                rb_value_array(env.arena, (RbType)call->args[i]->type, call->args[i]->rank, d);
        } else if (!rb_eval(&own, call->args[i], &locals[i])) {
            return open_shape(el, out->rank, dims);
        }
    }
    env.locals = locals;
    env.function = f;
    for (int k = 0; k < out->rank; k++) {
        double n = 0;
        mark_deciding(el, out->dims[k], call);
        if (!rb_eval_number(&env, out->dims[k], &n))
            return open_shape(el, out->rank, dims);
        if (!rb_size_from(n, &dims[k]))
            fail(el, "the size of the result of a function is impossible");
    }
    return product(el, dims, out->rank);
}

static int subscript_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]) {
    int whole[RB_RANK_MAX], rank = 0;
    const RbExpr *a = e->args[0];
    rb_shape(el, a, whole);
    for (int d = 0; d < a->rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        if (s && s->rank == 0) continue;
        int own[RB_RANK_MAX] = {0};
        dims[rank++] = !s || s->op == RB_OP_ALL ? whole[d] : rb_shape(el, s, own);
    }
    return product(el, dims, rank);
}

static int product_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    int da[RB_RANK_MAX], db[RB_RANK_MAX], rank = 0;
    rb_shape(el, a, da);
    rb_shape(el, b, db);
    if (a->rank == 0 || b->rank == 0) {
        memcpy(dims, a->rank == 0 ? db : da, sizeof da);
        return product(el, dims, e->rank);
    }
    if (a->rank == 2) dims[rank++] = da[0];
    if (b->rank == 2) dims[rank++] = db[1];
    return product(el, dims, rank);
}

static void ask_sizes(void *user, const RbExpr *e, int dims[RB_RANK_MAX]) {
    rb_shape(user, e, dims);
}

static int ask_number(void *user, const RbExpr *e) {
    return constant_int(user, e);
}

static int builtin_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]) {
    rb_builtin_shape(e, &(RbShapeAsk){ask_sizes, ask_number, NULL, el}, dims);
    return product(el, dims, e->rank);
}

static int reduce_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]) {
    int rank = 0, own[RB_RANK_MAX] = {0};
    for (int i = e->arg_count - 1; i >= 2; i -= 2) // the first iterator is the fastest
        dims[rank++] = rb_shape(el, e->args[i], own);
    return product(el, dims, rank);
}

int rb_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]) {
    if (e->rank == 0) return 1;
    switch ((RbOp)e->op) {
        case RB_OP_VAR:
            memcpy(dims, el->w->model->vars.data[e->index].dims, RB_RANK_MAX * sizeof *dims);
            return product(el, dims, e->rank);
        case RB_OP_ARRAY: {
            int rest[RB_RANK_MAX] = {0};
            int count = e->arg_count > 0 ? rb_shape(el, e->args[0], rest) : 1;
            dims[0] = e->arg_count;
            memcpy(dims + 1, rest, (RB_RANK_MAX - 1) * sizeof *dims);
            int sizes[] = {e->arg_count, count};
            return product(el, sizes, 2);
        }
        case RB_OP_RANGE: {
            RbExprValue v;
            if (!constant(el, e, &v)) {
                fail(el, "the limits of a range are not known before the run");
                el->open = true;
                return dims[0] = 0;
            }
            return dims[0] = v.count;
        }
        case RB_OP_MUL: return product_shape(el, e, dims);
        case RB_OP_IF: return rb_shape(el, e->args[1], dims);
        case RB_OP_SUBSCRIPT: return subscript_shape(el, e, dims);
        case RB_OP_CALL: return call_shape(el, e, 0, dims);
        case RB_OP_RESULT: return call_shape(el, e->args[0], e->index, dims);
        case RB_OP_BUILTIN: return builtin_shape(el, e, dims);
        case RB_OP_REDUCE: return reduce_shape(el, e, dims);
        default: // elementwise: the argument that is an array
            for (int i = 0; i < e->arg_count; i++) {
                if (e->args[i]->rank > 0) return rb_shape(el, e->args[i], dims);
            }
            fail(el, "an array has no size");
            return 0;
    }
}

// --- elements ------------------------------------------------------------------------------------

static const RbExpr *combine(RbElements *el, RbBuiltin f, const RbExpr *a, const RbExpr *b) {
    RbExprs *x = el->w->x;
    if (f == RB_FN_SUM) return rb_add(x, a, b);
    return f == RB_FN_PRODUCT ? rb_mul(x, a, b) : rb_builtin2(x, f, a, b);
}

// sum, product, min or max of some terms: a few one after the other as in a loop, many as a balanced
// tree, since a nest of thousands would exhaust the stack of whoever walks it.
static const RbExpr *join(RbElements *el, RbBuiltin f, const RbExpr *const *terms, int count) {
    enum { FEW = 16 };
    if (count == 0) return rb_real(el->w->x, f == RB_FN_PRODUCT ? 1.0 : 0.0);
    if (count > FEW)
        return combine(el, f, join(el, f, terms, count / 2),
                       join(el, f, terms + count / 2, count - count / 2));
    const RbExpr *result = terms[0];
    for (int k = 1; k < count; k++) result = combine(el, f, result, terms[k]);
    return result;
}

static const RbExpr *dot(RbElements *el, const RbExpr *a, int a_first, int a_step, const RbExpr *b,
                         int b_first, int b_step, int count) {
    RbExprs *x = el->w->x;
    RbArena *terms_arena = rb_arena_child(el->w->arena); // elements use the scratch arena
    const RbExpr **terms = rb_new_array(terms_arena, const RbExpr *, count + 1);
    for (int k = 0; k < count; k++)
        terms[k] = rb_mul(x, rb_element(el, a, a_first + k * a_step),
                          rb_element(el, b, b_first + k * b_step));
    const RbExpr *result = join(el, RB_FN_SUM, terms, count);
    rb_arena_free(terms_arena);
    return result;
}

static const RbExpr *product_element(RbElements *el, const RbExpr *e, int k) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    if (a->rank == 0 || b->rank == 0)
        return rb_mul(el->w->x, rb_element(el, a, k), rb_element(el, b, k));
    int da[RB_RANK_MAX], db[RB_RANK_MAX];
    rb_shape(el, a, da);
    rb_shape(el, b, db);
    int inner = da[a->rank - 1], columns = b->rank == 2 ? db[1] : 1;
    if (inner != db[0]) fail(el, "the inner sizes of a matrix product differ");
    return dot(el, a, k / columns * inner, 1, b, k % columns, columns,
               inner < db[0] ? inner : db[0]);
}

// Index of the element of the whole array that element k of a subscripted one is; -1 if a subscript
// is not constant.
static int picked_index(RbElements *el, const RbExpr *e, int k,
                        const RbExpr *variable[RB_RANK_MAX]) {
    const RbExpr *a = e->args[0];
    int whole[RB_RANK_MAX], dims[RB_RANK_MAX], at[RB_RANK_MAX] = {0};
    rb_shape(el, a, whole);
    subscript_shape(el, e, dims);
    for (int d = e->rank - 1; d >= 0 && dims[d] > 0; d--) {
        at[d] = k % dims[d];
        k /= dims[d];
    }
    int index = 0, own = 0;
    bool constants = true;
    for (int d = 0; d < a->rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        int i = 0;
        RbExprValue v;
        if (!s || s->op == RB_OP_ALL) {
            i = at[own++];
            variable[d] = rb_integer(el->w->x, i + 1);
        } else {
            const RbExpr *one = s->rank > 0 ? rb_element(el, s, at[own++]) : rb_scalar_expr(el, s);
            variable[d] = one;
            if (constant(el, one, &v) && v.data)
                i = (int)v.data[0] - 1;
            else
                constants = false;
            if (constants && (i < 0 || i >= whole[d])) {
                fail(el, rb_arena_printf(el->w->arena, "subscript %d is outside 1 to %d", i + 1,
                                         whole[d]));
                i = 0;
            }
        }
        index = index * whole[d] + i;
    }
    return constants ? index : -1;
}

static const RbExpr *subscript_element(RbElements *el, const RbExpr *e, int k) {
    const RbExpr *subscripts[RB_RANK_MAX];
    int index = picked_index(el, e, k, subscripts);
    if (index >= 0) return rb_element(el, e->args[0], index);
    return rb_subscript(el->w->x, rb_constructor(el, e->args[0]), subscripts, e->args[0]->rank);
}

static const RbExpr *cat_element(RbElements *el, const RbExpr *e, int k) {
    int dims[RB_RANK_MAX], own[RB_RANK_MAX], d = constant_int(el, e->args[0]) - 1, after = 1;
    rb_shape(el, e, dims);
    for (int i = d + 1; i < e->rank; i++) after *= dims[i];
    int row = k / (dims[d] * after), in_row = k % (dims[d] * after);
    for (int i = 1; i < e->arg_count; i++) {
        rb_shape(el, e->args[i], own);
        int block = own[d] * after;
        if (in_row < block) return rb_element(el, e->args[i], row * block + in_row);
        in_row -= block;
    }
    fail(el, "cat of arrays whose sizes do not fit");
    return rb_real(el->w->x, 0.0);
}

static const RbExpr *cross_element(RbElements *el, const RbExpr *e, int k) {
    RbExprs *x = el->w->x;
    const RbExpr *a = e->args[0], *b = e->args[1];
    int i = (k + 1) % 3, j = (k + 2) % 3;
    return rb_sub(x, rb_mul(x, rb_element(el, a, i), rb_element(el, b, j)),
                  rb_mul(x, rb_element(el, a, j), rb_element(el, b, i)));
}

static const RbExpr *skew_element(RbElements *el, const RbExpr *e, int k) {
    static const int which[9] = {0,  -3, 2, 3, 0,
                                 -1, -2, 1, 0}; // element of the vector (from 1) with its sign
    int i = which[k];
    if (i == 0) return rb_real(el->w->x, 0.0);
    const RbExpr *u = rb_element(el, e->args[0], (i < 0 ? -i : i) - 1);
    return i < 0 ? rb_neg(el->w->x, u) : u;
}

static const RbExpr *builtin_element(RbElements *el, const RbExpr *e, int k) {
    RbExprs *x = el->w->x;
    int dims[RB_RANK_MAX], n = 0;
    if (e->rank > 0) {
        rb_shape(el, e, dims);
        n = dims[e->rank - 1];
    }
    const RbExpr *a = e->args[0];
    switch ((RbBuiltin)e->index) {
        case RB_FN_FILL: return rb_scalar_expr(el, a);
        case RB_FN_IDENTITY: return rb_integer(x, k / n == k % n);
        case RB_FN_DIAGONAL: return k / n == k % n ? rb_element(el, a, k / n) : rb_real(x, 0.0);
        case RB_FN_LINSPACE: {
            const RbExpr *from = rb_scalar_expr(el, a), *to = rb_scalar_expr(el, e->args[1]);
            const RbExpr *part =
                rb_div(x, rb_mul(x, rb_sub(x, to, from), rb_integer(x, k)), rb_integer(x, n - 1));
            return rb_add(x, from, part);
        }
        case RB_FN_TRANSPOSE: return rb_element(el, a, k % n * dims[0] + k / n);
        case RB_FN_SYMMETRIC: {
            int i = k / n, j = k % n;
            return rb_element(el, a, i <= j ? i * n + j : j * n + i);
        }
        case RB_FN_OUTER:
            return rb_mul(x, rb_element(el, a, k / n), rb_element(el, e->args[1], k % n));
        case RB_FN_CROSS: return cross_element(el, e, k);
        case RB_FN_SKEW: return skew_element(el, e, k);
        case RB_FN_CAT: return cat_element(el, e, k);
        case RB_FN_VECTOR:
        case RB_FN_MATRIX: return rb_element(el, a, k);
        default: break;
    }
    const RbExpr *args[8];
    if (e->arg_count > 8) return fail(el, "too many arguments"), a;
    for (int i = 0; i < e->arg_count; i++) args[i] = rb_element(el, e->args[i], k);
    return rb_builtin(x, (RbBuiltin)e->index, args, e->arg_count);
}

static const RbExpr *iterator_value(void *user, const RbExpr *e) {
    const RbExpr **pair = user;
    return e == pair[0] ? pair[1] : NULL;
}

static const RbExpr *iteration(RbElements *el, const RbExpr *e, int k) {
    const RbExpr *body = e->args[0];
    int below = 1, own[RB_RANK_MAX] = {0};
    for (int i = 2; i < e->arg_count; i += 2) {
        int n = rb_shape(el, e->args[i], own);
        const RbExpr *pair[] = {e->args[i - 1],
                                rb_element(el, e->args[i], n > 0 ? k / below % n : 0)};
        body = rb_substitute(el->w->x, body, iterator_value, pair, *el->w->scratch);
        below *= n;
    }
    return rb_scalar_expr(el, body);
}

static const RbExpr *call_element(RbElements *el, const RbExpr *e, int k) {
    RbExprs *x = el->w->x;
    int dims[RB_RANK_MAX];
    const RbExpr *index[RB_RANK_MAX], *whole = rb_scalar_expr(el, e);
    if (rb_shape(el, e, dims) == 0) return rb_real(x, 0.0); // an error is reported already
    for (int d = e->rank - 1; d >= 0; d--) {
        index[d] = rb_integer(x, k % dims[d] + 1);
        k /= dims[d];
    }
    return rb_subscript(x, whole, index, e->rank);
}

// A^n by squaring, A^5 = A (A^2)^2; the exponent is known before the run.
static const RbExpr *power_element(RbElements *el, const RbExpr *e, int k) {
    RbExprs *x = el->w->x;
    RbExprValue v;
    int dims[RB_RANK_MAX];
    double n = constant(el, e->args[1], &v) && v.data ? v.data[0] : -1;
    if (!(n >= 0 && n < 1e6) || n != floor(n)) {
        fail(el, "the exponent of a matrix must be an Integer from 0 on, known before the run");
        return rb_real(x, 0.0);
    }
    rb_shape(el, e, dims);
    if (n == 0) return rb_real(x, k / dims[1] == k % dims[1]);
    const RbExpr *power = NULL, *square = e->args[0];
    for (int rest = (int)n; rest > 0; rest /= 2) {
        // each product taken apart at once, so that its elements are shared
        if (rest % 2 == 1) power = power ? rb_constructor(el, rb_mul(x, square, power)) : square;
        if (rest > 1) square = rb_constructor(el, rb_mul(x, square, square));
    }
    return rb_element(el, power, k);
}

const RbExpr *rb_element(RbElements *el, const RbExpr *e, int k) {
    RbExprs *x = el->w->x;
    if (e->rank == 0) return rb_scalar_expr(el, e);
    switch ((RbOp)e->op) {
        case RB_OP_VAR:
            if (rb_work_at(el->w, e->index)->whole) {
                fail(el, "an array that stays whole is used element by element");
                return rb_real(x, 0.0);
            }
            return rb_flat_ref(el->w->model, el->w->dae->vars.data[e->index].elements + k);
        case RB_OP_ARRAY: {
            int own[RB_RANK_MAX];
            int below = rb_shape(el, e->args[0], own);
            if (below == 0 || k / below >= e->arg_count)
                return fail(el, "the sizes of two arrays differ"), rb_real(x, 0);
            return rb_element(el, e->args[k / below], k % below);
        }
        case RB_OP_RANGE:
            return rb_add(x, rb_scalar_expr(el, e->args[0]),
                          rb_mul(x, rb_integer(x, k), rb_scalar_expr(el, e->args[1])));
        case RB_OP_MUL: return product_element(el, e, k);
        case RB_OP_SUBSCRIPT: return subscript_element(el, e, k);
        case RB_OP_CALL:
        case RB_OP_RESULT: return call_element(el, e, k);
        case RB_OP_BUILTIN: return builtin_element(el, e, k);
        case RB_OP_REDUCE: return iteration(el, e, k);
        case RB_OP_POW: return power_element(el, e, k);
        default: break;
    }
    const RbExpr *args[3];
    for (int i = 0; i < e->arg_count && i < 3; i++) args[i] = rb_element(el, e->args[i], k);
    return rb_apply(x, (RbOp)e->op, args, e->arg_count);
}

const RbExpr *rb_constructor(RbElements *el, const RbExpr *e) {
    int dims[RB_RANK_MAX];
    int count = rb_shape(el, e, dims);
    const RbExpr **elements = rb_new_array(el->w->scratch, const RbExpr *, count + 1);
    for (int k = 0; k < count; k++) elements[k] = rb_element(el, e, k);
    for (int d = e->rank - 1; d >= 0; d--) { // rows, then rows of rows
        int groups = dims[d] > 0 ? count / dims[d] : 0;
        if (groups == 0) return rb_array(el->w->x, NULL, 0);
        for (int g = 0; g < groups; g++)
            elements[g] = rb_array(el->w->x, elements + g * dims[d], dims[d]);
        count = groups;
    }
    return elements[0];
}

// --- scalars with arrays inside ------------------------------------------------------------------

// sum, product, min and max of the elements of an array or an iteration.
static const RbExpr *over_elements(RbElements *el, RbBuiltin f, const RbExpr *e, int count) {
    bool loop = e->op == RB_OP_REDUCE && e->rank == 0;
    RbArena *terms_arena = rb_arena_child(el->w->arena); // elements use the scratch arena
    const RbExpr **terms = rb_new_array(terms_arena, const RbExpr *, count + 1);
    for (int k = 0; k < count; k++) terms[k] = loop ? iteration(el, e, k) : rb_element(el, e, k);
    const RbExpr *result = join(el, f, terms, count);
    rb_arena_free(terms_arena);
    return result;
}

static const RbExpr *scalar_builtin(RbElements *el, const RbExpr *e) {
    int dims[RB_RANK_MAX] = {0};
    RbBuiltin f = (RbBuiltin)e->index;
    switch (f) {
        case RB_FN_SIZE: {
            bool whole = e->args[0]->op == RB_OP_VAR && rb_work_at(el->w, e->args[0]->index)->whole;
            if (whole) return rb_size_of_whole(el, e);
            int d = constant_int(el, e->args[1]);
            rb_shape(el, e->args[0], dims);
            return rb_integer(el->w->x, d >= 1 && d <= RB_RANK_MAX ? dims[d - 1] : 0);
        }
        case RB_FN_SUM:
        case RB_FN_PRODUCT:
        case RB_FN_MIN:
        case RB_FN_MAX: return over_elements(el, f, e->args[0], rb_shape(el, e->args[0], dims));
        case RB_FN_SCALAR: return rb_element(el, e->args[0], 0);
        default:
            fail(el, "an array stands where a scalar is expected");
            return rb_real(el->w->x, 0.0);
    }
}

static const RbExpr *scalar_reduction(RbElements *el, const RbExpr *e) {
    static const RbBuiltin functions[] = {RB_FN_SUM, RB_FN_SUM, RB_FN_PRODUCT, RB_FN_MIN,
                                          RB_FN_MAX}; // ORDER RbReduction
    int own[RB_RANK_MAX] = {0}, counts[RB_RANK_MAX] = {0}, rank = 0;
    for (int i = 2; i < e->arg_count && rank < RB_RANK_MAX; i += 2)
        counts[rank++] = rb_shape(el, e->args[i], own);
    return over_elements(el, functions[e->index], e, product(el, counts, rank));
}

// Are all arguments scalars, so that the operation stays as it is?
static bool scalar_arguments(const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank > 0) return false;
    }
    return true;
}

static const RbExpr *rebuild_scalar(RbElements *el, const RbExpr *e) {
    bool call = e->op == RB_OP_CALL || e->op == RB_OP_RESULT;
    if (e->op == RB_OP_REDUCE) return scalar_reduction(el, e);
    if (e->op == RB_OP_SUBSCRIPT && e->args[0]->op != RB_OP_CALL &&
        e->args[0]->op != RB_OP_RESULT) {
        return subscript_element(el, e, 0);
    }
    if (!scalar_arguments(e) && !call && e->op != RB_OP_SUBSCRIPT) {
        return e->op == RB_OP_BUILTIN ? scalar_builtin(el, e) : product_element(el, e, 0);
    }
    const RbExpr **args = rb_new_array(el->w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        // The result of one call as an argument of another is taken apart as any other array is.
        bool keep =
            e->op != RB_OP_CALL && (e->args[i]->op == RB_OP_CALL || e->args[i]->op == RB_OP_RESULT);
        args[i] = e->args[i]->rank > 0 && !keep ? rb_constructor(el, e->args[i])
                                                : rb_scalar_expr(el, e->args[i]);
    }
    return rb_rebuild(el->w->x, e, args);
}

const RbExpr *rb_scalar_expr(RbElements *el, const RbExpr *e) {
    if (e->arg_count == 0) return e;
    uint64_t *known = rb_map_find(&el->done, (uint64_t)e->id);
    if (known) return el->w->x->nodes[*known];
    const RbExpr *open = e->rank > 0 || scalar_arguments(e) ? NULL : rb_open_scalar(el, e);
    const RbExpr *result = open ? open : rebuild_scalar(el, e);
    rb_map_set(&el->done, el->w->scratch, (uint64_t)e->id, (uint64_t)result->id);
    return result;
}
