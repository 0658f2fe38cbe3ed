// SPDX-License-Identifier: MIT
// Subscripts: elements and parts of arrays.
#include "flatten/expression.h"

// Who goes through the elements of an array relies on their number.
static void note_elements(RbFrontEnd *fe, const RbExpr *e) {
    if (e->arg_count == 0 && e->op != RB_OP_VAR) return;
    RbArena scratch = *fe->scratch;
    RbIndices vars = rb_expr_vars(fe->x, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        const RbFlatVar *v = &fe->flat->vars.data[vars.data[i]];
        if (v->rank > 0 && v->has_free_size)
            rb_note_size_use(fe, vars.data[i], "it is taken apart into its elements");
    }
}

RbVal rb_val_element(RbFrontEnd *fe, const RbVal *v, const int *subs, int count) {
    RbVal out = *v;
    if (v->kind == RB_VAL_EXPR && subs[0] == 1 && !rb_is_constant(v->e)) note_elements(fe, v->e);
    out.rank = v->rank - count;
    for (int i = 0; i < out.rank; i++) out.dims[i] = v->dims[i + count];
    if (v->kind == RB_VAL_RECORD) {
        out.fields = rb_val_copy_fields(fe, v);
        for (int i = 0; i < v->field_count; i++)
            out.fields[i] = rb_val_element(fe, &v->fields[i], subs, count);
        return out;
    }
    const RbExpr *list[RB_RANK_MAX];
    for (int i = 0; i < count; i++) list[i] = rb_integer(fe->x, subs[i]);
    out.e = rb_subscript(fe->x, v->e, list, count);
    return out;
}

// A subscript as a number from 1: enumeration values and Booleans count, too.
static const RbExpr *subscript_number(RbFrontEnd *fe, const RbVal *s) {
    if (s->type == RB_ENUM) return rb_builtin1(fe->x, RB_FN_TO_INTEGER, s->e);
    if (s->type == RB_BOOLEAN)
        return rb_add(fe->x, rb_builtin1(fe->x, RB_FN_TO_INTEGER, s->e), rb_integer(fe->x, 1));
    return s->e;
}

static bool is_outside(const RbVal *s, int size) {
    return s->e->op == RB_OP_INTEGER && s->type != RB_ENUM && s->type != RB_BOOLEAN && size >= 0 &&
           (s->e->integer < 1 || s->e->integer > size);
}

static RbVal subscript_fields(RbFrontEnd *fe, RbVal out, const RbVal *subs, int count, RbPos at) {
    out.fields = rb_val_copy_fields(fe, &out);
    for (int i = 0; i < out.field_count; i++)
        out.fields[i] = rb_val_subscript(fe, &out.fields[i], subs, count, at);
    return out;
}

// Subscripts of what has subscripts already, as subscripts of the array itself: q[i].x[j] is q.x[i, j], so that it can be assigned, too.
static const RbExpr *subscript_again(RbFrontEnd *fe, const RbExpr *part,
                                     const RbExpr *const *list) {
    const RbExpr *array = part->args[0], *all[RB_RANK_MAX];
    int next = 0, used = array->rank;
    for (int i = 0; i < array->rank; i++) {
        const RbExpr *own = i + 1 < part->arg_count ? part->args[i + 1] : rb_all(fe->x);
        if (own->op == RB_OP_ALL)
            all[i] = list[next++];
        else if (own->rank == 0)
            all[i] = own;
        else {
            const RbExpr *of_own = list[next++];
            all[i] = of_own->op == RB_OP_ALL ? own : rb_subscript(fe->x, own, &of_own, 1);
        }
    }
    while (used > 0 && all[used - 1]->op == RB_OP_ALL) used--;
    return rb_subscript(fe->x, array, all, used);
}

RbVal rb_val_subscript(RbFrontEnd *fe, const RbVal *v, const RbVal *subs, int count, RbPos at) {
    if (v->kind == RB_VAL_ERROR) return *v;
    if (count > v->rank) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%d subscripts for %s", count,
                rb_val_type_name(fe, v));
        return rb_val_error();
    }
    RbVal out = *v;
    out.rank = 0;
    const RbExpr *list[RB_RANK_MAX];
    for (int i = 0; i < v->rank; i++) {
        const RbVal *s = i < count ? &subs[i] : NULL;
        if (!s || s->e->op == RB_OP_ALL) {
            list[i] = rb_all(fe->x);
            out.dims[out.rank++] = v->dims[i];
            continue;
        }
        if (is_outside(s, v->dims[i])) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "subscript %lld is outside 1 to %d",
                    (long long)s->e->integer, v->dims[i]);
            return rb_val_error();
        }
        list[i] = subscript_number(fe, s);
        if (s->rank > 0) out.dims[out.rank++] = s->dims[0];
        out.variability = rb_weaker(out.variability, s->variability);
    }
    if (v->kind == RB_VAL_RECORD) return subscript_fields(fe, out, subs, count, at);
    if (v->e->op == RB_OP_SUBSCRIPT && v->e->args[0]->op == RB_OP_LOCAL) {
        out.e = subscript_again(fe, v->e, list);
        return out;
    }
    int used = v->rank;
    while (used > 0 && list[used - 1]->op == RB_OP_ALL) used--;
    out.e = rb_subscript(fe->x, v->e, list, used);
    return out;
}

