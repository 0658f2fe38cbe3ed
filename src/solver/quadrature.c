// SPDX-License-Identifier: MIT
// Quadratures along the solution by Gauss' rule on the dense output of each step: any method, no
// influence on the steps, and no evaluation at the ends of a step, where events are.
#include <string.h>

#include "base/assert.h"
#include "math/gauss.h"
#include "solver/integrator.h"

// BDF takes short steps for its order: whether it gets two points or three, the energy balance of the
// scenes is the same to two digits.
static int choose_points(const RbSolverOptions *o) {
    if (o->method == RB_CVODE_BDF) return 2;
    bool high =
        o->method == RB_CVODE_ADAMS || (o->method == RB_ARKODE && o->table >= RB_TABLE_VERNER6);
    return high ? 4 : 3;
}

enum { BAD_POINT = 1, BAD_RATES = 2 };

static int rates(void *user, double t, double *dq) {
    RbSolver *s = user;
    s->quadrature_flag = s->integrator->interpolate(s, t, 0, s->work);
    if (s->quadrature_flag != 0) return BAD_POINT;
    return rb_solver_call_quadrature(s, t, N_VGetArrayPointer(s->work), dq) == 0 ? 0 : BAD_RATES;
}

RbStatus rb_solver_integrate_quadratures(RbSolver *s, double t, bool to_event, double *q) {
    if (s->integrator->quadratures) {
        s->integrator->quadratures(s, t, q);
        return RB_OK;
    }
    const double ENOUGH = 0.1; // of the tolerance
    RbGauss gauss = {s->ode.quad_count, rates, s, s->dq, s->ode.quad_loose};
    int points = choose_points(&s->options);
    memcpy(q, s->q_old, sizeof(double) * (size_t)s->ode.quad_count);
    int answer = rb_gauss_add_closely(&gauss, points, s->t_old, t, ENOUGH * s->options.tolerance,
                                      !to_event, q, s->q_work);
    if (answer == BAD_POINT) return rb_solver_fail(s, RB_TROUBLE_OTHER, s->quadrature_flag);
    return answer == 0 ? RB_OK : rb_solver_fail(s, RB_TROUBLE_MODEL, 0);
}
