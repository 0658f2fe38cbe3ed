// SPDX-License-Identifier: MIT
// Stream variables (Modelica specification, chapter 15): what a flow carries with it, such as
// specific enthalpy. h_outflow of a connector is the value if the flow leaves the component;
// inStream(h_outflow) is the value if it enters: the mixture of all that would come out of the
// other connectors of the set. Each becomes a variable of its own with the mixing equation; in a
// set of two connectors this is a plain equality.
//
// With the flows w_j out of the other connectors, h_mix = sum(w_j h_j) / sum(w_j). Where all flows
// are smaller than eps they are replaced by weights that tend to eps, so that the mixture becomes
// the mean of the others: w_j = alpha max(-m_j, 0) + (1 - alpha) eps, alpha going smoothly from 0
// to 1 while s = sum(max(-m_j, 0)) goes from 0 to eps (docs/theory/streams.md).
#include <string.h>

#include "flatten/builtin.h"
#include "flatten/connect.h"
#include "flatten/expression.h"

static const double small_flow = 1e-7; // eps in units of the nominal flow

typedef struct Inflow { // inStream(leaf), an array like the leaf
    RbInst *leaf;
    int var;
} Inflow;

typedef struct Actual {         // actualStream(leaf) with its event
    const RbExpr *flow, *quiet; // the same without event
} Actual;

typedef struct RbStreams {
    RB_ARRAY(Inflow) inflows;
    RbMap by_leaf; // leaf -> inflow plus one
    RB_ARRAY(Actual) actuals;
    RbMap by_expr; // expression -> actual plus one
} RbStreams;

static RbStreams *streams_of(RbFrontEnd *fe) {
    RbConnector *c = rb_connector(fe);
    if (!c->streams) c->streams = rb_new(fe->arena, RbStreams);
    return c->streams;
}

// The flow of the connector that a stream variable is in; NULL after a message.
static RbInst *flow_of(RbFrontEnd *fe, const RbInst *leaf, RbPos at) {
    RbInst *found = NULL;
    int count = 0;
    const RbInst *c = leaf->parent; // or the connector around a record of streams
    while (c->parent && c->parent->elem && !rb_class_is_connector(c->class)) c = c->parent;
    for (int i = 0; i < c->class->components.count; i++) {
        RbInst *child = c->children[i];
        if (!child || child->kind != RB_INST_LEAF || child->flow != RB_AST_FLOW) continue;
        found = child;
        count += rb_leaf_size(child);
    }
    if (count == 1) return found;
    rb_fail(
        fe->diag, RB_ERROR_MODEL, at,
        "'%s' is a stream variable, but '%s' has %d flow variables; it needs exactly one, which "
        "carries the stream",
        leaf->path, c->class->full_name, count);
    return NULL;
}

// --- variables -----------------------------------------------------------------------------------

static int inflow_of(RbFrontEnd *fe, RbInst *leaf) {
    RbStreams *s = streams_of(fe);
    uint64_t *known = rb_map_find(&s->by_leaf, rb_map_key(leaf));
    if (known) return s->inflows.data[*known - 1].var;
    const RbFlatVar *like = &fe->flat->vars.data[leaf->var];
    RbFlatVar var = *like;
    var.name = rb_intern(fe->names, rb_arena_printf(fe->arena, "inStream(%s)", leaf->path));
    var.causality = RB_LOCAL;
    var.binding = NULL;
    var.is_protected = var.hide_result = true;
    var.attributes = (RbAttributes){.state_select = RB_STATE_DEFAULT};
    int index = rb_flat_add(fe->flat, &var);
    RbInst *inst = rb_new(fe->arena, RbInst);
    *inst = (RbInst){.kind = RB_INST_LEAF,
                     .class = leaf->class,
                     .path = var.name,
                     .var = index,
                     .rank = leaf->rank,
                     .parent = fe->root};
    memcpy(inst->dims, leaf->dims, sizeof inst->dims);
    rb_array_push(&fe->by_var, fe->arena, inst);
    rb_array_push(&s->inflows, fe->arena, (Inflow){leaf, index});
    rb_map_set(&s->by_leaf, fe->arena, rb_map_key(leaf), (uint64_t)s->inflows.count);
    return index;
}

static const RbExpr *element(RbFrontEnd *fe, int var, const RbInst *leaf, int k) {
    const RbExpr *e = rb_flat_ref(fe->flat, var), *subs[RB_RANK_MAX];
    if (leaf->rank == 0) return e;
    for (int i = leaf->rank - 1; i >= 0; i--) {
        subs[i] = rb_integer(fe->x, k % leaf->dims[i] + 1);
        k /= leaf->dims[i];
    }
    return rb_subscript(fe->x, e, subs, leaf->rank);
}

