// SPDX-License-Identifier: MIT
// CVODE: BDF with Newton iteration, Adams with fixed-point iteration.
#include <cvode/cvode.h>
#include <math.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/assert.h"
#include "solver/integrator.h"

static int derivative(realtype t, N_Vector x, N_Vector dx, void *user) {
    return rb_solver_call_derivative(user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static int roots(realtype t, N_Vector x, realtype *z, void *user) {
    return rb_solver_call_roots(user, t, N_VGetArrayPointer(x), NULL, z);
}

// Newton's method converges with an old Jacobian too, but what is below the tolerance gets one iteration only, which then must not
// make it larger: BDF of fifth order let the rocking of a spinning disc grow until it was seen, and shortened its steps.
static bool is_out_of_range(const RbSolver *s, const double *x) {
    for (int i = 0; i < s->range_count; i++) {
        const RbStateRange *r = &s->ranges[i];
        if (!(fabs(x[r->state] - r->then) <= r->range)) return true;
    }
    return false;
}

// A = I - gamma J, with J of an earlier step where CVODE thinks that it will do.
static int iteration_matrix(realtype t, N_Vector x, N_Vector dx, SUNMatrix matrix,
                            booleantype old_will_do, booleantype *is_new, realtype gamma,
                            void *user, N_Vector t1, N_Vector t2, N_Vector t3) {
    (void)matrix, (void)t1, (void)t2, (void)t3;
    RbSolver *s = user;
    const double *values = N_VGetArrayPointer(x);
    *is_new = !old_will_do || is_out_of_range(s, values);
    if (*is_new) {
        int answer = rb_solver_call_jacobian(s, t, values, N_VGetArrayPointer(dx));
        if (answer != 0) return answer;
        for (int i = 0; i < s->range_count; i++) s->ranges[i].then = values[s->ranges[i].state];
    }
    rb_linear_assemble(&s->linear, 1, -gamma);
    return 0;
}

static void set_corrector(RbSolver *s) {
    if (s->options.method == RB_CVODE_BDF) {
        rb_sun_require_ok(s, CVodeSetLinearSolver(s->memory, s->linear_solver, s->matrix));
        rb_sun_require_ok(s, CVodeSetLinSysFn(s->memory, iteration_matrix));
    } else {
        s->nonlinear_solver = SUNNonlinSol_FixedPoint(s->x, 0, s->context);
        rb_sun_require(s, s->nonlinear_solver != NULL);
        rb_sun_require_ok(s, CVodeSetNonlinearSolver(s->memory, s->nonlinear_solver));
    }
}

// Newton's iteration ends when its error is below this part of what the error test allows. The
// library takes 0.1, but what is left over then looks like an error of the step: more iterations
// are paid back by longer steps (docs/theory/solver.md).
static const double NEWTON_SHARE = 0.02;

static void set_options(RbSolver *s) {
    const RbSolverOptions *o = &s->options;
    int highest = o->method == RB_CVODE_BDF ? 5 : 12;
    rb_sun_require_ok(s, CVodeSetErrHandlerFn(s->memory, rb_sun_keep_message, s));
    rb_sun_require_ok(s, CVodeSetUserData(s->memory, s));
    rb_sun_require_ok(s, CVodeWFtolerances(s->memory, rb_sun_weights));
    rb_sun_require_ok(s, CVodeSetMaxErrTestFails(s->memory, RB_ERROR_TEST_FAILURES));
    rb_sun_require_ok(s, CVodeSetMaxStep(s->memory, o->max_step));
    if (o->method == RB_CVODE_BDF)
        rb_sun_require_ok(s, CVodeSetNonlinConvCoef(s->memory, NEWTON_SHARE));
    rb_sun_require_ok(s, CVodeSetInitStep(s->memory, o->initial_step));
    rb_sun_require_ok(s, CVodeSetMaxHnilWarns(s->memory, -1)); // we watch that ourselves
    if (o->max_order > 0 && o->max_order < highest) {
        rb_sun_require_ok(s, CVodeSetMaxOrd(s->memory, o->max_order));
    }
}

// Declaring the roots anew is the only way to forget which of them were zero before a restart.
static void watch_roots(RbSolver *s) {
    if (s->ode.root_count == 0) return;
    rb_sun_require_ok(s, CVodeRootInit(s->memory, 0, NULL));
    rb_sun_require_ok(s, CVodeRootInit(s->memory, s->ode.root_count, roots));
    rb_sun_require_ok(s, CVodeSetNoInactiveRootWarn(s->memory));
    s->stats.library_allocations++;
}

static void create(RbSolver *s) {
    s->memory = CVodeCreate(s->options.method == RB_CVODE_BDF ? CV_BDF : CV_ADAMS, s->context);
    rb_sun_require(s, s->memory != NULL);
    rb_sun_require_ok(s, CVodeInit(s->memory, derivative, s->t, s->x));
    set_options(s);
    set_corrector(s);
    watch_roots(s);
}

static int restart(RbSolver *s) {
    watch_roots(s);
    rb_sun_require_ok(s, CVodeSetInitStep(s->memory, s->first_step));
    return CVodeReInit(s->memory, s->t, s->x);
}

static double current_time(RbSolver *s) {
    double t = s->t;
    CVodeGetCurrentTime(s->memory, &t);
    return t;
}

static int step(RbSolver *s, double t_stop) {
    // By this time CVODE judges how short the first step may be: 2e-14 of it. It does not end there.
    double far = fmin(t_stop, s->t + 1e9);
    int flag = CVodeSetStopTime(s->memory, t_stop);
    if (s->range_count > 0 && s->options.method == RB_CVODE_BDF) {
        long frequency = is_out_of_range(s, N_VGetArrayPointer(s->x)) ? 1 : 0; // 0: as usual
        rb_sun_require_ok(s, CVodeSetLSetupFrequency(s->memory, frequency));
    }
    return flag < 0 ? flag : CVode(s->memory, far, s->x, &s->t, CV_ONE_STEP);
}

static int look_back(RbSolver *s, double t_stop) {
    return CVode(s->memory, t_stop, s->x, &s->t, CV_NORMAL);
}

static int interpolate(RbSolver *s, double t, int order, N_Vector out) {
    return CVodeGetDky(s->memory, t, order, out);
}

static void root_info(RbSolver *s, int *found) {
    CVodeGetRootInfo(s->memory, found);
}

static void local_errors(RbSolver *s, N_Vector errors) {
    CVodeGetEstLocalErrors(s->memory, errors);
}

static RbTrouble trouble(int flag) {
    switch (flag) {
        case CV_TOO_MUCH_ACC: return RB_TROUBLE_ACCURACY;
        case CV_ERR_FAILURE: return RB_TROUBLE_ERROR_TEST;
        case CV_CONV_FAILURE: return RB_TROUBLE_CONVERGENCE;
        case CV_LSETUP_FAIL:
        case CV_LSOLVE_FAIL: return RB_TROUBLE_MATRIX;
        case CV_RHSFUNC_FAIL: return RB_TROUBLE_MODEL;
        case CV_FIRST_RHSFUNC_ERR:
        case CV_REPTD_RHSFUNC_ERR:
        case CV_UNREC_RHSFUNC_ERR: return RB_TROUBLE_DOMAIN;
        case CV_RTFUNC_FAIL: return RB_TROUBLE_ROOTS;
        case CV_MEM_FAIL: return RB_TROUBLE_MEMORY;
        default: return RB_TROUBLE_OTHER;
    }
}

static void add_counters(RbSolver *s, RbSolverStats *stats) {
    long steps = 0, unused = 0, failures = 0, iterations = 0, not_converged = 0, real = 0,
         integer = 0;
    int next_order;
    double first_step, next_step, t;
    CVodeGetIntegratorStats(s->memory, &steps, &unused, &unused, &failures, &stats->last_order,
                            &next_order, &first_step, &stats->last_step, &next_step, &t);
    CVodeGetNonlinSolvStats(s->memory, &iterations, &not_converged);
    CVodeGetWorkSpace(s->memory, &real, &integer);
    stats->steps += steps;
    stats->error_test_failures += failures;
    stats->nonlinear_iterations += iterations;
    stats->nonlinear_failures += not_converged;
    stats->library_bytes = (size_t)(real + integer) * 8;
}

static double next_step(RbSolver *s) {
    double h = 0;
    CVodeGetCurrentStep(s->memory, &h);
    return h;
}

static void free_memory(RbSolver *s) {
    CVodeFree(&s->memory);
}

const RbIntegrator rb_cvode_integrator = {
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
