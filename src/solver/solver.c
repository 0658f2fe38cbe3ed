// SPDX-License-Identifier: MIT
#include "solver/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <sundials/sundials_context.h>

#include "base/assert.h"
#include "math/gauss.h"
#include "solver/integrator.h"

// Steps in sequence that leave t as it is before we give up: a few can happen beside a root.
// Steps in sequence that hardly change the time; those that do not at all count ten.
enum { LONGEST_STANDSTILL = 1000 };

// ---- options ----

typedef struct MethodName {
    const char *name;
    RbMethod method;
    RbTable table;
} MethodName;

// The first name of a pair (method, table) is the one that is printed.
static const MethodName method_names[] = {
    {"bdf", RB_CVODE_BDF, 0},
    {"cvode", RB_CVODE_BDF, 0},
    {"adams", RB_CVODE_ADAMS, 0},
    {"ida", RB_IDA, 0},
    {"leapfrog", RB_LEAPFROG, 0},
    {"caller", RB_CALLER, 0},
    {"dp5", RB_ARKODE, RB_TABLE_DORMAND_PRINCE5},
    {"bs3", RB_ARKODE, RB_TABLE_BOGACKI_SHAMPINE3},
    {"ck5", RB_ARKODE, RB_TABLE_CASH_KARP5},
    {"verner6", RB_ARKODE, RB_TABLE_VERNER6},
    {"fehlberg8", RB_ARKODE, RB_TABLE_FEHLBERG8},
};
enum { METHOD_NAME_COUNT = sizeof method_names / sizeof *method_names };

RbSolverOptions rb_solver_options(void) {
    return (RbSolverOptions){.method = RB_CVODE_BDF, .tolerance = 1e-6, .max_steps = 100000};
}

bool rb_solver_find_method(const char *name, RbMethod *method, RbTable *table) {
    for (int i = 0; i < METHOD_NAME_COUNT; i++) {
        if (strcmp(method_names[i].name, name) == 0) {
            *method = method_names[i].method;
            *table = method_names[i].table;
            return true;
        }
    }
    return false;
}

const char *rb_solver_method_name(RbMethod method, RbTable table) {
    for (int i = 0; i < METHOD_NAME_COUNT; i++) {
        const MethodName *m = &method_names[i];
        if (m->method == method && (method != RB_ARKODE || m->table == table)) return m->name;
    }
    return "unknown";
}

// ---- creation ----

static RbStatus check_tolerances(const RbOde *ode, const RbSolverOptions *o, RbDiag *diag) {
    if (!(o->tolerance > 0) || !(o->tolerance < 1)) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the tolerance is %g; it must lie between 0 and 1 (usual: 1e-4 to 1e-10)",
                       o->tolerance);
    }
    for (int i = 0; i < ode->n; i++) {
        double absolute = o->absolute ? o->absolute[i] : 1,
               relative = o->relative ? o->relative[i] : 0;
        if (!(absolute > 0) || !(relative >= 0) || isinf(absolute) || isinf(relative)) {
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "state %d has absolute tolerance %g and relative tolerance %g; the "
                           "first must be positive, "
                           "the second not negative",
                           i, absolute, relative);
        }
    }
    return RB_OK;
}

static RbStatus check_input(const RbOde *ode, const RbSolverOptions *o, RbDiag *diag) {
    RB_ASSERT(ode->n >= 0 && ode->root_count >= 0 && ode->quad_count >= 0);
    RB_ASSERT(ode->n == 0 || ode->derivative || (ode->residual && o->method == RB_IDA));
    RB_ASSERT(ode->root_count == 0 || ode->roots);
    RB_ASSERT(ode->quad_count == 0 || ode->quadrature);
    RB_ASSERT(!ode->pattern || ode->pattern->n == ode->n);
    if (ode->residual && o->method != RB_IDA) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the method '%s' cannot integrate equations that are not solved for the "
                       "derivatives; use 'ida'",
                       rb_solver_method_name(o->method, o->table));
    }
    if (o->linear == RB_LINEAR_SPARSE && !ode->pattern) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the sparse linear solver needs a pattern");
    }
    if (!(o->max_step >= 0) || !(o->initial_step >= 0) || o->max_order < 0) {
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "largest step %g s, first step %g s and highest order %d must not be negative",
            o->max_step, o->initial_step, o->max_order);
    }
    return check_tolerances(ode, o, diag);
}

