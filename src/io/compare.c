// SPDX-License-Identifier: MIT
#include "io/compare.h"

#include <math.h>
#include <string.h>

#include "io/place.h"

// A signal with a range below this part of its magnitude is constant but for rounding.
static const double constant_limit = 1e-12;

RbCompareOptions rb_compare_options_default(void) {
    return (RbCompareOptions){
        .value_tol = 2e-3, .time_tol = 2e-3, .relative_floor = 1e-7, .absolute_floor = 1e-9};
}

// ---- the reference curve in a moving window of time
//
// The curve is a polyline, connected where the signal exists. Over [t - h, t + h] it takes all
// values between its smallest and its largest there, so a point (t, v) is in one of the rectangles
// if and only if v is between these two, give or take the half height. The extremes are at the ends
// of the window or at vertices within; as the window only moves forward, two queues of candidates
// give them in constant time per step.

typedef struct Queue {
    int *items; // indices of vertices, the extreme one first
    int first, count;
} Queue;

typedef struct Window {
    const double *times, *values;
    int count;
    int begin, end; // vertices begin .. end - 1 are in the window
    Queue low, high;
    int *gaps;    // gaps[i]: intervals k < i, from vertex k to k + 1, in which the signal does not
                  // exist
    int *missing; // missing[i]: vertices k < i at which it does not exist
} Window;

static bool exists(const Window *w, int i) {
    return isfinite(w->values[i]);
}

static Window open_window(const double *times, const double *values, int count, RbArena *scratch) {
    Window w = {.times = times, .values = values, .count = count};
    w.low.items = rb_new_array(scratch, int, count);
    w.high.items = rb_new_array(scratch, int, count);
    w.gaps = rb_new_array(scratch, int, count + 1);
    w.missing = rb_new_array(scratch, int, count + 1);
    for (int i = 0; i < count; i++) {
        bool last = i + 1 == count;
        bool step = !last && times[i] == times[i + 1]; // takes no time, so only its sides count
        bool gap = !last && !step && (!exists(&w, i) || !exists(&w, i + 1));
        w.gaps[i + 1] = w.gaps[i] + gap;
        w.missing[i + 1] = w.missing[i] + !exists(&w, i);
    }
    return w;
}

// Candidates that the new one beats can never be extreme again.
static void queue_push(Queue *q, const double *values, int index, double sign) {
    while (q->count > 0 &&
           sign * values[q->items[q->first + q->count - 1]] <= sign * values[index]) {
        q->count--;
    }
    q->items[q->first + q->count++] = index;
}

static void queue_drop(Queue *q, int begin) {
    while (q->count > 0 && q->items[q->first] < begin) {
        q->first++;
        q->count--;
    }
}

static void move_window(Window *w, double from, double to) {
    for (; w->end < w->count && w->times[w->end] <= to; w->end++) {
        if (!exists(w, w->end)) continue;
        queue_push(&w->high, w->values, w->end, 1);
        queue_push(&w->low, w->values, w->end, -1);
    }
    while (w->begin < w->end && w->times[w->begin] < from) w->begin++;
    queue_drop(&w->high, w->begin);
    queue_drop(&w->low, w->begin);
}

// The value at a time strictly between vertices i and i + 1; NaN if there is none.
static double between(const Window *w, int i, double time) {
    if (i < 0 || i + 1 >= w->count || !exists(w, i) || !exists(w, i + 1)) return NAN;
    double span = w->times[i + 1] - w->times[i];
    if (!(span > 0)) return NAN;
    double part = (time - w->times[i]) / span;
    return w->values[i] + part * (w->values[i + 1] - w->values[i]);
}

// Smallest and largest value of the curve from one time to another (NaN: it does not exist there),
// and whether there is a time in between at which it does not exist.
static void window_range(Window *w, double from, double to, double *low, double *high, bool *gap) {
    move_window(w, from, to);
    double sides[2] = {between(w, w->begin - 1, from), between(w, w->end - 1, to)};
    *low = w->low.count > 0 ? w->values[w->low.items[w->low.first]] : NAN;
    *high = w->high.count > 0 ? w->values[w->high.items[w->high.first]] : NAN;
    for (int i = 0; i < 2; i++) { // fmin and fmax ignore NaN
        *low = fmin(*low, sides[i]);
        *high = fmax(*high, sides[i]);
    }
    int first = w->begin > 0 ? w->begin - 1 : 0; // the interval that reaches into the window
    int last = w->end < w->count ? w->end : w->count - 1;
    *gap = (last > first && w->gaps[last] > w->gaps[first]) ||
           w->missing[w->end] > w->missing[w->begin];
}

