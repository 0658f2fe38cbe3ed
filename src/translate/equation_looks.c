// SPDX-License-Identifier: MIT
#include "translate/equation_looks.h"

#include <math.h>
#include <string.h>

#include "math/jumps.h"
#include "program/program_instance.h"
#include "translate/equation_half_data.h"

RbLooks rb_looks(RbArena *arena, int count) {
    double *memory = rb_new_array(arena, double, 5 * (size_t)count + 1);
    return (RbLooks){.count = count,
                     .seen = memory,
                     .start = memory + count,
                     .end = memory + 2 * count,
                     .inside = memory + 3 * count,
                     .rate = memory + 4 * count,
                     .seen_at = NAN,
                     .known_at = NAN};
}

void rb_looks_note(RbLooks *looks, double time, const double *z) {
    memcpy(looks->seen, z, (size_t)looks->count * sizeof *z);
    looks->seen_at = time;
}

void rb_looks_forget(RbLooks *looks) {
    looks->seen_at = looks->known_at = NAN;
    looks->length_before = 0;
}

static bool indicators_at(RbEquationHalf *q, const RbStepView *step, double time, double *z) {
    rb_step_states(step, time, q->x);
    return rb_program_indicators(q->in, time, q->x, z) == RB_OK;
}

// The first that has not the sign it had; RB_NONE: all have.
static int changed_sign(const double *before, const double *after, int count) {
    for (int i = 0; i < count; i++) {
        if ((before[i] < 0 && after[i] > 0) || (before[i] > 0 && after[i] < 0)) return i;
    }
    return RB_NONE;
}

// The time in (a, b] at which some indicator has changed its sign for the first time.
static double first_change(RbEquationHalf *q, const RbStepView *step, double a, double b,
                           int *indicator, int *sign) {
    RbLooks *k = &q->looks;
    double width = 1e-13 * fmax(fabs(b), b - a); // [s]
    while (b - a > width) {
        double middle = a + 0.5 * (b - a);
        bool known = indicators_at(q, step, middle, k->inside);
        if (known && changed_sign(k->start, k->inside, k->count) != RB_NONE)
            b = middle;
        else
            a = middle;
    }
    indicators_at(q, step, b, k->inside);
    *indicator = changed_sign(k->start, k->inside, k->count);
    *sign = *indicator != RB_NONE && k->inside[*indicator] > 0 ? 1 : -1;
    return b;
}

// ----------------------------------------------------------------------------------------------------
// long steps

static double look_at_parts(RbEquationHalf *q, const RbStepView *step, int *indicator, int *sign) {
    enum { MOST = 100 };
    RbLooks *k = &q->looks;
    double length = step->t1 - step->t0, part = (q->in->run_stop - q->in->run_start) / RB_LOOKS;
    if (!(part > 0) || !(length > part)) return INFINITY;
    int parts = (int)fmin(MOST, ceil(length / part));
    double last = step->t0;
    for (int i = 1; i < parts; i++) {
        double t = step->t0 + i * (length / parts);
        if (!indicators_at(q, step, t, k->inside)) continue;
        if (changed_sign(k->start, k->inside, k->count) != RB_NONE)
            return first_change(q, step, last, t, indicator, sign);
        last = t;
    }
    return INFINITY;
}

// ----------------------------------------------------------------------------------------------------
// indicators that turn round close to zero

// May indicator i come to zero and go back within the step? The parabola through its values at the ends
// of two steps must turn inside the last one, or nearly, and zero must be within reach. Without a step
// before, its change must be as large as its distance from zero.
static bool may_graze(const RbLooks *k, int i, double length) {
    double near = fmin(fabs(k->start[i]), fabs(k->end[i]));
    if (k->start[i] == 0 || (k->start[i] < 0) != (k->end[i] < 0)) return false;
    double slope = (k->end[i] - k->start[i]) / length; // [1/s]
    if (!(k->length_before > 0)) return near < 2 * length * fabs(slope);
    double share = length / (length + k->length_before);
    double first = slope + (k->rate[i] - slope) * share,
           last = slope + (slope - k->rate[i]) * share;
    if (k->start[i] < 0) first = -first, last = -last; // slopes away from zero
    double steep = fmax(fabs(first), fabs(last)), margin = 0.3 * steep;
    return near < 2 * length * steep && first < margin && last > -margin;
}