static void free_solver(void *solver) {
    RbSolver *s = solver;
    if (s->memory) s->integrator->free(s);
    rb_explicit_free_table(s);
    if (s->nonlinear_solver) SUNNonlinSolFree(s->nonlinear_solver);
    if (s->linear_solver) SUNLinSolFreeEmpty(s->linear_solver);
    if (s->matrix) SUNMatFreeEmpty(s->matrix);
    N_Vector vectors[] = {s->x, s->dx, s->work, s->x_old, s->differential};
    for (int i = 0; i < 5; i++) {
        if (vectors[i]) N_VDestroy(vectors[i]);
    }
    rb_linear_free(&s->linear);
    if (s->context) SUNContext_Free(&s->context);
}

// Only of states that have one.
static void copy_ranges(RbSolver *s) {
    const double *range = s->options.range;
    int count = 0;
    for (int i = 0; range && i < s->ode.n; i++) count += range[i] > 0;
    s->ranges = rb_new_array(s->arena, RbStateRange, count);
    for (int i = 0; range && i < s->ode.n; i++) {
        if (range[i] > 0) s->ranges[s->range_count++] = (RbStateRange){i, range[i], 0};
    }
    s->options.range = NULL;
}

static void copy_tolerances(RbSolver *s) {
    const RbSolverOptions *o = &s->options;
    s->relative = rb_new_array(s->arena, double, s->size);
    s->absolute = rb_new_array(s->arena, double, s->size);
    s->scale = rb_new_array(s->arena, double, s->size);
    for (int i = 0; i < s->ode.n; i++) {
        s->relative[i] = o->relative ? o->relative[i] : o->tolerance;
        s->absolute[i] = o->absolute ? o->absolute[i] : o->tolerance;
        s->scale[i] = s->absolute[i] /
                      o->tolerance; // the nominal value, if that is where `absolute` comes from
    }
    copy_ranges(s);
    s->options.relative = s->relative;
    s->options.absolute = s->absolute;
}

static void copy_blocks(RbSolver *s) {
    const int *block = s->options.block;
    if (!block || s->ode.n == 0) return;
    int *of = rb_new_array(s->arena, int, s->ode.n);
    for (int i = 0; i < s->ode.n; i++) {
        of[i] = block[i];
        if (of[i] >= s->blocks.count) s->blocks.count = of[i] + 1;
    }
    s->blocks.of = of;
    s->blocks.sum = rb_new_array(s->arena, double, s->blocks.count);
    s->blocks.share = rb_new_array(s->arena, double, s->blocks.count);
    for (int i = 0; i < s->ode.n; i++) s->blocks.share[of[i]] += 1;
    for (int k = 0; k < s->blocks.count; k++) {
        if (s->blocks.share[k] > 0) s->blocks.share[k] = 1 / s->blocks.share[k];
    }
    s->options.block = of;
}

static N_Vector new_vector(RbSolver *s) {
    return rb_sun_vector(s, rb_new_array(s->arena, double, s->size));
}

static void create_vectors(RbSolver *s) {
    s->x = new_vector(s);
    s->work = new_vector(s);
    s->x_old = new_vector(s);
    if (s->options.method == RB_IDA) {
        s->dx = new_vector(s);
        s->differential = new_vector(s);
        double *differential = N_VGetArrayPointer(s->differential);
        for (int i = 0; i < s->size; i++)
            differential[i] = !s->ode.differential || s->ode.differential[i];
    }
    s->roots = rb_new_array(s->arena, int, s->ode.root_count);
    s->q = rb_new_array(s->arena, double, s->ode.quad_count);
    s->q_old = rb_new_array(s->arena, double, s->ode.quad_count);
    s->dq = rb_new_array(s->arena, double, s->ode.quad_count);
    s->q_work = rb_new_array(s->arena, double, RB_GAUSS_WORK * s->ode.quad_count);
}

bool rb_solver_needs_matrix(RbMethod method) {
    return method == RB_CVODE_BDF || method == RB_IDA;
}

static bool is_implicit(const RbSolver *s) {
    return rb_solver_needs_matrix(s->options.method);
}

static void use_pattern(RbSolver *s, const RbPattern *pattern) {
    s->ode.pattern = pattern;
    if (!is_implicit(s)) return;
    rb_linear_set_pattern(&s->linear, s->size, pattern, s->options.linear, s->arena);
    if (rb_solver_has_parts(s))
        rb_residual_parts_open(s);
    else
        rb_difference_set_pattern(&s->difference, s->size, pattern, s->arena);
}

