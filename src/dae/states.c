// SPDX-License-Identifier: MIT
// states.c: which variables the solver integrates (dummy derivatives, Mattsson and Söderlind 1993;
// docs/theory/dae.md, section 5).
//
// Every variable that is differentiated is a state, unless a differentiated equation determines it.
// Each strongly connected component of the system of highest derivatives is looked at alone: its
// differentiated equations H, m of them, constrain the n >= m variables whose derivatives occur in
// it; m of them are no states ("dummies"). A choice is good if the m x m matrix of derivatives of H
// with respect to the dummies is regular. Where constants decide that, the choice is made here;
// else at run time (RbStateSet).
#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "dae/graph.h"
#include "dae/incidence.h"
#include "dae/reduce.h"
#include "dae/stage.h"

// Candidates that no constraint contains stay states, and so do those that must be states
// (StateSelect.always) where the others suffice.
static void settle_states(RbWork *w, RbConstraintStage *s) {
    bool *keep = rb_new_array(w->scratch, bool, s->n + 1);
    rb_stage_occupied(s, keep);
    rb_stage_keep(w, s, keep);
    for (int j = 0; j < s->n; j++) {
        int v = rb_work_at(w, s->vars[j])->integral;
        keep[j] = w->model->vars.data[v].attributes.state_select != RB_STATE_ALWAYS;
    }
    if (rb_stage_suffice(w, s, keep)) rb_stage_keep(w, s, keep);
}

// --- choosing ------------------------------------------------------------------------------------

static RbStateSelect asked(RbWork *w, int derivative) {
    return w->model->vars.data[rb_work_at(w, derivative)->integral].attributes.state_select;
}

// How much a candidate wants to be a state. Less: it is made a dummy first.
static int wish(RbWork *w, int derivative) {
    int v = rb_work_at(w, derivative)->integral;
    const RbAttributes *a = &w->model->vars.data[v].attributes;
    int value = 1000 * (int)a->state_select;
    bool fixed = a->fixed && a->fixed->op == RB_OP_BOOLEAN && a->fixed->integer;
    if (fixed) value += 100;
    if (a->start) value += 10;
    if (!rb_work_at(w, v)->is_der) value += 1;
    return value;
}

static const int all_wishes = 1000 * (RB_STATE_ALWAYS + 1); // more than any

typedef struct Wish {
    int wish, var, column;
} Wish;

static int by_wish(const void *a, const void *b) {
    const Wish *x = a, *y = b;
    if (x->wish != y->wish) return x->wish < y->wish ? -1 : 1;
    return (x->var < y->var) - (x->var > y->var);
}

// Columns in the order in which they become dummies: least wish first, then the last declared.
static int *in_order(RbWork *w, const RbConstraintStage *s) {
    Wish *wishes = rb_new_array(w->scratch, Wish, s->n + 1);
    for (int j = 0; j < s->n; j++) wishes[j] = (Wish){wish(w, s->vars[j]), s->vars[j], j};
    rb_sort_items(wishes, s->n, sizeof *wishes, by_wish);
    int *order = rb_new_array(w->scratch, int, s->n + 1);
    for (int j = 0; j < s->n; j++) order[j] = wishes[j].column;
    return order;
}

// Dummies among the constant columns; wishes of at least `limit` are left alone. False: there are
// too few.
static bool choose_constant(RbWork *w, RbConstraintStage *s, const int *order, int limit) {
    int *offered = rb_new_array(w->scratch, int, s->n + 1), count = 0;
    for (int k = 0; k < s->n; k++) {
        int c = order[k];
        if (s->constant[c] && wish(w, s->vars[c]) < limit) offered[count++] = c;
    }
    return rb_stage_choose(w, s, offered, count) == s->m;
}

static void take_least(RbConstraintStage *s, const int *order) {
    for (int k = 0; k < s->n; k++) s->dummy[order[k]] = k < s->m;
}

// The m least wished columns, if the wishes of StateSelect separate them from the rest.
static bool choose_by_wish(RbWork *w, RbConstraintStage *s, const int *order) {
    if (s->n > s->m) {
        if (asked(w, s->vars[order[s->m - 1]]) == asked(w, s->vars[order[s->m]])) return false;
    }
    take_least(s, order);
    return true;
}

