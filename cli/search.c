// SPDX-License-Identifier: MIT
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef RB_NLOPT

#include <nlopt.h>

static const SearchMethod methods[] = {
    {"cobyla", NLOPT_LN_COBYLA, .inequalities = true, .equalities = true},
    {"bobyqa", NLOPT_LN_BOBYQA, .several = true},
    {"nelder-mead", NLOPT_LN_NELDERMEAD},
    {"sbplx", NLOPT_LN_SBPLX},
    {"slsqp", NLOPT_LD_SLSQP, .gradient = true, .inequalities = true, .equalities = true},
    {"mma", NLOPT_LD_MMA, .gradient = true, .inequalities = true},
    {"lbfgs", NLOPT_LD_LBFGS, .gradient = true},
    {"direct", NLOPT_GN_DIRECT_L, .global = true},
    {"crs", NLOPT_GN_CRS2_LM, .global = true},
    {"esch", NLOPT_GN_ESCH, .global = true},
    {"isres", NLOPT_GN_ISRES, .global = true, .inequalities = true, .equalities = true},
    {0},
};

const SearchMethod *search_method(int i) {
    return methods[i].name ? &methods[i] : NULL;
}

// Values and derivatives at one point, which NLopt asks for one by one.
typedef struct Local {
    const SearchProblem *problem;
    nlopt_opt optimizer;
    int columns;             // 1 + constraints
    double *points, *values; // of a batch: the point itself, then up and down along each unknown
    double *gradient;        // columns x unknowns
    double *x, *best;
    double best_value, worst;
    bool known, with_gradient, any, spent; // spent: most_points were used up
    int used;
} Local;

typedef struct Constraint {
    Local *local;
    int column;
} Constraint;

static const double step = 1e-4; // of the difference quotients

// A failed run counts as worse than everything before it.
static void replace_failures(Local *l, int count) {
    for (int i = 0; i < count; i++) {
        double *v = l->values + i * l->columns;
        bool good = true;
        for (int c = 0; c < l->columns; c++) good &= isfinite(v[c]) != 0;
        if (good) {
            l->worst = l->any ? fmax(l->worst, v[0]) : v[0];
            l->any = true;
            continue;
        }
        v[0] = l->any ? l->worst + 1 + fabs(l->worst) : 1e10;
        for (int c = 1; c < l->columns; c++)
            if (!isfinite(v[c])) v[c] = 1 + fabs(v[0]);
    }
}

static bool holds(const Local *l, const double *values) {
    for (int c = 1; c < l->columns; c++) {
        double over = l->problem->equality[c - 1] ? fabs(values[c]) : values[c];
        if (over > 1e-6) return false;
    }
    return true;
}

static void remember_best(Local *l) {
    if (!holds(l, l->values) || !(l->values[0] < l->best_value)) return;
    l->best_value = l->values[0];
    memcpy(l->best, l->x, (size_t)l->problem->unknowns * sizeof *l->x);
}

static void differentiate(Local *l) {
    int n = l->problem->unknowns, m = l->columns;
    for (int j = 0; j < n; j++) {
        const double *up = l->points + (1 + 2 * j) * n, *down = up + n;
        const double *above = l->values + (1 + 2 * j) * m, *below = above + m;
        for (int c = 0; c < m; c++)
            l->gradient[c * n + j] = (above[c] - below[c]) / (up[j] - down[j]);
    }
}

static bool evaluate(Local *l, const double *x, bool gradient) {
    const SearchProblem *p = l->problem;
    size_t n = (size_t)p->unknowns;
    if (l->known && (l->with_gradient || !gradient) && memcmp(l->x, x, n * sizeof *x) == 0)
        return true;
    int count = gradient ? 1 + 2 * p->unknowns : 1;
    l->known = false;
    if (l->used + count > p->most_points) {
        l->spent = true;
        nlopt_force_stop(l->optimizer);
        return false;
    }
    for (int i = 0; i < count; i++) memcpy(l->points + (size_t)i * n, x, n * sizeof *x);
    for (int i = 1; i < count; i++) {
        double *u = &l->points[(size_t)i * n + (size_t)(i - 1) / 2];
        *u = fmin(1, fmax(0, *u + (i % 2 ? step : -step)));
    }
    if (!p->evaluate(p->user, l->points, count, l->values)) {
        nlopt_force_stop(l->optimizer);
        return false;
    }
    l->used += count;
    memcpy(l->x, x, n * sizeof *x);
    replace_failures(l, count);
    remember_best(l);
    if (gradient) differentiate(l);
    l->known = true, l->with_gradient = gradient;
    return true;
}

