// SPDX-License-Identifier: MIT
// Connections (Modelica specification, chapter 9): connect equations form sets of connected
// variables; potentials in a set are equal, flows sum up to zero. A flow has two faces: seen from
// the class around its component (inside connector, +) and seen from within the component (outside
// connector, -).
#include <string.h>

#include "modelica/frontend.h"

typedef struct Node {
    RbInst *leaf;
    int element; // from 0
    bool outside;
    bool used;  // named in a connect
    bool alone; // by its subscripts, not with the whole array
    int parent; // union-find
    RbPos at;   // first connect
} Node;

typedef struct RbConnector {
    RB_ARRAY(Node) nodes;
} RbConnector;

static RbConnector *graph(RbFrontEnd *fe) {
    if (!fe->connector) fe->connector = rb_new(fe->arena, RbConnector);
    return fe->connector;
}

static int leaf_size(const RbInst *leaf) {
    int size = 1;
    for (int i = 0; i < leaf->rank; i++) size *= leaf->dims[i];
    return size;
}

static int node_of(RbFrontEnd *fe, RbInst *leaf, int element, bool outside) {
    RbConnector *g = graph(fe);
    if (leaf->node == 0) {
        leaf->node = g->nodes.count + 1;
        for (int i = 0; i < 2 * leaf_size(leaf); i++) {
            Node n = {
                .leaf = leaf, .element = i / 2, .outside = i % 2 == 1, .parent = g->nodes.count};
            rb_array_push(&g->nodes, fe->arena, n);
        }
    }
    bool is_flow = leaf->flow == RB_AST_FLOW;
    return leaf->node - 1 + 2 * element + (is_flow && outside ? 1 : 0);
}

static int find(RbConnector *g, int n) {
    while (g->nodes.data[n].parent != n) {
        g->nodes.data[n].parent = g->nodes.data[g->nodes.data[n].parent].parent;
        n = g->nodes.data[n].parent;
    }
    return n;
}

// The smaller number stays the root, so that the order of sets follows the order of declarations.
static void join(RbConnector *g, int a, int b, RbPos at) {
    Node *x = &g->nodes.data[a], *y = &g->nodes.data[b];
    if (!x->used) x->at = at;
    if (!y->used) y->at = at;
    x->used = y->used = true;
    a = find(g, a);
    b = find(g, b);
    if (a < b)
        g->nodes.data[b].parent = a;
    else
        g->nodes.data[a].parent = b;
}

// --- connecting ----------------------------------------------------------------------------------

typedef struct Side {
    bool outside;
    const RbAstExpr *text;
} Side;

typedef struct Wire {
    RbFrontEnd *fe;
    const RbAstEquation *eq;
    Side a, b;
} Wire;

static void connect_insts(const Wire *w, RbInst *a, RbInst *b);

static const char *prefix_name(const RbInst *i) {
    return i->flow == RB_AST_FLOW ? "a flow" : i->flow == RB_AST_STREAM ? "a stream" : "no flow";
}

static void connect_elements(const Wire *w, RbInst *a, int from_a, RbInst *b, int from_b,
                             int count) {
    RbFrontEnd *fe = w->fe;
    if (a->flow == RB_AST_STREAM || b->flow == RB_AST_STREAM) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at,
                "stream variables ('%s') are not supported in connections", a->path);
        return;
    }
    if (a->flow != b->flow) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at, "'%s' is %s variable, but '%s' is %s variable",
                a->path, prefix_name(a), b->path, prefix_name(b));
        return;
    }
    bool types = a->class->type == b->class->type && a->class->enumeration == b->class->enumeration;
    if (!types) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at,
                "'%s' is %s, but '%s' is %s; they cannot be connected", a->path,
                a->class->full_name, b->path, b->class->full_name);
        return;
    }
    if (a->variability >= RB_AST_PARAMETER || b->variability >= RB_AST_PARAMETER) return;
    for (int i = 0; i < count; i++) {
        int x = node_of(fe, a, from_a + i, w->a.outside),
            y = node_of(fe, b, from_b + i, w->b.outside);
        join(graph(fe), x, y, w->eq->at);
    }
}

