// SPDX-License-Identifier: MIT
// Prefixes of components: which they get from around, and which do not go together (Modelica
// specification, 4.4.2).
#include "flatten/inst.h"

static RbAstVariability stronger(RbAstVariability a, RbAstVariability b) {
    return a > b ? a : b;
}

// The prefix that only variables, records and connectors can have; NULL: none.
static const char *data_prefix(const RbAstElement *e) {
    switch (e->variability) {
        case RB_AST_CONSTANT: return "constant";
        case RB_AST_PARAMETER: return "parameter";
        case RB_AST_DISCRETE: return "discrete";
        case RB_AST_CONTINUOUS: break;
    }
    return e->flow == RB_AST_FLOW          ? "flow"
           : e->flow == RB_AST_STREAM      ? "stream"
           : e->causality == RB_AST_INPUT  ? "input"
           : e->causality == RB_AST_OUTPUT ? "output"
                                           : NULL;
}

static bool is_model(RbRestriction kind) {
    return kind == RB_KIND_MODEL || kind == RB_KIND_BLOCK;
}

// Both the component and what is around it say it.
static const char *prefix_twice(const RbInst *i) {
    const RbAstElement *e = i->elem->clause;
    const RbInst *parent = i->parent;
    if (e->flow != RB_AST_NO_FLOW && parent->flow != RB_AST_NO_FLOW)
        return e->flow == RB_AST_FLOW ? "flow" : "stream";
    if (e->causality != RB_AST_ACAUSAL && parent->causality != RB_AST_ACAUSAL)
        return e->causality == RB_AST_INPUT ? "input" : "output";
    return NULL;
}

static void check_prefixes(RbFrontEnd *fe, const RbInst *i) {
    const RbAstElement *e = i->elem->clause;
    RbRestriction kind = i->class->restriction;
    const char *prefix = data_prefix(e), *twice = prefix_twice(i);
    if (prefix && is_model(kind))
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is a %s and cannot be '%s'", i->path,
                rb_restriction_name(kind), prefix);
    else if (twice)
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "'%s' is '%s', but '%s', in which it is, has such a prefix already", i->path, twice,
                i->parent->path);
    else if (i->class->is_type && i->class->type != RB_REAL && i->flow != RB_AST_NO_FLOW &&
             i->variability < RB_AST_PARAMETER)
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is a %s variable and must be Real", i->path,
                i->flow == RB_AST_FLOW ? "flow" : "stream");
}

void rb_inst_take_prefixes(RbFrontEnd *fe, RbInst *i) {
    const RbInst *parent = i->parent;
    const RbAstElement *clause = i->elem->clause;
    i->variability = stronger(clause->variability, parent->variability);
    i->causality = clause->causality != RB_AST_ACAUSAL ? clause->causality : parent->causality;
    if (i->elem->replaces) { // prefixes that the redeclaration leaves out stay
        const RbAstElement *old = i->elem->replaces->clause;
        i->variability = stronger(i->variability, old->variability);
        if (i->causality == RB_AST_ACAUSAL) i->causality = old->causality;
    }
    if (i->causality == RB_AST_ACAUSAL) i->causality = i->class->causality;
    i->flow = clause->flow != RB_AST_NO_FLOW ? clause->flow : parent->flow;
    i->is_protected = parent->is_protected || rb_elem_is_protected(i->elem);
    if (i->is_static) return;
    check_prefixes(fe, i);
    if (clause->flow == RB_AST_FLOW && is_model(i->elem->part->def->restriction))
        rb_warn(fe->diag, clause->at,
                "'%s' is declared 'flow' in a %s: only in connectors this has an effect", i->path,
                rb_restriction_name(i->elem->part->def->restriction));
}
