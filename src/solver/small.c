// SPDX-License-Identifier: MIT
#include "solver/small.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solver/small_data.h"

// Step control. Names as in docs/theory/small.md.
static const double SAFETY = 0.9;
static const double GROW_EXPLICIT = 10, GROW_STIFF = 6, SHRINK = 0.2;
static const double PI_BETA = 0.04;         // weight of the last error in the explicit controller
static const double STABLE_EXPLICIT = 3.25; // h |lambda| at which Dormand-Prince is about to grow
static const double NEAR_LIMIT = 1.01;      // a step that ends this near to the limit ends there
static const double RETRY = 0.25;           // where f is not defined
static const double SHORTEST_BACK = 0.1;    // of a step: the one before, if its rates are to count
enum { PATIENCE = 8, MAX_PATIENCE = 1000, LOOK = 6, CALM = 6, CHECK_EVERY = 8, CHECKS = 2 };

static int evaluate_end(RbSmall *s);
static void remember_start(RbSmall *s);
static int begin_step(RbSmall *s, double t_limit);
static int choose_step(RbSmall *s, double t_limit);
static int find_step(RbSmall *s, double t_limit, double *h);
static void accept(RbSmall *s, double t1, double h, double error, double proposed);
static int attempt(RbSmall *s, double h);
static void finish(RbSmall *s, double h);
static double error_norm(const RbSmall *s);
static double next_size(RbSmall *s, double h, double error);
static void watch_stiffness(RbSmall *s);

// ---- setting up

RbSmallOptions rb_small_options(void) {
    return (RbSmallOptions){.tolerance = 1e-6};
}

// One block for all vectors and matrices, so that a copy is a copy of the block.
RbSmall *rb_small_create(int capacity, bool matrices_too, RbArena *arena) {
    RbSmall *s = rb_new(arena, RbSmall);
    size_t n = (size_t)capacity, nn = matrices_too ? n * n : 0;
    s->capacity = capacity;
    s->matrices = matrices_too;
    s->block_size = (15 + RB_SMALL_STAGES) * n + 2 * nn;
    double *block = s->block = rb_new_array(arena, double, s->block_size);
    double **vectors[] = {
        &s->x0, &s->x1, &s->f0, &s->f1, &s->relative, &s->absolute,     &s->scale,       &s->error,
        &s->y,  &s->c2, &s->c3, &s->c4, &s->ft,       &s->difference.x, &s->difference.f};
    for (int i = 0; i < 15; i++, block += n) *vectors[i] = block;
    for (int i = 0; i < RB_SMALL_STAGES; i++, block += n) s->k[i] = block;
    double **matrices[] = {&s->jacobian, &s->factors};
    for (int i = 0; i < 2; i++, block += nn) *matrices[i] = block;
    s->pivot = rb_new_array(arena, int, capacity);
    s->first = rb_new_array(arena, int, capacity);
    s->end = rb_new_array(arena, int, capacity);
    return s;
}

void rb_small_open(RbSmall *s, const RbSmallOde *ode, const RbSmallOptions *o) {
    RB_ASSERT(ode->n >= 0 && ode->n <= s->capacity && (ode->derivative || ode->advance));
    RB_ASSERT(ode->rate_count <= RB_SMALL_RATES);
    s->ode = *ode;
    s->tolerance = o->tolerance;
    s->max_step = o->max_step > 0 ? o->max_step : INFINITY;
    s->method = s->matrices ? o->method : RB_SMALL_EXPLICIT;
    s->part_ends = o->part_ends;
    s->part_count = o->part_ends ? o->part_count : 0;
    s->stats = (RbSmallStats){0};
    for (int i = 0; i < ode->n; i++) {
        s->relative[i] = o->relative ? o->relative[i] : o->tolerance;
        s->absolute[i] = o->absolute ? o->absolute[i] : o->tolerance;
        s->scale[i] = s->absolute[i] / o->tolerance;
    }
}

