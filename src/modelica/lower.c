// SPDX-License-Identifier: MIT
// Expressions: syntax tree plus place to expression of the flat model, with type, size and
// variability.
#include <stdlib.h>
#include <string.h>

#include "modelica/frontend.h"

const char *rb_expr_text(RbFrontEnd *fe, const RbAstExpr *e) {
    RbText text = rb_text(fe->arena);
    rb_ast_print_expr(e, &text);
    if (text.count > 60) {
        text.data[57] = 0;
        return rb_arena_printf(fe->arena, "%s...", text.data);
    }
    return text.data;
}

static RbVal scalar(const RbExpr *e, RbAstVariability variability) {
    return (RbVal){
        .kind = RB_VAL_EXPR, .type = (RbType)e->type, .e = e, .variability = variability};
}

static RbAstVariability weaker(RbAstVariability a, RbAstVariability b) {
    return a < b ? a : b;
}

// --- values of components ------------------------------------------------------------------------

static bool wants_evaluation(const RbInst *i) {
    if (i->variability == RB_AST_CONSTANT) return true;
    if (i->variability != RB_AST_PARAMETER) return false;
    return rb_annotation_is_true(i->elem->component->comment.annotation, "Evaluate");
}

// A constant that is replaced by its number loses its unit, so units around it cannot be checked.
static void note_unit(RbFrontEnd *fe, const RbInst *i) {
    if (i->class->type != RB_REAL || i->elem->component->condition) return;
    RbMods types = {i->class->type_mods.data, i->class->type_mods.count};
    if (rb_mods_of(fe->arena, i->mods, fe->n_unit).count > 0 ||
        rb_mods_of(fe->arena, types, fe->n_unit).count > 0) {
        fe->units_lost++;
    }
}

static RbVal leaf_value(RbFrontEnd *fe, RbInst *i) {
    RbExprValue value;
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = i->class->type,
               .class = i->class,
               .rank = i->rank,
               .variability = i->variability};
    memcpy(v.dims, i->dims, sizeof v.dims);
    if (i->class->is_external_object) v.type = RB_EXTERNAL;
    if (v.variability == RB_AST_CONTINUOUS && v.type != RB_REAL) v.variability = RB_AST_DISCRETE;
    if ((i->is_static || wants_evaluation(i)) && rb_inst_value(fe, i, &value)) {
        v.e = rb_value_expr(fe->x, &value, *fe->scratch);
        note_unit(fe, i);
        if (i->var >= 0) fe->flat->vars.data[i->var].is_structural = true;
        if (i->class->type == RB_ENUM && v.rank == 0) v.e = rb_enum(fe->x, (int64_t)value.data[0]);
        return v;
    }
    if (i->var >= 0) {
        v.e = rb_flat_ref(fe->flat, i->var);
        return v;
    }
    RbVal *binding = i->variability >= RB_AST_PARAMETER ? rb_inst_binding(fe, i) : NULL;
    if (binding && binding->kind == RB_VAL_EXPR) return *binding;
    if (binding && binding->kind == RB_VAL_ERROR) return *binding;
    if (i->variability != RB_AST_CONSTANT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at,
                "'%s' is used outside the class it belongs to, but it is not a constant", i->path);
    } else {
        rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at, "the constant '%s' has no value",
                i->path);
    }
    return rb_val_error();
}

static RbVal record_value(RbFrontEnd *fe, RbInst *i) {
    RbVal v = {.kind = RB_VAL_RECORD, .class = i->class, .variability = RB_AST_CONSTANT, .inst = i};
    v.field_count = i->class->components.count;
    v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
    for (int k = 0; k < v.field_count; k++) {
        v.fields[k] = rb_val_of_inst(fe, rb_inst_child(fe, i, i->class->components.data[k]));
        if (v.fields[k].kind == RB_VAL_ERROR) return rb_val_error();
        v.variability = weaker(v.variability, v.fields[k].variability);
    }
    return v;
}

// Items of a component array, nested by dimension.
static RbVal nest(RbFrontEnd *fe, const RbVal *items, const int *dims, int rank, RbPos at) {
    if (rank == 1) return rb_val_array(fe, items, dims[0], at);
    int below = 1;
    for (int k = 1; k < rank; k++) below *= dims[k];
    RbVal *rows = rb_new_array(fe->arena, RbVal, dims[0] + 1);
    for (int k = 0; k < dims[0]; k++) rows[k] = nest(fe, items + k * below, dims + 1, rank - 1, at);
    return rb_val_array(fe, rows, dims[0], at);
}

static RbVal array_of_insts(RbFrontEnd *fe, RbInst *i) {
    if (!rb_class_is_record(i->class) && !i->class->is_type) {
        return (RbVal){.kind = RB_VAL_INST, .inst = i, .rank = i->rank};
    }
    RbVal *items = rb_new_array(fe->arena, RbVal, i->count + 1);
    for (int k = 0; k < i->count; k++) items[k] = rb_val_of_inst(fe, i->items[k]);
    return nest(fe, items, i->dims, i->rank, i->elem->component->at);
}

