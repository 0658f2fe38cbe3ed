// SPDX-License-Identifier: MIT
// Leapfrog (velocity Verlet) for mechanical systems q' = v, v' = a(t, q, v): second order, symplectic
// where a does not depend on v, one evaluation per step (docs/theory/solver.md).
//
//     q1 = q0 + h (v0 + h/2 a0),   a1 = a(q1, v0 + h a0),   v1 = v0 + h/2 (a0 + a1)
//
// The velocity that a1 is given is predicted; its error h² a'/2 keeps the order. Other states y' = f are
// taken along by Heun's method from the same evaluation. The step stays as long as it can, because
// it is constant steps that keep the energy: it is max_step divided by a power of two, halved where
// the local error of the places, h²/6 (a1 - a0), is above the tolerance, and doubled when it has
// been far below for a while. A force that grows without bound, as of what is squeezed flat, can be met
// so deep in a step that is short enough for the places that the kick h/2 (a1 - a0) is faster than
// anything before: it must stay below half of the largest velocity of its block and the nominal one.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solver/hermite.h"
#include "solver/integrator.h"

enum {
    HALVINGS = 40,   // of max_step, at most
    PATIENCE = 32,   // good steps before a longer one is tried
    BISECTIONS = 60, // to find a root: below the rounding of any step
    FLAG_ERROR_TEST = -1,
    FLAG_DOMAIN = -2,
    FLAG_MODEL = -3,
    FLAG_ROOTS = -4,
};
static const double GROW_BELOW = 0.05; // of the tolerance: doubling makes eight times the error
static const double KICK = 0.5;        // of velocities

typedef struct Leapfrog {
    double *x0, *f0, *dq0; // at the begin of the last step
    double *x1, *f1, *dq1; // at its end
    double *trial;
    bool *velocity; // per state: it is the rate of another
    double *kick;   // per block: the largest of a step
    double *speed;  // per block: the largest at its end, and the nominal one
    double *z;
    signed char *sign; // per root: last sign that was not zero
    bool fresh;        // f1 and dq1 are not known yet
    int halvings, good;
    double last_error;
    double h; // [s] of the last step
    long steps, failures;
} Leapfrog;

// The state that is the derivative of state i, or -1.
static int rate_of(const RbSolver *s, int i) {
    return s->ode.rate ? s->ode.rate[i] : -1;
}

static void copy(double *to, const double *from, int n) {
    memcpy(to, from, sizeof(double) * (size_t)n);
}

static void create(RbSolver *s) {
    int n = s->size, q = s->ode.quad_count;
    Leapfrog *l = rb_new(s->arena, Leapfrog);
    double **vectors[] = {&l->x0, &l->f0, &l->x1, &l->f1, &l->trial};
    for (int i = 0; i < 5; i++) *vectors[i] = rb_new_array(s->arena, double, n);
    l->dq0 = rb_new_array(s->arena, double, q);
    l->dq1 = rb_new_array(s->arena, double, q);
    l->velocity = rb_new_array(s->arena, bool, n);
    l->kick = rb_new_array(s->arena, double, s->blocks.count + 1);
    l->speed = rb_new_array(s->arena, double, s->blocks.count + 1);
    for (int i = 0; i < s->ode.n; i++)
        if (rate_of(s, i) >= 0) l->velocity[rate_of(s, i)] = true;
    l->z = rb_new_array(s->arena, double, s->ode.root_count);
    l->sign = rb_new_array(s->arena, signed char, s->ode.root_count);
    s->memory = l;
}

// f and the derivatives of the quadratures, from one evaluation if the model can do that.
static int evaluate(RbSolver *s, double t, const double *x, double *f, double *dq) {
    if (s->ode.both && s->ode.n > 0 && s->ode.quad_count > 0) return rb_solver_call_both(s, t, x, f, dq);
    int answer = rb_solver_call_derivative(s, t, x, f);
    if (answer == 0 && s->ode.quad_count > 0) answer = rb_solver_call_quadrature(s, t, x, dq);
    return answer;
}

static int flag_of(int answer) {
    return answer < 0 ? FLAG_MODEL : FLAG_DOMAIN;
}

static signed char sign_of(double z) {
    return (signed char)((z > 0) - (z < 0));
}

static int restart(RbSolver *s) {
    Leapfrog *l = s->memory;
    l->fresh = true;
    l->halvings = l->good = 0;
    l->steps = l->failures = 0;
    if (s->ode.root_count == 0) return 0;
    if (rb_solver_call_roots(s, s->t, N_VGetArrayPointer(s->x), NULL, l->z) != 0) return FLAG_ROOTS;
    for (int i = 0; i < s->ode.root_count; i++) l->sign[i] = sign_of(l->z[i]);
    return 0;
}

static double current_time(RbSolver *s) {
    return s->t;
}

// ---- one step ----

