// SPDX-License-Identifier: MIT
// row_solutions.c: a component hands out rows that tie n variables x to n variables y, such as the
// accelerations and torques of the joints of a mechanism. As linear equations they are a full system
// of size n. Where the other equations say y_i = c_i - k_i x_i, one by one (a motor with a gear
// behind each joint), the component solves them itself in less time (docs/theory/multibody.md,
// section 6): its solution is called with c and k, and the rows only serve the start.
//
// What the other equations say shows when they are sorted with x known: between x_i and y_i there may
// be assignments, linear in what follows from x_i, and nothing that follows from another x.
#include "dae/blocks.h"
#include "dae/matrix.h"
#include "dae/solve.h"
#include "expr/simplify.h"

// Mechanisms of one joint stay what they are: a linear system of one unknown, which costs no more.
enum { LEAST_ROWS = 2 };

typedef struct Pair {
    int owner;          // in Search.owners
    int x, y;           // variables
    int x_sign, y_sign; // what the component knows is this times the variable
    const RbExpr *c, *k;
} Pair;

typedef struct Owner {
    const RbFunction *rows;
    const RbRowSolution *solution;
    int first; // of its pairs
    const RbExpr *call;
    RbPos at;
    const char *origin;
    bool dropped;
} Owner;

typedef struct Search {
    RbWork *w;
    RB_ARRAY(Owner) owners;
    RB_ARRAY(Pair) pairs;
    int *owner_of; // by variable: whose entry of A or b it is, plus one
    int *pair_of;  // by variable: whose x it is, plus one
    RbDaeKind *kinds;
    // With the rows set aside and x known:
    RbIncidence in;
    RbMatching m;
    RbComponents order;
    int *follows; // by variable: the only pair from whose x it follows, plus one; SEVERAL; 0: none
    bool *asked;  // by variable: a y follows from it
    const RbExpr **rest, **slope; // by variable that is asked for: it equals rest + slope x
    int pair;                     // the one at hand, plus one
} Search;

enum { SEVERAL = -1 };

// --- who offers a solution -----------------------------------------------------------------------

static bool add_pairs(Search *s, const RbRowSolution *from) {
    RbWork *w = s->w;
    for (int i = 0; i < from->count; i++) {
        Pair p = {.owner = s->owners.count - 1};
        p.x = rb_work_resolve(w, from->x[i], &p.x_sign);
        p.y = rb_work_resolve(w, from->y[i], &p.y_sign);
        if (!rb_is_run_unknown(w, p.x) || !rb_is_run_unknown(w, p.y) || s->pair_of[p.x] > 0)
            return false;
        rb_array_push(&s->pairs, w->scratch, p);
        s->pair_of[p.x] = s->pairs.count;
    }
    return true;
}

static void find_owners(Search *s) {
    RbWork *w = s->w;
    for (int i = 0; i < w->model->functions.count; i++) {
        const RbFunction *f = w->model->functions.data[i];
        const RbRowSolution *solution =
            f->kind == RB_FUNCTION_COMPONENT ? f->component.solution : NULL;
        if (!solution || solution->count < LEAST_ROWS) continue;
        rb_array_push(&s->owners, w->scratch,
                      ((Owner){.rows = f, .solution = solution, .first = s->pairs.count}));
        if (!add_pairs(s, solution)) s->owners.data[s->owners.count - 1].dropped = true;
        for (int k = 0; k < solution->entries; k++)
            s->owner_of[solution->entry + k] = s->owners.count;
    }
}

// --- without the rows ----------------------------------------------------------------------------

// Whose rows, or entries of their matrix, an equation is about; NULL: it is an equation of others.
static Owner *owner_of(Search *s, const RbDaeEq *eq) {
    RbWork *w = s->w;
    RbArena temp = *w->temp;
    for (int i = 0; i < s->owners.count; i++) {
        if (rb_is_token_eq(w, eq) && s->owners.data[i].rows->component.token == eq->left->index)
            return &s->owners.data[i];
    }
    RbIndices vars = rb_eq_vars(w, eq, &temp);
    for (int i = 0; i < vars.count; i++) {
        if (s->owner_of[vars.data[i]] > 0) return &s->owners.data[s->owner_of[vars.data[i]] - 1];
    }
    return NULL;
}

