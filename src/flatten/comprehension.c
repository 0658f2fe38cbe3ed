// SPDX-License-Identifier: MIT
// {x[i] for i in 1:n}, and reductions: sum(x[i] for i in 1:n) (specification, 10.3.4 and 10.4.1).
#include <string.h>

#include "flatten/expression.h"

static const RbAstExpr *body_of(const RbAstExpr *e) {
    return e->kids[e->kind == RB_AST_CALL ? 1 : 0];
}

// {body for i in a, j in b}: the last iterator is the outermost dimension.
static RbVal comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, int level) {
    const RbAstIterator *it = &e->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, body_of(e), &range)) return rb_val_error();
    if (range.dims[0] < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                "the range of '%s' must be known before the simulation starts", it->name);
        return rb_val_error();
    }
    RbVal *items = rb_new_array(fe->work, RbVal, range.dims[0] + 1);
    for (int i = 1; i <= range.dims[0]; i++) {
        RbLoopVar var = {
            .name = it->name, .value = rb_val_element(fe, &range, &i, 1), .outer = ctx->loops};
        RbPlace inner = *ctx;
        inner.loops = &var;
        items[i - 1] = rb_val_single(level > 0 ? comprehension(fe, &inner, e, level - 1)
                                               : rb_lower_expr(fe, &inner, body_of(e)));
    }
    return rb_val_array(fe, items, range.dims[0], e->at);
}

static RbVal fail_body(RbFrontEnd *fe, const RbAstExpr *e, const RbVal *body) {
    if (body->kind == RB_VAL_ERROR) return rb_val_error();
    rb_fail(fe->diag, RB_ERROR_MODEL, body_of(e)->at,
            "%s for ...%s needs numbers here, but this is %s",
            e->kind == RB_AST_CALL ? rb_arena_printf(fe->arena, "%s(...", e->kids[0]->parts[0].name)
                                   : "{...",
            e->kind == RB_AST_CALL ? ")" : "}", rb_val_type_name(fe, body));
    return rb_val_error();
}

// The loops of a comprehension in a function: iterators are locals.
typedef struct OpenLoops {
    RbPlace inner;
    const RbExpr *iterators[RB_RANK_MAX], *ranges[RB_RANK_MAX];
    int dims[RB_RANK_MAX], count;
    RbAstVariability variability;
} OpenLoops;

// A loop variable that is a local of the function.
static RbVal new_iterator(RbFrontEnd *fe, RbFunction *f, RbName name, RbType type) {
    rb_array_push(&f->vars, fe->arena, (RbFunctionVar){.name = name, .type = type});
    return rb_val_scalar(rb_local(fe->x, f->vars.count - 1, type, 0), RB_AST_CONTINUOUS);
}

static bool open_loop(RbFrontEnd *fe, OpenLoops *loops, const RbAstExpr *e, int i) {
    const RbAstIterator *it = &e->iterators[i];
    RbVal range;
    if (!rb_lower_range(fe, &loops->inner, it, body_of(e), &range) || range.kind != RB_VAL_EXPR)
        return false;
    RbLoopVar *var = rb_new(fe->arena, RbLoopVar);
    *var = (RbLoopVar){.name = it->name, .value = range, .outer = loops->inner.loops};
    var->value.rank = 0;
    var->value.e = new_iterator(fe, loops->inner.frame->function, it->name, range.type).e;
    loops->inner.loops = var;
    loops->iterators[i] = var->value.e;
    loops->ranges[i] = range.e;
    loops->dims[i] = range.dims[0];
    loops->variability = rb_weaker(loops->variability, range.variability);
    return true;
}

// The body with the loops around it. An array of records is a record of arrays.
static RbVal reduce(RbFrontEnd *fe, const OpenLoops *loops, RbReduction kind, RbVal body) {
    RbVal out = body;
    out.variability = rb_weaker(body.variability, loops->variability);
    if (kind == RB_REDUCE_ARRAY) {
        out.rank = 0;
        for (int i = loops->count - 1; i >= 0; i--) out.dims[out.rank++] = loops->dims[i];
        for (int i = 0; i < body.rank && out.rank < RB_RANK_MAX; i++)
            out.dims[out.rank++] = body.dims[i];
    }
    if (body.kind == RB_VAL_RECORD) {
        out.fields = rb_new_array(fe->arena, RbVal, body.field_count + 1);
        for (int i = 0; i < body.field_count; i++)
            out.fields[i] = reduce(fe, loops, kind, body.fields[i]);
        return out;
    }
    out.e = rb_reduce(fe->x, kind, body.e, loops->iterators, loops->ranges, loops->count);
    return out;
}

// In a function sizes may be open: keep the loop.
static RbVal open_comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                                RbReduction kind) {
    OpenLoops loops = {.inner = *ctx, .count = e->iterator_count, .variability = RB_AST_CONSTANT};
    if (loops.count > RB_RANK_MAX) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "more than %d iterators", RB_RANK_MAX);
        return rb_val_error();
    }
    for (int i = loops.count - 1; i >= 0; i--) {
        if (!open_loop(fe, &loops, e, i)) return rb_val_error();
    }
    RbVal body = rb_val_single(rb_lower_expr(fe, &loops.inner, body_of(e)));
    bool is_record = body.kind == RB_VAL_RECORD;
    if (body.kind != RB_VAL_EXPR && !(is_record && kind == RB_REDUCE_ARRAY))
        return fail_body(fe, e, &body);
    return reduce(fe, &loops, kind, body);
}

static const RbExpr *first_field(const RbVal *v) {
    while (v->kind == RB_VAL_RECORD && v->field_count > 0) v = &v->fields[0];
    return v->e;
}