// ---- one signal

static double half_height(const double *values, size_t count, const RbCompareOptions *o) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    if (low > high) return o->absolute_floor; // it never exists
    double magnitude = fmax(fabs(low), fabs(high)), base = high - low;
    if (base <= constant_limit * magnitude) base = magnitude;
    double height = fmax(o->value_tol * base, o->relative_floor * magnitude);
    return fmax(height, o->absolute_floor);
}

// Distance of a point from the values of the reference in the window, in half heights; infinite if
// the structure differs.
static double point_reach(const RbComparedSignal *s, double value, double low, double high,
                          bool gap) {
    if (!isfinite(value)) return gap ? 0 : INFINITY;
    if (isnan(low)) return INFINITY;
    return fmax(fmax(low - value, value - high), 0) / s->half_height;
}

static void keep_worst(RbComparedSignal *s, double reach, double time, double value, double low,
                       double high) {
    s->point_count++;
    s->outside_count += reach > 1;
    if (!(reach > s->reach) && s->point_count > 1) return;
    s->reach = reach;
    s->time = time;
    s->value = value;
    s->lower = low - s->half_height;
    s->upper = high + s->half_height;
}

// The points of one curve against the tube around the other.
static void compare_points(RbComparedSignal *s, const RbComparison *c, Window *w,
                           const double *times, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (times[i] < c->start_time || times[i] > c->end_time) continue;
        double low, high;
        bool gap;
        window_range(w, times[i] - c->half_width, times[i] + c->half_width, &low, &high, &gap);
        keep_worst(s, point_reach(s, values[i], low, high, gap), times[i], values[i], low, high);
    }
}

// Both ways: what the result leaves out (a peak between its points) is a difference, too.
static void compare_curves(RbComparedSignal *s, const RbComparison *c, Window *reference,
                           Window *test) {
    compare_points(s, c, reference, test->times, test->values, (size_t)test->count);
    double reach = s->reach;
    compare_points(s, c, test, reference->times, reference->values, (size_t)reference->count);
    s->reference_point = s->reach > reach;
    s->verdict = s->reach <= 1     ? RB_VERDICT_INSIDE
                 : isinf(s->reach) ? RB_VERDICT_STRUCTURE
                                   : RB_VERDICT_OUTSIDE;
    s->excess = s->reach > 1 ? (s->reach - 1) * s->half_height : 0;
}

// ---- all signals

typedef struct Times {
    double *data;
    size_t count;
} Times;

static Times all_times(const RbResult *result, RbArena *scratch) {
    return (Times){rb_result_times(result, scratch), result->row_count};
}

static RbComparedSignal compare_signal(const RbResult *reference, const RbResult *test, int index,
                                       Times reference_times, Times test_times,
                                       const RbComparison *c, const RbCompareOptions *options,
                                       RbArena scratch) {
    const RbResultVariable *v = &reference->variables.data[index];
    RbComparedSignal s = {.name = v->name,
                          .unit = v->unit,
                          .verdict = RB_VERDICT_ABSENT,
                          .time = NAN,
                          .value = NAN,
                          .lower = NAN,
                          .upper = NAN};
    int other = rb_result_find(test, v->name);
    double *wanted = rb_result_series(reference, index, &scratch);
    s.half_height = half_height(wanted, reference->row_count, options);
    if (other < 0) return s;
    double *values = rb_result_series(test, other, &scratch);
    Window w = open_window(reference_times.data, wanted, (int)reference_times.count, &scratch);
    Window own = open_window(test_times.data, values, (int)test_times.count, &scratch);
    compare_curves(&s, c, &w, &own);
    return s;
}

