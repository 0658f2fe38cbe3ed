// SPDX-License-Identifier: MIT
// References: from a dotted name with subscripts to what it means (specification, 5.3 and 10.5).
#include <string.h>

#include "flatten/expression.h"

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
        v = rb_apply_subscripts(fe, w->ctx, part, v.rank, v.fields[found], w->e->at);
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
    if (rb_elem_is_protected(e) && inst != w->ctx->inst && !inst->is_static) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at,
                "'%s' is protected in '%s' and cannot be used from outside", name,
                inst->class->full_name);
        return rb_val_error();
    }
    return walk_inst(w, rb_inst_child(fe, inst, e), k);
}

// What subscripts pick out of the dimensions of a component array.
typedef struct Pick {
    const RbInst *array;
    RbExprValue subs[RB_RANK_MAX];
    bool all[RB_RANK_MAX];              // no subscript or ':'
    int counts[RB_RANK_MAX];            // how many per dimension of the array
    int rank, dims[RB_RANK_MAX], total; // of what is picked
} Pick;

static bool pick(const Walk *w, const RbInst *array, const RbAstPart *part, Pick *p) {
    RbFrontEnd *fe = w->fe;
    RbVal shape = {.kind = RB_VAL_EXPR, .rank = array->rank}, subs[RB_RANK_MAX];
    memcpy(shape.dims, array->dims, sizeof shape.dims);
    if (!rb_lower_subscripts(fe, w->ctx, part, &shape, subs)) return false;
    *p = (Pick){.array = array, .total = 1};
    for (int i = 0; i < array->rank; i++) {
        p->all[i] = i >= part->subscript_count || subs[i].e->op == RB_OP_ALL;
        p->counts[i] = array->dims[i];
        if (!p->all[i]) {
            const char *what = rb_arena_printf(
                fe->arena, "the subscript of the component array '%s'", array->path);
            if (!rb_val_evaluate(fe, &subs[i], &p->subs[i], w->e->at, what)) return false;
            p->counts[i] = p->subs[i].count;
        }
        if (p->all[i] || p->subs[i].rank > 0) p->dims[p->rank++] = p->counts[i];
        p->total *= p->counts[i];
    }
    return true;
}

// The n-th picked item; NULL if its subscript is outside (reported).
static RbInst *picked_item(const Walk *w, const Pick *p, int n) {
    int index = 0, stride = 1;
    for (int i = p->array->rank - 1; i >= 0; i--) {
        int at = n % p->counts[i], size = p->array->dims[i];
        n /= p->counts[i];
        int sub = p->all[i] ? at : (int)p->subs[i].data[at] - 1;
        if (sub < 0 || sub >= size) {
            rb_fail(w->fe->diag, RB_ERROR_MODEL, w->e->at,
                    "subscript %d of '%s' is outside 1 to %d", sub + 1, p->array->path, size);
            return NULL;
        }
        index += sub * stride;
        stride *= size;
    }
    return p->array->items[index];
}

// The component or its value at the end of a reference.
static RbVal last_value(const Walk *w, RbInst *inst) {
    return w->component ? (RbVal){.kind = RB_VAL_INST, .inst = inst} : rb_val_of_inst(w->fe, inst);
}

// r[i].x where i varies: an array of records is a record of arrays. False for other arrays and
// where all subscripts are known.
static bool walk_varying(const Walk *w, RbInst *array, int k, RbVal *out) {
    RbFrontEnd *fe = w->fe;
    const RbAstPart *part = &w->e->parts[k];
    if (w->component || !rb_class_is_record(array->class)) return false;
    RbVal shape = {.kind = RB_VAL_EXPR, .rank = array->rank}, subs[RB_RANK_MAX];
    memcpy(shape.dims, array->dims, sizeof shape.dims);
    *out = rb_val_error();
    if (!rb_lower_subscripts(fe, w->ctx, part, &shape, subs)) return true;
    bool known = true;
    for (int i = 0; i < part->subscript_count; i++) {
        RbExprValue value;
        known = known && (subs[i].e->op == RB_OP_ALL ||
                          rb_val_evaluate(fe, &subs[i], &value, w->e->at, NULL));
    }
    if (known) return false;
    RbVal all = rb_val_of_inst(fe, array);
    *out = walk_fields(w, rb_val_subscript(fe, &all, subs, part->subscript_count, w->e->at), k + 1);
    return true;
}

