// SPDX-License-Identifier: MIT
// Components of a function as its variables: sizes, records taken apart, values at the start.
#include <string.h>

#include "flatten/function.h"

static RbPlace frame_context(RbFrontEnd *fe, RbFunctionFrame *frame, RbClassPart *scope) {
    RbPlace ctx = {.scope = scope, .frame = frame, .keeps = frame->keeps};
    if (scope->owner != frame->class)
        ctx.inst = frame->around ? rb_inst_context(fe, frame->around, scope->owner)
                                 : rb_inst_static(fe, scope->owner);
    return ctx;
}

static const RbModifier *first_value(RbMods mods) {
    for (int i = 0; i < mods.count; i++) {
        const RbModifier *m = &mods.list[i];
        if (m->mod && m->mod->value && !m->no_value && m->mod->value->kind != RB_AST_BREAK)
            return m;
    }
    return NULL;
}

static const RbModifier *value_of(RbFrontEnd *fe, RbElem *e, RbMods *mods) {
    *mods = rb_elem_mods(fe->classes, e);
    return first_value(*mods);
}

// The default of a component that has no local (an argument that was left out, a constant).
RbVal rb_frame_local(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e) {
    if (e->number == 0) return rb_val_error();
    int at = e->number - 1;
    if (frame->known[at]) return frame->locals[at];
    RbMods mods;
    const RbModifier *m = value_of(fe, e, &mods);
    if (!m) {
        // A record without a binding may get its fields from their defaults.
        RbClass *class = rb_elem_class(fe->classes, e);
        if (class && rb_class_ready(fe->classes, class) && rb_class_is_record(class) &&
            e->component->dimension_count == 0) {
            rb_class_list(fe->classes, class);
            RbInst *inst = rb_inst_static(fe, class);
            RbVal v = rb_val_of_inst(fe, inst);
            return v;
        }
        return rb_val_error();
    }
    frame->known[at] = true;
    frame->locals[at] = rb_val_error(); // a default that needs itself
    RbPlace ctx = frame_context(fe, frame, m->scope);
    RbVal v = rb_val_single(rb_lower_expr(fe, &ctx, m->mod->value));
    frame->locals[at] = v;
    return v;
}

// The variables of iterators follow those of the interface, which are numbered by their place.
static bool is_interface_loop(const RbFunctionBuilder *b, const RbElem *e, int vars_before) {
    bool interface = e->clause->causality == RB_AST_INPUT || e->clause->causality == RB_AST_OUTPUT;
    return interface && b->f->vars.count > vars_before;
}

// One size of a component; false if it is no Integer.
static bool local_dim(RbFunctionBuilder *b, const RbPlace *ctx, const RbElem *e,
                      const RbAstExpr *text, RbVal *v, const RbExpr **exprs) {
    RbFrontEnd *fe = b->fe;
    int k = v->rank++;
    exprs[k] = NULL;
    v->dims[k] = -1;
    if (text->kind == RB_AST_COLON || rb_own_size(text, e->name) > 0) return true;
    int vars = b->f->vars.count;
    RbVal n = rb_lower_expr(fe, ctx, text);
    if (n.kind == RB_VAL_CLASS && n.class->enumeration)
        n = rb_val_scalar(rb_integer(fe->x, n.class->enumeration->literal_count), RB_AST_CONSTANT);
    if (n.kind == RB_VAL_ERROR) return false;
    if (is_interface_loop(b, e, vars)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, text->at,
                "the size of '%s' counts with an iterator, which is not supported for inputs and "
                "outputs; write a "
                "function that counts, and call it here",
                e->name);
        return false;
    }
    if (n.kind != RB_VAL_EXPR || n.type != RB_INTEGER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, text->at,
                "the size of '%s' must be Integer, but this is %s", e->name,
                rb_val_type_name(fe, &n));
        return false;
    }
    exprs[k] = n.e;
    if (n.e->op == RB_OP_INTEGER) v->dims[k] = (int)n.e->integer;
    return true;
}

static bool add_dims(RbFunctionBuilder *b, RbDimensions d, const RbElem *e, RbVal *v,
                     const RbExpr **exprs) {
    RbPlace ctx = frame_context(b->fe, b->frame, d.scope);
    for (int i = 0; i < d.count; i++) {
        if (v->rank == RB_RANK_MAX) {
            rb_fail(b->fe->diag, RB_ERROR_MODEL, d.list[i]->at, "'%s' has more than %d dimensions",
                    e->name, RB_RANK_MAX);
            return false;
        }
        if (!local_dim(b, &ctx, e, d.list[i], v, exprs)) return false;
    }
    return true;
}

bool rb_local_dims(RbFunctionBuilder *b, RbElem *e, RbClass *class, RbVal *v,
                   const RbExpr **exprs) {
    RbDimensions own = {e->component->dimensions, e->component->dimension_count, e->scope};
    RbDimensions clause = {e->clause->dimensions, e->clause->dimension_count, e->scope};
    bool good = add_dims(b, own, e, v, exprs) && add_dims(b, clause, e, v, exprs);
    for (int i = 0; good && i < class->dimensions.count; i++)
        good = add_dims(b, class->dimensions.data[i], e, v, exprs);
    return good;
}