RbVal rb_val_of_inst(RbFrontEnd *fe, RbInst *i) {
    switch (i->kind) {
        case RB_INST_LEAF: return leaf_value(fe, i);
        case RB_INST_ARRAY: return array_of_insts(fe, i);
        case RB_INST_ABSENT: return (RbVal){.kind = RB_VAL_ABSENT, .inst = i};
        case RB_INST_BROKEN: return rb_val_error();
        case RB_INST_COMPONENT: break;
    }
    if (rb_class_is_record(i->class)) return record_value(fe, i);
    return (RbVal){.kind = RB_VAL_INST, .inst = i};
}

// --- subscripts ----------------------------------------------------------------------------------

static bool lower_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part,
                             const RbVal *array, RbVal *subs) {
    for (int i = 0; i < part->subscript_count; i++) {
        const RbAstExpr *s = part->subscripts[i];
        if (array->rank == 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, s->at, "'%s' is a scalar and cannot have subscripts",
                    part->name);
            return false;
        }
        if (i >= array->rank) {
            rb_fail(fe->diag, RB_ERROR_MODEL, s->at, "'%s' has %d subscripts, but %d dimension%s",
                    part->name, part->subscript_count, array->rank, array->rank == 1 ? "" : "s");
            return false;
        }
        if (s->kind == RB_AST_COLON) {
            subs[i] = (RbVal){
                .kind = RB_VAL_EXPR, .rank = 1, .dims = {array->dims[i]}, .e = rb_all(fe->x)};
            continue;
        }
        RbPlace inner = *ctx;
        inner.indexed = array;
        inner.indexed_dim = i;
        subs[i] = rb_lower_expr(fe, &inner, s);
        if (subs[i].kind == RB_VAL_ERROR) return false;
        bool good =
            subs[i].kind == RB_VAL_EXPR && subs[i].rank <= 1 &&
            (subs[i].type == RB_INTEGER || subs[i].type == RB_ENUM || subs[i].type == RB_BOOLEAN);
        if (!good) {
            rb_fail(fe->diag, RB_ERROR_MODEL, s->at, "a subscript must be Integer, but this is %s",
                    rb_val_type_name(fe, &subs[i]));
            return false;
        }
        if (subs[i].e->op == RB_OP_INTEGER && subs[i].type == RB_INTEGER && array->dims[i] >= 0 &&
            (subs[i].e->integer < 1 || subs[i].e->integer > array->dims[i])) {
            rb_fail(fe->diag, RB_ERROR_MODEL, s->at, "subscript %lld of '%s' is outside 1 to %d",
                    (long long)subs[i].e->integer, part->name, array->dims[i]);
            return false;
        }
    }
    return true;
}

static RbVal apply_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part, RbVal v,
                              RbPos at) {
    if (part->subscript_count == 0 || v.kind == RB_VAL_ERROR) return v;
    RbVal subs[RB_RANK_MAX];
    if (!lower_subscripts(fe, ctx, part, &v, subs)) return rb_val_error();
    return rb_val_subscript(fe, &v, subs, part->subscript_count, at);
}

// --- references ----------------------------------------------------------------------------------

typedef struct Walk {
    RbFrontEnd *fe;
    const RbPlace *ctx;
    const RbAstExpr *e;
    bool component; // the component itself is wanted, not its value
} Walk;

static RbVal walk_inst(const Walk *w, RbInst *inst, int k);

// A field of a value that is no instance (local of a function, result of a call).
static RbVal walk_fields(const Walk *w, RbVal v, int k) {
    RbFrontEnd *fe = w->fe;
    for (; k < w->e->kid_count && v.kind != RB_VAL_ERROR; k++) {
        const RbAstPart *part = &w->e->parts[k];
        if (v.kind != RB_VAL_RECORD) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                    "'%s' has no elements, so there is no '%s' in it", w->e->parts[k - 1].name,
                    part->name);
            return rb_val_error();
        }
        int found = -1;
        for (int i = 0; i < v.field_count; i++) {
            if (v.class->components.data[i]->name == part->name) found = i;
        }
        if (found < 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "'%s' has no field '%s'%s",
                    v.class->full_name, part->name,
                    rb_near_element(fe->classes, v.class, part->name));
            return rb_val_error();
        }
        v = v.fields[found];
        v = apply_subscripts(fe, w->ctx, part, v, w->e->at);
    }
    return v;
}

static RbVal walk_child(const Walk *w, RbInst *inst, int k) {
    RbFrontEnd *fe = w->fe;
    RbName name = w->e->parts[k].name;
    RbElem *e = rb_class_elem(fe->classes, inst->class, name);
    if (!e) {
        if (!inst->class->broken) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "'%s' is a '%s', which has no '%s'%s",
                    inst->path, inst->class->full_name, name,
                    rb_near_element(fe->classes, inst->class, name));
        }
        return rb_val_error();
    }
    if (!e->component) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                "'%s' is a class in '%s' and cannot be used over a component", name,
                inst->class->full_name);
        return rb_val_error();
    }
    if ((e->clause->is_protected || e->part->is_protected) && inst != w->ctx->inst &&
        !inst->is_static) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                "'%s' is protected in '%s' and cannot be used from outside", name,
                inst->class->full_name);
        return rb_val_error();
    }
    return walk_inst(w, rb_inst_child(fe, inst, e), k);
}

