// SPDX-License-Identifier: MIT
// vanishing.c: derivatives that drop out because their coefficient is zero: i = C der(v) with C =
// 0. Left in, v would be a state that nothing determines (docs/theory/dae.md, section 3).
//
// Often C is no parameter but the result of a function of voltages which, with the parameters as
// they are, is zero everywhere (a transistor without junction capacities). Nobody can read that off
// such functions; so the coefficient is computed for some arbitrary values of all unknowns. If it
// is zero for all of them, it is taken for zero, the parameters it follows from are structural, and
// an assertion watches it during the run.
#include <math.h>

#include "dae/matrix.h"
#include "dae/solve.h"
#include "dae/work.h"
#include "expr/diff.h"
#include "math/rng.h"

enum { PROBES = 8, PROBES_MIN = 3, DEPTH_MAX = 6 };

typedef RB_ARRAY(int) Ints;

typedef struct Probing {
    RbWork *w;
    const RbExpr **definitions; // by variable: v = definition, or NULL
    double *values[PROBES];     // by variable; NULL before the first use
    bool *known[PROBES];        // whether the value is there
    bool *fixed;                // by variable: fix_parameters was there; NULL before the first use
    int probe, depth;
} Probing;

// --- values at a probe ---------------------------------------------------------------------------

// Signed values of the size of voltages, small positive ones, and positive ones of the size of
// temperatures.
static double arbitrary(int probe, int var) {
    RbRng rng = rb_rng((uint64_t)probe * UINT64_C(0x100000001) + (uint64_t)var);
    switch (probe % 4) {
        case 0: return rb_rng_range(&rng, 0, 1);
        case 1: return rb_rng_range(&rng, 1, 500);
        default: return rb_rng_range(&rng, -10, 10);
    }
}

// Most models have no coefficient to probe.
static void open_probe(Probing *p) {
    int k = p->probe, count = p->w->dae->vars.count;
    if (p->values[k]) return;
    p->values[k] = rb_new_array(p->w->scratch, double, count + 1);
    p->known[k] = rb_new_array(p->w->scratch, bool, count + 1);
}

static double value_of(Probing *p, RbEnv *env, int v) {
    double *value = &p->values[p->probe][v];
    if (p->known[p->probe][v]) return *value;
    p->known[p->probe][v] = true;
    *value = arbitrary(p->probe, v);
    double number;
    if (p->definitions[v] && p->depth < DEPTH_MAX) {
        p->depth++;
        if (rb_eval_number(env, p->definitions[v], &number)) *value = number;
        p->depth--;
    }
    return *value;
}

static bool lookup(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    Probing *p = user;
    RbWork *w = p->w;
    bool unknown = leaf->op == RB_OP_VAR && rb_is_unknown(rb_work_at(w, leaf->index));
    if (leaf->op == RB_OP_TIME || (leaf->op == RB_OP_VAR && !unknown && leaf->rank == 0 &&
                                   rb_work_at(w, leaf->index)->kind == RB_DAE_INPUT)) {
        *value = rb_value_number(env->arena, RB_REAL, arbitrary(p->probe, -1));
        return true;
    }
    if (unknown && leaf->rank == 0 && leaf->type == RB_REAL) {
        *value = rb_value_number(env->arena, RB_REAL, value_of(p, env, leaf->index));
        return true;
    }
    if (leaf->op != RB_OP_VAR || unknown) return false;
    return rb_work_lookup(w, env, leaf, value);
}

// Zero wherever it has a value, and it has values.
static bool vanishes(Probing *p, const RbExpr *e) {
    int zeros = 0;
    for (p->probe = 0; p->probe < PROBES; p->probe++) {
        open_probe(p);
        RbArena temp = *p->w->temp;
        RbEnv env = {.model = p->w->model, .arena = &temp, .lookup = lookup, .user = p};
        double number;
        if (!rb_eval_number(&env, e, &number) || !isfinite(number)) continue;
        if (number != 0) return false;
        zeros++;
    }
    return zeros >= PROBES_MIN;
}

