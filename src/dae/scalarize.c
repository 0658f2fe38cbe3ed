// SPDX-License-Identifier: MIT
// scalarize.c: arrays of variables are taken apart: each element becomes a variable, an array
// equation as many equations as it has elements. Scalars keep their indices and expressions without
// arrays are not touched. Arguments of functions become array constructors.
#include <string.h>

#include "dae/elements.h"
#include "dae/work.h"

// Elements of array variables are appended; the array itself stays as an unused variable that knows
// them.
static void add_elements(RbWork *w, int i) {
    RbFlatVar whole = w->model->vars.data[i];
    RbFlatVar v = whole;
    v.rank = 0;
    int count = rb_flat_size(&whole);
    w->dae->vars.data[i].elements = w->model->vars.count;
    for (int k = 0; k < count; k++) {
        RbText name = rb_text(w->arena);
        rb_flat_element_name(&whole, k, &name);
        v.name = name.data;
        rb_array_push(&w->model->vars, w->arena, v);
        rb_array_push(&w->dae->vars, w->arena,
                      (RbDaeVar){.alias = -1, .sign = 1, .derivative = -1, .integral = -1});
    }
}

static const RbExpr *attribute_element(RbElements *el, const RbExpr *e, int rank, int k) {
    if (!e) return NULL;
    if (el->any_whole && rb_has_whole(el->w, e)) return rb_whole_expr(el, e);
    if (e->rank == 0) return rb_scalar_expr(el, e);
    return e->rank == rank ? rb_element(el, e, k) : rb_scalar_expr(el, e);
}

// Element k of e, which is what variable x is that was taken apart; but there are whole arrays in
// e, whose sizes have to be as they are.
static const RbExpr *read_element(RbElements *el, const RbFlatVar *x, const RbExpr *e, int k,
                                  RbPos at) {
    if (k == 0 && e->rank > 0) {
        RbSizeCheck check = {.value = rb_whole_expr(el, e), .rank = x->rank, .at = at};
        memcpy(check.dims, x->dims, sizeof check.dims);
        rb_array_push(&el->w->dae->size_checks, el->w->arena, check);
    }
    return rb_whole_element(el, e, k, x->dims);
}

static void element_attributes(RbElements *el, RbFlatVar *v, const RbFlatVar *whole, int rank,
                               int k) {
    RbAttributes *a = &v->attributes;
    const RbAttributes *b = &whole->attributes;
    a->start = attribute_element(el, b->start, rank, k);
    a->fixed = attribute_element(el, b->fixed, rank, k);
    a->nominal = attribute_element(el, b->nominal, rank, k);
    a->min = attribute_element(el, b->min, rank, k);
    a->max = attribute_element(el, b->max, rank, k);
    bool with_whole = el->any_whole && whole->binding && rb_has_whole(el->w, whole->binding);
    if (with_whole && whole->variability <= RB_PARAMETER)
        v->binding = rb_interpreted_expr(el, whole->binding);
    else if (with_whole && rank > 0)
        v->binding = read_element(el, whole, whole->binding, k, whole->at);
    else
        v->binding = attribute_element(el, whole->binding, rank, k);
}

// Attributes of an array that stays whole: values for all its elements, or one for each.
static void whole_attributes(RbElements *el, RbFlatVar *v) {
    const RbExpr **all[] = {&v->attributes.start, &v->attributes.fixed, &v->attributes.nominal,
                            &v->attributes.min, &v->attributes.max};
    for (int i = 0; i < 5; i++) {
        if (*all[i]) *all[i] = rb_interpreted_expr(el, *all[i]);
    }
    if (v->binding)
        v->binding = v->variability <= RB_PARAMETER ? rb_interpreted_expr(el, v->binding)
                                                    : rb_whole_expr(el, v->binding);
}

static void copy_equation(RbElements *el, RbEquations *list, RbEquation *eq);

static bool has_whole(RbElements *el, const RbEquation *eq) {
    return eq->kind == RB_EQ_EQUAL &&
           (rb_has_whole(el->w, eq->left) || rb_has_whole(el->w, eq->right));
}

