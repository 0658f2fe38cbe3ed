// SPDX-License-Identifier: MIT
#include "classes/declared.h"

#include "classes/class.h"
#include "classes/walk.h"

typedef struct Listing {
    RbClasses *classes;
    RbArena *arena;
    RB_ARRAY(RbModelicaElement) elements;
    bool is_part;
} Listing;

static const char *done(const RbText *text) {
    return text->count > 0 ? text->data : "";
}

static const char *written(const Listing *o, const RbAstExpr *e) {
    RbText text = rb_text(o->arena);
    if (e) rb_ast_print_expr(e, &text);
    return done(&text);
}

static const RbAstExpr *value_of(RbMods mods) {
    for (int i = 0; i < mods.count; i++)
        if (!mods.list[i].no_value && mods.list[i].mod && mods.list[i].mod->value)
            return mods.list[i].mod->value;
    return NULL;
}

static bool is_final(RbMods mods) {
    for (int i = 0; i < mods.count; i++)
        if (mods.list[i].final && mods.list[i].mod && mods.list[i].mod->value) return true;
    return false;
}

// As written in quotes, at the declaration or in its type.
static const char *unit_of(const Listing *o, RbMods mods, const RbClass *class) {
    RbMods types = {class->type_mods.data, class->type_mods.count};
    RbMods all = rb_mods_join(o->arena, mods, types);
    const RbAstExpr *e = value_of(rb_mods_of(o->arena, all, rb_intern(o->classes->names, "unit")));
    return e && e->kind == RB_AST_STRING ? rb_string_value(e->text.start, e->text.length, o->arena)
                                         : "";
}

static const char *type_of(const Listing *o, const RbAstElement *clause) {
    RbText text = rb_text(o->arena);
    if (clause->flow == RB_AST_FLOW) rb_text_add(&text, "flow ");
    if (clause->flow == RB_AST_STREAM) rb_text_add(&text, "stream ");
    rb_ast_print_name(&clause->type, &text);
    return done(&text);
}

// With its dimensions: "scale[3]".
static const char *name_of(const Listing *o, const RbElem *e) {
    const RbAstComponent *c = e->component;
    const RbAstElement *clause = e->clause;
    int count = c->dimension_count + clause->dimension_count;
    RbText text = rb_text(o->arena);
    rb_text_add(&text, e->name);
    for (int i = 0; i < count; i++) {
        const RbAstExpr *d =
            i < c->dimension_count ? c->dimensions[i] : clause->dimensions[i - c->dimension_count];
        rb_text_add(&text, i == 0 ? "[" : ", ");
        rb_ast_print_expr(d, &text);
    }
    if (count > 0) rb_text_add(&text, "]");
    return done(&text);
}

static RbModelicaElementKind kind_of(const RbElem *e, const RbClass *class) {
    RbAstCausality causality =
        e->clause->causality != RB_AST_ACAUSAL ? e->clause->causality : class->causality;
    if (e->clause->outer && !e->clause->inner) return RB_ELEMENT_OUTER;
    if (e->clause->variability == RB_AST_CONSTANT) return RB_ELEMENT_CONSTANT;
    if (e->clause->variability == RB_AST_PARAMETER) return RB_ELEMENT_PARAMETER;
    if (causality == RB_AST_INPUT) return RB_ELEMENT_INPUT;
    if (causality == RB_AST_OUTPUT) return RB_ELEMENT_OUTPUT;
    return rb_class_is_connector(class) ? RB_ELEMENT_CONNECTOR : RB_ELEMENT_VARIABLE;
}

// What cannot be reached or set from outside is left out.
static void add_component(Listing *o, RbElem *e) {
    RbClass *class = rb_elem_class(o->classes, e);
    if (!class || !rb_class_ready(o->classes, class) || rb_elem_is_protected(e))
        return;
    RbMods mods = rb_elem_mods(o->classes, e);
    RbModelicaElement x = {.kind = kind_of(e, class),
                           .type = type_of(o, e->clause),
                           .name = name_of(o, e),
                           .value = written(o, value_of(mods)),
                           .unit = unit_of(o, mods, class),
                           .description = rb_ast_strings(&e->component->comment.text, o->arena),
                           .condition = written(o, e->component->condition)};
    if (x.kind == RB_ELEMENT_PARAMETER && (e->clause->final || is_final(mods))) return;
    o->is_part |= x.kind == RB_ELEMENT_CONNECTOR || x.kind == RB_ELEMENT_OUTER;
    rb_array_push(&o->elements, o->arena, x);
}

static void add_literals(Listing *o, const RbAstClass *enumeration) {
    for (int i = 0; i < enumeration->literal_count; i++) {
        const RbAstLiteral *l = &enumeration->literals[i];
        RbModelicaElement x = {.kind = RB_ELEMENT_LITERAL,
                               .type = "",
                               .name = l->name,
                               .value = "",
                               .unit = "",
                               .description = rb_ast_strings(&l->comment.text, o->arena),
                               .condition = ""};
        rb_array_push(&o->elements, o->arena, x);
    }
}

RbStatus rb_class_declared(RbLibrary *library, const char *full_name, RbModelicaDeclared *out) {
    Listing o = {.classes = rb_classes(library), .arena = library->keep};
    int errors = library->diag->error_count;
    RbClass *class = rb_class_named(o.classes, full_name);
    if (!class || !rb_class_ready(o.classes, class)) return RB_ERROR_MODEL;
    rb_class_list(o.classes, class);
    const RbAstClass *def = class->root->def;
    if (class->enumeration) add_literals(&o, class->enumeration);
    for (int i = 0; i < class->components.count; i++) add_component(&o, class->components.data[i]);
    bool runs_anyway = rb_annotation_group(def->annotation, "experiment") != NULL;
    const char *kind = rb_restriction_name(class->restriction);
    *out = (RbModelicaDeclared){.name = class->full_name,
                                .kind = def->partial ? rb_arena_printf(o.arena, "partial %s", kind)
                                                     : kind,
                                .description = rb_ast_strings(&def->text, o.arena),
                                .is_part = !rb_class_runs(def) || (o.is_part && !runs_anyway),
                                .elements = o.elements.data,
                                .count = o.elements.count};
    return library->diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}
