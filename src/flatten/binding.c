// SPDX-License-Identifier: MIT
// Declaration equations: which value a component gets, and what it is at translation.
#include <string.h>

#include "flatten/inst.h"

// A value that belongs to all elements of an array of components.
typedef struct ArrayValue {
    const RbInst *owner; // whose text it is
    RbKeeping keeps;
    RbVal value;
    long units_lost;
    struct ArrayValue *next; // of the same text
} ArrayValue;

// It is lowered once and not for each element: `ball[n](r = {f(i) for i in 1:n})`.
static RbVal array_value(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *text) {
    uint64_t *first = rb_map_find(&fe->array_values, rb_map_key(text));
    ArrayValue *all = first ? (ArrayValue *)(uintptr_t)*first : NULL;
    for (ArrayValue *a = all; a; a = a->next) {
        if (a->owner != ctx->inst || a->keeps.sizes != ctx->keeps.sizes ||
            a->keeps.slices != ctx->keeps.slices)
            continue;
        fe->units_lost += a->units_lost;
        return a->value;
    }
    long before = fe->units_lost;
    ArrayValue *a = rb_new(fe->work, ArrayValue);
    *a = (ArrayValue){.owner = ctx->inst,
                      .keeps = ctx->keeps,
                      .value = rb_lower_expr(fe, ctx, text),
                      .next = all};
    a->units_lost = fe->units_lost - before;
    rb_map_set(&fe->array_values, fe->work, rb_map_key(text), (uint64_t)(uintptr_t)a);
    return a->value;
}

static void too_short(RbFrontEnd *fe, const RbInst *inst, const RbModifier *m, int wanted,
                      int size) {
    rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
            "'%s' needs element %d of this value, which has size %d", inst->path, wanted, size);
}

// The element of {a, b, c} that is meant, so that the others are not looked at: they may be records
// of other sizes. Answers how many subscripts are used up.
static int enter_constructor(RbFrontEnd *fe, const RbInst *inst, const RbModifier *m,
                             const RbAstExpr **e) {
    int k = 0;
    while (k < m->sub_count && (*e)->kind == RB_AST_ARRAY && (*e)->iterator_count == 0) {
        if (m->subs[k] > (*e)->kid_count) {
            too_short(fe, inst, m, m->subs[k], (*e)->kid_count);
            return -1;
        }
        *e = (*e)->kids[m->subs[k++] - 1];
    }
    return k;
}

RbVal rb_modifier_value(RbFrontEnd *fe, RbInst *inst, const RbModifier *m, RbKeeping keeps) {
    RbPlace ctx = rb_inst_place(fe, inst, m->scope);
    ctx.keeps = keeps;
    ctx.wants_text = inst->class && inst->class->type == RB_STRING;
    const RbAstExpr *text = m->mod->value;
    int entered = enter_constructor(fe, inst, m, &text), open = m->sub_count - entered;
    if (entered < 0) return rb_val_error();
    const int *subs = m->subs ? m->subs + entered : NULL;
    RbVal v = open > 0 ? array_value(fe, &ctx, text) : rb_lower_expr(fe, &ctx, text);
    if (v.kind == RB_VAL_ERROR || open == 0) return v;
    if (v.rank < open) {
        if (v.kind == RB_VAL_EXPR || v.kind == RB_VAL_RECORD) {
            rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
                    "'%s' is part of an array of components: the value must be an array, or be "
                    "given with 'each'",
                    inst->path);
        }
        return rb_val_error();
    }
    for (int i = 0; i < open; i++) {
        if (v.dims[i] >= subs[i]) continue;
        too_short(fe, inst, m, subs[i], v.dims[i]);
        return rb_val_error();
    }
    return rb_val_element(fe, &v, subs, open);
}

static void fail_final(RbFrontEnd *fe, const RbModifier *m, const char *what, RbPos declared) {
    rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
            "'%s' is final (line %d) and cannot be modified", what, declared.line);
}

