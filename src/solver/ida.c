// SPDX-License-Identifier: MIT
// IDA: BDF for F(t, x, x') = 0, index 1.
#include <math.h>
#include <string.h>

#include <ida/ida.h>

#include "base/assert.h"
#include "solver/integrator.h"

static int residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user) {
    return rb_solver_call_residual(user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx),
                                   N_VGetArrayPointer(r));
}

static int roots(realtype t, N_Vector x, N_Vector dx, realtype *z, void *user) {
    return rb_solver_call_roots(user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx), z);
}

static int residual_matrix(RbSolver *s, double t, const double *x, const double *dx,
                           const double *r, double c) {
    long steps = 0, failures = 0;
    if (!rb_solver_has_parts(s)) return rb_solver_call_residual_jacobian(s, t, x, dx, r, c);
    IDAGetNumSteps(s->memory, &steps);
    IDAGetNumNonlinSolvConvFails(s->memory, &failures);
    return rb_solver_call_residual_parts(s, t, x, dx, r, c, steps, failures);
}

// dF/dx + c dF/dx'. With F = x' - f(t, x) that is c I - df/dx.
static int iteration_matrix(realtype t, realtype c, N_Vector x_vector, N_Vector dx_vector,
                            N_Vector r, SUNMatrix matrix, void *user, N_Vector t1, N_Vector t2,
                            N_Vector t3) {
    (void)matrix, (void)t2, (void)t3;
    RbSolver *s = user;
    const double *x = N_VGetArrayPointer(x_vector), *dx = N_VGetArrayPointer(dx_vector);
    if (s->ode.residual) {
        int answer = residual_matrix(s, t, x, dx, N_VGetArrayPointer(r), c);
        if (answer == 0) rb_linear_assemble(&s->linear, 0, 1);
        return answer;
    }
    double *f = N_VGetArrayPointer(t1);
    N_VLinearSum(1, dx_vector, -1, r, t1); // f = x' - r
    int answer = rb_solver_call_jacobian(s, t, x, f);
    if (answer == 0) rb_linear_assemble(&s->linear, c, -1);
    return answer;
}

// The derivative at the start: known from f, otherwise a guess that make_consistent improves.
static int guess_derivative(RbSolver *s) {
    double *dx = N_VGetArrayPointer(s->dx);
    memset(dx, 0, sizeof(double) * (size_t)s->size);
    if (s->ode.n > 0 && !s->ode.derivative) return 0;
    return rb_solver_call_derivative(s, s->t, N_VGetArrayPointer(s->x), dx);
}

// The unknowns of a start: w[i] = x'[i] where x[i] is differential, w[i] = x[i] where it is
// algebraic.
static int start_residual(void *user, const double *w, double *r) {
    RbSolver *s = user;
    const double *differential = N_VGetArrayPointer(s->differential);
    double *x = N_VGetArrayPointer(s->work), *dx = s->start_derivative;
    for (int i = 0; i < s->ode.n; i++) {
        bool d = differential[i] != 0;
        x[i] = d ? N_VGetArrayPointer(s->x)[i] : w[i];
        dx[i] = d ? w[i] : 0;
    }
    return rb_solver_call_residual(s, s->t, x, dx, r);
}

// IDACalcIC does the same, but keeps its first Jacobian and then does not find solutions that are
// not very near.
static void create_start_system(RbSolver *s) {
    s->start = rb_new_array(s->arena, double, s->ode.n);
    s->start_derivative = rb_new_array(s->arena, double, s->ode.n);
    RbNonlinearEquations equations = {
        .n = s->ode.n, .user = s, .residual = start_residual, .pattern = s->ode.pattern};
    // F is nearly always linear in x', so a nominal value of a derivative only has to be large
    // enough to be seen beside the other terms, however small the nominal value of the state is.
    double *nominal = rb_new_array(s->arena, double, s->ode.n);
    const double *differential = N_VGetArrayPointer(s->differential);
    for (int i = 0; i < s->ode.n; i++)
        nominal[i] = differential[i] != 0 ? fmax(1, s->scale[i]) : s->scale[i];
    RbNonlinearOptions o = rb_nonlinear_options();
    o.nominal = nominal;
    o.linear = s->options.linear;
    RbStatus status = rb_nonlinear_create(&equations, &o, s->arena, s->diag, &s->start_system);
    RB_ASSERT(status == RB_OK); // tolerances were checked
    (void)status;
}

// Solve F(t, x, x') = 0 for the algebraic x and the x' of the others.
static int make_consistent(RbSolver *s) {
    const double *differential = N_VGetArrayPointer(s->differential);
    double *x = N_VGetArrayPointer(s->x), *dx = N_VGetArrayPointer(s->dx), *w = s->start;
    for (int i = 0; i < s->ode.n; i++) w[i] = differential[i] != 0 ? dx[i] : x[i];
    if (rb_nonlinear_solve(s->start_system, w) != RB_OK) return IDA_NO_RECOVERY;
    for (int i = 0; i < s->ode.n; i++) {
        if (differential[i] != 0) {
            dx[i] = w[i];
        } else {
            x[i] = w[i];
            dx[i] = 0;
        }
    }
    return 0;
}

static void set_options(RbSolver *s) {
    const RbSolverOptions *o = &s->options;
    rb_sun_require_ok(s, IDASetErrHandlerFn(s->memory, rb_sun_keep_message, s));
    rb_sun_require_ok(s, IDASetUserData(s->memory, s));
    rb_sun_require_ok(s, IDAWFtolerances(s->memory, rb_sun_weights));
    rb_sun_require_ok(s, IDASetMaxErrTestFails(s->memory, RB_ERROR_TEST_FAILURES));
    rb_sun_require_ok(s, IDASetMaxStep(s->memory, o->max_step));
    rb_sun_require_ok(s, IDASetInitStep(s->memory, o->initial_step));
    rb_sun_require_ok(s, IDASetId(s->memory, s->differential));
    if (o->max_order > 0 && o->max_order < 5)
        rb_sun_require_ok(s, IDASetMaxOrd(s->memory, o->max_order));
}

