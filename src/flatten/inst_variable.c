// SPDX-License-Identifier: MIT
// The variable of the flat model that a component of a predefined type becomes.
#include <string.h>

#include "flatten/inst.h"

static RbVariability flat_variability(const RbInst *i) {
    if (i->variability == RB_AST_CONSTANT) return RB_CONSTANT;
    if (i->variability == RB_AST_PARAMETER) return RB_PARAMETER;
    bool discrete = i->variability == RB_AST_DISCRETE || i->class->type != RB_REAL;
    return discrete ? RB_DISCRETE : RB_CONTINUOUS;
}

int rb_flat_enumeration(RbFrontEnd *fe, RbClass *class) {
    const RbAstClass *def = class->enumeration;
    uint64_t *known = rb_map_find(&fe->enumerations, rb_map_key(def));
    if (known) return (int)*known;
    RbEnumeration e = {.name = rb_intern(fe->names, class->full_name), .count = def->literal_count};
    e.literals = rb_new_array(fe->arena, const char *, e.count + 1);
    for (int i = 0; i < e.count; i++) e.literals[i] = def->literals[i].name;
    rb_array_push(&fe->flat->enumerations, fe->arena, e);
    int index = fe->flat->enumerations.count - 1;
    rb_map_set(&fe->enumerations, fe->arena, rb_map_key(def), (uint64_t)index);
    return index;
}

const char *rb_description(RbFrontEnd *fe, const RbAstStrings *s) {
    return s->count > 0 ? rb_ast_strings(s, fe->arena) : NULL;
}

static const char *description_of(RbFrontEnd *fe, RbElem *e) {
    const RbAstStrings *s = &e->component->comment.text;
    if (s->count > 0 && !e->description) e->description = rb_description(fe, s);
    return e->description;
}

// Where the user has declared what the variable belongs to.
static RbPos top_place(const RbInst *i) {
    while (i->parent && i->parent->elem) i = i->parent;
    return i->elem ? i->elem->component->at : RB_NOWHERE;
}

static bool is_potential(const RbInst *i) {
    return i->parent && i->parent->elem && rb_class_is_connector(i->parent->class) &&
           i->flow == RB_AST_NO_FLOW && i->causality == RB_AST_ACAUSAL &&
           flat_variability(i) == RB_CONTINUOUS;
}

void rb_inst_variable(RbFrontEnd *fe, RbInst *i) {
    if (i->is_static) return;
    RbFlatVar v = {.name = i->path,
                   .variability = flat_variability(i),
                   .type = i->class->is_external_object ? RB_EXTERNAL : i->class->type,
                   .rank = i->rank,
                   .is_flow = i->flow == RB_AST_FLOW,
                   .is_potential = is_potential(i),
                   .is_protected = i->is_protected,
                   .attributes = {.state_select = RB_STATE_DEFAULT},
                   .description = description_of(fe, i->elem),
                   .at = i->elem->component->at,
                   .top_at = top_place(i)};
    memcpy(v.dims, i->dims, sizeof v.dims);
    v.hide_result = rb_annotation_is_true(i->elem->component->comment.annotation, "HideResult");
    if (v.type == RB_ENUM) v.enumeration = rb_flat_enumeration(fe, i->class);
    if (i->class->is_external_object) v.variability = RB_PARAMETER;
    bool at_top = i->parent == fe->root ||
                  (i->parent->parent == fe->root && rb_class_is_connector(i->parent->class));
    if (at_top && !i->is_protected && i->variability < RB_AST_PARAMETER) {
        v.causality = i->causality == RB_AST_INPUT    ? RB_INPUT
                      : i->causality == RB_AST_OUTPUT ? RB_OUTPUT
                                                      : RB_LOCAL;
    }
    i->var = fe->flat->vars.count;
    rb_array_push(&fe->flat->vars, fe->work, v);
    rb_array_push(&fe->by_var, fe->work, i);
}
