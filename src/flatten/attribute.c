// SPDX-License-Identifier: MIT
// Attributes of variables: start, fixed, min, max, nominal, unit, ...
#include <string.h>

#include "flatten/inst.h"

// These lists live in fe->temp for as long as one variable is looked at.
static RbMods attribute_mods(RbFrontEnd *fe, const RbInst *i) {
    return rb_mods_join(fe->temp, i->mods,
                        (RbMods){i->class->type_mods.data, i->class->type_mods.count});
}

// The value of a literal: one text for all variables that it is an attribute of.
static const char *literal(RbFrontEnd *fe, const RbAstExpr *e) {
    uint64_t *known = rb_map_find(&fe->strings, rb_map_key(e->text.start));
    if (known) return (const char *)(uintptr_t)*known;
    const char *value = rb_string_value(e->text.start, e->text.length, fe->arena);
    rb_map_set(&fe->strings, fe->work, rb_map_key(e->text.start), rb_map_key(value));
    return value;
}

static const char *string_attribute(RbFrontEnd *fe, RbInst *i, RbMods all, RbName name) {
    RbMods mods = rb_mods_of(fe->temp, all, name);
    const RbModifier *m = rb_mods_value(fe, mods, name, true);
    if (!m) return NULL;
    if (m->mod->value->kind == RB_AST_STRING) return literal(fe, m->mod->value);
    RbVal v = rb_modifier_value(fe, i, m, (RbKeeping){0});
    RbExprValue value;
    if (v.kind == RB_VAL_ERROR) return NULL;
    if (v.kind != RB_VAL_EXPR || v.type != RB_STRING) {
        rb_fail(fe->diag, RB_ERROR_MODEL, m->mod->value->at,
                "the attribute '%s' of '%s' must be String, but this is %s", name, i->path,
                rb_val_type_name(fe, &v));
        return NULL;
    }
    if (!rb_val_evaluate(fe, &v, &value, m->at, name) || value.count < 1) return NULL;
    return value.text[0];
}

static const RbExpr *attribute(RbFrontEnd *fe, RbInst *i, RbMods all, RbName name, RbType type) {
    RbMods mods = rb_mods_of(fe->temp, all, name);
    const RbModifier *m = rb_mods_value(fe, mods, name, true);
    if (!m) return NULL;
    RbVal v = rb_modifier_value(fe, i, m, (RbKeeping){.slices = i->rank > 0});
    if (v.kind == RB_VAL_ERROR) return NULL;
    RbVal wanted = {.kind = RB_VAL_EXPR,
                    .type = type,
                    .rank = v.rank > 0 ? i->rank : 0,
                    .class = type == i->class->type ? i->class : NULL};
    memcpy(wanted.dims, i->dims, sizeof wanted.dims);
    const char *what = rb_val_fits(&v, &wanted)
                           ? ""
                           : rb_arena_printf(fe->work, "the attribute '%s' of '%s'", name, i->path);
    v = rb_val_convert(fe, v, &wanted, m->mod->value->at, what);
    return v.kind == RB_VAL_EXPR ? v.e : NULL;
}

const RbExpr *rb_inst_start(RbFrontEnd *fe, RbInst *i) {
    RbArena mark = *fe->temp;
    const RbExpr *start = attribute(fe, i, attribute_mods(fe, i), fe->n_start, i->class->type);
    *fe->temp = mark;
    return start;
}

// Is this the name of an attribute? If not, *near becomes one that is similar, or NULL.
static bool is_attribute(const char *name, const char **near) {
    static const char *const known[] = {"quantity",  "unit",       "displayUnit", "min",
                                        "max",       "start",      "fixed",       "nominal",
                                        "unbounded", "stateSelect"};
    *near = NULL;
    for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
        if (strcmp(known[j], name) == 0) return true;
    }
    for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
        if (rb_text_edit_distance(known[j], name, 2) <= 2) *near = known[j];
    }
    return false;
}

static void check_attributes(RbFrontEnd *fe, const RbInst *i, RbMods all) {
    for (int k = 0; k < all.count; k++) {
        const RbAstMod *mod = all.list[k].mod;
        for (int n = 0; mod && n < mod->count; n++) {
            const RbAstArgument *a = &mod->arguments[n];
            const char *near;
            if (a->element || a->is_break || is_attribute(a->name.parts[0], &near)) continue;
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                    "'%s' is a variable of type %s, which has no attribute '%s'%s%s%s", i->path,
                    i->class->full_name, a->name.parts[0], near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
        }
    }
}

static RbStateSelect state_select(RbFrontEnd *fe, RbInst *i, RbMods all) {
    static const RbStateSelect order[] = {RB_STATE_NEVER, RB_STATE_AVOID, RB_STATE_DEFAULT,
                                          RB_STATE_PREFER, RB_STATE_ALWAYS};
    const RbExpr *select = attribute(fe, i, all, fe->n_state_select, RB_ENUM);
    if (!select) return RB_STATE_DEFAULT;
    RbVal v = {.kind = RB_VAL_EXPR, .type = RB_ENUM, .e = select};
    int64_t which;
    bool known = rb_val_evaluate_integer(fe, &v, &which, i->elem->component->at, "stateSelect");
    return known && which >= 1 && which <= 5 ? order[which - 1] : RB_STATE_DEFAULT;
}