static void copy_whole(RbElements *el, RbEquations *list, const RbEquation *eq) {
    RbEquation *copy = rb_equation(list, el->w->arena, RB_EQ_EQUAL, eq->at);
    copy->left = rb_whole_expr(el, eq->left);
    copy->right = rb_whole_expr(el, eq->right);
    copy->origin = eq->origin;
}

// A side that is x or der(x) with an array of unknowns x that is taken apart: x. Otherwise -1.
static int side_apart(RbElements *el, const RbExpr *e) {
    const RbExpr *v = e->op == RB_OP_DER ? e->args[0] : e;
    bool array = v->op == RB_OP_VAR && v->rank > 0 && !rb_work_at(el->w, v->index)->whole;
    const RbFlatVar *var = array ? &el->w->model->vars.data[v->index] : NULL;
    bool unknown =
        var && var->variability == RB_CONTINUOUS && !(var->causality == RB_INPUT && !var->binding);
    return unknown ? v->index : -1;
}

// x = e: x is taken apart, but not all in e is.
static void read_whole(RbElements *el, RbEquations *list, const RbEquation *eq, bool left) {
    const RbExpr *own = left ? eq->left : eq->right, *other = left ? eq->right : eq->left;
    RbFlatVar x = el->w->model->vars.data[side_apart(el, own)];
    for (int k = 0; k < rb_flat_size(&x); k++) {
        RbEquation *one = rb_equation(list, el->w->arena, RB_EQ_EQUAL, eq->at);
        one->left = rb_element(el, own, k);
        one->right = read_element(el, &x, other, k, eq->at);
        one->origin = eq->origin;
    }
}

static void equal_elements(RbElements *el, RbEquations *list, const RbEquation *eq) {
    int dims[RB_RANK_MAX];
    const RbExpr *shape =
        eq->left->op == RB_OP_ARRAY && eq->left->arg_count == 0 ? eq->right : eq->left;
    int count = rb_shape(el, shape, dims);
    for (int k = 0; k < count; k++) {
        RbEquation *one = rb_equation(list, el->w->arena, eq->kind, eq->at);
        one->left = rb_element(el, eq->left, k);
        one->right = rb_element(el, eq->right, k);
        one->origin = eq->origin;
    }
}

static bool in_elements(const RbEquation *eq) {
    return (eq->kind == RB_EQ_EQUAL || eq->kind == RB_EQ_REINIT) &&
           eq->left->rank + eq->right->rank > 0;
}

static void copy_list(RbElements *el, RbEquations *list, const RbEquations *from) {
    rb_array_reserve(list, el->w->arena, from->count);
    for (int i = 0; i < from->count; i++) {
        RbEquation *eq = from->data[i];
        el->w->at = eq->at;
        if (el->any_whole && has_whole(el, eq)) {
            bool left = side_apart(el, eq->left) >= 0, right = side_apart(el, eq->right) >= 0;
            if (left || right)
                read_whole(el, list, eq, left);
            else
                copy_whole(el, list, eq);
        } else if (in_elements(eq)) {
            equal_elements(el, list, eq);
        } else {
            copy_equation(el, list, eq);
        }
    }
}

static const RbExpr *optional(RbElements *el, const RbExpr *e) {
    if (!e) return NULL;
    if (el->any_whole && rb_has_whole(el->w, e)) return rb_whole_expr(el, e);
    return e->rank > 0 ? rb_constructor(el, e) : rb_scalar_expr(el, e);
}

