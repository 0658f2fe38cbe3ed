// SPDX-License-Identifier: MIT
// translate.c: time and memory to translate a chain of n cells (inertia, spring, damper, with
// connectors), and the cost of the generated code against the same equations written by hand in C.
// CPU time; one thread.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "program/program.h"

typedef struct Chain {
    RbFlatModel *m;
    int J, c, d; // parameters of the cell at hand
} Chain;

static const RbExpr *ref(Chain *k, int v) {
    return rb_flat_ref(k->m, v);
}

static int real_var(Chain *k, int cell, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "cell[%d].%s", cell, name);
    return rb_flat_real(k->m, full);
}

static int parameter(Chain *k, int cell, const char *name, double value) {
    int v = real_var(k, cell, name);
    k->m->vars.data[v].variability = RB_PARAMETER;
    k->m->vars.data[v].binding = rb_real(k->m->exprs, value);
    return v;
}

static void equal(Chain *k, const RbExpr *left, const RbExpr *right) {
    rb_flat_equal(k->m, &k->m->equations, left, right, (RbPos){"Chain.mo", 1, 1});
}

typedef struct Flange {
    int phi, tau;
} Flange;

static Flange flange(Chain *k, int cell, const char *name) {
    char phi[32], tau[32];
    snprintf(phi, sizeof phi, "%s.phi", name);
    snprintf(tau, sizeof tau, "%s.tau", name);
    return (Flange){real_var(k, cell, phi), real_var(k, cell, tau)};
}

static void connect(Chain *k, Flange a, Flange b) {
    equal(k, ref(k, a.phi), ref(k, b.phi));
    equal(k, rb_add(k->m->exprs, ref(k, a.tau), ref(k, b.tau)), rb_real(k->m->exprs, 0));
}

static void inertia(Chain *k, int cell, Flange a, Flange b) {
    RbExprs *x = k->m->exprs;
    int phi = real_var(k, cell, "inertia.phi"), w = real_var(k, cell, "inertia.w"),
        acc = real_var(k, cell, "inertia.a");
    k->m->vars.data[phi].attributes.start = rb_real(x, 0.001 * cell);
    equal(k, ref(k, phi), ref(k, a.phi));
    equal(k, ref(k, phi), ref(k, b.phi));
    equal(k, ref(k, w), rb_der(x, ref(k, phi)));
    equal(k, ref(k, acc), rb_der(x, ref(k, w)));
    equal(k, rb_mul(x, ref(k, k->J), ref(k, acc)), rb_add(x, ref(k, a.tau), ref(k, b.tau)));
}

static void spring_damper(Chain *k, int cell, Flange a, Flange b) {
    RbExprs *x = k->m->exprs;
    int phi_rel = real_var(k, cell, "spring.phi_rel"), w_rel = real_var(k, cell, "spring.w_rel");
    int tau = real_var(k, cell, "spring.tau"), tau_c = real_var(k, cell, "spring.tau_c"),
        tau_d = real_var(k, cell, "spring.tau_d");
    equal(k, ref(k, phi_rel), rb_sub(x, ref(k, b.phi), ref(k, a.phi)));
    equal(k, ref(k, w_rel), rb_der(x, ref(k, phi_rel)));
    equal(k, ref(k, b.tau), ref(k, tau));
    equal(k, ref(k, a.tau), rb_neg(x, ref(k, tau)));
    equal(k, ref(k, tau_c), rb_mul(x, ref(k, k->c), ref(k, phi_rel)));
    equal(k, ref(k, tau_d), rb_mul(x, ref(k, k->d), ref(k, w_rel)));
    equal(k, ref(k, tau), rb_add(x, ref(k, tau_c), ref(k, tau_d)));
}

