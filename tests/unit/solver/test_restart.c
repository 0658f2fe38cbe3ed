// SPDX-License-Identifier: MIT
// Same input, same bits: repeated, restarted and interleaved runs. Nothing is allocated between
// restarts.
#include "problems.h"

#include "base/hash.h"

// Times and states of all steps from t to t_end, as one number.
static uint64_t hash_steps(RbSolver *s, int n, double t_end, long max_steps) {
    uint64_t hash = RB_HASH_START;
    RbStop stop = {0};
    for (long i = 0; i < max_steps && stop.why != RB_STOP_END; i++) {
        ENSURE(rb_solver_step(s, t_end, &stop) == RB_OK);
        hash = rb_hash_bytes(hash, &stop.t, sizeof stop.t);
        hash = rb_hash_bytes(hash, stop.x, sizeof(double) * (size_t)n);
    }
    return hash;
}

enum { CELLS = 60 };

// A rod and an oscillator with a root, so that everything that has a memory is in use.
typedef struct System {
    Rod rod;
    RbPattern pattern;
    RbOde ode;
    double x0[CELLS];
} System;

static int system_roots(void *user, double t, const double *x, double *z) {
    (void)user, (void)t;
    z[0] = x[CELLS / 2] - 1.25; // falls from 1.3
    z[1] = 0;                   // always zero: never watched
    return 0;
}

static int system_quadrature(void *user, double t, const double *x, double *dq) {
    (void)user, (void)t;
    dq[0] = x[3];
    return 0;
}

static void make_system(System *m, Fixture *f) {
    *m = (System){.rod = {CELLS}};
    m->pattern = tridiagonal(CELLS, &f->arena, f->scratch);
    m->ode = (RbOde){.n = CELLS,
                     .root_count = 2,
                     .quad_count = 1,
                     .user = &m->rod,
                     .derivative = rod,
                     .roots = system_roots,
                     .quadrature = system_quadrature,
                     .pattern = &m->pattern};
    for (int i = 0; i < CELLS; i++)
        m->x0[i] = rod_mode(CELLS, i) + 0.3 * rod_mode(CELLS, (5 * i) % CELLS);
}

static const double T_END = 0.01, T_MIDDLE = 0.004; // [s]

static void runs_repeat_bit_for_bit(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            Fixture f;
            fixture_open(&f);
            System m;
            make_system(&m, &f);
            RbSolverOptions o = options_for(&all_methods[i], 1e-6);
            RbSolver *s;
            ENSURE(rb_solver_create(&m.ode, &o, 0, m.x0, &f.arena, &f.diag, &s) == RB_OK);
            hash[k] = hash_steps(s, CELLS, T_END, 1000000);
            fixture_close(&f);
        }
        ENSURE(hash[0] == hash[1]);
    }
}

// What makes checkpoints possible: after a restart a solver has no past.
static void a_restarted_solver_is_as_good_as_new(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        for (int linear = RB_LINEAR_DENSE; linear <= RB_LINEAR_SPARSE; linear++) {
            Fixture f;
            fixture_open(&f);
            System m;
            make_system(&m, &f);
            RbSolverOptions o = options_for(&all_methods[i], 1e-6);
            o.linear = (RbLinearKind)linear;
            RbSolver *old, *new;
            RbStop stop;
            ENSURE(rb_solver_create(&m.ode, &o, 0, m.x0, &f.arena, &f.diag, &old) == RB_OK);
            ENSURE(rb_solver_advance(old, T_MIDDLE, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
            double t = stop.t, q, q_new, x[CELLS];
            memcpy(x, stop.x, sizeof x);
            ENSURE(rb_solver_restart(old, t, stop.x) == RB_OK);
            ENSURE(rb_solver_quadrature(old, t, &q) == RB_OK);

            ENSURE(rb_solver_create(&m.ode, &o, t, x, &f.arena, &f.diag, &new) == RB_OK);
            rb_solver_set_quadrature(new, &q);
            ENSURE(hash_steps(old, CELLS, T_END, 1000000) ==
                   hash_steps(new, CELLS, T_END, 1000000));
            ENSURE(rb_solver_quadrature(old, T_END, &q) == RB_OK);
            ENSURE(rb_solver_quadrature(new, T_END, &q_new) == RB_OK);
            ENSURE(q == q_new);
            fixture_close(&f);
        }
    }
}

static void interleaved_instances_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { INSTANCES = METHOD_COUNT };
    Fixture f;
    fixture_open(&f);
    System m;
    make_system(&m, &f);
    uint64_t alone[INSTANCES], together[INSTANCES];
    RbSolver *s[INSTANCES];
    for (int i = 0; i < INSTANCES; i++) {
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        ENSURE(rb_solver_create(&m.ode, &o, 0, m.x0, &f.arena, &f.diag, &s[i]) == RB_OK);
        alone[i] = hash_steps(s[i], CELLS, T_END, 60);
        ENSURE(rb_solver_create(&m.ode, &o, 0, m.x0, &f.arena, &f.diag, &s[i]) == RB_OK);
        together[i] = RB_HASH_START;
    }
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < INSTANCES; i++) {
            RbStop stop;
            if (rb_solver_time(s[i]) == T_END) continue;
            ENSURE(rb_solver_step(s[i], T_END, &stop) == RB_OK);
            together[i] = rb_hash_bytes(together[i], &stop.t, sizeof stop.t);
            together[i] = rb_hash_bytes(together[i], stop.x, sizeof(double) * CELLS);
        }
    }
    for (int i = 0; i < INSTANCES; i++) ENSURE(alone[i] == together[i]);
    fixture_close(&f);
}

