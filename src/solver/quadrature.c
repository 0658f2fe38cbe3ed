// SPDX-License-Identifier: MIT
// Quadratures along the solution by Gauss' rule on the dense output of each step: any method, no
// influence on the steps, and no evaluation at the ends of a step, where events are.
#include <string.h>

#include "base/assert.h"
#include "solver/integrator.h"

typedef struct Rule {
    int count;
    double at[4]; // in -1 .. 1
    double weight[4];
} Rule;

// Exact for polynomials of degree 3, 5 and 7: local error h^5/4320, h^7 and h^9 with still smaller
// constants. BDF takes short steps for its order: whether it gets two points or three, the energy
// balance of the scenes is the same to two digits.
static const Rule two = {2, {-0.57735026918962576451, 0.57735026918962576451}, {1, 1}};
static const Rule three = {
    3, {-0.77459666924148337704, 0, 0.77459666924148337704}, {5.0 / 9, 8.0 / 9, 5.0 / 9}};
static const Rule four = {4,
                          {-0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480,
                           0.86113631159405257522},
                          {0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263,
                           0.34785484513745385737}};

static const Rule *choose_rule(const RbSolverOptions *o) {
    if (o->method == RB_CVODE_BDF) return &two;
    bool high =
        o->method == RB_CVODE_ADAMS || (o->method == RB_ARKODE && o->table >= RB_TABLE_VERNER6);
    return high ? &four : &three;
}

RbStatus rb_solver_integrate_quadratures(RbSolver *s, double t, double *q) {
    if (s->integrator->quadratures) {
        s->integrator->quadratures(s, t, q);
        return RB_OK;
    }
    const Rule *rule = choose_rule(&s->options);
    double half = 0.5 * (t - s->t_old), middle = 0.5 * (t + s->t_old);
    memcpy(q, s->q_old, sizeof(double) * (size_t)s->ode.quad_count);
    for (int k = 0; k < rule->count; k++) {
        double at = middle + half * rule->at[k];
        int flag = s->integrator->interpolate(s, at, 0, s->work);
        if (flag != 0) return rb_solver_fail(s, RB_TROUBLE_OTHER, flag);
        if (rb_solver_call_quadrature(s, at, N_VGetArrayPointer(s->work), s->dq) != 0) {
            return rb_solver_fail(s, RB_TROUBLE_MODEL, 0);
        }
        for (int i = 0; i < s->ode.quad_count; i++) q[i] += half * rule->weight[k] * s->dq[i];
    }
    return RB_OK;
}