// Items that subscripts pick out of a component array.
static RbVal walk_items(const Walk *w, RbInst *array, int k) {
    RbFrontEnd *fe = w->fe;
    const RbAstPart *part = &w->e->parts[k];
    RbVal shape = {.kind = RB_VAL_EXPR, .rank = array->rank};
    memcpy(shape.dims, array->dims, sizeof shape.dims);
    RbVal subs[RB_RANK_MAX];
    if (!lower_subscripts(fe, w->ctx, part, &shape, subs)) return rb_val_error();
    RbExprValue picked[RB_RANK_MAX];
    int counts[RB_RANK_MAX], dims[RB_RANK_MAX], rank = 0, total = 1;
    for (int i = 0; i < array->rank; i++) {
        bool all = i >= part->subscript_count || subs[i].e->op == RB_OP_ALL;
        counts[i] = array->dims[i];
        if (!all) {
            const char *what = rb_arena_printf(
                fe->arena, "the subscript of the component array '%s'", array->path);
            if (!rb_val_evaluate(fe, &subs[i], &picked[i], w->e->at, what)) return rb_val_error();
            counts[i] = picked[i].count;
        }
        picked[i].rank = all ? -1 : picked[i].rank;
        if (picked[i].rank != 0) dims[rank++] = counts[i];
        total *= counts[i];
    }
    RbVal *items = rb_new_array(fe->arena, RbVal, total + 1);
    for (int n = 0; n < total; n++) {
        int rest = n, index = 0, stride = 1;
        for (int i = array->rank - 1; i >= 0; i--) {
            int at = rest % counts[i];
            rest /= counts[i];
            int sub = picked[i].rank < 0 ? at : (int)picked[i].data[at] - 1;
            if (sub < 0 || sub >= array->dims[i]) {
                rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                        "subscript %d of '%s' is outside 1 to %d", sub + 1, array->path,
                        array->dims[i]);
                return rb_val_error();
            }
            index += sub * stride;
            stride *= array->dims[i];
        }
        RbInst *item = array->items[index];
        items[n] = k + 1 < w->e->kid_count ? walk_child(w, item, k + 1)
                   : w->component          ? (RbVal){.kind = RB_VAL_INST, .inst = item}
                                           : rb_val_of_inst(fe, item);
        if (items[n].kind == RB_VAL_ERROR) return items[n];
    }
    if (rank == 0) return items[0];
    if (total > 0 && items[0].kind == RB_VAL_ABSENT) return items[0];
    if (total > 0 && items[0].kind == RB_VAL_INST) {
        RbVal v = {.kind = RB_VAL_INST, .rank = rank, .fields = items, .field_count = total};
        memcpy(v.dims, dims, sizeof dims);
        return v;
    }
    return nest(fe, items, dims, rank, w->e->at);
}

static RbVal walk_inst(const Walk *w, RbInst *inst, int k) {
    RbFrontEnd *fe = w->fe;
    const RbAstPart *part = &w->e->parts[k];
    bool last = k + 1 == w->e->kid_count;
    if (inst->elem && inst->elem->clause->outer && !inst->elem->clause->inner && !inst->is_static) {
        RbInst *inner = rb_inst_inner(fe, inst);
        if (!inner) {
            rb_fail(fe->diag, RB_ERROR_MODEL, inst->elem->component->at,
                    "'%s' is outer, but no component around it is declared as 'inner %s'; add "
                    "'inner %s %s;' to the model",
                    inst->path, inst->elem->name, inst->class ? inst->class->full_name : "...",
                    inst->elem->name);
            return rb_val_error();
        }
        inst = inner;
    }
    switch (inst->kind) {
        case RB_INST_BROKEN: return rb_val_error();
        case RB_INST_ABSENT: return (RbVal){.kind = RB_VAL_ABSENT, .inst = inst};
        case RB_INST_ARRAY:
            if (last && part->subscript_count == 0) {
                return w->component ? (RbVal){.kind = RB_VAL_INST, .inst = inst}
                                    : rb_val_of_inst(fe, inst);
            }
            return walk_items(w, inst, k);
        case RB_INST_LEAF: {
            if (w->component && last) {
                RbVal v = {.kind = RB_VAL_INST, .inst = inst, .rank = 0};
                if (part->subscript_count == 0) return v;
                RbVal value = apply_subscripts(fe, w->ctx, part, leaf_value(fe, inst), w->e->at);
                if (value.kind == RB_VAL_ERROR) return value;
                value.kind = RB_VAL_INST;
                value.inst = inst;
                return value;
            }
            RbVal v = leaf_value(fe, inst);
            if (v.kind == RB_VAL_ERROR) return v;
            v = apply_subscripts(fe, w->ctx, part, v, w->e->at);
            return last ? v : walk_fields(w, v, k + 1);
        }
        case RB_INST_COMPONENT: break;
    }
    if (part->subscript_count > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                "'%s' is not an array and cannot have subscripts", inst->path);
        return rb_val_error();
    }
    if (!last) return walk_child(w, inst, k + 1);
    return w->component ? (RbVal){.kind = RB_VAL_INST, .inst = inst} : rb_val_of_inst(fe, inst);
}

