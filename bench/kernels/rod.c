// SPDX-License-Identifier: MIT
// Heat in a rod of n cells (tridiagonal Jacobian): what the sparse path costs, and how much more
// the dense one.
//   bench_rod [--csv]
// Two claims are judged: at 2,000 states sparse is at least 50 times faster than dense, and from
// 1,000 to 10,000 states the cost per step of the sparse path grows linearly (cost per step and
// state varies by less than a factor 2).
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "solver/solver.h"

static const double T_END = 0.1; // [s] the slowest mode decays by exp(-pi^2 / 10)

static int rod(void *user, double t, const double *x, double *dx) {
    (void)t;
    int n = *(int *)user;
    double c = (n + 1.0) * (n + 1.0);
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
        dx[i] = c * (left - 2 * x[i] + right);
    }
    return 0;
}

typedef struct Run {
    int n;
    bool sparse;
    double seconds; // CPU time
    double error;   // largest, against the closed form
    RbSolverStats stats;
} Run;

static RbPattern tridiagonal(int n, RbArena *keep, RbArena scratch) {
    RbEntry *entries = rb_new_array(&scratch, RbEntry, 2 * n);
    int count = 0;
    for (int i = 0; i + 1 < n; i++) {
        entries[count++] = (RbEntry){i, i + 1};
        entries[count++] = (RbEntry){i + 1, i};
    }
    return rb_pattern(n, entries, count, keep, scratch);
}

// The slowest mode of the discrete rod: sin(pi s_i) exp(-lambda t), lambda = 4 (n+1)^2 sin^2(pi /
// (2 (n+1))).
static double largest_error(const double *x, const double *x0, int n) {
    double s = sin(M_PI / (2 * (n + 1.0))), decay = exp(-4 * (n + 1.0) * (n + 1.0) * s * s * T_END),
           largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i] - x0[i] * decay));
    return largest;
}

// The sparse solver gets the pattern, the dense one does not; both use difference quotients.
static RbStatus run(void *argument) {
    Run *r = argument;
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    RbDiag diag = rb_diag(&arena);
    RbPattern pattern = tridiagonal(r->n, &arena, scratch);
    double *x0 = rb_new_array(&arena, double, r->n);
    for (int i = 0; i < r->n; i++) x0[i] = sin(M_PI * (i + 1) / (r->n + 1.0));
    RbOde ode = {
        .n = r->n, .user = &r->n, .derivative = rod, .pattern = r->sparse ? &pattern : NULL};
    RbSolverOptions options = rb_solver_options();
    RbSolver *solver;
    RbStop stop;
    clock_t start = clock();
    RbStatus status = rb_solver_create(&ode, &options, 0, x0, &arena, &diag, &solver);
    if (status == RB_OK) status = rb_solver_advance(solver, T_END, &stop);
    r->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status == RB_OK) {
        r->stats = rb_solver_stats(solver);
        r->error = largest_error(stop.x, x0, r->n);
    }
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return status;
}

// Median of several runs, since the machine has other things to do.
static Run measure(int n, bool sparse, int repeats) {
    Run runs[5];
    RbHeap heap = rb_heap(NULL);
    for (int k = 0; k < repeats; k++) {
        runs[k] = (Run){.n = n, .sparse = sparse};
        if (rb_protect(&heap, run, &runs[k]) != RB_OK) runs[k].seconds = NAN;
        for (int m = k; m > 0 && runs[m].seconds < runs[m - 1].seconds; m--) {
            Run swap = runs[m];
            runs[m] = runs[m - 1];
            runs[m - 1] = swap;
        }
    }
    return runs[repeats / 2];
}

static void print_run(const Run *r, bool csv) {
    double per_step = r->seconds / (double)r->stats.steps;
    const char *path = r->sparse ? "sparse" : "dense";
    if (csv) {
        printf("rod,%s,%d,%.6g,%ld,%ld,%ld,%ld,%.6g,%.6g,%.3g\n", path, r->n, r->seconds,
               r->stats.steps, r->stats.derivatives, r->stats.jacobians, r->stats.linear_setups,
               1e6 * per_step, 1e9 * per_step / r->n, r->error);
    } else {
        printf("%-7s %6d %10.4f %6ld %7ld %5ld %7ld %11.1f %11.2f %9.1e\n", path, r->n, r->seconds,
               r->stats.steps, r->stats.derivatives, r->stats.jacobians, r->stats.linear_setups,
               1e6 * per_step, 1e9 * per_step / r->n, r->error);
    }
}

static double per_step_and_state(const Run *r) {
    return r->seconds / (double)r->stats.steps / r->n;
}

int main(int argc, char **argv) {
    bool csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
    const int sizes[] = {30, 100, 300, 1000, 2000, 5000, 10000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    puts(csv ? "kernel,path,states,cpu_s,steps,derivatives,jacobians,setups,us_per_step,ns_per_"
               "step_and_state,error"
             : "path    states      cpu s  steps    rhs  jacs  setups     us/step  ns/step/state   "
               "  error");
    Run sparse[SIZES], dense[SIZES];
    for (int i = 0; i < SIZES; i++) {
        sparse[i] = measure(sizes[i], true, 5);
        print_run(&sparse[i], csv);
        if (sizes[i] > 2000) continue;
        dense[i] = measure(sizes[i], false, sizes[i] > 500 ? 1 : 5);
        print_run(&dense[i], csv);
    }
    double ratio = dense[4].seconds / sparse[4].seconds;
    double growth = per_step_and_state(&sparse[6]) / per_step_and_state(&sparse[3]);
    bool fast = ratio >= 50, linear = growth > 0.5 && growth < 2;
    printf(csv ? "ratio,dense/sparse,2000,%.4g\nratio,growth,10000/1000,%.4g\n"
               : "dense / sparse at 2000 states: %.0f (at least 50)\ncost per step and state, "
                 "10000 to 1000 states: "
                 "%.2f (linear: between 0.5 and 2)\n",
           ratio, growth);
    return fast && linear ? 0 : 1;
}
