// SPDX-License-Identifier: MIT
// Every call of the model goes through here: counted, checked for values that are not finite, and
// remembered if it went wrong, so that a later message can name time and state.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/integrator.h"

// First value that is not finite, or -1.
static int find_bad(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!(fabs(values[i]) <= DBL_MAX)) return i;
    }
    return -1;
}

static int check(RbSolver *s, const char *what, double t, int answer, const double *values,
                 int count) {
    int bad = answer == 0 ? find_bad(values, count) : -1;
    if (answer == 0 && bad < 0) return 0;
    answer = answer < 0 ? -1 : 1;
    s->mishap = (RbMishap){what, t, answer, bad, bad < 0 ? 0 : values[bad]};
    return answer;
}

// Without states nothing would keep steps from leaping over a whole swing of g(t), of a mechanism whose motion is given, or of z(t) there:
// so their integrals stand in for states, weighed by the largest value that was seen (weigh_time). Where there is
// no g(t), z(t) are mostly conditions of logic, which jump: those are not followed.
static int follow_time(RbSolver *s, double t, double *dx) {
    const RbOde *o = &s->ode;
    dx[0] = 0;
    if (o->quad_count == 0) return 0;
    int answer = o->root_count > 0 ? rb_solver_call_roots(s, t, dx, NULL, dx) : 0;
    if (answer == 0) answer = rb_solver_call_quadrature(s, t, dx, dx + o->root_count);
    for (int i = 0; answer == 0 && i < s->size; i++) s->scale[i] = fmax(s->scale[i], fabs(dx[i]));
    return answer;
}

int rb_solver_call_derivative(RbSolver *s, double t, const double *x, double *dx) {
    const RbOde *o = &s->ode;
    if (o->n == 0) return follow_time(s, t, dx);
    s->stats.derivatives++;
    return check(s, "derivative", t, o->derivative(o->user, t, x, dx), dx, o->n);
}

int rb_solver_call_residual(RbSolver *s, double t, const double *x, const double *dx, double *r) {
    const RbOde *o = &s->ode;
    if (o->n > 0 && o->residual) {
        s->stats.derivatives++;
        return check(s, "residual", t, o->residual(o->user, t, x, dx, r), r, o->n);
    }
    int answer = rb_solver_call_derivative(s, t, x, r);
    for (int i = 0; i < s->size; i++) r[i] = dx[i] - r[i];
    return answer;
}

int rb_solver_call_roots(RbSolver *s, double t, const double *x, const double *dx, double *z) {
    const RbOde *o = &s->ode;
    s->stats.roots++;
    int answer = dx && o->residual_roots ? o->residual_roots(o->user, t, x, dx, z)
                                         : o->roots(o->user, t, x, z);
    return check(s, "event indicator", t, answer, z, o->root_count);
}

int rb_solver_call_quadrature(RbSolver *s, double t, const double *x, double *dq) {
    const RbOde *o = &s->ode;
    s->stats.quadratures++;
    return check(s, "quadrature", t, o->quadrature(o->user, t, x, dq), dq, o->quad_count);
}

int rb_solver_call_both(RbSolver *s, double t, const double *x, double *dx, double *dq) {
    const RbOde *o = &s->ode;
    s->stats.derivatives++;
    int answer = check(s, "derivative", t, o->both(o->user, t, x, dx, dq), dx, o->n);
    return answer != 0 ? answer : check(s, "quadrature", t, 0, dq, o->quad_count);
}

// ---- Jacobians ----

// f as a function of x alone, for difference quotients.
typedef struct Frozen {
    RbSolver *solver;
    double t;
    const double *x, *dx; // where the residual is differentiated
    double c;
} Frozen;

static int derivative_of_x(void *user, const double *x, double *f) {
    Frozen *z = user;
    z->solver->stats.jacobian_derivatives++;
    return rb_solver_call_derivative(z->solver, z->t, x, f);
}

// F(t, x, dx + c (x - x0)), whose derivative by x is dF/dx + c dF/dx'.
static int residual_of_x(void *user, const double *x, double *f) {
    Frozen *z = user;
    RbSolver *s = z->solver;
    double *moved = N_VGetArrayPointer(s->work);
    for (int i = 0; i < s->size; i++) moved[i] = z->dx[i] + z->c * (x[i] - z->x[i]);
    s->stats.jacobian_derivatives++;
    return rb_solver_call_residual(s, z->t, x, moved, f);
}

static int check_jacobian(RbSolver *s, double t, int answer) {
    if (answer != 0) {
        s->mishap = (RbMishap){"Jacobian", t, answer, -1, 0};
        return answer < 0 ? -1 : 1;
    }
    for (size_t k = 0; k < s->linear.jacobian_count; k++) {
        if (!(fabs(s->linear.jacobian[k]) <= DBL_MAX)) {
            s->mishap = (RbMishap){"Jacobian", t, 1, -1, 0};
            return 1;
        }
    }
    return 0;
}

static double *cleared_jacobian(RbSolver *s) {
    s->stats.jacobians++;
    return memset(s->linear.jacobian, 0, sizeof(double) * s->linear.jacobian_count);
}

int rb_solver_call_jacobian(RbSolver *s, double t, const double *x, const double *dx) {
    const RbOde *o = &s->ode;
    double *values = cleared_jacobian(s);
    if (o->n == 0) return 0;
    if (o->jacobian) return check_jacobian(s, t, o->jacobian(o->user, t, x, dx, values));
    Frozen frozen = {.solver = s, .t = t};
    return rb_difference_jacobian(&s->difference, derivative_of_x, &frozen, x, dx, s->scale, dx,
                                  values);
}

int rb_solver_call_residual_jacobian(RbSolver *s, double t, const double *x, const double *dx,
                                     const double *r, double c) {
    const RbOde *o = &s->ode;
    double *values = cleared_jacobian(s);
    if (o->residual_jacobian) {
        return check_jacobian(s, t, o->residual_jacobian(o->user, t, x, dx, c, values));
    }
    Frozen frozen = {s, t, x, dx, c};
    return rb_difference_jacobian(&s->difference, residual_of_x, &frozen, x, r, s->scale, dx,
                                  values);
}

int rb_solver_call_residual_parts(RbSolver *s, double t, const double *x, const double *dx,
                                  const double *r, double c, long steps, long failures) {
    return check_jacobian(
        s, t, rb_residual_parts_matrix(s, t, x, dx, r, c, steps, failures, s->linear.jacobian));
}