static void create_linear_solver(RbSolver *s) {
    use_pattern(s, s->ode.n > 0 ? s->ode.pattern : NULL);
    if (!is_implicit(s)) return;
    s->matrix = rb_sun_matrix(&s->linear, s->context);
    rb_sun_require(s, s->matrix != NULL);
    s->linear_solver = rb_sun_linear_solver(&s->linear, s->context);
    rb_sun_require(s, s->linear_solver != NULL);
}

static const RbIntegrator *choose_integrator(RbMethod method) {
    switch (method) {
        case RB_CVODE_BDF:
        case RB_CVODE_ADAMS: return &rb_cvode_integrator;
        case RB_ARKODE: return &rb_explicit_integrator;
        case RB_IDA: return &rb_ida_integrator;
        case RB_LEAPFROG: return &rb_leapfrog_integrator;
        case RB_CALLER: return &rb_caller_integrator;
    }
    return NULL;
}

// What stands in for states may err by the tolerance times the largest value since the start times a second, or a tenth of
// the time that all is about. What was zero so far is taken for small, not for nothing.
static void weigh_time(RbSolver *s) {
    const double least = 1e-6;
    double span = s->options.span, time = span > 0 ? fmin(0.1 * span, 1) : 1; // [s]
    for (int i = s->ode.n; i < s->size; i++) {
        s->relative[i] = s->options.tolerance;
        s->absolute[i] = s->options.tolerance * time * fmax(s->scale[i], least);
    }
}

// From here on s->t and s->x count, and nothing that happened before.
static RbStatus start(RbSolver *s) {
    double *x = N_VGetArrayPointer(s->x);
    s->t_old = s->t;
    s->pattern_changed = false;
    s->standstill = 0;
    s->mishap = (RbMishap){0};
    s->at_root = false;
    for (int i = s->ode.n; i < s->size; i++) x[i] = s->scale[i] = 0;
    weigh_time(s);
    for (int i = 0; i < s->ode.n; i++) {
        if (!(fabs(x[i]) <= DBL_MAX)) {
            s->mishap = (RbMishap){"start value of state", s->t, -1, i, x[i]};
            return rb_solver_fail(s, RB_TROUBLE_MODEL, 0);
        }
    }
    rb_linear_restart(&s->linear);
    int flag = s->integrator->restart(s);
    return flag < 0 ? rb_solver_fail(s, s->integrator->trouble(flag), flag) : RB_OK;
}

RbStatus rb_solver_create(const RbOde *ode, const RbSolverOptions *options, double t,
                          const double *x, RbArena *arena, RbDiag *diag, RbSolver **out) {
    RB_TRY(check_input(ode, options, diag));
    RbSolver *s = rb_new(arena, RbSolver);
    *s = (RbSolver){.ode = *ode, .options = *options, .arena = arena, .diag = diag, .t = t};
    s->integrator = choose_integrator(options->method);
    s->first_step = options->initial_step;
    s->size = ode->n > 0 ? ode->n : ode->quad_count > 0 ? ode->root_count + ode->quad_count : 1;
    rb_arena_defer(arena, free_solver, s);

    rb_sun_require(s, SUNContext_Create(NULL, &s->context) == 0);
    copy_tolerances(s);
    copy_blocks(s);
    s->blocks.pool = rb_vector_pool(s->size, RB_POOL_INTEGRATOR, arena);
    create_vectors(s);
    if (ode->n > 0) memcpy(N_VGetArrayPointer(s->x), x, sizeof(double) * (size_t)ode->n);
    create_linear_solver(s);
    s->integrator->create(s);
    *out = s;
    return start(s);
}

// ---- restart ----

RbStatus rb_solver_restart(RbSolver *s, double t, const double *x) {
    if (t > s->t_old && t < s->t && s->ode.quad_count > 0) {
        RB_TRY(rb_solver_integrate_quadratures(s, t, true, s->q));
    } else if (t == s->t_old && s->ode.quad_count > 0) {
        memcpy(s->q, s->q_old, sizeof(double) * (size_t)s->ode.quad_count);
    }
    if (s->memory) s->integrator->add_counters(s, &s->stats);
    s->stats.restarts++;
    s->t = t;
    if (s->ode.n > 0) memmove(N_VGetArrayPointer(s->x), x, sizeof(double) * (size_t)s->ode.n);
    memcpy(s->q_old, s->q, sizeof(double) * (size_t)s->ode.quad_count);
    rb_log(s->options.log, RB_LOG_SOLVER, "t = %.12g s: restart after %ld steps", t,
           s->stats.steps);
    return start(s);
}