const RbModifier *rb_mods_value(RbFrontEnd *fe, RbMods mods, const char *what, bool include_own) {
    const RbModifier *best = NULL;
    for (int i = 0; i < mods.count; i++) {
        const RbModifier *m = &mods.list[i];
        if (!m->mod || !m->mod->value || m->no_value ||
            (!include_own && (m->is_own || m->is_covered)))
            continue;
        if (best && m->final && best->mod->value != m->mod->value) {
            fail_final(fe, best, what, m->at);
            return best;
        }
        if (!best) best = m;
    }
    return best && best->mod->value->kind != RB_AST_BREAK ? best : NULL;
}

static RbVal *keep_val(RbFrontEnd *fe, RbVal v) {
    RbVal *copy = rb_new(fe->work, RbVal);
    *copy = v;
    return copy;
}

// Field of the record value that the parent is bound to.
static RbVal *field_of_parent(RbFrontEnd *fe, RbInst *inst) {
    RbInst *p = inst->parent;
    if (!p || !p->elem || !rb_class_is_record(p->class)) return NULL;
    // A constant of the record has its value whatever the record is.
    const RbAstMod *own = inst->elem->component->mod;
    if (inst->elem->clause->variability == RB_AST_CONSTANT && own && own->value) return NULL;
    RbVal *whole = rb_inst_binding(fe, p);
    if (!whole || whole->kind == RB_VAL_ERROR) return whole;
    const RbModifier *m = rb_mods_value(fe, p->mods, p->path, true);
    RbPos at = m ? m->mod->value->at : p->elem->component->at;
    if (whole->kind != RB_VAL_RECORD || (p->rank == 0 && whole->rank > 0)) {
        RbVal wanted = {.kind = RB_VAL_RECORD, .class = p->class};
        rb_val_convert(fe, *whole, &wanted, at,
                       rb_arena_printf(fe->arena, "the value of '%s'", p->path));
        *whole = rb_val_error(); // reported once
        return whole;
    }
    // The record of the value may be another class with the same fields.
    for (int i = 0; i < whole->field_count; i++) {
        if (whole->class->components.data[i]->name == inst->elem->name) return &whole->fields[i];
    }
    if (inst->elem->component->mod && inst->elem->component->mod->value) return NULL;
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "the value of '%s' must be a record '%s', but this is a '%s', which has no field '%s'",
            p->path, p->class->full_name, whole->class->full_name, inst->elem->name);
    *whole = rb_val_error();
    return whole;
}

// Numbers in whose value size(A, 1) stays an expression, so that they follow A: n = size(A, 1).
static bool follows_sizes(const RbInst *i) {
    bool number = i->kind == RB_INST_LEAF && i->var >= 0 && i->variability <= RB_AST_PARAMETER;
    return number && (i->class->type == RB_REAL || (i->class->type == RB_INTEGER && i->rank == 0 &&
                                                    i->variability == RB_AST_PARAMETER));
}

// Does the modification stand inside of a record around that has a value as a whole? That value
// comes from outside, and is stronger.
static bool is_covered(RbFrontEnd *fe, RbInst *inst, const RbModifier *m) {
    RbInst *owner = rb_inst_context(fe, inst, m->scope->owner);
    for (RbInst *p = inst->parent; p && p->elem && rb_class_is_record(p->class); p = p->parent) {
        if (p == owner) return rb_inst_binding(fe, p) != NULL;
    }
    return false;
}

// Does a record have all the fields of a class?
static bool has_fields(const RbVal *v, const RbClass *class) {
    if (v->kind != RB_VAL_RECORD) return false;
    for (int i = 0; i < class->components.count; i++) {
        bool found = false;
        for (int k = 0; k < v->field_count; k++)
            found = found || v->class->components.data[k]->name == class->components.data[i]->name;
        if (!found) return false;
    }
    return true;
}