// A loop over 1:size in the function at hand.
static OpenLoops count_to(RbFrontEnd *fe, const RbExpr *size, int known, RbVal *index) {
    RbFunction *f = fe->function;
    RbName name = rb_intern(fe->names, rb_arena_printf(fe->arena, "$i%d", f->vars.count));
    *index = new_iterator(fe, f, name, RB_INTEGER);
    const RbExpr *one = rb_integer(fe->x, 1);
    return (OpenLoops){.iterators = {index->e},
                       .ranges = {rb_range(fe->x, one, one, size)},
                       .dims = {known},
                       .count = 1};
}

RbVal rb_open_elements(RbFrontEnd *fe, const RbVal *array, RbElementBody *body, void *user) {
    RbVal index;
    const RbExpr *one = rb_integer(fe->x, 1);
    const RbExpr *size = rb_builtin2(fe->x, RB_FN_SIZE, first_field(array), one);
    OpenLoops loops = count_to(fe, size, array->dims[0], &index);
    loops.variability = array->variability;
    RbVal v = rb_val_single(body(user, &index));
    return v.kind == RB_VAL_ERROR ? v : reduce(fe, &loops, RB_REDUCE_ARRAY, v);
}

RbVal rb_open_repeat(RbFrontEnd *fe, const RbVal *v, const RbVal *times) {
    RbVal index;
    OpenLoops loops = count_to(fe, times->e, -1, &index);
    loops.variability = times->variability;
    return reduce(fe, &loops, RB_REDUCE_ARRAY, *v);
}

RbVal rb_lower_comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    bool in_function = ctx->frame && ctx->frame->function;
    if (in_function) return open_comprehension(fe, ctx, e, RB_REDUCE_ARRAY);
    RbVal vector;
    if (rb_lower_vector(fe, ctx, e, body_of(e), &vector)) return vector;
    return comprehension(fe, ctx, e, e->iterator_count - 1);
}

// --- reductions ----------------------------------------------------------------------------------

static const struct {
    const char *name;
    RbReduction kind;
    RbBuiltin function; // of an array with all the values
} reductions[] = {{"sum", RB_REDUCE_SUM, RB_FN_SUM},
                  {"product", RB_REDUCE_PRODUCT, RB_FN_PRODUCT},
                  {"min", RB_REDUCE_MIN, RB_FN_MIN},
                  {"max", RB_REDUCE_MAX, RB_FN_MAX},
                  {"array", RB_REDUCE_ARRAY, RB_FN_SUM}};

static int find_reduction(const RbAstExpr *callee) {
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++) {
        if (callee->kid_count == 1 && strcmp(reductions[i].name, callee->parts[0].name) == 0)
            return (int)i;
    }
    return -1;
}

static RbVal sum_elements(RbFrontEnd *fe, const RbVal *all, RbPos at) {
    RbVal out = rb_val_element(fe, all, (int[]){1}, 1);
    for (int i = 2; i <= all->dims[0]; i++)
        out = rb_val_binary(fe, RB_TOKEN_PLUS, out, rb_val_element(fe, all, &i, 1), at);
    return out;
}

static const RbExpr *sum_terms(RbFrontEnd *fe, const RbVal *all) {
    const RbExpr **terms = rb_new_array(fe->arena, const RbExpr *, all->dims[0] + 1);
    for (int i = 1; i <= all->dims[0]; i++) terms[i - 1] = rb_val_element(fe, all, &i, 1).e;
    return rb_sum(fe->x, terms, all->dims[0]);
}

// All values as an array: what the reduction makes of them.
static RbVal reduce_all(RbFrontEnd *fe, int which, const RbVal *all, const RbAstExpr *e) {
    RbReduction kind = reductions[which].kind;
    // With one iterator over arrays the elements themselves may be arrays (sum of vectors).
    if (kind == RB_REDUCE_SUM && all->rank > e->iterator_count) return sum_elements(fe, all, e->at);
    RbVal out = {.kind = RB_VAL_EXPR, .type = all->type, .variability = all->variability};
    if (kind == RB_REDUCE_SUM && all->rank == 1)
        out.e = sum_terms(fe, all);
    else if (all->dims[0] == 0)
        out.e = rb_integer(fe->x, kind == RB_REDUCE_PRODUCT ? 1 : 0);
    else
        out.e = rb_builtin1(fe->x, reductions[which].function, all->e);
    return out;
}

// sum(body for i in range), product, min, max
RbVal rb_lower_reduction(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    int which = find_reduction(e->kids[0]);
    if (which < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "'%s(... for ...)' is not a reduction; known are sum, product, min, max and array",
                e->kids[0]->parts[0].name);
        return rb_val_error();
    }
    RbReduction kind = reductions[which].kind;
    if (ctx->frame && ctx->frame->function) return open_comprehension(fe, ctx, e, kind);
    RbVal all;
    if ((kind == RB_REDUCE_SUM || kind == RB_REDUCE_ARRAY) &&
        rb_lower_vector(fe, ctx, e, body_of(e), &all)) {
        if (kind == RB_REDUCE_ARRAY) return all;
        all.rank = 0;
        all.e = rb_builtin1(fe->x, RB_FN_SUM, all.e);
        return all;
    }
    all = comprehension(fe, ctx, e, e->iterator_count - 1);
    if (all.kind == RB_VAL_ERROR || kind == RB_REDUCE_ARRAY) return all;
    if (kind == RB_REDUCE_SUM && rb_val_is_overloaded(fe, &all))
        return rb_overload_sum(fe, &all, e->at);
    if (all.kind != RB_VAL_EXPR) {
        RbVal one = rb_val_element(fe, &all, (int[]){1, 1, 1, 1}, e->iterator_count);
        return fail_body(fe, e, &one);
    }
    return reduce_all(fe, which, &all, e);
}
