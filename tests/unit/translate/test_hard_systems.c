// SPDX-License-Identifier: MIT
// Nonlinear systems far from their solutions (tests/models/Hard.mo), by the program's own method
// and by KINSOL alone; and homotopy.
#include "translate/hard_systems.h"
#include "translate/run_model.h"

typedef struct Start {
    Fixture f;
    RbTranslation t;
    RbProgramInstance *in;
} Start;

static void open_start(Start *s, const char *class, RbBackend backend) {
    fixture_open(&s->f);
    RbNames *names = rb_new(&s->f.arena, RbNames);
    *names = rb_names(&s->f.arena);
    RbLibrary *library = rb_library(names, &s->f.arena, &s->f.scratch, &s->f.diag);
    const char *last;
    ENSURE(rb_library_add_file(library, RB_SOURCE_DIR "/tests/models/Hard.mo", &last) == RB_OK);
    RbTranslateOptions options = {.code.backend = backend};
    ENSURE(rb_translate(library, class, &options, &s->f.arena, s->f.scratch, &s->f.diag, &s->t) ==
           RB_OK);
    s->in = rb_program_instance(s->t.program, &s->f.arena);
}

static void initialize(Start *s) {
    RbStatus status = rb_program_initialize(s->in, 0, &s->f.diag);
    for (int i = 0; status != RB_OK && i < s->f.diag.messages.count; i++)
        print_error("%s\n", fixture_message(&s->f, i));
    ENSURE(status == RB_OK);
}

static void check(Start *s, const char *name, double want, double tolerance) {
    int v = rb_program_find(s->t.program, name);
    ENSURE(v >= 0);
    ENSURE_NEAR(rb_program_value(s->in, v), want, tolerance);
}

// RbCodeFrame.solve: KINSOL, whatever else there is.
static int only_hard(RbCodeFrame *f, int system, RbSystemFunction *evaluate) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbBlock *b = in->program->lowered->systems.data[system].block;
    double y[8], r[8];
    for (int i = 0; i < b->size; i++) y[i] = rb_program_value(in, b->unknowns[i]);
    if (!in->solve_hard(in->hard_user, system, evaluate, y)) return 1;
    evaluate(f, y, r, NULL);
    return 0;
}

typedef struct Known {
    const char *class, *name;
    double value, tolerance;
} Known;

// Powell's badly scaled function: x y = 1e-4, exp(-x) + exp(-y) = 1.0001; Moré, Garbow and
// Hillstrom (1981) give x = 1.098e-5, y = 9.106. The others follow from the equations at sight.
static const Known solutions[] = {
    {"Hard.BadlyScaled", "x", 1.098e-5, 1e-8},
    {"Hard.BadlyScaled", "y", 9.106, 1e-3},
    {"Hard.Helical", "x", 1, 1e-9},
    {"Hard.Helical", "z", 0, 1e-9},
    {"Hard.Units", "m", 3, 1e-6},
    {"Hard.Units", "p", 2e5 - 100 * 1.2490457723982544, 1},
    {"Hard.Exponential", "a", 0, 1e-9},
    {"Hard.Exponential", "b", 1, 1e-9},
};

static void far_away(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof solutions / sizeof *solutions; i++) {
        for (int hard = 0; hard < 2; hard++) {
            Start s;
            open_start(&s, solutions[i].class, RB_BACKEND_TCC);
            rb_hard_systems(s.in, &s.f.arena);
            if (hard) s.in->frame.solve = only_hard;
            initialize(&s);
            check(&s, solutions[i].name, solutions[i].value, solutions[i].tolerance);
            fixture_close(&s.f);
        }
    }
}

// Without start values unknowns begin at zero, where this equation has no value. 1/y + y = 2.5.
static void where_zero_has_no_value(void **state) {
    (void)state;
    Start s;
    open_start(&s, "Hard.Inverse", RB_BACKEND_TCC);
    initialize(&s);
    check(&s, "y", 0.5, 1e-12);
    fixture_close(&s.f);
}

// (x + y)² = 3 and (x - y)² = 1: which of the two is larger is open.
static void where_slopes_are_alike(void **state) {
    (void)state;
    Start s;
    open_start(&s, "Hard.Alike", RB_BACKEND_TCC);
    initialize(&s);
    check(&s, "larger", (sqrt(3) + 1) / 2, 1e-9);
    check(&s, "smaller", (sqrt(3) - 1) / 2, 1e-9);
    fixture_close(&s.f);
}

// Of all solutions x + y = 3 the one next to x = y = 1, which is said; with another sum in the second equation there is none.
static void where_something_is_open(void **state) {
    (void)state;
    Start s;
    open_start(&s, "Hard.Open", RB_BACKEND_TCC);
    initialize(&s);
    check(&s, "x", 1.5, 1e-9);
    check(&s, "y", 1.5, 1e-9);
    check(&s, "z", 1, 1e-9);
    ENSURE(s.f.diag.messages.count == 1);
    const char *said = fixture_message(&s.f, 0);
    ENSURE(
        strstr(said, "warning: the equations for some variables repeat each other at the start"));
    ENSURE(strstr(said, "'x' = 1.5") && strstr(said, "'y' = 1.5") && !strstr(said, "'z'"));
    rb_program_set(s.in, rb_program_find(s.t.program, "sum"), 3.1);
    ENSURE(rb_program_initialize(s.in, 0, &s.f.diag) == RB_ERROR_INIT);
    fixture_close(&s.f);
}

// Three solutions, and the simplified equation leads to the third, although the start value is
// at the first. The model without homotopy takes the first.
static void homotopy(void **state) {
    (void)state;
    double y[2];
    for (int i = 0; i < 2; i++) {
        Start s;
        open_start(&s, "Hard.Homotopy", i == 0 ? RB_BACKEND_TCC : RB_BACKEND_INTERPRET);
        initialize(&s);
        check(&s, "y", 2 * cos(M_PI / 9), 1e-9); // y^3 - 3 y = 1
        check(&s, "z", 2 * cos(5 * M_PI / 9), 1e-9);
        y[i] = rb_program_value(s.in, rb_program_find(s.t.program, "y"));
        fixture_close(&s.f);
    }
    ENSURE(memcmp(&y[0], &y[1], sizeof *y) == 0); // interpreted like compiled
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_away),
        cmocka_unit_test(where_zero_has_no_value),
        cmocka_unit_test(where_slopes_are_alike),
        cmocka_unit_test(where_something_is_open),
        cmocka_unit_test(homotopy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
