// SPDX-License-Identifier: MIT
// pantelides.c: which equations must be differentiated (Pantelides 1988; docs/theory/dae.md,
// section 4).
//
// Every equation must find a variable of its own among those that are not differentiated further.
// Where it finds none, the equations on the way have fewer such variables than they are: they
// constrain lower derivatives, and are differentiated.
#include "dae/graph.h"
#include "dae/report.h"
#include "dae/work.h"

typedef struct Uses {
    int *vars;
    int count;
} Uses;

typedef struct Pantelides {
    RbWork *w;
    RB_ARRAY(Uses) uses;    // per equation: its continuous unknowns
    RB_ARRAY(int) assigned; // per variable: the equation it was given to, or -1
    RB_ARRAY(int) seen_eq;  // stamps
    RB_ARRAY(int) seen_var;
    RB_ARRAY(int) next;    // per equation: where the search goes on
    RB_ARRAY(int) chosen;  // per equation on the path: the variable it tries to take
    RB_ARRAY(int) reached; // equations seen in this search
    RB_ARRAY(int) path;
    RB_ARRAY(int) again; // equations that lost their variable: it got a derivative elsewhere
    int stamp;
} Pantelides;

static bool continuous(RbWork *w, int v) {
    RbDaeKind kind = rb_work_at(w, v)->kind;
    return kind == RB_DAE_ALGEBRAIC || kind == RB_DAE_STATE || kind == RB_DAE_DERIVATIVE;
}

static Uses uses_of(Pantelides *p, int eq) {
    RbWork *w = p->w;
    RbDaeEq e = w->dae->eqs.data[eq];
    e.left = rb_inlined(w, e.left);
    e.right = rb_inlined(w, e.right);
    RbIndices all = rb_eq_vars(w, &e, w->scratch);
    Uses u = {all.data, 0};
    for (int i = 0; i < all.count; i++) {
        if (continuous(w, all.data[i])) u.vars[u.count++] = all.data[i];
    }
    return u;
}

// Keep the tables as long as the lists of equations and variables.
static void extend(Pantelides *p) {
    RbArena *a = p->w->scratch;
    while (p->assigned.count < p->w->dae->vars.count) {
        rb_array_push(&p->assigned, a, -1);
        rb_array_push(&p->seen_var, a, 0);
    }
    while (p->uses.count < p->w->dae->eqs.count) {
        Uses u = {0};
        if (p->w->dae->eqs.data[p->uses.count].assigns < 0) u = uses_of(p, p->uses.count);
        rb_array_push(&p->uses, a, u);
        rb_array_push(&p->seen_eq, a, 0);
        rb_array_push(&p->next, a, 0);
        rb_array_push(&p->chosen, a, -1);
    }
}

static bool is_highest(const Pantelides *p, int v) {
    return rb_work_at(p->w, v)->derivative < 0;
}

static void enter(Pantelides *p, int eq) {
    p->seen_eq.data[eq] = p->stamp;
    p->next.data[eq] = 0;
    rb_array_push(&p->path, p->w->scratch, eq);
    rb_array_push(&p->reached, p->w->scratch, eq);
}

static int free_var(Pantelides *p, int eq) {
    const Uses *u = &p->uses.data[eq];
    for (int i = 0; i < u->count; i++) {
        if (is_highest(p, u->vars[i]) && p->assigned.data[u->vars[i]] < 0) return u->vars[i];
    }
    return -1;
}

// Depth-first search for an augmenting path; equations and variables that were reached are stamped.
static bool find_variable(Pantelides *p, int root) {
    p->stamp++;
    p->path.count = p->reached.count = 0;
    enter(p, root);
    while (p->path.count > 0) {
        int eq = p->path.data[p->path.count - 1];
        if (p->next.data[eq] == 0) {
            int v = free_var(p, eq);
            if (v >= 0) {
                p->chosen.data[eq] = v;
                for (int i = 0; i < p->path.count; i++)
                    p->assigned.data[p->chosen.data[p->path.data[i]]] = p->path.data[i];
                return true;
            }
        }
        const Uses *u = &p->uses.data[eq];
        bool deeper = false;
        while (!deeper && p->next.data[eq] < u->count) {
            int v = u->vars[p->next.data[eq]++];
            if (!is_highest(p, v) || p->seen_var.data[v] == p->stamp) continue;
            p->seen_var.data[v] = p->stamp;
            int other = p->assigned.data[v];
            if (other < 0 || p->seen_eq.data[other] == p->stamp) continue;
            p->chosen.data[eq] = v;
            enter(p, other);
            deeper = true;
        }
        if (!deeper) p->path.count--;
    }
    return false;
}

static RbStatus differentiate(Pantelides *p, int eq) {
    RbWork *w = p->w;
    RbDaeEq e = w->dae->eqs.data[eq];
    if (w->dae->any_whole && (rb_has_whole(w, e.left) || rb_has_whole(w, e.right)))
        return rb_blame_arrays(w, &e, "an equation with it must be differentiated");
    const RbExpr *left = rb_time_derivative(w, e.left, e.at),
                 *right = rb_time_derivative(w, e.right, e.at);
    if (!left || !right) return RB_ERROR_MODEL;
    int d = rb_work_eq(w, left, right, e.at, e.origin);
    w->dae->eqs.data[d].integral = eq;
    w->dae->eqs.data[eq].derivative = d;
    w->dae->stats.differentiated++;
    return RB_OK;
}

