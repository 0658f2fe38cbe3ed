// SPDX-License-Identifier: MIT
// initial.c: the system that is solved at the start: states, derivatives and discrete variables are
// all unknown; to the equations of the model come the initial equations and v = start where fixed.
// What is still free keeps its start value (docs/theory/dae.md, section 8).
#include "dae/blocks.h"
#include "dae/report.h"
#include "dae/solve.h"
#include "dae/work.h"
#include "expr/simplify.h"

typedef RB_ARRAY(RbDaeEq) Eqs;

static bool is_true(RbWork *w, const RbExpr *e) {
    double number;
    return e && rb_parameter_number(w, e, &number) && number != 0;
}

static bool found_at_start(RbWork *w, int v) {
    return rb_work_at(w, v)->kind == RB_DAE_DISCRETE &&
           w->model->vars.data[v].variability <= RB_PARAMETER;
}

static bool follows_from_found(RbWork *w, const RbExpr *e) {
    RbArena temp = *w->temp;
    RbIndices uses = e ? rb_expr_vars(w->x, e, &temp) : (RbIndices){0};
    for (int i = 0; i < uses.count; i++)
        if (found_at_start(w, uses.data[i])) return true;
    return false;
}

// In place of a parameter that is found at the start: its own start value, or what it follows from.
static const RbExpr *guess(void *user, const RbExpr *e) {
    RbWork *w = user;
    if (e->op != RB_OP_VAR || !found_at_start(w, e->index)) return NULL;
    const RbFlatVar *var = &w->model->vars.data[e->index];
    const RbExpr *value = var->binding ? var->binding : var->attributes.start;
    if (!value) return rb_real(w->x, 0.0);
    return rb_substitute_leaves(w->x, value, guess, w, *w->scratch);
}

// The start value as a parameter of its own, so that it can be changed after translation. Where it follows from a parameter
// that is found at the start it is a guess.
static const RbExpr *start_of(RbWork *w, int v) {
    RbFlatVar var = w->model->vars.data[v];
    const RbExpr *start = var.attributes.start;
    if (start && start->op == RB_OP_VAR && rb_work_at(w, start->index)->auxiliary) return start;
    const char *name = rb_arena_join(w->arena, "$start(", var.name, ")");
    int p = rb_work_at(w, v)->whole ? rb_work_array_like(w, v, name, RB_DAE_PARAMETER)
                                    : rb_work_var(w, name, var.type, RB_DAE_PARAMETER);
    const RbExpr *zero = var.type == RB_BOOLEAN ? rb_boolean(w->x, false) : rb_real(w->x, 0.0);
    if (follows_from_found(w, start)) start = rb_substitute_leaves(w->x, start, guess, w, *w->scratch);
    w->model->vars.data[p].binding = start ? start : zero;
    w->model->vars.data[p].variability = RB_PARAMETER;
    w->model->vars.data[v].attributes.start = rb_work_ref(w, p);
    return rb_work_ref(w, p);
}

// What a variable begins with: its start value.
static const RbExpr *first_value(RbWork *w, int v) {
    const RbExpr *given = w->model->vars.data[v].attributes.start, *start = start_of(w, v);
    return follows_from_found(w, given) ? given : start;
}

static bool continuous(RbWork *w, int v) {
    RbDaeKind kind = rb_work_at(w, v)->kind;
    bool own = kind == RB_DAE_STATE || kind == RB_DAE_DERIVATIVE || kind == RB_DAE_ALGEBRAIC;
    return own &&
           !rb_work_at(w, v)
                ->auxiliary; // states that are chosen at run time get their values afterwards
}

// Unknowns of equations that are not assignments, those first that should follow from others. What may keep its start value:
// parameters and what has a derivative but no start value, then what has one, last the states, whose start values are the ones
// that a user gives.
static int initial_unknown(RbWork *w, int v) {
    if (found_at_start(w, v)) return 2;
    if (!continuous(w, v)) return 0;
    if (rb_work_at(w, v)->derivative < 0) return 1;
    if (!w->model->vars.data[v].attributes.start) return 2;
    return rb_work_at(w, v)->kind == RB_DAE_STATE ? 4 : 3;
}

static int any_unknown(RbWork *w, int v) {
    return rb_work_at(w, v)->kind == RB_DAE_DISCRETE || continuous(w, v);
}

static bool continuous_eq(const RbDaeEq *eq) {
    return eq->assigns < 0;
}

static bool any_eq(const RbDaeEq *eq) {
    (void)eq;
    return true;
}

// --- the equations -------------------------------------------------------------------------------

static const RbExpr *pre_of(const RbExpr *e) {
    return e->op == RB_OP_PRE && e->args[0]->op == RB_OP_VAR ? e->args[0] : NULL;
}

// pre(v) = e before the first event means: v starts with e.
static bool is_pre_start(RbWork *w, const RbDaeEq *eq) {
    const RbExpr *v = pre_of(eq->left), *value = eq->right;
    if (!v) {
        v = pre_of(eq->right);
        value = eq->left;
    }
    if (!v) return false;
    rb_array_push(&w->dae->pre_starts, w->arena,
                  (RbAssignment){.var = v->index, .value = value, .eq = -1});
    return true;
}

