// SPDX-License-Identifier: MIT
#include "classes/legal.h"

#include <string.h>

// --- names ---------------------------------------------------------------------------------------

static bool is_one_of(const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(name, list[i]) == 0) return true;
    }
    return false;
}

static bool is_predefined(RbName name) {
    static const char *const names[] = {"Real", "Integer", "Boolean", "String"};
    return is_one_of(name, names, 4);
}

static void check_name(RbClasses *c, RbName name, RbPos at) {
    if (is_predefined(name))
        rb_fail(c->diag, RB_ERROR_MODEL, at,
                "'%s' is a predefined type; nothing else can have this name", name);
}

static void check_literals(RbClasses *c, const RbAstClass *def) {
    static const char *const attributes[] = {"quantity", "min", "max", "start", "fixed"};
    for (int i = 0; i < def->literal_count; i++) {
        const RbAstLiteral *l = &def->literals[i];
        if (is_one_of(l->name, attributes, 5))
            rb_fail(c->diag, RB_ERROR_MODEL, l->at,
                    "'%s' is an attribute of enumerations and cannot be a literal of one", l->name);
        for (int k = 0; k < i; k++) {
            if (def->literals[k].name != l->name) continue;
            rb_fail(c->diag, RB_ERROR_MODEL, l->at, "the enumeration '%s' has two literals '%s'",
                    def->name, l->name);
            break;
        }
    }
}

// --- what a class of a kind may hold -------------------------------------------------------------

static bool is_record(RbRestriction kind) {
    return kind == RB_KIND_RECORD || kind == RB_KIND_OPERATOR_RECORD;
}

static bool is_connector(RbRestriction kind) {
    return kind == RB_KIND_CONNECTOR || kind == RB_KIND_EXPANDABLE_CONNECTOR;
}

static bool is_function(RbRestriction kind) {
    return kind == RB_KIND_FUNCTION || kind == RB_KIND_OPERATOR_FUNCTION;
}

static const char *section_name(RbAstSectionKind kind) {
    switch (kind) {
        case RB_AST_EQUATIONS: return "equations";
        case RB_AST_INITIAL_EQUATIONS: return "initial equations";
        case RB_AST_ALGORITHM: return "an algorithm section";
        default: return "an initial algorithm section";
    }
}

static void check_sections(RbClasses *c, const RbAstClass *def) {
    RbRestriction kind = def->restriction;
    int algorithms = 0;
    for (int i = 0; i < def->section_count; i++) {
        const RbAstSection *s = &def->sections[i];
        if (s->kind < RB_AST_EQUATIONS) continue;
        if (is_record(kind) || is_connector(kind) || kind == RB_KIND_OPERATOR)
            rb_fail(c->diag, RB_ERROR_MODEL, s->at, "the %s '%s' cannot have %s",
                    rb_restriction_name(kind), def->name, section_name(s->kind));
        else if (is_function(kind) && s->kind == RB_AST_ALGORITHM && ++algorithms == 2)
            rb_fail(c->diag, RB_ERROR_MODEL, s->at,
                    "the function '%s' has two algorithm sections; it can have one", def->name);
    }
}

// The prefix of a component that its place forbids; NULL: none.
static const char *wrong_prefix(RbRestriction kind, const RbAstElement *e) {
    if (is_record(kind) && e->flow == RB_AST_FLOW) return "flow";
    if (is_record(kind) && e->flow == RB_AST_STREAM) return "stream";
    if (is_record(kind) && e->causality == RB_AST_INPUT) return "input";
    if (is_record(kind) && e->causality == RB_AST_OUTPUT) return "output";
    if (e->inner) return "inner";
    if (e->outer) return "outer";
    return NULL;
}

// An outer component is another one: it cannot be modified here. A stream flows in a connector.
static void check_place(RbClasses *c, const RbAstClass *def, const RbAstElement *e) {
    for (int k = 0; k < e->component_count; k++) {
        const RbAstComponent *v = &e->components[k];
        if (e->outer && !e->inner && v->mod)
            rb_fail(c->diag, RB_ERROR_MODEL, v->mod->at,
                    "'%s' is outer and cannot be modified; modify the inner one", v->name);
        if (e->flow == RB_AST_STREAM &&
            (def->restriction == RB_KIND_MODEL || def->restriction == RB_KIND_BLOCK))
            rb_fail(c->diag, RB_ERROR_MODEL, v->at,
                    "'%s' is a stream variable, which only a connector can have", v->name);
    }
}

static void check_component(RbClasses *c, const RbAstClass *def, const RbAstElement *e) {
    RbRestriction kind = def->restriction;
    check_place(c, def, e);
    if (kind == RB_KIND_OPERATOR) {
        rb_fail(c->diag, RB_ERROR_MODEL, e->at,
                "the operator '%s' can only hold functions, not the component '%s'", def->name,
                e->components[0].name);
        return;
    }
    if (!is_record(kind) && !is_connector(kind) && !is_function(kind)) return;
    const char *what = rb_restriction_name(kind), *prefix = wrong_prefix(kind, e);
    RbName name = e->components[0].name;
    if (prefix)
        rb_fail(c->diag, RB_ERROR_MODEL, e->at, "'%s' is '%s', which the %s '%s' does not allow",
                name, prefix, what, def->name);
    if (!is_function(kind) && e->is_protected)
        rb_fail(c->diag, RB_ERROR_MODEL, e->at,
                "'%s' is protected; all elements of the %s '%s' must be public", name, what,
                def->name);
    if (is_function(kind) && !e->is_protected && e->causality == RB_AST_ACAUSAL && !e->redeclare &&
        e->type.count == 1 && is_predefined(e->type.parts[0])) // other types may be inputs themselves
        rb_fail(c->diag, RB_ERROR_MODEL, e->at,
                "'%s' is neither input nor output of the function '%s'; declare it below "
                "'protected'",
                name, def->name);
}