static void note_call(Owner *o, const RbDaeEq *eq) {
    o->call = eq->right->op == RB_OP_RESULT ? eq->right->args[0] : eq->right;
    o->at = eq->at;
    o->origin = eq->origin;
}

static void take_as_known(Search *s, int v, bool known) {
    rb_work_at(s->w, v)->kind = known ? RB_DAE_INPUT : s->kinds[v];
}

// What holds at the start alone: the rows of those who are not dropped. Their x counts as known.
static void set_aside(Search *s) {
    RbWork *w = s->w;
    for (int e = 0; e < w->dae->eqs.count; e++) {
        RbDaeEq *eq = &w->dae->eqs.data[e];
        if (eq->assigns >= 0) continue;
        Owner *o = owner_of(s, eq);
        if (!o) continue;
        eq->only_initial = !o->dropped;
        if (rb_is_token_eq(w, eq)) note_call(o, eq);
    }
    for (int i = 0; i < s->pairs.count; i++) {
        const Pair *p = &s->pairs.data[i];
        take_as_known(s, p->x, !s->owners.data[p->owner].dropped);
    }
    for (int i = 0; i < s->owners.count; i++) {
        const Owner *o = &s->owners.data[i];
        take_as_known(s, o->rows->component.token, !o->dropped);
        for (int k = 0; k < o->solution->entries; k++)
            rb_work_at(w, o->solution->entry + k)->only_initial = !o->dropped;
    }
}

static void drop(Search *s, const Pair *p) {
    s->owners.data[p->owner].dropped = true;
}

// Joints whose motion others prescribe, or that are tied to each other, leave too many equations and
// too few. False: nothing can be said of who is to blame.
static bool drop_unmatched(Search *s) {
    RbWork *w = s->w;
    unsigned char *rows = rb_new_array(w->scratch, unsigned char, s->in.graph.rows + 1);
    unsigned char *columns = rb_new_array(w->scratch, unsigned char, s->in.graph.columns + 1);
    bool any = false;
    rb_underdetermined(&s->in.graph, &s->m, rows, columns, *w->temp);
    for (int i = 0; i < s->pairs.count; i++) {
        const Pair *p = &s->pairs.data[i];
        int column = s->in.column_of[p->y];
        if (s->owners.data[p->owner].dropped || column < 0 || !columns[column]) continue;
        drop(s, p);
        any = true;
    }
    return any;
}

static bool sort(Search *s) {
    RbWork *w = s->w;
    s->in = rb_incidence(w, rb_is_run_equation, rb_is_run_unknown);
    s->m = rb_match(&s->in.graph, s->in.limits, w->scratch, *w->temp);
    if (s->m.size != s->in.graph.rows || s->m.size != s->in.graph.columns) return false;
    s->order = rb_components(&s->in.graph, s->m.row_of_column, w->scratch, *w->temp);
    return true;
}

// --- what follows from which x -------------------------------------------------------------------

static const RbDaeEq *equation(const Search *s, int row) {
    return &s->w->dae->eqs.data[s->in.row_eqs[row]];
}

static int variable(const Search *s, int row) {
    return s->in.column_vars[s->m.column_of_row[row]];
}

static int join(int a, int b) {
    if (a == 0 || a == b) return b;
    return b == 0 ? a : SEVERAL;
}

static bool is_kept(const Search *s, int pair) {
    return pair > 0 && !s->owners.data[s->pairs.data[pair - 1].owner].dropped;
}

static int follows_row(Search *s, int row) {
    RbArena temp = *s->w->temp;
    RbIndices vars = rb_eq_vars(s->w, equation(s, row), &temp);
    int from = 0;
    for (int i = 0; i < vars.count; i++) {
        int pair = s->pair_of[vars.data[i]];
        from = join(from, is_kept(s, pair) ? pair : s->follows[vars.data[i]]);
    }
    return from;
}

static void find_followers(Search *s) {
    for (int k = 0; k < s->order.count; k++) {
        const int *rows = s->order.rows + s->order.start[k];
        int count = s->order.start[k + 1] - s->order.start[k], from = 0;
        for (int i = 0; i < count; i++) from = join(from, follows_row(s, rows[i]));
        for (int i = 0; i < count; i++) s->follows[variable(s, rows[i])] = from;
    }
}

