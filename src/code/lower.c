// SPDX-License-Identifier: MIT
#include "code/lower.h"

#include <string.h>

#include "code/hoist.h"
#include "expr/eval.h"
#include "expr/print.h"

typedef struct Lower {
    RbLowered *l;
    const RbSortedDae *dae;
    RbArena *arena, *scratch;
    RbDiag *diag;
} Lower;

static RbCodePlace array_place(const RbDaeVar *var) {
    RbCodePlace place = {.array = var->slot + 1};
    switch (var->kind) {
        case RB_DAE_PARAMETER: place.area = RB_AREA_P; break;
        case RB_DAE_INPUT: place.area = RB_AREA_U; break;
        case RB_DAE_STATE: place.area = RB_AREA_X; break;
        case RB_DAE_DERIVATIVE: place.area = RB_AREA_DX; break;
        case RB_DAE_ALGEBRAIC: place.area = RB_AREA_W; break;
        default: return (RbCodePlace){.area = RB_AREA_NONE};
    }
    return place;
}

RbCodePlace rb_place(const RbLowered *l, int v) {
    const RbDaeVar *var = &l->dae->vars.data[v];
    if (var->whole) return array_place(var);
    switch (var->kind) {
        case RB_DAE_PARAMETER: return (RbCodePlace){.area = RB_AREA_P, .index = var->slot};
        case RB_DAE_INPUT: return (RbCodePlace){.area = RB_AREA_U, .index = var->slot};
        case RB_DAE_STATE: return (RbCodePlace){.area = RB_AREA_X, .index = var->slot};
        case RB_DAE_DERIVATIVE:
            return (RbCodePlace){.area = RB_AREA_DX,
                                 .index = l->dae->vars.data[var->integral].slot};
        case RB_DAE_ALGEBRAIC: return (RbCodePlace){.area = RB_AREA_W, .index = var->slot};
        case RB_DAE_DISCRETE: return (RbCodePlace){.area = RB_AREA_D, .index = var->slot};
        default: return (RbCodePlace){.area = RB_AREA_NONE};
    }
}

// Whole arrays are the last of the states.
static int scalar_states(const RbSortedDae *d) {
    int count = d->states.count;
    while (count > 0 && d->vars.data[d->states.data[count - 1]].whole) count--;
    return count;
}

int rb_area_size(const RbLowered *l, RbArea area) {
    const RbSortedDae *d = l->dae;
    switch (area) {
        case RB_AREA_P: return d->kind_counts[RB_DAE_PARAMETER];
        case RB_AREA_X:
        case RB_AREA_DX: return scalar_states(d);
        case RB_AREA_U: return d->inputs.count;
        case RB_AREA_D:
        case RB_AREA_Q: return d->discretes.count;
        case RB_AREA_W: return l->w_count;
        case RB_AREA_O: return l->o_count;
        case RB_AREA_H: return l->sections[RB_SECTION_HOISTED].count;
        default: return 0;
    }
}

// --- steps ---------------------------------------------------------------------------------------

static void push(Lower *lo, RbSteps *steps, RbCodePlace place, const RbExpr *value, RbPos at) {
    rb_array_push(steps, lo->arena, (RbStep){place, value, -1, at});
}

static void push_output(Lower *lo, RbSectionId section, const RbExpr *value) {
    RbSteps *steps = &lo->l->sections[section];
    push(lo, steps, (RbCodePlace){.area = RB_AREA_O, .index = steps->count}, value, RB_NOWHERE);
    if (steps->count > lo->l->o_count) lo->l->o_count = steps->count;
}

// As steps. In values, the local number i is y[i].
static void list_system(Lower *lo, RbCodeSystem *s) {
    const RbBlock *b = s->block;
    for (int i = 0; i < b->size; i++)
        push(lo, &s->values, s->unknowns[i], rb_local(lo->dae->exprs, i, RB_REAL, 0), RB_NOWHERE);
    for (int i = 0; i < s->inner.count; i++) rb_array_push(&s->values, lo->arena, s->inner.data[i]);
    for (int i = 0; i < b->size; i++) {
        RbCodePlace place = {.area = RB_AREA_R, .index = i};
        RbPos at = s->initial ? RB_NOWHERE : lo->dae->eqs.data[b->eqs[i]].at;
        push(lo, &s->values, place, b->residuals[i], at);
    }
    for (int k = 0; k < b->matrix_count; k++) {
        RbCodePlace place = {.area = RB_AREA_A, .index = rb_matrix_place(b, k)};
        push(lo, &s->matrix, place, b->matrix[k].value, RB_NOWHERE);
    }
}