// Whether a start value is fixed decides which equations there are at the start.
static const RbExpr *fixed(RbFrontEnd *fe, RbInst *i, RbMods all) {
    const RbExpr *e = attribute(fe, i, all, fe->n_fixed, RB_BOOLEAN);
    if (!e || rb_is_constant(e)) return e;
    const RbModifier *m =
        rb_mods_value(fe, rb_mods_of(fe->temp, all, fe->n_fixed), fe->n_fixed, true);
    const char *what = rb_arena_printf(fe->work, "the attribute 'fixed' of '%s'", i->path);
    RbVal v = rb_val_expr(fe, e, e->rank, i->dims, RB_AST_PARAMETER);
    RbExprValue value;
    if (!rb_val_evaluate(fe, &v, &value, m->mod->value->at, what)) return NULL;
    return rb_value_expr(fe->x, &value, *fe->scratch);
}

bool rb_inst_is_found(RbFrontEnd *fe, RbInst *i) {
    RbArena mark = *fe->temp;
    const RbExpr *e = fixed(fe, i, attribute_mods(fe, i));
    *fe->temp = mark;
    return e && e->op == RB_OP_BOOLEAN && !e->integer;
}

static bool is_final(const RbInst *i) {
    if (i->elem->clause->final) return true;
    for (int k = 0; k < i->mods.count; k++) {
        const RbModifier *m = &i->mods.list[k];
        if (m->final && m->mod && m->mod->value) return true;
    }
    return false;
}

// ball(v(start = 1)), where v is a parameter with a value: allowed, and without effect.
static void warn_idle_start(RbFrontEnd *fe, const RbInst *i) {
    if (i->variability < RB_AST_PARAMETER) return;
    RbMods starts = {0};
    int k = 0;
    for (; k < i->mods.count && starts.count == 0; k++)
        starts = rb_mods_of(fe->temp, (RbMods){&i->mods.list[k], 1}, fe->n_start);
    if (starts.count == 0 || i->mods.list[k - 1].is_own) return;
    if (!rb_mods_value(fe, i->mods, i->path, true)) return;
    rb_warn(fe->diag, starts.list[0].at,
            "'start' of the %s '%s' has no effect, since it has a value: write %s = ...",
            i->variability == RB_AST_PARAMETER ? "parameter" : "constant", i->path,
            i->elem->component->name);
}

// ORDER names in find_given
enum { START, FIXED, MIN, MAX, NOMINAL, UNIT, DISPLAY_UNIT, QUANTITY, STATE_SELECT, OTHER };

// Which attributes are given at all, as a set of bits: most variables have two or three of them,
// and looking for each is what flattening would spend its time with.
static unsigned find_given(const RbFrontEnd *fe, RbMods all) {
    const RbName names[OTHER] = {fe->n_start,        fe->n_fixed,    fe->n_min,
                                 fe->n_max,          fe->n_nominal,  fe->n_unit,
                                 fe->n_display_unit, fe->n_quantity, fe->n_state_select};
    unsigned given = 0;
    for (int k = 0; k < all.count; k++) {
        const RbAstMod *mod = all.list[k].mod;
        for (int n = 0; mod && n < mod->count; n++) {
            const RbAstArgument *a = &mod->arguments[n];
            int which = 0;
            while (which < OTHER && (a->element || a->name.parts[0] != names[which])) which++;
            given |= 1u << which;
        }
    }
    return given;
}

void rb_inst_attributes(RbFrontEnd *fe, RbInst *i) {
    RbArena mark = *fe->temp;
    RbMods all = attribute_mods(fe, i);
    RbType type = i->class->type;
    RbAttributes at = {.state_select = RB_STATE_DEFAULT};
    unsigned given = find_given(fe, all);
    if (given >> OTHER & 1) check_attributes(fe, i, all);
    if (given >> START & 1) at.start = attribute(fe, i, all, fe->n_start, type);
    if (given >> START & 1) warn_idle_start(fe, i);
    if (given >> FIXED & 1) at.fixed = fixed(fe, i, all);
    if (given >> MIN & 1) at.min = attribute(fe, i, all, fe->n_min, type);
    if (given >> MAX & 1) at.max = attribute(fe, i, all, fe->n_max, type);
    if (given >> NOMINAL & 1) at.nominal = attribute(fe, i, all, fe->n_nominal, type);
    if (given >> UNIT & 1) at.unit = string_attribute(fe, i, all, fe->n_unit);
    if (given >> DISPLAY_UNIT & 1)
        at.display_unit = string_attribute(fe, i, all, fe->n_display_unit);
    if (given >> QUANTITY & 1) at.quantity = string_attribute(fe, i, all, fe->n_quantity);
    if (given >> STATE_SELECT & 1) at.state_select = state_select(fe, i, all);
    fe->flat->vars.data[i->var].attributes = at;
    fe->flat->vars.data[i->var].is_final = is_final(i);
    *fe->temp = mark;
}
