// SPDX-License-Identifier: MIT
// integrator.h: inside of the solver: what the files solver.c, cvode.c, explicit.c and ida.c share.
// Not for other folders.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>

#include "solver/difference.h"
#include "solver/linear.h"
#include "solver/nonlinear.h"
#include "solver/residual_parts.h"
#include "solver/solver.h"
#include "solver/sundials_glue.h"
#include "solver/vector.h"

// Why an integrator gave up. ORDER explanations in failure.c
typedef enum RbTrouble {
    RB_TROUBLE_NONE,
    RB_TROUBLE_ACCURACY,    // tolerance below rounding
    RB_TROUBLE_ERROR_TEST,  // no step is small enough
    RB_TROUBLE_CONVERGENCE, // the corrector does not converge
    RB_TROUBLE_MATRIX, // the Jacobian cannot be evaluated or the iteration matrix not be solved
    RB_TROUBLE_DOMAIN, // the model cannot be evaluated, however small the step
    RB_TROUBLE_MODEL,  // the model gave up
    RB_TROUBLE_ROOTS,  // event indicators cannot be evaluated
    RB_TROUBLE_START,  // no consistent start values
    RB_TROUBLE_STUCK,  // steps no longer change the time
    RB_TROUBLE_MEMORY, // the library has none
    RB_TROUBLE_OTHER,
} RbTrouble;

// Allowed in a step. The defaults of 7 and 10 end runs of the pairs of high order at tight tolerances, and those in which a force
// comes up within picoseconds of an event.
enum { RB_ERROR_TEST_FAILURES = 60 };

// One family of methods. Flags are those of SUNDIALS: < 0 failure, RB_FLAG_...
enum { RB_FLAG_STEP = 0, RB_FLAG_STOP = 1, RB_FLAG_ROOT = 2, RB_FLAG_ILL_INPUT = -22 };

typedef struct RbIntegrator {
    void (*create)(RbSolver *s); // a restart follows
    int (*restart)(RbSolver *s); // at s->t, s->x
    double (*time)(
        RbSolver *s); // end of the last internal step, which may lie beyond a root that was told
    int (*step)(RbSolver *s, double t_stop); // one step, at most to t_stop; sets s->t and s->x
    int (*look_back)(
        RbSolver *s,
        double t_stop); // t_stop is inside the last internal step: roots before it, or it
    int (*interpolate)(RbSolver *s, double t, int derivative, N_Vector out);
    void (*quadratures)(RbSolver *s, double t, double *q); // NULL: Gauss' rule on the dense output
    void (*root_info)(RbSolver *s, int *roots);
    void (*local_errors)(RbSolver *s, N_Vector errors); // of the last attempted step
    RbTrouble (*trouble)(int flag);
    void (*add_counters)(RbSolver *s, RbSolverStats *stats); // since the last restart
    double (*next_step)(RbSolver *s);
    void (*free)(RbSolver *s);
} RbIntegrator;

extern const RbIntegrator rb_cvode_integrator;
extern const RbIntegrator rb_explicit_integrator;
extern const RbIntegrator rb_ida_integrator;
extern const RbIntegrator rb_leapfrog_integrator;
extern const RbIntegrator rb_caller_integrator;

// What a callback of the model did wrong last.
typedef struct RbMishap {
    const char *what; // "derivative", ...; NULL: nothing so far
    double t;         // [s]
    int answer;       // > 0 not possible there, < 0 gave up
    int index;        // first value that is not finite, or -1
    double value;
} RbMishap;

// A state that a Jacobian is good for only near where it was.
typedef struct RbStateRange {
    int state;
    double range;
    double then; // when the last Jacobian was made
} RbStateRange;

struct RbSolver {
    RbOde ode;
    RbSolverOptions options;
    const RbIntegrator *integrator;
    RbArena *arena;
    RbDiag *diag;
    // Of the vectors: n. Without states: one for each z and g, which stand in for them (model_calls.c), or, if there is no g, 1,
    // since SUNDIALS has no empty ones.
    int size;

