// SPDX-License-Identifier: MIT
// blocks.c: the system that is evaluated during the run: states known, everything else from the
// equations.
//
// A component that mixes continuous and discrete unknowns is taken apart: its continuous part is
// solved with the discrete variables as they are, then these are computed anew. The event iteration
// repeats that until nothing changes.
#include "dae/blocks.h"

#include "dae/report.h"
#include "dae/solve.h"
#include "dae/tear.h"

void rb_assign_block(RbWork *w, RbBlocks *blocks, int var, const RbExpr *value, int eq,
                     bool discrete) {
    RbBlock b = {.kind = RB_BLOCK_ASSIGN, .discrete = discrete, .assign_count = 1, .full_size = 1};
    b.assigns = rb_new(w->arena, RbAssignment);
    b.assigns[0] = (RbAssignment){var, value, eq};
    rb_array_push(blocks, w->arena, b);
}

static bool has_arrays(RbWork *w, const RbDaeEq *eq) {
    return w->dae->any_whole && (rb_has_whole(w, eq->left) || rb_has_whole(w, eq->right));
}

// Is variable v a whole array, or does it stand in an operation on arrays?
static bool is_in_array(RbWork *w, const RbExpr *e, int v) {
    if (rb_work_at(w, v)->whole) return true;
    if (!rb_expr_has_var(w->x, e, v)) return false;
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->rank > 0 && rb_expr_has_var(w->x, order.nodes[i], v)) return true;
    }
    return false;
}

// A system of equations may read whole arrays, but its unknowns are scalars.
static bool has_array_unknowns(RbWork *w, const RbDaeEq *eq, const int *vars, int count) {
    if (!has_arrays(w, eq)) return false;
    for (int i = 0; i < count; i++) {
        if (is_in_array(w, eq->left, vars[i]) || is_in_array(w, eq->right, vars[i])) return true;
    }
    return false;
}

// Large linear systems for derivatives are better left to a solver that takes residuals, which
// needs the elements; unless the matrix stays as it is, and solving is no more than a product.
static bool wants_residuals(RbWork *w, const RbExpr *value, int var) {
    int least = w->options->residual_min;
    if (!value || value->op != RB_OP_BUILTIN || value->index != RB_FN_SOLVE) return false;
    if (rb_work_at(w, var)->integral < 0) return false;
    int n = w->model->vars.data[rb_work_at(w, var)->integral].dims[0];
    if (least > 0) return n >= least;
    return n >= RB_RESIDUAL_MIN && !rb_is_parametric(w, value->args[0], *w->temp);
}

static RbStatus single(RbWork *w, const RbDaeEq *eqs, int eq, int var, RbBlocks *blocks) {
    const RbDaeEq *e = &eqs[eq];
    if (e->assigns == var) {
        rb_assign_block(w, blocks, var, e->right, eq, true);
        return RB_OK;
    }
    const RbExpr *value = rb_solve_always(w, e->left, e->right, var);
    if (!value && has_array_unknowns(w, e, &var, 1))
        return rb_blame_arrays(w, e, "an equation with it cannot be solved for its unknown");
    if (wants_residuals(w, value, var))
        return rb_blame_arrays(w, e, "an equation with it is a large linear system");
    if (value && value->rank != w->model->vars.data[var].rank)
        return rb_blame_arrays(w, e, "an equation with it determines a variable of another size");
    if (value) {
        rb_assign_block(w, blocks, var, value, eq, false);
        return RB_OK;
    }
    return rb_system_block(w, eqs, &eq, &var, 1, blocks);
}

// A component again, with only some of its rows.
static RbStatus sort_part(RbWork *w, const RbIncidence *in, const RbMatching *m, const int *rows,
                          int count, const RbDaeEq *eqs, RbBlocks *blocks);

static RbStatus mixed(RbWork *w, const RbIncidence *in, const RbMatching *m, const int *rows,
                      int count, const RbDaeEq *eqs, RbBlocks *blocks) {
    int *part = rb_new_array(w->scratch, int, count + 1), n = 0;
    for (int i = 0; i < count; i++) {
        if (eqs[in->row_eqs[rows[i]]].assigns < 0) part[n++] = rows[i];
    }
    if (n > 0) RB_TRY(sort_part(w, in, m, part, n, eqs, blocks));
    for (int i = 0; i < count; i++) {
        int eq = in->row_eqs[rows[i]];
        if (eqs[eq].assigns >= 0)
            rb_assign_block(w, blocks, eqs[eq].assigns, eqs[eq].right, eq, true);
    }
    return RB_OK;
}

