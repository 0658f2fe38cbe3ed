// SPDX-License-Identifier: MIT
// linear_systems.c: large linear systems for derivatives of states, solved at every evaluation
// (cvode) against residual form (ida), in the same run on the same translation. All models have a
// closed-form solution, so the error is shown with the time. CPU time; one thread; no results are
// recorded.
//
//     bench_linear_systems [largest n]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/translated.h"
#include "classes/library.h"
#include "sim/sim.h"
#include "translate/translate.h"

static const double pi = 3.14159265358979323846;

typedef struct Case {
    const char *name;
    const char *text; // %d: n
    const char *state;
    double stop; // [s]
    double (*solution)(int n, double t);
} Case;

// An elastic bar with a consistent mass matrix, in its third mode: tridiagonal and constant.
static const char bar[] =
    "model Bar\n"
    "  constant Real pi = 3.14159265358979323846;\n"
    "  constant Integer n = %d;\n"
    "  Real x[n](start = {sin(3*k*pi/(n + 1)) for k in 1:n}, each fixed = true);\n"
    "  Real v[n](each start = 0, each fixed = true);\n"
    "  Real a[n];\n"
    "equation\n"
    "  der(x) = v;\n"
    "  der(v) = a;\n"
    "  4*a[1] + a[2] = -6*(2*x[1] - x[2]);\n"
    "  for k in 2:n - 1 loop\n"
    "    a[k - 1] + 4*a[k] + a[k + 1] = -6*(2*x[k] - x[k - 1] - x[k + 1]);\n"
    "  end for;\n"
    "  a[n - 1] + 4*a[n] = -6*(2*x[n] - x[n - 1]);\n"
    "end Bar;\n";

static double bar_solution(int n, double t) {
    double theta = 3 * pi / (n + 1);
    return sin(theta) * cos(sqrt(6 * (2 - 2 * cos(theta)) / (4 + 2 * cos(theta))) * t);
}

// Coils on a ring, all coupled, in their second mode: full and constant; and one that changes with
// time.
#define RING                                                                                       \
    "  constant Real pi = 3.14159265358979323846;\n"                                               \
    "  constant Integer n = %d;\n"                                                                 \
    "  parameter Real L[n, n] = {{0.6^min(abs(j - k), n - abs(j - k)) for k in 1:n} for j in "     \
    "1:n};\n"                                                                                      \
    "  Real i[n](start = {cos(4*pi*(k - 1)/n) for k in 1:n}, each fixed = true);\n"                \
    "equation\n"

#define ROW "sum(L[k, j]*der(i[j]) for j in 1:n) + i[k] = 0;\n  end for;\n"

static const char coils[] = "model Coils\n" RING "  for k in 1:n loop\n    " ROW "end Coils;\n";
static const char moving[] =
    "model Moving\n" RING "  for k in 1:n loop\n    (1 + time)*" ROW "end Moving;\n";

static double lambda(int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += pow(0.6, j < n - j ? j : n - j) * cos(4 * pi * j / n);
    return sum;
}

static double coils_solution(int n, double t) {
    return exp(-t / lambda(n));
}

static double moving_solution(int n, double t) {
    return pow(1 + t, -1 / lambda(n));
}

static const Case cases[] = {
    {"bar (3 entries a row, constant)", bar, "x[1]", 100, bar_solution},
    {"coils (full, constant)", coils, "i[1]", 10, coils_solution},
    {"moving coils (full, of time)", moving, "i[1]", 10, moving_solution},
};

typedef struct Bench {
    RbHeap heap;
    RbArena arena, scratch;
    RbDiag diag;
    const Case *c;
    int n;
    RbTranslation t;
    double translation; // [s]
    const char *solver;
    RbSummary summary;
    double error;
} Bench;

