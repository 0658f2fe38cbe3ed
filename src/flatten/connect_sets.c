// SPDX-License-Identifier: MIT
// Connection sets (Modelica specification, 9.2): potentials in a set are equal, flows sum up to
// zero. A flow has two faces: seen from the class around its component (inside connector, +) and
// seen from within the component (outside connector, -).
#include "flatten/connect.h"
#include "flatten/machine.h"

typedef struct Node {
    RbInst *leaf;
    int element; // from 0
    bool outside;
    bool used;  // named in a connect
    bool alone; // by its subscripts, not with the whole array
    bool used_inside, used_outside;
    int parent; // union-find
    RbPos at;   // first connect
} Node;

// Sets as lists: the members of set i are members[start[i]] and so on.
typedef struct Lists {
    int count;
    int *size, *start, *members;
} Lists;

typedef struct RbSets {
    RB_ARRAY(Node) nodes;
    Lists lists; // once all is connected
} RbSets;

static RbSets *sets_of(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    if (!c->sets) c->sets = rb_new(fe->work, RbSets);
    return c->sets;
}

int rb_leaf_size(const RbInst *leaf) {
    return rb_size_product(leaf->rank, leaf->dims);
}

static int node_of(RbFrontEnd *fe, RbEnd end) {
    RbInst *leaf = end.inst;
    RbSets *g = sets_of(fe);
    if (leaf->node == 0) {
        leaf->node = g->nodes.count + 1;
        for (int i = 0; i < 2 * rb_leaf_size(leaf); i++) {
            Node n = {
                .leaf = leaf, .element = i / 2, .outside = i % 2 == 1, .parent = g->nodes.count};
            rb_array_push(&g->nodes, fe->work, n);
        }
    }
    bool has_faces = leaf->flow != RB_AST_NO_FLOW;
    return leaf->node - 1 + 2 * end.element + (has_faces && end.outside ? 1 : 0);
}

static int find(RbSets *g, int n) {
    while (g->nodes.data[n].parent != n) {
        g->nodes.data[n].parent = g->nodes.data[g->nodes.data[n].parent].parent;
        n = g->nodes.data[n].parent;
    }
    return n;
}

static void note_use(Node *n, bool outside, RbPos at) {
    if (!n->used) n->at = at;
    n->used = true;
    n->used_outside = n->used_outside || outside;
    n->used_inside = n->used_inside || !outside;
}