static bool choose_now(RbWork *w, RbConstraintStage *s) {
    int *order = in_order(w, s);
    if (s->n == s->m) return choose_by_wish(w, s, order);
    if (choose_constant(w, s, order, 1000 * RB_STATE_PREFER)) return true;
    if (choose_by_wish(w, s, order)) return true;
    return choose_constant(w, s, order, 10000);
}

// --- choosing at run time ------------------------------------------------------------------------

static const RbExpr *selected(RbWork *w, const RbStateSet *set, int k, const int *vars) {
    const RbExpr *sum = rb_real(w->x, 0.0);
    for (int j = 0; j < set->candidate_count; j++) {
        const RbExpr *a = rb_work_ref(w, set->selection[k * set->candidate_count + j]);
        sum = rb_add(w->x, sum, rb_mul(w->x, a, rb_work_ref(w, vars[j])));
    }
    return sum;
}

static int named_var(RbWork *w, RbDaeKind kind, const char *format, int a, int b, int c) {
    RbText name = rb_text(w->arena);
    rb_text_printf(&name, format, a, b, c);
    return rb_work_var(w, name.data, RB_REAL, kind);
}

static int *lower(RbWork *w, const int *vars, int n) {
    int *below = rb_new_array(w->arena, int, n + 1);
    for (int j = 0; j < n; j++) below[j] = rb_work_at(w, vars[j])->integral;
    return below;
}

// s_k = sum_j A_kj c_j for the candidates c at each level of derivatives; the s are states but for
// the highest level.
static void add_set(RbWork *w, const RbConstraintStage *s, int levels) {
    int set_number = w->dae->sets.count + 1, states = s->n - s->m;
    RbStateSet set = {.candidate_count = s->n,
                      .state_count = states,
                      .jacobian = rb_stage_matrix(w, s),
                      .constraint_count = s->m};
    set.selection = rb_new_array(w->arena, int, states * s->n + 1);
    w->at = w->dae->eqs.data[s->eqs[0]].at;
    for (int k = 0; k < states; k++) {
        for (int j = 0; j < s->n; j++) {
            set.selection[k * s->n + j] =
                named_var(w, RB_DAE_DISCRETE, "$select%d[%d,%d]", set_number, k + 1, j + 1);
        }
    }
    int *upper = rb_new_array(w->scratch, int, states + 1), *candidates = s->vars;
    for (int level = levels; level >= 0; level--) {
        int *own = rb_new_array(w->arena, int, states + 1);
        for (int k = 0; k < states; k++) {
            bool highest = level == levels;
            own[k] = named_var(w, highest ? RB_DAE_ALGEBRAIC : RB_DAE_STATE, "$state%d[%d]der%d",
                               set_number, k + 1, level);
            if (!highest) {
                rb_work_at(w, own[k])->derivative = upper[k];
                rb_work_at(w, upper[k])->integral = own[k];
            }
            upper[k] = own[k];
            int eq =
                rb_work_eq(w, rb_work_ref(w, own[k]), selected(w, &set, k, candidates), w->at, "");
            w->dae->eqs.data[eq].not_initial = true;
        }
        if (level < levels) {
            RbStateSet here = set;
            here.states = own;
            here.candidates = candidates;
            here.level = level;
            here.master =
                level == 0 ? -1 : w->dae->sets.count + level; // the set of level 0 comes last
            rb_array_push(&w->dae->sets, w->arena, here);
        }
        if (level > 0) candidates = lower(w, candidates, s->n);
    }
}

// --- components ----------------------------------------------------------------------------------

static void not_a_state(RbWork *w, int v) {
    if (rb_work_at(w, v)->kind == RB_DAE_STATE) rb_work_at(w, v)->kind = RB_DAE_ALGEBRAIC;
}

// How many times all equations of the stage can be integrated.
static int depth_of(RbWork *w, const RbConstraintStage *s) {
    int depth = -1;
    for (int i = 0; i < s->m; i++) {
        int own = 0;
        for (int e = s->eqs[i]; w->dae->eqs.data[e].integral >= 0; e = w->dae->eqs.data[e].integral)
            own++;
        if (depth >= 0 && own != depth) return -1;
        depth = own;
    }
    return depth;
}

static bool deep_enough(RbWork *w, const RbConstraintStage *s, int levels) {
    for (int j = 0; j < s->n; j++) {
        int v = s->vars[j];
        for (int k = 0; k < levels; k++) {
            v = rb_work_at(w, v)->integral;
            if (v < 0) return false;
        }
    }
    return true;
}