// Three points of a curve above zero whose middle one may be the lowest, in [s].
typedef struct Valley {
    double t[3], w[3];
} Valley;

// Where the parabola through the points is lowest; false: not between them, or safely above zero.
static bool lowest(const Valley *v, double *time) {
    double a = v->t[0] - v->t[1], b = v->t[2] - v->t[1];
    double wa = (v->w[0] - v->w[1]) / a, wb = (v->w[2] - v->w[1]) / b;
    double curvature = (wb - wa) / (b - a), slope = wa - curvature * a; // at the middle
    if (!(curvature > 0)) return false;
    double at = -slope / (2 * curvature), value = v->w[1] + 0.5 * slope * at;
    if (!(at > a && at < b)) return false;
    *time = v->t[1] + at;
    return value < 0.2 * (fmax(v->w[0], v->w[2]) - value);
}

// The point (t, w) replaces one of the outer ones.
static void narrow(Valley *v, double t, double w) {
    int place = t > v->t[1]; // between place and place + 1
    if (w < v->w[1]) {
        int out = place ? 0 : 2;
        v->t[out] = v->t[1], v->w[out] = v->w[1];
        v->t[1] = t, v->w[1] = w;
    } else {
        int out = place ? 2 : 0;
        v->t[out] = t, v->w[out] = w;
    }
}

// A time inside the step at which some indicator has another sign than at both ends; INFINITY: indicator
// i does not come to zero.
static double search_turn(RbEquationHalf *q, const RbStepView *step, int i) {
    enum { SEARCHES = 12 };
    RbLooks *k = &q->looks;
    double up = k->start[i] > 0 ? 1 : -1, t = step->t0 + 0.5 * (step->t1 - step->t0);
    Valley v = {{step->t0, t, step->t1}, {up * k->start[i], 0, up * k->end[i]}};
    for (int n = 0; n < SEARCHES; n++) {
        if (!indicators_at(q, step, t, k->inside)) return INFINITY;
        if (changed_sign(k->start, k->inside, k->count) != RB_NONE) return t;
        if (n == 0)
            v.w[1] = up * k->inside[i];
        else
            narrow(&v, t, up * k->inside[i]);
        if (!lowest(&v, &t) || t == v.t[1]) return INFINITY;
    }
    return INFINITY;
}

static double look_at_turns(RbEquationHalf *q, const RbStepView *step, int *indicator, int *sign) {
    RbLooks *k = &q->looks;
    double first = INFINITY;
    for (int i = 0; i < k->count; i++) {
        if (may_graze(k, i, step->t1 - step->t0)) first = fmin(first, search_turn(q, step, i));
    }
    return first < step->t1 ? first_change(q, step, step->t0, first, indicator, sign) : INFINITY;
}

// ----------------------------------------------------------------------------------------------------

// Values at both ends of the step; those at its start are known where it follows the step before.
static bool open_step(RbEquationHalf *q, const RbStepView *step) {
    RbLooks *k = &q->looks;
    size_t bytes = (size_t)k->count * sizeof *k->end;
    if (k->known_at == step->t0) {
        memcpy(k->start, k->end, bytes);
    } else {
        k->length_before = 0;
        if (!indicators_at(q, step, step->t0, k->start)) return false;
    }
    if (k->seen_at != step->t1) return indicators_at(q, step, step->t1, k->end);
    memcpy(k->end, k->seen, bytes);
    return true;
}

// The step has been looked at, and the next one follows it.
static void close_step(RbLooks *k, const RbStepView *step) {
    k->length_before = step->t1 - step->t0;
    for (int i = 0; i < k->count; i++) k->rate[i] = (k->end[i] - k->start[i]) / k->length_before;
    k->known_at = step->t1;
}

double rb_equations_look_inside(RbEquationHalf *q, const RbStepView *step, int *indicator,
                                int *sign) {
    RbLooks *k = &q->looks;
    if (k->count == 0 || !(step->t1 > step->t0)) return INFINITY;
    bool known = open_step(q, step);
    double event = known ? look_at_parts(q, step, indicator, sign) : INFINITY;
    if (known && event == INFINITY) event = look_at_turns(q, step, indicator, sign);
    if (known && event == INFINITY)
        close_step(k, step);
    else
        rb_looks_forget(k);
    return event;
}
