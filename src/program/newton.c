// SPDX-License-Identifier: MIT
// newton.c: Newton's method with halved steps, from the solution at the last point of the run.
// Where it fails, the branch of solutions may have ended: then y moves as a system with a little
// inertia would, towards what it relaxes to.
#include "program/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "program/program_instance.h"
#include "program/small_residual.h"
#include "math/least_change.h"
#include "math/lu.h"

// Newton's method stops when a step is this small relative to the value, or absolutely for values
// around zero. It converges quadratically, so the error left is far smaller.
static const double step_tolerance = 1e-10;
static const double absolute_tolerance = 1e-14;
// When the residual does not fall any further, a solution is what has residuals of this many
// roundings of the terms they are made of, or of this part of what they were at first.
static const double roundings = 1e4;
static const double fallen = 1e-8;
// Newton's method makes progress if the square sum of the residuals falls below this part.
static const double little = 0.25;
// Pivots of this size relative to their column are rounding.
static const double pivot_noise = 4 * DBL_EPSILON;
// What is left of an equation beside the others, if they say the same: rounding, of derivatives and of differences.
static const double repeated = 1e-10;
static const double repeated_by_differences = 1e-6;
enum {
    NEWTON_MAX = 60,
    HALVINGS_MAX = 30,
    BISECTIONS_MAX = 200,
    DOUBLINGS_MAX = 60,
    RELAX_MAX = 400
};

typedef struct Newton {
    RbProgramInstance *in;
    RbSystemWork *s;
    RbSystemFunction *evaluate;
    bool symbolic; // evaluate gives the matrix
    bool open;     // steps of least change: equations that repeat each other are no obstacle
    int n;
    double first;   // square sum of the residuals at the guess
    int iterations; // of Newton's method so far
} Newton;

static double norm(int n, const double *r) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += r[i] * r[i];
    return sum;
}

static void difference_matrix(const Newton *w) {
    RbSystemWork *s = w->s;
    for (int j = 0; j < w->n; j++) {
        double y = s->y[j], h = sqrt(DBL_EPSILON) * fmax(fabs(y), 1e-3 * s->scale[j]);
        s->y[j] = y + h;
        w->evaluate(&w->in->frame, s->y, s->trial, NULL);
        s->y[j] = y;
        for (int i = 0; i < w->n; i++) s->a[i + w->n * j] = (s->trial[i] - s->r[i]) / h;
    }
}

// r and the matrix at s->y.
static void evaluate_all(const Newton *w) {
    w->evaluate(&w->in->frame, w->s->y, w->s->r, w->symbolic ? w->s->a : NULL);
    if (!w->symbolic) difference_matrix(w);
}

// The least dy that takes all equations to zero, as far as their slopes say; uses up a and r.
static bool least_step(const Newton *w) {
    RbSystemWork *s = w->s;
    double tolerance = w->symbolic ? repeated : repeated_by_differences;
    for (int i = 0; i < w->n; i++) {
        s->r[i] = -s->r[i];
        s->trial[i] = fmax(fabs(s->y[i]), s->scale[i]);
    }
    int rank = rb_least_change(w->n, s->a, s->r, s->trial, tolerance, s->dy, s->taken, s->free);
    s->undecided = rank < w->n;
    return rank > 0;
}

// dy = -a^-1 r; uses up a, and r if the step is one of least change.
static bool newton_step(const Newton *w) {
    RbSystemWork *s = w->s;
    if (w->open) return least_step(w);
    for (int i = 0; i < w->n; i++) s->dy[i] = -s->r[i];
    if (!rb_lu_factor(w->n, s->a, s->pivots, pivot_noise)) return false;
    s->undecided = false;
    rb_lu_solve(w->n, s->a, s->pivots, s->dy);
    return true;
}

static bool small_step(const RbSystemWork *s, double relative, double absolute) {
    for (int i = 0; i < s->size; i++) {
        double limit = relative * fabs(s->y[i]) + absolute * s->scale[i];
        if (!(fabs(s->dy[i]) <= limit)) return false;
    }
    return true;
}

// --- Newton's method -----------------------------------------------------------------------------