// Backwards from y, as far as something follows from x.
static void ask(Search *s) {
    for (int i = 0; i < s->pairs.count; i++) {
        const Pair *p = &s->pairs.data[i];
        if (is_kept(s, i + 1) && s->follows[p->y] != 0) s->asked[p->y] = true;
    }
    for (int i = s->order.start[s->order.count] - 1; i >= 0; i--) {
        int row = s->order.rows[i];
        if (!s->asked[variable(s, row)]) continue;
        RbArena temp = *s->w->temp;
        RbIndices vars = rb_eq_vars(s->w, equation(s, row), &temp);
        for (int k = 0; k < vars.count; k++) {
            if (s->follows[vars.data[k]] != 0) s->asked[vars.data[k]] = true;
        }
    }
}

// --- y = c - k x ---------------------------------------------------------------------------------

static bool varies(void *search, int v) {
    const Search *s = search;
    return s->follows[v] != 0 || is_kept(s, s->pair_of[v]);
}

static const RbExpr *without_x(void *search, const RbExpr *e) {
    const Search *s = search;
    if (e->op != RB_OP_VAR || !varies(search, e->index)) return NULL;
    return is_kept(s, s->pair_of[e->index]) ? rb_real(s->w->x, 0.0) : s->rest[e->index];
}

static bool is_steady(Search *s, const RbExpr *e) {
    RbArena temp = *s->w->temp;
    RbIndices vars = rb_expr_vars(s->w->x, e, &temp);
    for (int i = 0; i < vars.count; i++) {
        if (varies(s, vars.data[i])) return false;
    }
    return true;
}

static const RbExpr *slope_of(const Search *s, int v) {
    return is_kept(s, s->pair_of[v]) ? rb_real(s->w->x, 1.0) : s->slope[v];
}

// The equation of this row as v = rest + slope x. False: it is not linear, or v may drop out of it.
static bool resolve_row(Search *s, int row) {
    RbWork *w = s->w;
    const RbDaeEq *eq = equation(s, row);
    int v = variable(s, row);
    double number = 0;
    const RbExpr *r = rb_sub(w->x, eq->left, eq->right), *own = NULL, *others = rb_real(w->x, 0.0);
    if (rb_switches(w, r, varies, s)) return false;
    RbSlopes slopes = rb_slopes(w, r, varies, s, w->scratch);
    for (int i = 0; i < slopes.count; i++) {
        const RbExpr *slope = slopes.data[i].value;
        if (!slope || !is_steady(s, slope)) return false;
        if (slopes.data[i].var == v)
            own = slope;
        else
            others = rb_add(w->x, others, rb_mul(w->x, slope, slope_of(s, slopes.data[i].var)));
    }
    if (!own || !rb_parameter_number(w, own, &number) || number == 0) return false;
    RbArena temp = *w->nested;
    s->rest[v] = rb_work_ref(w, v); // stays while the others are replaced
    const RbExpr *left = rb_substitute_leaves(w->x, eq->left, without_x, s, temp);
    const RbExpr *right = rb_substitute_leaves(w->x, eq->right, without_x, s, temp);
    s->rest[v] = rb_solve_for(w, left, right, v);
    s->slope[v] = rb_neg(w->x, rb_div(w->x, others, own));
    return s->rest[v] != NULL;
}

// Rows in order; where one cannot be resolved its mechanism is dropped. False: some were.
static bool resolve_rows(Search *s) {
    bool fine = true;
    for (int k = 0; k < s->order.count; k++) {
        int row = s->order.rows[s->order.start[k]], v = variable(s, row), from = s->follows[v];
        bool alone = s->order.start[k + 1] - s->order.start[k] == 1;
        if (from <= 0 || !s->asked[v] || !is_kept(s, from)) continue;
        if (alone && resolve_row(s, row)) continue;
        drop(s, &s->pairs.data[from - 1]);
        fine = false;
    }
    return fine;
}

static bool resolve_pairs(Search *s) {
    bool fine = true;
    for (int i = 0; i < s->pairs.count; i++) {
        Pair *p = &s->pairs.data[i];
        RbExprs *x = s->w->x;
        int from = s->follows[p->y];
        if (!is_kept(s, i + 1)) continue;
        if (from != 0 && (from != i + 1 || !s->slope[p->y])) {
            drop(s, p);
            fine = false;
            continue;
        }
        const RbExpr *rest = from == 0 ? rb_work_ref(s->w, p->y) : s->rest[p->y];
        const RbExpr *slope = from == 0 ? rb_real(x, 0.0) : s->slope[p->y];
        p->c = p->y_sign > 0 ? rest : rb_neg(x, rest);
        p->k = p->y_sign * p->x_sign > 0 ? rb_neg(x, slope) : slope;
    }
    return fine;
}