static RbVal enumeration_literal(const Walk *w, RbClass *class, int k) {
    RbFrontEnd *fe = w->fe;
    RbName name = w->e->parts[k].name;
    for (int i = 0; i < class->enumeration->literal_count; i++) {
        if (class->enumeration->literals[i].name != name) continue;
        RbVal v = scalar(rb_enum(fe->x, i + 1), RB_AST_CONSTANT);
        v.class = class;
        return v;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "the enumeration '%s' has no literal '%s'",
            class->full_name, name);
    return rb_val_error();
}

static RbVal not_constant(const Walk *w, const RbElem *e) {
    rb_fail(w->fe->diag, RB_ERROR_MODEL, w->e->at,
            "'%s' belongs to the class '%s'; from here only constants of it can be used", e->name,
            e->owner->full_name);
    return rb_val_error();
}

// The name so far means a class; go on to what is in it.
static RbVal walk_class(const Walk *w, RbElem *e, int k) {
    RbFrontEnd *fe = w->fe;
    for (;; k++) {
        RbClass *class = rb_elem_class(fe->classes, e);
        if (!class || !rb_class_ready(fe->classes, class)) return rb_val_error();
        if (k + 1 == w->e->kid_count)
            return (RbVal){.kind = RB_VAL_CLASS, .class = class, .variability = RB_AST_CONSTANT};
        if (class->enumeration) return enumeration_literal(w, class, k + 1);
        RbElem *next = rb_class_elem(fe->classes, class, w->e->parts[k + 1].name);
        if (!next) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "'%s' has no '%s'%s", class->full_name,
                    w->e->parts[k + 1].name,
                    rb_near_element(fe->classes, class, w->e->parts[k + 1].name));
            return rb_val_error();
        }
        if (next->component && next->clause->variability != RB_AST_CONSTANT)
            return not_constant(w, next);
        if (next->component) {
            RbInst *package = rb_inst_static(fe, class);
            if (next->number == 0) return rb_val_error();
            return walk_inst(w, rb_inst_child(fe, package, next), k + 1);
        }
        e = next;
    }
}

static RbVal unknown_name(const Walk *w) {
    RbFrontEnd *fe = w->fe;
    RbName name = w->e->parts[0].name;
    const char *near = rb_near_name(fe->classes, w->ctx->scope, name);
    if (!*near && rb_text_edit_distance(name, "time", 1) == 1) near = "; did you mean 'time'?";
    rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "'%s' is unknown%s", name, near);
    return rb_val_error();
}

static RbVal reference(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, bool component) {
    Walk w = {fe, ctx, e, component};
    RbName name = e->parts[0].name;
    if (!e->global) {
        for (const RbLoopVar *l = ctx->loops; l; l = l->outer) {
            if (l->name == name)
                return walk_fields(&w, apply_subscripts(fe, ctx, &e->parts[0], l->value, e->at), 1);
        }
    }
    RbElem *elem = e->global ? rb_class_elem(fe->classes, fe->classes->top, name)
                             : rb_lookup(fe->classes, ctx->scope, name);
    if (!elem) {
        if (name == fe->n_time && e->kid_count == 1)
            return scalar(rb_time(fe->x), RB_AST_CONTINUOUS);
        return unknown_name(&w);
    }
    if (!elem->component) return walk_class(&w, elem, 0);
    for (RbFunctionFrame *f = ctx->frame; f; f = f->outer) {
        if (f->class != elem->owner) continue;
        RbVal v = apply_subscripts(fe, ctx, &e->parts[0], rb_frame_local(fe, f, elem), e->at);
        return walk_fields(&w, v, 1);
    }
    RbInst *inst =
        ctx->inst ? rb_inst_context(fe, ctx->inst, elem->owner) : rb_inst_static(fe, elem->owner);
    if (elem->number == 0) rb_class_list(fe->classes, elem->owner);
    if (elem->number == 0) return rb_val_error();
    if (!inst->children) return rb_val_error();
    if (inst->is_static && inst != ctx->inst && elem->clause->variability != RB_AST_CONSTANT) {
        return not_constant(&w, elem);
    }
    return walk_inst(&w, rb_inst_child(fe, inst, elem), 0);
}

RbVal rb_lower_component(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    while (e->kind == RB_AST_TUPLE && e->kid_count == 1 && e->kids[0]) e = e->kids[0];
    return e->kind == RB_AST_REF ? reference(fe, ctx, e, true) : rb_lower_expr(fe, ctx, e);
}

// --- literals and operators ----------------------------------------------------------------------

static RbVal number(RbFrontEnd *fe, const RbAstExpr *e) {
    char *text = rb_arena_bytes(fe->arena, e->text.start, (size_t)e->text.length);
    double value = strtod(text, NULL);
    if (e->kind == RB_AST_INTEGER && value <= 9007199254740992.0) {
        return scalar(rb_integer(fe->x, strtoll(text, NULL, 10)), RB_AST_CONSTANT);
    }
    return scalar(rb_real(fe->x, value), RB_AST_CONSTANT);
}