// What unknowns of the present or the nominal size do to each equation.
static void measure_terms(RbSystemWork *s) {
    for (int i = 0; i < s->size; i++) {
        s->terms[i] = 0;
        for (int j = 0; j < s->size; j++) {
            double size = fmax(fabs(s->y[j]), s->scale[j]);
            s->terms[i] = fmax(s->terms[i], fabs(s->a[i + s->size * j]) * size);
        }
    }
}

static bool only_rounding_left(const Newton *w, double size) {
    const RbSystemWork *s = w->s;
    if (size <= fallen * fallen * w->first) return true;
    for (int i = 0; i < s->size; i++) {
        if (!(fabs(s->r[i]) <= roundings * DBL_EPSILON * s->terms[i])) return false;
    }
    return true;
}

// y += dy, halved until the residual falls. Answers the size of the residual; -1: it has no finite
// value there; *fell: whether it is smaller, or as small as rounding allows if this is the last
// step.
static double line_search(const Newton *w, double before, bool last, bool *fell) {
    RbSystemWork *s = w->s;
    double factor = 1, after = before;
    *fell = true;
    for (int k = 0; k <= HALVINGS_MAX; k++, factor *= 0.5) {
        for (int i = 0; i < w->n; i++) s->trial[i] = s->y[i] + factor * s->dy[i];
        w->evaluate(&w->in->frame, s->trial, s->r, w->symbolic ? s->a : NULL);
        after = norm(w->n, s->r);
        bool enough = last && only_rounding_left(w, after);
        if (isfinite(after) && (after < before || enough)) break;
        *fell = k < HALVINGS_MAX;
    }
    if (!isfinite(after)) return -1;
    memcpy(s->y, s->trial, (size_t)w->n * sizeof *s->y);
    return after;
}

// The slopes at a solution, or next to it.
static void keep_matrix(const Newton *w) {
    memcpy(w->s->slopes, w->s->a, (size_t)(w->n * w->n) * sizeof *w->s->a);
}

// NULL: solved; otherwise why not.
static const char *iterate(Newton *w) {
    static const char *const stopped = "Newton's method does not converge";
    RbSystemWork *s = w->s;
    w->evaluate(&w->in->frame, s->y, s->r, w->symbolic ? s->a : NULL);
    double size = w->first = norm(w->n, s->r);
    for (int iteration = 0; iteration < NEWTON_MAX; iteration++) {
        bool fell;
        w->iterations++;
        if (size == 0 && w->symbolic) keep_matrix(w);
        if (size == 0) return NULL;
        if (!isfinite(size))
            return "the equations have no finite value at the start of the iteration";
        if (!w->symbolic) difference_matrix(w);
        measure_terms(s);
        if (w->symbolic) keep_matrix(w);
        if (!newton_step(w)) return "the matrix of derivatives is singular";
        if (small_step(s, 4 * DBL_EPSILON, 0)) {
            if (!w->symbolic || w->open)
                w->evaluate(&w->in->frame, s->y, s->r, NULL); // inner variables
            return NULL;
        }
        bool last = small_step(s, step_tolerance, absolute_tolerance);
        double before = size;
        size = line_search(w, size, last, &fell);
        if (size < 0) return "the equations have no finite value near the solution";
        if (fell && last) return NULL;
        if (size > little * before && only_rounding_left(w, size)) return NULL;
        if (!fell) return stopped;
    }
    return stopped;
}

// --- one unknown ---------------------------------------------------------------------------------

// The residual changes its sign between a and s->y: Newton's method, kept within the shrinking
// interval by bisection. So limiters of high gain, whose slope says nothing about where they
// switch, are solved too. At a jump across zero there is no solution: false.
static bool solve_between(const Newton *w, double a, double ra) {
    RbSystemWork *s = w->s;
    double b = s->y[0], rb = s->r[0], r0 = fmax(fabs(ra), fabs(rb)), last = fabs(b - a);
    double y = b, r = rb, small = 0, slope = 1;
    for (int k = 0; k < BISECTIONS_MAX && r != 0; k++) {
        slope = w->symbolic ? s->a[0] : (rb - ra) / (b - a);
        double step = -r / slope, next = y + step;
        bool inside = (next > a && next < b) || (next > b && next < a);
        if (!inside || !(fabs(step) < 0.5 * last)) next = a + 0.5 * (b - a);
        last = fabs(next - y);
        s->y[0] = y = next;
        w->evaluate(&w->in->frame, s->y, s->r, w->symbolic ? s->a : NULL);
        r = s->r[0];
        if ((r > 0) == (ra > 0))
            a = y, ra = r;
        else
            b = y, rb = r;
        small = step_tolerance * fabs(y) + absolute_tolerance * s->scale[0];
        if (fabs(b - a) <= small || (last <= small && fabs(r) < 1e-6 * r0)) break;
    }
    return fabs(r) <= 1e-6 * r0 || fabs(r) <= fabs(slope) * small ||
           r * r <= fallen * fallen * w->first;
}