// --- mixing --------------------------------------------------------------------------------------

// What another connector of the set may deliver.
typedef struct Supply {
    const RbExpr *flow; // into the set if positive
    const RbExpr *value;
    double nominal; // of the flow
} Supply;

static double number_or(RbFrontEnd *fe, const RbExpr *e, double otherwise) {
    if (!e || e->rank > 0) return otherwise;
    RbVal v = rb_val_expr(fe, e, 0, (int[RB_RANK_MAX]){0}, RB_AST_PARAMETER);
    RbExprValue value;
    bool known = rb_val_evaluate(fe, &v, &value, RB_NOWHERE, NULL) && value.count > 0;
    return known ? value.data[0] : otherwise;
}

// False if by its limits nothing ever comes from there, or after a message.
static bool find_supply(RbFrontEnd *fe, const RbEnd *end, RbPos at, Supply *s) {
    RbInst *flow = flow_of(fe, end->inst, at);
    if (!flow) return false;
    const RbAttributes *a = &fe->flat->vars.data[flow->var].attributes;
    bool blocked = end->outside ? a->max && number_or(fe, a->max, 1) <= 0
                                : a->min && number_or(fe, a->min, -1) >= 0;
    if (blocked) return false;
    const RbExpr *m = rb_flat_ref(fe->flat, flow->var);
    // Seen from outside, a connector of the class itself delivers what comes from beyond it.
    int var = end->outside ? inflow_of(fe, end->inst) : end->inst->var;
    s->flow = end->outside ? m : rb_neg(fe->x, m);
    s->value = element(fe, var, end->inst, end->element);
    s->nominal = number_or(fe, a->nominal, 1);
    return true;
}

// alpha(s): 0 at s = 0, 1 from s = eps on, continuous with its derivative.
static const RbExpr *blend(RbFrontEnd *fe, const RbExpr *s, const RbExpr *eps) {
    RbExprs *x = fe->x;
    const RbExpr *q = rb_div(x, s, eps);
    const RbExpr *cubic =
        rb_mul(x, rb_mul(x, q, q), rb_sub(x, rb_real(x, 3), rb_mul(x, rb_real(x, 2), q)));
    return rb_if(x, rb_relate(x, RB_OP_GT, s, eps), rb_real(x, 1), cubic);
}

// sum(w_j h_j) / sum(w_j), with what all weights share taken out of the sums
static const RbExpr *mixture(RbFrontEnd *fe, const Supply *list, int count) {
    RbExprs *x = fe->x;
    const RbExpr **flows = rb_new_array(fe->arena, const RbExpr *, count);
    const RbExpr **values = rb_new_array(fe->arena, const RbExpr *, count);
    const RbExpr **carried = rb_new_array(fe->arena, const RbExpr *, count);
    double nominal = list[0].nominal;
    for (int i = 0; i < count; i++) {
        flows[i] = rb_builtin2(x, RB_FN_MAX, list[i].flow, rb_real(x, 0));
        values[i] = list[i].value;
        carried[i] = rb_mul(x, flows[i], values[i]);
        if (list[i].nominal < nominal) nominal = list[i].nominal;
    }
    double eps = small_flow * nominal;
    const RbExpr *s = rb_sum(x, flows, count), *alpha = blend(fe, s, rb_real(x, eps));
    const RbExpr *beta = rb_mul(x, rb_sub(x, rb_real(x, 1), alpha), rb_real(x, eps));
    const RbExpr *top = rb_add(x, rb_mul(x, alpha, rb_sum(x, carried, count)),
                               rb_mul(x, beta, rb_sum(x, values, count)));
    const RbExpr *bottom =
        rb_add(x, rb_mul(x, alpha, s), rb_mul(x, beta, rb_real(x, (double)count)));
    return rb_builtin1(x, RB_FN_NO_EVENT, rb_div(x, top, bottom));
}

// What comes out of all connectors of a set but one; `none` if nothing can.
static const RbExpr *mix_others(RbFrontEnd *fe, RbEnd one, const RbExpr *none, RbPos at) {
    RbEnd *members;
    int count = rb_sets_members(fe, one, &members), supplies = 0;
    Supply *list = rb_new_array(fe->arena, Supply, count + 1);
    for (int i = 0; i < count; i++) {
        const RbEnd *m = &members[i];
        if (m->inst == one.inst && m->element == one.element && m->outside == one.outside) continue;
        supplies += find_supply(fe, m, at, &list[supplies]);
    }
    if (supplies == 0) return none;
    return supplies == 1 ? list[0].value : mixture(fe, list, supplies);
}

