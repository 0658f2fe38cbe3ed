// SPDX-License-Identifier: MIT
// relations.c: what switches becomes a Boolean variable with an equation of its own. Between events
// it keeps its value, so the equations are smooth there; its relation gives an event indicator.
//
//   a < b           r            r = a < b                     (outside of noEvent and smooth, if
//   it varies with time) floor(u)        k            k = floor(u), and the relations u < k, u >= k
//   + 1, which are false but for the instant of the change sample(t0, dt)  s            set from
//   outside at the sample instants
#include "dae/work.h"

#include "expr/builtins.h"
typedef struct Hoist {
    RbWork *w;
    const unsigned char *switches; // by node id: has something to replace below
    const unsigned char *varies;   // depends on time, states or other continuous variables
    int known;                     // ids up to this one have entries above
    RbMap done;
    bool keep; // leave relations as they are (initial equations)
} Hoist;

static bool is_relation(const RbExpr *e) {
    return e->op >= RB_OP_LT && e->op <= RB_OP_GE &&
           (e->args[0]->type == RB_REAL || e->args[1]->type == RB_REAL);
}

static bool is_step(const RbExpr *e) {
    return rb_is_builtin(e, RB_TRAIT_STEPS);
}

static bool is_sample(const RbExpr *e) {
    return e->op == RB_OP_BUILTIN && e->index == RB_FN_SAMPLE;
}

static bool is_quiet(const RbExpr *e) {
    return e->op == RB_OP_BUILTIN && (e->index == RB_FN_NO_EVENT || e->index == RB_FN_SMOOTH);
}

static bool leaf_varies(RbWork *w, const RbExpr *e) {
    if (e->op == RB_OP_TIME) return true;
    // The pool may hold nodes of another model, too (translate/function_value.h).
    if (e->op != RB_OP_VAR || e->index >= w->dae->vars.count) return false;
    RbDaeKind kind = rb_work_at(w, e->index)->kind;
    return kind == RB_DAE_INPUT ||
           (rb_is_unknown(rb_work_at(w, e->index)) && kind != RB_DAE_DISCRETE);
}

// One pass over all nodes of the pool, arguments first.
static Hoist survey(RbWork *w) {
    int count = w->x->count;
    unsigned char *switches = rb_new_array(w->scratch, unsigned char, count + 1);
    unsigned char *varies = rb_new_array(w->scratch, unsigned char, count + 1);
    for (int id = 1; id <= count; id++) {
        const RbExpr *e = w->x->nodes[id];
        varies[id] = leaf_varies(w, e);
        for (int i = 0; i < e->arg_count; i++) {
            varies[id] |= varies[e->args[i]->id];
            switches[id] |= switches[e->args[i]->id];
        }
        if (e->op == RB_OP_PRE) varies[id] = 0;
        if (is_quiet(e)) switches[id] = 0;
        if (is_sample(e) || ((is_relation(e) || is_step(e)) && varies[id])) switches[id] = 1;
    }
    return (Hoist){.w = w, .switches = switches, .varies = varies, .known = count};
}

static const RbExpr *hoist(Hoist *h, const RbExpr *e);

static int boolean_var(Hoist *h, const char *format, int number) {
    RbText name = rb_text(h->w->arena);
    rb_text_printf(&name, format, number);
    return rb_work_var(h->w, name.data, RB_BOOLEAN, RB_DAE_DISCRETE);
}

static void assign(Hoist *h, int var, const RbExpr *value) {
    int eq = rb_work_eq(h->w, rb_work_ref(h->w, var), value, h->w->at, "");
    h->w->dae->eqs.data[eq].assigns = var;
}

static const RbExpr *relation(Hoist *h, RbOp op, const RbExpr *left, const RbExpr *right) {
    RbWork *w = h->w;
    const RbExpr *direct = rb_relate(w->x, op, left, right);
    if (rb_is_constant(direct)) return direct;
    uint64_t *known = rb_map_find(&w->relation_vars, (uint64_t)direct->id);
    if (known) return rb_work_ref(w, (int)*known);
    int v = boolean_var(h, "$relation%d", w->dae->relations.count + 1);
    rb_map_set(&w->relation_vars, w->scratch, (uint64_t)direct->id, (uint64_t)v);
    assign(h, v, direct);
    RbRelation r = {.var = v, .op = op, .left = left, .right = right, .at = w->at};
    rb_array_push(&w->dae->relations, w->arena, r);
    return rb_work_ref(w, v);
}

