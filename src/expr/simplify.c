// SPDX-License-Identifier: MIT
// simplify.c: the constructors of operations, with the rules of algebra that hold exactly.
//
// Exactly means: for finite arguments the simplified expression has the same value in
// floating-point arithmetic (up to the sign of a zero). So x + 0 = x, 0 * x = 0, -(a - b) = b - a
// and (-a) * b = -(a * b), but no reassociation and no x / x = 1.
#include "expr/simplify.h"

#include "expr/builtins.h"
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "expr/fold.h"
#include "expr/node.h"

static bool scalar(const RbExpr *e) {
    return e->rank == 0;
}

static RbType numeric_type(const RbExpr *a, const RbExpr *b) {
    return a->type == RB_INTEGER && b->type == RB_INTEGER ? RB_INTEGER : RB_REAL;
}

static const RbExpr *zero(RbExprs *x, RbType type) {
    return type == RB_INTEGER ? rb_integer(x, 0) : rb_real(x, 0.0);
}

static const RbExpr *binary(RbExprs *x, RbOp op, RbType type, int rank, const RbExpr *a,
                            const RbExpr *b) {
    const RbExpr *args[] = {a, b};
    return rb_node(x, op, type, rank, 0, args, 2);
}

static int max_rank(const RbExpr *a, const RbExpr *b) {
    return a->rank > b->rank ? a->rank : b->rank;
}

// --- der, pre ------------------------------------------------------------------------------------

const RbExpr *rb_der(RbExprs *x, const RbExpr *a) {
    if (rb_is_constant(a)) return rb_real(x, 0.0);
    if (a->op == RB_OP_TIME) return rb_real(x, 1.0);
    return rb_node(x, RB_OP_DER, RB_REAL, a->rank, 0, &a, 1);
}

const RbExpr *rb_pre(RbExprs *x, const RbExpr *a) {
    if (rb_is_constant(a)) return a;
    return rb_node(x, RB_OP_PRE, a->type, a->rank, 0, &a, 1);
}

// --- arithmetic ----------------------------------------------------------------------------------

const RbExpr *rb_neg(RbExprs *x, const RbExpr *a) {
    const RbExpr *folded = rb_fold(x, RB_OP_NEG, 0, a->type, &a, 1);
    if (folded) return folded;
    if (a->op == RB_OP_NEG) return a->args[0];
    if (a->op == RB_OP_SUB) return rb_sub(x, a->args[1], a->args[0]);
    return rb_node(x, RB_OP_NEG, a->type, a->rank, 0, &a, 1);
}

const RbExpr *rb_add(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    RbType type = numeric_type(a, b);
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, RB_OP_ADD, 0, type, args, 2);
    if (folded) return folded;
    if (scalar(a) && scalar(b)) {
        if (rb_is_number(a, 0) && b->type == type) return b;
        if (rb_is_number(b, 0) && a->type == type) return a;
    }
    if (b->op == RB_OP_NEG) return rb_sub(x, a, b->args[0]);
    if (a->op == RB_OP_NEG) return rb_sub(x, b, a->args[0]);
    return binary(x, RB_OP_ADD, type, max_rank(a, b), a, b);
}

const RbExpr *rb_sub(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    RbType type = numeric_type(a, b);
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, RB_OP_SUB, 0, type, args, 2);
    if (folded) return folded;
    if (scalar(a) && scalar(b)) {
        if (a == b) return zero(x, type);
        if (rb_is_number(b, 0) && a->type == type) return a;
        if (rb_is_number(a, 0) && b->type == type) return rb_neg(x, b);
    }
    if (b->op == RB_OP_NEG) return rb_add(x, a, b->args[0]);
    return binary(x, RB_OP_SUB, type, max_rank(a, b), a, b);
}

// Rank of a product of linear algebra: scalar * any, dot product, matrix * vector, vector * matrix,
// matrix * matrix.
static int product_rank(const RbExpr *a, const RbExpr *b) {
    if (scalar(a)) return b->rank;
    if (scalar(b)) return a->rank;
    return a->rank + b->rank - 2;
}