static RbFlatModel *chain(RbArena *arena, int cells) {
    Chain k = {.m = rb_flat_model(arena, "Chain")};
    Flange last = {-1, -1};
    for (int i = 1; i <= cells; i++) {
        k.J = parameter(&k, i, "inertia.J", 0.5);
        k.c = parameter(&k, i, "spring.c", 100);
        k.d = parameter(&k, i, "spring.d", 0.3);
        Flange ia = flange(&k, i, "inertia.flange_a"), ib = flange(&k, i, "inertia.flange_b");
        Flange sa = flange(&k, i, "spring.flange_a"), sb = flange(&k, i, "spring.flange_b");
        inertia(&k, i, ia, ib);
        spring_damper(&k, i, sa, sb);
        connect(&k, sb, ia);
        if (last.phi >= 0)
            connect(&k, last, sa);
        else
            equal(&k, ref(&k, sa.phi), rb_real(k.m->exprs, 0)); // fixed to the wall
        last = ib;
    }
    equal(&k, ref(&k, last.tau), rb_real(k.m->exprs, 0));
    return k.m;
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// CPU time of the system's compiler, so far.
static double seconds_of_others(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// The same equations by hand.
static void by_hand(int n, const double *p, const double *phi, const double *w, double *dphi,
                    double *dw) {
    double before = 0, before_w = 0, tau = p[1] * (phi[0] - before) + p[2] * (w[0] - before_w);
    for (int i = 0; i < n; i++) {
        double next = 0;
        if (i + 1 < n)
            next = p[3 * i + 4] * (phi[i + 1] - phi[i]) + p[3 * i + 5] * (w[i + 1] - w[i]);
        dphi[i] = w[i];
        dw[i] = (next - tau) / p[3 * i];
        tau = next;
    }
}

// What is timed: calls of one function.
typedef struct Subject {
    void (*call)(void *data, int k);
    void *data;
    double best; // [s] CPU time of one call
} Subject;

// The machine does other things as well: all subjects take turns, so that they see the same
// disturbances, and the best of some batches counts.
enum { BATCHES = 60 };

static void time_subjects(Subject *subjects, int count, int calls) {
    for (int i = 0; i < count; i++) subjects[i].best = 1e9;
    for (int i = 0; i < BATCHES * count; i++) {
        Subject *s = &subjects[i % count];
        s->call(s->data, 0); // its memory and code come back into the caches
        double start = seconds();
        for (int k = 0; k < calls; k++) s->call(s->data, k);
        double time = (seconds() - start) / calls;
        if (time < s->best) s->best = time;
    }
}

typedef struct ByHand {
    int cells;
    double *m; // parameters, angles, speeds, their derivatives
} ByHand;

static ByHand by_hand_memory(int n) {
    ByHand h = {n, calloc((size_t)n * 8, sizeof(double))};
    for (int i = 0; i < n; i++) {
        h.m[3 * i] = 0.5;
        h.m[3 * i + 1] = 100;
        h.m[3 * i + 2] = 0.3;
        h.m[3 * n + i] = 0.001 * i;
    }
    return h;
}

static void call_by_hand(void *data, int k) {
    const ByHand *h = data;
    int n = h->cells;
    h->m[3 * n] = 1e-9 * k;
    by_hand(n, h->m, h->m + 3 * n, h->m + 4 * n, h->m + 5 * n, h->m + 6 * n);
}

// States and derivatives are where the code expects them: nothing is copied.
static void call_program(void *data, int k) {
    RbProgramInstance *in = data;
    in->frame.x[0] = 1e-9 * k;
    rb_program_derivatives(in, 1e-6 * k, in->frame.x, in->frame.dx);
}

typedef struct Job {
    RbHeap heap;
    int cells;
} Job;

static RbStatus run(void *argument) {
    Job *job = argument;
    RbArena arena = rb_arena(&job->heap), scratch = rb_arena(&job->heap);
    RbDiag diag = rb_diag(&arena);
    double t0 = seconds();
    RbFlatModel *flat = chain(&arena, job->cells);
    double t1 = seconds();
    RbSortedDae *dae = NULL;
    RbProgram *program = NULL;
    RbStatus status = rb_dae_sort(flat, NULL, &arena, scratch, &diag, &dae);
    double t2 = seconds();
    if (status == RB_OK) status = rb_program(dae, NULL, &arena, scratch, &diag, &program);
    double t3 = seconds();
    for (int i = 0; status != RB_OK && i < diag.messages.count && i < 3; i++)
        printf("%s\n", diag.messages.data[i].text);
    if (status != RB_OK) return status;
    RbProgramInstance *in = rb_program_instance(program, &arena);
    status = rb_program_initialize(in, 0, &diag);
    double t4 = seconds();
    ByHand hand = by_hand_memory(job->cells);
    Subject subjects[] = {{call_by_hand, &hand, 0}, {call_program, in, 0}, {call_program, NULL, 0}};
    double t5 = seconds_of_others();
    RbProgramOptions options = {.backend = RB_BACKEND_OPTIMIZED, .cache = "/tmp/rattleback-bench"};
    RbProgram *fast;
    RB_TRY(rb_program(dae, &options, &arena, scratch, &diag, &fast));
    subjects[2].data = rb_program_instance(fast, &arena);
    RB_TRY(rb_program_initialize(subjects[2].data, 0, &diag));
    double t6 = seconds_of_others();
    time_subjects(subjects, 3, 5000000 / (job->cells * 40) + 1);
    free(hand.m);
    double by_hand_time = subjects[0].best;
    printf(
        "%6d cells: %7d equations, %6d after aliases, %6d states; build %.3f s, sort %.3f s, "
        "code %.3f s (%.2f MB of C; system's compiler %.2f s, 0: cached), start %.3f s; %.0f MB; "
        "call: by hand %.3f us, at once %.3f us (%.2f x), optimised %.3f us (%.2f x)\n",
        job->cells, dae->stats.equations_in, dae->stats.equations, dae->states.count, t1 - t0,
        t2 - t1, t3 - t2, (double)program->source.text.count / 1e6, t6 - t5, t4 - t3,
        (double)job->heap.peak / 1e6, 1e6 * by_hand_time, 1e6 * subjects[1].best,
        subjects[1].best / by_hand_time, 1e6 * subjects[2].best, subjects[2].best / by_hand_time);
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return status;
}

// --- der(x) = A*x, as one equation and taken apart -----------------------------------------------

typedef struct LinearJob {
    RbHeap heap;
    int size;
    bool apart;
} LinearJob;

static int sized(RbFlatModel *m, const char *name, int rank, int size, const RbExpr *n) {
    int v = rb_flat_real(m, name);
    RbFlatVar *var = &m->vars.data[v];
    var->rank = rank;
    var->has_free_size = true;
    for (int k = 0; k < rank; k++) {
        var->dims[k] = size;
        var->dim_exprs[k] = n;
    }
    return v;
}

static RbFlatModel *linear(RbArena *arena, int size) {
    RbFlatModel *m = rb_flat_model(arena, "Linear");
    RbExprs *x = m->exprs;
    int n = rb_flat_real(m, "n");
    m->vars.data[n].type = RB_INTEGER;
    m->vars.data[n].variability = RB_PARAMETER;
    m->vars.data[n].binding = rb_integer(x, size);
    const RbExpr *ref_n = rb_flat_ref(m, n);
    int A = sized(m, "A", 2, size, ref_n), v = sized(m, "x", 1, size, ref_n);
    m->vars.data[A].variability = RB_PARAMETER;
    m->vars.data[A].binding = rb_neg(x, rb_builtin1(x, RB_FN_IDENTITY, ref_n));
    m->vars.data[v].attributes.start = rb_real(x, 1);
    rb_flat_equal(m, &m->equations, rb_der(x, rb_flat_ref(m, v)),
                  rb_mul(x, rb_flat_ref(m, A), rb_flat_ref(m, v)), (RbPos){"Linear.mo", 1, 1});
    return m;
}

static RbStatus run_linear(void *argument) {
    LinearJob *job = argument;
    RbArena arena = rb_arena(&job->heap), scratch = rb_arena(&job->heap);
    RbDiag diag = rb_diag(&arena);
    RbFlatModel *flat = linear(&arena, job->size);
    RbDaeOptions options = {.no_whole_arrays = job->apart};
    RbSortedDae *dae;
    RbProgram *program;
    double start = seconds();
    RB_TRY(rb_dae_sort(flat, &options, &arena, scratch, &diag, &dae));
    double sorted = seconds();
    RB_TRY(rb_program(dae, NULL, &arena, scratch, &diag, &program));
    double coded = seconds();
    RbProgramInstance *in = rb_program_instance(program, &arena);
    RB_TRY(rb_program_initialize(in, 0, &diag));
    Subject subject = {call_program, in, 0};
    time_subjects(&subject, 1, 8000000 / (job->size * job->size) + 1);
    printf("x' = A x, n = %d, %s: %d equations, %d expressions; sort %.2f ms, code %.2f ms; call "
           "%.1f us; %.1f MB\n",
           job->size, job->apart ? "taken apart" : "whole", dae->stats.equations, dae->exprs->count,
           1e3 * (sorted - start), 1e3 * (coded - sorted), 1e6 * subject.best,
           (double)job->heap.peak / 1e6);
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return RB_OK;
}

int main(int argc, char **argv) {
    static const int sizes[] = {25, 250, 2500, 25000};
    int largest = argc > 1 ? atoi(argv[1]) : 25000;
    for (int i = 0; i < 4; i++) {
        if (sizes[i] > largest) break;
        Job job = {.heap = rb_heap(NULL), .cells = sizes[i]};
        if (rb_protect(&job.heap, run, &job) != RB_OK) return 1;
    }
    for (int i = 0; i < 2; i++) {
        LinearJob job = {.heap = rb_heap(NULL), .size = 200, .apart = i == 1};
        if (rb_protect(&job.heap, run_linear, &job) != RB_OK) return 1;
    }
    return 0;
}
