// SPDX-License-Identifier: MIT
// Overdetermined connectors (Modelica specification, 9.4). A record with more variables than
// degrees of freedom, such as a rotation matrix, cannot be set equal all around a loop of
// connections. Its instances are the nodes of a graph; Connections.branch gives edges that the
// components need, connect gives edges that may be left out. The graph becomes a forest with one
// root per tree: connections in the forest are equalities, the others ask only that the few
// residues of equalityConstraint vanish.
#include <string.h>

#include "flatten/connect.h"

typedef struct Node {
    RbInst *inst;
    bool is_root, is_unique, is_potential;
    int64_t priority;    // of a potential root; the lowest is taken first
    RbPos at;            // of what makes it a root, or of the first edge
    const char *message; // of uniqueRoot
    int set;             // union-find: nodes that connect equations join
    int tree;            // union-find: nodes of one tree
    int depth;           // edges from the root; -1: not reached
} Node;

typedef enum Use { EDGE_BRANCH, EDGE_EQUAL, EDGE_BROKEN, EDGE_REDUNDANT } Use;

typedef struct Edge {
    int a, b;
    bool outside_a, outside_b;
    RbPos at;
    Use use;
} Edge;

typedef struct RbRoots {
    RB_ARRAY(Node) nodes;
    RB_ARRAY(Edge) edges;
    RbMap by_inst;        // instance -> node plus one
    RbMap overdetermined; // class -> bool
    bool decided;
} RbRoots;

static RbRoots *roots_of(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    if (!c->roots) c->roots = rb_new(fe->arena, RbRoots);
    return c->roots;
}

static RbClass *constraint_of(RbFrontEnd *fe, RbClass *class) {
    RbElem *e = rb_class_elem(fe->classes, class, rb_intern(fe->names, "equalityConstraint"));
    RbClass *f = e && !e->component ? rb_elem_class(fe->classes, e) : NULL;
    return f && rb_class_ready(fe->classes, f) && rb_class_is_function(f) ? f : NULL;
}

bool rb_is_overdetermined(RbFrontEnd *fe, RbClass *class) {
    if (!class->is_type && !rb_class_is_record(class)) return false;
    RbMap *known = &roots_of(fe)->overdetermined;
    uint64_t *found = rb_map_find(known, rb_map_key(class));
    if (found) return *found;
    bool answer = constraint_of(fe, class) != NULL;
    rb_map_set(known, fe->arena, rb_map_key(class), answer);
    return answer;
}

// --- collecting ----------------------------------------------------------------------------------

static int node_of(RbFrontEnd *fe, RbInst *inst, RbPos at) {
    RbRoots *g = roots_of(fe);
    uint64_t *known = rb_map_find(&g->by_inst, rb_map_key(inst));
    if (known) return (int)*known - 1;
    int n = g->nodes.count;
    rb_array_push(&g->nodes, fe->arena,
                  (Node){.inst = inst, .at = at, .set = n, .tree = n, .depth = -1});
    rb_map_set(&g->by_inst, fe->arena, rb_map_key(inst), (uint64_t)n + 1);
    return n;
}

void rb_roots_connect(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at) {
    Edge e = {.outside_a = a.outside, .outside_b = b.outside, .at = at, .use = EDGE_EQUAL};
    e.a = node_of(fe, a.inst, at);
    e.b = node_of(fe, b.inst, at);
    rb_array_push(&roots_of(fe)->edges, fe->arena, e);
}

static RbName connections_name(const RbAstExpr *call) {
    const RbAstExpr *ref = call->kids[0];
    if (ref->kind != RB_AST_REF || ref->kid_count != 2) return NULL;
    return strcmp(ref->parts[0].name, "Connections") == 0 ? ref->parts[1].name : NULL;
}