static RbStatus find_range(RbComparison *c, Times reference, Times test, const RbResult *r,
                           const RbResult *t, const RbCompareOptions *options, RbDiag *diag) {
    const RbResult *empty = reference.count == 0 ? r : test.count == 0 ? t : NULL;
    if (empty)
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, empty->file), "the result has no rows");
    if (reference.count > INT32_MAX / 2 || test.count > INT32_MAX / 2) {
        return rb_fail(diag, RB_ERROR_IO,
                       rb_place(diag, reference.count > test.count ? r->file : t->file),
                       "%zu rows are too many to compare",
                       reference.count > test.count ? reference.count : test.count);
    }
    double first = reference.data[0], last = reference.data[reference.count - 1];
    c->half_width = options->time_tol * (last - first);
    c->reference_end = last;
    c->test_end = test.data[test.count - 1];
    c->start_time = fmax(first, test.data[0]);
    c->end_time = fmin(last, c->test_end);
    c->too_short = c->test_end < last - c->half_width;
    for (size_t i = 0; i < test.count; i++) {
        if (test.data[i] >= c->start_time && test.data[i] <= c->end_time) return RB_OK;
    }
    return rb_fail(
        diag, RB_ERROR_IO, rb_place(diag, t->file),
        "the result (%g s to %g s) and the reference (%g s to %g s) have no point in common",
        test.data[0], c->test_end, first, last);
}

RbStatus rb_compare(const RbResult *reference, const RbResult *test, RbCompareOptions options,
                    RbArena *arena, RbArena scratch, RbDiag *diag, RbComparison **out) {
    *out = NULL;
    RbComparison *c = rb_new(arena, RbComparison);
    if (reference->variables.count == 0) {
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, reference->file),
                       "the reference has no signals");
    }
    Times r = all_times(reference, &scratch), t = all_times(test, &scratch);
    RB_TRY(find_range(c, r, t, reference, test, &options, diag));
    c->signals = rb_new_array(arena, RbComparedSignal, reference->variables.count);
    for (int i = 0; i < reference->variables.count; i++) {
        const RbResultVariable *v = &reference->variables.data[i];
        if (v->parameter && rb_result_find(test, v->name) < 0)
            continue; // not all formats have them
        RbComparedSignal s = compare_signal(reference, test, i, r, t, c, &options, scratch);
        c->bad_count += s.verdict != RB_VERDICT_INSIDE;
        c->signals[c->signal_count++] = s;
    }
    c->inside = c->bad_count == 0 && (options.common_end || !c->too_short);
    *out = c;
    return RB_OK;
}

// ---- the table

static void print_signal(const RbComparedSignal *s, int width, RbText *out) {
    const char *space = s->unit[0] ? " " : "";
    rb_text_printf(out, "%-*s  ", width, s->name);
    switch (s->verdict) {
        case RB_VERDICT_INSIDE:
            rb_text_printf(out, "inside   %3.0f %% of the tube at t = %.6g s", 100 * s->reach,
                           s->time);
            break;
        case RB_VERDICT_OUTSIDE:
            rb_text_printf(out,
                           "OUTSIDE  by %.3g%s%s at t = %.9g s: %.9g%s is not in [%.9g, %.9g]; %zu "
                           "of %zu points",
                           s->excess, space, s->unit, s->time, s->value,
                           s->reference_point ? " of the reference" : "", s->lower, s->upper,
                           s->outside_count, s->point_count);
            break;
        case RB_VERDICT_STRUCTURE:
            rb_text_printf(out, "OUTSIDE  at t = %.9g s the %s has a value and the %s has none",
                           s->time,
                           isfinite(s->value) != s->reference_point ? "result" : "reference",
                           isfinite(s->value) != s->reference_point ? "reference" : "result");
            break;
        case RB_VERDICT_ABSENT: rb_text_add(out, "ABSENT   the result has no such signal"); break;
    }
    rb_text_add(out, "\n");
}

void rb_compare_print(const RbComparison *c, bool all, RbText *out) {
    enum { WIDEST = 60 };
    int width = 0;
    for (int i = 0; i < c->signal_count; i++) {
        if (!all && c->signals[i].verdict == RB_VERDICT_INSIDE) continue;
        int length = (int)strnlen(c->signals[i].name, WIDEST);
        if (length > width) width = length;
    }
    for (int i = 0; i < c->signal_count; i++) {
        if (all || c->signals[i].verdict != RB_VERDICT_INSIDE)
            print_signal(&c->signals[i], width, out);
    }
    if (c->too_short) {
        rb_text_printf(out, "The result ends at %.9g s, before its reference (%.9g s).\n",
                       c->test_end, c->reference_end);
    }
    rb_text_printf(out, "%d of %d signals inside from %.9g s to %.9g s: %s\n",
                   c->signal_count - c->bad_count, c->signal_count, c->start_time, c->end_time,
                   c->inside ? "the results agree" : "the results differ");
}
