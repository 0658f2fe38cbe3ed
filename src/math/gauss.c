// SPDX-License-Identifier: MIT
#include "math/gauss.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Rule {
    double at[4]; // in -1 .. 1
    double weight[4];
} Rule;

static const Rule rules[] = {
    {{-0.57735026918962576451, 0.57735026918962576451}, {1, 1}},
    {{-0.77459666924148337704, 0, 0.77459666924148337704}, {5.0 / 9, 8.0 / 9, 5.0 / 9}},
    {{-0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480,
      0.86113631159405257522},
     {0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263,
      0.34785484513745385737}}};

int rb_gauss_add(const RbGauss *r, int points, double from, double until, double *sum) {
    const Rule *rule = &rules[points - 2];
    double half = 0.5 * (until - from), middle = 0.5 * (until + from);
    for (int k = 0; k < points; k++) {
        int answer = r->rates(r->user, middle + half * rule->at[k], r->g);
        if (answer != 0) return answer;
        for (int i = 0; i < r->count; i++) sum[i] += half * rule->weight[k] * r->g[i];
    }
    return 0;
}

// Each part but the last takes half of what is left.
static int add_parts(const RbGauss *r, int points, double from, double until, int parts,
                     double *sum) {
    int answer = 0;
    for (; answer == 0 && parts > 1; parts--) {
        double next = 0.5 * (from + until);
        answer = rb_gauss_add(r, points, from, next, sum);
        from = next;
    }
    return answer == 0 ? rb_gauss_add(r, points, from, until, sum) : answer;
}

static bool differ(const double *a, const double *b, int count, double tolerance) {
    double largest = 0, change = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(b[i]));
        change = fmax(change, fabs(b[i] - a[i]));
    }
    return change > tolerance * largest;
}

int rb_gauss_add_to_end(const RbGauss *r, int points, double from, double until, double tolerance,
                        double *sum, double *work) {
    enum { MOST_PARTS = 8 };
    size_t size = sizeof(double) * (size_t)r->count;
    double *last = work, *next = work + r->count;
    memcpy(last, sum, size);
    int answer = rb_gauss_add(r, points, from, until, last);
    for (int parts = 2; answer == 0 && parts <= MOST_PARTS; parts *= 2) {
        memcpy(next, sum, size);
        answer = add_parts(r, points, from, until, parts, next);
        bool good = !differ(last, next, r->count, tolerance);
        memcpy(last, next, size);
        if (good) break;
    }
    if (answer == 0) memcpy(sum, last, size);
    return answer;
}
