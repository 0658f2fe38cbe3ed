// SPDX-License-Identifier: MIT
// What a user reads when an integration fails: when, what, in which state, and what to try.
#include <math.h>
#include <stdio.h>

#include "solver/integrator.h"

enum { NAME_SIZE = 200, TEXT_SIZE = 600 };

// 'Body.v' or, without names, x[3].
static const char *state_name(const RbSolver *s, int index, char *buffer) {
    if (s->ode.state_name && index >= 0 && index < s->ode.n) {
        snprintf(buffer, NAME_SIZE, "'%s'", s->ode.state_name(s->ode.user, index));
    } else {
        snprintf(buffer, NAME_SIZE, "x[%d]", index);
    }
    return buffer;
}

// The last mishap belongs to the failed step if it lies at its begin or beyond.
static bool mishap_matters(const RbSolver *s) {
    return s->mishap.what && s->mishap.t >= s->t_old;
}

// What the model did wrong in the failed step; empty if nothing.
static const char *describe_mishap(const RbSolver *s, char *buffer) {
    const RbMishap *m = &s->mishap;
    char name[NAME_SIZE];
    buffer[0] = 0;
    if (!mishap_matters(s)) return buffer;
    bool of_state = m->what[0] == 'd'; // derivative
    if (m->index < 0) {
        snprintf(buffer, TEXT_SIZE, "the %s cannot be evaluated at t = %.9g s", m->what, m->t);
    } else if (of_state) {
        snprintf(buffer, TEXT_SIZE, "the derivative of %s is %g at t = %.9g s",
                 state_name(s, m->index, name), m->value, m->t);
    } else {
        snprintf(buffer, TEXT_SIZE, "%s %d is %g at t = %.9g s", m->what, m->index, m->value, m->t);
    }
    return buffer;
}

// The state whose error is largest in units of its tolerance; the error of the last attempt.
static const char *worst_state(RbSolver *s, char *buffer) {
    s->integrator->local_errors(s, s->work);
    const double *errors = N_VGetArrayPointer(s->work), *x = N_VGetArrayPointer(s->x);
    int worst = 0;
    double largest = -1;
    for (int i = 0; i < s->ode.n; i++) {
        double e = fabs(errors[i]) / (s->relative[i] * fabs(x[i]) + s->absolute[i]);
        if (e > largest) {
            largest = e;
            worst = i;
        }
    }
    s->worst = worst;
    return state_name(s, worst, buffer);
}

static bool caller_explains(const RbSolver *s) {
    return mishap_matters(s) && s->mishap.index < 0 && s->ode.explains &&
           s->ode.explains(s->ode.user);
}

static RbStatus fail_for_model(RbSolver *s, const char *mishap) {
    if (caller_explains(s)) return RB_ERROR_SOLVER;
    return s->mishap.answer < 0 ? rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                                          "t = %.9g s: the model gave up: %s", s->t, mishap)
                                : rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                                          "t = %.9g s: %s, however small the step; a variable "
                                          "leaves the range in which its "
                                          "equations hold (root of a negative number, division by "
                                          "zero): bound it, or announce the "
                                          "limit by an event",
                                          s->t, mishap);
}

static RbStatus fail_for_corrector(RbSolver *s, double h, const char *mishap) {
    return rb_fail(s->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "t = %.9g s: the nonlinear equations of a step do not converge, even with a "
                   "step of %.3g s%s%s; a "
                   "derivative may jump without an event, or the given Jacobian may be wrong",
                   s->t, h, mishap[0] ? ": " : "", mishap);
}

// Whatever no smaller step helped against: steps have become shorter than times can tell.
static bool is_stuck(const RbSolver *s, RbTrouble trouble, double h) {
    bool small = trouble == RB_TROUBLE_ERROR_TEST || trouble == RB_TROUBLE_CONVERGENCE ||
                 trouble == RB_TROUBLE_DOMAIN;
    return small && h != 0 && s->t + h == s->t;
}

int rb_solver_worst_state(const RbSolver *s) {
    return s->worst;
}

RbStatus rb_solver_fail(RbSolver *s, RbTrouble trouble, int flag) {
    if (s->linear.lu.no_memory) rb_heap_fail(s->arena->heap);
    char mishap[TEXT_SIZE], name[NAME_SIZE];
    double h = s->memory ? s->integrator->next_step(s) : 0;
    RbDiag *diag = s->diag;
    describe_mishap(s, mishap);
    s->worst = -1;
    if (is_stuck(s, trouble, h)) trouble = RB_TROUBLE_STUCK;
    switch (trouble) {
        case RB_TROUBLE_ACCURACY:
            return rb_fail(
                diag, RB_ERROR_SOLVER, RB_NOWHERE,
                "t = %.9g s: the tolerance %g asks for more digits than numbers have; raise it",
                s->t, s->options.tolerance);
        case RB_TROUBLE_ERROR_TEST:
            return rb_fail(diag, RB_ERROR_SOLVER, RB_NOWHERE,
                           "t = %.9g s: no step is small enough for the tolerance %g, not even "
                           "%.3g s; the error is "
                           "largest in %s: look for a jump or a pole in its derivative that no "
                           "event announces",
                           s->t, s->options.tolerance, h, worst_state(s, name));
        case RB_TROUBLE_CONVERGENCE: return fail_for_corrector(s, h, mishap);
        case RB_TROUBLE_MATRIX:
            if (mishap[0] && s->mishap.answer < 0) return fail_for_model(s, mishap);
            return rb_fail(
                diag, RB_ERROR_SOLVER, RB_NOWHERE,
                "t = %.9g s: the Jacobian of the equations is singular or cannot be evaluated%s%s",
                s->t, mishap[0] ? ": " : "", mishap);
        case RB_TROUBLE_DOMAIN:
        case RB_TROUBLE_MODEL: return fail_for_model(s, mishap);
        case RB_TROUBLE_ROOTS:
            if (caller_explains(s)) return RB_ERROR_SOLVER;
            return rb_fail(diag, RB_ERROR_SOLVER, RB_NOWHERE,
                           "t = %.9g s: %s; events cannot be located without it", s->t, mishap);
        case RB_TROUBLE_START:
            return rb_fail(diag, RB_ERROR_INIT, RB_NOWHERE,
                           "t = %.9g s: no values of the algebraic variables and derivatives "
                           "satisfy the equations near "
                           "the given ones%s%s; give better start values",
                           s->t, mishap[0] ? ": " : "", mishap);
        case RB_TROUBLE_STUCK:
            // the model gave up, or the end of the domain was crept up to; but not: a step led anywhere
            if (mishap[0] && (s->mishap.index >= 0 || s->mishap.answer < 0))
                return fail_for_model(s, mishap);
            if (caller_explains(s)) return RB_ERROR_SOLVER;
            return rb_fail(diag, RB_ERROR_SOLVER, RB_NOWHERE,
                           "t = %.9g s: the step has shrunk to %.3g s, and steps no longer change "
                           "the time; the error "
                           "is largest in %s: look for a pole in its derivative",
                           s->t, s->t - s->t_old > 0 ? s->t - s->t_old : h, worst_state(s, name));
        case RB_TROUBLE_MEMORY: rb_heap_fail(diag->arena->heap);
        case RB_TROUBLE_NONE:
        case RB_TROUBLE_OTHER: break;
    }
    return rb_fail(diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "t = %.9g s: the integrator stopped with code %d (%s)", s->t, flag,
                   s->library_text);
}