// Items that subscripts pick out of a component array.
static RbVal walk_items(const Walk *w, RbInst *array, int k) {
    RbFrontEnd *fe = w->fe;
    Pick p;
    RbVal varying;
    if (walk_varying(w, array, k, &varying)) return varying;
    if (!pick(w, array, &w->e->parts[k], &p)) return rb_val_error();
    RbVal *items = rb_new_array(fe->work, RbVal, p.total + 1);
    for (int n = 0; n < p.total; n++) {
        RbInst *item = picked_item(w, &p, n);
        if (!item) return rb_val_error();
        items[n] = k + 1 < w->e->kid_count ? walk_child(w, item, k + 1) : last_value(w, item);
        if (items[n].kind == RB_VAL_ERROR) return items[n];
    }
    if (p.rank == 0) return items[0];
    if (p.total == 0 && k + 1 == w->e->kid_count && rb_class_is_record(array->class))
        return rb_val_no_records(fe, array->class, p.rank, p.dims);
    if (p.total > 0 && items[0].kind == RB_VAL_ABSENT) return items[0];
    if (p.total > 0 && items[0].kind == RB_VAL_INST) {
        RbVal v = {.kind = RB_VAL_INST, .rank = p.rank, .fields = items, .field_count = p.total};
        memcpy(v.dims, p.dims, sizeof v.dims);
        return v;
    }
    return rb_val_nest(fe, items, p.dims, p.rank, w->e->at);
}

static RbVal walk_leaf(const Walk *w, RbInst *inst, int k) {
    const RbAstPart *part = &w->e->parts[k];
    bool last = k + 1 == w->e->kid_count;
    if (w->component && last && part->subscript_count == 0)
        return (RbVal){.kind = RB_VAL_INST, .inst = inst};
    RbVal v = rb_val_of_leaf(w->fe, inst);
    if (v.kind != RB_VAL_ERROR) v = rb_apply_subscripts(w->fe, w->ctx, part, 0, v, w->e->at);
    if (v.kind == RB_VAL_ERROR) return v;
    if (!last) return walk_fields(w, v, k + 1);
    if (w->component) {
        v.kind = RB_VAL_INST;
        v.inst = inst;
    }
    return v;
}

// The inner component that an outer one stands for; NULL if there is none (reported). One that is
// both has two sides: the class that declares it sees the component around it, all others its own.
static RbInst *find_inner(const Walk *w, RbInst *inst, int k) {
    const RbElem *e = inst->elem;
    if (!e || !e->clause->outer || (e->clause->inner && k > 0) || inst->is_static) return inst;
    RbInst *inner = rb_inst_inner(w->fe, inst);
    if (inner) return inst->causality == RB_AST_OUTPUT ? rb_machine_own(w->fe, inst, inner) : inner;
    rb_fail(w->fe->diag, RB_ERROR_MODEL, e->component->at,
            "'%s' is outer, but no component around it is declared as 'inner %s'; add "
            "'inner %s %s;' to the model",
            inst->path, e->name, inst->class ? inst->class->full_name : "...", e->name);
    return NULL;
}

static RbVal walk_inst(const Walk *w, RbInst *inst, int k) {
    const RbAstPart *part = &w->e->parts[k];
    bool last = k + 1 == w->e->kid_count;
    inst = find_inner(w, inst, k);
    if (!inst) return rb_val_error();
    switch (inst->kind) {
        case RB_INST_BROKEN: return rb_val_error();
        case RB_INST_ABSENT: return (RbVal){.kind = RB_VAL_ABSENT, .inst = inst};
        case RB_INST_ARRAY:
            return last && part->subscript_count == 0 ? last_value(w, inst)
                                                      : walk_items(w, inst, k);
        case RB_INST_LEAF: return walk_leaf(w, inst, k);
        case RB_INST_COMPONENT: break;
    }
    if (part->subscript_count > 0) {
        rb_fail(w->fe->diag, RB_ERROR_MODEL, w->e->at,
                "'%s' is not an array and cannot have subscripts", inst->path);
        return rb_val_error();
    }
    return last ? last_value(w, inst) : walk_child(w, inst, k + 1);
}