// Error of the step in units of the tolerance: that of the worst block. Velocities are left to
// their places.
static double step_error(RbSolver *s, double h) {
    Leapfrog *l = s->memory;
    RbErrorBlocks *b = &s->blocks;
    double all = 0, worst = 0;
    int n = s->ode.n;
    for (int k = 0; k < b->count; k++) b->sum[k] = 0;
    for (int i = 0; i < n; i++) {
        if (l->velocity[i]) continue;
        int v = rate_of(s, i);
        double e = v < 0 ? h / 6 * (l->f1[i] - l->f0[i]) : h * h / 6 * (l->f1[v] - l->f0[v]);
        e /= s->relative[i] * fabs(l->x1[i]) + s->absolute[i];
        if (b->of)
            b->sum[b->of[i]] += e * e;
        else
            all += e * e;
    }
    for (int k = 0; k < b->count; k++) worst = fmax(worst, b->sum[k] * b->share[k]);
    return sqrt(b->of ? worst : all / s->size);
}

// Whether a force has come up in the step that it could not see.
static bool is_kicked(RbSolver *s, double h) {
    Leapfrog *l = s->memory;
    const int *of = s->blocks.of;
    int blocks = of ? s->blocks.count : 1;
    for (int k = 0; k < blocks; k++) l->kick[k] = l->speed[k] = 0;
    for (int i = 0; i < s->ode.n; i++) {
        if (!l->velocity[i]) continue;
        int k = of ? of[i] : 0;
        l->kick[k] = fmax(l->kick[k], 0.5 * h * fabs(l->f1[i] - l->f0[i]));
        l->speed[k] = fmax(l->speed[k], fabs(l->x0[i]) + s->scale[i]);
    }
    for (int k = 0; k < blocks; k++)
        if (!(l->kick[k] <= KICK * l->speed[k])) return true;
    return false;
}

// From (x0, f0) over h to (x1, f1). The answer of the model.
static int try_step(RbSolver *s, double t, double h) {
    Leapfrog *l = s->memory;
    int n = s->ode.n;
    for (int i = 0; i < n; i++) {
        int v = rate_of(s, i);
        l->trial[i] =
            v < 0 ? l->x0[i] + h * l->f0[i] : l->x0[i] + h * (l->x0[v] + 0.5 * h * l->f0[v]);
    }
    int answer = evaluate(s, t + h, l->trial, l->f1, l->dq1);
    if (answer != 0) return answer;
    for (int i = 0; i < n; i++)
        l->x1[i] = rate_of(s, i) >= 0 ? l->trial[i] : l->x0[i] + 0.5 * h * (l->f0[i] + l->f1[i]);
    for (int i = 0; i < n; i++)
        if (rate_of(s, i) >= 0) l->f1[i] = l->x1[rate_of(s, i)];
    return 0;
}

static double full_step(const RbSolver *s, double room) {
    double most = s->options.max_step > 0 ? s->options.max_step : room;
    return ldexp(most, -((const Leapfrog *)s->memory)->halvings);
}

// Tries shorter and shorter steps until the model can be evaluated and the error is small.
static int accepted_step(RbSolver *s, double t_stop, double *length) {
    Leapfrog *l = s->memory;
    for (;;) {
        double room = t_stop - s->t, h = full_step(s, room);
        if (h > room * (1 - 1e-9)) h = room;
        int answer = try_step(s, s->t, h);
        if (answer < 0) return FLAG_MODEL;
        l->last_error = answer == 0 ? step_error(s, h) : INFINITY;
        if (l->last_error <= 1 && !is_kicked(s, h)) {
            *length = h;
            return 0;
        }
        l->failures++;
        l->good = 0;
        if (++l->halvings > HALVINGS || s->t + h == s->t)
            return answer > 0 ? FLAG_DOMAIN : FLAG_ERROR_TEST;
    }
}

static void lengthen(Leapfrog *l) {
    l->good = l->last_error < GROW_BELOW ? l->good + 1 : 0;
    if (l->good < PATIENCE || l->halvings == 0) return;
    l->halvings--;
    l->good = 0;
}

// ---- dense output ----

static void state_inside(const RbSolver *s, double t, int derivative, double *x) {
    const Leapfrog *l = s->memory;
    double u = l->h > 0 ? (t - s->t_old) / l->h : 0;
    rb_hermite(&(RbHermite){l->h, l->x0, l->f0, l->x1, l->f1}, s->ode.n, u, derivative, x);
}

static int interpolate(RbSolver *s, double t, int derivative, N_Vector out) {
    state_inside(s, t, derivative, N_VGetArrayPointer(out));
    return 0;
}

// The derivatives of the quadratures vary linearly over a step: the trapezium rule, of the order of
// the method and at no cost.
static void quadratures_inside(RbSolver *s, double t, double *q) {
    const Leapfrog *l = s->memory;
    double dt = t - s->t_old, u = l->h > 0 ? dt / l->h : 0;
    for (int i = 0; i < s->ode.quad_count; i++)
        q[i] = s->q_old[i] + dt * (l->dq0[i] + 0.5 * u * (l->dq1[i] - l->dq0[i]));
}