static bool choose_later(RbWork *w, const RbConstraintStage *s) {
    int levels = depth_of(w, s);
    if (levels < 1 || !deep_enough(w, s, levels)) return false;
    for (int j = 0; j < s->n; j++) {
        int v = s->vars[j];
        for (int k = 0; k < levels; k++) not_a_state(w, v = rb_work_at(w, v)->integral);
    }
    add_set(w, s, levels);
    return true;
}

static RbStatus too_few_candidates(RbWork *w, const RbConstraintStage *s) {
    return rb_fail(w->diag, RB_ERROR_MODEL, w->dae->eqs.data[s->eqs[0]].at,
                   "%d equations constrain only %d variables that could be states; the equations "
                   "contradict each other or one of them "
                   "is redundant",
                   s->m, s->n);
}

// The dummies of a stage are no states; the next stage is one derivative lower, with the equations
// that are derivatives there too.
static void lower_stage(RbWork *w, RbConstraintStage *s) {
    int *eqs = rb_new_array(w->scratch, int, s->m + 1),
        *vars = rb_new_array(w->scratch, int, s->m + 1), n = 0;
    for (int i = 0; i < s->m; i++) eqs[i] = w->dae->eqs.data[s->eqs[i]].integral;
    for (int j = 0; j < s->n; j++) {
        if (!s->dummy[j]) continue;
        int v = rb_work_at(w, s->vars[j])->integral;
        not_a_state(w, v);
        vars[n++] = v;
    }
    *s = rb_stage(w, eqs, s->m, vars, n);
}

// The most wished columns are no dummies, as long as every constraint has one of the others for its own: a
// choice without that is singular whatever the numbers are.
static void take_solvable(RbWork *w, RbConstraintStage *s, const int *order) {
    int left = s->n - s->m;
    bool *others = rb_new_array(w->scratch, bool, s->n + 1);
    for (int j = 0; j < s->n; j++) others[j] = true;
    if (!rb_stage_suffice(w, s, others)) {
        take_least(s, order);
        return;
    }
    for (int k = s->n - 1; k >= 0 && left > 0; k--) {
        others[order[k]] = false;
        if (rb_stage_suffice(w, s, others))
            left--;
        else
            others[order[k]] = true;
    }
    for (int j = 0; j < s->n; j++) s->dummy[j] = others[j];
}

// A choice that is neither known to be right nor made again at run time.
static void choose_blindly(RbWork *w, RbConstraintStage *s) {
    int *order = in_order(w, s), states = s->n - s->m, one = s->n - 1;
    take_solvable(w, s, order);
    if (states == 0) return;
    while (one > 0 && s->dummy[order[one]]) one--;
    const char *first = w->model->vars.data[rb_work_at(w, s->vars[order[one]])->integral].name;
    RbText chosen = rb_text(w->scratch);
    rb_text_printf(&chosen, states == 1 ? "'%s' is the state" : "'%s' and %d more are the states",
                   first, states - 1);
    rb_warn(w->diag, w->dae->eqs.data[s->eqs[0]].at,
            "of %d variables that constrain each other %s; it is not known whether the others "
            "follow from that at all times: if results are wrong, prefer others by StateSelect",
            s->n, chosen.data);
}

// Go down the derivatives: m dummies of n candidates, then the same for the integrals.
static RbStatus select_component(RbWork *w, const int *eqs, int eq_count, const int *vars,
                                 int var_count) {
    RbConstraintStage s = rb_stage(w, eqs, eq_count, vars, var_count);
    while (s.m > 0) {
        if (s.n < s.m) return too_few_candidates(w, &s);
        rb_stage_fill(w, &s);
        settle_states(w, &s);
        if (s.n < s.m) return too_few_candidates(w, &s);
        if (!choose_now(w, &s)) {
            if (choose_later(w, &s)) return RB_OK;
            choose_blindly(w, &s); // levels that differ
        }
        lower_stage(w, &s);
    }
    return RB_OK;
}

static int highest_var(RbWork *w, int v) {
    const RbDaeVar *var = rb_work_at(w, v);
    return rb_is_unknown(var) && var->kind != RB_DAE_DISCRETE && var->derivative < 0;
}

static bool highest_eq(const RbDaeEq *eq) {
    return eq->assigns < 0 && eq->derivative < 0;
}