static bool is_definition(const char *name) {
    static const char *const names[] = {"branch", "root", "potentialRoot", "uniqueRoot"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

bool rb_is_roots_equation(const RbAstEquation *eq) {
    if (eq->kind != RB_AST_EQ_CALL || eq->left->kind != RB_AST_CALL) return false;
    RbName name = connections_name(eq->left);
    return name && is_definition(name);
}

// The overdetermined record or variable that an argument names; NULL after a message, or if it does
// not exist because of a condition.
static RbInst *argument(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, int k) {
    RbName name = connections_name(call);
    if (!name) name = call->kids[0]->parts[0].name;
    const RbAstExpr *e = k < call->kid_count ? call->kids[k] : NULL;
    if (e && e->kind == RB_AST_NAMED) e = e->kids[0];
    if (!e || e->kind != RB_AST_REF) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e ? e->at : call->at,
                "'%s' needs the overdetermined record of a connector as argument %d, such as "
                "frame_a.R",
                name, k);
        return NULL;
    }
    RbVal v = rb_lower_component(fe, ctx, e);
    if (v.kind == RB_VAL_ERROR || v.kind == RB_VAL_ABSENT) return NULL;
    bool good = v.kind == RB_VAL_INST && v.inst && v.field_count == 0 &&
                v.inst->kind != RB_INST_BROKEN && rb_is_overdetermined(fe, v.inst->class);
    if (good) return v.inst;
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "'%s' is not overdetermined: its class has no function equalityConstraint",
            rb_expr_text(fe, e));
    return NULL;
}

static void collect_branch(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    RbInst *a = argument(fe, ctx, call, 1), *b = argument(fe, ctx, call, 2);
    if (!a || !b) return;
    Edge e = {.at = call->at, .use = EDGE_BRANCH};
    e.a = node_of(fe, a, call->at);
    e.b = node_of(fe, b, call->at);
    rb_array_push(&roots_of(fe)->edges, fe->arena, e);
}

static void collect_root(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    RbInst *inst = argument(fe, ctx, call, 1);
    if (!inst) return;
    int at = node_of(fe, inst, call->at);
    Node *n = &roots_of(fe)->nodes.data[at];
    n->is_root = true;
    n->at = call->at;
    if (strcmp(connections_name(call), "uniqueRoot") == 0) n->is_unique = true;
    if (!n->is_unique || call->kid_count < 3) return;
    const RbAstExpr *text =
        call->kids[2]->kind == RB_AST_NAMED ? call->kids[2]->kids[0] : call->kids[2];
    RbVal v = rb_lower_expr(fe, ctx, text);
    RbExprValue value;
    if (v.kind == RB_VAL_EXPR && v.type == RB_STRING &&
        rb_val_evaluate(fe, &v, &value, text->at, NULL) && value.count > 0)
        n->message = value.text[0];
}

static void collect_potential(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    RbInst *inst = argument(fe, ctx, call, 1);
    if (!inst) return;
    int64_t priority = 0;
    if (call->kid_count > 2) {
        const RbAstExpr *e = call->kids[2];
        if (e->kind == RB_AST_NAMED) e = e->kids[0];
        RbVal v = rb_lower_expr(fe, ctx, e);
        if (v.kind == RB_VAL_ERROR ||
            !rb_val_evaluate_integer(fe, &v, &priority, e->at, "the priority of a potential root"))
            return;
        if (priority < 0) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                    "the priority of the potential root '%s' is %lld; it must not be negative",
                    inst->path, (long long)priority);
            return;
        }
    }
    int at = node_of(fe, inst, call->at);
    Node *n = &roots_of(fe)->nodes.data[at];
    if (n->is_potential && n->priority <= priority) return;
    n->is_potential = true;
    n->priority = priority;
    if (!n->is_root) n->at = call->at;
}

void rb_roots_collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbName name = connections_name(eq->left);
    if (strcmp(name, "branch") == 0)
        collect_branch(fe, ctx, eq->left);
    else if (strcmp(name, "potentialRoot") == 0)
        collect_potential(fe, ctx, eq->left);
    else
        collect_root(fe, ctx, eq->left);
}

// --- the forest ----------------------------------------------------------------------------------