static RbVal unary(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = rb_lower_expr(fe, ctx, e->kids[0]);
    if (v.kind == RB_VAL_TUPLE) v = v.fields[0];
    if (v.kind == RB_VAL_ERROR) return v;
    bool logical = e->op == RB_TOKEN_NOT;
    bool fits = v.kind == RB_VAL_EXPR &&
                (logical ? v.type == RB_BOOLEAN : v.type == RB_REAL || v.type == RB_INTEGER);
    if (!fits) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "%s cannot be applied to %s",
                rb_token_kind_name(e->op), rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    if (logical)
        v.e = rb_not(fe->x, v.e);
    else if (e->op == RB_TOKEN_MINUS || e->op == RB_TOKEN_DOT_MINUS)
        v.e = rb_neg(fe->x, v.e);
    v.class = NULL;
    return v;
}

static RbVal lower_array(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal *items = rb_new_array(fe->arena, RbVal, e->kid_count + 1);
    for (int i = 0; i < e->kid_count; i++) {
        items[i] = rb_lower_expr(fe, ctx, e->kids[i]);
        if (items[i].kind == RB_VAL_TUPLE) items[i] = items[i].fields[0];
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

// [a, b; c, d]: scalars, vectors as columns, and matrices, put together.
static RbVal lower_matrix(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RB_ARRAY(RbVal) rows = {0};
    int width = -1;
    for (int r = 0; r < e->kid_count; r++) {
        const RbAstExpr *list = e->kids[r];
        RbVal *blocks = rb_new_array(fe->arena, RbVal, list->kid_count + 1);
        int height = -1, columns = 0;
        for (int k = 0; k < list->kid_count; k++) {
            RbVal v = rb_lower_expr(fe, ctx, list->kids[k]);
            if (v.kind == RB_VAL_TUPLE && v.field_count > 0) v = v.fields[0];
            if (v.kind == RB_VAL_ERROR) return v;
            blocks[k] = v;
            if (v.kind == RB_VAL_EXPR && v.rank > 2) return stack_blocks(fe, ctx, e);
            bool known = v.kind == RB_VAL_EXPR && v.rank <= 2;
            for (int i = 0; i < v.rank; i++) known = known && v.dims[i] >= 0;
            if (!known) {
                rb_fail(fe->diag, RB_ERROR_MODEL, list->kids[k]->at,
                        "a matrix is made of scalars, vectors and matrices of known size, but this "
                        "is %s",
                        rb_val_type_name(fe, &v));
                return rb_val_error();
            }
            int h = v.rank > 0 ? v.dims[0] : 1;
            if (height >= 0 && h != height) {
                rb_fail(fe->diag, RB_ERROR_MODEL, list->kids[k]->at,
                        "the blocks of a row of this matrix have %d and %d lines", height, h);
                return rb_val_error();
            }
            height = h;
            columns += v.rank == 2 ? v.dims[1] : 1;
        }
        if (width >= 0 && columns != width) {
            rb_fail(fe->diag, RB_ERROR_MODEL, list->at,
                    "row %d of this matrix has %d column(s), the rows before have %d", r + 1,
                    columns, width);
            return rb_val_error();
        }
        width = columns;
        for (int line = 1; line <= height; line++) {
            RbVal *row = rb_new_array(fe->arena, RbVal, columns + 1);
            int at = 0;
            for (int k = 0; k < list->kid_count; k++) {
                const RbVal *v = &blocks[k];
                if (v->rank < 2) row[at++] = v->rank == 0 ? *v : rb_val_element(fe, v, &line, 1);
                for (int c = 1; v->rank == 2 && c <= v->dims[1]; c++) {
                    row[at++] = rb_val_element(fe, v, (int[]){line, c}, 2);
                }
            }
            rb_array_push(&rows, fe->arena, rb_val_array(fe, row, columns, list->at));
        }
    }
    return rb_val_array(fe, rows.data, rows.count, e->at);
}

static RbVal lower_range_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
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
        variability = weaker(variability, part[i].variability);
        real = real || part[i].type == RB_REAL;
    }
    RbVal step = e->kid_count == 3 ? part[1] : scalar(rb_integer(fe->x, 1), RB_AST_CONSTANT);
    RbVal last = part[e->kid_count - 1];
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = part[0].type,
               .class = part[0].class,
               .rank = 1,
               .variability = variability};
    if (real) v.type = RB_REAL;
    v.e = rb_range(fe->x, part[0].e, step.e, last.e);
    v.dims[0] = -1;
    RbExprValue value;
    if (!ctx->frame || rb_is_constant(part[0].e)) {
        if (rb_val_evaluate(fe, &v, &value, e->at, NULL)) {
            v.dims[0] = value.dims[0];
            value.type = v.type;
            v.e = rb_value_expr(fe->x, &value, *fe->scratch);
        }
    }
    return v;
}

