// SPDX-License-Identifier: MIT
#include "math/lu.h"

#include <math.h>

// Row of the largest entry of column k on or below the diagonal.
static int find_pivot(int n, const double *column, int k) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (fabs(column[i]) > fabs(column[best])) best = i;
    }
    return best;
}

static void swap_rows(int n, double *a, int i, int k) {
    for (int j = 0; j < n; j++) {
        double *column = a + (long)j * n;
        double keep = column[i];
        column[i] = column[k];
        column[k] = keep;
    }
}

// y -= factor x
static void subtract(int n, double factor, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] -= factor * x[i];
}

// What a pivot must exceed. After k steps the first k entries of column k are those of U.
static double least_pivot(int n, const double *column, double noise) {
    double largest = 0;
    for (int i = 0; noise > 0 && i < n; i++)
        largest = fabs(column[i]) > largest ? fabs(column[i]) : largest; // fmax would be a call
    return noise * largest;
}

// Where column k ends: only zeros follow. Bodies of a stack are coupled with their neighbours alone.
static int end_of(int n, const double *column, int k) {
    int end = n;
    while (end > k + 1 && column[end - 1] == 0) end--;
    return end;
}

bool rb_lu_factor(int n, double *a, int *pivot, double noise) {
    for (int k = 0; k < n; k++) {
        double *column = a + (long)k * n;
        int end = end_of(n, column, k), p = pivot[k] = find_pivot(end, column, k);
        if (!(fabs(column[p]) > least_pivot(n, column, noise)) || !isfinite(column[p]))
            return false;
        if (p != k) swap_rows(n, a, p, k);
        double inverse = 1 / column[k];
        for (int i = k + 1; i < end; i++) column[i] *= inverse;
        for (int j = k + 1; j < n; j++) {
            double *right = a + (long)j * n, factor = right[k];
            if (factor == 0) continue; // many are: bodies couple in a few directions only
            subtract(end - k - 1, factor, column + k + 1, right + k + 1);
        }
    }
    return true;
}

// y -= f u, then y -= g v: the same operations in the same order, with half the loads and stores.
static inline void subtract_two(int n, double f, const double *restrict u, double g,
                                const double *restrict v, double *restrict y) {
    if (f != 0 && g != 0) {
        for (int i = 0; i < n; i++) y[i] = y[i] - f * u[i] - g * v[i];
    } else if (f != 0) {
        subtract(n, f, u, y);
    } else if (g != 0) {
        subtract(n, g, v, y);
    }
}

static void solve_lower(int n, const double *a, double *b) {
    for (int k = 0; k + 1 < n; k += 2) {
        const double *u = a + (long)k * n, *v = u + n;
        if (b[k] != 0) b[k + 1] -= b[k] * u[k + 1];
        subtract_two(n - k - 2, b[k], u + k + 2, b[k + 1], v + k + 2, b + k + 2);
    }
}

static void solve_upper(int n, const double *a, double *b) {
    int k = n - 1;
    for (; k > 0; k -= 2) {
        const double *u = a + (long)k * n, *v = u - n;
        b[k] /= u[k];
        if (b[k] != 0) b[k - 1] -= b[k] * u[k - 1];
        b[k - 1] /= v[k - 1];
        subtract_two(k - 1, b[k], u, b[k - 1], v, b);
    }
    if (k == 0) b[0] /= a[0];
}

void rb_lu_solve(int n, const double *a, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        double keep = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = keep;
    }
    solve_lower(n, a, b);
    solve_upper(n, a, b);
}

int rb_lu_orientation(int n, const double *a, const int *pivot) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        if (a[k + (long)n * k] < 0) sign = -sign;
        if (pivot[k] != k) sign = -sign;
    }
    return sign;
}