    double *relative;     // size
    double *absolute;     // size
    double *scale;        // size; for difference quotients; of what stands in for states, the largest so far
    RbErrorBlocks blocks; // of the states, for the norm of errors
    RbStateRange *ranges;
    int range_count;

    double t, t_old;   // [s] the last step
    double first_step; // [s] after a restart; 0: the method chooses
    bool at_root;      // the last step ended at a root, and nobody restarted
    N_Vector x;        // at t
    N_Vector dx;       // at t; only IDA
    N_Vector work;     // point of a quadrature or interpolation
    N_Vector x_old;    // at t_old
    int *roots;
    bool pattern_changed; // a restart must follow
    int standstill;       // of steps in sequence that hardly changed t, if at all

    double *q, *q_old, *dq; // quadratures at t and t_old
    double *q_work;
    int quadrature_flag; // of the last interpolation for them

    SUNContext context;
    void *memory; // CVODE's, ARKODE's or IDA's
    void *table;  // explicit: its coefficients, once loaded
    SUNMatrix matrix;
    SUNLinearSolver linear_solver;
    SUNNonlinearSolver nonlinear_solver; // only Adams

    // only IDA with a residual: makes start values consistent
    N_Vector differential; // 1 or 0 per state
    RbNonlinear *start_system;
    double *start, *start_derivative;
    RbResidualParts parts; // if the model has residual_slopes

    RbLinear linear;
    RbDifference difference;
    RbMishap mishap;
    int worst; // state that the message of a failure names; -1: none
    char library_text[256]; // what the library said last
    RbSolverStats stats;    // without the counters since the last restart that add_counters adds
};

static inline bool rb_solver_has_parts(const RbSolver *s) {
    return s->ode.residual_slopes && s->ode.pattern && !s->ode.residual_jacobian && s->ode.n > 0;
}

// ---- calls of the model, counted and checked (model_calls.c) ----

int rb_solver_call_derivative(RbSolver *s, double t, const double *x, double *dx);
int rb_solver_call_residual(RbSolver *s, double t, const double *x, const double *dx, double *r);
// dx: NULL if the method does not know it.
int rb_solver_call_roots(RbSolver *s, double t, const double *x, const double *dx, double *z);
int rb_solver_call_quadrature(RbSolver *s, double t, const double *x, double *dq);

int rb_solver_call_both(RbSolver *s, double t, const double *x, double *dx, double *dq);

// df/dx into s->linear.jacobian; dx = f(t, x).
int rb_solver_call_jacobian(RbSolver *s, double t, const double *x, const double *dx);

// dF/dx + c dF/dx' into s->linear.jacobian; r = F(t, x, dx).
int rb_solver_call_residual_jacobian(RbSolver *s, double t, const double *x, const double *dx,
                                     const double *r, double c);
// The same from its parts; steps and failures of the integrator so far.
int rb_solver_call_residual_parts(RbSolver *s, double t, const double *x, const double *dx,
                                  const double *r, double c, long steps, long failures);

// ---- what SUNDIALS is given (sundials_glue.c) ----

// Go on only if the library had memory.
void rb_sun_require(RbSolver *s, bool there);
void rb_sun_require_ok(RbSolver *s, int flag);

N_Vector rb_sun_vector(RbSolver *s, double *data);

// explicit.c: give back s->table.
void rb_explicit_free_table(RbSolver *s);

// explicit.c: give back s->table.
void rb_explicit_free_table(RbSolver *s); // a vector on data in the arena
int rb_sun_weights(N_Vector x, N_Vector weights, void *solver);
void rb_sun_keep_message(int code, const char *module, const char *function, char *text,
                         void *solver);

// ---- quadratures (quadrature.c) ----

// Quadratures at t inside the last step, from those at its begin. At an event the rates may end there.
RbStatus rb_solver_integrate_quadratures(RbSolver *s, double t, bool to_event, double *q);

// ---- messages (failure.c) ----

RbStatus rb_solver_fail(RbSolver *s, RbTrouble trouble, int flag);