static int lower_system(Lower *lo, const RbBlock *b, bool initial) {
    RbCodeSystem s = {.block = b,
                      .initial = initial,
                      .unknowns = rb_new_array(lo->arena, RbCodePlace, b->size + 1)};
    for (int i = 0; i < b->size; i++) s.unknowns[i] = rb_place(lo->l, b->unknowns[i]);
    for (int i = 0; i < b->assign_count; i++)
        push(lo, &s.inner, rb_place(lo->l, b->assigns[i].var), b->assigns[i].value, RB_NOWHERE);
    list_system(lo, &s);
    rb_array_push(&lo->l->systems, lo->arena, s);
    return lo->l->systems.count - 1;
}

static void push_block(Lower *lo, RbSteps *steps, const RbBlock *b, int system, RbPos at) {
    if (b->kind == RB_BLOCK_ASSIGN) {
        push(lo, steps, rb_place(lo->l, b->assigns[0].var), b->assigns[0].value, at);
    } else {
        rb_array_push(steps, lo->arena, (RbStep){{.area = RB_AREA_NONE}, NULL, system, at});
    }
}

// At most one step for each block, and one for each derivative that is copied.
static void reserve_steps(Lower *lo) {
    const RbSortedDae *d = lo->dae;
    RbSteps *sections = lo->l->sections;
    int derivatives = d->states.count, needed = 0;
    for (int k = 0; k < d->blocks.count; k++) needed += d->blocks.data[k].needed;
    rb_array_reserve(&sections[RB_SECTION_INITIAL], lo->arena, d->initial_blocks.count);
    rb_array_reserve(&sections[RB_SECTION_DERIVATIVES], lo->arena, needed + derivatives);
    rb_array_reserve(&sections[RB_SECTION_OUTPUTS], lo->arena, d->blocks.count + derivatives);
    rb_array_reserve(&sections[RB_SECTION_EVENTS], lo->arena, d->blocks.count + derivatives);
    rb_array_reserve(&sections[RB_SECTION_PARAMETERS], lo->arena, d->parameters.count);
}

static void lower_blocks(Lower *lo) {
    const RbSortedDae *d = lo->dae;
    RbSteps *sections = lo->l->sections;
    reserve_steps(lo);
    for (int k = 0; k < d->initial_blocks.count; k++) {
        const RbBlock *b = &d->initial_blocks.data[k];
        int system = b->kind == RB_BLOCK_ASSIGN ? -1 : lower_system(lo, b, true);
        push_block(lo, &sections[RB_SECTION_INITIAL], b, system, RB_NOWHERE);
    }
    for (int k = 0; k < d->blocks.count; k++) {
        const RbBlock *b = &d->blocks.data[k];
        int system = b->kind == RB_BLOCK_ASSIGN ? -1 : lower_system(lo, b, false);
        RbPos at = b->kind == RB_BLOCK_ASSIGN ? d->eqs.data[b->assigns[0].eq].at : RB_NOWHERE;
        if (b->needed) push_block(lo, &sections[RB_SECTION_DERIVATIVES], b, system, at);
        if (!b->discrete) push_block(lo, &sections[RB_SECTION_OUTPUTS], b, system, at);
        push_block(lo, &sections[RB_SECTION_EVENTS], b, system, at);
    }
}

// --- derivatives that are copies -----------------------------------------------------------------

// Steps of a section by what they compute.
static RbMap steps_by_place(Lower *lo, const RbSteps *steps) {
    RbMap map = {0};
    for (int i = 0; i < steps->count; i++) {
        const RbCodePlace *p = &steps->data[i].place;
        if (p->area >= 0 && p->array == 0)
            rb_map_set(&map, lo->scratch, (uint64_t)p->area << 32 | (uint32_t)p->index,
                       (uint64_t)i);
    }
    return map;
}