void rb_small_start(RbSmall *s, double t, const double *x, RbSmallKind kind, double step) {
    if (s->method != RB_SMALL_AUTO) kind = s->method;
    s->kind = s->last_kind = kind == RB_SMALL_AUTO ? RB_SMALL_EXPLICIT : kind;
    s->t0 = s->t1 = s->t1_accepted = t;
    s->back_count = 0;
    memmove(s->x1, x, (size_t)s->ode.n * sizeof(double));
    memcpy(s->x0, s->x1, (size_t)s->ode.n * sizeof(double));
    s->h = step;
    s->h_old = s->stiffness = 0;
    s->error_old = 1e-4;
    s->f1_known = s->slope_known = false;
    s->stiff_hits = s->soft_hits = s->since_switch = s->soft_checks = 0;
    s->patience = PATIENCE;
    s->stats.starts++;
}

// ---- stepping

RbStatus rb_small_step(RbSmall *s, double t_limit, RbDiag *diag) {
    RB_ASSERT(t_limit > s->t1);
    if (s->ode.advance) return rb_own_step(s, t_limit, diag);
    double h = 0;
    int answer = begin_step(s, t_limit) == 0 ? 0 : -1;
    if (answer == 0) answer = find_step(s, t_limit, &h);
    if (answer == 0) {
        watch_stiffness(s);
        return RB_OK;
    }
    RbStatus status = rb_small_failed(s, answer, h, diag);
    memcpy(s->x1, s->x0, (size_t)s->ode.n * sizeof(double));
    s->t1 = s->t1_accepted = s->t0;
    s->f1_known = s->slope_known = false;
    return status;
}

// f and the rates at the end of the last step.
static int evaluate_end(RbSmall *s) {
    if (s->f1_known) return 0;
    int answer = rb_small_evaluate_stage(s, s->t1, s->x1, s->f1, RB_SMALL_STAGES - 1);
    s->f1_known = answer == 0;
    return answer;
}

static void remember_start(RbSmall *s) {
    s->t_back[1] = s->t_back[0];
    memcpy(s->g_back[1], s->g_back[0], sizeof s->g_back[1]);
    s->t_back[0] = s->t0;
    memcpy(s->g_back[0], s->g[0], sizeof s->g_back[0]);
    if (s->back_count < 2) s->back_count++;
}

// The end of the last step becomes the start of this one.
static int begin_step(RbSmall *s, double t_limit) {
    int answer = evaluate_end(s);
    double *keep = s->x0;
    s->x0 = s->x1;
    s->x1 = keep;
    if (s->t1 > s->t0) remember_start(s);
    s->t0 = s->t1;
    s->slope_known = false;
    memcpy(s->f0, s->f1, (size_t)s->ode.n * sizeof(double));
    memcpy(s->g[0], s->g[RB_SMALL_STAGES - 1], sizeof s->g[0]);
    if (answer == 0 && !(s->h > 0)) answer = choose_step(s, t_limit);
    return answer;
}

// Try until the error is small enough. Answers 1 if no step is.
static int find_step(RbSmall *s, double t_limit, double *h) {
    double least = 4 * DBL_EPSILON * fabs(s->t0); // [s] below this, t does not move any more
    *h = fmin(s->h, s->max_step);
    for (bool rejected = false;; rejected = true) {
        bool limited = s->t0 + NEAR_LIMIT * *h >= t_limit;
        double t1 = limited ? t_limit : s->t0 + *h;
        *h = t1 - s->t0; // as the step would be taken again
        if (rejected && !(*h > least)) return 1;
        int answer = attempt(s, *h);
        if (answer < 0) return answer;
        double error = answer == 0 ? error_norm(s) : INFINITY;
        double proposed = answer == 0 ? next_size(s, *h, error) : RETRY * *h;
        if (error <= 1) {
            if (rejected)
                proposed = fmin(proposed, *h);
            else if (limited)
                proposed = fmax(proposed, s->h); // the limit says nothing about the solution
            accept(s, t1, *h, error, proposed);
            return 0;
        }
        s->stats.rejected++;
        *h = proposed;
    }
}