// The derivative of delay(e, T) needs that of e, although e does not occur in it, and that of a call needs those of all arguments, although
// what its body does may not contain them: the equation of such a variable has to look for another one.
static void take_back(Pantelides *p, int first) {
    for (int v = first; v < p->w->dae->vars.count; v++) {
        int below = rb_work_at(p->w, v)->integral;
        int eq = below >= 0 ? p->assigned.data[below] : -1;
        if (eq < 0 || p->w->dae->eqs.data[eq].derivative >= 0) continue;
        p->assigned.data[below] = -1;
        rb_array_push(&p->again, p->w->scratch, eq);
    }
}

// All equations and variables that the failed search reached move up one derivative.
static RbStatus differentiate_reached(Pantelides *p) {
    RbWork *w = p->w;
    int count = p->reached.count, first = w->dae->vars.count;
    int *eqs = rb_new_array(w->scratch, int, count);
    for (int i = 0; i < count; i++) eqs[i] = p->reached.data[i];
    RB_ARRAY(int) vars = {0};
    for (int i = 0; i < count; i++) {
        const Uses *u = &p->uses.data[eqs[i]];
        for (int k = 0; k < u->count; k++) {
            if (p->seen_var.data[u->vars[k]] != p->stamp) continue;
            p->seen_var.data[u->vars[k]] = 0; // once
            rb_array_push(&vars, w->scratch, u->vars[k]);
        }
    }
    for (int i = 0; i < vars.count; i++) rb_work_derivative(w, vars.data[i]);
    for (int i = 0; i < count; i++) RB_TRY(differentiate(p, eqs[i]));
    extend(p);
    for (int i = 0; i < vars.count; i++) {
        int v = vars.data[i], eq = p->assigned.data[v];
        if (eq >= 0)
            p->assigned.data[rb_work_at(w, v)->derivative] = w->dae->eqs.data[eq].derivative;
    }
    take_back(p, first);
    return RB_OK;
}

// Equation e, or the derivative of it that has to be formed, gets a variable of its own.
static RbStatus place(Pantelides *p, int e) {
    for (; !find_variable(p, e); e = p->w->dae->eqs.data[e].derivative)
        RB_TRY(differentiate_reached(p));
    return RB_OK;
}

// --- the check before: every equation has a variable of its own, derivatives counted as the ------
// variable itself -------------------

static int root_of(RbWork *w, int v) {
    while (rb_work_at(w, v)->integral >= 0) v = rb_work_at(w, v)->integral;
    return v;
}

static RbStatus check_structure(Pantelides *p) {
    RbWork *w = p->w;
    int eqs = w->dae->eqs.count, vars = w->dae->vars.count, rows = 0, columns = 0, items = 0,
        total = 0;
    int *column = rb_new_array(w->scratch, int, vars + 1),
        *column_vars = rb_new_array(w->scratch, int, vars + 1);
    int *row_eqs = rb_new_array(w->scratch, int, eqs + 1),
        *start = rb_new_array(w->scratch, int, eqs + 2);
    for (int v = 0; v < vars; v++) {
        column[v] = -1;
        if (!continuous(w, v) || rb_work_at(w, v)->integral >= 0) continue;
        column_vars[columns] = v;
        column[v] = columns++;
    }
    for (int e = 0; e < eqs; e++) total += p->uses.data[e].count;
    int *list = rb_new_array(w->scratch, int, total + 1);
    for (int e = 0; e < eqs; e++) {
        if (w->dae->eqs.data[e].assigns >= 0) continue;
        row_eqs[rows] = e;
        for (int i = 0; i < p->uses.data[e].count; i++)
            list[items++] = column[root_of(w, p->uses.data[e].vars[i])];
        start[++rows] = items;
    }
    RbGraph g = {rows, columns, start, list};
    RbMatching m = rb_match(&g, (int[]){columns, columns, columns, columns}, w->scratch, *w->temp);
    if (m.size == rows && m.size == columns) return RB_OK;
    return rb_report_singular(w, &g, &m, row_eqs, column_vars, w->dae->eqs.data, "the model");
}

// What is preferred as a state may be one although nobody differentiates it: then the equation that
// it follows from must be.
static void wish_derivatives(RbWork *w) {
    int count = w->dae->vars.count;
    for (int v = 0; v < count && !w->options->only_derivatives; v++) {
        const RbDaeVar *var = rb_work_at(w, v);
        bool wished = var->kind == RB_DAE_ALGEBRAIC && var->derivative < 0 && !var->whole &&
                      w->model->vars.data[v].attributes.state_select >= RB_STATE_PREFER;
        if (!wished || rb_was_no_state(w, v)) continue;
        rb_work_derivative(w, v);
        rb_work_at(w, v)->wished = true;
        w->dae->any_wished = true;
    }
}

RbStatus rb_pantelides(RbWork *w) {
    Pantelides p = {.w = w};
    wish_derivatives(w);
    extend(&p);
    RB_TRY(check_structure(&p));
    int count = w->dae->eqs.count;
    for (int k = 0; k < count; k++) { // cheap pass: most equations take a free variable
        if (w->dae->eqs.data[k].assigns >= 0) continue;
        int v = free_var(&p, k);
        if (v >= 0) p.assigned.data[v] = k;
        p.chosen.data[k] = v;
    }
    for (int k = 0; k < count; k++) {
        if (w->dae->eqs.data[k].assigns >= 0 || p.chosen.data[k] >= 0) continue;
        RB_TRY(place(&p, k));
    }
    for (int k = 0; k < p.again.count; k++) {
        if (w->dae->eqs.data[p.again.data[k]].derivative < 0) RB_TRY(place(&p, p.again.data[k]));
    }
    return RB_OK;
}