static void watch_roots(RbSolver *s) { // as in cvode.c
    if (s->ode.root_count == 0) return;
    rb_sun_require_ok(s, IDARootInit(s->memory, 0, NULL));
    rb_sun_require_ok(s, IDARootInit(s->memory, s->ode.root_count, roots));
    rb_sun_require_ok(s, IDASetNoInactiveRootWarn(s->memory));
    s->stats.library_allocations++;
}

// Derivatives that the model computes are consistent; algebraic states are not.
static bool needs_start_system(const RbSolver *s) {
    if (!s->ode.residual || s->ode.n == 0) return false;
    for (int i = 0; i < s->ode.n; i++) {
        if (N_VGetArrayPointer(s->differential)[i] == 0) return true;
    }
    return s->ode.derivative == NULL;
}

static void create(RbSolver *s) {
    s->memory = IDACreate(s->context);
    rb_sun_require(s, s->memory != NULL);
    rb_sun_require_ok(s, IDAInit(s->memory, residual, s->t, s->x, s->dx));
    set_options(s);
    rb_sun_require_ok(s, IDASetLinearSolver(s->memory, s->linear_solver, s->matrix));
    rb_sun_require_ok(s, IDASetJacFn(s->memory, iteration_matrix));
    watch_roots(s);
    if (needs_start_system(s)) create_start_system(s);
}

static int restart(RbSolver *s) {
    watch_roots(s);
    rb_sun_require_ok(s, IDASetInitStep(s->memory, s->first_step));
    s->parts.known = false;
    int answer = guess_derivative(s);
    if (answer != 0) return answer < 0 ? IDA_RES_FAIL : IDA_FIRST_RES_FAIL;
    int flag = s->start_system ? make_consistent(s) : 0;
    return flag < 0 ? flag : IDAReInit(s->memory, s->t, s->x, s->dx);
}

static double current_time(RbSolver *s) {
    double t = s->t;
    IDAGetCurrentTime(s->memory, &t);
    return t;
}

static int step(RbSolver *s, double t_stop) {
    int flag = IDASetStopTime(s->memory, t_stop);
    return flag < 0 ? flag : IDASolve(s->memory, t_stop, &s->t, s->x, s->dx, IDA_ONE_STEP);
}

static int look_back(RbSolver *s, double t_stop) {
    return IDASolve(s->memory, t_stop, &s->t, s->x, s->dx, IDA_NORMAL);
}

static int interpolate(RbSolver *s, double t, int order, N_Vector out) {
    return IDAGetDky(s->memory, t, order, out);
}

static void root_info(RbSolver *s, int *found) {
    IDAGetRootInfo(s->memory, found);
}

static void local_errors(RbSolver *s, N_Vector errors) {
    IDAGetEstLocalErrors(s->memory, errors);
}

static RbTrouble trouble(int flag) {
    switch (flag) {
        case IDA_TOO_MUCH_ACC: return RB_TROUBLE_ACCURACY;
        case IDA_ERR_FAIL: return RB_TROUBLE_ERROR_TEST;
        case IDA_CONV_FAIL:
        case IDA_NLS_FAIL: return RB_TROUBLE_CONVERGENCE;
        case IDA_LSETUP_FAIL:
        case IDA_LSOLVE_FAIL: return RB_TROUBLE_MATRIX;
        case IDA_RES_FAIL: return RB_TROUBLE_MODEL;
        case IDA_FIRST_RES_FAIL:
        case IDA_REP_RES_ERR: return RB_TROUBLE_DOMAIN;
        case IDA_RTFUNC_FAIL: return RB_TROUBLE_ROOTS;
        case IDA_NO_RECOVERY: return RB_TROUBLE_START;
        case IDA_MEM_FAIL: return RB_TROUBLE_MEMORY;
        default: return RB_TROUBLE_OTHER;
    }
}

static void add_counters(RbSolver *s, RbSolverStats *stats) {
    long steps = 0, unused = 0, failures = 0, iterations = 0, not_converged = 0, real = 0,
         integer = 0;
    int next_order;
    double first_step, next_step, t;
    IDAGetIntegratorStats(s->memory, &steps, &unused, &unused, &failures, &stats->last_order,
                          &next_order, &first_step, &stats->last_step, &next_step, &t);
    IDAGetNonlinSolvStats(s->memory, &iterations, &not_converged);
    IDAGetWorkSpace(s->memory, &real, &integer);
    stats->steps += steps;
    stats->error_test_failures += failures;
    stats->nonlinear_iterations += iterations;
    stats->nonlinear_failures += not_converged;
    stats->library_bytes = (size_t)(real + integer) * 8;
}

static double next_step(RbSolver *s) {
    double h = 0;
    IDAGetCurrentStep(s->memory, &h);
    return h;
}

static void free_memory(RbSolver *s) {
    IDAFree(&s->memory);
}

const RbIntegrator rb_ida_integrator = {
    .create = create,
    .restart = restart,
    .time = current_time,
    .step = step,
    .look_back = look_back,
    .interpolate = interpolate,
    .root_info = root_info,
    .local_errors = local_errors,
    .trouble = trouble,
    .add_counters = add_counters,
    .next_step = next_step,
    .free = free_memory,
};