static void accept(RbSmall *s, double t1, double h, double error, double proposed) {
    s->t1 = s->t1_accepted = t1;
    s->h_old = h;
    s->error_old = fmax(error, s->kind == RB_SMALL_STIFF ? 1e-2 : 1e-4);
    s->h = proposed;
    s->last_kind = s->kind;
    s->stats.steps++;
    s->stats.stiff_steps += s->kind == RB_SMALL_STIFF;
    finish(s, h);
}

RbStatus rb_small_retake(RbSmall *s, double t_end, RbDiag *diag) {
    RB_ASSERT(s->t1_accepted > s->t0 && t_end > s->t0 && t_end <= s->t1_accepted);
    if (s->ode.advance) return rb_own_retake(s, t_end, diag);
    double h = t_end - s->t0;
    int answer =
        s->last_kind == RB_SMALL_EXPLICIT ? rb_dopri_attempt(s, h) : rb_rodas_attempt(s, h);
    s->stats.retakes++;
    if (answer != 0) return rb_small_failed(s, answer, h, diag);
    s->t1 = t_end;
    finish(s, h);
    return RB_OK;
}

int rb_small_evaluate(RbSmall *s, double t, const double *x, double *dx) {
    s->stats.derivatives++;
    int answer = s->ode.derivative(s->ode.user, t, x, dx);
    s->refused = answer != 0;
    for (int i = 0; answer == 0 && i < s->ode.n; i++) {
        if (!isfinite(dx[i])) answer = 1;
    }
    return answer;
}

int rb_small_evaluate_stage(RbSmall *s, double t, const double *x, double *dx, int stage) {
    int answer = rb_small_evaluate(s, t, x, dx);
    for (int j = 0; j < s->ode.rate_count; j++) s->g[stage][j] = s->ode.rates[j];
    return answer;
}

static int attempt(RbSmall *s, double h) {
    return s->kind == RB_SMALL_EXPLICIT ? rb_dopri_attempt(s, h) : rb_rodas_attempt(s, h);
}

// What the dense output needs, for the method of the last step.
static void finish(RbSmall *s, double h) {
    if (s->last_kind == RB_SMALL_EXPLICIT)
        rb_dopri_finish(s, h);
    else
        rb_rodas_finish(s);
}

int rb_small_worst_state(const RbSmall *s) {
    int worst = 0;
    double largest = -1;
    for (int i = 0; i < s->ode.n && !s->ode.advance; i++) {
        double e = fabs(s->error[i]) / (s->relative[i] * fabs(s->x0[i]) + s->absolute[i]);
        if (e > largest) largest = e, worst = i;
    }
    return worst;
}

RbStatus rb_small_failed(const RbSmall *s, int answer, double h, RbDiag *diag) {
    if (s->refused && s->ode.explains && s->ode.explains(s->ode.user)) return RB_ERROR_SOLVER;
    if (answer < 0) {
        return rb_fail(diag, RB_ERROR_SOLVER, RB_NOWHERE,
                       "the equations cannot be evaluated at t = %.12g s", s->t0);
    }
    const char *name = s->ode.state_name && !s->refused && !s->ode.advance
                           ? s->ode.state_name(s->ode.user, rb_small_worst_state(s))
                           : NULL;
    return rb_fail(
        diag, RB_ERROR_SOLVER, RB_NOWHERE,
        "the step at t = %.12g s became too small (%.3g s)%s%s%s: the solution jumps, grows beyond "
        "bounds or "
        "leaves the domain of the equations there, or the tolerance %g cannot be reached",
        s->t0, h, name ? ", with the largest error in '" : "", name ? name : "", name ? "'" : "",
        s->tolerance);
}

// ---- step control

// Root mean square of errors over what is allowed.
static double norm_of_part(const RbSmall *s, const double *v, int first, int end) {
    double sum = 0;
    for (int i = first; i < end; i++) {
        double w = v[i] / (s->relative[i] * fmax(fabs(s->x0[i]), fabs(s->x1[i])) + s->absolute[i]);
        sum += w * w;
    }
    return end > first ? sqrt(sum / (end - first)) : 0;
}

