// SPDX-License-Identifier: MIT
// Linear systems and Jacobians: dense against sparse, difference quotients against derivatives.
#include <dlfcn.h>
#include "problems.h"

#include "math/rng.h"
#include "solver/difference.h"
#include "solver/linear.h"

enum { N = 50 };

static RbPattern random_pattern(RbRng *rng, Fixture *f) {
    RbEntry entries[4 * N];
    for (int k = 0; k < 4 * N; k++) entries[k] = (RbEntry){rb_rng_int(rng, N), rb_rng_int(rng, N)};
    return rb_pattern(N, entries, 4 * N, &f->arena, f->scratch);
}

// Residual of (a I + b J) y = r, with J in pattern order.
static double residual(const RbPattern *p, const double *j, double a, double b, const double *y,
                       const double *r) {
    double sum[N], largest = 0;
    for (int i = 0; i < N; i++) sum[i] = a * y[i] - r[i];
    for (int c = 0; c < N; c++) {
        for (int k = p->col_start[c]; k < p->col_start[c + 1]; k++)
            sum[p->row_index[k]] += b * j[k] * y[c];
    }
    for (int i = 0; i < N; i++) largest = fmax(largest, fabs(sum[i]));
    return largest;
}

static void solve_and_check(RbLinear *l, const RbPattern *p, double a, double b, RbRng *rng) {
    double y[N], r[N];
    for (int i = 0; i < N; i++) r[i] = y[i] = rb_rng_normal(rng);
    rb_linear_assemble(l, a, b);
    ENSURE(rb_linear_factor(l));
    rb_linear_solve(l, y);
    ENSURE_NEAR(residual(p, l->jacobian, a, b, y, r), 0, 1e-9);
}

// The same struct goes from dense to sparse and back, from pattern to pattern, with values that
// change a lot.
static void systems_are_solved(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(11);
    RbLinear l = {0};
    for (int round = 0; round < 20; round++) {
        RbPattern p = random_pattern(&rng, &f);
        rb_linear_set_pattern(&l, N, &p, round % 3 ? RB_LINEAR_SPARSE : RB_LINEAR_DENSE, &f.arena);
        for (int k = 0; k < 10; k++) {
            for (size_t e = 0; e < l.jacobian_count; e++) l.jacobian[e] = rb_rng_normal(&rng);
            solve_and_check(&l, &p, 1, -pow(10, k - 5), &rng);
        }
    }
    rb_linear_free(&l);
    fixture_close(&f);
}

// Pivots that suit one matrix ruin the next: a tiny diagonal after a large one. They must be chosen
// anew then.
static void pivots_are_given_up_when_they_grow(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbEntry all[] = {{0, 1}, {1, 0}};
    RbPattern p = rb_pattern(2, all, 2, &f.arena, f.scratch);
    RbLinear l = {0};
    rb_linear_set_pattern(&l, 2, &p, RB_LINEAR_SPARSE, &f.arena);
    const double diagonal[] = {10, 11, 1e-20, 10};
    const long orders[] = {1, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        double d = diagonal[k];
        const double values[] = {d, 1, 1, d}; // J = [d 1; 1 d]
        memcpy(l.jacobian, values, sizeof values);
        rb_linear_assemble(&l, 0, 1);
        ENSURE(rb_linear_factor(&l));
        double y[] = {d + 2, 1 + 2 * d}; // for y = (1, 2)
        rb_linear_solve(&l, y);
        ENSURE_NEAR(y[0], 1, 1e-12);
        ENSURE_NEAR(y[1], 2, 1e-12);
        ENSURE(l.lu.pivot_orders <= orders[k]);
        if (k == 2) ENSURE(l.lu.pivot_orders == 2);
    }
    assert_int_equal(l.factorisations, 4);
    rb_linear_free(&l);
    fixture_close(&f);
}

// Pivots of earlier matrices change rounding errors; after a restart they are gone.
static void a_restart_forgets_the_pivots(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(13);
    RbPattern p = random_pattern(&rng, &f);
    RbLinear l[2] = {0};
    double y[2][N];
    for (int k = 0; k < 2; k++) rb_linear_set_pattern(&l[k], N, &p, RB_LINEAR_SPARSE, &f.arena);
    for (int e = 0; e < p.count; e++) l[0].jacobian[e] = rb_rng_normal(&rng);
    rb_linear_assemble(&l[0], 0, 1);
    ENSURE(rb_linear_factor(&l[0])); // only the first has a past
    for (int e = 0; e < p.count; e++) l[0].jacobian[e] = l[1].jacobian[e] = rb_rng_normal(&rng);
    for (int k = 0; k < 2; k++) {
        rb_linear_restart(&l[k]);
        for (int i = 0; i < N; i++) y[k][i] = i;
        rb_linear_assemble(&l[k], 0, 1);
        ENSURE(rb_linear_factor(&l[k]));
        rb_linear_solve(&l[k], y[k]);
        rb_linear_free(&l[k]);
    }
    ENSURE(memcmp(y[0], y[1], sizeof y[0]) == 0);
    fixture_close(&f);
}

