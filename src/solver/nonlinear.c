// SPDX-License-Identifier: MIT
#include "solver/nonlinear.h"

#include "solver/vector.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>

#include "base/assert.h"
#include "solver/difference.h"
#include "solver/sundials_glue.h"

// Largest Newton step, in nominal values or multiples of the guess: only keeps from overflow.
static const double LARGEST_STEP = 1e20;

// Rounding can keep a residual from reaching the tolerance. When the iteration stalls, a solution
// is also what misses the tolerance by this factor, or has residuals of this many roundings of the
// terms they are made of.
static const double STALL_FACTOR = 1000;
static const double ROUNDINGS = 1e4;

enum { NAME_SIZE = 200 };

struct RbNonlinear {
    RbNonlinearEquations equations;
    RbNonlinearOptions options;
    RbArena *arena;
    RbDiag *diag;

    SUNContext context;
    void *memory;
    SUNMatrix matrix;
    SUNLinearSolver linear_solver;
    N_Vector u, u_scale, f_scale;
    RbErrorBlocks blocks; // only for the pool of vectors
    RbLinear linear;
    RbDifference difference;
    double *nominal;  // of unknowns
    double *residual; // last evaluated
    double *terms;    // size of the terms of each equation
    int failed_index; // residual that was not finite, or -1
    int answer;       // of the last call of the model
    RbNonlinearStats stats;
};

RbNonlinearOptions rb_nonlinear_options(void) {
    return (RbNonlinearOptions){.tolerance = 1e-10, .step_tolerance = 1e-12, .max_iterations = 100};
}

// ---- calls of the model ----

static int call_residual(void *user, const double *u, double *r) {
    RbNonlinear *s = user;
    s->stats.residuals++;
    s->failed_index = -1;
    s->answer = s->equations.residual(s->equations.user, u, r);
    for (int i = 0; i < s->equations.n && s->answer == 0; i++) {
        if (!(fabs(r[i]) <= DBL_MAX)) {
            s->failed_index = i;
            s->answer = 1;
        }
    }
    return s->answer < 0 ? -1 : s->answer > 0;
}

// Largest scaled residual; the equation it belongs to.
static double residual_norm(const RbNonlinear *s, const double *r, int *where) {
    const double *scale = N_VGetArrayPointer(s->f_scale);
    double largest = 0;
    *where = 0;
    for (int i = 0; i < s->equations.n; i++) {
        if (!(fabs(r[i]) * scale[i] <= largest)) {
            largest = fabs(r[i]) * scale[i];
            *where = i;
        }
    }
    return largest;
}

static int residual(N_Vector u, N_Vector r, void *user) {
    RbNonlinear *s = user;
    int answer = call_residual(s, N_VGetArrayPointer(u), N_VGetArrayPointer(r));
    memcpy(s->residual, N_VGetArrayPointer(r), sizeof(double) * (size_t)s->equations.n);
    return answer;
}

// dF/du into s->linear.jacobian.
static int call_jacobian(RbNonlinear *s, const double *u, const double *r) {
    const RbNonlinearEquations *e = &s->equations;
    s->stats.jacobians++;
    memset(s->linear.jacobian, 0, sizeof(double) * s->linear.jacobian_count);
    if (!e->jacobian) {
        // Moving away from zero stays inside the domain of roots and logarithms.
        return rb_difference_jacobian(&s->difference, call_residual, s, u, r, s->nominal, u,
                                      s->linear.jacobian);
    }
    s->failed_index = -1;
    s->answer = e->jacobian(e->user, u, r, s->linear.jacobian);
    for (size_t k = 0; k < s->linear.jacobian_count && s->answer == 0; k++) {
        if (!(fabs(s->linear.jacobian[k]) <= DBL_MAX)) s->answer = 1;
    }
    return s->answer;
}

