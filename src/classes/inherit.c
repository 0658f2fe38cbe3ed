// SPDX-License-Identifier: MIT
// Inheritance: the parts that a class gets from its extends clauses (specification, chapter 7).
#include "classes/legal.h"

enum { ELABORATION_LIMIT = 150 }; // classes that need each other, nested

static void elaborate_part(RbClasses *c, RbClassPart *part);

static bool is_own_base(const RbClassPart *part, const RbAstClass *def) {
    for (const RbClassPart *p = part; p; p = p->derived) {
        if (p->def == def) return true;
    }
    return false;
}

static void note_broken(const RbClassPart *part) {
    part->owner->broken = true;
}

// Inherit from a predefined type: the class becomes a type, its modifications are attributes.
static void inherit_type(RbClasses *c, RbClassPart *part, RbClass *base, RbMods mods) {
    RbClass *class = part->owner;
    class->is_type = base->is_type;
    class->is_external_object = base->is_external_object;
    class->type = base->type;
    for (int i = 0; i < mods.count; i++) rb_array_push(&class->type_mods, c->arena, mods.list[i]);
}

// Real, Integer, ... themselves
static bool is_predefined(const RbClasses *c, const RbClass *class) {
    const RbAstClass *def = class->root->def;
    return class->state == RB_CLASS_READY && !class->root->enclosing && class != c->top &&
           (class->is_type || class->is_external_object) && def->specifier == RB_AST_LONG &&
           def->element_count == 0 && class->type != RB_ENUM;
}

static void add_base(RbClasses *c, RbClassPart *part, RbClass *base, RbMods mods, bool is_protected,
                     RbPos at) {
    if (is_predefined(c, base)) {
        inherit_type(c, part, base, mods);
        return;
    }
    if (is_own_base(part, base->root->def)) {
        note_broken(part);
        rb_fail(c->diag, RB_ERROR_MODEL, at,
                part->def == base->root->def ? "'%s' extends itself"
                                             : "'%s' extends itself over '%s'",
                base->name, part->def->name);
        return;
    }
    RbClassPart *p = rb_new(c->arena, RbClassPart);
    *p = (RbClassPart){.owner = part->owner,
                       .def = base->root->def,
                       .enclosing = base->root->enclosing,
                       .element = base->root->element,
                       .derived = part,
                       .is_protected = part->is_protected || is_protected,
                       .mods = rb_mods_join(c->arena, mods, base->root->mods)};
    rb_array_push(&part->bases, c->arena, p);
    elaborate_part(c, p);
}

static void elaborate_extends(RbClasses *c, RbClassPart *part, RbAstElement *e) {
    RbClass *base = rb_lookup_base_class(c, part, &e->type);
    if (!base) {
        note_broken(part);
        return;
    }
    rb_check_base(c, part, base, e->at);
    RbMods mods = part->mods;
    if (e->mod) {
        mods = rb_mods_with(c->arena, mods,
                            (RbModifier){.mod = e->mod, .scope = part, .at = e->mod->at});
        for (int i = 0; i < e->mod->count; i++) {
            if (e->mod->arguments[i].is_break) {
                rb_array_push(&part->owner->root->broken, c->arena,
                              (const RbAstArgument *)&e->mod->arguments[i]);
            }
        }
    }
    int before = part->bases.count;
    add_base(c, part, base, mods, e->is_protected, e->at);
    if (part->bases.count > before)
        part->bases.data[before]->clause_annotation = e->comment.annotation;
}

// What a short definition takes over from its base: model M = Base, connector C = output Complex.
static void inherit_kind(RbClass *class, const RbClass *base) {
    if ((class->restriction == RB_KIND_CLASS && !rb_class_is_function(base)) ||
        class->restriction == RB_KIND_TYPE || class->restriction == RB_KIND_MODEL) {
        class->restriction =
            base->restriction == RB_KIND_CLASS ? class->restriction : base->restriction;
    }
    if (base->restriction == RB_KIND_EXPANDABLE_CONNECTOR) class->restriction = base->restriction;
    if (rb_class_is_record(base)) class->is_record = true;
    if (base->restriction == RB_KIND_OPERATOR_RECORD && class->restriction == RB_KIND_RECORD)
        class->restriction = base->restriction;
}