static void singular_systems_are_noticed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbEntry all[] = {{0, 1}, {1, 0}};
    RbPattern p = rb_pattern(2, all, 2, &f.arena, f.scratch);
    for (int kind = RB_LINEAR_DENSE; kind <= RB_LINEAR_SPARSE; kind++) {
        RbLinear l = {0};
        rb_linear_set_pattern(&l, 2, &p, (RbLinearKind)kind, &f.arena);
        const double ones[] = {1, 1, 1, 1}, good[] = {1, 1, 1, 2};
        for (int k = 0; k < 3; k++) { // after a failure it works again
            memcpy(l.jacobian, k % 2 ? good : ones, sizeof ones);
            rb_linear_assemble(&l, 0, 1);
            ENSURE(rb_linear_factor(&l) == (k % 2 == 1));
        }
        rb_linear_free(&l);
    }
    fixture_close(&f);
}

static bool chooses_sparse(const RbPattern *p, Fixture *f) {
    RbLinear l = {0};
    rb_linear_set_pattern(&l, p->n, p, RB_LINEAR_AUTO, &f->arena);
    bool sparse = l.sparse;
    rb_linear_free(&l);
    return sparse;
}

// An arrow (first row, first column, diagonal) can be eliminated without any fill.
static void the_cheaper_path_is_chosen(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbEntry *entries = rb_new_array(&f.arena, RbEntry, N * N);
    for (int n = 3; n <= 3000; n *= 10) {
        RbPattern band = tridiagonal(n, &f.arena, f.scratch);
        ENSURE(chooses_sparse(&band, &f));
    }
    for (int k = 0; k < N * N; k++) entries[k] = (RbEntry){k / N, k % N};
    RbPattern full = rb_pattern(N, entries, N * N, &f.arena, f.scratch);
    ENSURE(!chooses_sparse(&full, &f));
    for (int k = 0; k < 2 * N; k++) entries[k] = k % 2 ? (RbEntry){0, k / 2} : (RbEntry){k / 2, 0};
    RbPattern arrow = rb_pattern(N, entries, 2 * N, &f.arena, f.scratch);
    ENSURE(chooses_sparse(&arrow, &f));
    RbLinear l = {0};
    rb_linear_set_pattern(&l, 3, NULL, RB_LINEAR_AUTO, &f.arena);
    ENSURE(!l.sparse);
    fixture_close(&f);
}

// Blocks and sums of a threaded factorisation depend on the number of threads; ours never sees more
// than one.
static void threads_of_the_blas_do_not_change_bits(void **state) {
    (void)state;
    enum { LARGE = 400 };
    double y[2][LARGE];
    void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    int (*get)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng(5);
        RbLinear l = {0};
        rb_linear_set_pattern(&l, LARGE, NULL, RB_LINEAR_DENSE, &f.arena);
        for (size_t e = 0; e < l.jacobian_count; e++) l.jacobian[e] = rb_rng_normal(&rng);
        if (set) set(1 + 3 * k);
        rb_linear_assemble(&l, 1, 1);
        ENSURE(rb_linear_factor(&l));
        if (get) ENSURE(get() == 1);
        for (int i = 0; i < LARGE; i++) y[k][i] = i;
        if (set) set(1 + 3 * k);
        rb_linear_solve(&l, y[k]);
        fixture_close(&f);
    }
    ENSURE(memcmp(y[0], y[1], sizeof y[0]) == 0);
}

// ---- difference quotients ----

// f_i = sum over the pattern of sin(x_j) x_i, whose derivatives are known.
typedef struct Product {
    const RbPattern *pattern;
    int calls;
    double forbidden; // arguments above cannot be evaluated
} Product;

static int product(void *user, const double *x, double *y) {
    Product *m = user;
    m->calls++;
    memset(y, 0, sizeof(double) * N);
    for (int j = 0; j < N; j++) {
        if (x[j] > m->forbidden) return 1;
        for (int k = m->pattern->col_start[j]; k < m->pattern->col_start[j + 1]; k++) {
            y[m->pattern->row_index[k]] += sin(x[j]) * x[m->pattern->row_index[k]];
        }
    }
    return 0;
}