static const RbExpr *mul_scalars(RbExprs *x, const RbExpr *a, const RbExpr *b, RbType type) {
    if (rb_is_number(a, 0) || rb_is_number(b, 0)) return zero(x, type);
    if (rb_is_number(a, 1) && b->type == type) return b;
    if (rb_is_number(b, 1) && a->type == type) return a;
    if (rb_is_number(a, -1) && b->type == type) return rb_neg(x, b);
    if (rb_is_number(b, -1) && a->type == type) return rb_neg(x, a);
    return NULL;
}

const RbExpr *rb_mul(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    RbType type = numeric_type(a, b);
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, RB_OP_MUL, 0, type, args, 2);
    if (!folded && scalar(a) && scalar(b)) folded = mul_scalars(x, a, b, type);
    if (folded) return folded;
    if (a->op == RB_OP_NEG) return rb_neg(x, rb_mul(x, a->args[0], b));
    if (b->op == RB_OP_NEG) return rb_neg(x, rb_mul(x, a, b->args[0]));
    return binary(x, RB_OP_MUL, type, product_rank(a, b), a, b);
}

const RbExpr *rb_div(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, RB_OP_DIV, 0, RB_REAL, args, 2);
    if (folded) return folded;
    if (rb_is_number(b, 1) && a->type == RB_REAL) return a;
    if (rb_is_number(b, -1) && a->type == RB_REAL) return rb_neg(x, a);
    if (a->op == RB_OP_NEG) return rb_neg(x, rb_div(x, a->args[0], b));
    if (b->op == RB_OP_NEG) return rb_neg(x, rb_div(x, a, b->args[0]));
    return binary(x, RB_OP_DIV, RB_REAL, a->rank, a, b);
}

const RbExpr *rb_pow(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, RB_OP_POW, 0, RB_REAL, args, 2);
    if (folded) return folded;
    if (scalar(a)) {
        if (rb_is_number(b, 0)) return rb_real(x, 1.0);
        if (rb_is_number(b, 1) && a->type == RB_REAL) return a;
    }
    return binary(x, RB_OP_POW, RB_REAL, a->rank, a, b);
}

static const RbExpr *elementwise(RbExprs *x, RbOp op, const RbExpr *a, const RbExpr *b) {
    if (scalar(a) && scalar(b)) {
        if (op == RB_OP_EMUL) return rb_mul(x, a, b);
        return op == RB_OP_EDIV ? rb_div(x, a, b) : rb_pow(x, a, b);
    }
    RbType type = op == RB_OP_EMUL ? numeric_type(a, b) : RB_REAL;
    return binary(x, op, type, max_rank(a, b), a, b);
}

const RbExpr *rb_sum(RbExprs *x, const RbExpr *const *terms, int count) {
    if (count == 0) return rb_real(x, 0.0);
    if (count == 1) return terms[0];
    int half = count / 2;
    return rb_add(x, rb_sum(x, terms, half), rb_sum(x, terms + half, count - half));
}

// --- relations and logic -------------------------------------------------------------------------

const RbExpr *rb_relate(RbExprs *x, RbOp op, const RbExpr *a, const RbExpr *b) {
    RB_ASSERT(op >= RB_OP_LT && op <= RB_OP_NE);
    const RbExpr *args[] = {a, b};
    const RbExpr *folded = rb_fold(x, op, 0, RB_BOOLEAN, args, 2);
    if (folded) return folded;
    if (a == b) return rb_boolean(x, op == RB_OP_LE || op == RB_OP_GE || op == RB_OP_EQ);
    return binary(x, op, RB_BOOLEAN, 0, a, b);
}

static bool is_true(const RbExpr *e) {
    return e->op == RB_OP_BOOLEAN && e->integer;
}
static bool is_false(const RbExpr *e) {
    return e->op == RB_OP_BOOLEAN && !e->integer;
}

const RbExpr *rb_not(RbExprs *x, const RbExpr *a) {
    if (a->op == RB_OP_BOOLEAN) return rb_boolean(x, !a->integer);
    if (a->op == RB_OP_NOT) return a->args[0];
    return rb_node(x, RB_OP_NOT, RB_BOOLEAN, a->rank, 0, &a, 1);
}