void rb_solver_first_step(RbSolver *s, double step) {
    double typed = s->options.initial_step;
    s->first_step = !isfinite(step) ? typed : typed > 0 ? fmin(typed, step) : step;
}

RbStatus rb_solver_set_pattern(RbSolver *s, const RbPattern *pattern) {
    RB_ASSERT(!pattern || pattern->n == s->ode.n);
    if (s->options.linear == RB_LINEAR_SPARSE && !pattern) {
        return rb_fail(s->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the sparse linear solver needs a pattern");
    }
    s->ode.state_pattern = NULL;
    use_pattern(s, s->ode.n > 0 ? pattern : NULL);
    if (s->start_system) rb_nonlinear_set_pattern(s->start_system, pattern);
    s->pattern_changed = true;
    return RB_OK;
}

// ---- steps ----

// Times closer than this are one time for the integrators. [s]
static double time_rounding(double a, double b) {
    return 2 * DBL_EPSILON * (fabs(a) + fabs(b));
}

// Was the last step one of rounding only? Then the libraries did not make it, and nothing lies in it.
static bool was_instant(const RbSolver *s) {
    return s->t - s->t_old <= time_rounding(s->t_old, s->t);
}

static void copy_vector(const RbSolver *s, N_Vector from, N_Vector to) {
    memcpy(N_VGetArrayPointer(to), N_VGetArrayPointer(from), sizeof(double) * (size_t)s->size);
}

// Move to at most t_stop; the flag of the library.
static int move(RbSolver *s, double t_stop) {
    if (t_stop - s->t <= time_rounding(s->t, t_stop)) return RB_FLAG_STOP;
    if (s->integrator->time(s) > t_stop) return s->integrator->look_back(s, t_stop);
    return s->integrator->step(s, t_stop);
}

static void go_back(RbSolver *s) {
    s->t = s->t_old; // the libraries leave time and state of some attempt behind
    copy_vector(s, s->x_old, s->x);
}

// An indicator that crosses zero so slowly that it is still exactly zero a rounding error later (a
// temperature in kelvin minus a limit) makes the libraries give up if the integration goes on
// behind the root. A restart lets them wait until it has left zero.
static int move_on(RbSolver *s, double t_stop) {
    int flag = move(s, t_stop);
    if (flag != RB_FLAG_ILL_INPUT || !s->at_root) return flag;
    go_back(s);
    if (rb_solver_restart(s, s->t, N_VGetArrayPointer(s->x)) != RB_OK) return flag;
    return move(s, t_stop);
}

static RbStopWhy why_stopped(RbSolver *s, double t_stop, int flag) {
    if (flag == RB_FLAG_ROOT) {
        s->integrator->root_info(s, s->roots);
        return RB_STOP_ROOT;
    }
    if (flag == RB_FLAG_STOP || t_stop - s->t <= time_rounding(s->t, t_stop)) {
        s->t = t_stop;
        return RB_STOP_END;
    }
    return RB_STOP_STEP;
}

RbStatus rb_solver_step(RbSolver *s, double t_stop, RbStop *stop) {
    RB_ASSERT(!s->pattern_changed);
    if (!(t_stop >= s->t - time_rounding(s->t, t_stop)) || isinf(t_stop)) {
        return rb_fail(s->diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                       "t = %.9g s: cannot step to the stop time %.9g s", s->t, t_stop);
    }
    s->t_old = s->t;
    copy_vector(s, s->x, s->x_old);
    memcpy(s->q_old, s->q, sizeof(double) * (size_t)s->ode.quad_count);
    int flag = move_on(s, t_stop);
    if (flag < 0) {
        go_back(s);
        return rb_solver_fail(s, s->integrator->trouble(flag), flag);
    }

    weigh_time(s);
    RbStopWhy why = why_stopped(s, t_stop, flag);
    s->at_root = why == RB_STOP_ROOT;
    bool crept = why == RB_STOP_STEP && s->t - s->t_old <= 4 * DBL_EPSILON * fabs(s->t);
    s->standstill = crept ? s->standstill + (s->t == s->t_old ? 10 : 1) : 0;
    if (s->standstill >= LONGEST_STANDSTILL) return rb_solver_fail(s, RB_TROUBLE_STUCK, 0);
    if (s->ode.quad_count > 0 && !was_instant(s))
        RB_TRY(rb_solver_integrate_quadratures(s, s->t, s->at_root, s->q));
    *stop = (RbStop){why, s->t, N_VGetArrayPointer(s->x), why == RB_STOP_ROOT ? s->roots : NULL};
    return RB_OK;
}

RbStatus rb_solver_advance(RbSolver *s, double t_stop, RbStop *stop) {
    double t_start = s->t;
    for (long i = 0; i < s->options.max_steps; i++) {
        RB_TRY(rb_solver_step(s, t_stop, stop));
        if (stop->why != RB_STOP_STEP) return RB_OK;
    }
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "t = %.9g s: %ld steps since t = %.9g s did not reach %.9g s, the last one was "
                   "%.3g s; loosen the "
                   "tolerance, choose a method for stiff systems ('bdf'), or allow more steps",
                   s->t, s->options.max_steps, t_start, t_stop, s->t - s->t_old);
}