// The step behind which x' = v is best placed: the one that computes v or, if v is a state, v'; so
// the equations of a cell stay together. The last step if there is none.
static int copy_after(Lower *lo, const RbMap *by_place, int v, int last) {
    RbCodePlace p = rb_place(lo->l, v);
    if (p.area == RB_AREA_X) p.area = RB_AREA_DX;
    if (p.area < 0 || p.array > 0) return last;
    const uint64_t *step = rb_map_find(by_place, (uint64_t)p.area << 32 | (uint32_t)p.index);
    return step ? (int)*step : last;
}

// Where the derivative of a state is a variable that is computed elsewhere, or another state, it is
// copied.
static void copy_derivatives(Lower *lo, RbSectionId section) {
    const RbSortedDae *d = lo->dae;
    RbSteps *steps = &lo->l->sections[section], all = {0};
    RbMap by_place = steps_by_place(lo, steps);
    int last = steps->count - 1;
    RbSteps copies = {0};
    RB_ARRAY(int) next = {0};                                  // copy behind the same step, or -1
    int *first = rb_new_array(lo->scratch, int, last + 2) + 1; // by step: its first copy, plus one
    for (int i = d->states.count - 1; i >= 0; i--) {
        int v = d->vars.data[d->states.data[i]].derivative;
        if (d->vars.data[v].kind == RB_DAE_DERIVATIVE) continue;
        const RbDaeVar *state = &d->vars.data[d->states.data[i]];
        RbCodePlace place = {
            .area = RB_AREA_DX, .index = i, .array = state->whole ? state->slot + 1 : 0};
        int after = copy_after(lo, &by_place, v, last);
        push(lo, &copies, place, rb_flat_ref(d->model, v), d->model->vars.data[v].at);
        rb_array_push(&next, lo->scratch, first[after]);
        first[after] = copies.count;
    }
    rb_array_reserve(&all, lo->arena, steps->count + copies.count + 1);
    for (int i = -1; i <= last; i++) {
        if (i >= 0) rb_array_push(&all, lo->arena, steps->data[i]);
        for (int k = first[i]; k > 0; k = next.data[k - 1])
            rb_array_push(&all, lo->arena, copies.data[k - 1]);
    }
    *steps = all;
}

// --- lists of values -----------------------------------------------------------------------------

static const RbExpr *start_of(Lower *lo, int v) {
    const RbExpr *e = lo->dae->model->vars.data[v].attributes.start;
    return e ? e : rb_real(lo->dae->exprs, 0.0);
}

static void lower_lists(Lower *lo) {
    const RbSortedDae *d = lo->dae;
    for (int i = 0; i < d->parameters.count; i++) {
        const RbAssignment *a = &d->parameters.data[i];
        const RbExpr *value = a->value ? a->value : rb_real(d->exprs, 0.0);
        push(lo, &lo->l->sections[RB_SECTION_PARAMETERS], rb_place(lo->l, a->var), value,
             RB_NOWHERE);
    }
    for (int v = 0; v < d->vars.count; v++) { // in the order of the variables: program.c knows
        RbArea area = rb_place(lo->l, v).area;
        if (d->vars.data[v].whole) continue; // events.c
        if (area == RB_AREA_X || area == RB_AREA_W || area == RB_AREA_D || area == RB_AREA_DX ||
            area == RB_AREA_U) {
            push_output(lo, RB_SECTION_STARTS, start_of(lo, v));
        }
    }
    for (int i = 0; i < d->samples.count; i++) {
        push_output(lo, RB_SECTION_SAMPLES, d->samples.data[i].start);
        push_output(lo, RB_SECTION_SAMPLES, d->samples.data[i].interval);
        const RbExpr *resolution = d->samples.data[i].resolution;
        push_output(lo, RB_SECTION_SAMPLES, resolution ? resolution : rb_real(d->exprs, 1.0));
    }
    for (int i = 0; i < d->relations.count; i++) {
        push_output(lo, RB_SECTION_INDICATORS,
                    rb_sub(d->exprs, d->relations.data[i].left, d->relations.data[i].right));
    }
    for (int i = 0; i < d->actions.count; i++) {
        const RbAction *a = &d->actions.data[i];
        push_output(lo, RB_SECTION_ACTIONS, a->condition);
        push_output(lo, RB_SECTION_ACTIONS,
                    a->kind == RB_ACTION_REINIT ? a->value : rb_real(d->exprs, 0.0));
    }
    for (int i = 0; i < d->sets.count; i++) {
        const RbStateSet *s = &d->sets.data[i];
        for (int k = 0; s->level == 0 && k < s->constraint_count * s->candidate_count; k++) {
            push_output(lo, RB_SECTION_SETS, s->jacobian[k]);
        }
    }
}