static int set_of(RbRoots *g, int n) {
    while (g->nodes.data[n].set != n) {
        g->nodes.data[n].set = g->nodes.data[g->nodes.data[n].set].set;
        n = g->nodes.data[n].set;
    }
    return n;
}

static int tree_of(RbRoots *g, int n) {
    while (g->nodes.data[n].tree != n) {
        g->nodes.data[n].tree = g->nodes.data[g->nodes.data[n].tree].tree;
        n = g->nodes.data[n].tree;
    }
    return n;
}

// A connection between what other connections join already says nothing new, not even a residue.
static void find_redundant(RbRoots *g) {
    for (int i = 0; i < g->edges.count; i++) {
        Edge *e = &g->edges.data[i];
        if (e->use != EDGE_EQUAL) continue;
        int a = set_of(g, e->a), b = set_of(g, e->b);
        if (a == b) e->use = EDGE_REDUNDANT;
        g->nodes.data[a > b ? a : b].set = a > b ? b : a;
    }
}

// The definite root of every tree, by the number of the tree; -1: none.
static int *definite_roots(RbFrontEnd *fe, RbRoots *g) {
    int *root = rb_new_array(fe->arena, int, g->nodes.count + 1);
    for (int i = 0; i < g->nodes.count; i++) root[i] = g->nodes.data[i].is_root ? i : -1;
    return root;
}

static void add_branch(RbFrontEnd *fe, RbRoots *g, const Edge *e, int *root) {
    int a = tree_of(g, e->a), b = tree_of(g, e->b);
    if (a == b) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "the branch from '%s' to '%s' closes a loop of branches; a loop needs a connection "
                "at which it can be cut",
                g->nodes.data[e->a].inst->path, g->nodes.data[e->b].inst->path);
        return;
    }
    if (root[a] >= 0 && root[b] >= 0) {
        const Node *x = &g->nodes.data[root[a]], *y = &g->nodes.data[root[b]];
        rb_fail(fe->diag, RB_ERROR_MODEL, y->at,
                "'%s' and '%s' are both roots, but branches join them; only one of them can be "
                "given (the other is a root by line %d)",
                y->inst->path, x->inst->path, x->at.line);
        return;
    }
    int low = a < b ? a : b, high = a < b ? b : a;
    g->nodes.data[high].tree = low;
    if (root[low] < 0) root[low] = root[high];
}

// A connection is an equality unless it closes a loop or joins two trees that have roots.
static void add_connection(RbRoots *g, Edge *e, int *root) {
    int a = tree_of(g, e->a), b = tree_of(g, e->b);
    if (a == b || (root[a] >= 0 && root[b] >= 0)) {
        e->use = EDGE_BROKEN;
        return;
    }
    int low = a < b ? a : b, high = a < b ? b : a;
    g->nodes.data[high].tree = low;
    if (root[low] < 0) root[low] = root[high];
}

static void fail_rootless(RbFrontEnd *fe, RbRoots *g, int tree) {
    RbText names = rb_text(fe->arena);
    int count = 0;
    for (int i = 0; i < g->nodes.count; i++) {
        if (tree_of(g, i) != tree) continue;
        if (count++ < 3)
            rb_text_printf(&names, "%s'%s'", count == 1 ? "" : ", ", g->nodes.data[i].inst->path);
    }
    if (count > 3) rb_text_printf(&names, " and %d more", count - 3);
    rb_fail(fe->diag, RB_ERROR_MODEL, g->nodes.data[tree].at,
            "nothing gives the value of %s: no component connected there has Connections.root or "
            "Connections.potentialRoot",
            names.data);
}

// In a tree without a definite root the potential root with the lowest priority is taken, the first
// one of these.
static void choose_roots(RbFrontEnd *fe, RbRoots *g, int *root) {
    for (int i = 0; i < g->nodes.count; i++) {
        const Node *n = &g->nodes.data[i];
        int *best = &root[tree_of(g, i)];
        if (!n->is_potential || (*best >= 0 && g->nodes.data[*best].is_root)) continue;
        if (*best < 0 || n->priority < g->nodes.data[*best].priority) *best = i;
    }
    for (int i = 0; i < g->nodes.count; i++) {
        if (tree_of(g, i) == i && root[i] < 0) fail_rootless(fe, g, i);
    }
}