// ---- roots ----

static bool crossed(const RbSolver *s, const double *z) {
    const Leapfrog *l = s->memory;
    for (int i = 0; i < s->ode.root_count; i++)
        if (l->sign[i] != 0 && sign_of(z[i]) == -l->sign[i]) return true;
    return false;
}

// Does an indicator change its sign in the step to t? Then *t is right behind the first change.
static int find_root(RbSolver *s, double *t, bool *found) {
    Leapfrog *l = s->memory;
    *found = false;
    if (rb_solver_call_roots(s, *t, l->x1, NULL, l->z) != 0) return FLAG_ROOTS;
    if (!crossed(s, l->z)) return 0;
    *found = true;
    double before = s->t_old, after = *t;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (before + after);
        if (middle <= before || middle >= after) break;
        state_inside(s, middle, 0, l->trial);
        if (rb_solver_call_roots(s, middle, l->trial, NULL, l->z) != 0) return FLAG_ROOTS;
        *(crossed(s, l->z) ? &after : &before) = middle;
    }
    state_inside(s, after, 0, l->trial);
    *t = after;
    return rb_solver_call_roots(s, after, l->trial, NULL, l->z) == 0 ? 0 : FLAG_ROOTS;
}

static void root_info(RbSolver *s, int *roots) {
    Leapfrog *l = s->memory;
    for (int i = 0; i < s->ode.root_count; i++) {
        signed char now = sign_of(l->z[i]);
        roots[i] = l->sign[i] != 0 && now == -l->sign[i] ? now : 0;
        if (now != 0) l->sign[i] = now;
    }
}

// The step ends at a root, inside; the next one begins with an evaluation there.
static void end_early(RbSolver *s, double t) {
    Leapfrog *l = s->memory;
    s->t = t;
    copy(N_VGetArrayPointer(s->x), l->trial, s->size);
    l->fresh = true;
}

static int step(RbSolver *s, double t_stop) {
    Leapfrog *l = s->memory;
    s->mishap = (RbMishap){0};
    if (l->fresh) {
        copy(l->x1, N_VGetArrayPointer(s->x), s->size);
        int answer = evaluate(s, s->t, l->x1, l->f1, l->dq1);
        if (answer != 0) return flag_of(answer);
    }
    l->fresh = false;
    copy(l->x0, l->x1, s->size);
    copy(l->f0, l->f1, s->size);
    copy(l->dq0, l->dq1, s->ode.quad_count);
    int flag = accepted_step(s, t_stop, &l->h);
    if (flag != 0) return flag;
    l->steps++;
    lengthen(l);
    double t = s->t + l->h;
    bool found = false;
    if (s->ode.root_count > 0) flag = find_root(s, &t, &found);
    if (flag != 0) return flag;
    if (found) {
        end_early(s, t);
        return RB_FLAG_ROOT;
    }
    for (int i = 0; i < s->ode.root_count; i++)
        if (l->sign[i] == 0) l->sign[i] = sign_of(l->z[i]);
    s->t = t;
    copy(N_VGetArrayPointer(s->x), l->x1, s->size);
    return RB_FLAG_STEP;
}

static int look_back(RbSolver *s, double t_stop) {
    (void)s, (void)t_stop;
    RB_ASSERT(false && "leapfrog never stands behind the time it has reported");
    return RB_FLAG_STOP;
}

// ---- the rest ----

static void local_errors(RbSolver *s, N_Vector errors) {
    const Leapfrog *l = s->memory;
    double *e = N_VGetArrayPointer(errors);
    for (int i = 0; i < s->ode.n; i++) e[i] = l->velocity[i] ? 0 : l->f1[i] - l->f0[i];
}

static RbTrouble trouble(int flag) {
    switch (flag) {
        case FLAG_ERROR_TEST: return RB_TROUBLE_ERROR_TEST;
        case FLAG_DOMAIN: return RB_TROUBLE_DOMAIN;
        case FLAG_MODEL: return RB_TROUBLE_MODEL;
        case FLAG_ROOTS: return RB_TROUBLE_ROOTS;
        default: return RB_TROUBLE_OTHER;
    }
}

static void add_counters(RbSolver *s, RbSolverStats *stats) {
    const Leapfrog *l = s->memory;
    stats->steps += l->steps;
    stats->error_test_failures += l->failures;
    stats->last_step = l->h;
    stats->last_order = l->steps > 0 ? 2 : 0;
}

static double next_step(RbSolver *s) {
    return full_step(s, 0);
}

static void free_memory(RbSolver *s) {
    s->memory = NULL; // it lives in the arena
}

const RbIntegrator rb_leapfrog_integrator = {
    .create = create,
    .restart = restart,
    .time = current_time,
    .step = step,
    .look_back = look_back,
    .interpolate = interpolate,
    .quadratures = quadratures_inside,
    .root_info = root_info,
    .local_errors = local_errors,
    .trouble = trouble,
    .add_counters = add_counters,
    .next_step = next_step,
    .free = free_memory,
};