static RbStatus component(RbWork *w, const RbIncidence *in, const RbMatching *m, const int *rows,
                          int count, const RbDaeEq *eqs, RbBlocks *blocks) {
    int *block_eqs = rb_new_array(w->scratch, int, count),
        *vars = rb_new_array(w->scratch, int, count), discrete = 0;
    for (int i = 0; i < count; i++) {
        block_eqs[i] = in->row_eqs[rows[i]];
        vars[i] = in->column_vars[m->column_of_row[rows[i]]];
        if (eqs[block_eqs[i]].assigns >= 0) discrete++;
    }
    if (discrete > 0 && count > 1) return mixed(w, in, m, rows, count, eqs, blocks);
    if (count == 1) return single(w, eqs, block_eqs[0], vars[0], blocks);
    if (w->dae->any_whole && rb_whole_system(w, eqs, block_eqs, vars, count, blocks)) return RB_OK;
    for (int i = 0; i < count; i++) {
        if (has_array_unknowns(w, &eqs[block_eqs[i]], vars, count))
            return rb_blame_arrays(w, &eqs[block_eqs[i]],
                                   "it is part of a system of equations that depend on each other");
    }
    return rb_system_block(w, eqs, block_eqs, vars, count, blocks);
}

static RbStatus sort_part(RbWork *w, const RbIncidence *in, const RbMatching *m, const int *rows,
                          int count, const RbDaeEq *eqs, RbBlocks *blocks) {
    RbIncidence part = {.column_vars = in->column_vars,
                        .row_eqs = rb_new_array(w->scratch, int, count + 1)};
    RbMatching pm = {.column_of_row = rb_new_array(w->scratch, int, count + 1),
                     .row_of_column = rb_new_array(w->scratch, int, in->graph.columns + 1)};
    int *start = rb_new_array(w->scratch, int, count + 2), total = 0;
    for (int i = 0; i < count; i++)
        total += in->graph.start[rows[i] + 1] - in->graph.start[rows[i]];
    int *items = rb_new_array(w->scratch, int, total + 1), n = 0;
    for (int c = 0; c < in->graph.columns; c++) pm.row_of_column[c] = -1;
    for (int i = 0; i < count; i++) {
        part.row_eqs[i] = in->row_eqs[rows[i]];
        pm.column_of_row[i] = m->column_of_row[rows[i]];
        pm.row_of_column[pm.column_of_row[i]] = i;
        for (int k = in->graph.start[rows[i]]; k < in->graph.start[rows[i] + 1]; k++)
            items[n++] = in->graph.items[k];
        start[i + 1] = n;
    }
    part.graph = (RbGraph){count, in->graph.columns, start, items};
    return rb_build_blocks(w, &part, &pm, eqs, blocks);
}

RbStatus rb_build_blocks(RbWork *w, const RbIncidence *in, const RbMatching *m, const RbDaeEq *eqs,
                         RbBlocks *blocks) {
    RbComponents c = rb_components(&in->graph, m->row_of_column, w->scratch, *w->temp);
    rb_array_reserve(blocks, w->arena, blocks->count + c.count);
    RbStatus first = RB_OK;
    for (int k = 0; k < c.count; k++) {
        RbStatus status =
            component(w, in, m, c.rows + c.start[k], c.start[k + 1] - c.start[k], eqs, blocks);
        if (first == RB_OK) first = status;
        // blame all whole arrays that are in the way at once: every attempt takes time
        if (status != RB_OK && !w->dae->any_whole) return status;
    }
    return first;
}

// --- the run -------------------------------------------------------------------------------------

bool rb_is_run_equation(const RbDaeEq *eq) {
    return eq->assigns < 0 && !eq->only_initial;
}

int rb_is_run_unknown(RbWork *w, int v) {
    RbDaeKind kind = rb_work_at(w, v)->kind;
    return (kind == RB_DAE_ALGEBRAIC || kind == RB_DAE_DERIVATIVE) &&
           !rb_work_at(w, v)->only_initial;
}

static bool any_eq(const RbDaeEq *eq) {
    return !eq->only_initial;
}

static int any_unknown(RbWork *w, int v) {
    return rb_is_run_unknown(w, v) || rb_work_at(w, v)->kind == RB_DAE_DISCRETE;
}