static RbVal enumeration_literal(const Walk *w, RbClass *class, int k) {
    RbFrontEnd *fe = w->fe;
    RbName name = w->e->parts[k].name;
    for (int i = 0; i < class->enumeration->literal_count; i++) {
        if (class->enumeration->literals[i].name != name) continue;
        RbVal v = rb_val_scalar(rb_enum(fe->x, i + 1), RB_AST_CONSTANT);
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

static RbVal is_protected(const Walk *w, const RbElem *e) {
    rb_fail(w->fe->diag, RB_ERROR_MODEL, w->e->at,
            "'%s' is protected in '%s' and cannot be used from outside", e->name,
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
        if (rb_elem_is_protected(next)) return is_protected(w, next);
        if (next->component) {
            RbInst *package = rb_inst_static(fe, class);
            if (next->number == 0) return rb_val_error();
            return walk_inst(w, rb_inst_child(fe, package, next), k + 1);
        }
        e = next;
    }
}

// The name as a text: Steel, cup.stl.
static const char *in_quotes(const Walk *w) {
    RbText t = rb_text(w->fe->arena);
    for (int k = 0; k < w->e->kid_count; k++)
        rb_text_printf(&t, "%s%s", k > 0 ? "." : "", w->e->parts[k].name);
    return rb_arena_printf(w->fe->arena, "; a text stands in quotes: \"%s\"", t.data);
}

static bool is_file(const Walk *w) {
    static const char *const endings[] = {"stl", "obj", "ply", "dxf"};
    for (int i = 0; i < 4 && w->e->kid_count == 2; i++) {
        if (strcmp(w->e->parts[1].name, endings[i]) == 0) return true;
    }
    return false;
}

static RbVal unknown_name(const Walk *w) {
    RbFrontEnd *fe = w->fe;
    RbName name = w->e->parts[0].name;
    const char *near = rb_near_name(fe->classes, w->ctx->scope, name, false);
    if (!*near && rb_text_edit_distance(name, "time", 1) == 1) near = "; did you mean 'time'?";
    const char *quotes = w->ctx->wants_text || is_file(w) ? in_quotes(w) : "";
    rb_fail(fe->diag, RB_ERROR_MODEL, w->e->at, "'%s' is unknown%s%s", name, near, quotes);
    return rb_val_error();
}

// From a value that the first part of the name means, on to its elements and fields.
static RbVal walk_value(const Walk *w, RbVal v) {
    return walk_fields(w, rb_apply_subscripts(w->fe, w->ctx, &w->e->parts[0], 0, v, w->e->at), 1);
}

static const RbLoopVar *find_iterator(const RbPlace *ctx, RbName name) {
    const RbLoopVar *l = ctx->loops;
    while (l && l->name != name) l = l->outer;
    return l;
}

static RbFunctionFrame *find_frame(const RbPlace *ctx, const RbClass *class) {
    RbFunctionFrame *f = ctx->frame;
    while (f && f->class != class) f = f->outer;
    return f;
}

// A component of the class around, or of an enclosing package.
static RbVal walk_elem(const Walk *w, RbElem *elem) {
    RbFrontEnd *fe = w->fe;
    RbInst *around = w->ctx->inst;
    RbInst *inst =
        around ? rb_inst_context(fe, around, elem->owner) : rb_inst_static(fe, elem->owner);
    if (elem->number == 0) rb_class_list(fe->classes, elem->owner);
    if (elem->number == 0 || !inst->children) return rb_val_error();
    bool is_around = elem->owner != w->ctx->scope->owner || (inst->is_static && inst != around);
    if (is_around && elem->clause->variability != RB_AST_CONSTANT) return not_constant(w, elem);
    return walk_inst(w, rb_inst_child(fe, inst, elem), 0);
}

// Only models and blocks know the time.
static void check_time(const Walk *w) {
    RbRestriction kind = w->ctx->scope->def->restriction;
    bool is_data = kind == RB_KIND_RECORD || kind == RB_KIND_OPERATOR_RECORD ||
                   kind == RB_KIND_CONNECTOR || kind == RB_KIND_EXPANDABLE_CONNECTOR;
    if (!is_data && kind != RB_KIND_FUNCTION && kind != RB_KIND_OPERATOR_FUNCTION) return;
    rb_fail(w->fe->diag, RB_ERROR_MODEL, w->e->at,
            "a %s cannot use 'time'; give it to '%s' from a model", rb_restriction_name(kind),
            w->ctx->scope->owner->full_name);
}

static RbVal reference(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, bool component) {
    Walk w = {fe, ctx, e, component};
    RbName name = e->parts[0].name;
    const RbLoopVar *iterator = e->global ? NULL : find_iterator(ctx, name);
    if (iterator) return walk_value(&w, iterator->value);
    RbElem *elem = e->global ? rb_class_elem(fe->classes, fe->classes->top, name)
                             : rb_lookup(fe->classes, ctx->scope, name);
    if (!elem) {
        if (name != fe->n_time || e->kid_count > 1) return unknown_name(&w);
        check_time(&w);
        return rb_val_scalar(rb_time(fe->x), RB_AST_CONTINUOUS);
    }
    if (!elem->component) return walk_class(&w, elem, 0);
    RbFunctionFrame *frame = find_frame(ctx, elem->owner);
    if (frame) return walk_value(&w, rb_frame_local(fe, frame, elem));
    return walk_elem(&w, elem);
}

RbVal rb_lower_component(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    while (e->kind == RB_AST_TUPLE && e->kid_count == 1 && e->kids[0]) e = e->kids[0];
    return e->kind == RB_AST_REF ? reference(fe, ctx, e, true) : rb_lower_expr(fe, ctx, e);
}

RbVal rb_lower_reference(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    return reference(fe, ctx, e, false);
}