static void emit(RbFrontEnd *fe, const RbExpr *left, const RbExpr *right, RbPos at) {
    rb_flat_equal(fe->flat, &fe->flat->equations, left, right, at)->origin = "";
}

void rb_stream_outside(RbFrontEnd *fe, RbEnd end, RbPos at) {
    const RbExpr *h = element(fe, end.inst->var, end.inst, end.element);
    emit(fe, h, mix_others(fe, end, rb_real(fe->x, 0), at), at);
}

void rb_streams_equations(RbFrontEnd *fe) {
    RbStreams *s = streams_of(fe);
    for (int i = 0; i < s->inflows.count; i++) { // grows while it runs
        Inflow in = s->inflows.data[i];
        RbPos at = in.leaf->elem->component->at;
        fe->flat->vars.data[in.var].attributes = fe->flat->vars.data[in.leaf->var].attributes;
        for (int k = 0; k < rb_leaf_size(in.leaf); k++) {
            const RbExpr *own = element(fe, in.leaf->var, in.leaf, k);
            const RbExpr *mix = mix_others(fe, (RbEnd){in.leaf, k, false}, own, at);
            emit(fe, element(fe, in.var, in.leaf, k), mix, at);
        }
    }
}

// --- operators -----------------------------------------------------------------------------------

static RbVal of_leaf(const RbBuiltinCall *c, const RbVal *v) {
    RbFrontEnd *fe = c->fe;
    RbInst *leaf = v->inst;
    if (v->kind == RB_VAL_ABSENT || !leaf || leaf->kind != RB_INST_LEAF ||
        leaf->flow != RB_AST_STREAM || leaf->var < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[0]->at,
                "%s(...) needs a stream variable of a connector, which '%s' is not", c->name,
                leaf ? leaf->path : rb_expr_text(fe, c->args[0]));
        return rb_val_error();
    }
    RbInst *flow = flow_of(fe, leaf, c->e->at);
    if (!flow) return rb_val_error();
    const RbExpr *in = rb_flat_ref(fe->flat, inflow_of(fe, leaf));
    if (v->e) in = rb_subscript(fe->x, in, v->e->args + 1, v->e->arg_count - 1);
    RbVal out = rb_val_expr(fe, in, v->e ? v->rank : leaf->rank, v->e ? v->dims : leaf->dims,
                            RB_AST_CONTINUOUS);
    if (strcmp(c->name, "inStream") == 0) return out;
    const RbExpr *m = rb_flat_ref(fe->flat, flow->var);
    const RbExpr *enters = rb_relate(fe->x, RB_OP_GT, m, rb_real(fe->x, 0));
    const RbExpr *own = v->e ? v->e : rb_flat_ref(fe->flat, leaf->var);
    out.e = rb_if(fe->x, enters, in, own);
    RbStreams *s = streams_of(fe);
    rb_array_push(&s->actuals, fe->arena,
                  (Actual){.flow = m, .quiet = rb_builtin1(fe->x, RB_FN_NO_EVENT, out.e)});
    rb_map_set(&s->by_expr, fe->arena, (uint64_t)out.e->id, (uint64_t)s->actuals.count);
    return out;
}

RbVal rb_builtin_stream(const RbBuiltinCall *c) {
    if (!rb_builtin_count(c, 1, 1)) return rb_val_error();
    if (c->args[0]->kind != RB_AST_REF)
        return rb_builtin_fail(c, c->args[0]->at,
                               "inStream and actualStream need a stream variable of a connector");
    RbVal v = rb_lower_component(c->fe, c->ctx, c->args[0]);
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind != RB_VAL_INST || v.field_count == 0) return of_leaf(c, &v);
    RbVal *items = rb_new_array(c->fe->arena, RbVal, v.field_count);
    for (int i = 0; i < v.field_count; i++) {
        items[i] = of_leaf(c, &v.fields[i]);
        if (items[i].kind == RB_VAL_ERROR) return items[i];
    }
    return rb_val_nest(c->fe, items, v.dims, v.rank, c->e->at);
}

const RbExpr *rb_stream_quiet(RbFrontEnd *fe, const RbExpr *e, const RbExpr *factor) {
    if (!fe->connector || !fe->connector->streams) return e;
    RbStreams *s = fe->connector->streams;
    uint64_t *known = rb_map_find(&s->by_expr, (uint64_t)e->id);
    if (!known) return e;
    const Actual *a = &s->actuals.data[*known - 1];
    return a->flow == factor ? a->quiet : e;
}
