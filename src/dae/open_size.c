// SPDX-License-Identifier: MIT
// open_size.c: numbers that follow from arrays whose size is known only while the model runs.
//
//   sum(f(n))        s(n)        with  function s: y := sum(f(n))
//
// Arrays of equations have a size before the run, those of functions need none. So a number that
// follows from such an array is the result of a function of all that has a size.
#include "dae/elements.h"

typedef struct Wrap {
    RbElements *el;
    RbFunction *f;
    RB_ARRAY(const RbExpr *) args;
    RbMap input_of; // expression (id) -> input
} Wrap;

bool rb_is_open(RbElements *el, const RbExpr *e) {
    if (e->rank == 0) return false;
    RbElements probe = {.w = el->w, .any_whole = el->any_whole};
    int dims[RB_RANK_MAX];
    rb_shape(&probe, e, dims);
    return probe.open;
}

static const RbExpr *input(Wrap *p, const RbExpr *e) {
    RbWork *w = p->el->w;
    uint64_t *known = rb_map_find(&p->input_of, (uint64_t)e->id);
    int k = known ? (int)*known : p->args.count;
    if (!known) {
        const RbExpr *outside = e->rank > 0 ? rb_constructor(p->el, e) : rb_scalar_expr(p->el, e);
        rb_map_set(&p->input_of, w->scratch, (uint64_t)e->id, (uint64_t)k);
        rb_array_push(&p->args, w->scratch, outside);
        RbFunctionVar in = {.name = rb_arena_printf(w->arena, "in%d", k + 1),
                            .type = (RbType)e->type,
                            .rank = e->rank};
        rb_array_push(&p->f->vars, w->arena, in);
    }
    return rb_local(w->x, k, (RbType)e->type, e->rank);
}

static const RbExpr *inside(Wrap *p, const RbExpr *e) {
    if (rb_is_constant(e) || e->op == RB_OP_ALL) return e;
    if (!rb_is_open(p->el, e)) return input(p, e);
    const RbExpr **args = rb_new_array(p->el->w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = inside(p, e->args[i]);
    return rb_rebuild(p->el->w->x, e, args);
}

// Iterators belong to the loop alone.
static bool has_iterator(RbWork *w, const RbExpr *e) {
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++)
        if (order.nodes[i]->op == RB_OP_REDUCE || order.nodes[i]->op == RB_OP_LOCAL) return true;
    return false;
}

const RbExpr *rb_open_scalar(RbElements *el, const RbExpr *e) {
    RbWork *w = el->w;
    bool any = false;
    for (int i = 0; i < e->arg_count && !any; i++) any = rb_is_open(el, e->args[i]);
    if (!any || has_iterator(w, e)) return NULL;
    Wrap p = {.el = el, .f = rb_new(w->arena, RbFunction)};
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = inside(&p, e->args[i]);
    p.f->input_count = p.args.count;
    p.f->output_count = 1;
    p.f->at = w->at;
    RbFunctionVar out = {.name = "y", .type = (RbType)e->type};
    rb_array_push(&p.f->vars, w->arena, out);
    RbStatement *s = rb_statement(&p.f->statements, w->arena, RB_ST_ASSIGN, w->at);
    s->target = rb_local(w->x, p.args.count, (RbType)e->type, 0);
    s->value = rb_rebuild(w->x, e, args);
    p.f->name = rb_arena_printf(w->arena, "$number%d", w->model->functions.count + 1);
    rb_array_push(&w->model->functions, w->arena, p.f);
    return rb_call_function(w->x, w->model->functions.count - 1, (RbType)e->type, 0, p.args.data,
                            p.args.count);
}