static double column(Local *l, int c, const double *x, double *gradient) {
    size_t n = (size_t)l->problem->unknowns;
    if (!evaluate(l, x, gradient != NULL)) return HUGE_VAL;
    if (gradient) memcpy(gradient, l->gradient + (size_t)c * n, n * sizeof *gradient);
    return l->values[c];
}

static double objective(unsigned n, const double *x, double *gradient, void *data) {
    (void)n;
    return column(data, 0, x, gradient);
}

static double constraint(unsigned n, const double *x, double *gradient, void *data) {
    Constraint *c = data;
    (void)n;
    return column(c->local, c->column, x, gradient);
}

static bool set_up(Local *l, const SearchMethod *method, Constraint *constraints) {
    const SearchProblem *p = l->problem;
    nlopt_opt o = l->optimizer = nlopt_create((nlopt_algorithm)method->algorithm, (unsigned)p->unknowns);
    bool good = o && nlopt_set_min_objective(o, objective, l) >= 0 && nlopt_set_lower_bounds1(o, 0) >= 0 &&
                nlopt_set_upper_bounds1(o, 1) >= 0 && nlopt_set_xtol_abs1(o, p->precision) >= 0;
    if (good && isfinite(p->target)) good = nlopt_set_stopval(o, p->target) >= 0;
    if (good && !method->gradient && !method->global) good = nlopt_set_initial_step1(o, 0.1) >= 0;
    for (int i = 0; good && i < p->constraints; i++) {
        constraints[i] = (Constraint){l, i + 1};
        good = (p->equality[i] ? nlopt_add_equality_constraint(o, constraint, &constraints[i], 1e-7)
                               : nlopt_add_inequality_constraint(o, constraint, &constraints[i], 1e-9)) >= 0;
    }
    return good;
}

static SearchEnd end_of(nlopt_result result, bool spent) {
    switch (result) {
        case NLOPT_STOPVAL_REACHED: return SEARCH_TARGET;
        case NLOPT_FAILURE: // a line search that finds nothing better
        case NLOPT_ROUNDOFF_LIMITED: return SEARCH_STUCK;
        case NLOPT_FORCED_STOP: return spent ? SEARCH_RUNS : SEARCH_STOPPED;
        default: return result > 0 ? SEARCH_PRECISION : SEARCH_FAILED;
    }
}

// A global method has half of the points, its refinement the others.
static SearchEnd run_method(Local *l, const SearchMethod *method, int most, double *x) {
    SearchProblem p = *l->problem;
    Constraint *constraints = calloc((size_t)p.constraints + 1, sizeof *constraints);
    double value;
    SearchEnd end = SEARCH_FAILED;
    const SearchProblem *whole = l->problem;
    p.most_points = most;
    l->problem = &p, l->known = l->spent = false;
    if (constraints && set_up(l, method, constraints)) {
        nlopt_result result = nlopt_optimize(l->optimizer, x, &value);
        end = end_of(result, l->spent);
    }
    if (l->best_value < INFINITY) memcpy(x, l->best, (size_t)p.unknowns * sizeof *x);
    l->problem = whole;
    nlopt_destroy(l->optimizer);
    free(constraints);
    return end;
}

SearchEnd search_run(const SearchProblem *p, double *x) {
    size_t n = (size_t)p->unknowns, m = (size_t)p->constraints + 1, batch = 2 * n + 1;
    double *room = calloc(batch * n + batch * m + m * n + 2 * n, sizeof *room);
    if (!room) return SEARCH_FAILED;
    Local l = {.problem = p, .columns = (int)m, .best_value = INFINITY};
    l.points = room, l.values = l.points + batch * n, l.gradient = l.values + batch * m;
    l.x = l.gradient + m * n, l.best = l.x + n;
    nlopt_srand(p->seed); // of this thread
    SearchEnd end = run_method(&l, p->method, p->refinement ? p->most_points / 2 : p->most_points, x);
    if (p->refinement && (end == SEARCH_PRECISION || end == SEARCH_RUNS))
        end = run_method(&l, p->refinement, p->most_points, x);
    free(room);
    return end;
}

#else

const SearchMethod *search_method(int i) {
    (void)i;
    return NULL;
}

SearchEnd search_run(const SearchProblem *problem, double *x) {
    (void)problem, (void)x;
    return SEARCH_FAILED;
}

#endif