// Nobody changes an equation, so one without arrays need not be copied.
static void copy_equation(RbElements *el, RbEquations *list, RbEquation *eq) {
    const RbExpr *left = optional(el, eq->left), *right = optional(el, eq->right);
    if (left == eq->left && right == eq->right && eq->branches.count == 0) {
        rb_array_push(list, el->w->arena, eq);
        return;
    }
    RbEquation *copy = rb_equation(list, el->w->arena, eq->kind, eq->at);
    copy->left = left;
    copy->right = right;
    copy->is_warning = eq->is_warning;
    copy->origin = eq->origin;
    copy->statements = eq->statements; // arrays stay arrays there: algorithm.c
    for (int i = 0; i < eq->branches.count; i++) {
        const RbBranch *b = &eq->branches.data[i];
        RbBranch branch = {.condition = optional(el, b->condition)};
        copy_list(el, &branch.equations, &b->equations);
        rb_array_push(&copy->branches, el->w->arena, branch);
    }
}

static int count_derivatives(const RbExprs *x) {
    int count = 0;
    for (int id = 1; id <= x->count; id++) count += x->nodes[id]->op == RB_OP_DER;
    return count;
}

// Room for the variables that are to come, with some for derivatives, start values and relations:
// an array that grows leaves its old place behind in the arena.
static void reserve_variables(RbWork *w, const RbFlatModel *flat) {
    int count = flat->vars.count + 2 * count_derivatives(w->x) + flat->vars.count / 8;
    for (int i = 0; i < flat->vars.count; i++) {
        const RbFlatVar *v = &flat->vars.data[i];
        if (v->rank > 0 && !v->has_free_size) count += rb_flat_size(v); // others may stay whole
    }
    rb_array_reserve(&w->model->vars, w->arena, count);
    rb_array_reserve(&w->dae->vars, w->arena, count);
}

static int count_apart(const RbApart *a) {
    int count = 0;
    for (int v = 0; v < a->count; v++) count += a->apart[v];
    return count;
}

// Equations of parts are joined for arrays that stay whole; which that are depends on the equations
// again.
static bool choose_whole(RbWork *w, const RbFlatModel *flat, RbFlatModel *with_joined) {
    for (;;) {
        int before = count_apart(w->arrays);
        *with_joined = *flat;
        rb_join_pieces(w, with_joined);
        bool any = rb_choose_whole(w, with_joined);
        bool joined = with_joined->equations.count != flat->equations.count ||
                      with_joined->initial_equations.count != flat->initial_equations.count;
        if (!joined || !any || count_apart(w->arrays) == before) return any;
    }
}

RbStatus rb_scalarize(RbWork *w, const RbFlatModel *flat) {
    int count = flat->vars.count;
    RbFlatModel joined;
    RbElements el = {.w = w};
    reserve_variables(w, flat);
    for (int i = 0; i < count; i++) {
        rb_array_push(&w->model->vars, w->arena, flat->vars.data[i]);
        rb_array_push(&w->dae->vars, w->arena,
                      (RbDaeVar){.alias = -1, .sign = 1, .derivative = -1, .integral = -1});
    }
    el.any_whole = w->dae->any_whole = choose_whole(w, flat, &joined);
    rb_fix_sizes(w);
    for (int i = 0; i < count; i++) {
        if (flat->vars.data[i].rank > 0 && !w->dae->vars.data[i].whole) add_elements(w, i);
    }
    for (int i = 0; i < count; i++) {
        const RbFlatVar *whole = &flat->vars.data[i];
        w->at = whole->at;
        if (w->dae->vars.data[i].whole) {
            whole_attributes(&el, &w->model->vars.data[i]);
            continue;
        }
        int first = whole->rank > 0 ? w->dae->vars.data[i].elements : i;
        int elements = whole->rank > 0 ? rb_flat_size(whole) : 1;
        for (int k = 0; k < elements; k++) {
            element_attributes(&el, &w->model->vars.data[first + k], whole, whole->rank, k);
        }
    }
    w->model->equations = w->model->initial_equations = (RbEquations){0};
    copy_list(&el, &w->model->equations, el.any_whole ? &joined.equations : &flat->equations);
    copy_list(&el, &w->model->initial_equations,
              el.any_whole ? &joined.initial_equations : &flat->initial_equations);
    return el.error ? rb_fail(w->diag, RB_ERROR_MODEL, el.at, "%s", el.error) : RB_OK;
}