// Of the worst part. NaN stays NaN.
static double weighted_norm(const RbSmall *s, const double *v) {
    if (s->part_count == 0) return norm_of_part(s, v, 0, s->ode.n);
    double worst = 0;
    for (int k = 0, first = 0; k < s->part_count; first = s->part_ends[k++]) {
        double norm = norm_of_part(s, v, first, s->part_ends[k]);
        if (!(norm <= worst)) worst = norm;
    }
    return worst;
}

static double error_norm(const RbSmall *s) {
    double error = weighted_norm(s, s->error);
    return isfinite(error) ? error : INFINITY;
}

static double next_size(RbSmall *s, double h, double error) {
    if (!isfinite(error)) return SHRINK * h;
    bool is_explicit = s->kind == RB_SMALL_EXPLICIT;
    double grow = is_explicit ? GROW_EXPLICIT : GROW_STIFF;
    double exponent = is_explicit ? 0.2 - 0.75 * PI_BETA : 0.25;
    double factor = SAFETY * pow(error, -exponent);
    if (is_explicit) {
        factor *= pow(s->error_old, PI_BETA);
    } else if (s->h_old > 0 && s->last_kind == RB_SMALL_STIFF && error <= 1) {
        // Gustafsson's prediction: errors that grew from the last step to this one will grow again.
        factor = fmin(factor, SAFETY * h / s->h_old * pow(s->error_old / (error * error), 0.25));
    }
    if (!(factor > SHRINK)) factor = SHRINK; // also for error = infinity
    if (error > 1) factor = fmin(factor, SAFETY);
    return h * fmin(factor, grow);
}

// How long until the states have moved by their tolerance, or, if that is more, by the distance of
// a good difference quotient? Over less, rounding hides how f changes.
static double probe_time(const RbSmall *s) {
    double sum = 0;
    for (int i = 0; i < s->ode.n; i++) {
        double x = fabs(s->x0[i]), scale = s->scale[i];
        double distance =
            fmax(s->relative[i] * x + s->absolute[i], sqrt(DBL_EPSILON * fmax(x, scale) * scale));
        sum += s->f0[i] * s->f0[i] / (distance * distance);
    }
    return sum > 0 ? sqrt(s->ode.n / sum) : INFINITY;
}

// First step: how fast does f change along the solution? The probe moves the states by about their
// tolerance, so that the answer does not depend on where the origin is. The step then lets the
// second term of Taylor's series grow to what is allowed, and f change by a tenth; from there on
// the control enlarges it quickly.
static int choose_step(RbSmall *s, double t_limit) {
    double span = fmin(t_limit - s->t0, s->max_step);
    memcpy(s->x1, s->x0, (size_t)s->ode.n * sizeof(double)); // for the weights
    double slope = weighted_norm(s, s->f0);
    double probe = fmin(probe_time(s), span);
    int answer;
    for (int shrink = 0;; shrink++) {
        for (int i = 0; i < s->ode.n; i++) s->y[i] = s->x0[i] + probe * s->f0[i];
        answer = rb_small_evaluate(s, s->t0 + probe, s->y, s->k[1]);
        if (answer <= 0 || shrink > 20) break;
        probe *= 0.1;
    }
    if (answer != 0) return answer;
    for (int i = 0; i < s->ode.n; i++) s->k[1][i] = (s->k[1][i] - s->f0[i]) / probe;
    double curvature = weighted_norm(s, s->k[1]);
    s->h = span;
    if (curvature > 0) s->h = fmin(1 / sqrt(curvature), 0.1 * slope / curvature);
    if (slope > 0)
        s->h = fmax(s->h, fmin(probe, 1 / slope));
    else
        s->h = span;
    s->h = fmin(s->h, span);
    return 0;
}

// ---- stiffness

static void switch_to(RbSmall *s, RbSmallKind kind) {
    s->kind = kind;
    s->stats.switches++;
    s->stiff_hits = s->soft_hits = s->soft_checks = s->since_switch = 0;
}

// Evaluations of f that a stiff step costs for one of the explicit method.
static double cost_of_stiff(const RbSmall *s) {
    double told = s->ode.jacobian_cost > 0 ? s->ode.jacobian_cost : 2;
    double jacobian = s->ode.jacobian ? told : s->ode.n;
    return (6 + jacobian + (s->ode.autonomous ? 0 : 1)) / 6;
}

