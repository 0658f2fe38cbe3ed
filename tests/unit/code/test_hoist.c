// SPDX-License-Identifier: MIT
// What follows from parameters is computed once, again when a parameter changes, and never in
// between; all variables have the values of a closed form, and the bits of the interpreter.
#include "testing.h"

#include <string.h>

#include "base/text.h"
#include "code/hoist.h"
#include "program/program.h"
#include "tiny_model.h"

typedef struct Run {
    Fixture f;
    RbProgram *program;
    RbProgramInstance *in;
} Run;

static void open_run(Run *r, const char *text, RbBackend backend) {
    fixture_open(&r->f);
    RbSortedDae *dae;
    RbProgramOptions options = {
        .backend = backend, .cache = RB_BINARY_DIR "/model-cache", .roll_turn = 1};
    RbFlatModel *flat = tiny_model(&r->f.arena, text);
    ENSURE(rb_dae_sort(flat, NULL, &r->f.arena, r->f.scratch, &r->f.diag, &dae) == RB_OK);
    ENSURE(rb_program(dae, &options, &r->f.arena, r->f.scratch, &r->f.diag, &r->program) == RB_OK);
    r->in = rb_program_instance(r->program, &r->f.arena);
}

static int hoisted_count(const Run *r) {
    return r->program->lowered->sections[RB_SECTION_HOISTED].count;
}

static double derivative(Run *r, double time, double x) {
    double dx;
    ENSURE(rb_program_derivatives(r->in, time, &x, &dx) == RB_OK);
    return dx;
}

static void set(Run *r, const char *name, double value) {
    ENSURE(rb_program_set(r->in, rb_program_find(r->program, name), value));
}

// x' = -(k m + sqrt(k)) x + (m/k) t: two expressions, k m + sqrt(k) and m/k.
static void closed_form(void **state) {
    (void)state;
    for (int b = RB_BACKEND_TCC; b <= RB_BACKEND_OPTIMIZED; b++) {
        Run r;
        open_run(&r,
                 "param k = 4\nparam m = 3\nreal x start 1 fixed\n"
                 "eq der(x) = -(k*m + sqrt(k))*x + (m/k)*time\n",
                 (RbBackend)b);
        ENSURE(hoisted_count(&r) == 2);
        ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_OK);
        ENSURE_NEAR(derivative(&r, 2, 0.5), -(4.0 * 3 + 2) * 0.5 + 0.75 * 2, 0);
        set(&r, "k", 16); // without translating again
        ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_OK);
        ENSURE_NEAR(derivative(&r, 2, 0.5), -(16.0 * 3 + 4) * 0.5 + 3.0 / 16 * 2, 0);
        fixture_close(&r.f);
    }
}

// Parameters and numbers stay where they are, and so does what depends on time or states; a sign
// is not worth a place.
static void what_stays(void **state) {
    (void)state;
    Run r;
    open_run(&r, "param k = 4\nreal x start 1 fixed\neq der(x) = k*x - k + (-k)*time + 3*x*k\n",
             RB_BACKEND_TCC);
    ENSURE(hoisted_count(&r) == 0);
    fixture_close(&r.f);
}

// A branch that is never taken is no danger: the root of -1 is not a number, but nobody uses it.
static void branch_not_taken(void **state) {
    (void)state;
    Run r;
    open_run(&r,
             "param p = 1\nreal x start 1 fixed\n"
             "eq der(x) = if noEvent(time < 0) then sqrt(p - 2) + 1/(p - 1) else x\n",
             RB_BACKEND_TCC);
    ENSURE(hoisted_count(&r) > 0);
    ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_OK);
    ENSURE_NEAR(derivative(&r, 1, 0.5), 0.5, 0);
    fixture_close(&r.f);
}

// Equal cells find theirs at even distances: one loop for the derivatives, one for the hoisted.
static void cells(void **state) {
    (void)state;
    enum { N = 20 };
    Fixture texts;
    fixture_open(&texts);
    RbText t = rb_text(&texts.arena);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "param a%d = %g\nparam b%d = %g\nreal x%d start 1 fixed\n", i, 1.1 * i,
                       i, 0.3 + i, i);
    for (int i = 0; i < N; i++)
        rb_text_printf(&t, "eq der(x%d) = a%d*b%d*x%d + a%d/b%d\n", i, i, i, i, i, i);
    Run r[2];
    double x[N], dx[2][N];
    for (int i = 0; i < N; i++) x[i] = 0.1 * i - 1;
    for (int k = 0; k < 2; k++) {
        open_run(&r[k], t.data, k == 0 ? RB_BACKEND_INTERPRET : RB_BACKEND_TCC);
        ENSURE(hoisted_count(&r[k]) == 2 * N);
        set(&r[k], "a7", 0.77);
        ENSURE(rb_program_initialize(r[k].in, 0, &r[k].f.diag) == RB_OK);
        ENSURE(rb_program_derivatives(r[k].in, 0, x, dx[k]) == RB_OK);
    }
    ENSURE(memcmp(dx[0], dx[1], sizeof dx[0]) == 0);
    ENSURE_NEAR(dx[1][7], 0.77 * 7.3 * x[7] + 0.77 / 7.3, 1e-14);
    RbRolled rolled;
    rb_roll(r[1].program->lowered, 1, &texts.arena, texts.scratch, &rolled);
    ENSURE(rolled.sections[RB_SECTION_DERIVATIVES].count == 1);
    ENSURE(rolled.sections[RB_SECTION_DERIVATIVES].data[0].count == N);
    ENSURE(rolled.sections[RB_SECTION_HOISTED].count == 1);
    for (int k = 0; k < 2; k++) fixture_close(&r[k].f);
    fixture_close(&texts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form),
        cmocka_unit_test(what_stays),
        cmocka_unit_test(branch_not_taken),
        cmocka_unit_test(cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