// Discrete variables without an equation are set from outside (samples, initial()) if they are
// ours; the user's need one.
static RbStatus check_discrete(RbWork *w, const RbIncidence *in, const RbMatching *m) {
    RbStatus status = RB_OK;
    for (int c = 0; c < in->graph.columns; c++) {
        int v = in->column_vars[c];
        if (m->row_of_column[c] >= 0 || rb_work_at(w, v)->auxiliary) continue;
        status = rb_fail(
            w->diag, RB_ERROR_MODEL, w->model->vars.data[v].at,
            "discrete variable '%s' has no equation that assigns it; give it one, or a binding",
            w->model->vars.data[v].name);
    }
    return status;
}

// Join the matching of the continuous part with the fixed assignments of the discrete one.
static RbStatus join_matching(RbWork *w, const RbIncidence *all, const RbIncidence *part,
                              const RbMatching *pm, RbMatching *m) {
    m->column_of_row = rb_new_array(w->scratch, int, all->graph.rows + 1);
    m->row_of_column = rb_new_array(w->scratch, int, all->graph.columns + 1);
    for (int c = 0; c < all->graph.columns; c++) m->row_of_column[c] = -1;
    for (int r = 0, k = 0; r < all->graph.rows; r++) {
        const RbDaeEq *eq = &w->dae->eqs.data[all->row_eqs[r]];
        int v = eq->assigns >= 0 ? eq->assigns : part->column_vars[pm->column_of_row[k++]];
        int c = all->column_of[v];
        if (m->row_of_column[c] >= 0) {
            return rb_fail(w->diag, RB_ERROR_MODEL, eq->at,
                           "discrete variable '%s' is assigned by two equations",
                           w->model->vars.data[v].name);
        }
        m->column_of_row[r] = c;
        m->row_of_column[c] = r;
    }
    return RB_OK;
}

static bool computes_used(const RbBlock *b, const unsigned char *used) {
    for (int i = 0; i < b->assign_count; i++) {
        if (used[b->assigns[i].var]) return true;
    }
    for (int i = 0; i < b->size; i++) {
        if (used[b->unknowns[i]]) return true;
    }
    return false;
}

// Backwards from the derivatives, the event indicators and the functions of components, which
// compute derivatives of their own.
static void mark_needed(RbWork *w) {
    unsigned char *used = rb_new_array(w->scratch, unsigned char, w->dae->vars.count);
    for (int i = 0; i < w->dae->states.count; i++)
        used[rb_work_at(w, w->dae->states.data[i])->derivative] = 1;
    for (int i = 0; i < w->dae->relations.count; i++) {
        rb_mark_vars(w->x, &w->dae->relations.data[i].left, 1, used);
        rb_mark_vars(w->x, &w->dae->relations.data[i].right, 1, used);
    }
    for (int i = 0; i < w->model->functions.count; i++) {
        const RbFunction *f = w->model->functions.data[i];
        if (f->kind == RB_FUNCTION_COMPONENT) used[f->component.token] = 1;
    }
    for (int k = w->dae->blocks.count - 1; k >= 0; k--) {
        RbBlock *b = &w->dae->blocks.data[k];
        b->needed = !b->discrete && computes_used(b, used);
        if (!b->needed) continue;
        for (int i = 0; i < b->assign_count; i++) rb_mark_vars(w->x, &b->assigns[i].value, 1, used);
        rb_mark_vars(w->x, b->residuals, b->size, used);
        for (int i = 0; i < b->matrix_count; i++) rb_mark_vars(w->x, &b->matrix[i].value, 1, used);
    }
}

RbStatus rb_sort_blocks(RbWork *w) {
    RbIncidence part = rb_incidence(w, rb_is_run_equation, rb_is_run_unknown);
    RbMatching pm = rb_match(&part.graph, part.limits, w->scratch, *w->temp);
    if (pm.size != part.graph.rows || pm.size != part.graph.columns) {
        return rb_report_singular(w, &part.graph, &pm, part.row_eqs, part.column_vars,
                                  w->dae->eqs.data, "the system of the chosen states");
    }
    RbIncidence all = rb_incidence(w, any_eq, any_unknown);
    RbMatching m = {0};
    RB_TRY(join_matching(w, &all, &part, &pm, &m));
    RB_TRY(check_discrete(w, &all, &m));
    RB_TRY(rb_build_blocks(w, &all, &m, w->dae->eqs.data, &w->dae->blocks));
    mark_needed(w);
    return RB_OK;
}