static int discrete_side(RbWork *w, const RbDaeEq *eq) {
    const RbExpr *sides[] = {eq->left, eq->right};
    for (int i = 0; i < 2; i++) {
        bool discrete =
            sides[i]->op == RB_OP_VAR && rb_work_at(w, sides[i]->index)->kind == RB_DAE_DISCRETE;
        if (discrete && !found_at_start(w, sides[i]->index)) return i;
    }
    return -1;
}

// An initial equation for a discrete variable takes the place of its own equation.
static bool takes_over(RbWork *w, RbDaeEq *eq) {
    int side = discrete_side(w, eq);
    if (side < 0) return false;
    if (side == 1) {
        const RbExpr *swap = eq->left;
        eq->left = eq->right;
        eq->right = swap;
    }
    eq->assigns = eq->left->index;
    return true;
}

// Those of the model, initial ones from `initial_from` on, fixed start values from `starts_from` on.
static Eqs gather(RbWork *w, int *initial_from, int *starts_from) {
    Eqs eqs = {0};
    unsigned char *replaced = rb_new_array(w->scratch, unsigned char, w->dae->vars.count);
    Eqs initial = {0};
    for (int i = 0; i < w->dae->initial_eqs.count; i++) {
        RbDaeEq eq = w->dae->initial_eqs.data[i];
        if (is_pre_start(w, &eq)) continue;
        if (takes_over(w, &eq)) replaced[eq.assigns] = 1;
        rb_array_push(&initial, w->scratch, eq);
    }
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        if (eq.not_initial || (eq.assigns >= 0 && replaced[eq.assigns])) continue;
        rb_array_push(&eqs, w->scratch, eq);
    }
    *initial_from = eqs.count;
    for (int i = 0; i < initial.count; i++) rb_array_push(&eqs, w->scratch, initial.data[i]);
    *starts_from = eqs.count;
    for (int v = 0; v < w->dae->vars.count; v++) {
        if (!continuous(w, v) || !is_true(w, w->model->vars.data[v].attributes.fixed)) continue;
        RbDaeEq eq = {.left = rb_work_ref(w, v),
                      .right = first_value(w, v),
                      .derivative = -1,
                      .integral = -1,
                      .assigns = -1,
                      .at = w->model->vars.data[v].at,
                      .origin = ""};
        rb_array_push(&eqs, w->scratch, eq);
    }
    return eqs;
}

// --- too many, too few ---------------------------------------------------------------------------

typedef struct Search { // alternating paths from one row; by row
    int *from;          // the row before, or -1
    int *queue;
    int count;
} Search;

// All rows that could give up their column for row r: their columns would move along the path.
static Search reach_from(RbWork *w, const RbGraph *g, const RbMatching *m, int r) {
    Search s = {rb_new_array(w->scratch, int, g->rows + 1),
                rb_new_array(w->scratch, int, g->rows + 1), 0};
    bool *seen = rb_new_array(w->scratch, bool, g->rows + 1);
    s.from[r] = -1;
    seen[r] = true;
    s.queue[s.count++] = r;
    for (int i = 0; i < s.count; i++) {
        int row = s.queue[i];
        for (int k = g->start[row]; k < g->start[row + 1]; k++) {
            int next = m->row_of_column[g->items[k]];
            if (next < 0 || seen[next]) continue;
            seen[next] = true;
            s.from[next] = row;
            s.queue[s.count++] = next;
        }
    }
    return s;
}

// An equation of the model without a column gets one from a fixed start value that is too many: of
// a variable that is no state, if there is one.
static void prefer_equation(RbWork *w, const Eqs *eqs, int starts_from, const RbIncidence *in,
                            RbMatching *m, int r) {
    Search s = reach_from(w, &in->graph, m, r);
    int best = -1;
    for (int i = 0; i < s.count; i++) {
        int e = in->row_eqs[s.queue[i]];
        if (e < starts_from) continue;
        bool state = rb_work_at(w, eqs->data[e].left->index)->kind == RB_DAE_STATE;
        if (best < 0 || !state) best = s.queue[i];
        if (!state) break;
    }
    int freed = -1;
    for (int row = best; row >= 0; row = s.from[row]) { // each hands its column to the one before
        int own = m->column_of_row[row];
        m->column_of_row[row] = freed;
        if (freed >= 0) m->row_of_column[freed] = row;
        freed = own;
    }
}

// What was to be determined follows from parameters: a volume whose pressure is that of a source.
static bool only_parameters(RbWork *w, const RbDaeEq *eq, const RbIncidence *in, int row) {
    if (in->graph.start[row] != in->graph.start[row + 1]) return false;
    RbStartEquation check = {eq->left, eq->right, rb_arena_text(w->dae->arena, rb_eq_text(w, eq)),
                             eq->at};
    rb_array_push(&w->dae->start_equations, w->dae->arena, check);
    return true;
}