static void connect_leaves(const Wire *w, RbInst *a, RbInst *b) {
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++) same = a->dims[i] == b->dims[i];
    if (!same) {
        rb_fail(w->fe->diag, RB_ERROR_MODEL, w->eq->at,
                "'%s' and '%s' differ in size (%d and %d elements)", a->path, b->path, leaf_size(a),
                leaf_size(b));
        return;
    }
    connect_elements(w, a, 0, b, 0, leaf_size(a));
}

static void connect_components(const Wire *w, RbInst *a, RbInst *b) {
    RbFrontEnd *fe = w->fe;
    if (a->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR ||
        b->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at,
                "expandable connectors ('%s') are not supported",
                a->class->restriction == RB_KIND_EXPANDABLE_CONNECTOR ? a->path : b->path);
        return;
    }
    for (int i = 0; i < a->class->components.count; i++) {
        RbElem *e = a->class->components.data[i];
        RbElem *f = rb_class_elem(fe->classes, b->class, e->name);
        if (!f || !f->component || f->number == 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at,
                    "these connectors do not fit: '%s' (%s) has '%s', but '%s' (%s) has not",
                    a->path, a->class->full_name, e->name, b->path, b->class->full_name);
            return;
        }
        connect_insts(w, rb_inst_child(fe, a, e), rb_inst_child(fe, b, f));
    }
    if (b->class->components.count > a->class->components.count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->eq->at,
                "these connectors do not fit: '%s' (%s) has more elements than '%s' (%s)", b->path,
                b->class->full_name, a->path, a->class->full_name);
    }
}

static void connect_insts(const Wire *w, RbInst *a, RbInst *b) {
    if (a->kind == RB_INST_BROKEN || b->kind == RB_INST_BROKEN) return;
    if (a->kind == RB_INST_ABSENT || b->kind == RB_INST_ABSENT) return;
    if (a->kind != b->kind) {
        rb_fail(w->fe->diag, RB_ERROR_MODEL, w->eq->at,
                "'%s' and '%s' cannot be connected: their structure differs", a->path, b->path);
        return;
    }
    a->connections++;
    b->connections++;
    if (a->kind == RB_INST_LEAF) {
        connect_leaves(w, a, b);
    } else if (a->kind == RB_INST_COMPONENT) {
        connect_components(w, a, b);
    } else {
        if (a->count != b->count) {
            rb_fail(w->fe->diag, RB_ERROR_MODEL, w->eq->at,
                    "'%s' has %d elements, but '%s' has %d; they cannot be connected", a->path,
                    a->count, b->path, b->count);
            return;
        }
        for (int i = 0; i < a->count; i++) connect_insts(w, a->items[i], b->items[i]);
    }
}

// One or several connectors that a reference names.
typedef struct Ends {
    RbVal *list; // kind INST
    int count;
    bool is_slice; // elements, even if there is only one
} Ends;

// Position (from 1) along one dimension of a leaf: the k-th (from 1) that a subscript picks; 0 if
// it is not known.
static int picked(const RbExpr *subscript, int k) {
    if (subscript->op == RB_OP_INTEGER) return (int)subscript->integer;
    if (subscript->op == RB_OP_ALL) return k;
    if (subscript->op == RB_OP_ARRAY && k <= subscript->arg_count &&
        subscript->args[k - 1]->op == RB_OP_INTEGER) {
        return (int)subscript->args[k - 1]->integer;
    }
    return 0;
}

// u[2] or u[2:3] of an array leaf: single elements, known by their number.
static bool push_elements(RbFrontEnd *fe, const RbVal *v, Ends *ends) {
    const RbInst *leaf = v->inst;
    int size = 1;
    for (int i = 0; i < v->rank; i++) size *= v->dims[i];
    ends->list = rb_new_array(fe->arena, RbVal, size + 1);
    for (int i = 0; i < size; i++) {
        int rest = i, subs[RB_RANK_MAX], free = v->rank;
        for (int k = v->rank - 1; k >= 0; k--) {
            subs[k] = rest % v->dims[k] + 1;
            rest /= v->dims[k];
        }
        int element = 0, next = 0;
        for (int k = 0; k < leaf->rank; k++) {
            const RbExpr *s = v->e->op == RB_OP_SUBSCRIPT && k + 1 < v->e->arg_count
                                  ? v->e->args[k + 1]
                                  : rb_all(fe->x);
            bool scalar = s->op == RB_OP_INTEGER;
            int at = picked(s, scalar || next >= free ? 1 : subs[next]);
            if (!scalar) next++;
            if (at < 1 || at > leaf->dims[k]) return false;
            element = element * leaf->dims[k] + at - 1;
        }
        ends->list[ends->count++] =
            (RbVal){.kind = RB_VAL_INST, .inst = v->inst, .e = v->e, .element = element};
    }
    return true;
}

