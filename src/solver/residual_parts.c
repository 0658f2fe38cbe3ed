// SPDX-License-Identifier: MIT
#include "solver/residual_parts.h"

#include <string.h>

#include "solver/integrator.h"

// As CVODE does with its Jacobian.
enum { STEPS_MAX = 50 };

// IDA asks for another matrix without need of it, if the iteration converges, when c leaves these
// bounds. If it asks within them, the parts are to blame.
static const double SMALLEST_RATIO = 0.6, LARGEST_RATIO = 1 / 0.6;

static void reserve(RbSolver *s, const RbPattern *sum, const RbPattern *part) {
    RbResidualParts *p = &s->parts;
    if ((size_t)sum->count > p->capacity) {
        p->capacity = 2 * (size_t)sum->count;
        p->by_x = rb_new_array(s->arena, double, p->capacity);
        p->by_dx = rb_new_array(s->arena, double, p->capacity);
    }
    if ((size_t)part->count > p->room) {
        p->room = 2 * (size_t)part->count;
        p->quotients = rb_new_array(s->arena, double, p->room);
        p->place = rb_new_array(s->arena, int, p->room);
    }
}

void rb_residual_parts_open(RbSolver *s) {
    RbResidualParts *p = &s->parts;
    const RbPattern *sum = s->ode.pattern;
    const RbPattern *part = s->ode.state_pattern ? s->ode.state_pattern : sum;
    reserve(s, sum, part);
    p->state_pattern = part;
    for (int j = 0; j < part->n; j++) {
        for (int k = part->col_start[j]; k < part->col_start[j + 1]; k++)
            p->place[k] = rb_pattern_find(sum, part->row_index[k], j);
    }
    rb_difference_set_pattern(&p->difference, s->size, part, s->arena);
    p->known = false;
}

// F as a function of x alone.
typedef struct Frozen {
    RbSolver *solver;
    double t;
    const double *dx;
} Frozen;

static int residual_of_x(void *user, const double *x, double *r) {
    Frozen *f = user;
    f->solver->stats.jacobian_derivatives++;
    return rb_solver_call_residual(f->solver, f->t, x, f->dx, r);
}

static int compute(RbSolver *s, double t, const double *x, const double *dx, const double *r) {
    RbResidualParts *p = &s->parts;
    size_t bytes = sizeof(double) * (size_t)s->ode.pattern->count;
    Frozen frozen = {s, t, dx};
    s->stats.jacobians++;
    p->known = false;
    memset(p->by_dx, 0, bytes);
    memset(p->by_x, 0, bytes);
    int answer = s->ode.residual_slopes(s->ode.user, t, x, dx, p->by_dx);
    if (answer == 0)
        answer = rb_difference_jacobian(&p->difference, residual_of_x, &frozen, x, r, s->scale, dx,
                                        p->quotients);
    for (int k = 0; answer == 0 && k < p->state_pattern->count; k++)
        p->by_x[p->place[k]] = p->quotients[k];
    return answer;
}

static bool out_of_date(const RbResidualParts *p, double c, long steps, long failures) {
    double ratio = c / p->c;
    if (!p->known || steps > p->steps + STEPS_MAX || failures > p->failures) return true;
    return ratio > SMALLEST_RATIO && ratio < LARGEST_RATIO;
}

int rb_residual_parts_matrix(RbSolver *s, double t, const double *x, const double *dx,
                             const double *r, double c, long steps, long failures, double *values) {
    RbResidualParts *p = &s->parts;
    if (out_of_date(p, c, steps, failures)) {
        int answer = compute(s, t, x, dx, r);
        if (answer != 0) return answer;
        p->known = true;
        p->steps = steps;
        p->failures = failures;
    }
    p->c = c;
    for (int k = 0; k < s->ode.pattern->count; k++) values[k] = p->by_x[k] + c * p->by_dx[k];
    return 0;
}