// Branches may differ in size only if the condition is known.
static RbVal choose(RbFrontEnd *fe, RbVal condition, RbVal yes, RbVal no, RbPos at) {
    RbExprValue value;
    if (yes.kind == RB_VAL_TUPLE) yes = yes.fields[0];
    if (no.kind == RB_VAL_TUPLE) no = no.fields[0];
    bool differ = yes.rank != no.rank || yes.kind != no.kind;
    for (int i = 0; !differ && i < yes.rank; i++) {
        differ = yes.dims[i] != no.dims[i] && yes.dims[i] >= 0 && no.dims[i] >= 0;
    }
    if (differ && condition.variability >= RB_AST_PARAMETER &&
        rb_val_evaluate(fe, &condition, &value, at, NULL)) {
        return value.data[0] != 0 ? yes : no;
    }
    if (yes.kind == RB_VAL_ERROR || no.kind == RB_VAL_ERROR) return rb_val_error();
    bool numbers = (yes.type == RB_REAL || yes.type == RB_INTEGER) &&
                   (no.type == RB_REAL || no.type == RB_INTEGER);
    if (differ || (yes.kind == RB_VAL_EXPR && yes.type != no.type && !numbers) ||
        (yes.kind != RB_VAL_EXPR && yes.kind != RB_VAL_RECORD)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the branches of this if-expression differ: %s and %s", rb_val_type_name(fe, &yes),
                rb_val_type_name(fe, &no));
        return rb_val_error();
    }
    RbVal out = yes;
    out.variability = weaker(condition.variability, weaker(yes.variability, no.variability));
    for (int i = 0; i < yes.rank; i++) {
        if (out.dims[i] < 0) out.dims[i] = no.dims[i];
    }
    if (yes.kind == RB_VAL_RECORD) {
        out.fields = rb_new_array(fe->arena, RbVal, yes.field_count + 1);
        out.inst = NULL;
        for (int i = 0; i < yes.field_count; i++)
            out.fields[i] = choose(fe, condition, yes.fields[i], no.fields[i], at);
        return out;
    }
    if (yes.type != no.type) out.type = RB_REAL;
    out.e = rb_if(fe->x, condition.e, yes.e, no.e);
    return out;
}

static RbVal lower_if(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, int k) {
    if (k + 1 == e->kid_count) return rb_lower_expr(fe, ctx, e->kids[k]);
    RbVal condition = rb_lower_expr(fe, ctx, e->kids[k]);
    if (condition.kind == RB_VAL_ERROR) return condition;
    if (condition.kind != RB_VAL_EXPR || condition.type != RB_BOOLEAN || condition.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->kids[k]->at,
                "the condition must be Boolean, but this is %s", rb_val_type_name(fe, &condition));
        return rb_val_error();
    }
    // A branch that is never taken may be nonsense for these parameters.
    if (condition.e->op == RB_OP_BOOLEAN) {
        return condition.e->integer ? rb_lower_expr(fe, ctx, e->kids[k + 1])
                                    : lower_if(fe, ctx, e, k + 2);
    }
    RbVal yes = rb_lower_expr(fe, ctx, e->kids[k + 1]);
    return choose(fe, condition, yes, lower_if(fe, ctx, e, k + 2), e->at);
}

// --- loops ---------------------------------------------------------------------------------------

// The size of the array that is subscripted with an iterator, found in the body of its loop.
static bool implied_range(RbFrontEnd *fe, const RbPlace *ctx, RbName name, const RbAstExpr *e,
                          int64_t *size) {
    if (!e) return false;
    if (e->kind == RB_AST_REF) {
        for (int k = 0; k < e->kid_count; k++) {
            for (int i = 0; i < e->parts[k].subscript_count; i++) {
                const RbAstExpr *s = e->parts[k].subscripts[i];
                if (s->kind == RB_AST_REF && s->kid_count == 1 && s->parts[0].name == name) {
                    RbAstExpr array = *e;
                    array.parts = rb_new_array(fe->arena, RbAstPart, k + 1);
                    memcpy(array.parts, e->parts, (size_t)(k + 1) * sizeof(RbAstPart));
                    array.parts[k].subscript_count = 0;
                    array.kid_count = k + 1;
                    RbVal v = rb_lower_component(fe, ctx, &array);
                    const int *dims = v.inst && v.kind == RB_VAL_INST ? v.inst->dims : v.dims;
                    if (v.kind == RB_VAL_ERROR || dims[i] < 0) return false;
                    *size = dims[i];
                    return true;
                }
                if (implied_range(fe, ctx, name, s, size)) return true;
            }
        }
        return false;
    }
    bool has_kids = e->kind >= RB_AST_CALL && e->kind != RB_AST_END && e->kind != RB_AST_COLON &&
                    e->kind != RB_AST_BREAK;
    for (int i = 0; has_kids && i < e->kid_count; i++) {
        if (implied_range(fe, ctx, name, e->kids[i], size)) return true;
    }
    return false;
}

