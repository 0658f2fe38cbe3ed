// SPDX-License-Identifier: MIT
#include "solver/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rb_difference_set_pattern(RbDifference *d, int n, const RbPattern *pattern, RbArena *arena) {
    if (!d->x) {
        d->n = n;
        d->x = rb_new_array(arena, double, n);
        d->f = rb_new_array(arena, double, n);
    }
    d->pattern = pattern;
    if (pattern) rb_colouring_update(&d->colouring, pattern, arena);
}

// A forward quotient over the distance s has a truncation error of about s / scale (relative to the
// derivative), and an error from rounding x of about eps |x| / s. Both are equal for s = sqrt(eps
// |x| scale); |x| below scale counts as scale, because f itself is rounded as well.
static double distance(double x, double scale, double toward) {
    double s = sqrt(DBL_EPSILON * fmax(fabs(x), scale) * scale);
    return toward < 0 ? -s : s;
}

static void store_column(RbDifference *d, int j, const double *f0, double step, double *values) {
    const RbPattern *p = d->pattern;
    if (p) {
        for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
            values[k] = (d->f[p->row_index[k]] - f0[p->row_index[k]]) / step;
        }
    } else {
        double *column = values + (size_t)j * (size_t)d->n;
        for (int i = 0; i < d->n; i++) column[i] = (d->f[i] - f0[i]) / step;
    }
}

// Quotients of columns that share no row, with all steps in direction `sign`.
static int difference_group(RbDifference *d, RbVectorFunction function, void *user, const double *x,
                            const double *f0, const double *scale, const double *toward,
                            double sign, const int *columns, int count, double *values) {
    for (int c = 0; c < count; c++) {
        int j = columns[c];
        d->x[j] = x[j] + sign * distance(x[j], scale[j], toward[j]);
    }
    int answer = function(user, d->x, d->f);
    for (int c = 0; c < count; c++) {
        int j = columns[c];
        double step = d->x[j] - x[j]; // what x really moved by, after rounding
        if (answer == 0) store_column(d, j, f0, step, values);
        d->x[j] = x[j];
    }
    return answer;
}

int rb_difference_jacobian(RbDifference *d, RbVectorFunction function, void *user, const double *x,
                           const double *f0, const double *scale, const double *toward,
                           double *values) {
    memcpy(d->x, x, sizeof(double) * (size_t)d->n);
    const RbColouring *c = &d->colouring;
    int groups = d->pattern ? c->count : d->n;
    for (int g = 0; g < groups; g++) {
        const int *columns = d->pattern ? c->column + c->group_start[g] : &g;
        int count = d->pattern ? c->group_start[g + 1] - c->group_start[g] : 1;
        int answer =
            difference_group(d, function, user, x, f0, scale, toward, 1, columns, count, values);
        if (answer > 0) {
            answer = difference_group(d, function, user, x, f0, scale, toward, -1, columns, count,
                                      values);
        }
        if (answer != 0) return answer;
    }
    return 0;
}