// The smaller number stays the root, so that the order of sets follows the order of declarations.
void rb_sets_join(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at) {
    int x = node_of(fe, a), y = node_of(fe, b);
    RbSets *g = sets_of(fe);
    note_use(&g->nodes.data[x], a.outside, at);
    note_use(&g->nodes.data[y], b.outside, at);
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

// --- signals -------------------------------------------------------------------------------------

static bool is_on_bus(const RbInst *i) {
    for (; i && i->elem; i = i->parent) {
        if (rb_is_bus(i)) return true;
    }
    return false;
}

// An output of a component that nothing inside of the component is connected to, or an input of the
// class that nothing around it is connected to.
static bool is_source(const Node *n) {
    if (is_on_bus(n->leaf)) return false;
    if (n->leaf->causality == RB_AST_INPUT) // a protected one passes a signal on, or a value instead
        return n->used_outside && !n->used_inside && !n->leaf->is_protected;
    return n->leaf->causality == RB_AST_OUTPUT && n->used_inside && !n->used_outside;
}

static const char *node_name(RbFrontEnd *fe, const Node *n) {
    RbText text = rb_text(fe->arena);
    rb_flat_element_name(&fe->flat->vars.data[n->leaf->var], n->element, &text);
    return text.data;
}

// Outputs of several states of a state machine are one signal, of the state that is active; false: they are not.
static bool emit_states(RbFrontEnd *fe, const int *members, int count) {
    const Node *nodes = sets_of(fe)->nodes.data;
    RbMergeSource *sources = rb_new_array(fe->work, RbMergeSource, count + 1);
    int found = 0, target;
    for (int i = 0; i < count; i++) {
        const Node *n = &nodes[members[i]];
        if (is_source(n)) sources[found++] = (RbMergeSource){n->leaf, node_expr(fe, n)};
    }
    if (found < 2 || !rb_machine_signal(fe, sources, found, nodes[members[0]].at, &target)) return false;
    for (int i = 0; i < count; i++) {
        const Node *n = &nodes[members[i]];
        if (!is_source(n)) emit(fe, rb_flat_ref(fe->flat, target), node_expr(fe, n), n->at);
    }
    return true;
}

// A signal has one source.
static bool check_sources(RbFrontEnd *fe, const int *members, int count) {
    const Node *source = NULL;
    for (int i = 0; i < count; i++) {
        const Node *n = &sets_of(fe)->nodes.data[members[i]];
        if (!is_source(n)) continue;
        if (source) {
            rb_fail(fe->diag, RB_ERROR_MODEL, n->at,
                    "'%s' and '%s' are connected, and both are sources; a signal can have one source only",
                    node_name(fe, source), node_name(fe, n));
            return false;
        }
        source = n;
    }
    return true;
}

// A signal that is read from a bus, but that nobody puts there: all other members are inputs that
// are connected to the bus.
static bool lacks_source(RbFrontEnd *fe, const int *members, int count, const Node **reader) {
    const Node *bus = NULL, *input = NULL;
    for (int i = 0; i < count; i++) {
        const Node *n = &sets_of(fe)->nodes.data[members[i]];
        bool on_bus = is_on_bus(n->leaf);
        bool reads = n->leaf->causality == RB_AST_INPUT && n->used_inside;
        if (!on_bus && !reads) return false;
        if (on_bus && !bus) bus = n;
        if (!on_bus && !input) input = n;
    }
    *reader = input ? input : bus;
    return bus != NULL;
}

static void emit_set(RbFrontEnd *fe, const int *members, int count) {
    RbSets *g = sets_of(fe);
    const Node *first = &g->nodes.data[members[0]];
    RbPos at = first->used ? first->at : first->leaf->elem->component->at;
    if (first->leaf->flow == RB_AST_STREAM) {
        for (int i = 0; i < count; i++) {
            const Node *n = &g->nodes.data[members[i]];
            if (n->outside) rb_stream_outside(fe, (RbEnd){n->leaf, n->element, true}, at);
        }
        return;
    }
    if (first->leaf->flow != RB_AST_FLOW) {
        if (emit_states(fe, members, count) || !check_sources(fe, members, count)) return;
        for (int i = 1; i < count; i++) {
            const Node *n = &g->nodes.data[members[i]];
            emit(fe, node_expr(fe, first), node_expr(fe, n), n->at);
        }
        return;
    }
    const RbExpr **terms = rb_new_array(fe->work, const RbExpr *, count);
    for (int i = 0; i < count; i++) {
        const Node *n = &g->nodes.data[members[i]];
        terms[i] = n->outside ? rb_neg(fe->x, node_expr(fe, n)) : node_expr(fe, n);
    }
    emit(fe, count == 1 ? node_expr(fe, first) : rb_sum(fe->x, terms, count), rb_real(fe->x, 0.0),
         at);
}

// A flow that no connect of the class around it names is zero; this holds for connectors of the
// model itself, too, since nothing is around it. A connector that connections added to a bus has no
// class of its own that could say something about its flow: it is zero from within, too.
static bool takes_part(const Node *n) {
    if (n->leaf->flow == RB_AST_FLOW && (!n->outside || n->leaf->is_member)) return true;
    if (n->leaf->flow == RB_AST_STREAM && n->outside && n->leaf->is_member) return true;
    return n->used;
}

static Lists list_sets(RbFrontEnd *fe) {
    RbSets *g = sets_of(fe);
    int count = g->nodes.count;
    Lists l = {.count = count,
               .size = rb_new_array(fe->work, int, count + 1),
               .start = rb_new_array(fe->work, int, count + 1),
               .members = rb_new_array(fe->work, int, count + 1)};
    for (int i = 0; i < count; i++) l.size[find(g, i)] += takes_part(&g->nodes.data[i]);
    for (int i = 0, at = 0; i < count; i++) {
        l.start[i] = at;
        at += l.size[i];
        l.size[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        int root = find(g, i);
        if (takes_part(&g->nodes.data[i])) l.members[l.start[root] + l.size[root]++] = i;
    }
    return l;
}

// --- whole arrays --------------------------------------------------------------------------------

static bool has_free_size(const RbFrontEnd *fe, const RbInst *leaf) {
    return leaf->rank > 0 && leaf->var >= 0 && fe->flat->vars.data[leaf->var].has_free_size;
}

void rb_sets_name_alone(RbFrontEnd *fe, RbEnd end) {
    if (end.inst->node == 0) return;
    Node *both = &sets_of(fe)->nodes.data[end.inst->node - 1 + 2 * end.element];
    both[0].alone = both[1].alone = true; // inside and outside
}

// Are all elements of the arrays in this set connected as its own, the first ones, are? Then the
// sizes of the arrays need not be known.
static bool is_parallel(RbFrontEnd *fe, const Lists *s, int root) {
    RbSets *g = sets_of(fe);
    const int *members = s->members + s->start[root];
    RbInst *first = g->nodes.data[members[0]].leaf;
    int elements = rb_leaf_size(first);
    if (first->flow == RB_AST_STREAM) return false;
    for (int i = 0; i < s->size[root]; i++) {
        const Node *n = &g->nodes.data[members[i]];
        if (n->element > 0 || !has_free_size(fe, n->leaf) || rb_leaf_size(n->leaf) != elements)
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
static void emit_arrays(RbFrontEnd *fe, Lists *s, int root) {
    const int *members = s->members + s->start[root];
    const Node *nodes = sets_of(fe)->nodes.data, *first = &nodes[members[0]];
    int count = s->size[root];
    const RbExpr **terms = rb_new_array(fe->work, const RbExpr *, count);
    if (first->leaf->flow != RB_AST_FLOW && !check_sources(fe, members, count)) return;
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
    for (int k = 1; k < rb_leaf_size(first->leaf); k++)
        s->size[find(sets_of(fe), members[0] + 2 * k)] = 0;
}

// An element of an array on a bus that no connection names is of no interest, but needs a value.
static void emit_unused_elements(RbFrontEnd *fe) {
    RbSets *g = sets_of(fe);
    for (int i = 0; i < g->nodes.count; i++) {
        const Node *n = &g->nodes.data[i];
        bool unused =
            !n->used && !n->outside && n->leaf->rank > 0 && n->leaf->flow == RB_AST_NO_FLOW;
        if (!unused || find(g, i) != i || !is_on_bus(n->leaf)) continue;
        const RbExpr *zero = n->leaf->class->type == RB_REAL      ? rb_real(fe->x, 0.0)
                             : n->leaf->class->type == RB_INTEGER ? rb_integer(fe->x, 0)
                             : n->leaf->class->type == RB_BOOLEAN ? rb_boolean(fe->x, false)
                                                                  : NULL;
        if (zero) emit(fe, node_expr(fe, n), zero, n->leaf->elem->component->at);
    }
}

void rb_sets_equations(RbFrontEnd *fe) {
    for (int i = 0; i < fe->by_var.count; i++) {
        RbInst *leaf = fe->by_var.data[i];
        bool is_flow =
            leaf->flow == RB_AST_FLOW && leaf->variability < RB_AST_PARAMETER && leaf->elem;
        if (is_flow && rb_leaf_size(leaf) > 0 && connector_of(leaf))
            node_of(fe, (RbEnd){leaf, 0, false});
    }
    Lists l = sets_of(fe)->lists = list_sets(fe);
    for (int i = 0; i < l.count; i++) {
        if (l.size[i] == 0) continue;
        if (is_parallel(fe, &l, i))
            emit_arrays(fe, &l, i);
        else
            emit_set(fe, l.members + l.start[i], l.size[i]);
    }
    if (fe->has_buses) emit_unused_elements(fe);
}

int rb_sets_members(RbFrontEnd *fe, RbEnd end, RbEnd **list) {
    RbSets *g = sets_of(fe);
    int count = 0;
    *list = NULL;
    if (end.inst->node == 0) return 0;
    int set = find(g, node_of(fe, end));
    const int *members = g->lists.members + g->lists.start[set];
    *list = rb_new_array(fe->arena, RbEnd, g->lists.size[set] + 1);
    for (int i = 0; i < g->lists.size[set]; i++) {
        const Node *n = &g->nodes.data[members[i]];
        (*list)[count++] = (RbEnd){n->leaf, n->element, n->outside};
    }
    return count;
}

bool rb_sets_explain(RbFrontEnd *fe) {
    if (!fe->has_buses) return false;
    Lists l = sets_of(fe)->lists;
    bool found = false;
    for (int i = 0; i < l.count; i++) {
        const Node *reader;
        if (l.size[i] == 0 || sets_of(fe)->nodes.data[i].leaf->flow != RB_AST_NO_FLOW) continue;
        if (!lacks_source(fe, l.members + l.start[i], l.size[i], &reader)) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, reader->at,
                "'%s' is connected to a bus, but no output connected to the bus gives its value",
                node_name(fe, reader));
        found = true;
    }
    return found;
}