static double cpu(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static RbStatus translate(void *bench) {
    Bench *b = bench;
    char path[] = "/tmp/rattleback_bench_XXXXXX.mo";
    int file = mkstemps(path, 3);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) return RB_ERROR_IO;
    fprintf(out, b->c->text, b->n);
    fclose(out);
    double start = cpu();
    b->arena = rb_arena(&b->heap);
    b->scratch = rb_arena(&b->heap);
    b->diag = rb_diag(&b->arena);
    RbNames *names = rb_new(&b->arena, RbNames);
    *names = rb_names(&b->arena);
    RbLibrary *library = rb_library(names, &b->arena, &b->scratch, &b->diag);
    const char *last;
    RbStatus status = rb_library_add_file(library, path, &last);
    unlink(path);
    RB_TRY(status);
    RbTranslateOptions options = {.code.backend = RB_BACKEND_TCC};
    RB_TRY(rb_translate(library, last, &options, &b->arena, b->scratch, &b->diag, &b->t));
    b->translation = cpu() - start;
    return RB_OK;
}

static double last_value(const RbSim *sim, const char *name) {
    const RbRunningSegment *stage = &sim->stages[sim->stage];
    const RbSegment *g = stage->system->parts[0].segment;
    for (int k = 0; k < g->states.count; k++) {
        if (strcmp(g->states.data[k].name, name) == 0) return stage->now.x[k];
    }
    return NAN;
}

static RbStatus simulate(void *bench) {
    Bench *b = bench;
    RbModel *model;
    RB_TRY(rb_model_translated(&b->t, &b->arena, &b->diag, &model));
    RbSimOptions options = rb_sim_options_default();
    options.stop_time = b->c->stop;
    options.solver = b->solver;
    RbSim sim = {.model = model, .options = options, .heap = &b->heap, .diag = &b->diag};
    RbStatus status = rb_sim_run(&sim);
    b->summary = sim.summary;
    if (status == RB_OK)
        b->error = fabs(last_value(&sim, b->c->state) - b->c->solution(b->n, b->c->stop));
    rb_sim_free(&sim);
    return status;
}

static void print_run(const Bench *b) {
    const RbSummary *s = &b->summary;
    printf(" %9.4f s %5ld %6ld %3ld  %.0e |", s->cpu_time, s->steps, s->evaluations, s->jacobians,
           b->error);
}

// A full Jacobian of 4,000 states, as the solved form of the bar has it, is left out.
enum { LARGEST_SOLVED = 500 };

static int measure(const Case *c, int n) {
    Bench b = {.heap = rb_heap(NULL), .c = c, .n = n};
    double times[2] = {NAN, NAN};
    if (rb_protect(&b.heap, translate, &b) != RB_OK) return 1;
    printf("%4d %7.2f s |", n, b.translation);
    for (int k = 0; k < 2; k++) {
        if (k == 0 && n > LARGEST_SOLVED) {
            printf("%39s|", "");
            continue;
        }
        b.solver = k == 0 ? "cvode" : "ida";
        if (rb_protect(&b.heap, simulate, &b) != RB_OK) return 1;
        times[k] = b.summary.cpu_time;
        print_run(&b);
    }
    printf(" %6.3f\n", times[1] / times[0]);
    fflush(stdout);
    rb_arena_free(&b.scratch);
    rb_arena_free(&b.arena);
    return 0;
}

int main(int argc, char **argv) {
    const int sizes[] = {50, 200, 500, 2000};
    int largest = argc > 1 ? atoi(argv[1]) : 200;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        printf(
            "%s\n   n translation |   solved: CPU steps  eval. Jac. error |  residual: CPU steps  "
            "eval. Jac. error |  ratio\n",
            cases[i].name);
        for (int k = 0; k < 4 && sizes[k] <= largest; k++) {
            if (i > 0 && sizes[k] > 500) continue; // four million coefficients
            if (measure(&cases[i], sizes[k]) != 0) {
                fprintf(stderr, "%s, n = %d: failed\n", cases[i].name, sizes[k]);
                return 1;
            }
        }
    }
    return 0;
}