static RbVal class_range(RbFrontEnd *fe, RbClass *class) {
    int count = class->enumeration ? class->enumeration->literal_count : 2;
    RbVal *items = rb_new_array(fe->arena, RbVal, count + 1);
    for (int i = 0; i < count; i++) {
        items[i] = scalar(class->enumeration ? rb_enum(fe->x, i + 1) : rb_boolean(fe->x, i == 1),
                          RB_AST_CONSTANT);
        items[i].class = class;
    }
    return rb_val_array(fe, items, count, class->root->def->at);
}

bool rb_lower_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                    const RbAstExpr *body, RbVal *range) {
    if (!it->range) {
        int64_t size;
        if (!implied_range(fe, ctx, it->name, body, &size)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                    "the range of '%s' is not given and does not follow from a subscript",
                    it->name);
            return false;
        }
        RbVal *items = rb_new_array(fe->arena, RbVal, size + 1);
        for (int64_t i = 0; i < size; i++)
            items[i] = scalar(rb_integer(fe->x, i + 1), RB_AST_CONSTANT);
        *range = rb_val_array(fe, items, (int)size, it->at);
        return true;
    }
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

// {body for i in a, j in b}: the last iterator is the outermost dimension.
static RbVal comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, int level) {
    const RbAstIterator *it = &e->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, e->kids[e->kind == RB_AST_CALL ? 1 : 0], &range))
        return rb_val_error();
    if (range.dims[0] < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at,
                "the range of '%s' must be known before the simulation starts", it->name);
        return rb_val_error();
    }
    RbVal *items = rb_new_array(fe->arena, RbVal, range.dims[0] + 1);
    for (int i = 1; i <= range.dims[0]; i++) {
        RbLoopVar var = {
            .name = it->name, .value = rb_val_element(fe, &range, &i, 1), .outer = ctx->loops};
        RbPlace inner = *ctx;
        inner.loops = &var;
        items[i - 1] = level > 0
                           ? comprehension(fe, &inner, e, level - 1)
                           : rb_lower_expr(fe, &inner, e->kids[e->kind == RB_AST_CALL ? 1 : 0]);
        if (items[i - 1].kind == RB_VAL_TUPLE) items[i - 1] = items[i - 1].fields[0];
    }
    return rb_val_array(fe, items, range.dims[0], e->at);
}

// In a function sizes may be open: keep the loop, with iterators as locals.
static RbVal open_comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                                RbReduction kind) {
    RbPlace inner = *ctx;
    const RbExpr *iterators[RB_RANK_MAX], *ranges[RB_RANK_MAX];
    int dims[RB_RANK_MAX], count = e->iterator_count;
    const RbAstExpr *body_text = e->kids[e->kind == RB_AST_CALL ? 1 : 0];
    if (count > RB_RANK_MAX) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "more than %d iterators", RB_RANK_MAX);
        return rb_val_error();
    }
    RbAstVariability variability = RB_AST_CONSTANT;
    for (int i = count - 1; i >= 0; i--) {
        RbVal range;
        if (!rb_lower_range(fe, &inner, &e->iterators[i], body_text, &range) ||
            range.kind != RB_VAL_EXPR)
            return rb_val_error();
        RbFunction *f = ctx->frame->function;
        rb_array_push(&f->vars, fe->arena,
                      (RbFunctionVar){.name = e->iterators[i].name, .type = range.type});
        RbLoopVar *var = rb_new(fe->arena, RbLoopVar);
        var->name = e->iterators[i].name;
        var->value = range;
        var->value.rank = 0;
        var->value.e = rb_local(fe->x, f->vars.count - 1, range.type, 0);
        var->outer = inner.loops;
        inner.loops = var;
        iterators[i] = var->value.e;
        ranges[i] = range.e;
        dims[i] = range.dims[0];
        variability = weaker(variability, range.variability);
    }
    RbVal body = rb_lower_expr(fe, &inner, body_text);
    if (body.kind != RB_VAL_EXPR) return rb_val_error();
    RbVal out = body;
    out.e = rb_reduce(fe->x, kind, body.e, iterators, ranges, count);
    out.variability = weaker(body.variability, variability);
    if (kind == RB_REDUCE_ARRAY) {
        out.rank = 0;
        for (int i = count - 1; i >= 0; i--) out.dims[out.rank++] = dims[i];
        for (int i = 0; i < body.rank && out.rank < RB_RANK_MAX; i++)
            out.dims[out.rank++] = body.dims[i];
    }
    return out;
}

static RbVal lower_comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    bool in_function = ctx->frame && ctx->frame->function;
    if (in_function) return open_comprehension(fe, ctx, e, RB_REDUCE_ARRAY);
    return comprehension(fe, ctx, e, e->iterator_count - 1);
}

