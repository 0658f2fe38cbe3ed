// SPDX-License-Identifier: MIT
#include "classes/legal.h"

RbClass *rb_class_new(RbClasses *c, RbAstClass *def, RbClassPart *enclosing, RbElem *element,
                      RbMods mods) {
    RbClass *class = rb_new(c->arena, RbClass);
    class->name = def->name;
    class->restriction = def->restriction;
    class->is_partial = def->partial;
    class->causality = RB_AST_ACAUSAL;
    const char *outer = enclosing ? enclosing->owner->full_name : "";
    class->full_name = *outer ? rb_arena_printf(c->arena, "%s.%s", outer, def->name) : def->name;
    class->root = rb_new(c->arena, RbClassPart);
    *class->root = (RbClassPart){
        .owner = class, .def = def, .enclosing = enclosing, .element = element, .mods = mods};
    return class;
}

static RbClass *builtin_type(RbClasses *c, const char *name, RbType type) {
    RbAstClass *def = rb_new(c->arena, RbAstClass);
    def->name = rb_intern(c->names, name);
    def->restriction = RB_KIND_TYPE;
    RbClass *class = rb_class_new(c, def, NULL, NULL, (RbMods){0});
    class->is_type = type != RB_EXTERNAL;
    class->is_external_object = type == RB_EXTERNAL;
    class->type = type;
    class->state = RB_CLASS_READY;
    RbElem *e = rb_new(c->arena, RbElem);
    *e = (RbElem){.name = def->name,
                  .owner = c->top,
                  .part = c->top->root,
                  .scope = c->top->root,
                  .class = class};
    RbAstElement *clause = rb_new(c->arena, RbAstElement);
    clause->kind = RB_AST_CLASS;
    clause->class = def;
    e->clause = clause;
    // Clock came late to the language: a class of a user with this name hides it.
    if (type != RB_CLOCK || !rb_library_find(c->library, c->library->root, def->name))
        rb_map_set(&c->top->elems, c->arena, rb_map_key(def->name), (uint64_t)(uintptr_t)e);
    return class;
}

static const char predefined[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n";

RbClasses *rb_classes(RbLibrary *library) {
    RbClasses *c = rb_new(library->keep, RbClasses);
    *c = (RbClasses){
        .library = library, .names = library->names, .arena = library->keep, .diag = library->diag};
    c->top = rb_class_new(c, library->root, NULL, NULL, (RbMods){0});
    c->top->state = RB_CLASS_READY;
    if (!rb_library_find(library, library->root, rb_intern(library->names, "AssertionLevel"))) {
        rb_library_add_text(library, "predefined", predefined, sizeof predefined - 1, NULL);
    }
    c->real = builtin_type(c, "Real", RB_REAL);
    c->integer = builtin_type(c, "Integer", RB_INTEGER);
    c->boolean = builtin_type(c, "Boolean", RB_BOOLEAN);
    c->string = builtin_type(c, "String", RB_STRING);
    c->clock = builtin_type(c, "Clock", RB_CLOCK);
    c->external_object = builtin_type(c, "ExternalObject", RB_EXTERNAL);
    return c;
}

RbClass *rb_class_specialised(RbClasses *c, RbClass *class, RbMods mods) {
    RbClassPart *root = class->root;
    RbClass *special = rb_class_new(c, root->def, root->enclosing, root->element,
                                    rb_mods_join(c->arena, mods, root->mods));
    special->full_name = class->full_name;
    special->similar = class;
    return special;
}

static void list_part(RbClasses *c, RbClassPart *part) {
    RbClass *class = part->owner;
    const RbAstClass *def = part->def;
    rb_check_imports(c, part);
    rb_check_contents(c, part->def);
    for (int i = 0; i < part->bases.count; i++) list_part(c, part->bases.data[i]);
    for (int i = 0; i < def->element_count; i++) {
        const RbAstElement *clause = def->elements[i];
        for (int k = 0; clause->kind == RB_AST_COMPONENTS && k < clause->component_count; k++) {
            RbElem *e = rb_class_elem(c, class, clause->components[k].name);
            if (!e || !e->component || e->number > 0) continue;
            rb_array_push(&class->components, c->arena, e);
            e->number = class->components.count; // from 1
        }
    }
    for (int i = 0; i < def->section_count; i++) {
        if (def->sections[i].kind < RB_AST_EQUATIONS) continue;
        rb_array_push(&class->sections, c->arena, (RbSectionRef){&def->sections[i], part});
    }
}

// A type may say that what is declared by it is an input: type Argument = input Real.
static void take_causality(RbClasses *c, RbElem *e) {
    if (e->clause->causality != RB_AST_ACAUSAL || rb_elem_is_protected(e)) return;
    RbClass *type = rb_elem_class(c, e);
    if (!type || !rb_class_ready(c, type) || type->causality == RB_AST_ACAUSAL) return;
    RbAstElement *merged = rb_new(c->arena, RbAstElement);
    *merged = *e->clause;
    merged->causality = type->causality;
    e->clause = merged;
}

void rb_class_list(RbClasses *c, RbClass *class) {
    if (class->listed) return;
    class->listed = true;
    rb_class_ready(c, class);
    list_part(c, class->root);
    for (int i = 0; rb_class_is_function(class) && i < class->components.count; i++)
        take_causality(c, class->components.data[i]);
}