// One attempt with those who are left. False: some were dropped.
static bool resolve(Search *s) {
    RbArena *arena = s->w->scratch;
    int vars = s->w->dae->vars.count + 1;
    set_aside(s);
    if (!sort(s)) {
        if (drop_unmatched(s)) return false;
        for (int i = 0; i < s->owners.count; i++) s->owners.data[i].dropped = true;
        return false;
    }
    s->follows = rb_new_array(arena, int, vars);
    s->asked = rb_new_array(arena, bool, vars);
    s->rest = rb_new_array(arena, const RbExpr *, vars);
    s->slope = rb_new_array(arena, const RbExpr *, vars);
    find_followers(s);
    ask(s);
    return resolve_rows(s) && resolve_pairs(s);
}

// --- the solution --------------------------------------------------------------------------------

static int add_equation(Search *s, const Owner *o, const RbExpr *left, const RbExpr *right) {
    int e = rb_work_eq(s->w, left, right, o->at, o->origin);
    s->w->dae->eqs.data[e].not_initial = true;
    return e;
}

// c and k are variables: they are computed once, and can be seen in the sorted equations.
static const RbExpr *named(Search *s, const Owner *o, const char *what, int x, const RbExpr *e) {
    RbWork *w = s->w;
    if (rb_is_constant(e)) return e;
    const char *name = rb_arena_printf(w->arena, "$%s(%s)", what, w->model->vars.data[x].name);
    const RbExpr *v = rb_work_ref(w, rb_work_var(w, name, RB_REAL, RB_DAE_ALGEBRAIC));
    add_equation(s, o, v, e);
    return v;
}

static void call_solution(Search *s, const Owner *o) {
    RbWork *w = s->w;
    int n = o->solution->count, inputs = o->call->arg_count;
    const RbExpr **args = rb_new_array(w->arena, const RbExpr *, inputs + 2 * n + 1);
    const Pair *pairs = s->pairs.data + o->first;
    for (int i = 0; i < inputs; i++) args[i] = o->call->args[i];
    for (int i = 0; i < n; i++) {
        args[inputs + i] = named(s, o, "drive", pairs[i].x, pairs[i].c);
        args[inputs + n + i] = named(s, o, "inertia", pairs[i].x, pairs[i].k);
    }
    const RbExpr *call =
        rb_call_function(w->x, o->solution->function, RB_REAL, 0, args, inputs + 2 * n);
    for (int i = 0; i < n; i++) {
        const RbExpr *x = rb_result(w->x, call, i, RB_REAL, 0);
        add_equation(s, o, rb_work_ref(w, pairs[i].x), pairs[i].x_sign > 0 ? x : rb_neg(w->x, x));
    }
    add_equation(s, o, rb_work_ref(w, o->rows->component.token),
                 rb_result(w->x, call, n, RB_REAL, 0));
}

static bool any_left(const Search *s) {
    for (int i = 0; i < s->owners.count; i++) {
        if (!s->owners.data[i].dropped) return true;
    }
    return false;
}

void rb_use_row_solutions(RbWork *w) {
    if (w->options->no_row_solutions) return;
    int vars = w->dae->vars.count + 1;
    Search s = {.w = w,
                .owner_of = rb_new_array(w->scratch, int, vars),
                .pair_of = rb_new_array(w->scratch, int, vars),
                .kinds = rb_new_array(w->scratch, RbDaeKind, vars)};
    for (int v = 0; v < w->dae->vars.count; v++) s.kinds[v] = rb_work_at(w, v)->kind;
    find_owners(&s);
    while (any_left(&s) && !resolve(&s)) continue;
    if (s.owners.count == 0) return;
    if (!any_left(&s)) set_aside(&s); // nothing is
    for (int i = 0; i < s.pairs.count; i++) take_as_known(&s, s.pairs.data[i].x, false);
    for (int i = 0; i < s.owners.count; i++) {
        take_as_known(&s, s.owners.data[i].rows->component.token, false);
        if (!s.owners.data[i].dropped) call_solution(&s, &s.owners.data[i]);
    }
}