static void elaborate_short(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    RbClassPart *scope = part->enclosing ? part->enclosing : c->top->root;
    RbClass *base = rb_lookup_class(c, scope, &def->type, "class");
    if (!base) {
        note_broken(part);
        return;
    }
    if (part->owner->causality == RB_AST_ACAUSAL) part->owner->causality = def->causality;
    if (base->is_partial && part == part->owner->root) part->owner->is_partial = true;
    inherit_kind(part->owner, base);
    if (def->dimension_count > 0) {
        rb_array_push(&part->owner->dimensions, c->arena,
                      (RbDimensions){def->dimensions, def->dimension_count, scope});
    }
    RbMods mods = part->mods;
    if (def->mod) {
        mods = rb_mods_with(c->arena, mods,
                            (RbModifier){.mod = def->mod, .scope = scope, .at = def->mod->at});
    }
    add_base(c, part, base, mods, false, def->at);
}

// model extends X(...): the base class is the X that this one replaces.
static void elaborate_class_extends(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    RbElem *old = part->element ? part->element->replaces : NULL;
    RbClass *base = old ? rb_elem_class(c, old) : NULL;
    if (!base) {
        note_broken(part);
        rb_fail(c->diag, RB_ERROR_MODEL, def->at, "there is no inherited class '%s' to extend",
                def->name);
        return;
    }
    RbMods mods = part->mods;
    if (def->extends_mod) {
        mods = rb_mods_with(
            c->arena, mods,
            (RbModifier){.mod = def->extends_mod, .scope = part, .at = def->extends_mod->at});
    }
    if (base->restriction != RB_KIND_CLASS) part->owner->restriction = base->restriction;
    add_base(c, part, base, mods, false, def->at);
}

static void elaborate_enumeration(RbClasses *c, const RbClassPart *part) {
    RbClass *class = part->owner;
    class->is_type = true;
    class->type = RB_ENUM;
    class->enumeration = part->def;
    rb_check_contents(c, part->def);
    for (int i = 0; i < part->mods.count; i++)
        rb_array_push(&class->type_mods, c->arena, part->mods.list[i]);
}

static void elaborate_part(RbClasses *c, RbClassPart *part) {
    RbAstClass *def = part->def;
    switch (def->specifier) {
        case RB_AST_ENUMERATION: elaborate_enumeration(c, part); return;
        case RB_AST_DERIVATIVE: // it has the components of the function that it is a derivative of
        case RB_AST_SHORT: elaborate_short(c, part); return;
        case RB_AST_LONG_EXTENDS: elaborate_class_extends(c, part); break;
        case RB_AST_LONG: break;
    }
    RbAstIndex *index = rb_library_index(c->library, def);
    for (int i = 0; i < index->extends.count; i++)
        elaborate_extends(c, part, index->extends.data[i]);
}

bool rb_class_ready(RbClasses *c, RbClass *class) {
    if (class->state != RB_CLASS_NEW) return !class->broken;
    if (c->depth >= ELABORATION_LIMIT) {
        class->broken = true;
        rb_fail(c->diag, RB_ERROR_MODEL, class->root->def->at,
                "more than %d classes need each other here, '%s' among them", ELABORATION_LIMIT,
                class->full_name);
        return false;
    }
    class->state = RB_CLASS_BUSY;
    rb_diag_busy(c->diag, "class", class->full_name, class->root->def->at);
    c->depth++;
    elaborate_part(c, class->root);
    c->depth--;
    class->state = RB_CLASS_READY;
    return !class->broken;
}

RbClass *rb_class_operator_record(RbClasses *c, RbClass *class) {
    if (!rb_class_ready(c, class) || !rb_class_is_record(class)) return NULL;
    RbClassPart *part = class->root;
    while (part->def->specifier == RB_AST_SHORT && part->bases.count > 0)
        part = part->bases.data[0];
    if (part->def->restriction != RB_KIND_OPERATOR_RECORD) return NULL;
    return part == class->root || !part->element ? class : rb_elem_class(c, part->element);
}