static bool find_ends(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, Ends *ends) {
    RbVal v = rb_lower_component(fe, ctx, e);
    *ends = (Ends){0};
    if (v.kind == RB_VAL_ERROR || v.kind == RB_VAL_ABSENT) return false;
    if (v.kind != RB_VAL_INST) {
        // A slice over a component array whose elements are of a predefined type.
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is not a connector", rb_expr_text(fe, e));
        return false;
    }
    if (v.field_count > 0) {
        ends->list = v.fields;
        ends->count = v.field_count;
        ends->is_slice = true;
    } else if (v.inst && v.inst->kind == RB_INST_LEAF && v.e) {
        if (!push_elements(fe, &v, ends)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                    "the subscripts of '%s' must be known before the simulation starts",
                    rb_expr_text(fe, e));
            return false;
        }
        ends->is_slice = v.rank > 0;
    } else {
        ends->list = rb_new(fe->arena, RbVal);
        ends->list[0] = v;
        ends->count = 1;
    }
    for (int i = 0; i < ends->count; i++) {
        RbInst *inst = ends->list[i].inst;
        if (ends->list[i].kind == RB_VAL_ABSENT) continue;
        if (!inst || !inst->class ||
            (!rb_class_is_connector(inst->class) &&
             !(inst->parent && rb_class_is_connector(inst->parent->class)))) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is not a connector%s%s",
                    rb_expr_text(fe, e), inst && inst->class ? ", but of class " : "",
                    inst && inst->class ? inst->class->full_name : "");
            return false;
        }
    }
    return true;
}

static void name_alone(RbFrontEnd *fe, const RbVal *end) {
    RbInst *leaf = end->inst;
    if (!end->e || leaf->node == 0) return;
    Node *both = &graph(fe)->nodes.data[leaf->node - 1 + 2 * end->element]; // inside and outside
    both[0].alone = both[1].alone = true;
}

static void connect_ends(const Wire *w, const RbVal *a, const RbVal *b) {
    if (a->kind == RB_VAL_ABSENT || b->kind == RB_VAL_ABSENT) return;
    bool leaves = a->inst->kind == RB_INST_LEAF && b->inst->kind == RB_INST_LEAF;
    if (leaves && (a->e || b->e)) {
        bool scalars = (a->e || a->inst->rank == 0) && (b->e || b->inst->rank == 0);
        if (!scalars) {
            rb_fail(w->fe->diag, RB_ERROR_MODEL, w->eq->at, "'%s' and '%s' differ in size",
                    rb_expr_text(w->fe, w->eq->left), rb_expr_text(w->fe, w->eq->right));
            return;
        }
        a->inst->connections++;
        b->inst->connections++;
        connect_elements(w, a->inst, a->e ? a->element : 0, b->inst, b->e ? b->element : 0, 1);
        name_alone(w->fe, a);
        name_alone(w->fe, b);
        return;
    }
    connect_insts(w, a->inst, b->inst);
}

// A whole array on one side and single elements on the other: take the array apart.
static void match_sizes(RbFrontEnd *fe, Ends *a, const Ends *b) {
    if (a->count != 1 || (b->count == 1 && !b->is_slice)) return;
    RbInst *inst = a->list[0].inst;
    if (inst->kind == RB_INST_LEAF && inst->rank > 0 && !a->list[0].e) {
        RbVal v = rb_val_of_inst(fe, inst);
        v.inst = inst;
        *a = (Ends){0};
        push_elements(fe, &v, a);
    } else if (inst->kind == RB_INST_ARRAY) {
        *a = (Ends){.list = rb_new_array(fe->arena, RbVal, inst->count + 1), .count = inst->count};
        for (int i = 0; i < inst->count; i++)
            a->list[i] = (RbVal){.kind = RB_VAL_INST, .inst = inst->items[i]};
    }
}