// An explicit step that is limited by stability keeps h |lambda| at the border of its stable
// domain. The stages show that at once if the fast mode is what they are full of; if it hides below
// the tolerance they do not, so the Jacobian is asked now and then.
static void watch_explicit(RbSmall *s) {
    if (s->stiffness > STABLE_EXPLICIT) {
        s->stiff_hits++;
        s->soft_hits = 0;
    } else if (++s->soft_hits >= CALM) {
        s->stiff_hits = 0;
    }
    if (s->stiff_hits < s->patience && s->since_switch % (LOOK * s->patience) != 0) return;
    s->stiff_hits = 0;
    if (rb_small_jacobian(s, s->t1, s->x1, s->f1) != 0) return;
    if (s->h_old * rb_small_spectral_radius(s) > 0.7 * STABLE_EXPLICIT)
        switch_to(s, RB_SMALL_STIFF);
}

// Would explicit steps, as large as stability allows, do it for less? A switch that is taken back
// at once was not worth it: have more patience next time.
static void watch_stiff(RbSmall *s) {
    if (s->since_switch % CHECK_EVERY != 0) return;
    double steps = s->h * rb_small_spectral_radius(s) / STABLE_EXPLICIT;
    s->soft_checks = steps < 0.5 * cost_of_stiff(s) ? s->soft_checks + 1 : 0;
    if (s->soft_checks < CHECKS) return;
    if (s->since_switch <= CHECKS * CHECK_EVERY && s->patience < MAX_PATIENCE)
        s->patience *= 2;
    else
        s->patience = PATIENCE;
    switch_to(s, RB_SMALL_EXPLICIT);
}

static void watch_stiffness(RbSmall *s) {
    s->since_switch++;
    if (s->method != RB_SMALL_AUTO) return;
    if (s->kind == RB_SMALL_EXPLICIT)
        watch_explicit(s);
    else
        watch_stiff(s);
}

// ---- rates

// States at the ends of stiff steps lie where the fast modes have died out; those of the dense output do
// not, and a rate like the power of a contact makes per cents of a micrometre. So the rates of the last
// four ends are joined by a polynomial, with u = t - t0, b and c the distances of the earlier ends from t0,
//     g = g0 + d1 u + d2 u (u - h) + d3 u (u - h) (u + b)
// where d3 is what a parabola would have missed. sum: integrals from u = from to until; beyond: what d3
// adds over the step. False if there are no such ends.
static bool integrate_ends(const RbSmall *s, double from, double until, double *sum,
                           double *beyond) {
    double h = s->t1 - s->t0, b = s->t0 - s->t_back[0], c = s->t0 - s->t_back[1];
    if (s->back_count < 2 || !(b > SHORTEST_BACK * h) || !(c - b > SHORTEST_BACK * b)) return false;
    const double *g0 = s->g[0], *g1 = s->g[RB_SMALL_STAGES - 1];
    const double power[] = {until - from, (until * until - from * from) / 2,
                            (pow(until, 3) - pow(from, 3)) / 3, (pow(until, 4) - pow(from, 4)) / 4};
    double second = power[2] - h * power[1];
    double third = power[3] + (b - h) * power[2] - b * h * power[1];
    double whole = h * h * h * (h / 12 + b / 6);
    for (int j = 0; j < s->ode.rate_count; j++) {
        double d1 = (g1[j] - g0[j]) / h;
        double d2 = (d1 - (g0[j] - s->g_back[0][j]) / b) / (h + b);
        double parabola = g0[j] - d1 * c + d2 * c * (c + h);
        double d3 = (s->g_back[1][j] - parabola) / (c * (c + h) * (b - c));
        sum[j] = g0[j] * power[0] + d1 * power[1] + d2 * second + d3 * third;
        *beyond = fmax(*beyond, fabs(d3) * whole);
    }
    return true;
}