// sum(body for i in range), product, min, max
static RbVal lower_reduction(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    const char *name = e->kids[0]->parts[0].name;
    RbReduction kind = strcmp(name, "sum") == 0       ? RB_REDUCE_SUM
                       : strcmp(name, "product") == 0 ? RB_REDUCE_PRODUCT
                       : strcmp(name, "min") == 0     ? RB_REDUCE_MIN
                       : strcmp(name, "max") == 0     ? RB_REDUCE_MAX
                                                      : RB_REDUCE_ARRAY;
    bool is_array = strcmp(name, "array") == 0;
    if (e->kids[0]->kid_count != 1 || (kind == RB_REDUCE_ARRAY && !is_array)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "'%s(... for ...)' is not a reduction; known are sum, product, min, max and array",
                name);
        return rb_val_error();
    }
    if (ctx->frame && ctx->frame->function) return open_comprehension(fe, ctx, e, kind);
    RbVal all = comprehension(fe, ctx, e, e->iterator_count - 1);
    if (all.kind == RB_VAL_ERROR || is_array) return all;
    RbVal out = {.kind = RB_VAL_EXPR, .type = all.type, .variability = all.variability};
    if (all.kind != RB_VAL_EXPR) return rb_val_error();
    // With one iterator over arrays the elements themselves may be arrays (sum of vectors).
    if (kind == RB_REDUCE_SUM && all.rank > e->iterator_count) {
        out = rb_val_element(fe, &all, (int[]){1}, 1);
        for (int i = 2; i <= all.dims[0]; i++) {
            out = rb_val_binary(fe, RB_TOKEN_PLUS, out, rb_val_element(fe, &all, &i, 1), e->at);
        }
        return out;
    }
    static const RbBuiltin functions[] = {[RB_REDUCE_SUM] = RB_FN_SUM,
                                          [RB_REDUCE_PRODUCT] = RB_FN_PRODUCT,
                                          [RB_REDUCE_MIN] = RB_FN_MIN,
                                          [RB_REDUCE_MAX] = RB_FN_MAX};
    if (kind == RB_REDUCE_SUM && all.rank == 1) {
        const RbExpr **terms = rb_new_array(fe->arena, const RbExpr *, all.dims[0] + 1);
        for (int i = 1; i <= all.dims[0]; i++) terms[i - 1] = rb_val_element(fe, &all, &i, 1).e;
        out.e = rb_sum(fe->x, terms, all.dims[0]);
        return out;
    }
    if (all.dims[0] == 0) {
        out.e = kind == RB_REDUCE_PRODUCT ? rb_integer(fe->x, 1) : rb_integer(fe->x, 0);
        return out;
    }
    out.e = rb_builtin1(fe->x, functions[kind], all.e);
    return out;
}

// --- all expressions -----------------------------------------------------------------------------

static RbVal lower_end(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (!ctx->indexed) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'end' can only be used in a subscript");
        return rb_val_error();
    }
    int size = ctx->indexed->dims[ctx->indexed_dim];
    if (size >= 0) return scalar(rb_integer(fe->x, size), RB_AST_CONSTANT);
    const RbExpr *array = ctx->indexed->e;
    return scalar(rb_builtin2(fe->x, RB_FN_SIZE, array, rb_integer(fe->x, ctx->indexed_dim + 1)),
                  RB_AST_CONTINUOUS);
}

static RbVal lower_tuple(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (e->kid_count == 1 && e->kids[0]) {
        RbVal v = rb_lower_expr(fe, ctx, e->kids[0]);
        return v.kind == RB_VAL_TUPLE ? v.fields[0] : v;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "a list in parentheses can only stand to the left of a function call");
    return rb_val_error();
}

RbVal rb_lower_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    switch (e->kind) {
        case RB_AST_ERROR: return rb_val_error();
        case RB_AST_INTEGER:
        case RB_AST_REAL: return number(fe, e);
        case RB_AST_STRING:
            return scalar(
                rb_string(fe->x, rb_string_value(e->text.start, e->text.length, fe->arena)),
                RB_AST_CONSTANT);
        case RB_AST_TRUE: return scalar(rb_boolean(fe->x, true), RB_AST_CONSTANT);
        case RB_AST_FALSE: return scalar(rb_boolean(fe->x, false), RB_AST_CONSTANT);
        case RB_AST_REF: return reference(fe, ctx, e, false);
        case RB_AST_CALL:
            return e->iterator_count > 0 ? lower_reduction(fe, ctx, e) : rb_lower_call(fe, ctx, e);
        case RB_AST_TUPLE: return lower_tuple(fe, ctx, e);
        case RB_AST_MATRIX: return lower_matrix(fe, ctx, e);
        case RB_AST_ARRAY:
            return e->iterator_count > 0 ? lower_comprehension(fe, ctx, e)
                                         : lower_array(fe, ctx, e);
        case RB_AST_END: return lower_end(fe, ctx, e);
        case RB_AST_RANGE: return lower_range_expr(fe, ctx, e);
        case RB_AST_UNARY: return unary(fe, ctx, e);
        case RB_AST_BINARY: {
            RbVal a = rb_lower_expr(fe, ctx, e->kids[0]), b = rb_lower_expr(fe, ctx, e->kids[1]);
            return rb_val_binary(fe, e->op, a, b, e->at);
        }
        case RB_AST_IF: return lower_if(fe, ctx, e, 0);
        case RB_AST_COLON:
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "':' can only be used as a subscript");
            return rb_val_error();
        case RB_AST_FUNCTION:
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "functions as arguments are not supported");
            return rb_val_error();
        case RB_AST_NAMED:
        case RB_AST_LIST:
        case RB_AST_BREAK: break;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "this cannot stand here");
    return rb_val_error();
}