static int jacobian(N_Vector u, N_Vector r, SUNMatrix matrix, void *user, N_Vector t1,
                    N_Vector t2) {
    (void)matrix, (void)t1, (void)t2;
    RbNonlinear *s = user;
    int answer = call_jacobian(s, N_VGetArrayPointer(u), N_VGetArrayPointer(r));
    if (answer == 0) rb_linear_assemble(&s->linear, 0, 1);
    return answer;
}

// ---- creation ----

static void drop_message(int code, const char *module, const char *function, char *text,
                         void *user) {
    (void)code, (void)module, (void)function, (void)text, (void)user; // the flag says the same
}

static void free_nonlinear(void *system) {
    RbNonlinear *s = system;
    if (s->memory) KINFree(&s->memory);
    if (s->linear_solver) SUNLinSolFreeEmpty(s->linear_solver);
    if (s->matrix) SUNMatFreeEmpty(s->matrix);
    N_Vector vectors[] = {s->u, s->u_scale, s->f_scale};
    for (int i = 0; i < 3; i++) {
        if (vectors[i]) N_VDestroy(vectors[i]);
    }
    rb_linear_free(&s->linear);
    if (s->context) SUNContext_Free(&s->context);
}

static void require(RbNonlinear *s, bool there) {
    if (!there) rb_heap_fail(s->arena->heap);
}

static N_Vector new_vector(RbNonlinear *s) {
    N_Vector v = rb_vector_serial(s->equations.n, rb_new_array(s->arena, double, s->equations.n),
                                  &s->blocks, s->context);
    require(s, v != NULL);
    return v;
}

static void create_vectors(RbNonlinear *s) {
    const RbNonlinearOptions *o = &s->options;
    s->u = new_vector(s);
    s->u_scale = new_vector(s);
    s->f_scale = new_vector(s);
    s->nominal = rb_new_array(s->arena, double, s->equations.n);
    s->residual = rb_new_array(s->arena, double, s->equations.n);
    s->terms = rb_new_array(s->arena, double, s->equations.n);
    double *u_scale = N_VGetArrayPointer(s->u_scale), *f_scale = N_VGetArrayPointer(s->f_scale);
    for (int i = 0; i < s->equations.n; i++) {
        s->nominal[i] = o->nominal ? o->nominal[i] : 1;
        u_scale[i] = 1 / s->nominal[i];
        f_scale[i] = o->residual_nominal ? 1 / o->residual_nominal[i] : 1;
    }
}

static void create_memory(RbNonlinear *s) {
    const RbNonlinearOptions *o = &s->options;
    require(s, (s->matrix = rb_sun_matrix(&s->linear, s->context)) != NULL);
    require(s, (s->linear_solver = rb_sun_linear_solver(&s->linear, s->context)) != NULL);
    require(s, (s->memory = KINCreate(s->context)) != NULL);
    require(s, KINSetErrHandlerFn(s->memory, drop_message, s) == 0);
    require(s, KINInit(s->memory, residual, s->u) == 0);
    require(s, KINSetUserData(s->memory, s) == 0);
    require(s, KINSetLinearSolver(s->memory, s->linear_solver, s->matrix) == 0);
    require(s, KINSetJacFn(s->memory, jacobian) == 0);
    require(s, KINSetFuncNormTol(s->memory, o->tolerance) == 0);
    require(s, KINSetScaledStepTol(s->memory, o->step_tolerance) == 0);
    require(s, KINSetNumMaxIters(s->memory, o->max_iterations) == 0);
    require(s, KINSetMaxSetupCalls(s->memory, 1) ==
                   0); // a new Jacobian in every iteration: quadratic convergence
}