// With one unknown the relaxation below is a walk in one direction, in growing steps, until the
// residual changes its sign.
static bool walk(const Newton *w, double step, bool *hill) {
    RbSystemWork *s = w->s;
    double a = s->y[0], ra = s->r[0], least = fabs(ra);
    *hill = false;
    for (int k = 0; k < DOUBLINGS_MAX; k++, step *= 2) {
        s->y[0] = a + step;
        w->evaluate(&w->in->frame, s->y, s->r, w->symbolic ? s->a : NULL);
        if (!isfinite(s->r[0])) return false;
        if (s->r[0] == 0 || (s->r[0] > 0) != (ra > 0)) return solve_between(w, a, ra);
        *hill |= fabs(s->r[0]) > least;
        a = s->y[0];
        ra = s->r[0];
    }
    return false;
}

// The slope where the solution was last seen tells in which direction it has been lost.
static bool relax_one(const Newton *w, bool *hill) {
    RbSystemWork *s = w->s;
    double end = s->y[0], slope = s->kept[0];
    w->evaluate(&w->in->frame, s->y, s->r, NULL);
    if (!isfinite(s->r[0])) return false;
    double step = 1e-8 * fmax(fabs(end), s->scale[0]);
    bool told = isfinite(slope) && slope != 0;
    if (told && (s->r[0] > 0) == (slope > 0)) step = -step;
    if (walk(w, step, hill)) return true;
    if (told) return false;
    s->y[0] = end; // a slope of zero does not tell the direction
    w->evaluate(&w->in->frame, s->y, s->r, NULL);
    return walk(w, -step, hill);
}

// --- relaxation ----------------------------------------------------------------------------------

static int orientation(const Newton *w) {
    return rb_lu_orientation(w->n, w->s->a, w->s->pivots);
}

// (M / d + J) dy = -r, with J in s->a. If that matrix is turned over against M, d is too long a
// time for an implicit step: M dy = -d r. Answers the orientation of the matrix, 0 if it is
// singular.
static bool relaxation_step(const Newton *w, double d, int oriented) {
    RbSystemWork *s = w->s;
    size_t count = (size_t)(w->n * w->n);
    for (size_t i = 0; i < count; i++) s->a[i] += s->kept[i] / d;
    if (newton_step(w) && orientation(w) == oriented) return true;
    for (size_t i = 0; i < count; i++) s->a[i] = s->kept[i] / d;
    return newton_step(w);
}

static bool move(const Newton *w, double *after) {
    RbSystemWork *s = w->s;
    memcpy(s->before, s->y, (size_t)w->n * sizeof *s->y);
    for (int i = 0; i < w->n; i++) s->y[i] += s->dy[i];
    evaluate_all(w);
    *after = norm(w->n, s->r);
    if (isfinite(*after)) return true;
    memcpy(s->y, s->before, (size_t)w->n * sizeof *s->y);
    evaluate_all(w);
    return false;
}

// M y' = -r(y) with M = dr/dy (s->kept) where y was last on a branch of solutions: there it is
// y' = y* - y, stable. If the branch has ended, y moves away along the only direction that a real
// system, with some inertia that the equations neglect, could take, and comes to rest on another
// one. Implicit Euler steps of growing length d (pseudo-transient continuation) become Newton's
// method at the end. *hill: the residual rose on the way.
static bool relax(const Newton *w, bool *hill) {
    RbSystemWork *s = w->s;
    double d = 0.1, longest = 1e8;
    memcpy(s->a, s->kept, (size_t)(w->n * w->n) * sizeof *s->a);
    if (!newton_step(w)) return false;
    int oriented = orientation(w);
    evaluate_all(w);
    double before = norm(w->n, s->r), least = before;
    *hill = false;
    for (int k = 0; k < RELAX_MAX && isfinite(before) && d > 1e-12; k++) {
        double after;
        if (before == 0) return true;
        if (!relaxation_step(w, d, oriented)) return false;
        bool last = d >= longest && small_step(s, step_tolerance, absolute_tolerance);
        if (!move(w, &after)) { // too far
            d *= 0.1;
            continue;
        }
        if (last) return true;
        *hill |= after > 4 * least; // twice the residual
        d = fmin(longest, d * fmin(10, fmax(0.1, 2 * sqrt(before / fmax(after, DBL_MIN)))));
        before = after;
    }
    return false;
}