const RbExpr *rb_and(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    if (is_false(a) || (is_false(b) && scalar(a))) return rb_boolean(x, false);
    if (is_true(a) || a == b) return b;
    if (is_true(b)) return a;
    return binary(x, RB_OP_AND, RB_BOOLEAN, max_rank(a, b), a, b);
}

const RbExpr *rb_or(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    if (is_true(a) || (is_true(b) && scalar(a))) return rb_boolean(x, true);
    if (is_false(a) || a == b) return b;
    if (is_false(b)) return a;
    return binary(x, RB_OP_OR, RB_BOOLEAN, max_rank(a, b), a, b);
}

const RbExpr *rb_if(RbExprs *x, const RbExpr *condition, const RbExpr *yes, const RbExpr *no) {
    RbType type = yes->type == no->type ? (RbType)yes->type : RB_REAL;
    if (is_true(condition) && yes->type == type) return yes;
    if (is_false(condition) && no->type == type) return no;
    if (yes == no) return yes;
    if (condition->op == RB_OP_NOT) return rb_if(x, condition->args[0], no, yes);
    const RbExpr *args[] = {condition, yes, no};
    return rb_node(x, RB_OP_IF, type, max_rank(yes, no), 0, args, 3);
}

// --- builtin functions ---------------------------------------------------------------------------

static bool sum_like(RbBuiltin f) {
    return f == RB_FN_SUM || f == RB_FN_PRODUCT || f == RB_FN_SCALAR;
}

// size(a, k) without the values of a: of a constructor it is a number, of -a, a + b and a - b that
// of an operand.
static const RbExpr *simpler_size(RbExprs *x, const RbExpr *a, const RbExpr *dimension) {
    double k;
    if (a->op == RB_OP_NEG || a->op == RB_OP_ADD || a->op == RB_OP_SUB)
        return rb_builtin2(x, RB_FN_SIZE, a->args[a->args[0]->rank < a->rank], dimension);
    if (a->op != RB_OP_ARRAY || !rb_constant_value(dimension, &k)) return NULL;
    if (k == 1) return rb_integer(x, a->arg_count);
    if (!(k > 1 && k <= a->rank) || a->arg_count == 0) return NULL;
    return rb_builtin2(x, RB_FN_SIZE, a->args[0], rb_integer(x, (int64_t)k - 1));
}

const RbExpr *rb_builtin(RbExprs *x, RbBuiltin f, const RbExpr *const *args, int count) {
    RbType type = rb_builtin_type(f, args, count);
    const RbExpr *folded = rb_fold(x, RB_OP_BUILTIN, (int)f, type, args, count);
    if (folded) return folded;
    bool of_scalar = count > 0 && scalar(args[0]);
    if (of_scalar && (sum_like(f) || f == RB_FN_TRANSPOSE)) return args[0];
    if (of_scalar && count == 1 && (f == RB_FN_MIN || f == RB_FN_MAX)) return args[0];
    if (f == RB_FN_NO_EVENT && rb_is_constant(args[0])) return args[0];
    if (f == RB_FN_SMOOTH && rb_is_constant(args[1])) return args[1];
    if (f == RB_FN_HOMOTOPY && args[0] == args[1]) return args[0];
    if (f == RB_FN_TO_REAL && args[0]->type == RB_REAL) return args[0];
    if (f == RB_FN_SIZE) {
        const RbExpr *size = simpler_size(x, args[0], args[1]);
        if (size) return size;
    }
    if (f == RB_FN_EDGE) return rb_and(x, args[0], rb_not(x, rb_pre(x, args[0])));
    if (f == RB_FN_CHANGE) return rb_relate(x, RB_OP_NE, args[0], rb_pre(x, args[0]));
    return rb_node(x, RB_OP_BUILTIN, type, rb_builtin_rank(f, args, count), (int)f, args, count);
}

const RbExpr *rb_builtin1(RbExprs *x, RbBuiltin f, const RbExpr *a) {
    return rb_builtin(x, f, &a, 1);
}

const RbExpr *rb_builtin2(RbExprs *x, RbBuiltin f, const RbExpr *a, const RbExpr *b) {
    const RbExpr *args[] = {a, b};
    return rb_builtin(x, f, args, 2);
}