// --- calls ---------------------------------------------------------------------------------------

void rb_flatten_argument(const RbExpr *e, RbArena *arena, RbExprList *list) {
    if (e->op == RB_OP_ARRAY) {
        for (int i = 0; i < e->arg_count; i++) rb_flatten_argument(e->args[i], arena, list);
    } else {
        rb_array_push(list, arena, e);
    }
}

void rb_argument_dims(const RbExpr *e, int dims[RB_RANK_MAX]) {
    for (int d = 0; d < RB_RANK_MAX && e->op == RB_OP_ARRAY; d++) {
        dims[d] = e->arg_count;
        if (e->arg_count == 0) return;
        e = e->args[0];
    }
}

static bool parameter_value(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    const Lower *lo = user;
    if (leaf->op != RB_OP_VAR || lo->dae->vars.data[leaf->index].kind != RB_DAE_PARAMETER)
        return false;
    const RbFlatVar *v = &lo->dae->model->vars.data[leaf->index];
    const RbExpr *e = v->binding ? v->binding : v->attributes.start;
    return e && rb_eval(env, e, value);
}

static bool has_array_results(const RbFunction *f) {
    for (int k = 0; k < f->output_count; k++) {
        if (f->vars.data[f->input_count + k].rank > 0) return true;
    }
    return false;
}

// The sizes of a result that are open follow from what the function computes.
static bool computed_dims(Lower *lo, const RbExpr *call, int result, int *dims) {
    const RbFunction *f = lo->dae->model->functions.data[call->index];
    const RbFunctionVar *v = &f->vars.data[f->input_count + result];
    RbArena scratch = *lo->scratch;
    RbEnv env = {
        .model = lo->dae->model, .arena = &scratch, .lookup = parameter_value, .user = lo};
    const RbExpr *e =
        result == 0 ? call : rb_result(lo->dae->exprs, call, result, v->type, v->rank);
    RbExprValue value;
    if (!rb_eval(&env, e, &value) || value.rank != v->rank) return false;
    memcpy(dims, value.dims, (size_t)v->rank * sizeof *dims);
    return true;
}

static bool is_open(const RbFunctionVar *v) {
    for (int d = 0; d < v->rank; d++)
        if (!v->dims[d]) return true;
    return false;
}

static RbStatus result_dims(Lower *lo, const RbExpr *call, RbCallSite *site) {
    const RbFunction *f = lo->dae->model->functions.data[call->index];
    RbArena scratch = *lo->scratch;
    RbEnv env = {.model = lo->dae->model,
                 .arena = &scratch,
                 .lookup = parameter_value,
                 .user = lo,
                 .function = f};
    RbExprValue *locals = rb_new_array(&scratch, RbExprValue, f->vars.count + 1);
    for (int i = 0; i < call->arg_count && has_array_results(f); i++) {
        int dims[RB_RANK_MAX] = {0};
        rb_argument_dims(call->args[i], dims);
        // only Integers decide sizes
        if (call->args[i]->type != RB_INTEGER || !rb_eval(&env, call->args[i], &locals[i])) {
            locals[i] =
                rb_value_array(&scratch, (RbType)call->args[i]->type, call->args[i]->rank, dims);
        }
    }
    env.locals = locals;
    env.error = NULL;
    for (int k = 0; k < f->output_count; k++) {
        const RbFunctionVar *v = &f->vars.data[f->input_count + k];
        bool known = is_open(v) && computed_dims(lo, call, k, site->out_dims[k]);
        for (int d = 0; d < v->rank && !known; d++) {
            double n;
            if (!v->dims[d] || !rb_eval_number(&env, v->dims[d], &n) ||
                !rb_size_from(n, &site->out_dims[k][d])) {
                return rb_fail(
                    lo->diag, RB_ERROR_MODEL, f->at,
                    "the size of result '%s' of function '%s' is not known before the run", v->name,
                    f->name);
            }
        }
        int count = rb_size_product(v->rank, site->out_dims[k]);
        if (count < 0 || count > RB_SIZE_MAX - site->out_count)
            return rb_fail(lo->diag, RB_ERROR_MODEL, f->at,
                           "the results of function '%s' have more than %d elements", f->name,
                           RB_SIZE_MAX);
        site->out_start[k] = site->out_count;
        site->out_count += count;
    }
    return RB_OK;
}