static RbVal add_variable(RbFunctionBuilder *b, RbClass *class, const char *name, RbVal shape,
                          const RbExpr *const *dims) {
    RbFrontEnd *fe = b->fe;
    RbFunctionVar var = {.name = rb_intern(fe->names, name),
                         .type = class->is_external_object ? RB_EXTERNAL : class->type,
                         .rank = shape.rank};
    for (int i = 0; i < shape.rank; i++) var.dims[i] = dims[i];
    if (var.type == RB_ENUM) var.enumeration = rb_flat_enumeration(fe, class);
    rb_array_push(&b->f->vars, fe->arena, var);
    shape.kind = RB_VAL_EXPR;
    shape.type = var.type;
    shape.class = class;
    shape.e = rb_local(fe->x, b->f->vars.count - 1, var.type, var.rank);
    return shape;
}

// Field number i of a record; those before it may be used for its size.
static RbVal add_field(RbFunctionBuilder *b, RbVal *record, int i, const char *name,
                       const RbExpr *const *dims) {
    RbFrontEnd *fe = b->fe;
    RbElem *e = record->class->components.data[i];
    RbClass *type = rb_elem_class(fe->classes, e);
    if (!type || !rb_class_ready(fe->classes, type)) return rb_val_error();
    RbVal field = {.rank = record->rank};
    memcpy(field.dims, record->dims, sizeof field.dims);
    const RbExpr *all[RB_RANK_MAX];
    for (int k = 0; k < record->rank; k++) all[k] = dims[k];
    RbFunctionFrame frame = {.class = record->class,
                             .locals = record->fields,
                             .known = rb_new_array(fe->arena, bool, record->field_count + 1),
                             .function = b->f};
    for (int k = 0; k < i; k++) frame.known[k] = true;
    RbFunctionBuilder inner = {fe, &frame, b->f, NULL};
    if (!rb_local_dims(&inner, e, type, &field, all)) return rb_val_error();
    return rb_add_local(b, type, rb_arena_printf(fe->arena, "%s.%s", name, e->name), field, all);
}

RbVal rb_add_local(RbFunctionBuilder *b, RbClass *class, const char *name, RbVal shape,
                   const RbExpr *const *dims) {
    RbFrontEnd *fe = b->fe;
    if (!rb_class_ready(fe->classes, class)) return rb_val_error();
    if (class->is_type || class->is_external_object)
        return add_variable(b, class, name, shape, dims);
    if (!rb_class_is_record(class)) return rb_val_error();
    rb_class_list(fe->classes, class);
    RbVal v = shape;
    v.kind = RB_VAL_RECORD;
    v.class = class;
    v.field_count = class->components.count;
    v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
    for (int i = 0; i < v.field_count; i++) {
        v.fields[i] = add_field(b, &v, i, name, dims);
        if (v.fields[i].kind == RB_VAL_ERROR) return rb_val_error();
    }
    return v;
}

// An input of the function that has the type of a value.
static RbVal add_input_like(RbFunctionBuilder *b, const RbVal *value, const char *name) {
    RbFrontEnd *fe = b->fe;
    RbVal v = *value;
    v.variability = RB_AST_CONTINUOUS;
    v.inst = NULL;
    for (int i = 0; i < v.rank; i++) v.dims[i] = -1;
    if (v.kind == RB_VAL_RECORD) {
        v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
        for (int i = 0; i < v.field_count; i++) {
            RbName field = v.class->components.data[i]->name;
            v.fields[i] = add_input_like(b, &value->fields[i],
                                         rb_arena_printf(fe->arena, "%s.%s", name, field));
        }
        return v;
    }
    RbFunctionVar var = {.name = rb_intern(fe->names, name), .type = v.type, .rank = v.rank};
    if (v.type == RB_ENUM && v.class) var.enumeration = rb_flat_enumeration(fe, v.class);
    rb_array_push(&b->f->vars, fe->arena, var);
    v.e = rb_local(fe->x, b->f->vars.count - 1, v.type, v.rank);
    return v;
}

// An input that is a function: known where the call is; what it is bound to becomes inputs.
static bool declare_function(RbFunctionBuilder *b, RbElem *e) {
    RbFrontEnd *fe = b->fe;
    const RbVal *value = b->functions ? &b->functions[e->number - 1] : NULL;
    if (!value || value->kind != RB_VAL_FUNCTION || e->clause->causality != RB_AST_INPUT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                "'%s' is a function; only inputs of functions can be functions", e->name);
        return false;
    }
    RbVal v = *value;
    v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
    for (int i = 0; i < v.field_count; i++) {
        if (value->fields[i].kind == RB_VAL_ERROR) continue;
        RbName input = v.class->components.data[i]->name;
        v.fields[i] = add_input_like(b, &value->fields[i],
                                     rb_arena_printf(fe->arena, "%s.%s", e->name, input));
    }
    b->frame->locals[e->number - 1] = v;
    b->frame->known[e->number - 1] = true;
    return true;
}