// k = floor(u) or ceil(u) as a discrete variable that is watched from both sides.
static const RbExpr *whole_number(Hoist *h, RbBuiltin f, const RbExpr *u) {
    RbWork *w = h->w;
    const RbExpr *direct = rb_builtin1(w->x, f, u);
    if (rb_is_constant(direct)) return direct;
    uint64_t *known = rb_map_find(&w->relation_vars, (uint64_t)direct->id);
    if (known) return rb_work_ref(w, (int)*known);
    RbText name = rb_text(w->arena);
    rb_text_printf(&name, "$step%d", w->relation_vars.entries.count + 1);
    int v = rb_work_var(w, name.data, RB_REAL, RB_DAE_DISCRETE);
    rb_map_set(&w->relation_vars, w->scratch, (uint64_t)direct->id, (uint64_t)v);
    assign(h, v, direct);
    const RbExpr *k = rb_work_ref(w, v), *one = rb_real(w->x, 1.0);
    bool up = f == RB_FN_CEIL; // ceil: k - 1 < u <= k; floor: k <= u < k + 1
    relation(h, up ? RB_OP_LE : RB_OP_LT, u, up ? rb_sub(w->x, k, one) : k);
    relation(h, up ? RB_OP_GT : RB_OP_GE, u, up ? k : rb_add(w->x, k, one));
    return k;
}

static const RbExpr *step_function(Hoist *h, RbBuiltin f, const RbExpr *a, const RbExpr *b) {
    RbExprs *x = h->w->x;
    if (f == RB_FN_FLOOR || f == RB_FN_INTEGER) return whole_number(h, RB_FN_FLOOR, a);
    if (f == RB_FN_CEIL) return whole_number(h, RB_FN_CEIL, a);
    const RbExpr *ratio = rb_div(x, a, b);
    if (f == RB_FN_MOD) return rb_sub(x, a, rb_mul(x, whole_number(h, RB_FN_FLOOR, ratio), b));
    // div rounds towards zero; rem is what is left
    const RbExpr *down = whole_number(h, RB_FN_FLOOR, ratio),
                 *up = whole_number(h, RB_FN_CEIL, ratio);
    const RbExpr *quotient = rb_if(x, relation(h, RB_OP_GE, ratio, rb_real(x, 0.0)), down, up);
    return f == RB_FN_DIV ? quotient : rb_sub(x, a, rb_mul(x, quotient, b));
}

static const RbExpr *sample(Hoist *h, const RbExpr **args, const RbExpr *e) {
    RbWork *w = h->w;
    uint64_t *known = rb_map_find(&w->relation_vars, (uint64_t)e->id);
    if (known) return rb_work_ref(w, (int)*known);
    int v = boolean_var(h, "$sample%d", w->dae->samples.count + 1);
    rb_map_set(&w->relation_vars, w->scratch, (uint64_t)e->id, (uint64_t)v);
    rb_array_push(&w->dae->samples, w->arena, (RbSample){v, args[0], args[1], e->arg_count > 2 ? args[2] : NULL, w->at});
    return rb_work_ref(w, v);
}

static const RbExpr *replace(Hoist *h, const RbExpr *e) {
    const RbExpr **args = rb_new_array(h->w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = hoist(h, e->args[i]);
    bool varies = e->id <= h->known && h->varies[e->id];
    if (is_sample(e)) return sample(h, args, e);
    if (!h->keep && varies && is_relation(e)) return relation(h, (RbOp)e->op, args[0], args[1]);
    if (!h->keep && varies && is_step(e)) {
        return step_function(h, (RbBuiltin)e->index, args[0], e->arg_count > 1 ? args[1] : NULL);
    }
    return rb_rebuild(h->w->x, e, args);
}

static const RbExpr *hoist(Hoist *h, const RbExpr *e) {
    if (e->id > h->known || !h->switches[e->id]) return e;
    uint64_t *known = rb_map_find(&h->done, (uint64_t)e->id);
    if (known) return h->w->x->nodes[*known];
    const RbExpr *result = replace(h, e);
    rb_map_set(&h->done, h->w->scratch, (uint64_t)e->id, (uint64_t)result->id);
    return result;
}

RbStatus rb_relations(RbWork *w) {
    Hoist h = survey(w);
    int count = w->dae->eqs.count; // those added here are in final form
    for (int i = 0; i < count; i++) {
        w->at = w->dae->eqs.data[i].at;
        const RbExpr *left = hoist(&h, w->dae->eqs.data[i].left),
                     *right = hoist(&h, w->dae->eqs.data[i].right);
        w->dae->eqs.data[i].left = left;
        w->dae->eqs.data[i].right = right;
    }
    for (int i = 0; i < w->dae->actions.count; i++) {
        RbAction *a = &w->dae->actions.data[i];
        w->at = a->at;
        if (a->kind == RB_ACTION_ASSERT) continue; // checked as it is, without an event
        a->condition = hoist(&h, a->condition);
        if (a->holds) a->holds = hoist(&h, a->holds);
        if (a->value && a->kind != RB_ACTION_TERMINATE) a->value = hoist(&h, a->value);
    }
    return RB_OK;
}