// ---- looking at the solution ----

double rb_solver_time(const RbSolver *s) {
    return s->t;
}

const double *rb_solver_state(const RbSolver *s) {
    return N_VGetArrayPointer(s->x);
}

void rb_solver_interval(const RbSolver *s, double *t_old, double *t_new) {
    *t_old = s->t_old;
    *t_new = s->t;
}

static RbStatus check_inside(RbSolver *s, double t) {
    if (t >= s->t_old && t <= s->t) return RB_OK;
    return rb_fail(s->diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                   "t = %.9g s lies outside the last step from %.9g s to %.9g s", t, s->t_old,
                   s->t);
}

static RbStatus dense_output(RbSolver *s, double t, int order, double *out) {
    int flag = s->integrator->interpolate(s, t, order, s->work);
    if (flag != 0) return rb_solver_fail(s, s->integrator->trouble(flag), flag);
    memcpy(out, N_VGetArrayPointer(s->work), sizeof(double) * (size_t)s->ode.n);
    return RB_OK;
}

RbStatus rb_solver_interpolate(RbSolver *s, double t, double *x) {
    RB_TRY(check_inside(s, t));
    if (t != s->t && t != s->t_old && !was_instant(s)) return dense_output(s, t, 0, x);
    N_Vector end = t == s->t ? s->x : s->x_old;
    memcpy(x, N_VGetArrayPointer(end), sizeof(double) * (size_t)s->ode.n);
    return RB_OK;
}

// Right after a restart there is no step to interpolate in.
static RbStatus derivative_at_start(RbSolver *s, double *dx) {
    int answer = 0;
    if (s->dx) {
        memcpy(dx, N_VGetArrayPointer(s->dx), sizeof(double) * (size_t)s->ode.n);
    } else if (s->ode.n > 0) {
        answer = rb_solver_call_derivative(s, s->t, N_VGetArrayPointer(s->x), dx);
    }
    return answer == 0 ? RB_OK : rb_solver_fail(s, RB_TROUBLE_DOMAIN, 0);
}

RbStatus rb_solver_interpolate_derivative(RbSolver *s, double t, double *dx) {
    RB_TRY(check_inside(s, t));
    return was_instant(s) ? derivative_at_start(s, dx) : dense_output(s, t, 1, dx);
}

RbStatus rb_solver_quadrature(RbSolver *s, double t, double *q) {
    RB_TRY(check_inside(s, t));
    if (t != s->t && !was_instant(s)) return rb_solver_integrate_quadratures(s, t, false, q);
    memcpy(q, s->q, sizeof(double) * (size_t)s->ode.quad_count);
    return RB_OK;
}

void rb_solver_set_quadrature(RbSolver *s, const double *q) {
    size_t size = sizeof(double) * (size_t)s->ode.quad_count;
    memcpy(s->q, q, size);
    memcpy(s->q_old, q, size);
    s->t_old = s->t; // the last step belongs to the old values
}

RbSolverStats rb_solver_stats(const RbSolver *s) {
    RbSolver *reader = (RbSolver *)(uintptr_t)s;
    RbSolverStats stats = s->stats;
    if (s->memory) s->integrator->add_counters(reader, &stats);
    stats.linear_setups = s->linear.factorisations;
    stats.pivot_orders = s->linear.lu.pivot_orders;
    stats.library_allocations += s->linear.lu.library_allocations;
    stats.library_bytes += s->linear.lu.common.memusage;
    return stats;
}
