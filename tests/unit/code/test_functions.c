// SPDX-License-Identifier: MIT
// Functions written as algorithms: values against what the text says by hand, and compiled against
// interpreted bit by bit.
#include "testing.h"

#include <string.h>

#include "code/program.h"
#include "modelica/flatten.h"

typedef struct Run {
    Fixture f;
    RbProgram *program;
    RbProgramInstance *in;
} Run;

static void show(Fixture *f) {
    for (int i = 0; i < f->diag.messages.count; i++) print_error("%s\n", fixture_message(f, i));
}

static RbStatus translate(Run *r, const char *text, RbBackend backend) {
    fixture_open(&r->f);
    RbArena *a = &r->f.arena;
    RbNames *names = rb_new(a, RbNames);
    *names = rb_names(a);
    RbLibrary *library = rb_library(names, a, &r->f.scratch, &r->f.diag);
    const char *last = NULL;
    RbFlatModel *flat;
    RbSortedDae *dae;
    RbProgramOptions options = {.backend = backend, .cache = RB_BINARY_DIR "/model-cache"};
    RB_TRY(rb_library_add_text(library, "test.mo", text, strlen(text), &last));
    RB_TRY(rb_flatten(library, last, (RbFlattenOptions){0}, &flat));
    RB_TRY(rb_dae_sort(flat, NULL, a, r->f.scratch, &r->f.diag, &dae));
    RB_TRY(rb_program(dae, &options, a, r->f.scratch, &r->f.diag, &r->program));
    if (getenv("RB_DUMP")) print_message("%s\n", r->program->source.text.data);
    r->in = rb_program_instance(r->program, a);
    return RB_OK;
}

static void start(Run *r, const char *text, RbBackend backend) {
    RbStatus status = translate(r, text, backend);
    if (status == RB_OK) status = rb_program_initialize(r->in, 0, &r->f.diag);
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
}

static double value(Run *r, const char *name) {
    int v = rb_program_find(r->program, name);
    if (v < 0) print_error("no variable %s\n", name);
    ENSURE(v >= 0);
    return rb_program_value(r->in, v);
}

// --- what statements mean ------------------------------------------------------------------------

// A record is assigned as a whole, whatever the order of its fields: swapping works, and a function
// of the record sees none of its new values.
static void records_are_assigned_as_a_whole(void **state) {
    (void)state;
    static const char text[] = "package P\n"
                               "  record R Real a; Real b; Real c; end R;\n"
                               "  function turn input R r; output R q;\n"
                               "  algorithm q.a := r.b; q.b := r.c; q.c := r.a; end turn;\n"
                               "  function f input Real u; output Real y;\n"
                               "  protected R r;\n"
                               "  algorithm\n"
                               "    r := R(u, 10*u, 100*u);\n"
                               "    r := turn(r);\n"
                               "    r := R(r.b, r.a, r.c);\n"
                               "    y := r.a + 2*r.b + 3*r.c;\n"
                               "  end f;\n"
                               "  model M Real y = f(1 + time); end M;\n"
                               "end P;\n"
                               "model Test extends P.M; end Test;\n";
    for (int k = 0; k < 3; k++) {
        Run r;
        start(&r, text, (RbBackend)k);
        ENSURE_NEAR(value(&r, "y"), 100 + 2 * 10 + 3 * 1, 0);
        fixture_close(&r.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_assigned_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