static bool check_subscript(RbFrontEnd *fe, const RbAstPart *part, const RbAstExpr *text,
                            const RbVal *s, int size) {
    bool good = s->kind == RB_VAL_EXPR && s->rank <= 1 &&
                (s->type == RB_INTEGER || s->type == RB_ENUM || s->type == RB_BOOLEAN);
    if (!good) {
        rb_fail(fe->diag, RB_ERROR_MODEL, text->at, "a subscript must be Integer, but this is %s",
                rb_val_type_name(fe, s));
        return false;
    }
    if (is_outside(s, size)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, text->at, "subscript %lld of '%s' is outside 1 to %d",
                (long long)s->e->integer, part->name, size);
        return false;
    }
    return true;
}

// outer: dimensions of the records that it is a field of; its own are behind them.
static bool check_subscript_count(RbFrontEnd *fe, const RbAstPart *part, const RbVal *array,
                                  int outer) {
    int rank = array->rank - outer;
    if (part->subscript_count <= rank) return true;
    RbPos at = part->subscripts[rank]->at;
    if (rank == 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' is a scalar and cannot have subscripts",
                part->name);
    } else {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' has %d subscripts, but %d dimension%s",
                part->name, part->subscript_count, rank, rank == 1 ? "" : "s");
    }
    return false;
}

static bool is_free(const RbFrontEnd *fe, const RbVal *array) {
    const RbExpr *e = array->kind == RB_VAL_EXPR ? array->e : NULL;
    return e && e->op == RB_OP_VAR && fe->flat->vars.data[e->index].has_free_size;
}

// zeros(n), identity(n), linspace(a, b, n), 1:n, f(n)
static bool follows_parameters(const RbExpr *e) {
    bool fill = e->op == RB_OP_BUILTIN && (e->index == RB_FN_FILL || e->index == RB_FN_IDENTITY ||
                                           e->index == RB_FN_LINSPACE);
    bool call = e->rank > 0 && (e->op == RB_OP_CALL || e->op == RB_OP_RESULT);
    if (!fill && !call && e->op != RB_OP_RANGE) return false;
    for (int i = fill && e->index == RB_FN_FILL ? 1 : 0; i < e->arg_count; i++) {
        if (!rb_is_constant(e->args[i])) return true;
    }
    return false;
}

bool rb_val_has_free_size(RbFrontEnd *fe, const RbVal *v) {
    if (v->kind != RB_VAL_EXPR || v->rank == 0 || rb_is_constant(v->e)) return false;
    RbArena scratch = *fe->scratch;
    RbExprOrder order = rb_expr_order(fe->x, &v->e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->rank > 0 && n->op == RB_OP_VAR && fe->flat->vars.data[n->index].has_free_size)
            return true;
        if (follows_parameters(n)) return true;
    }
    return false;
}

static RbVal all_of(RbFrontEnd *fe, const RbVal *array, int dim) {
    return (RbVal){.kind = RB_VAL_EXPR, .rank = 1, .dims = {array->dims[dim]}, .e = rb_all(fe->x)};
}

static bool lower_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part,
                             const RbVal *array, int outer, RbVal *subs) {
    if (!check_subscript_count(fe, part, array, outer)) return false;
    bool keeps = ctx->keeps.slices && !ctx->frame && is_free(fe, array);
    for (int i = 0; i < outer; i++) subs[i] = all_of(fe, array, i);
    for (int i = outer; i < outer + part->subscript_count; i++) {
        const RbAstExpr *s = part->subscripts[i - outer];
        if (s->kind == RB_AST_COLON) {
            subs[i] = all_of(fe, array, i);
            continue;
        }
        RbPlace inner = *ctx;
        inner.indexed = array;
        inner.indexed_dim = i;
        inner.indexed_is_free = keeps;
        inner.keeps.sizes = ctx->keeps.sizes || keeps;
        subs[i] = rb_lower_expr(fe, &inner, s);
        if (subs[i].kind == RB_VAL_ERROR) return false;
        if (!check_subscript(fe, part, s, &subs[i], array->dims[i])) return false;
    }
    return true;
}

bool rb_lower_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part,
                         const RbVal *array, RbVal *subs) {
    return lower_subscripts(fe, ctx, part, array, 0, subs);
}

RbVal rb_apply_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part, int outer,
                          RbVal v, RbPos at) {
    if (part->subscript_count == 0 || v.kind == RB_VAL_ERROR) return v;
    RbVal subs[RB_RANK_MAX];
    if (!lower_subscripts(fe, ctx, part, &v, outer, subs)) return rb_val_error();
    return rb_val_subscript(fe, &v, subs, outer + part->subscript_count, at);
}
