// SPDX-License-Identifier: MIT
// Linear systems: dense, sparse, and singular ones that have solutions.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/least_change.h"
#include "math/lu.h"
#include "math/rank.h"
#include "math/rng.h"
#include "math/sparse_lu.h"
#include "testing.h"

static void lu_solves_what_it_is_given(void **state) {
    (void)state;
    double a[] = {0, 2, 1, 1, -1, 3, 4, 0.5, 2}, b[3], x[] = {1, -2, 3},
           factors[9]; // a zero pivot to begin with
    int pivot[3];
    for (int i = 0; i < 3; i++) b[i] = a[i] * x[0] + a[3 + i] * x[1] + a[6 + i] * x[2];
    memcpy(factors, a, sizeof a);
    ENSURE(rb_lu_factor(3, factors, pivot, 0));
    rb_lu_solve(3, factors, pivot, b);
    for (int i = 0; i < 3; i++) ENSURE_NEAR(b[i], x[i], 1e-14);
    double singular[] = {1, 2, 2, 4};
    ENSURE(!rb_lu_factor(2, singular, pivot, 0));
    double broken[] = {NAN, 1, 1, 2};
    ENSURE(!rb_lu_factor(2, broken, pivot, 0));
}

// Of the permutations of three rows, the even ones have determinant 1.
static void lu_knows_the_sign_of_the_determinant(void **state) {
    (void)state;
    const int rows[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    for (int k = 0; k < 6; k++) {
        double a[9] = {0};
        int pivot[3];
        for (int j = 0; j < 3; j++) a[rows[k][j] + 3 * j] = j == 1 ? -2 : 3;
        ENSURE(rb_lu_factor(3, a, pivot, 0));
        ENSURE(rb_lu_orientation(3, a, pivot) == (k < 3 ? -1 : 1));
    }
}

// 0.1 + 0.2 is not 0.3: the third row repeats the sum of the others up to rounding. That counts as
// singular only if noise is allowed for.
static void rounding_is_no_pivot(void **state) {
    (void)state;
    double a[] = {0.1, 0.2, 0.3, 0.7, 0.1, 0.8, 0.4, 0.5, 0.9}, copy[9];
    int pivot[3];
    a[2] = 0.3 + DBL_EPSILON;
    memcpy(copy, a, sizeof a);
    ENSURE(!rb_lu_factor(3, copy, pivot, 100 * DBL_EPSILON));
    memcpy(copy, a, sizeof a);
    copy[2] += 1e-9;
    ENSURE(rb_lu_factor(3, copy, pivot, 100 * DBL_EPSILON));
}

// 2 x_i - x_{i-1} - x_{i+1} = h^2 with zero at both ends: x = (n + 1 - i) i h^2 / 2, exactly.
enum { N = 400 };

static void tridiagonal(int *start, int *rows, double *values) {
    int k = 0;
    for (int j = 0; j < N; j++) {
        start[j] = k;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < N; i++) {
            rows[k] = i;
            values[k++] = i == j ? 2 : -1;
        }
    }
    start[N] = k;
}

static void sparse_systems_are_solved(void **state) {
    (void)state;
    int start[N + 1], rows[3 * N];
    double values[3 * N], x[N];
    tridiagonal(start, rows, values);
    RbSparseLu lu = {0};
    ENSURE(rb_sparse_analyse(&lu, N, start, rows));
    ENSURE(rb_sparse_operations(&lu) < 10 * N); // not N^3
    ENSURE(rb_sparse_factor(&lu, values));
    for (int i = 0; i < N; i++) x[i] = 1;
    rb_sparse_solve(&lu, x);
    for (int i = 0; i < N; i++) {
        double want = 0.5 * (i + 1) * (N - i);
        ENSURE_NEAR(x[i], want, 1e-10 * want);
    }
    ENSURE(rb_sparse_pivot_ratio(&lu) > 1e-4);
    values[start[7]] = values[start[7] + 1] = values[start[7] + 2] = 0; // a column of zeros
    ENSURE(!rb_sparse_factor(&lu, values));
    ENSURE(lu.factorisations == 2);
    rb_sparse_free(&lu);
}

// x + y = 3, twice, and z = 2: what is left free is zero. x + y = 3 and x + y = 4 have no solution.
static void repeated_equations_have_a_solution(void **state) {
    (void)state;
    double a[] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, b[] = {3, 3, 2}, x[3], scales[3];
    int columns[3];
    bool free[3];
    ENSURE(rb_solve_consistent(3, a, b, x, scales, columns, free));
    ENSURE(free[0] && free[1] && !free[2]);
    ENSURE_NEAR(x[0] + x[1], 3, 1e-15);
    ENSURE(x[0] == 0 || x[1] == 0);
    ENSURE_NEAR(x[2], 2, 1e-15);
    double again[] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, no[] = {3, 4, 2};
    ENSURE(!rb_solve_consistent(3, again, no, x, scales, columns, free));
}

// The point of the line x + 2 y = 5 that is next to the origin is (1, 2); with y measured by 10 it is that of x + 20 (y/10) = 5. The third
// element follows from its own row, and the row that repeats the first is not looked at.
static void the_least_change_is_taken(void **state) {
    (void)state;
    for (int measured = 0; measured < 2; measured++) {
        double a[] = {1, 3, 0, 2, 6, 0, 0, 0, 4}, b[] = {5, 15, 8}, x[3];
        double sizes[] = {1, measured ? 10 : 1, 1};
        bool taken[3], free[3];
        ENSURE(rb_least_change(3, a, b, sizes, 1e-10, x, taken, free) == 2);
        ENSURE(free[0] && free[1] && !free[2]);
        ENSURE_NEAR(x[0], measured ? 5. / 401 : 1, 1e-14);
        ENSURE_NEAR(x[1], measured ? 1000. / 401 : 2, 1e-14);
        ENSURE_NEAR(x[2], 2, 1e-14);
    }
    double zeros[] = {0, 0, 0, 0}, b[] = {1, 1}, x[2], sizes[] = {1, 1};
    bool taken[2], free[2];
    ENSURE(rb_least_change(2, zeros, b, sizes, 1e-10, x, taken, free) == 0);
    ENSURE(x[0] == 0 && x[1] == 0 && free[0] && free[1]);
    double regular[] = {2, 1, 1, 3}, c[] = {4, 7};
    ENSURE(rb_least_change(2, regular, c, sizes, 1e-10, x, taken, free) == 2);
    ENSURE(!free[0] && !free[1]);
    ENSURE_NEAR(x[0], 1, 1e-14);
    ENSURE_NEAR(x[1], 2, 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_what_it_is_given),
        cmocka_unit_test(lu_knows_the_sign_of_the_determinant),
        cmocka_unit_test(rounding_is_no_pivot),
        cmocka_unit_test(sparse_systems_are_solved),
        cmocka_unit_test(repeated_equations_have_a_solution),
        cmocka_unit_test(the_least_change_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