// Initial equations without an unknown and fixed start values beyond what is free are not needed, but must agree with what follows; other
// initial equations beyond it contradict.
static RbStatus drop_surplus(RbWork *w, Eqs *eqs, int initial_from, int starts_from,
                             const RbIncidence *in, RbMatching *m) {
    unsigned char *drop = rb_new_array(w->scratch, unsigned char, eqs->count + 1);
    for (int r = 0; r < in->graph.rows; r++) {
        if (m->column_of_row[r] < 0 && in->row_eqs[r] < starts_from)
            prefer_equation(w, eqs, starts_from, in, m, r);
    }
    for (int r = 0; r < in->graph.rows; r++) {
        if (m->column_of_row[r] >= 0) continue;
        int e = in->row_eqs[r];
        if (e >= initial_from && e < starts_from && only_parameters(w, &eqs->data[e], in, r)) {
            drop[e] = 1;
            continue;
        }
        if (e < starts_from) {
            return rb_report_singular(w, &in->graph, m, in->row_eqs, in->column_vars, eqs->data,
                                      "the system of equations at the start (model, initial "
                                      "equations and fixed start values)");
        }
        drop[e] = 1;
        RbAssignment check = {
            .var = eqs->data[e].left->index, .value = eqs->data[e].right, .eq = -1};
        rb_array_push(&w->dae->start_checks, w->dae->arena, check);
    }
    int kept = 0;
    for (int e = 0; e < eqs->count; e++) {
        if (!drop[e]) eqs->data[kept++] = eqs->data[e];
    }
    eqs->count = kept;
    return RB_OK;
}

static void keep_starts(RbWork *w, Eqs *eqs, const RbIncidence *in, const RbMatching *m) {
    for (int c = 0; c < in->graph.columns; c++) {
        if (m->row_of_column[c] >= 0) continue;
        int v = in->column_vars[c];
        bool given = w->model->vars.data[v].attributes.start != NULL;
        RbDaeEq eq = {.left = rb_work_ref(w, v),
                      .right = first_value(w, v),
                      .derivative = -1,
                      .integral = -1,
                      .assigns = -1,
                      .at = w->model->vars.data[v].at,
                      .origin = ""};
        rb_array_push(eqs, w->scratch, eq);
        const RbFlatVar *var = &w->model->vars.data[v];
        if (!given) {
            rb_note(w->diag, var->at,
                    "nothing determines '%s' at the start; its start value is used", var->name);
        }
    }
}

static RbMatching match(RbWork *w, const Eqs *eqs, RbIncidence *in) {
    *in = rb_incidence_of(w, eqs->data, eqs->count, continuous_eq, initial_unknown);
    return rb_match(&in->graph, in->limits, w->scratch, *w->temp);
}

static void join_matching(RbWork *w, const Eqs *eqs, const RbIncidence *all,
                          const RbIncidence *part, const RbMatching *pm, RbMatching *m) {
    m->column_of_row = rb_new_array(w->scratch, int, all->graph.rows + 1);
    m->row_of_column = rb_new_array(w->scratch, int, all->graph.columns + 1);
    for (int c = 0; c < all->graph.columns; c++) m->row_of_column[c] = -1;
    for (int r = 0, k = 0; r < all->graph.rows; r++) {
        const RbDaeEq *eq = &eqs->data[all->row_eqs[r]];
        int v = eq->assigns >= 0 ? eq->assigns : part->column_vars[pm->column_of_row[k++]];
        m->column_of_row[r] = all->column_of[v];
        m->row_of_column[all->column_of[v]] = r;
    }
}

RbStatus rb_sort_initial(RbWork *w) {
    int initial_from, starts_from;
    Eqs eqs = gather(w, &initial_from, &starts_from);
    RbIncidence in, all;
    RbMatching m = match(w, &eqs, &in), joined = {0};
    RB_TRY(drop_surplus(w, &eqs, initial_from, starts_from, &in, &m));
    if (m.size < in.graph.rows) m = match(w, &eqs, &in);
    keep_starts(w, &eqs, &in, &m);
    m = match(w, &eqs, &in);
    if (m.size != in.graph.rows || m.size != in.graph.columns) {
        return rb_report_singular(w, &in.graph, &m, in.row_eqs, in.column_vars, eqs.data,
                                  "the system of equations at the start");
    }
    all = rb_incidence_of(w, eqs.data, eqs.count, any_eq, any_unknown);
    join_matching(w, &eqs, &all, &in, &m, &joined);
    RB_TRY(rb_build_blocks(w, &all, &joined, eqs.data, &w->dae->initial_blocks));
    for (int v = 0; v < w->dae->vars.count; v++) {
        if (rb_work_at(w, v)->kind == RB_DAE_DISCRETE && !rb_work_at(w, v)->auxiliary)
            start_of(w, v);
    }
    return rb_parameters(w); // with the start values
}