// A connector of the class itself, not of one of its components.
static bool is_outside(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbElem *elem = rb_lookup(fe->classes, ctx->scope, e->parts[0].name);
    if (!elem || !elem->component || elem->clause->outer) return false;
    RbClass *class = rb_elem_class(fe->classes, elem);
    return class && rb_class_is_connector(class);
}

static bool is_broken_out(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    const RbClassPart *root = ctx->scope->owner->root;
    for (int i = 0; i < root->broken.count; i++) {
        const RbAstEquation *out = root->broken.data[i]->broken_connect;
        if (!out || ctx->scope == root) continue;
        RbText a = rb_text(fe->arena), b = rb_text(fe->arena);
        rb_ast_print_expr(eq->left, &a), rb_text_add(&a, ","), rb_ast_print_expr(eq->right, &a);
        rb_ast_print_expr(out->left, &b), rb_text_add(&b, ","), rb_ast_print_expr(out->right, &b);
        if (strcmp(a.data, b.data) == 0) return true;
    }
    return false;
}

static void lower_connect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (eq->left->kind != RB_AST_REF || eq->right->kind != RB_AST_REF || is_broken_out(fe, ctx, eq))
        return;
    Ends a, b;
    if (!find_ends(fe, ctx, eq->left, &a) || !find_ends(fe, ctx, eq->right, &b)) return;
    match_sizes(fe, &a, &b);
    match_sizes(fe, &b, &a);
    if (a.count != b.count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at,
                "'%s' has %d elements, but '%s' has %d; they cannot be connected",
                rb_expr_text(fe, eq->left), a.count, rb_expr_text(fe, eq->right), b.count);
        return;
    }
    Wire w = {fe,
              eq,
              {is_outside(fe, ctx, eq->left), eq->left},
              {is_outside(fe, ctx, eq->right), eq->right}};
    for (int i = 0; i < a.count; i++) connect_ends(&w, &a.list[i], &b.list[i]);
}

// --- finding connect equations -------------------------------------------------------------------

static bool has_connect(const RbAstEquation *eq) {
    if (eq->kind == RB_AST_EQ_CONNECT) return true;
    if (eq->kind != RB_AST_EQ_IF && eq->kind != RB_AST_EQ_FOR) return false;
    for (int i = 0; i < eq->block_count; i++) {
        for (int k = 0; k < eq->blocks[i].count; k++) {
            if (has_connect(eq->blocks[i].list[k])) return true;
        }
    }
    return false;
}

static void collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

static void collect_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, int level) {
    if (level == eq->iterator_count) {
        for (int i = 0; i < eq->blocks[0].count; i++) collect(fe, ctx, eq->blocks[0].list[i]);
        return;
    }
    const RbAstIterator *it = &eq->iterators[level];
    RbVal range;
    const RbAstEquation *first = eq->blocks[0].count > 0 ? eq->blocks[0].list[0] : NULL;
    if (!rb_lower_range(fe, ctx, it, first ? first->left : NULL, &range) || range.dims[0] < 0)
        return;
    for (int i = 1; i <= range.dims[0]; i++) {
        RbLoopVar var = {
            .name = it->name, .value = rb_val_element(fe, &range, &i, 1), .outer = ctx->loops};
        RbPlace inner = *ctx;
        inner.loops = &var;
        collect_loop(fe, &inner, eq, level + 1);
    }
}

static void collect_if(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        bool taken = true;
        if (b->condition) {
            RbVal v = rb_lower_expr(fe, ctx, b->condition);
            RbExprValue value;
            if (!rb_val_evaluate(fe, &v, &value, b->condition->at,
                                 "the condition around a connect"))
                return;
            taken = value.count > 0 && value.data[0] != 0;
        }
        if (!taken) continue;
        for (int k = 0; k < b->count; k++) collect(fe, ctx, b->list[k]);
        return;
    }
}

static void collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (!has_connect(eq)) return;
    if (eq->kind == RB_AST_EQ_CONNECT)
        lower_connect(fe, ctx, eq);
    else if (eq->kind == RB_AST_EQ_FOR)
        collect_loop(fe, ctx, eq, 0);
    else
        collect_if(fe, ctx, eq);
}

