// SPDX-License-Identifier: MIT
// Arguments of calls: from how they are written to the inputs they are for.
#include <string.h>

#include "flatten/call.h"

bool rb_lower_actuals(RbFrontEnd *fe, const RbPlace *around, const RbAstExpr *call,
                      RbActuals *out) {
    RbPlace ctx = *around;
    ctx.wants_text = false; // whatever the function makes of them
    int count = call->kid_count - 1;
    RbActual *list = rb_new_array(fe->arena, RbActual, count + 1);
    for (int i = 0; i < count; i++) {
        const RbAstExpr *a = call->kids[i + 1];
        bool is_named = a->kind == RB_AST_NAMED;
        list[i].name = is_named ? a->name : NULL;
        list[i].at = a->at;
        list[i].value = rb_val_single(rb_lower_expr(fe, &ctx, is_named ? a->kids[0] : a));
        if (list[i].value.kind == RB_VAL_ERROR) return false;
    }
    *out = (RbActuals){.list = list, .count = count, .at = call->at, .keeps = ctx.keeps};
    return true;
}

static bool is_input(const RbClass *class, const RbElem *e) {
    if (e->clause->is_protected) return false;
    if (rb_class_is_function(class)) return e->clause->causality == RB_AST_INPUT;
    bool fixed = e->clause->variability == RB_AST_CONSTANT && e->component->mod &&
                 e->component->mod->value; // a constant without a value is given one (4.8.3)
    return !e->clause->final && !fixed;
}

static RbCall new_call(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals) {
    rb_class_list(fe->classes, class);
    int count = class->components.count;
    RbCall call = {.class = class,
                   .inputs = rb_new_array(fe->arena, RbElem *, count + 1),
                   .args = rb_new_array(fe->arena, RbVal, count + 1),
                   .given = rb_new_array(fe->arena, bool, count + 1),
                   .at = actuals->at,
                   .keeps = actuals->keeps};
    for (int i = 0; i < count; i++) {
        RbElem *e = class->components.data[i];
        if (is_input(class, e)) call.inputs[call.count++] = e;
    }
    return call;
}

static int find_input(const RbCall *call, RbName name) {
    for (int i = 0; i < call->count; i++) {
        if (call->inputs[i]->name == name) return i;
    }
    return -1;
}

// "; did you mean 'x'?", or else the names that there are.
static const char *suggest_inputs(RbFrontEnd *fe, const RbCall *call, RbName wanted) {
    const char *near = rb_near_element(fe->classes, call->class, wanted);
    if (near[0] || call->count == 0) return near;
    RbText text = rb_text(fe->diag->arena);
    rb_text_add(&text, call->count == 1 ? "; its input is '" : "; its inputs are '");
    for (int i = 0; i < call->count; i++)
        rb_text_printf(&text, "%s%s", i > 0 ? "', '" : "", call->inputs[i]->name);
    rb_text_add(&text, "'");
    return text.data;
}

static void fail_place(RbFrontEnd *fe, const RbCall *call, const RbActual *a, int given) {
    if (a->name) {
        rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "'%s' has no input '%s'%s", call->class->full_name,
                a->name, suggest_inputs(fe, call, a->name));
    } else {
        rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "'%s' has %d input%s, but %d arguments are given",
                call->class->full_name, call->count, call->count == 1 ? "" : "s", given);
    }
}

// The input for the next argument without a name.
static int next_open(const RbCall *call, int from) {
    while (from < call->count && call->given[from]) from++;
    return from;
}

static bool place(RbFrontEnd *fe, const RbActuals *actuals, RbCall *call, bool report) {
    int next = next_open(call, 0);
    for (int i = 0; i < actuals->count; i++) {
        const RbActual *a = &actuals->list[i];
        int at = a->name ? find_input(call, a->name) : next;
        if (at < 0 || at >= call->count) {
            if (report) fail_place(fe, call, a, actuals->count);
            return false;
        }
        if (call->given[at]) {
            if (report)
                rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "the input '%s' is given twice",
                        call->inputs[at]->name);
            return false;
        }
        call->args[at] = a->value;
        call->given[at] = true;
        if (!a->name) next = next_open(call, at + 1);
    }
    return true;
}

