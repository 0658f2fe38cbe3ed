// SPDX-License-Identifier: MIT
#include "math/jumps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double JUMP_MIN = 1e-3; // of the scale

double rb_time_rounding(double t) {
    return 16 * DBL_EPSILON * fabs(t);
}

// [s] Jumps are located to this. Times near zero have no rounding to speak of: there a thousandth of that of the run counts.
static double resolution(const RbJumpSearch *s, double t) {
    return fmax(rb_time_rounding(t), 1e-3 * rb_time_rounding(s->stop - s->start));
}

typedef struct Sample {
    double t;
    double values[RB_JUMP_VALUES];
} Sample;

static Sample sample(const RbJumpSearch *s, double t) {
    Sample at = {.t = t};
    s->values(s->user, t, at.values);
    return at;
}

// Norm of vector g of the difference, or of a alone.
static double norm(const RbJumpSearch *s, int g, const Sample *a, const Sample *b) {
    double sum = 0;
    for (int i = RB_JUMP_GROUP * g; i < RB_JUMP_GROUP * (g + 1) && i < s->count; i++) {
        double d = a->values[i] - (b ? b->values[i] : 0);
        sum += d * d;
    }
    return sqrt(sum);
}

static double difference(const RbJumpSearch *s, const Sample *a, const Sample *b) {
    double largest = 0;
    for (int g = 0; RB_JUMP_GROUP * g < s->count; g++) {
        if (s->scale[g] > 0) largest = fmax(largest, norm(s, g, a, b) / s->scale[g]);
    }
    return largest;
}

static double grid(const RbJumpSearch *s, int k) {
    return s->start + k * ((s->stop - s->start) / RB_LOOKS);
}

void rb_jumps_open(RbJumpSearch *s) {
    for (int g = 0; g < RB_JUMP_VALUES / RB_JUMP_GROUP; g++) s->scale[g] = 0;
    for (int k = 0; k <= RB_LOOKS && s->stop > s->start; k++) {
        Sample at = sample(s, grid(s, k));
        for (int g = 0; RB_JUMP_GROUP * g < s->count; g++) {
            double size = norm(s, g, &at, 0);
            if (isfinite(size)) s->scale[g] = fmax(s->scale[g], size);
        }
    }
}

// First time in (a, b] after a jump, or INFINITY.
static double jump_between(const RbJumpSearch *s, Sample a, Sample b) {
    if (!(b.t - a.t > resolution(s, b.t))) return INFINITY;
    while (b.t - a.t > resolution(s, b.t)) {
        Sample middle = sample(s, 0.5 * (a.t + b.t));
        double left = difference(s, &a, &middle), right = difference(s, &middle, &b);
        if (!(fmax(left, right) > JUMP_MIN)) return INFINITY;
        if (left >= right)
            b = middle;
        else
            a = middle;
    }
    return b.t;
}

// The times looked at are the same wherever the search begins, so that the same jumps are found: it
// begins at the last one before t.
double rb_jumps_next(const RbJumpSearch *s, double t, double limit) {
    if (!(t >= s->start && s->stop > t)) return INFINITY;
    const double known = t + 4 * resolution(s, t); // jumps that differ by rounding are one
    int k = (int)floor((t - s->start) / (s->stop - s->start) * RB_LOOKS);
    Sample a = sample(s, grid(s, k));
    while (a.t < limit && k < RB_LOOKS) {
        Sample b = sample(s, grid(s, k + 1));
        double jump = jump_between(s, a, b);
        if (jump > known && jump < limit) return jump;
        if (jump <= known) {
            a = sample(s, jump);
        } else {
            a = b;
            k++;
        }
    }
    return INFINITY;
}

static int earlier(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void rb_times_sort(double *times, int count) {
    if (count > 1) qsort(times, (size_t)count, sizeof *times, earlier);
}

double rb_times_after(const double *times, int count, double now) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (times[middle] > now)
            high = middle;
        else
            low = middle + 1;
    }
    return low < count ? times[low] : INFINITY;
}