// --- all of it -----------------------------------------------------------------------------------

static int anchor_of(const RbProgramInstance *in) {
    return in->frame.t >= in->anchor_time[1];
}

static void guess(const Newton *w, int k, bool from_anchor) {
    if (from_anchor)
        memcpy(w->s->y, w->s->anchor[anchor_of(w->in)], (size_t)w->n * sizeof(double));
    else
        rb_system_present(w->in, k, w->s->y);
}

// The matrix at the guess goes to s->kept: at an anchor as it was at that time.
static void keep_slopes(const Newton *w, int k, bool from_anchor) {
    RbSystemWork *s = w->s;
    size_t bytes = (size_t)(w->n * w->n) * sizeof(double);
    if (from_anchor && w->symbolic) {
        memcpy(s->kept, s->anchor_slopes[anchor_of(w->in)], bytes);
        return;
    }
    memcpy(s->end, s->y, (size_t)w->n * sizeof *s->y);
    guess(w, k, from_anchor);
    evaluate_all(w);
    memcpy(s->kept, s->a, bytes);
    memcpy(s->y, s->end, (size_t)w->n * sizeof *s->y);
}

// NULL: solved; otherwise why not.
static const char *iterate_to_solution(Newton *w, int k) {
    const char *why = iterate(w);
    if (why || rb_newton_residual_small(w->in, k, w->evaluate, w->symbolic)) return why;
    return "the equations do not hold where Newton's method comes to rest";
}

// What others find is made as exact as what is found here.
static bool solve_hard(Newton *w, int k) {
    RbProgramInstance *in = w->in;
    RbSystemWork *s = w->s;
    if (!in->solve_hard || !in->solve_hard(in->hard_user, k, w->evaluate, s->y)) return false;
    memcpy(s->end, s->y, (size_t)w->n * sizeof *s->y);
    if (!iterate_to_solution(w, k)) return true;
    memcpy(s->y, s->end, (size_t)w->n * sizeof *s->y);
    w->evaluate(&in->frame, s->y, s->r, NULL);
    return rb_newton_residual_small(in, k, w->evaluate, false);
}

// From where Newton's method has stopped: to the solution that the system relaxes to. Between
// events another branch is found, but not gone to.
static bool go_over(const Newton *w, int k, bool from_anchor) {
    RbSystemWork *s = w->s;
    bool hill = false, watched = w->in->program->lowered->systems.data[k].block->needed;
    keep_slopes(w, k, from_anchor);
    memcpy(s->end, s->y, (size_t)w->n * sizeof *s->y);
    if (!(w->n == 1 ? relax_one(w, &hill) : relax(w, &hill))) return false;
    if (!rb_newton_residual_small(w->in, k, w->evaluate, false)) return false;
    s->jumped = hill;
    if (!hill || !w->in->anchored || !watched) {
        if (w->symbolic) keep_matrix(w);
        return true;
    }
    s->left_branch = true;
    memcpy(s->y, s->end, (size_t)w->n * sizeof *s->y);
    w->evaluate(&w->in->frame, s->y, s->r, NULL);
    return true;
}

// Nobody gave start values, and from zero there is no way: a length by which a direction is divided. Zeros
// are moved, each by another part of its nominal value, so that no two places are the same.
static bool solve_from_moved(Newton *w, int k) {
    static const double sizes[] = {0.1, 1, 10};
    RbSystemWork *s = w->s;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < w->n; i++) {
            double part = 1 + 0.5 * fmod(0.618034 * (i + 1), 1);
            s->y[i] = s->last[i] != 0 ? s->last[i] : sizes[j] * part * s->scale[i];
        }
        if (!iterate_to_solution(w, k)) return true;
    }
    return false;
}