// A record that is redeclared without a value keeps the one it had, if that has all its fields.
static RbVal *replaced_value(RbFrontEnd *fe, RbInst *inst, RbKeeping keeps) {
    if (!inst->class || !rb_class_is_record(inst->class)) return NULL;
    for (const RbElem *old = inst->elem->replaces; old; old = old->replaces) {
        const RbAstMod *mod = old->component ? old->component->mod : NULL;
        if (!mod || !mod->value || mod->value->kind == RB_AST_BREAK) continue;
        RbModifier m = {.mod = mod, .scope = old->scope, .at = mod->at};
        if (inst->is_item) {
            m.subs = inst->subs;
            m.sub_count = inst->sub_count;
        }
        RbVal v = rb_modifier_value(fe, inst, &m, keeps);
        rb_class_list(fe->classes, inst->class);
        return has_fields(&v, inst->class) ? keep_val(fe, v) : NULL;
    }
    return NULL;
}

static RbVal *find_binding(RbFrontEnd *fe, RbInst *inst, RbKeeping keeps) {
    bool in_record = inst->parent && inst->parent->elem && rb_class_is_record(inst->parent->class);
    const RbModifier *m = rb_mods_value(fe, inst->mods, inst->path, !in_record);
    if (m && in_record && is_covered(fe, inst, m)) m = NULL;
    if (m) return keep_val(fe, rb_modifier_value(fe, inst, m, keeps));
    if (in_record) {
        RbVal *field = field_of_parent(fe, inst);
        if (field && inst->is_item && field->kind != RB_VAL_ERROR && field->rank >= inst->sub_count)
            field = keep_val(fe, rb_val_element(fe, field, inst->subs, inst->sub_count));
        if (field) return field;
        m = rb_mods_value(fe, inst->mods, inst->path, true);
        if (m) return keep_val(fe, rb_modifier_value(fe, inst, m, keeps));
    }
    return replaced_value(fe, inst, keeps);
}

RbVal *rb_inst_binding(RbFrontEnd *fe, RbInst *inst) {
    if (inst->binding_done || !inst->elem) return inst->binding;
    inst->binding_done = true;
    long before = fe->units_lost;
    inst->binding = find_binding(fe, inst, (RbKeeping){follows_sizes(inst), true});
    inst->units_lost = fe->units_lost > before || (inst->parent && inst->parent->units_lost);
    return inst->binding;
}

// Where the value of a component stands: that of a field may be part of what the record is given.
static RbPos value_place(RbFrontEnd *fe, RbInst *i) {
    bool in_record = i->parent && i->parent->elem && rb_class_is_record(i->parent->class);
    const RbModifier *m = rb_mods_value(fe, i->mods, i->path, !in_record);
    if (m) return m->mod->value->at;
    if (in_record && rb_inst_binding(fe, i->parent)) return value_place(fe, i->parent);
    m = rb_mods_value(fe, i->mods, i->path, true);
    return m ? m->mod->value->at : i->elem->component->at;
}

static void lower_binding(RbFrontEnd *fe, RbInst *i) {
    RbVal *binding = rb_inst_binding(fe, i);
    if (!binding || binding->kind == RB_VAL_ERROR) return;
    RbVal wanted = {
        .kind = RB_VAL_EXPR, .type = i->class->type, .rank = i->rank, .class = i->class};
    if (i->class->is_external_object) wanted.type = RB_EXTERNAL;
    memcpy(wanted.dims, i->dims, sizeof wanted.dims);
    RbPos at = value_place(fe, i);
    const char *what = rb_val_fits(binding, &wanted)
                           ? ""
                           : rb_arena_printf(fe->work, "the value of '%s'", i->path);
    RbVal v = rb_val_convert(fe, *binding, &wanted, at, what);
    if (v.kind != RB_VAL_EXPR) return;
    if (i->variability > v.variability && i->variability >= RB_AST_PARAMETER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' is a %s, but its value %s", i->path,
                i->variability == RB_AST_CONSTANT ? "constant" : "parameter",
                v.variability == RB_AST_PARAMETER ? "depends on a parameter"
                                                  : "varies during the simulation");
        return;
    }
    fe->flat->vars.data[i->var].binding = v.e;
    if (i->units_lost) rb_map_set(&fe->without_units, fe->work, (uint64_t)i->var + 1, 1);
}