// Depths by breadth-first search from the roots along the edges of the forest.
static void measure_depths(RbFrontEnd *fe, RbRoots *g, const int *root) {
    int count = g->nodes.count;
    int *first = rb_new_array(fe->arena, int, count + 2), *fill = first + 1;
    for (int i = 0; i < g->edges.count; i++) {
        if (g->edges.data[i].use > EDGE_EQUAL) continue;
        fill[g->edges.data[i].a]++;
        fill[g->edges.data[i].b]++;
    }
    for (int i = 0; i < count; i++) fill[i] += first[i];
    int *neighbour = rb_new_array(fe->arena, int, first[count] + 1);
    int *next = rb_new_array(fe->arena, int, count + 1);
    memcpy(next, first, (size_t)count * sizeof *next);
    for (int i = 0; i < g->edges.count; i++) {
        const Edge *e = &g->edges.data[i];
        if (e->use > EDGE_EQUAL) continue;
        neighbour[next[e->a]++] = e->b;
        neighbour[next[e->b]++] = e->a;
    }
    int *queue = rb_new_array(fe->arena, int, count + 1), filled = 0;
    for (int i = 0; i < count; i++) {
        if (tree_of(g, i) != i || root[i] < 0) continue;
        g->nodes.data[root[i]].depth = 0;
        queue[filled++] = root[i];
    }
    for (int at = 0; at < filled; at++) {
        int n = queue[at];
        for (int k = first[n]; k < first[n + 1]; k++) {
            Node *m = &g->nodes.data[neighbour[k]];
            if (m->depth >= 0) continue;
            m->depth = g->nodes.data[n].depth + 1;
            queue[filled++] = neighbour[k];
        }
    }
}

// uniqueRoot asks that no other root is connected in any way.
static void check_unique(RbFrontEnd *fe, RbRoots *g) {
    int count = g->nodes.count;
    bool any = false;
    for (int i = 0; i < count; i++) any = any || g->nodes.data[i].is_unique;
    if (!any) return;
    int *part = rb_new_array(fe->arena, int, count + 1);
    for (int i = 0; i < count; i++) part[i] = tree_of(g, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < g->edges.count; i++) {
            int *a = &part[tree_of(g, g->edges.data[i].a)],
                *b = &part[tree_of(g, g->edges.data[i].b)];
            if (*a == *b) continue;
            *a = *b = *a < *b ? *a : *b;
            changed = true;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; g->nodes.data[i].is_unique && k < count; k++) {
            if (k == i || !g->nodes.data[k].is_root) continue;
            if (part[tree_of(g, i)] != part[tree_of(g, k)]) continue;
            const Node *n = &g->nodes.data[i], *other = &g->nodes.data[k];
            rb_fail(fe->diag, RB_ERROR_MODEL, n->at,
                    "'%s' must be the only root, but '%s' (line %d) is connected to it%s%s",
                    n->inst->path, other->inst->path, other->at.line, n->message ? ": " : "",
                    n->message ? n->message : "");
            return;
        }
    }
}

void rb_roots_decide(RbFrontEnd *fe) {
    RbRoots *g = roots_of(fe);
    g->decided = true;
    if (g->nodes.count == 0) return;
    find_redundant(g);
    int *root = definite_roots(fe, g);
    for (int i = 0; i < g->edges.count; i++) {
        if (g->edges.data[i].use == EDGE_BRANCH) add_branch(fe, g, &g->edges.data[i], root);
    }
    for (int i = 0; i < g->edges.count; i++) {
        if (g->edges.data[i].use == EDGE_EQUAL) add_connection(g, &g->edges.data[i], root);
    }
    choose_roots(fe, g, root);
    measure_depths(fe, g, root);
    check_unique(fe, g);
    for (int i = 0; i < g->edges.count; i++) {
        const Edge *e = &g->edges.data[i];
        if (e->use != EDGE_EQUAL) continue;
        rb_connect_whole(fe, (RbEnd){g->nodes.data[e->a].inst, 0, e->outside_a},
                         (RbEnd){g->nodes.data[e->b].inst, 0, e->outside_b}, e->at);
    }
}

