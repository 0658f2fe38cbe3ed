// SPDX-License-Identifier: MIT
// Connection sets (Modelica specification, 9.2): potentials in a set are equal, flows sum up to
// zero. A flow has two faces: seen from the class around its component (inside connector, +) and
// seen from within the component (outside connector, -).
#include "modelica/connect.h"

typedef struct Node {
    RbInst *leaf;
    int element; // from 0
    bool outside;
    bool used;  // named in a connect
    int parent; // union-find
    RbPos at;   // first connect
} Node;

typedef struct RbSets {
    RB_ARRAY(Node) nodes;
} RbSets;

static RbSets *sets_of(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    if (!c->sets) c->sets = rb_new(fe->arena, RbSets);
    return c->sets;
}

int rb_leaf_size(const RbInst *leaf) {
    int size = 1;
    for (int i = 0; i < leaf->rank; i++) size *= leaf->dims[i];
    return size;
}

static int node_of(RbFrontEnd *fe, RbEnd end) {
    RbInst *leaf = end.inst;
    RbSets *g = sets_of(fe);
    if (leaf->node == 0) {
        leaf->node = g->nodes.count + 1;
        for (int i = 0; i < 2 * rb_leaf_size(leaf); i++) {
            Node n = {
                .leaf = leaf, .element = i / 2, .outside = i % 2 == 1, .parent = g->nodes.count};
            rb_array_push(&g->nodes, fe->arena, n);
        }
    }
    bool is_flow = leaf->flow == RB_AST_FLOW;
    return leaf->node - 1 + 2 * end.element + (is_flow && end.outside ? 1 : 0);
}

static int find(RbSets *g, int n) {
    while (g->nodes.data[n].parent != n) {
        g->nodes.data[n].parent = g->nodes.data[g->nodes.data[n].parent].parent;
        n = g->nodes.data[n].parent;
    }
    return n;
}

static void note_use(Node *n, RbPos at) {
    if (!n->used) n->at = at;
    n->used = true;
}

// The smaller number stays the root, so that the order of sets follows the order of declarations.
void rb_sets_join(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at) {
    int x = node_of(fe, a), y = node_of(fe, b);
    RbSets *g = sets_of(fe);
    note_use(&g->nodes.data[x], at);
    note_use(&g->nodes.data[y], at);
    x = find(g, x);
    y = find(g, y);
    if (x < y)
        g->nodes.data[y].parent = x;
    else
        g->nodes.data[x].parent = y;
}

// --- equations -----------------------------------------------------------------------------------

static const RbExpr *node_expr(RbFrontEnd *fe, const Node *n) {
    const RbExpr *e = rb_flat_ref(fe->flat, n->leaf->var);
    if (n->leaf->rank == 0) return e;
    const RbExpr *subs[RB_RANK_MAX];
    int rest = n->element;
    for (int i = n->leaf->rank - 1; i >= 0; i--) {
        subs[i] = rb_integer(fe->x, rest % n->leaf->dims[i] + 1);
        rest /= n->leaf->dims[i];
    }
    return rb_subscript(fe->x, e, subs, n->leaf->rank);
}

static RbInst *connector_of(RbInst *leaf) {
    RbInst *top = NULL;
    for (RbInst *i = leaf; i && i->elem; i = i->parent) {
        if (rb_class_is_connector(i->class)) top = i;
    }
    return top;
}

static void emit(RbFrontEnd *fe, const RbExpr *left, const RbExpr *right, RbPos at) {
    rb_flat_equal(fe->flat, &fe->flat->equations, left, right, at)->origin = "";
}

static void emit_set(RbFrontEnd *fe, const int *members, int count) {
    RbSets *g = sets_of(fe);
    const Node *first = &g->nodes.data[members[0]];
    RbPos at = first->used ? first->at : first->leaf->elem->component->at;
    if (first->leaf->flow != RB_AST_FLOW) {
        for (int i = 1; i < count; i++) {
            const Node *n = &g->nodes.data[members[i]];
            emit(fe, node_expr(fe, first), node_expr(fe, n), n->at);
        }
        return;
    }
    const RbExpr **terms = rb_new_array(fe->arena, const RbExpr *, count);
    for (int i = 0; i < count; i++) {
        const Node *n = &g->nodes.data[members[i]];
        terms[i] = n->outside ? rb_neg(fe->x, node_expr(fe, n)) : node_expr(fe, n);
    }
    emit(fe, count == 1 ? node_expr(fe, first) : rb_sum(fe->x, terms, count), rb_real(fe->x, 0.0),
         at);
}

// A flow that no connect of the class around it names is zero; this holds for connectors of the
// model itself, too, since nothing is around it.
static bool takes_part(const Node *n) {
    return n->leaf->flow == RB_AST_FLOW && !n->outside ? true : n->used;
}

void rb_sets_equations(RbFrontEnd *fe) {
    RbSets *g = sets_of(fe);
    for (int i = 0; i < fe->by_var.count; i++) {
        RbInst *leaf = fe->by_var.data[i];
        bool is_flow =
            leaf->flow == RB_AST_FLOW && leaf->variability < RB_AST_PARAMETER && leaf->elem;
        if (is_flow && rb_leaf_size(leaf) > 0 && connector_of(leaf))
            node_of(fe, (RbEnd){leaf, 0, false});
    }
    int count = g->nodes.count;
    int *size = rb_new_array(fe->arena, int, count + 1),
        *start = rb_new_array(fe->arena, int, count + 1);
    int *members = rb_new_array(fe->arena, int, count + 1);
    for (int i = 0; i < count; i++) size[find(g, i)] += takes_part(&g->nodes.data[i]);
    for (int i = 0, at = 0; i < count; i++) {
        start[i] = at;
        at += size[i];
        size[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        int root = find(g, i);
        if (takes_part(&g->nodes.data[i])) members[start[root] + size[root]++] = i;
    }
    for (int i = 0; i < count; i++) {
        if (size[i] > 0) emit_set(fe, members + start[i], size[i]);
    }
}