static RbStatus check_options(const RbNonlinearEquations *e, const RbNonlinearOptions *o,
                              RbDiag *diag) {
    RB_ASSERT(e->n >= 0 && (e->n == 0 || e->residual) && (!e->pattern || e->pattern->n == e->n));
    if (!(o->tolerance > 0) || !(o->step_tolerance > 0) || o->max_iterations < 1) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a nonlinear system needs positive tolerances and at least one iteration, "
                       "not %g, %g and %d",
                       o->tolerance, o->step_tolerance, o->max_iterations);
    }
    for (int i = 0; i < e->n; i++) {
        double u = o->nominal ? o->nominal[i] : 1,
               r = o->residual_nominal ? o->residual_nominal[i] : 1;
        if (!(u > 0) || !(r > 0)) {
            return rb_fail(
                diag, RB_ERROR_USAGE, RB_NOWHERE,
                "unknown %d has nominal value %g, its residual %g; both must be positive", i, u, r);
        }
    }
    return RB_OK;
}

RbStatus rb_nonlinear_create(const RbNonlinearEquations *equations,
                             const RbNonlinearOptions *options, RbArena *arena, RbDiag *diag,
                             RbNonlinear **out) {
    RB_TRY(check_options(equations, options, diag));
    RbNonlinear *s = rb_new(arena, RbNonlinear);
    *s = (RbNonlinear){.equations = *equations, .options = *options, .arena = arena, .diag = diag};
    *out = s;
    if (equations->n == 0) return RB_OK;
    rb_arena_defer(arena, free_nonlinear, s);
    require(s, SUNContext_Create(NULL, &s->context) == 0);
    s->blocks.pool = rb_vector_pool(equations->n, RB_POOL_NONLINEAR, arena);
    create_vectors(s);
    rb_nonlinear_set_pattern(s, equations->pattern);
    create_memory(s);
    return RB_OK;
}

void rb_nonlinear_set_pattern(RbNonlinear *s, const RbPattern *pattern) {
    s->equations.pattern = pattern;
    if (s->equations.n == 0) return;
    rb_linear_set_pattern(&s->linear, s->equations.n, pattern, s->options.linear, s->arena);
    rb_difference_set_pattern(&s->difference, s->equations.n, pattern, s->arena);
}

// ---- solution ----

static const char *name(const char *(*namer)(void *, int), void *user, int index, const char *kind,
                        char *buffer) {
    if (namer) {
        snprintf(buffer, NAME_SIZE, "'%s'", namer(user, index));
    } else {
        snprintf(buffer, NAME_SIZE, "%s %d", kind, index);
    }
    return buffer;
}

static RbStatus fail_evaluation(RbNonlinear *s, const char *when) {
    const RbNonlinearEquations *e = &s->equations;
    char equation[NAME_SIZE] = "the equations";
    if (s->failed_index >= 0)
        name(e->equation_name, e->user, s->failed_index, "equation", equation);
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "nonlinear system of %d equations: %s cannot be evaluated %s; give start values "
                   "inside the range in "
                   "which the equations hold",
                   e->n, equation, when);
}

// What went wrong, with the equation that is violated most.
static RbStatus fail(RbNonlinear *s, int flag) {
    const RbNonlinearEquations *e = &s->equations;
    char equation[NAME_SIZE];
    int where;
    s->stats.residual_norm = residual_norm(s, s->residual, &where);
    name(e->equation_name, e->user, where, "equation", equation);
    const char *why = "the iteration stopped";
    switch (flag) {
        case KIN_MAXITER_REACHED: why = "the iteration limit is reached"; break;
        case KIN_MXNEWT_5X_EXCEEDED: why = "the unknowns run away"; break;
        case KIN_STEP_LT_STPTOL:
        case KIN_LINESEARCH_NONCONV:
        case KIN_LINESEARCH_BCFAIL: why = "no step reduces the residual further"; break;
        case KIN_LSETUP_FAIL:
        case KIN_LSOLVE_FAIL:
        case KIN_LINSOLV_NO_RECOVERY: why = "the Jacobian is singular"; break;
    }
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "nonlinear system of %d equations: %s; the largest residual is %.3g in %s "
                   "(scaled %.3g, tolerance %g); "
                   "give better start values or nominal values",
                   e->n, why, s->residual[where], equation, s->stats.residual_norm,
                   s->options.tolerance);
}

