// SPDX-License-Identifier: MIT
// Systems of FMUs in SSP, beside the FMUs of the corpus of fuzz_fmu. Bytes that are no XML are tried as an archive.
#include "fuzz.h"

#include "fmi/system_structure.h"

#define BESIDE RB_SOURCE_DIR "/tests/fuzz/corpus/fmu/"

static RbStatus body(Fuzz *f) {
    const char *text,
        *path = f->size > 0 && f->data[0] == '<' ? BESIDE "fuzz.ssd" : BESIDE "fuzz.ssp";
    return rb_system_structure_parse(path, (RbBytes){f->data, f->size}, &f->arena, &f->diag, &text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 3000, body);
    return 0;
}
