// SPDX-License-Identifier: MIT
// What a connector must be made of (Modelica specification, 4.7, 9.3.1 and 15.1): as many flows as
// potentials, one flow beside streams, inputs and outputs alone in a block.
#include "flatten/connect.h"
#include "flatten/inst.h"

typedef struct Contents {
    int flows, potentials, streams;
    bool unclear; // what connections add, or make redundant
} Contents;

static void count_contents(RbFrontEnd *fe, const RbInst *i, Contents *n) {
    if (i->kind == RB_INST_BROKEN || rb_is_overdetermined(fe, i->class)) {
        n->unclear = true;
    } else if (i->kind == RB_INST_ARRAY) {
        for (int k = 0; k < i->count; k++) count_contents(fe, i->items[k], n);
    } else if (i->kind == RB_INST_COMPONENT) {
        n->unclear = n->unclear || i->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR ||
                     rb_is_opaque(fe, i->class);
        for (int k = 0; k < i->class->components.count; k++) {
            const RbElem *e = i->class->components.data[k];
            if (!e->clause->outer && i->children[k]) count_contents(fe, i->children[k], n);
        }
    } else if (i->kind == RB_INST_LEAF && i->variability < RB_AST_PARAMETER &&
               (i->causality == RB_AST_ACAUSAL || i->flow != RB_AST_NO_FLOW)) {
        int *count = i->flow == RB_AST_FLOW     ? &n->flows
                     : i->flow == RB_AST_STREAM ? &n->streams
                                                : &n->potentials;
        *count += rb_leaf_size(i);
    }
}

static void check_fixed(RbFrontEnd *fe, const RbInst *i) {
    const RbAstElement *e = i->elem->clause;
    if (e->variability < RB_AST_PARAMETER) return;
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "'%s' is a connector and cannot be a %s: nothing could be connected to it", i->path,
            e->variability == RB_AST_CONSTANT ? "constant" : "parameter");
}

void rb_inst_check_connector(RbFrontEnd *fe, const RbInst *i) {
    RbClass *class = i->class;
    if (!class || !rb_class_is_connector(class) || i->is_static ||
        rb_class_is_connector(i->parent->class))
        return;
    check_fixed(fe, i);
    if (i->kind != RB_INST_COMPONENT || class->is_record) return;
    Contents n = {0};
    count_contents(fe, i, &n);
    RbPos at = class->root->def->at;
    if (n.streams > 0 && n.flows != 1 && !n.unclear)
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the connector '%s' has stream variables and %d flow variable%s; it needs exactly "
                "one, which carries the streams",
                class->full_name, n.flows, n.flows == 1 ? "" : "s");
    else if (n.flows != n.potentials && !n.unclear)
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the connector '%s' has %d flow variable%s and %d potential%s; it needs as many of "
                "these as of those",
                class->full_name, n.flows, n.flows == 1 ? "" : "s", n.potentials,
                n.potentials == 1 ? "" : "s");
    else if (i->parent->class->restriction == RB_KIND_BLOCK && n.flows + n.potentials > 0 &&
             !i->is_protected)
        rb_fail(fe->diag, RB_ERROR_MODEL, i->elem->component->at,
                "'%s' in the block '%s' has variables that are neither inputs nor outputs", i->path,
                i->parent->class->full_name);
}
