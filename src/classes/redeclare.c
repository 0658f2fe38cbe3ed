// SPDX-License-Identifier: MIT
// What may replace what (Modelica specification, 6.4 and 7.3): prefixes of redeclarations, and the
// class that constrains.
#include "classes/legal.h"

bool rb_elem_is_protected(const RbElem *e) {
    // A modification leaves visibility alone; a redeclaration in a class has its own.
    while (e->replaces && e->scope != e->part) e = e->replaces;
    return e->part->is_protected || e->clause->is_protected;
}

static void fail(RbClasses *c, const RbElem *new, RbPos at, const char *why) {
    rb_fail(c->diag, RB_ERROR_MODEL, at, "'%s' cannot be redeclared: %s", new->name, why);
}

static bool is_constant(const RbElem *e) {
    return e->component && e->clause->variability == RB_AST_CONSTANT;
}

void rb_check_redeclaration(RbClasses *c, const RbElem *old, const RbElem *new, RbPos at) {
    bool in_class = new->scope == new->part;
    if (old->clause->final)
        fail(c, new, at, "it is final");
    else if (!in_class && new->scope->owner != old->owner && rb_elem_is_protected(old))
        fail(c, new, at, "it is protected");
    else if (is_constant(old) && !is_constant(new))
        fail(c, new, at, "it is a constant, and the new one is not");
    else if (in_class && !old->clause->replaceable)
        fail(c, new, at, "it is not declared 'replaceable'");
    else if (in_class && rb_elem_is_protected(old) != rb_elem_is_protected(new))
        fail(c, new, at,
             rb_elem_is_protected(old) ? "it is protected, and the new one is public"
                                       : "it is public, and the new one is protected");
}

// --- the class that constrains -------------------------------------------------------------------

static bool fits(RbClasses *c, RbClass *class, RbClass *base, int depth, RbName *missing);

// An element that `base` declares: `class` has one of the same kind.
static bool has_like(RbClasses *c, RbClass *class, RbElem *want, int depth, RbName *missing) {
    RbElem *have = rb_class_elem(c, class, want->name);
    *missing = want->name;
    if (!have || !have->component != !want->component) return false;
    if (!want->component) return true;
    RbClass *a = rb_elem_class(c, have), *b = rb_elem_class(c, want);
    return !a || !b || fits(c, a, b, depth + 1, missing);
}

static bool part_fits(RbClasses *c, RbClass *class, RbClassPart *part, int depth, RbName *missing) {
    if (part->is_protected) return true;
    for (int i = 0; i < part->bases.count; i++) {
        if (!part_fits(c, class, part->bases.data[i], depth, missing)) return false;
    }
    const RbAstClass *def = part->def;
    for (int i = 0; i < def->element_count; i++) {
        const RbAstElement *clause = def->elements[i];
        for (int k = 0; clause->kind == RB_AST_COMPONENTS && k < clause->component_count; k++) {
            RbElem *want = rb_class_elem(c, part->owner, clause->components[k].name);
            if (!want || rb_elem_is_protected(want)) continue;
            if (!has_like(c, class, want, depth, missing)) return false;
        }
    }
    return true;
}

// Has `class` all public elements of `base`? One level of components is looked into.
static bool fits(RbClasses *c, RbClass *class, RbClass *base, int depth, RbName *missing) {
    enum { DEPTH = 2 };
    if (class == base || class->root->def == base->root->def || depth >= DEPTH) return true;
    if (!rb_class_ready(c, class) || !rb_class_ready(c, base)) return true; // reported
    if (class->broken || base->broken || base->is_external_object) return true;
    if (base->is_type || class->is_type)
        return base->is_type == class->is_type && base->type == class->type &&
               (base->enumeration == class->enumeration || base->enumeration->open);
    return part_fits(c, class, base->root, depth, missing);
}

bool rb_class_fits(RbClasses *c, RbClass *class, RbClass *base, RbName *missing) {
    *missing = NULL;
    return fits(c, class, base, 0, missing);
}

static void check_fit(RbClasses *c, const RbElem *e, RbClass *base) {
    RbName missing = NULL;
    if (!e->class || !base || rb_class_fits(c, e->class, base, &missing)) return;
    if (missing)
        rb_fail(c->diag, RB_ERROR_MODEL, e->clause->at,
                "'%s' cannot be a '%s': its constraining class '%s' has '%s', which fits nothing "
                "in it",
                e->name, e->class->full_name, base->full_name, missing);
    else
        rb_fail(c->diag, RB_ERROR_MODEL, e->clause->at,
                "'%s' cannot be a '%s': this does not fit its constraining class '%s'", e->name,
                e->class->full_name, base->full_name);
}

// The class that constrains what is declared here: the one that is named, otherwise its own.
static RbClass *constraint_of(RbClasses *c, RbElem *e) {
    if (e->clause->constrained)
        return rb_lookup_class(c, e->scope, &e->clause->constraint, "constraining class");
    return e->clause->replaceable ? rb_elem_class(c, e) : NULL;
}

void rb_check_constraint(RbClasses *c, RbElem *e) {
    if (e->clause->constrained) check_fit(c, e, constraint_of(c, e));
    for (RbElem *old = e->replaces; old; old = old->replaces)
        check_fit(c, e, constraint_of(c, old));
}