// --- consequences --------------------------------------------------------------------------------

// The parameters that a coefficient follows from, by way of definitions and bindings, cannot be
// changed any more.
static void fix_parameters(Probing *p, const RbExpr *coefficient) {
    RbWork *w = p->w;
    RbArena temp = *w->temp;
    RB_ARRAY(const RbExpr *) stack = {0};
    if (!p->fixed) p->fixed = rb_new_array(w->scratch, bool, w->dae->vars.count + 1);
    rb_array_push(&stack, &temp, coefficient);
    while (stack.count > 0) {
        RbIndices uses = rb_expr_vars(w->x, stack.data[--stack.count], &temp);
        for (int i = 0; i < uses.count; i++) {
            int v = uses.data[i];
            RbFlatVar *var = &w->model->vars.data[v];
            const RbExpr *next = rb_is_unknown(rb_work_at(w, v)) ? p->definitions[v] : var->binding;
            if (p->fixed[v]) continue; // and so is what it follows from
            p->fixed[v] = true;
            if (var->variability == RB_PARAMETER) var->is_structural = true;
            if (next) rb_array_push(&stack, &temp, next);
        }
    }
}

static void watch(RbWork *w, const RbDaeEq *eq, const RbExpr *coefficient, int derivative) {
    if (rb_is_parametric(w, coefficient, *w->temp)) return;
    const char *text = rb_arena_printf(
        w->arena,
        "the coefficient of %s was found to be zero for the values of the parameters, but is not "
        "any more: the model cannot be simulated with these values",
        w->model->vars.data[derivative].name);
    RbAction a = {.kind = RB_ACTION_ASSERT,
                  .condition = rb_relate(w->x, RB_OP_LE, rb_builtin1(w->x, RB_FN_ABS, coefficient),
                                         rb_real(w->x, 0.0)),
                  .state = -1,
                  .value = rb_string(w->x, text),
                  .at = eq->at};
    rb_array_push(&w->dae->actions, w->arena, a);
}

static bool is_derivative(RbWork *w, int v) {
    return rb_work_at(w, v)->is_der && rb_work_at(w, v)->integral >= 0;
}

// A whole array has no single coefficient.
static bool has_coefficient(void *work, int v) {
    return is_derivative(work, v) && !rb_work_at(work, v)->whole;
}

static bool has_derivatives(RbWork *w, const RbIndices *vars) {
    for (int i = 0; i < vars->count; i++) {
        if (is_derivative(w, vars->data[i])) return true;
    }
    return false;
}

static void look_at_equation(Probing *p, int e, Ints *dropped) {
    RbWork *w = p->w;
    RbDaeEq *eq = &w->dae->eqs.data[e];
    if (eq->left->arg_count + eq->right->arg_count == 0) return; // all coefficients are 1
    RbArena nested = *w->nested;
    RbIndices vars = rb_eq_vars(w, eq, &nested);
    if (!has_derivatives(w, &vars)) return;
    const RbExpr *r = rb_sub(w->x, eq->left, eq->right); // before any derivative is dropped
    RbSlopes slopes = rb_slopes(w, r, has_coefficient, w, &nested);
    for (int i = 0; i < slopes.count; i++) {
        int d = slopes.data[i].var;
        const RbExpr *c = slopes.data[i].value;
        if (!c || c->op == RB_OP_REAL || c->op == RB_OP_INTEGER || rb_expr_has_var(w->x, c, d))
            continue;
        if (!vanishes(p, c)) continue;
        fix_parameters(p, c);
        watch(w, eq, c, d);
        const RbExpr *zero = rb_real(w->x, 0.0);
        eq->left = rb_replace_var(w, eq->left, d, zero);
        eq->right = rb_replace_var(w, eq->right, d, zero);
        rb_array_push(dropped, w->scratch, d);
    }
}

// --- derivatives that nobody needs any more ------------------------------------------------------

typedef RB_ARRAY(const RbExpr *) Roots;