// --- subscripts ----------------------------------------------------------------------------------

// An element of an array constructor with a constant index, as far as such subscripts go.
static const RbExpr *pick(const RbExpr *array, const RbExpr *const *subscripts, int count) {
    for (int i = 0; i < count; i++) {
        if (array->op != RB_OP_ARRAY || subscripts[i]->op != RB_OP_INTEGER) return NULL;
        int64_t k = subscripts[i]->integer;
        if (k < 1 || k > array->arg_count) return NULL; // an error; reported where it is evaluated
        array = array->args[k - 1];
    }
    return array;
}

const RbExpr *rb_subscript(RbExprs *x, const RbExpr *array, const RbExpr *const *subscripts,
                           int count) {
    if (count == 0) return array;
    const RbExpr *picked = pick(array, subscripts, count);
    if (picked) return picked;
    if (array->op == RB_OP_NEG)
        return rb_neg(x, rb_subscript(x, array->args[0], subscripts, count));
    const RbExpr *args[1 + RB_RANK_MAX] = {array};
    int rank = array->rank - count, plain = 0;
    RB_ASSERT(count <= array->rank);
    for (int i = 0; i < count; i++) {
        args[1 + i] = subscripts[i];
        rank += subscripts[i]->rank;
        if (subscripts[i]->op == RB_OP_ALL) plain++;
    }
    if (plain == count) return array;
    return rb_node(x, RB_OP_SUBSCRIPT, array->type, rank, 0, args, 1 + count);
}

// --- by operator ---------------------------------------------------------------------------------

const RbExpr *rb_apply(RbExprs *x, RbOp op, const RbExpr *const *args, int count) {
    (void)count;
    switch (op) {
        case RB_OP_DER: return rb_der(x, args[0]);
        case RB_OP_PRE: return rb_pre(x, args[0]);
        case RB_OP_NEG: return rb_neg(x, args[0]);
        case RB_OP_ADD: return rb_add(x, args[0], args[1]);
        case RB_OP_SUB: return rb_sub(x, args[0], args[1]);
        case RB_OP_MUL: return rb_mul(x, args[0], args[1]);
        case RB_OP_DIV: return rb_div(x, args[0], args[1]);
        case RB_OP_POW: return rb_pow(x, args[0], args[1]);
        case RB_OP_EMUL:
        case RB_OP_EDIV:
        case RB_OP_EPOW: return elementwise(x, op, args[0], args[1]);
        case RB_OP_LT:
        case RB_OP_LE:
        case RB_OP_GT:
        case RB_OP_GE:
        case RB_OP_EQ:
        case RB_OP_NE: return rb_relate(x, op, args[0], args[1]);
        case RB_OP_NOT: return rb_not(x, args[0]);
        case RB_OP_AND: return rb_and(x, args[0], args[1]);
        case RB_OP_OR: return rb_or(x, args[0], args[1]);
        case RB_OP_IF: return rb_if(x, args[0], args[1], args[2]);
        default: RB_ASSERT(false && "operator without arguments"); return args[0];
    }
}

const RbExpr *rb_rebuild(RbExprs *x, const RbExpr *like, const RbExpr *const *args) {
    int count = like->arg_count;
    if (count == 0 || memcmp(like->args, args, (size_t)count * sizeof *args) == 0) return like;
    switch ((RbOp)like->op) {
        case RB_OP_BUILTIN: return rb_builtin(x, (RbBuiltin)like->index, args, count);
        case RB_OP_CALL:
            return rb_call_function(x, like->index, (RbType)like->type, like->rank, args, count);
        case RB_OP_RESULT:
            return rb_result(x, args[0], like->index, (RbType)like->type, like->rank);
        case RB_OP_ARRAY: return rb_array(x, args, count);
        case RB_OP_RANGE: return rb_range(x, args[0], args[1], args[2]);
        case RB_OP_SUBSCRIPT: return rb_subscript(x, args[0], args + 1, count - 1);
        case RB_OP_REDUCE:
            return rb_node(x, RB_OP_REDUCE, like->type, like->rank, like->index, args, count);
        default: return rb_apply(x, (RbOp)like->op, args, count);
    }
}

// --- substitution --------------------------------------------------------------------------------

