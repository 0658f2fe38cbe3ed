// SPDX-License-Identifier: MIT
// No method of its own: somebody else integrates, and puts the end of each step here (rb_solver_put). What
// others need of a step is made of its ends: changes of sign of the indicators, and dense output.
#include <string.h>

#include "base/assert.h"
#include "solver/hermite.h"
#include "solver/integrator.h"

enum { FLAG_DOMAIN = -2, FLAG_MODEL = -3, FLAG_ROOTS = -4 };

typedef struct Caller {
    double t_put, *x_put;  // end of the next step
    double t0, *x0, *f0;   // begin of the last step
    double *f1;            // at its end, which is where the solver stands
    bool known;            // f1 is
    double *z;
    signed char *sign; // per root: last sign that was not zero
    long steps;
} Caller;

static size_t bytes_of(const RbSolver *s) {
    return sizeof(double) * (size_t)s->size;
}

static void create(RbSolver *s) {
    Caller *c = rb_new(s->arena, Caller);
    double **vectors[] = {&c->x_put, &c->x0, &c->f0, &c->f1};
    for (int i = 0; i < 4; i++) *vectors[i] = rb_new_array(s->arena, double, s->size);
    c->z = rb_new_array(s->arena, double, s->ode.root_count + 1);
    c->sign = rb_new_array(s->arena, signed char, s->ode.root_count + 1);
    s->memory = c;
}

static signed char sign_of(double z) {
    return (signed char)((z > 0) - (z < 0));
}

static int restart(RbSolver *s) {
    Caller *c = s->memory;
    c->known = false;
    c->steps = 0;
    c->t0 = s->t;
    if (s->ode.root_count == 0) return 0;
    if (rb_solver_call_roots(s, s->t, N_VGetArrayPointer(s->x), NULL, c->z) != 0) return FLAG_ROOTS;
    for (int i = 0; i < s->ode.root_count; i++) c->sign[i] = sign_of(c->z[i]);
    return 0;
}

void rb_solver_put(RbSolver *s, double t, const double *x) {
    RB_ASSERT(s->options.method == RB_CALLER);
    Caller *c = s->memory;
    c->t_put = t;
    if (s->ode.n > 0) memcpy(c->x_put, x, sizeof(double) * (size_t)s->ode.n);
}

double rb_solver_step_start(const RbSolver *s) {
    RB_ASSERT(s->options.method == RB_CALLER);
    const Caller *c = s->memory;
    return c->t0;
}

static int flag_of(int answer) {
    return answer == 0 ? 0 : answer < 0 ? FLAG_MODEL : FLAG_DOMAIN;
}

static int derivative(RbSolver *s, double t, const double *x, double *f) {
    return s->ode.n > 0 ? flag_of(rb_solver_call_derivative(s, t, x, f)) : 0;
}

static bool has_crossed(const RbSolver *s, int i) {
    const Caller *c = s->memory;
    return c->sign[i] != 0 && sign_of(c->z[i]) == -c->sign[i];
}

static void root_info(RbSolver *s, int *roots) {
    Caller *c = s->memory;
    for (int i = 0; i < s->ode.root_count; i++) {
        roots[i] = has_crossed(s, i) ? sign_of(c->z[i]) : 0;
        if (sign_of(c->z[i]) != 0) c->sign[i] = sign_of(c->z[i]);
    }
}

// The step ends where the caller has put its end.
static int step(RbSolver *s, double t_stop) {
    Caller *c = s->memory;
    double *x = N_VGetArrayPointer(s->x), *f;
    RB_ASSERT(t_stop == c->t_put);
    s->mishap = (RbMishap){0};
    if (!c->known) {
        int flag = derivative(s, s->t, x, c->f1);
        if (flag != 0) return flag;
    }
    f = c->f0, c->f0 = c->f1, c->f1 = f;
    c->t0 = s->t;
    memcpy(c->x0, x, bytes_of(s));
    s->t = t_stop;
    memcpy(x, c->x_put, bytes_of(s));
    c->steps++;
    int flag = derivative(s, s->t, x, c->f1);
    c->known = flag == 0;
    if (flag != 0) return flag;
    if (s->ode.root_count == 0) return RB_FLAG_STEP;
    if (rb_solver_call_roots(s, s->t, x, NULL, c->z) != 0) return FLAG_ROOTS;
    bool any = false;
    for (int i = 0; i < s->ode.root_count; i++) {
        any = any || has_crossed(s, i);
        if (c->sign[i] == 0) c->sign[i] = sign_of(c->z[i]);
    }
    return any ? RB_FLAG_ROOT : RB_FLAG_STEP;
}

static int interpolate(RbSolver *s, double t, int order, N_Vector out) {
    const Caller *c = s->memory;
    double h = s->t - c->t0;
    RbHermite p = {h, c->x0, c->f0, N_VGetArrayPointer(s->x), c->f1};
    if (h > 0)
        rb_hermite(&p, s->ode.n, (t - c->t0) / h, order, N_VGetArrayPointer(out));
    else
        memcpy(N_VGetArrayPointer(out), order == 0 ? p.x1 : p.f1, bytes_of(s));
    return 0;
}

static double current_time(RbSolver *s) {
    return s->t;
}

static int look_back(RbSolver *s, double t_stop) {
    (void)s, (void)t_stop;
    RB_ASSERT(false && "the caller never stands behind the time it has reported");
    return RB_FLAG_STOP;
}

static void local_errors(RbSolver *s, N_Vector errors) {
    memset(N_VGetArrayPointer(errors), 0, bytes_of(s));
}

static RbTrouble trouble(int flag) {
    switch (flag) {
        case FLAG_DOMAIN: return RB_TROUBLE_DOMAIN;
        case FLAG_MODEL: return RB_TROUBLE_MODEL;
        case FLAG_ROOTS: return RB_TROUBLE_ROOTS;
        default: return RB_TROUBLE_OTHER;
    }
}

static void add_counters(RbSolver *s, RbSolverStats *stats) {
    const Caller *c = s->memory;
    stats->steps += c->steps;
    stats->last_step = s->t - c->t0;
}

static double next_step(RbSolver *s) {
    (void)s;
    return 0;
}

static void free_memory(RbSolver *s) {
    s->memory = NULL; // it lives in the arena
}

const RbIntegrator rb_caller_integrator = {
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