// --- wishes that a component cannot fulfil alone -------------------------------------------------
//
// A component of one constraint, s_rel = s_b - s_a, offers one candidate only: the variable that
// the others determine. If the user wants that one for a state, another variable of the constraint
// is a dummy, and so on along the chain of bodies. So constraints with common candidates form a
// group, and if there are wishes among them, all their candidates are looked at together.

typedef struct Groups { // by component of the graph of highest derivatives
    const RbIncidence *in;
    int *component_of; // row
    int *parent;       // union-find
    bool *chosen;      // the states of its group were chosen together
} Groups;

static int group_of(Groups *g, int k) {
    while (g->parent[k] != k) k = g->parent[k] = g->parent[g->parent[k]];
    return k;
}

static bool is_constraint(RbWork *w, const RbIncidence *in, int row) {
    return w->dae->eqs.data[in->row_eqs[row]].integral >= 0;
}

static bool is_candidate(RbWork *w, const RbIncidence *in, int column) {
    return rb_work_at(w, in->column_vars[column])->integral >= 0;
}

static Groups find_groups(RbWork *w, const RbIncidence *in, const RbComponents *c) {
    Groups g = {.in = in};
    g.component_of = rb_new_array(w->scratch, int, in->graph.rows + 1);
    g.parent = rb_new_array(w->scratch, int, c->count + 1);
    g.chosen = rb_new_array(w->scratch, bool, c->count + 1);
    int *first = rb_new_array(w->scratch, int, in->graph.columns + 1); // component, plus one
    for (int k = 0; k < c->count; k++) {
        g.parent[k] = k;
        for (int i = c->start[k]; i < c->start[k + 1]; i++) g.component_of[c->rows[i]] = k;
    }
    for (int r = 0; r < in->graph.rows; r++) {
        if (!is_constraint(w, in, r)) continue;
        for (int i = in->graph.start[r]; i < in->graph.start[r + 1]; i++) {
            int column = in->graph.items[i];
            if (!is_candidate(w, in, column)) continue;
            if (first[column] == 0) first[column] = g.component_of[r] + 1;
            g.parent[group_of(&g, g.component_of[r])] = group_of(&g, first[column] - 1);
        }
    }
    return g;
}

typedef struct Group {
    RB_ARRAY(int) eqs;
    RB_ARRAY(int) vars;
    int wishes;
} Group;

// The constraints of every group, and all their candidates.
static Group *list_groups(RbWork *w, Groups *g, int count) {
    const RbIncidence *in = g->in;
    Group *groups = rb_new_array(w->scratch, Group, count + 1);
    bool *seen = rb_new_array(w->scratch, bool, in->graph.columns + 1);
    for (int r = 0; r < in->graph.rows; r++) {
        if (!is_constraint(w, in, r)) continue;
        Group *group = &groups[group_of(g, g->component_of[r])];
        rb_array_push(&group->eqs, w->scratch, in->row_eqs[r]);
        for (int i = in->graph.start[r]; i < in->graph.start[r + 1]; i++) {
            int column = in->graph.items[i], v = in->column_vars[column];
            if (seen[column] || !is_candidate(w, in, column)) continue;
            seen[column] = true;
            rb_array_push(&group->vars, w->scratch, v);
            group->wishes += asked(w, v) != RB_STATE_DEFAULT;
        }
    }
    return groups;
}

// --- constraints that leave some to be chosen ----------------------------------------------------

// What is left of a group after reduction: rows that share columns form parts, each a stage of its own.
typedef struct Parts {
    RbConstraintStage *stages;
    int count;
} Parts;

