// SPDX-License-Identifier: MIT
// The rows are made orthogonal one after the other, the longest that is left first (Gram and Schmidt). x is a
// sum of these directions, and so has no part in what they leave open.
#include "math/least_change.h"

#include <math.h>

// In units of the sizes, each row with length 1: units drop out.
static void scale(int n, double *a, double *b, const double *sizes) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            a[i + n * j] *= sizes[j];
            sum += a[i + n * j] * a[i + n * j];
        }
        double length = sqrt(sum);
        if (!(length > 0)) continue;
        for (int j = 0; j < n; j++) a[i + n * j] /= length;
        b[i] /= length;
    }
}

static double dot_rows(int n, const double *a, int i, int k) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += a[i + n * j] * a[k + n * j];
    return sum;
}

// The longest row that is not taken; -1: none is longer than the tolerance. NaN is not.
static int longest_row(int n, const double *a, const bool *taken, double tolerance,
                       double *length) {
    int longest = -1;
    *length = tolerance;
    for (int i = 0; i < n; i++) {
        double own = taken[i] ? 0 : sqrt(dot_rows(n, a, i, i));
        if (!(own > *length)) continue;
        *length = own;
        longest = i;
    }
    return longest;
}

// An element is determined if its own direction is one of those taken: then their squares add up to 1.
static void mark_free(int n, const double *a, const bool *taken, bool *free) {
    static const double noise = 1e-6;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += taken[i] ? a[i + n * j] * a[i + n * j] : 0;
        free[j] = sum < 1 - noise;
    }
}

int rb_least_change(int n, double *a, double *b, const double *sizes, double tolerance, double *x,
                    bool *taken, bool *free) {
    int rank = 0, row;
    double length;
    scale(n, a, b, sizes);
    for (int j = 0; j < n; j++) {
        x[j] = 0;
        taken[j] = false;
    }
    for (; (row = longest_row(n, a, taken, tolerance, &length)) >= 0; rank++) {
        taken[row] = true;
        b[row] /= length;
        for (int j = 0; j < n; j++) {
            a[row + n * j] /= length;
            x[j] += b[row] * a[row + n * j];
        }
        for (int i = 0; i < n; i++) {
            if (taken[i]) continue;
            double along = dot_rows(n, a, i, row);
            for (int j = 0; j < n; j++) a[i + n * j] -= along * a[row + n * j];
            b[i] -= along * b[row];
        }
    }
    mark_free(n, a, taken, free);
    for (int j = 0; j < n; j++) x[j] *= sizes[j];
    return rank;
}