bool rb_declare_local(RbFunctionBuilder *b, RbElem *e) {
    RbFrontEnd *fe = b->fe;
    RbClass *class = rb_elem_class(fe->classes, e);
    if (!class || !rb_class_ready(fe->classes, class)) return false;
    RbVal shape = {0};
    const RbExpr *dims[RB_RANK_MAX];
    if (rb_class_is_function(class)) return declare_function(b, e);
    if (!rb_local_dims(b, e, class, &shape, dims)) return false;
    RbVal v = rb_add_local(b, class, e->name, shape, dims);
    if (v.kind == RB_VAL_ERROR) {
        if (!class->is_type && !rb_class_is_record(class)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                    "'%s' in a function is a %s; only types and records are possible", e->name,
                    rb_restriction_name(class->restriction));
        }
        return false;
    }
    b->frame->locals[e->number - 1] = v;
    b->frame->known[e->number - 1] = true;
    return true;
}

static void bind_local(RbFunctionBuilder *b, const RbVal *local, const RbVal *value) {
    if (local->kind == RB_VAL_RECORD) {
        for (int i = 0; i < local->field_count; i++)
            bind_local(b, &local->fields[i], &value->fields[i]);
        return;
    }
    b->f->vars.data[local->e->index].binding = value->e;
}

// A size that the declaration leaves open, or that follows from other fields, is that of the value.
static void take_sizes(RbFunctionBuilder *b, const RbVal *local, const RbVal *value, bool all) {
    RbFrontEnd *fe = b->fe;
    if (local->kind != RB_VAL_EXPR) return;
    RbFunctionVar *var = &b->f->vars.data[local->e->index];
    for (int i = 0; i < var->rank; i++) {
        bool known = value->dims[i] >= 0;
        if (var->dims[i] && !(all && known)) continue;
        if (!var->dims[i]) var->is_flexible = true;
        var->dims[i] = known ? rb_integer(fe->x, value->dims[i])
                             : rb_builtin2(fe->x, RB_FN_SIZE, value->e, rb_integer(fe->x, i + 1));
    }
}

// Record r(a = 1): values of single fields, from the modification or from the class of the record.
static bool lower_field_defaults(RbFunctionBuilder *b, const RbVal *local, RbMods mods) {
    RbFrontEnd *fe = b->fe;
    if (local->kind != RB_VAL_RECORD || local->rank > 0) return true;
    RbFunctionFrame record = {.class = local->class,
                              .locals = local->fields,
                              .known = rb_new_array(fe->arena, bool, local->field_count + 1),
                              .function = b->f,
                              .outer = b->frame};
    for (int i = 0; i < local->field_count; i++) {
        RbElem *e = local->class->components.data[i];
        RbMods of_field = rb_mods_of(fe->arena, mods, e->name), own;
        const RbModifier *m = first_value(of_field);
        bool is_own = !m;
        if (is_own) m = value_of(fe, e, &own);
        record.known[i] = true;
        if (!m) {
            if (!lower_field_defaults(b, &local->fields[i], of_field)) return false;
            continue;
        }
        RbPlace ctx = frame_context(fe, is_own ? &record : b->frame, m->scope);
        RbVal v = rb_lower_expr(fe, &ctx, m->mod->value);
        RbVal wanted = local->fields[i];
        for (int k = 0; k < wanted.rank; k++) wanted.dims[k] = -1;
        v = rb_val_convert(fe, v, &wanted, m->mod->value->at,
                           rb_arena_printf(fe->arena, "the value of '%s'", e->name));
        if (v.kind == RB_VAL_ERROR) return false;
        take_sizes(b, &local->fields[i], &v, true);
        bind_local(b, &local->fields[i], &v);
    }
    return true;
}

// Start value of an output or protected variable.
bool rb_lower_default(RbFunctionBuilder *b, RbElem *e) {
    RbFrontEnd *fe = b->fe;
    RbMods mods;
    const RbModifier *m = value_of(fe, e, &mods);
    if (!m) return lower_field_defaults(b, &b->frame->locals[e->number - 1], mods);
    RbVal *local = &b->frame->locals[e->number - 1];
    RbPlace ctx = frame_context(fe, b->frame, m->scope);
    RbVal v = rb_lower_expr(fe, &ctx, m->mod->value);
    v = rb_val_convert(fe, v, local, m->mod->value->at,
                       rb_arena_printf(fe->arena, "the value of '%s'", e->name));
    if (v.kind == RB_VAL_ERROR) return false;
    take_sizes(b, local, &v, false);
    bind_local(b, local, &v);
    return true;
}