// A binding for a whole record is checked where its fields are used; one for another class is
// wrong.
static void check_no_value(RbFrontEnd *fe, const RbInst *inst) {
    if (!inst->elem || rb_class_is_record(inst->class)) return;
    const RbModifier *m = rb_mods_value(fe, inst->mods, inst->path, true);
    if (!m || m->no_value) return;
    rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
            "'%s' is a component of the %s '%s' and cannot have a value", inst->path,
            rb_restriction_name(inst->class->restriction), inst->class->full_name);
}

// A final component without a value: the start may find one, a modifier must not give one. (One
// with a value is compared with what modifies it, in rb_mods_value.)
static void check_final(RbFrontEnd *fe, const RbInst *inst) {
    const RbElem *e = inst->elem;
    if (!e || !e->clause->final || e->replaces) return;
    if (e->component->mod && e->component->mod->value) return;
    const RbModifier *m = rb_mods_value(fe, inst->mods, inst->path, true);
    if (m) fail_final(fe, m, inst->path, e->component->at);
}

void rb_inst_bindings(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind != RB_INST_ARRAY) check_final(fe, inst);
    if (inst->kind == RB_INST_LEAF && inst->var >= 0) {
        rb_inst_attributes(fe, inst);
        lower_binding(fe, inst);
    } else if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_inst_bindings(fe, inst->items[i]);
    } else if (inst->kind == RB_INST_COMPONENT) {
        check_no_value(fe, inst);
        for (int i = 0; i < inst->class->components.count; i++) {
            if (inst->children[i]) rb_inst_bindings(fe, inst->children[i]);
        }
    }
}

// --- values at translation -----------------------------------------------------------------------

static bool evaluate_now(RbFrontEnd *fe, RbInst *inst, RbUse use, RbExprValue *value) {
    RbVal *binding = rb_inst_binding(fe, inst);
    RbVal v;
    if (binding) {
        if (binding->kind != RB_VAL_EXPR) return false;
        v = *binding;
    } else {
        // A parameter without a value has its start value, unless the initialisation finds one.
        if (inst->variability != RB_AST_PARAMETER || rb_inst_is_found(fe, inst)) return false;
        const RbExpr *start = rb_inst_start(fe, inst);
        if (!start) return false;
        v = rb_val_expr(fe, start, inst->rank, inst->dims, RB_AST_PARAMETER);
    }
    if (!rb_val_evaluate_for(fe, &v, use, value, inst->elem->component->at, NULL)) return false;
    if (inst->class->type == RB_REAL && value->type == RB_INTEGER) value->type = RB_REAL;
    return true;
}

bool rb_inst_value(RbFrontEnd *fe, RbInst *inst, RbUse use, RbExprValue *value) {
    if (inst->kind != RB_INST_LEAF || inst->variability < RB_AST_PARAMETER) return false;
    if (inst->evaluation == RB_EVAL_BUSY) {
        if (fe->diag->error_count == 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, inst->elem->component->at,
                    "the value of '%s' depends on itself", inst->path);
        }
        return false;
    }
    if (inst->evaluation == RB_EVAL_NOT) {
        inst->evaluation = RB_EVAL_BUSY;
        inst->value = rb_new(fe->work, RbExprValue);
        bool good = evaluate_now(fe, inst, use, inst->value);
        inst->evaluation = good ? RB_EVAL_DONE : RB_EVAL_FAILED;
    }
    if (inst->evaluation != RB_EVAL_DONE) return false;
    *value = *inst->value;
    return true;
}