// The positions of all arguments in the order, one node after the other: walks that a replacement
// makes overwrite the marks in the pool.
static int *argument_places(const RbExprs *x, const RbExprOrder *order, RbArena *scratch) {
    int total = 0, n = 0;
    for (int i = 0; i < order->count; i++) total += order->nodes[i]->arg_count;
    int *places = rb_new_array(scratch, int, total);
    for (int i = 0; i < order->count; i++) {
        const RbExpr *e = order->nodes[i];
        for (int k = 0; k < e->arg_count; k++) places[n++] = rb_expr_position(x, e->args[k]);
    }
    return places;
}

static const RbExpr *substitute(RbExprs *x, const RbExpr *e, RbReplace replace, void *user,
                                bool only_leaves, RbArena scratch) {
    if (e->arg_count == 0) {
        const RbExpr *other = replace(user, e);
        return other ? other : e;
    }
    RbExprOrder order = rb_expr_order(x, &e, 1, &scratch);
    const int *place = argument_places(x, &order, &scratch);
    const RbExpr **done = rb_new_array(&scratch, const RbExpr *, order.count);
    RB_ARRAY(const RbExpr *) args = {0};
    for (int i = 0; i < order.count; i++) {
        const RbExpr *node = order.nodes[i];
        args.count = 0;
        for (int k = 0; k < node->arg_count; k++) rb_array_push(&args, &scratch, done[*place++]);
        const RbExpr *rebuilt = rb_rebuild(x, node, args.data);
        bool asked = !only_leaves || node->arg_count == 0;
        const RbExpr *other = asked ? replace(user, rebuilt) : NULL;
        done[i] = other ? other : rebuilt;
    }
    return done[order.count - 1];
}

const RbExpr *rb_substitute(RbExprs *x, const RbExpr *e, RbReplace replace, void *user,
                            RbArena scratch) {
    return substitute(x, e, replace, user, false, scratch);
}

const RbExpr *rb_substitute_leaves(RbExprs *x, const RbExpr *e, RbReplace replace, void *user,
                                   RbArena scratch) {
    return substitute(x, e, replace, user, true, scratch);
}

RbRewrite rb_rewrite(RbExprs *x, RbReplace replace, void *user, RbArena *arena) {
    return (RbRewrite){.x = x,
                       .replace = replace,
                       .user = user,
                       .arena = arena,
                       .done = rb_new_array(arena, const RbExpr *, x->count + 1),
                       .known = x->count};
}

// Room for nodes that were made since.
static void know_more(RbRewrite *r) {
    const RbExpr **done = rb_new_array(r->arena, const RbExpr *, r->x->count + 1);
    memcpy(done, r->done, (size_t)(r->known + 1) * sizeof *done);
    r->done = done;
    r->known = r->x->count;
}

// The first argument that is not done yet, or NULL.
static const RbExpr *open_argument(const RbRewrite *r, const RbExpr *e) {
    for (int k = 0; k < e->arg_count; k++) {
        if (!r->done[e->args[k]->id]) return e->args[k];
    }
    return NULL;
}

static const RbExpr *rewrite_node(RbRewrite *r, const RbExpr *e) {
    r->args.count = 0;
    for (int k = 0; k < e->arg_count; k++)
        rb_array_push(&r->args, r->arena, r->done[e->args[k]->id]);
    const RbExpr *rebuilt = rb_rebuild(r->x, e, r->args.data);
    const RbExpr *other = r->replace(r->user, rebuilt);
    return other ? other : rebuilt;
}

const RbExpr *rb_rewrite_expr(RbRewrite *r, const RbExpr *e) {
    if (!e) return NULL;
    if (e->id > r->known) know_more(r);
    if (r->done[e->id]) return r->done[e->id];
    r->stack.count = 0;
    rb_array_push(&r->stack, r->arena, e);
    while (r->stack.count > 0) {
        const RbExpr *top = r->stack.data[r->stack.count - 1], *next = open_argument(r, top);
        if (next) {
            rb_array_push(&r->stack, r->arena, next);
            continue;
        }
        r->done[top->id] = rewrite_node(r, top);
        r->stack.count--;
    }
    return r->done[e->id];
}
