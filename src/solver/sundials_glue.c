// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sundials/sundials_context.h>

#include "base/assert.h"
#include "solver/integrator.h"

void rb_sun_require(RbSolver *s, bool there) {
    s->stats.library_allocations++;
    if (!there) rb_heap_fail(s->arena->heap);
}

// Input was checked before, so a call that sets something up can only fail for want of memory.
void rb_sun_require_ok(RbSolver *s, int flag) {
    if (flag < 0) rb_heap_fail(s->arena->heap);
}

N_Vector rb_sun_vector(RbSolver *s, double *data) {
    N_Vector v = rb_vector(s->size, data, &s->blocks, s->context);
    rb_sun_require(s, v != NULL);
    return v;
}

int rb_sun_weights(N_Vector x_vector, N_Vector weights, void *solver) {
    const RbSolver *s = solver;
    const double *x = N_VGetArrayPointer(x_vector);
    double *w = N_VGetArrayPointer(weights);
    for (int i = 0; i < s->size; i++) w[i] = 1 / (s->relative[i] * fabs(x[i]) + s->absolute[i]);
    return 0;
}

void rb_sun_keep_message(int code, const char *module, const char *function, char *text,
                         void *solver) {
    RbSolver *s = solver;
    (void)module;
    snprintf(s->library_text, sizeof s->library_text, "%s: %s", function, text);
    if (code > 0)
        rb_log(s->options.log, RB_LOG_SOLVER, "warning of the integrator: %s", s->library_text);
}

// ---- matrix and linear solver ----

static SUNMatrix_ID matrix_id(SUNMatrix matrix) {
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

// The owner of the matrix writes all of it, so there is nothing to clear.
static int clear_matrix(SUNMatrix matrix) {
    (void)matrix;
    return 0;
}

SUNMatrix rb_sun_matrix(RbLinear *linear, SUNContext context) {
    SUNMatrix matrix = SUNMatNewEmpty(context);
    if (!matrix) return NULL;
    matrix->content = linear;
    matrix->ops->getid = matrix_id;
    matrix->ops->zero = clear_matrix;
    return matrix;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_CUSTOM;
}

static int solver_initialise(SUNLinearSolver solver) {
    (void)solver;
    return 0;
}

// A singular matrix is worth another try with a smaller step; without memory there is none.
static int solver_setup(SUNLinearSolver solver, SUNMatrix matrix) {
    (void)matrix;
    RbLinear *linear = solver->content;
    if (rb_linear_factor(linear)) return SUNLS_SUCCESS;
    return linear->lu.no_memory ? SUNLS_MEM_FAIL : SUNLS_LUFACT_FAIL;
}

static int solver_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                        realtype tolerance) {
    (void)matrix;
    (void)tolerance;
    RbLinear *linear = solver->content;
    double *y = N_VGetArrayPointer(x);
    memcpy(y, N_VGetArrayPointer(b), sizeof(double) * (size_t)linear->n);
    rb_linear_solve(linear, y);
    return SUNLS_SUCCESS;
}

SUNLinearSolver rb_sun_linear_solver(RbLinear *linear, SUNContext context) {
    SUNLinearSolver solver = SUNLinSolNewEmpty(context);
    if (!solver) return NULL;
    solver->content = linear;
    solver->ops->gettype = solver_type;
    solver->ops->getid = solver_id;
    solver->ops->initialize = solver_initialise;
    solver->ops->setup = solver_setup;
    solver->ops->solve = solver_solve;
    return solver;
}