// terms[i] = max_j |J_ij| size_j: what unknowns of these sizes do to equation i.
static void measure_terms(RbNonlinear *s, const double *size) {
    int n = s->equations.n;
    const RbPattern *p = s->equations.pattern;
    memset(s->terms, 0, sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) {
        int first = p ? p->col_start[j] : 0, end = p ? p->col_start[j + 1] : n;
        const double *values = p ? s->linear.jacobian : s->linear.jacobian + (size_t)j * (size_t)n;
        for (int k = first; k < end; k++) {
            int i = p ? p->row_index[k] : k;
            s->terms[i] = fmax(s->terms[i], fabs(values[k] * size[j]));
        }
    }
}

// Residuals in units of what the nominal values do to them.
static RbStatus scale_residuals(RbNonlinear *s) {
    const double *u = N_VGetArrayPointer(s->u);
    double *scale = N_VGetArrayPointer(s->f_scale);
    if (call_residual(s, u, s->residual) != 0) return fail_evaluation(s, "at the start values");
    if (call_jacobian(s, u, s->residual) != 0) return fail_evaluation(s, "near the start values");
    measure_terms(s, s->nominal);
    for (int i = 0; i < s->equations.n; i++) scale[i] = s->terms[i] > 0 ? 1 / s->terms[i] : 1;
    return RB_OK;
}

// Nothing is left of the residuals but the rounding of their terms, or less than the tolerance.
static bool only_rounding_left(RbNonlinear *s) {
    const double *scale = N_VGetArrayPointer(s->f_scale);
    measure_terms(s, N_VGetArrayPointer(s->u));
    for (int i = 0; i < s->equations.n; i++) {
        double allowed = fmax(STALL_FACTOR * s->options.tolerance / scale[i],
                              ROUNDINGS * DBL_EPSILON * s->terms[i]);
        if (!(fabs(s->residual[i]) <= allowed)) return false;
    }
    return true;
}

static RbStatus judge(RbNonlinear *s, int flag) {
    int where;
    s->stats.residual_norm = residual_norm(s, s->residual, &where);
    if (flag == KIN_SUCCESS || flag == KIN_INITIAL_GUESS_OK) return RB_OK;
    bool stalled = flag == KIN_STEP_LT_STPTOL || flag == KIN_LINESEARCH_NONCONV ||
                   flag == KIN_LINESEARCH_BCFAIL;
    if (stalled && only_rounding_left(s)) return RB_OK;
    if (flag == KIN_SYSFUNC_FAIL || flag == KIN_FIRST_SYSFUNC_ERR ||
        flag == KIN_REPTD_SYSFUNC_ERR || s->answer != 0) {
        return fail_evaluation(s, flag == KIN_FIRST_SYSFUNC_ERR ? "at the start values"
                                                                : "on the way to a solution");
    }
    return fail(s, flag);
}

RbStatus rb_nonlinear_solve(RbNonlinear *s, double *u) {
    size_t size = sizeof(double) * (size_t)s->equations.n;
    s->stats.solves++;
    if (s->equations.n == 0) return RB_OK;
    memcpy(N_VGetArrayPointer(s->u), u, size);
    rb_linear_restart(&s->linear);
    if (!s->options.residual_nominal) RB_TRY(scale_residuals(s));

    double length = N_VWL2Norm(s->u, s->u_scale), one = sqrt((double)s->equations.n);
    KINSetMaxNewtonStep(s->memory, LARGEST_STEP * fmax(length, one));
    int flag = KINSol(s->memory, s->u, KIN_LINESEARCH, s->u_scale, s->f_scale);
    memcpy(u, N_VGetArrayPointer(s->u), size);
    long iterations = 0;
    KINGetNumNonlinSolvIters(s->memory, &iterations);
    s->stats.iterations += iterations;
    return judge(s, flag);
}

RbNonlinearStats rb_nonlinear_stats(const RbNonlinear *s) {
    return s->stats;
}