void rb_connect_collect(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_connect_collect(fe, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT) return;
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !(e->clause->outer && !e->clause->inner))
            rb_connect_collect(fe, inst->children[i]);
    }
    for (int i = 0; i < inst->class->sections.count; i++) {
        const RbSectionRef *s = &inst->class->sections.data[i];
        if (s->section->kind != RB_AST_EQUATIONS) continue;
        RbPlace ctx = {.inst = inst, .scope = s->part};
        for (int k = 0; k < s->section->count; k++) collect(fe, &ctx, s->section->list[k]);
    }
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
    RbConnector *g = graph(fe);
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

// Sets of connected nodes: the members of the set with root r begin at start[r].
typedef struct ConnectionSets {
    int *size, *start, *members;
} ConnectionSets;

static bool has_free_size(const RbFrontEnd *fe, const RbInst *leaf) {
    return leaf->rank > 0 && leaf->var >= 0 && fe->flat->vars.data[leaf->var].has_free_size;
}

// Are all elements of the arrays in this set connected as its own, the first ones, are? Then the
// sizes of the arrays need not be known.
static bool is_parallel(RbFrontEnd *fe, const ConnectionSets *s, int root) {
    RbConnector *g = graph(fe);
    const int *members = s->members + s->start[root];
    RbInst *first = g->nodes.data[members[0]].leaf;
    int elements = leaf_size(first);
    for (int i = 0; i < s->size[root]; i++) {
        const Node *n = &g->nodes.data[members[i]];
        if (n->element > 0 || !has_free_size(fe, n->leaf) || leaf_size(n->leaf) != elements)
            return false;
        for (int k = 0; k < elements; k++) {
            if (g->nodes.data[members[i] + 2 * k].alone) return false;
        }
    }
    for (int k = 1; k < elements; k++) {
        int other = find(g, members[0] + 2 * k);
        if (s->size[other] != s->size[root]) return false;
        for (int i = 0; i < s->size[root]; i++) {
            if (s->members[s->start[other] + i] != members[i] + 2 * k) return false;
        }
    }
    return true;
}

static const RbExpr *zeros_like(RbFrontEnd *fe, const RbInst *leaf) {
    const RbExpr *args[RB_RANK_MAX + 1] = {rb_real(fe->x, 0.0)},
                                     *array = rb_flat_ref(fe->flat, leaf->var);
    for (int k = 0; k < leaf->rank; k++)
        args[k + 1] = rb_builtin2(fe->x, RB_FN_SIZE, array, rb_integer(fe->x, k + 1));
    return rb_builtin(fe->x, RB_FN_FILL, args, leaf->rank + 1);
}

// Equations for whole arrays instead of some for each of their elements.
static void emit_arrays(RbFrontEnd *fe, ConnectionSets *s, int root) {
    const int *members = s->members + s->start[root];
    const Node *nodes = graph(fe)->nodes.data, *first = &nodes[members[0]];
    int count = s->size[root];
    const RbExpr **terms = rb_new_array(fe->arena, const RbExpr *, count);
    for (int i = 0; i < count; i++) {
        const Node *n = &nodes[members[i]];
        terms[i] = rb_flat_ref(fe->flat, n->leaf->var);
        if (first->leaf->flow == RB_AST_FLOW) {
            if (n->outside) terms[i] = rb_neg(fe->x, terms[i]);
        } else if (i > 0) {
            emit(fe, terms[0], terms[i], n->at);
        }
    }
    if (first->leaf->flow == RB_AST_FLOW)
        emit(fe, rb_sum(fe->x, terms, count), zeros_like(fe, first->leaf),
             first->used ? first->at : first->leaf->elem->component->at);
    for (int k = 1; k < leaf_size(first->leaf); k++)
        s->size[find(graph(fe), members[0] + 2 * k)] = 0;
}

void rb_connect_equations(RbFrontEnd *fe) {
    RbConnector *g = graph(fe);
    for (int i = 0; i < fe->by_var.count; i++) {
        RbInst *leaf = fe->by_var.data[i];
        bool is_flow =
            leaf->flow == RB_AST_FLOW && leaf->variability < RB_AST_PARAMETER && leaf->elem;
        if (is_flow && leaf_size(leaf) > 0 && connector_of(leaf)) node_of(fe, leaf, 0, false);
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
    ConnectionSets sets = {size, start, members};
    for (int i = 0; i < count; i++) {
        if (size[i] == 0) continue;
        if (is_parallel(fe, &sets, i))
            emit_arrays(fe, &sets, i);
        else
            emit_set(fe, members + start[i], size[i]);
    }
}