// d/dx_j of f_i, j != i: sin'(x_j) x_i; j == i: that plus the sum of all sines of the row.
static double product_derivative(const RbPattern *p, const double *x, int i, int j) {
    double d = rb_pattern_find(p, i, j) >= 0 ? cos(x[j]) * x[i] : 0;
    for (int c = 0; i == j && c < N; c++) d += rb_pattern_find(p, i, c) >= 0 ? sin(x[c]) : 0;
    return d;
}

static void difference_quotients_are_derivatives(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    RbPattern p = random_pattern(&rng, &f);
    double x[N], f0[N], scale[N], toward[N];
    for (int i = 0; i < N; i++) {
        x[i] = rb_rng_range(&rng, -3, 3);
        scale[i] = 1;
        toward[i] = rb_rng_range(&rng, -1, 1);
    }
    double *values = rb_new_array(&f.arena, double, N *N);
    for (int dense = 0; dense < 2; dense++) {
        for (int blocked = 0; blocked < 2; blocked++) {
            Product m = {.pattern = &p, .forbidden = blocked ? 3 : 100};
            if (blocked) x[0] = 3, toward[0] = 1; // the first direction is not possible
            RbDifference d = {0};
            rb_difference_set_pattern(&d, N, dense ? NULL : &p, &f.arena);
            ENSURE(product(&m, x, f0) == 0);
            m.calls = 0;
            ENSURE(rb_difference_jacobian(&d, product, &m, x, f0, scale, toward, values) == 0);
            assert_int_equal(m.calls, (dense ? N : d.colouring.count) + blocked);
            for (int j = 0; j < N; j++) {
                for (int i = 0; i < N; i++) {
                    int k = dense ? j * N + i : rb_pattern_find(&p, i, j);
                    if (k >= 0) ENSURE_NEAR(values[k], product_derivative(&p, x, i, j), 2e-6);
                }
            }
        }
    }
    fixture_close(&f);
}

// Coloured quotients, the given Jacobian, the dense one: the same solution to the tolerance, the
// exact one to 100 times the tolerance, and the expected number of evaluations.
static void all_jacobians_give_the_same_solution(void **state) {
    (void)state;
    const Choice implicit[] = {{"bdf", RB_CVODE_BDF, 0}, {"ida", RB_IDA, 0}};
    for (int m = 0; m < 2; m++) {
        for (int kind = 0; kind < 5; kind++) {
            Fixture f;
            fixture_open(&f);
            Rod r = {N};
            RbPattern p = tridiagonal(N, &f.arena, f.scratch);
            bool analytic = kind % 2, with_pattern = kind < 4;
            RbOde ode = {.n = N,
                         .user = &r,
                         .derivative = rod,
                         .jacobian = analytic ? rod_jacobian : NULL,
                         .pattern = with_pattern ? &p : NULL};
            RbSolverOptions o = options_for(&implicit[m], 1e-8);
            o.linear = kind < 2 ? RB_LINEAR_SPARSE : RB_LINEAR_DENSE;
            double x0[N];
            for (int i = 0; i < N; i++) x0[i] = rod_mode(N, i);
            RbSolver *s = run(&f, &ode, &o, x0, 0.1);
            for (int i = 0; i < N; i++) {
                ENSURE_NEAR(rb_solver_state(s)[i], x0[i] * exp(-rod_rate(N) * 0.1), 1e-6);
            }
            RbSolverStats stats = rb_solver_stats(s);
            ENSURE(stats.jacobians > 0 && stats.linear_setups >= stats.jacobians);
            long per_jacobian = analytic ? 0 : with_pattern ? 3 : N;
            assert_int_equal(stats.jacobian_derivatives, per_jacobian * stats.jacobians);
            if (kind < 2) ENSURE(stats.pivot_orders < stats.linear_setups); // pivots are used again
            fixture_close(&f);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_are_solved),
        cmocka_unit_test(pivots_are_given_up_when_they_grow),
        cmocka_unit_test(a_restart_forgets_the_pivots),
        cmocka_unit_test(singular_systems_are_noticed),
        cmocka_unit_test(the_cheaper_path_is_chosen),
        cmocka_unit_test(threads_of_the_blas_do_not_change_bits),
        cmocka_unit_test(difference_quotients_are_derivatives),
        cmocka_unit_test(all_jacobians_give_the_same_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