static void add_sides(Roots *roots, const RbExpr *a, const RbExpr *b, RbArena *arena) {
    rb_array_push(roots, arena, a);
    rb_array_push(roots, arena, b);
}

// Variables that occur in the model; initial equations count for those that were never dropped.
static void mark_used(RbWork *w, unsigned char *used) {
    RbSortedDae *d = w->dae;
    RbArena temp = *w->temp;
    Roots roots = {0};
    for (int i = 0; i < d->eqs.count; i++)
        add_sides(&roots, d->eqs.data[i].left, d->eqs.data[i].right, &temp);
    for (int i = 0; i < d->relations.count; i++)
        add_sides(&roots, d->relations.data[i].left, d->relations.data[i].right, &temp);
    for (int i = 0; i < d->actions.count; i++)
        add_sides(&roots, d->actions.data[i].condition, d->actions.data[i].value, &temp);
    for (int i = 0; i < d->left_limits.count; i++)
        rb_array_push(&roots, &temp, d->left_limits.data[i].value);
    rb_mark_vars(w->x, roots.data, roots.count, used);
}

static void mark_used_initially(RbWork *w, unsigned char *used) {
    for (int i = 0; i < w->dae->initial_eqs.count; i++) {
        const RbDaeEq *eq = &w->dae->initial_eqs.data[i];
        const RbExpr *sides[] = {eq->left, eq->right};
        rb_mark_vars(w->x, sides, 2, used);
    }
}

// Initial equations der(v) = ... of a variable that is no state say nothing.
static void drop_initial(RbWork *w, const unsigned char *dropped) {
    int kept = 0;
    for (int i = 0; i < w->dae->initial_eqs.count; i++) {
        RbDaeEq eq = w->dae->initial_eqs.data[i];
        RbArena temp = *w->temp;
        RbIndices vars = rb_eq_vars(w, &eq, &temp);
        bool empty = false;
        for (int k = 0; k < vars.count; k++) empty |= dropped[vars.data[k]];
        if (!empty) w->dae->initial_eqs.data[kept++] = eq;
    }
    w->dae->initial_eqs.count = kept;
}

static void forget_unused(RbWork *w, const Ints *dropped) {
    int count = w->dae->vars.count;
    unsigned char *used = rb_new_array(w->scratch, unsigned char, count + 1);
    unsigned char *gone = rb_new_array(w->scratch, unsigned char, count + 1);
    mark_used(w, used);
    for (int i = 0; i < dropped->count; i++) gone[dropped->data[i]] = !used[dropped->data[i]];
    drop_initial(w, gone);
    mark_used_initially(w, used);
    for (int d = count - 1; d >= 0; d--) { // higher derivatives come later
        if (used[d] || !is_derivative(w, d) || rb_work_at(w, d)->derivative >= 0) continue;
        rb_work_at(w, rb_work_at(w, d)->integral)->derivative = -1;
        rb_work_at(w, d)->integral = -1;
        rb_work_at(w, d)->kind = RB_DAE_UNUSED;
    }
}

static const RbExpr **find_definitions(RbWork *w) {
    const RbExpr **definitions = rb_new_array(w->scratch, const RbExpr *, w->dae->vars.count + 1);
    for (int i = 0; i < w->dae->eqs.count; i++) {
        const RbDaeEq *eq = &w->dae->eqs.data[i];
        if (eq->assigns >= 0) continue;
        if (eq->left->op == RB_OP_VAR && !definitions[eq->left->index])
            definitions[eq->left->index] = eq->right;
    }
    return definitions;
}

RbStatus rb_drop_vanishing(RbWork *w) {
    Probing p = {.w = w, .definitions = find_definitions(w)};
    Ints dropped = {0};
    int count = w->dae->eqs.count;
    for (int e = 0; e < count; e++) {
        if (w->dae->eqs.data[e].assigns < 0) look_at_equation(&p, e, &dropped);
    }
    forget_unused(w, &dropped);
    return RB_OK;
}