static void steps_and_restarts_do_not_allocate(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        System m;
        make_system(&m, &f);
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        RbSolver *s;
        RbStop stop;
        double x[CELLS], dx[CELLS], q;
        ENSURE(rb_solver_create(&m.ode, &o, 0, m.x0, &f.arena, &f.diag, &s) == RB_OK);
        size_t calls = f.heap.calls, used = f.arena.used;
        for (int k = 0; k < 1000; k++) {
            ENSURE(rb_solver_step(s, T_END, &stop) == RB_OK);
            ENSURE(rb_solver_interpolate(s, stop.t, x) == RB_OK);
            ENSURE(rb_solver_interpolate_derivative(s, stop.t, dx) == RB_OK);
            ENSURE(rb_solver_quadrature(s, stop.t, &q) == RB_OK);
            if (k % 100 == 0) ENSURE(rb_solver_restart(s, stop.t, stop.x) == RB_OK);
            if (stop.why == RB_STOP_END) ENSURE(rb_solver_restart(s, 0, m.x0) == RB_OK);
        }
        ENSURE(f.heap.calls == calls);
        ENSURE(f.arena.used == used); // not even from the arena's own chunk
        ENSURE(rb_solver_stats(s).library_allocations > 0 && rb_solver_stats(s).library_bytes > 0);
        fixture_close(&f);
    }
}

// A block of cells that gets coupled at t = 0.5, and uncoupled again: patterns of different size,
// same n.
static int coupled(void *user, double t, const double *x, double *dx) {
    (void)t;
    double c = *(double *)user;
    for (int i = 0; i < CELLS; i++) dx[i] = -(i + 1) * x[i] + c * (x[CELLS - 1 - i] - x[i]);
    return 0;
}

static void the_pattern_may_change_at_a_restart(void **state) {
    (void)state;
    const Choice implicit[] = {{"bdf", RB_CVODE_BDF, 0}, {"ida", RB_IDA, 0}};
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        RbEntry cross[CELLS];
        for (int k = 0; k < CELLS; k++) cross[k] = (RbEntry){k, CELLS - 1 - k};
        RbPattern apart = rb_pattern(CELLS, NULL, 0, &f.arena, f.scratch);
        RbPattern together = rb_pattern(CELLS, cross, CELLS, &f.arena, f.scratch);
        double c = 0, x0[CELLS];
        for (int k = 0; k < CELLS; k++) x0[k] = 1;
        RbSolver *s[2]; // sparse with changing patterns; dense
        RbStop stop;
        for (int dense = 0; dense < 2; dense++) {
            RbOde ode = {
                .n = CELLS, .user = &c, .derivative = coupled, .pattern = dense ? NULL : &apart};
            RbSolverOptions o = options_for(&implicit[i], 1e-9);
            c = 0;
            ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s[dense]) == RB_OK);
            for (int phase = 0; phase < 6; phase++) {
                ENSURE(rb_solver_advance(s[dense], 0.05 * (phase + 1), &stop) == RB_OK);
                c = phase % 2 ? 0 : 100;
                if (!dense)
                    ENSURE(rb_solver_set_pattern(s[dense], phase % 2 ? &apart : &together) ==
                           RB_OK);
                ENSURE(rb_solver_restart(s[dense], stop.t, stop.x) == RB_OK);
            }
        }
        for (int k = 0; k < CELLS; k++)
            ENSURE_NEAR(rb_solver_state(s[0])[k], rb_solver_state(s[1])[k], 1e-7);
        RbSolverStats sparse = rb_solver_stats(s[0]), dense = rb_solver_stats(s[1]);
        ENSURE(sparse.pivot_orders > 0 && dense.pivot_orders == 0);
        ENSURE(sparse.jacobian_derivatives <= sparse.jacobians * 2); // 1 or 2 colours
        ENSURE(dense.jacobian_derivatives == dense.jacobians * CELLS);
        // Patterns that come and go do not eat the arena.
        size_t calls = f.heap.calls, used = f.arena.used;
        for (int k = 0; k < 1000; k++) {
            ENSURE(rb_solver_set_pattern(s[0], k % 2 ? &apart : &together) == RB_OK);
            ENSURE(rb_solver_restart(s[0], stop.t, rb_solver_state(s[0])) == RB_OK);
        }
        ENSURE(f.heap.calls == calls && f.arena.used == used);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_repeat_bit_for_bit),
        cmocka_unit_test(a_restarted_solver_is_as_good_as_new),
        cmocka_unit_test(interleaved_instances_do_not_disturb_each_other),
        cmocka_unit_test(steps_and_restarts_do_not_allocate),
        cmocka_unit_test(the_pattern_may_change_at_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