// By a parabola through the ends and the middle: Simpson's rule.
static int integrate_middle(RbSmall *s, double from, double until, double *sum) {
    double h = s->t1 - s->t0;
    int answer = rb_rodas_middle(s);
    const double *g0 = s->g[0], *g1 = s->g[RB_SMALL_STAGES - 1];
    double one = (until * until - from * from) / 2;
    double two = (pow(until, 3) - pow(from, 3)) / 3 - h * one;
    for (int j = 0; answer == 0 && j < s->ode.rate_count; j++) {
        double d1 = (g1[j] - g0[j]) / h, d2 = (2 * (g0[j] + g1[j]) - 4 * s->g[1][j]) / (h * h);
        sum[j] = g0[j] * (until - from) + d1 * one + d2 * two;
    }
    return answer;
}

// The ends will do if the parabola would have been good enough, compared with what is integrated in this
// step or, where that is next to nothing, with all so far.
static int integrate_stiff(RbSmall *s, double from, double until, const double *q, double *sum) {
    double beyond = 0, size = 0;
    int answer = evaluate_end(s);
    if (answer != 0) return answer;
    bool known = integrate_ends(s, from - s->t0, until - s->t0, sum, &beyond);
    for (int j = 0; j < s->ode.rate_count; j++) {
        double mean = 0.5 * (s->g[0][j] + s->g[RB_SMALL_STAGES - 1][j]);
        size += fabs(mean) * (s->t1 - s->t0) + 0.01 * fabs(q[j]);
    }
    if (known && beyond <= 10 * s->tolerance * size) return 0;
    return integrate_middle(s, from - s->t0, until - s->t0, sum);
}

int rb_small_integrate(RbSmall *s, double from, double until, double *q) {
    double sum[RB_SMALL_RATES] = {0};
    int answer = 0;
    if (s->ode.advance)
        answer = rb_own_integrate(s, from, until, sum);
    else if (s->last_kind == RB_SMALL_EXPLICIT)
        rb_dopri_integrate(s, from, until, sum);
    else
        answer = integrate_stiff(s, from, until, q, sum);
    for (int j = 0; answer == 0 && j < s->ode.rate_count; j++) q[j] += sum[j];
    return answer;
}

bool rb_small_doubts_rates(const RbSmall *s, const double *q) {
    const double DOUBT = 10; // tolerances
    if (s->ode.advance || s->last_kind != RB_SMALL_EXPLICIT) return false;
    double size = 0;
    for (int j = 0; j < s->ode.rate_count; j++)
        if (!rb_small_is_loose(s, j))
            size += fabs(s->g[0][j]) * (s->t1 - s->t0) + 0.01 * fabs(q[j]);
    return rb_dopri_rate_error(s) > DOUBT * s->tolerance * size;
}

// ---- looking at the solution

double rb_small_time(const RbSmall *s) {
    return s->t1;
}

const double *rb_small_state(const RbSmall *s) {
    return s->x1;
}

double rb_small_next_step(const RbSmall *s) {
    return s->h;
}

RbSmallKind rb_small_kind(const RbSmall *s) {
    return s->kind;
}

RbSmallStats rb_small_stats(const RbSmall *s) {
    return s->stats;
}

void rb_small_interval(const RbSmall *s, double *t0, double *t1) {
    *t0 = s->t0;
    *t1 = s->t1;
}

// x = x0 + u (d + w (c2 + u (c3 + w c4))), u = (t - t0) / (t1 - t0), w = 1 - u, d = x1 - x0
void rb_small_interpolate(const RbSmall *s, double t, int first, int count, double *x) {
    const double *end = t == s->t1 ? s->x1 : t == s->t0 ? s->x0 : NULL;
    if (end) {
        memcpy(x, end + first, (size_t)count * sizeof(double));
        return;
    }
    double u = (t - s->t0) / (s->t1 - s->t0), w = 1 - u;
    for (int k = 0; k < count; k++) {
        int i = first + k;
        double d = s->x1[i] - s->x0[i];
        double bent = s->ode.advance ? 0 : w * (s->c2[i] + u * (s->c3[i] + w * s->c4[i]));
        x[k] = s->x0[i] + u * (d + bent);
    }
}