bool rb_place_actuals(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals, RbCall *call,
                      bool report) {
    *call = new_call(fe, class, actuals);
    return place(fe, actuals, call, report);
}

bool rb_place_open(RbFrontEnd *fe, const RbVal *function, const RbActuals *actuals, RbCall *call) {
    *call = new_call(fe, function->class, actuals);
    for (int i = 0; i < call->count; i++) {
        const RbVal *bound = &function->fields[call->inputs[i]->number - 1];
        if (bound->kind == RB_VAL_ERROR) continue;
        call->args[i] = *bound;
        call->given[i] = true;
    }
    return place(fe, actuals, call, true);
}

bool rb_has_default(RbFrontEnd *fe, RbElem *e) {
    RbMods mods = rb_elem_mods(fe->classes, e);
    for (int i = 0; i < mods.count; i++) {
        if (mods.list[i].mod && mods.list[i].mod->value && !mods.list[i].no_value) return true;
    }
    return false;
}

// --- shapes --------------------------------------------------------------------------------------

// A size in the declaration of an input, or -1.
static int declared_size(RbFrontEnd *fe, RbFunctionFrame *frame, const RbElem *e,
                         const RbAstExpr *text) {
    if (text->kind == RB_AST_COLON || e->scope->owner != frame->class) return -1;
    RbFunctionFrame shape = *frame;
    shape.function = NULL;
    shape.keeps.sizes = true; // only the present size is wanted here
    RbPlace ctx = {.scope = e->scope, .frame = &shape, .keeps = shape.keeps};
    int errors = fe->diag->error_count;
    RbVal n = rb_lower_expr(fe, &ctx, text);
    int64_t size;
    bool known =
        fe->diag->error_count == errors && rb_val_evaluate_size(fe, &n, &size, text->at, NULL);
    return known ? (int)size : -1;
}

// A size that belongs to the type of an input, or -1.
static int type_size(RbFrontEnd *fe, const RbDimensions *d, int k) {
    RbPlace ctx = {.scope = d->scope, .inst = rb_inst_static(fe, d->scope->owner)};
    RbVal n =
        d->list[k]->kind == RB_AST_COLON ? rb_val_error() : rb_lower_expr(fe, &ctx, d->list[k]);
    int64_t size;
    return rb_val_evaluate_integer(fe, &n, &size, d->list[k]->at, NULL) ? (int)size : -1;
}

static void add_size(RbVal *v, int size) {
    if (v->rank < RB_RANK_MAX) v->dims[v->rank++] = size;
}

RbVal rb_input_shape(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e) {
    RbClass *class = rb_elem_class(fe->classes, e);
    if (!class || !rb_class_ready(fe->classes, class)) return rb_val_error();
    RbVal v = {.kind = RB_VAL_EXPR, .class = class};
    v.type = class->is_external_object ? RB_EXTERNAL : class->type;
    if (!class->is_type && !class->is_external_object) {
        v.kind = rb_class_is_record(class) ? RB_VAL_RECORD : RB_VAL_CLASS;
        rb_class_list(fe->classes, class);
        v.field_count = v.kind == RB_VAL_RECORD ? class->components.count : 0;
    }
    for (int i = 0; i < e->component->dimension_count; i++)
        add_size(&v, declared_size(fe, frame, e, e->component->dimensions[i]));
    for (int i = 0; i < e->clause->dimension_count; i++)
        add_size(&v, declared_size(fe, frame, e, e->clause->dimensions[i]));
    for (int i = 0; i < class->dimensions.count; i++) {
        for (int k = 0; k < class->dimensions.data[i].count; k++)
            add_size(&v, type_size(fe, &class->dimensions.data[i], k));
    }
    return v;
}