const RbExpr *rb_whole_call(const RbSortedDae *dae, const RbExpr *e) {
    if (!dae->any_whole || !rb_takes_whole(dae->model, e)) return NULL;
    return e->op == RB_OP_RESULT ? e->args[0] : e;
}

static RbStatus add_site(Lower *lo, const RbExpr *call) {
    if (rb_map_find(&lo->l->site_of, (uint64_t)call->id)) return RB_OK;
    const RbFunction *f = lo->dae->model->functions.data[call->index];
    RbCallSite site = {.call = call,
                       .results = rb_new_array(lo->arena, const RbExpr *, f->output_count + 1),
                       .whole = rb_whole_call(lo->dae, call) != NULL,
                       .out_start = rb_new_array(lo->arena, int, f->output_count + 1)};
    site.results[0] = call;
    site.out_dims = rb_arena_push_array(lo->arena, sizeof *site.out_dims,
                                        (size_t)f->output_count + 1, alignof(int));
    RbExprList list = {0};
    for (int i = 0; i < call->arg_count; i++)
        rb_flatten_argument(call->args[i], lo->scratch, &list);
    site.in_count = list.count;
    if (!site.whole) RB_TRY(result_dims(lo, call, &site));
    rb_map_set(&lo->l->site_of, lo->arena, (uint64_t)call->id, (uint64_t)lo->l->sites.count);
    rb_array_push(&lo->l->sites, lo->arena, site);
    return RB_OK;
}

static RbStatus check_nodes(Lower *lo, const RbExpr *const *roots, int count) {
    RbExprOrder order = rb_expr_order(lo->dae->exprs, roots, count, lo->scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *e = order.nodes[i];
        if (e->op == RB_OP_CALL) RB_TRY(add_site(lo, e));
        if (e->op != RB_OP_RESULT) continue;
        uint64_t *site = rb_map_find(&lo->l->site_of, (uint64_t)e->args[0]->id);
        lo->l->sites.data[*site].results[e->index] = e;
    }
    return RB_OK;
}

static RbStatus find_calls(Lower *lo) {
    RbExprList roots = {0};
    for (int s = 0; s < RB_SECTION_COUNT; s++) {
        if (s == RB_SECTION_PARAMETERS && lo->dae->any_whole) continue; // interpreted
        for (int i = 0; i < lo->l->sections[s].count; i++)
            rb_array_push(&roots, lo->scratch, lo->l->sections[s].data[i].value);
    }
    for (int k = 0; k < lo->l->systems.count; k++) {
        const RbCodeSystem *s = &lo->l->systems.data[k];
        for (int i = 0; i < s->inner.count; i++)
            rb_array_push(&roots, lo->scratch, s->inner.data[i].value);
        for (int i = 0; i < s->block->size; i++)
            rb_array_push(&roots, lo->scratch, s->block->residuals[i]);
        for (int i = 0; i < s->block->matrix_count; i++)
            rb_array_push(&roots, lo->scratch, s->block->matrix[i].value);
    }
    return check_nodes(lo, roots.data, roots.count);
}

RbStatus rb_program_lower(const RbSortedDae *dae, RbArena *arena, RbArena scratch, RbDiag *diag,
                          RbLowered **lowered) {
    RbLowered *l = rb_new(arena, RbLowered);
    Lower lo = {l, dae, arena, &scratch, diag};
    l->dae = dae;
    l->w_count = dae->kind_counts[RB_DAE_ALGEBRAIC];
    lower_blocks(&lo);
    copy_derivatives(&lo, RB_SECTION_DERIVATIVES);
    copy_derivatives(&lo, RB_SECTION_OUTPUTS);
    copy_derivatives(&lo, RB_SECTION_EVENTS);
    lower_lists(&lo);
    RB_TRY(find_calls(&lo));
    rb_hoist(l, arena, scratch);
    *lowered = l;
    return RB_OK;
}
