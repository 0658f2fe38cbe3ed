// SPDX-License-Identifier: MIT
// Any bytes as a Modelica file through the whole pipeline: flatten, sort, generate code, start, and
// evaluate at two points, with the interpreter. External functions are not called.
#include "fuzz.h"

#include "translate/translate.h"

static void evaluate(Fuzz *f, const RbProgram *program) {
    RbProgramInstance *in = rb_program_instance(program, &f->arena);
    if (rb_program_initialize(in, 0, &f->diag) != RB_OK) return;
    int n = rb_program_states(in);
    double *x = rb_new_array(&f->arena, double, n + 1),
           *dx = rb_new_array(&f->arena, double, n + 1);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) x[i] = 0.5 * k + 0.1 * i;
        (void)rb_program_derivatives(in, 0.01 * k, x, dx);
        (void)rb_program_outputs(in, 0.01 * k, x);
    }
}

static RbStatus body(Fuzz *f) {
    RbNames names = rb_names(&f->arena);
    RbLibrary *library = rb_library(&names, &f->arena, &f->scratch, &f->diag);
    const char *last = NULL, *text = rb_arena_bytes(&f->arena, (const char *)f->data, f->size);
    if (rb_library_add_text(library, "fuzz.mo", text, f->size, &last) != RB_OK || !last)
        return RB_OK;
    RbTranslateOptions options = {.code.backend = RB_BACKEND_INTERPRET};
    RbTranslation t;
    RB_TRY(rb_translate(library, last, &options, &f->arena, f->scratch, &f->diag, &t));
    evaluate(f, t.program);
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // What a model needs depends on what it says, not on its length: an array of 1000 by 1000 is
    // short to write.
    if (size > 20000) return 0;
    fuzz_run(data, size, 400000, body); // also the library, where a name is near one of its own
    return 0;
}