static void check_class_element(RbClasses *c, const RbAstClass *def, RbAstClass *element) {
    if (element->restriction == RB_KIND_OPERATOR) rb_check_contents(c, element);
    if (def->restriction != RB_KIND_OPERATOR || is_function(element->restriction)) return;
    rb_fail(c->diag, RB_ERROR_MODEL, element->at,
            "the operator '%s' can only hold functions, not the %s '%s'", def->name,
            rb_restriction_name(element->restriction), element->name);
}

// The name that an import clause defines; NULL: several, or those of a package.
static RbName imported_name(const RbAstElement *e) {
    if (e->kind != RB_AST_IMPORT) return NULL;
    if (e->import == RB_IMPORT_RENAMED) return e->alias;
    return e->import == RB_IMPORT_QUALIFIED ? e->type.parts[e->type.count - 1] : NULL;
}

static void check_import(RbClasses *c, const RbAstClass *def, int number) {
    RbName name = imported_name(def->elements[number]);
    for (int i = 0; name && i < number; i++) {
        if (imported_name(def->elements[i]) != name) continue;
        rb_fail(c->diag, RB_ERROR_MODEL, def->elements[number]->at,
                "'%s' imports two things with the name '%s'", def->name, name);
        return;
    }
}

void rb_check_contents(RbClasses *c, RbAstClass *def) {
    if (def->is_checked || !def->at.file) return;
    def->is_checked = true;
    check_name(c, def->name, def->at);
    check_literals(c, def);
    check_sections(c, def);
    for (int i = 0; i < def->element_count; i++) {
        const RbAstElement *e = def->elements[i];
        for (int k = 0; e->kind == RB_AST_COMPONENTS && k < e->component_count; k++)
            check_name(c, e->components[k].name, e->components[k].at);
        if (e->kind == RB_AST_COMPONENTS) check_component(c, def, e);
        if (e->kind == RB_AST_CLASS) check_class_element(c, def, e->class);
        if (e->kind == RB_AST_IMPORT) check_import(c, def, i);
    }
}

// --- what a class of a kind may extend -----------------------------------------------------------

// Rows: the kind that extends; bits: the kinds it may extend. `class` has no restriction of its own.
static bool may_extend(RbRestriction derived, RbRestriction base) {
    if (derived == RB_KIND_OPERATOR_RECORD) return false; // only a short definition can
    if (derived == base || derived == RB_KIND_CLASS || base == RB_KIND_CLASS) return true;
    switch (derived) {
        case RB_KIND_MODEL: return is_record(base) || base == RB_KIND_BLOCK;
        case RB_KIND_BLOCK: return is_record(base);
        case RB_KIND_RECORD: return is_record(base);
        case RB_KIND_CONNECTOR:
        case RB_KIND_EXPANDABLE_CONNECTOR:
            return is_record(base) || is_connector(base) || base == RB_KIND_TYPE;
        case RB_KIND_FUNCTION:
        case RB_KIND_OPERATOR_FUNCTION: return is_function(base);
        default: return false;
    }
}

// extends A with A = B[3] or A = input B: nothing can stand beside it.
static bool must_be_alone(const RbClass *base) {
    const RbAstClass *def = base->root->def;
    return def->specifier == RB_AST_SHORT &&
           (def->dimension_count > 0 || def->causality != RB_AST_ACAUSAL);
}

static bool is_alone(const RbAstClass *def) {
    int count = 0;
    for (int i = 0; i < def->element_count; i++)
        count +=
            def->elements[i]->kind == RB_AST_EXTENDS || def->elements[i]->kind == RB_AST_COMPONENTS;
    return count == 1;
}

void rb_check_base(RbClasses *c, const RbClassPart *part, const RbClass *base, RbPos at) {
    const RbAstClass *def = part->def;
    const RbElem *element = base->root->element;
    if (!may_extend(def->restriction, base->restriction))
        rb_fail(c->diag, RB_ERROR_MODEL, at, "the %s '%s' cannot extend the %s '%s'",
                rb_restriction_name(def->restriction), def->name,
                rb_restriction_name(base->restriction), base->full_name);
    else if (must_be_alone(base) && !is_alone(def))
        rb_fail(c->diag, RB_ERROR_MODEL, at,
                "'%s' is an array or has a prefix; a class that extends it can hold nothing else",
                base->full_name);
    else if (element && element->clause->replaceable && !element->replaces)
        rb_fail(c->diag, RB_ERROR_MODEL, at,
                "'%s' is replaceable; a class that is extended must not be", base->full_name);
}
