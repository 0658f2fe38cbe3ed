// SPDX-License-Identifier: MIT
#include "math/rank.h"

#include <math.h>

// Relative to the largest coefficient and the largest right-hand side: below, a row is taken for 0
// = 0.
static const double rank_tolerance = 1e-11;

static double largest_entry(int count, const double *a) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}

static void swap(double *a, double *b) {
    double keep = *a;
    *a = *b;
    *b = keep;
}

// The largest entry right and below of (k, k) comes to (k, k). Answers its size.
static double pivot_to_corner(int n, double *a, double *b, int *columns, int k) {
    int row = k, column = k;
    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            if (fabs(a[i + n * j]) > fabs(a[row + n * column])) {
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j < n; j++) swap(&a[k + n * j], &a[row + n * j]);
    swap(&b[k], &b[row]);
    for (int i = 0; i < n; i++) swap(&a[i + n * k], &a[i + n * column]);
    int place = columns[k];
    columns[k] = columns[column];
    columns[column] = place;
    return fabs(a[k + n * k]);
}

// Divide columns, then rows, by their largest entries; units and sizes of the unknowns drop out.
static void equilibrate(int n, double *a, double *b, double *scales) {
    for (int j = 0; j < n; j++) {
        double largest = largest_entry(n, a + n * j);
        scales[j] = largest > 0 ? largest : 1;
        for (int i = 0; i < n; i++) a[i + n * j] /= scales[j];
    }
    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(a[i + n * j]));
        if (!(largest > 0)) continue;
        for (int j = 0; j < n; j++) a[i + n * j] /= largest;
        b[i] /= largest;
    }
}

// For each column behind the rank the solution of a x = 0 in which it is 1: what moves with it is
// free. v: n numbers of workspace.
static void mark_free(int n, int rank, const double *a, const int *columns, double *v, bool *free) {
    for (int i = 0; i < n; i++) free[columns[i]] = i >= rank;
    for (int k = rank; k < n; k++) {
        for (int i = rank - 1; i >= 0; i--) {
            double sum = -a[i + n * k];
            for (int j = i + 1; j < rank; j++) sum -= a[i + n * j] * v[j];
            v[i] = sum / a[i + n * i];
            free[columns[i]] |= fabs(v[i]) > sqrt(rank_tolerance);
        }
    }
}

bool rb_solve_consistent(int n, double *a, double *b, double *x, double *scales, int *columns,
                         bool *free) {
    equilibrate(n, a, b, scales);
    double size = largest_entry(n, b);
    int rank = 0;
    for (int j = 0; j < n; j++) columns[j] = j;
    for (; rank < n && pivot_to_corner(n, a, b, columns, rank) > rank_tolerance; rank++) {
        for (int i = rank + 1; i < n; i++) {
            double factor = a[i + n * rank] / a[rank + n * rank];
            for (int j = rank; j < n; j++) a[i + n * j] -= factor * a[rank + n * j];
            b[i] -= factor * b[rank];
        }
    }
    bool consistent = true;
    for (int i = rank; i < n; i++) consistent &= fabs(b[i]) <= rank_tolerance * size; // NaN is not
    mark_free(n, rank, a, columns, x, free);
    for (int i = 0; i < n; i++) x[i] = 0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < rank; j++) sum -= a[i + n * j] * x[columns[j]];
        x[columns[i]] = sum / a[i + n * i];
    }
    for (int j = 0; j < n; j++) x[j] /= scales[j];
    return consistent;
}
