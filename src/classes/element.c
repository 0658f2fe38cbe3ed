// SPDX-License-Identifier: MIT
// Elements of a class by name: made when first asked for, redeclared ones in place of the original.
#include "classes/legal.h"

RbElem *rb_class_known_elem(const RbClass *class, RbName name) {
    uint64_t *found = rb_map_find(&class->elems, rb_map_key(name));
    return found ? (RbElem *)(uintptr_t)*found : NULL;
}

static RbElem *find_in_bases(RbClasses *c, RbClassPart *part, RbName name);

// Prefixes that a redeclaration of a component leaves out are those of what it replaces (Modelica
// specification, 7.3).
static const RbAstElement *with_prefixes(RbClasses *c, const RbAstElement *new,
                                         const RbAstElement *old) {
    bool flow = new->flow == RB_AST_NO_FLOW && old->flow != RB_AST_NO_FLOW;
    bool causality = new->causality == RB_AST_ACAUSAL && old->causality != RB_AST_ACAUSAL;
    bool around = !new->inner && !new->outer && (old->inner || old->outer);
    if (new->kind != RB_AST_COMPONENTS || !(flow || causality || around)) return new;
    RbAstElement *merged = rb_new(c->arena, RbAstElement);
    *merged = *new;
    if (flow) merged->flow = old->flow;
    if (causality) merged->causality = old->causality;
    if (around) {
        merged->inner = old->inner;
        merged->outer = old->outer;
    }
    return merged;
}

// A redeclaration in a modification from outside takes the place of the element.
static RbElem *apply_redeclaration(RbClasses *c, RbElem *e) {
    RbClassPart *scope;
    const RbAstArgument *a = rb_mods_redeclaration(e->part->mods, e->name, &scope);
    if (!a) return e;
    bool is_class = a->element->kind == RB_AST_CLASS;
    if (is_class != !e->component) {
        rb_fail(c->diag, RB_ERROR_MODEL, a->at, "'%s' is %s and cannot be redeclared as %s",
                e->name, e->component ? "a component" : "a class",
                is_class ? "a class" : "a component");
        return e;
    }
    if (!e->clause->replaceable && a->element->redeclare && !e->clause->redeclare) {
        rb_warn(c->diag, a->at, "'%s' is redeclared, but it is not declared replaceable", e->name);
    }
    RbElem *new = rb_new(c->arena, RbElem);
    *new = *e;
    new->scope = scope;
    new->clause = with_prefixes(c, a->element, e->clause);
    new->component = is_class ? NULL : &a->element->components[0];
    new->replaces = e;
    new->class = NULL;
    rb_check_redeclaration(c, e, new, a->at);
    return new;
}

static RbElem *make_elem(RbClasses *c, RbClassPart *part, RbName name, const RbAstEntry *entry) {
    RbElem *e = rb_new(c->arena, RbElem);
    const RbAstElement *clause = entry->element;
    *e =
        (RbElem){.name = name, .owner = part->owner, .part = part, .scope = part, .clause = clause};
    e->component = clause->kind == RB_AST_COMPONENTS ? &clause->components[entry->component] : NULL;
    bool extends_class = !e->component && clause->class->specifier == RB_AST_LONG_EXTENDS;
    if (clause->redeclare || extends_class) {
        e->replaces = find_in_bases(c, part, name);
        if (!e->replaces) {
            rb_fail(c->diag, RB_ERROR_MODEL, clause->at,
                    "'%s' is redeclared, but no base class has an element of this name", name);
            e->broken = extends_class;
        } else {
            e->clause = with_prefixes(c, clause, e->replaces->clause);
            rb_check_redeclaration(c, e->replaces, e, clause->at);
        }
    }
    return apply_redeclaration(c, e);
}

static bool is_broken_out(const RbClassPart *part, RbName name) {
    const RbClassPart *root = part->owner->root;
    for (int i = 0; i < root->broken.count; i++) {
        const RbAstArgument *a = root->broken.data[i];
        if (!a->broken_connect && a->name.parts[0] == name && part != root) return true;
    }
    return false;
}

RbElem *rb_part_elem(RbClasses *c, RbClassPart *part, RbName name) {
    const RbAstEntry *entry = rb_library_find(c->library, part->def, name);
    if (!entry || is_broken_out(part, name)) return NULL;
    // The map holds the most derived one; another part of the same class may declare the name
    // again.
    RbElem *known = rb_class_known_elem(part->owner, name);
    if (known && (known->part == part)) return known;
    RbElem *e = make_elem(c, part, name, entry);
    if (!known) rb_map_set(&part->owner->elems, c->arena, rb_map_key(name), (uint64_t)(uintptr_t)e);
    return e;
}

static RbElem *find_in_bases(RbClasses *c, RbClassPart *part, RbName name) {
    for (int i = 0; i < part->bases.count; i++) {
        RbClassPart *base = part->bases.data[i];
        const RbAstEntry *entry = rb_library_find(c->library, base->def, name);
        if (entry && !is_broken_out(base, name)) return make_elem(c, base, name, entry);
        RbElem *e = find_in_bases(c, base, name);
        if (e) return e;
    }
    return NULL;
}

// Is the name an element of this part or of one it extends?
bool rb_part_has(RbClasses *c, RbClassPart *part, RbName name) {
    if (rb_library_find(c->library, part->def, name)) return true;
    for (int i = 0; i < part->bases.count; i++) {
        if (rb_part_has(c, part->bases.data[i], name)) return true;
    }
    return false;
}

static RbElem *find_below(RbClasses *c, RbClassPart *part, RbName name) {
    RbElem *e = rb_part_elem(c, part, name);
    for (int i = 0; !e && i < part->bases.count; i++) e = find_below(c, part->bases.data[i], name);
    return e;
}

RbElem *rb_class_elem(RbClasses *c, RbClass *class, RbName name) {
    RbElem *e = rb_class_known_elem(class, name);
    if (e) return e;
    rb_class_ready(c, class);
    return find_below(c, class->root, name);
}

RbClass *rb_elem_class(RbClasses *c, RbElem *e) {
    if (e->class || e->broken) return e->class;
    if (e->resolving) {
        e->broken = true;
        rb_fail(c->diag, RB_ERROR_MODEL, e->component ? e->component->at : e->clause->at,
                "the definition of '%s' needs itself", e->name);
        return NULL;
    }
    e->resolving = true;
    if (e->component) {
        e->class = rb_lookup_class(c, e->scope, &e->clause->type, "class");
    } else if (!(e->class = rb_class_replacement(c, e))) {
        // What a constraining clause modifies holds for the class itself and all that replace it.
        RbMods mods = rb_mods_of(c->arena, e->part->mods, e->name);
        for (const RbElem *old = e; old; old = old->replaces) {
            const RbAstMod *mod = old->clause->constraint_mod;
            if (!mod) continue;
            mods = rb_mods_with(c->arena, mods,
                                (RbModifier){.mod = mod, .scope = old->scope, .at = mod->at});
        }
        e->class =
            rb_class_new(c, e->clause->class, e->scope == c->top->root ? NULL : e->scope, e, mods);
    }
    e->resolving = false;
    if (!e->class)
        e->broken = true;
    else
        rb_check_constraint(c, e);
    return e->class;
}