// --- equations -----------------------------------------------------------------------------------

static void emit_residue(RbFrontEnd *fe, RbInst *a, RbInst *b, RbPos at) {
    RbClass *f = constraint_of(fe, a->class);
    RbVal args[2] = {rb_val_of_inst(fe, a), rb_val_of_inst(fe, b)};
    RbVal residue = rb_call_values(fe, f, args, 2, at);
    if (residue.kind == RB_VAL_ERROR) return;
    if (residue.kind != RB_VAL_EXPR || residue.type != RB_REAL || residue.rank != 1 ||
        residue.dims[0] < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, f->root->def->at,
                "'%s' must have one output, a vector of Reals whose size is known", f->full_name);
        return;
    }
    int count = residue.dims[0];
    if (count == 0) { // only its assertions matter
        RbEquation *eq = rb_equation(&fe->flat->equations, fe->arena, RB_EQ_CALL, at);
        eq->right = residue.e;
        eq->origin = "";
        return;
    }
    const RbExpr **zeros = rb_new_array(fe->arena, const RbExpr *, count);
    for (int i = 0; i < count; i++) zeros[i] = rb_real(fe->x, 0.0);
    rb_flat_equal(fe->flat, &fe->flat->equations, residue.e, rb_array(fe->x, zeros, count), at)
        ->origin = "";
}

void rb_roots_equations(RbFrontEnd *fe) {
    RbRoots *g = roots_of(fe);
    for (int i = 0; i < g->edges.count; i++) {
        const Edge *e = &g->edges.data[i];
        if (e->use == EDGE_BROKEN)
            emit_residue(fe, g->nodes.data[e->a].inst, g->nodes.data[e->b].inst, e->at);
    }
}

// --- questions -----------------------------------------------------------------------------------

static bool is_rooted(RbFrontEnd *fe, RbRoots *g, int n, RbPos at) {
    const Edge *only = NULL;
    int count = 0;
    for (int i = 0; i < g->edges.count; i++) {
        if (g->edges.data[i].use != EDGE_BRANCH || g->edges.data[i].a != n) continue;
        only = &g->edges.data[i];
        count++;
    }
    if (count == 1) return g->nodes.data[only->a].depth < g->nodes.data[only->b].depth;
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "'%s' must be the first argument of one Connections.branch to be asked for by rooted, "
            "but it is that of %d",
            g->nodes.data[n].inst->path, count);
    return false;
}

RbVal rb_lower_connections(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbName name) {
    RbRoots *g = roots_of(fe);
    if (is_definition(name)) return rb_val_error(); // collected before
    bool root = strcmp(name, "isRoot") == 0, rooted = strcmp(name, "rooted") == 0;
    if (!root && !rooted) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "there is no operator 'Connections.%s'; there are branch, root, potentialRoot, "
                "uniqueRoot, isRoot and rooted",
                name);
        return rb_val_error();
    }
    if (!g->decided) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "'%s' cannot decide about sizes, conditional components or connections, since it "
                "follows from them",
                name);
        return rb_val_error();
    }
    RbInst *inst = argument(fe, ctx, call, 1);
    if (!inst) return rb_val_error();
    int n = node_of(fe, inst, call->at);
    bool answer = root ? g->nodes.data[n].depth == 0 : is_rooted(fe, g, n, call->at);
    RbVal v = {.kind = RB_VAL_EXPR, .type = RB_BOOLEAN, .variability = RB_AST_CONSTANT};
    v.e = rb_boolean(fe->x, answer);
    return v;
}
