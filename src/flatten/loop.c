// SPDX-License-Identifier: MIT
// Loops: what they run over, and running through them while the text is lowered.
#include <string.h>

#include "flatten/expression.h"
#include "flatten/inst.h"

// Dimension `dim` of what the first parts of a reference mean, without subscripts.
typedef struct Implied {
    RbAstExpr array;
    int dim; // from 0
} Implied;

static bool find_implied(RbFrontEnd *fe, RbName name, const RbAstExpr *e, Implied *found);

static bool implied_by_reference(RbFrontEnd *fe, RbName name, const RbAstExpr *e, Implied *found) {
    for (int k = 0; k < e->kid_count; k++) {
        for (int i = 0; i < e->parts[k].subscript_count; i++) {
            const RbAstExpr *s = e->parts[k].subscripts[i];
            if (s->kind != RB_AST_REF || s->kid_count != 1 || s->parts[0].name != name) {
                if (find_implied(fe, name, s, found)) return true;
                continue;
            }
            *found = (Implied){.array = *e, .dim = i};
            found->array.parts = rb_new_array(fe->arena, RbAstPart, k + 1);
            memcpy(found->array.parts, e->parts, (size_t)(k + 1) * sizeof(RbAstPart));
            found->array.parts[k].subscript_count = 0;
            found->array.kid_count = k + 1;
            return true;
        }
    }
    return false;
}

// The array that is subscripted with an iterator, found in the body of its loop.
static bool find_implied(RbFrontEnd *fe, RbName name, const RbAstExpr *e, Implied *found) {
    if (!e) return false;
    if (e->kind == RB_AST_REF) return implied_by_reference(fe, name, e, found);
    bool has_kids = e->kind >= RB_AST_CALL && e->kind != RB_AST_END && e->kind != RB_AST_COLON &&
                    e->kind != RB_AST_BREAK;
    for (int i = 0; has_kids && i < e->kid_count; i++) {
        if (find_implied(fe, name, e->kids[i], found)) return true;
    }
    return false;
}

static RbAstExpr *ast_node(RbFrontEnd *fe, RbAstExprKind kind, RbPos at, int kid_count) {
    RbAstExpr *e = rb_new(fe->arena, RbAstExpr);
    *e = (RbAstExpr){.kind = kind, .at = at, .kid_count = kid_count, .levels = 3};
    if (kid_count > 0 && kind != RB_AST_REF)
        e->kids = rb_new_array(fe->arena, RbAstExpr *, kid_count);
    return e;
}

// 1:size(array, dim), where the size is known only when the function is called.
static RbVal open_range(RbFrontEnd *fe, const RbPlace *ctx, const Implied *implied, RbPos at) {
    RbAstExpr *size = ast_node(fe, RB_AST_REF, at, 1), *one = ast_node(fe, RB_AST_INTEGER, at, 0);
    RbAstExpr *dim = ast_node(fe, RB_AST_INTEGER, at, 0), *array = rb_new(fe->arena, RbAstExpr);
    size->parts = rb_new_array(fe->arena, RbAstPart, 1);
    size->parts[0].name = rb_intern(fe->names, "size");
    one->text = (RbAstText){"1", 1};
    dim->text.start = rb_arena_printf(fe->arena, "%d", implied->dim + 1);
    dim->text.length = (int)strlen(dim->text.start);
    *array = implied->array;
    RbAstExpr *call = ast_node(fe, RB_AST_CALL, at, 3), *range = ast_node(fe, RB_AST_RANGE, at, 2);
    call->kids[0] = size;
    call->kids[1] = array;
    call->kids[2] = dim;
    range->kids[0] = one;
    range->kids[1] = call;
    return rb_lower_expr(fe, ctx, range);
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

// The enumeration, or Boolean, that subscripts dimension `dim` of a component; NULL: numbers do.
static RbClass *index_class(RbFrontEnd *fe, const RbInst *inst, int dim) {
    const RbElem *e = inst ? inst->elem : NULL;
    if (!e || !e->component) return NULL;
    int own = e->component->dimension_count;
    if (dim >= own + e->clause->dimension_count) return NULL;
    const RbAstExpr *size =
        dim < own ? e->component->dimensions[dim] : e->clause->dimensions[dim - own];
    if (size->kind != RB_AST_REF) return NULL;
    RbPlace ctx = rb_inst_place(fe, inst->parent, e->scope);
    RbVal v = rb_lower_expr(fe, &ctx, size);
    return v.kind == RB_VAL_CLASS && v.class->is_type ? v.class : NULL;
}

// for i loop: from 1 to the size of what i subscripts, or over the type that does.
static bool lower_implied_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                                const RbAstExpr *body, RbVal *range) {
    Implied implied;
    if (!find_implied(fe, it->name, body, &implied)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                "the range of '%s' is not given and does not follow from a subscript", it->name);
        return false;
    }
    RbVal v = rb_lower_component(fe, ctx, &implied.array);
    const RbInst *inst = v.kind == RB_VAL_INST ? v.inst : NULL;
    const int *dims = inst ? inst->dims : v.dims;
    if (v.kind == RB_VAL_ERROR) return false;
    if (implied.dim >= (inst ? inst->rank : v.rank)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                "'%s' has no dimension %d that '%s' could run over",
                rb_expr_text(fe, &implied.array), implied.dim + 1, it->name);
        return false;
    }
    int size = dims[implied.dim];
    RbClass *class = index_class(fe, inst, implied.dim);
    if (class) {
        *range = class_range(fe, class);
        return true;
    }
    if (size < 0) {
        *range = open_range(fe, ctx, &implied, it->at);
        return range->kind != RB_VAL_ERROR;
    }
    if (v.kind == RB_VAL_EXPR && v.e->op == RB_OP_VAR)
        rb_note_size_use(fe, v.e->index, "a loop runs over its elements");
    RbVal *items = rb_new_array(fe->work, RbVal, size + 1);
    for (int i = 0; i < size; i++)
        items[i] = rb_val_scalar(rb_integer(fe->x, i + 1), RB_AST_CONSTANT);
    *range = rb_val_array(fe, items, size, it->at);
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

typedef RB_ARRAY(RbAstExpr *) Texts;

static void list_texts(RbFrontEnd *fe, const RbAstEquation *eq, Texts *out) {
    if (eq->left) rb_array_push(out, fe->arena, eq->left);
    if (eq->right) rb_array_push(out, fe->arena, eq->right);
    for (int b = 0; b < eq->block_count; b++) {
        const RbAstBlock *block = &eq->blocks[b];
        if (block->condition) rb_array_push(out, fe->arena, block->condition);
        for (int i = 0; i < block->count; i++) list_texts(fe, block->list[i], out);
    }
}

// A text in which the iterator is used as a subscript, to find its range.
const RbAstExpr *rb_loop_body(RbFrontEnd *fe, const RbAstEquation *eq) {
    Texts kids = {0};
    list_texts(fe, eq, &kids);
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