// Start values at which the equations are alike in some direction, such as x = y = 1 where they tell x from
// y nowhere else: a little beside it they are not. Nothing else has helped.
static bool solve_beside(Newton *w, int k) {
    static const double sizes[] = {0.01, 0.1};
    RbSystemWork *s = w->s;
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < w->n; i++) {
            double part = (1 + 0.5 * fmod(0.618034 * (i + 1), 1)) * (i % 2 ? -1 : 1);
            s->y[i] = s->last[i] + sizes[j] * part * fmax(fabs(s->last[i]), s->scale[i]);
        }
        if (!iterate_to_solution(w, k)) return true;
    }
    return false;
}

// The equations repeat each other, so that more than one solution exists: the one next to the start values.
static bool solve_open(Newton *w, int k) {
    if (w->n == 1) return false;
    memcpy(w->s->y, w->s->last, (size_t)w->n * sizeof *w->s->y);
    w->open = true;
    bool solved = !iterate_to_solution(w, k);
    w->open = false;
    w->s->undecided &= solved;
    return solved;
}

// From one guess after the other. NULL: solved; otherwise why the first one failed.
static const char *solve(Newton *w, int k, bool from_anchor) {
    RbSystemWork *s = w->s;
    size_t size = (size_t)w->n * sizeof *s->y;
    guess(w, k, from_anchor);
    const char *why = iterate_to_solution(w, k);
    if (why && !from_anchor && !isfinite(w->first) && solve_from_moved(w, k)) return NULL;
    if (!why || go_over(w, k, from_anchor)) return NULL;
    memcpy(s->y, s->last, size);
    if (from_anchor && !iterate_to_solution(w, k)) return NULL;
    if (solve_open(w, k)) return NULL;
    memcpy(s->y, s->last, size);
    if (solve_hard(w, k) || (!from_anchor && solve_beside(w, k))) return NULL;
    memcpy(s->y, s->last, size);
    iterate_to_solution(w, k); // the message tells where the first one has led
    memcpy(s->y, s->last, size);
    return why;
}

static void log_solution(const Newton *w, int k, const char *why) {
    const RbProgram *program = w->in->program;
    const RbBlock *block = program->lowered->systems.data[k].block;
    RbPos at = program->dae->eqs.data[block->eqs[0]].at;
    const char *slash = at.file ? strrchr(at.file, '/') : NULL;
    rb_log(program->options.log, RB_LOG_NLS,
           "t = %.12g s: %d unknowns, '%s' ... (%s:%d): %s%s, %d "
           "iterations",
           w->in->frame.t, w->n, program->dae->model->vars.data[block->unknowns[0]].name,
           slash     ? slash + 1
           : at.file ? at.file
                     : "",
           at.line, why ? "not solved: " : "solved", why ? why : "", w->iterations);
}

int rb_solve_newton(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    const RbCodeSystem *system = &in->program->lowered->systems.data[k];
    Newton w = {.in = in,
                .s = &in->systems[k],
                .evaluate = evaluate,
                .symbolic = system->block->matrix != NULL};
    // At the event that the end of a branch makes, the last point on it is still a better start
    // than its end, where the slopes change.
    bool from_anchor = (in->anchored || w.s->left_branch) && !system->initial;
    w.n = w.s->size;
    w.s->left_branch = false;
    rb_system_present(in, k, w.s->last);
    const char *why = solve(&w, k, from_anchor);
    if (rb_log_on(in->program->options.log, RB_LOG_NLS)) log_solution(&w, k, why);
    return why ? rb_system_failed(in, k, why) : 0;
}

void rb_system_scales(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    for (int k = 0; k < in->program->lowered->systems.count; k++) {
        RbSystemWork *s = &in->systems[k];
        for (int i = 0; i < s->size; i++) {
            int v = in->program->lowered->systems.data[k].block->unknowns[i];
            const RbExpr *nominal = d->model->vars.data[v].attributes.nominal;
            double value = nominal ? fabs(rb_interpret_number(in, nominal)) : 1;
            s->scale[i] = value > 0 && isfinite(value) ? value : 1;
        }
    }
}
