// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include "io/mat4.h"

static RbStatus body(Fuzz *f) {
    RbResult *r;
    RB_TRY(rb_mat4_read_bytes("fuzz.mat", f->data, f->size, &f->arena, f->scratch, &f->diag, &r));
    for (int i = 0; i < r->variables.count && i < 10; i++) {
        RbArena scratch = f->scratch;
        rb_result_series(r, i, &scratch);
    }
    return RB_OK;
}

// A name takes three bytes in the file (a letter, two numbers of one byte) and some hundred in
// memory.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 600, body);
    return 0;
}
