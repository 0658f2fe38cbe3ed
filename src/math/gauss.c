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

// How far the rates lie apart at the points of an interval, in the work space of the caller.
typedef struct Spread {
    double *low, *high; // NULL: nobody asks
} Spread;

static void note_spread(const Spread *s, const double *g, int count, bool first) {
    for (int i = 0; i < count && s->low; i++) {
        s->low[i] = first ? g[i] : fmin(s->low[i], g[i]);
        s->high[i] = first ? g[i] : fmax(s->high[i], g[i]);
    }
}

static int add(const RbGauss *r, int points, double from, double until, double *sum,
               Spread spread) {
    const Rule *rule = &rules[points - 2];
    double half = 0.5 * (until - from), middle = 0.5 * (until + from);
    for (int k = 0; k < points; k++) {
        int answer = r->rates(r->user, middle + half * rule->at[k], r->g);
        if (answer != 0) return answer;
        for (int i = 0; i < r->count; i++) sum[i] += half * rule->weight[k] * r->g[i];
        note_spread(&spread, r->g, r->count, k == 0);
    }
    return 0;
}

int rb_gauss_add(const RbGauss *r, int points, double from, double until, double *sum) {
    return add(r, points, from, until, sum, (Spread){0});
}

static bool counts(const RbGauss *r, int i) {
    return !r->loose || !r->loose[i];
}

static double largest(const RbGauss *r, const double *a) {
    double most = 0;
    for (int i = 0; i < r->count; i++)
        if (counts(r, i)) most = fmax(most, fabs(a[i]));
    return most;
}

// `whole` becomes better by halves, and these by their halves, as long as that changes more than `enough`. `left_over`: how many times that
// may still be, since rounding would be halved without end; a bend takes two for each level.
static int improve(const RbGauss *r, int points, double from, double until, double enough,
                   int *left_over, double *whole, double *work, int levels) {
    double *left = work, *right = work + r->count, *rest = right + r->count, change = 0;
    double middle = 0.5 * (from + until);
    memset(work, 0, sizeof(double) * 2 * (size_t)r->count);
    int answer = rb_gauss_add(r, points, from, middle, left);
    if (answer == 0) answer = rb_gauss_add(r, points, middle, until, right);
    if (answer != 0) return answer;
    for (int i = 0; i < r->count; i++)
        if (counts(r, i)) change = fmax(change, fabs(left[i] + right[i] - whole[i]));
    if (change > enough && levels > 1 && --*left_over > 0) {
        levels--;
        answer = improve(r, points, from, middle, enough, left_over, left, rest, levels);
        if (answer == 0)
            answer = improve(r, points, middle, until, enough, left_over, right, rest, levels);
    }
    for (int i = 0; i < r->count; i++) whole[i] = left[i] + right[i];
    return answer;
}

// Rates that change little within the interval are smooth there, as far as one can tell for so little.
static bool is_even(const RbGauss *r, double length, double enough, Spread spread) {
    const double LITTLE = 0.3;
    for (int i = 0; i < r->count; i++) {
        double most = fmax(fabs(spread.low[i]), fabs(spread.high[i]));
        double apart = spread.high[i] - spread.low[i];
        if (counts(r, i) && apart > LITTLE * most && apart * length > enough) return false;
    }
    return true;
}

int rb_gauss_add_closely(const RbGauss *r, int points, double from, double until, double tolerance,
                         bool trusted, double *sum, double *work) {
    double *whole = work, *rest = work + r->count;
    Spread spread = {rest, rest + r->count};
    memset(whole, 0, sizeof(double) * (size_t)r->count);
    int answer = add(r, points, from, until, whole, spread);
    const double NOTHING = 1e-16; // what is less is rounding, of joules as of whatever else
    double most = fmax(largest(r, sum), largest(r, whole));
    double enough = fmax(NOTHING, tolerance * most);
    if (answer == 0 && !(trusted && is_even(r, until - from, enough, spread)))
        answer = improve(r, points, from, until, enough, &(int){4 * RB_GAUSS_LEVELS}, whole, rest,
                         RB_GAUSS_LEVELS);
    for (int i = 0; i < r->count && answer == 0; i++) sum[i] += whole[i];
    return answer;
}
