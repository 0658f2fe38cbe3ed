// SPDX-License-Identifier: MIT
// Loops: what they run over, and running through them while the text is lowered.
#include <string.h>

#include "flatten/expression.h"

static bool implied_range(RbFrontEnd *fe, const RbPlace *ctx, RbName name, const RbAstExpr *e,
                          int64_t *size);

// The size of dimension i of what the first k + 1 parts of a reference mean, without subscripts.
static bool dimension_of(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, int k, int i,
                         int64_t *size) {
    RbAstExpr array = *e;
    array.parts = rb_new_array(fe->arena, RbAstPart, k + 1);
    memcpy(array.parts, e->parts, (size_t)(k + 1) * sizeof(RbAstPart));
    array.parts[k].subscript_count = 0;
    array.kid_count = k + 1;
    RbVal v = rb_lower_component(fe, ctx, &array);
    const int *dims = v.inst && v.kind == RB_VAL_INST ? v.inst->dims : v.dims;
    if (v.kind == RB_VAL_ERROR || dims[i] < 0) return false;
    *size = dims[i];
    if (v.kind == RB_VAL_EXPR && v.e->op == RB_OP_VAR)
        rb_note_size_use(fe, v.e->index, "a loop runs over its elements");
    return true;
}

static bool implied_by_reference(RbFrontEnd *fe, const RbPlace *ctx, RbName name,
                                 const RbAstExpr *e, int64_t *size) {
    for (int k = 0; k < e->kid_count; k++) {
        for (int i = 0; i < e->parts[k].subscript_count; i++) {
            const RbAstExpr *s = e->parts[k].subscripts[i];
            if (s->kind == RB_AST_REF && s->kid_count == 1 && s->parts[0].name == name)
                return dimension_of(fe, ctx, e, k, i, size);
            if (implied_range(fe, ctx, name, s, size)) return true;
        }
    }
    return false;
}

// The size of the array that is subscripted with an iterator, found in the body of its loop.
static bool implied_range(RbFrontEnd *fe, const RbPlace *ctx, RbName name, const RbAstExpr *e,
                          int64_t *size) {
    if (!e) return false;
    if (e->kind == RB_AST_REF) return implied_by_reference(fe, ctx, name, e, size);
    bool has_kids = e->kind >= RB_AST_CALL && e->kind != RB_AST_END && e->kind != RB_AST_COLON &&
                    e->kind != RB_AST_BREAK;
    for (int i = 0; has_kids && i < e->kid_count; i++) {
        if (implied_range(fe, ctx, name, e->kids[i], size)) return true;
    }
    return false;
}

static RbVal class_range(RbFrontEnd *fe, RbClass *class) {
    int count = class->enumeration ? class->enumeration->literal_count : 2;
    RbVal *items = rb_new_array(fe->work, RbVal, count + 1);
    for (int i = 0; i < count; i++) {
        items[i] =
            rb_val_scalar(class->enumeration ? rb_enum(fe->x, i + 1) : rb_boolean(fe->x, i == 1),
                          RB_AST_CONSTANT);
        items[i].class = class;
    }
    return rb_val_array(fe, items, count, class->root->def->at);
}

// for i loop: from 1 to the size of what i subscripts.
static bool lower_implied_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                                const RbAstExpr *body, RbVal *range) {
    int64_t size;
    if (!implied_range(fe, ctx, it->name, body, &size)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                "the range of '%s' is not given and does not follow from a subscript", it->name);
        return false;
    }
    RbVal *items = rb_new_array(fe->work, RbVal, size + 1);
    for (int64_t i = 0; i < size; i++)
        items[i] = rb_val_scalar(rb_integer(fe->x, i + 1), RB_AST_CONSTANT);
    *range = rb_val_array(fe, items, (int)size, it->at);
    return true;
}

bool rb_lower_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                    const RbAstExpr *body, RbVal *range) {
    if (!it->range) return lower_implied_range(fe, ctx, it, body, range);
    *range = rb_lower_expr(fe, ctx, it->range);
    if (range->kind == RB_VAL_CLASS && range->class->is_type &&
        (range->class->enumeration || range->class->type == RB_BOOLEAN)) {
        *range = class_range(fe, range->class);
    }
    if (range->kind == RB_VAL_ERROR) return false;
    if ((range->kind != RB_VAL_EXPR && range->kind != RB_VAL_RECORD) || range->rank != 1) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->range->at,
                "a loop runs over a vector, but this is %s", rb_val_type_name(fe, range));
        return false;
    }
    return true;
}

// A text in which the iterator is used as a subscript, to find its range.
const RbAstExpr *rb_loop_body(RbFrontEnd *fe, const RbAstEquation *eq) {
    RB_ARRAY(RbAstExpr *) kids = {0};
    const RbAstBlock *b = &eq->blocks[0];
    for (int i = 0; i < b->count; i++) {
        if (b->list[i]->left) rb_array_push(&kids, fe->arena, b->list[i]->left);
        if (b->list[i]->right) rb_array_push(&kids, fe->arena, b->list[i]->right);
    }
    RbAstExpr *list = rb_new(fe->arena, RbAstExpr);
    *list =
        (RbAstExpr){.kind = RB_AST_LIST, .at = eq->at, .kids = kids.data, .kid_count = kids.count};
    return list;
}

void rb_lower_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, int level,
                   RbLoopBody body) {
    if (level == eq->iterator_count) {
        body(fe, ctx, eq->blocks[0].list, eq->blocks[0].count);
        return;
    }
    const RbAstIterator *it = &eq->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, rb_loop_body(fe, eq), &range)) return;
    if (range.dims[0] < 0) {
        RbExprValue value;
        const char *what = rb_arena_printf(fe->arena, "the range of '%s'", it->name);
        rb_val_evaluate(fe, &range, &value, it->at, what);
        return;
    }
    for (int i = 1; i <= range.dims[0]; i++) {
        RbLoopVar var = {
            .name = it->name, .value = rb_val_element(fe, &range, &i, 1), .outer = ctx->loops};
        RbPlace inner = *ctx;
        inner.loops = &var;
        rb_lower_loop(fe, &inner, eq, level + 1, body);
        if (fe->diag->error_count > fe->diag->error_limit) return;
    }
}