static int part_of(int *parent, int k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

static Parts find_parts(RbWork *w, const RbConstraintStage *s, const RbPivots *r) {
    int *parent = rb_new_array(w->scratch, int, s->m + 1),
        *number = rb_new_array(w->scratch, int, s->m + 1);
    int *owner = rb_new_array(w->scratch, int, s->n + 1); // of a column: a row, plus one
    for (int i = 0; i < s->m; i++) {
        parent[i] = i;
        for (int k = 0; k < s->rows[i].count && !r->used[i]; k++) {
            int *first = &owner[s->rows[i].entries[k].column];
            if (*first == 0) *first = i + 1;
            parent[part_of(parent, i)] = part_of(parent, *first - 1);
        }
    }
    Parts parts = {.stages = rb_new_array(w->scratch, RbConstraintStage, s->m + 1)};
    for (int i = 0; i < s->m; i++) {
        if (!r->used[i] && part_of(parent, i) == i) number[i] = parts.count++;
    }
    for (int p = 0; p < parts.count; p++) {
        RbConstraintStage *stage = &parts.stages[p];
        int *place = rb_new_array(w->scratch, int, s->n + 1);
        stage->eqs = rb_new_array(w->scratch, int, s->m + 1);
        stage->vars = rb_new_array(w->arena, int, s->n + 1);
        stage->rows = rb_new_array(w->scratch, RbStageRow, s->m + 1);
        stage->constant = rb_new_array(w->scratch, bool, s->n + 1);
        stage->dummy = rb_new_array(w->scratch, bool, s->n + 1);
        for (int i = 0; i < s->m; i++) {
            if (r->used[i] || number[part_of(parent, i)] != p) continue;
            for (int k = 0; k < s->rows[i].count; k++) {
                RbStageEntry *e = &s->rows[i].entries[k];
                if (place[e->column] == 0) {
                    stage->vars[stage->n++] = s->vars[e->column];
                    place[e->column] = stage->n;
                }
                e->column = place[e->column] - 1;
            }
            stage->rows[stage->m] = s->rows[i];
            stage->eqs[stage->m++] = s->eqs[i];
        }
    }
    return parts;
}

// Can m of the columns be dummies at every level of derivatives?
static bool is_choosable(RbWork *w, const RbConstraintStage *s) {
    int levels = depth_of(w, s);
    return s->n >= s->m && levels >= 1 && deep_enough(w, s, levels);
}

static void demote(RbWork *w, int v, int levels) {
    for (int k = 0; k < levels; k++) not_a_state(w, v = rb_work_at(w, v)->integral);
}

// Columns that can be integrated less often come before all wishes: an angular velocity leaves the angles to the loops.
static void shallow_first(RbWork *w, const RbConstraintStage *s, int *order, int *rank) {
    const int many = 100; // more than there are wishes
    int *by_wish_only = rb_new_array(w->scratch, int, s->n + 1), deepest = 0, count = 0;
    for (int k = 0; k < s->n; k++) {
        int depth = rb_depth_of_var(w, s->vars[order[k]]);
        by_wish_only[k] = order[k];
        rank[order[k]] += many * depth;
        if (depth > deepest) deepest = depth;
    }
    for (int depth = 0; depth <= deepest; depth++) {
        for (int k = 0; k < s->n; k++) {
            int column = by_wish_only[k];
            if (rb_depth_of_var(w, s->vars[column]) == depth) order[count++] = column;
        }
    }
}

// Every constraint determines a variable that nobody prefers as a state.
static bool refuses_nothing(RbWork *w, const RbConstraintStage *s, const RbPivots *r) {
    for (int i = 0; i < s->m; i++) {
        if (!r->used[i]) return false;
    }
    for (int j = 0; j < s->n; j++) {
        if (r->row_of[j] >= 0 && asked(w, s->vars[j]) >= RB_STATE_PREFER) return false;
    }
    return true;
}

typedef enum Reduce { REDUCE_IF_NOTHING_IS_REFUSED, REDUCE_BY_WISH, REDUCE_BY_DEPTH } Reduce;

// First what certainly follows from a constraint, the least wished first; then the choice is among what is left, at run time if wishes do
// not decide. False: nothing has changed.
static bool select_reduced(RbWork *w, const Group *group, Reduce how) {
    RbConstraintStage s =
        rb_stage(w, group->eqs.data, group->eqs.count, group->vars.data, group->vars.count);
    rb_stage_fill(w, &s);
    settle_states(w, &s);
    if (s.n < s.m) return false;
    int *order = in_order(w, &s), *rank = rb_new_array(w->scratch, int, s.n + 1);
    for (int j = 0; j < s.n; j++) rank[j] = (int)asked(w, s.vars[j]);
    if (how == REDUCE_BY_DEPTH) shallow_first(w, &s, order, rank);
    RbPivots r;
    if (!rb_stage_reduce(w, &s, order, rank, &r)) return false;
    if (how == REDUCE_IF_NOTHING_IS_REFUSED && !refuses_nothing(w, &s, &r)) return false;
    Parts parts = find_parts(w, &s, &r);
    for (int p = 0; p < parts.count; p++) {
        if (!is_choosable(w, &parts.stages[p])) return false;
    }
    for (int j = 0; j < s.n; j++) {
        if (r.row_of[j] >= 0) demote(w, s.vars[j], rb_depth_of_eq(w, s.eqs[r.row_of[j]]));
    }
    for (int p = 0; p < parts.count; p++) {
        RbConstraintStage *part = &parts.stages[p];
        if (choose_by_wish(w, part, in_order(w, part))) {
            for (int j = 0; j < part->n; j++) {
                if (part->dummy[j]) demote(w, part->vars[j], depth_of(w, part));
            }
        } else {
            choose_later(w, part);
        }
    }
    return true;
}

// The candidates with the least wishes, below `limit`, that constants show to be independent become dummies.
// False: constants do not decide it; nothing has changed.
static bool select_constant(RbWork *w, const Group *group, int limit) {
    RbConstraintStage s =
        rb_stage(w, group->eqs.data, group->eqs.count, group->vars.data, group->vars.count);
    for (bool first = true; s.m > 0; first = false) {
        rb_stage_fill(w, &s);
        settle_states(w, &s);
        int *order = in_order(w, &s);
        bool decided = s.n >= s.m && choose_constant(w, &s, order, limit);
        if (!decided && first) return false;
        if (!decided) decided = s.n >= s.m && choose_constant(w, &s, order, all_wishes);
        if (!decided) take_least(&s, order); // one level lower the matrix is a part of the same one
        lower_stage(w, &s);
    }
    return true;
}

// First the ways that leave what is preferred alone.
static bool select_group(RbWork *w, const Group *group) {
    return group->wishes > 0 &&
           (select_constant(w, group, 1000 * RB_STATE_PREFER) ||
            select_reduced(w, group, REDUCE_IF_NOTHING_IS_REFUSED) ||
            select_constant(w, group, all_wishes) || select_reduced(w, group, REDUCE_BY_WISH) ||
            select_reduced(w, group, REDUCE_BY_DEPTH));
}

// The equations of a component and the variables that they are matched with.
typedef struct Component {
    int *eqs, *vars;
    int eq_count, var_count;
} Component;

static Component component_of(RbWork *w, const RbIncidence *in, const RbMatching *m,
                              const RbComponents *c, int k) {
    int size = c->start[k + 1] - c->start[k];
    Component out = {.eqs = rb_new_array(w->scratch, int, size),
                     .vars = rb_new_array(w->scratch, int, size),
                     .eq_count = size};
    for (int i = 0; i < size; i++) {
        int row = c->rows[c->start[k] + i];
        out.eqs[i] = in->row_eqs[row];
        if (m->column_of_row[row] >= 0)
            out.vars[out.var_count++] = in->column_vars[m->column_of_row[row]];
    }
    return out;
}

// The choice among its own variables could only be made blindly.
static bool is_blind(RbWork *w, const Component *c) {
    RbConstraintStage s = rb_stage(w, c->eqs, c->eq_count, c->vars, c->var_count);
    if (s.m == 0 || s.n < s.m) return false;
    rb_stage_fill(w, &s);
    settle_states(w, &s);
    return s.n > s.m && !choose_now(w, &s) && !is_choosable(w, &s);
}

static bool has_wishes(RbWork *w, const Group *group) {
    for (int i = 0; i < group->vars.count; i++) {
        if (asked(w, group->vars.data[i]) >= RB_STATE_PREFER) return true;
    }
    return false;
}

// What is preferred, among all candidates of a group whose constraints have different depths (a rolling wheel: its height
// is held, and the velocity with which it slips): the user knows. False: nothing has changed.
static bool select_as_wished(RbWork *w, const Group *group) {
    RbConstraintStage s =
        rb_stage(w, group->eqs.data, group->eqs.count, group->vars.data, group->vars.count);
    for (bool first = true; s.m > 0; first = false) {
        rb_stage_fill(w, &s);
        settle_states(w, &s);
        if (s.n < s.m && first) return false;
        take_solvable(w, &s, in_order(w, &s));
        lower_stage(w, &s);
    }
    return true;
}

static RbStatus select_all(RbWork *w) {
    RbIncidence in = rb_incidence(w, highest_eq, highest_var);
    RbMatching m = rb_match(&in.graph, in.limits, w->scratch, *w->temp);
    RbComponents c = rb_components(&in.graph, m.row_of_column, w->scratch, *w->temp);
    Groups groups = find_groups(w, &in, &c);
    Group *lists = list_groups(w, &groups, c.count);
    for (int k = 0; k < c.count; k++) groups.chosen[k] = select_group(w, &lists[k]);
    for (int k = 0; k < c.count; k++) {
        int group = group_of(&groups, k);
        if (groups.chosen[group] || !has_wishes(w, &lists[group])) continue;
        Component own = component_of(w, &in, &m, &c, k);
        if (is_blind(w, &own)) groups.chosen[group] = select_as_wished(w, &lists[group]);
    }
    for (int k = 0; k < c.count; k++) {
        if (groups.chosen[group_of(&groups, k)]) continue;
        Component own = component_of(w, &in, &m, &c, k);
        RB_TRY(select_component(w, own.eqs, own.eq_count, own.vars, own.var_count));
    }
    return RB_OK;
}

// Then the wish is not the user's, and dae.c says what is wrong.
static bool is_reinitialised(const RbWork *w, int v) {
    for (int i = 0; i < w->dae->actions.count; i++) {
        const RbAction *a = &w->dae->actions.data[i];
        if (a->kind == RB_ACTION_REINIT && a->state == v) return true;
    }
    return false;
}

static void warn_about_wishes(RbWork *w) {
    for (int v = 0; v < w->dae->vars.count; v++) {
        const RbFlatVar *var = &w->model->vars.data[v];
        RbDaeKind kind = rb_work_at(w, v)->kind;
        if (var->attributes.state_select == RB_STATE_ALWAYS && kind == RB_DAE_ALGEBRAIC &&
            !is_reinitialised(w, v)) {
            rb_warn(w->diag, var->at,
                    "'%s' cannot be a state, although StateSelect.always asks for it", var->name);
        }
    }
}

static uint64_t name_key(RbWork *w, int v) {
    const char *name = w->model->vars.data[v].name;
    return rb_hash_bytes(RB_HASH_START, name, strlen(name));
}

bool rb_was_no_state(RbWork *w, int v) {
    return rb_map_find(&w->arrays->not_states, name_key(w, v)) != NULL;
}

void rb_note_no_state(RbWork *w, int v) {
    rb_map_set(&w->arrays->not_states, w->arena, name_key(w, v), 1);
}

// May it become a state while the model runs?
static bool is_candidate_later(const RbWork *w, int v) {
    for (int i = 0; i < w->dae->sets.count; i++) {
        const RbStateSet *s = &w->dae->sets.data[i];
        for (int j = 0; j < s->candidate_count; j++) {
            if (s->candidates[j] == v) return true;
        }
    }
    return false;
}

// What was differentiated in vain must not be: its derivative may have a pole where the variable
// has a kink. Answers an error without a message; the analysis starts again.
static RbStatus check_wishes(RbWork *w) {
    bool vain = false;
    for (int v = 0; v < w->dae->vars.count; v++) {
        if (!rb_work_at(w, v)->wished || rb_work_at(w, v)->kind == RB_DAE_STATE) continue;
        if (is_candidate_later(w, v)) continue;
        rb_note_no_state(w, v);
        vain = true;
    }
    return vain ? RB_ERROR_MODEL : RB_OK;
}

RbStatus rb_select_states(RbWork *w) {
    int count = w->dae->vars.count;
    for (int v = 0; v < count; v++) {
        RbDaeVar *var = rb_work_at(w, v);
        if (var->kind == RB_DAE_ALGEBRAIC && var->derivative >= 0) var->kind = RB_DAE_STATE;
    }
    if (w->dae->stats.differentiated > 0) RB_TRY(select_all(w));
    if (w->dae->any_wished) RB_TRY(check_wishes(w));
    for (int v = 0; v < w->dae->vars.count; v++) {
        RbDaeVar *var = rb_work_at(w, v);
        if (var->kind != RB_DAE_STATE) continue;
        rb_array_push(&w->dae->states, w->arena, v);
        if (rb_work_at(w, var->derivative)->kind == RB_DAE_ALGEBRAIC)
            rb_work_at(w, var->derivative)->kind = RB_DAE_DERIVATIVE;
    }
    warn_about_wishes(w);
    return RB_OK;
}
