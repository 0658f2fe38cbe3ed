// SPDX-License-Identifier: MIT
// FMUs: the archive, its description, the class in Modelica. Bytes that are no archive are tried as the description in one.
#include "fuzz.h"

#include "fmi/modelica_class.h"
#include "io/zip.h"

static RbStatus read_archive(Fuzz *f, const void *bytes, size_t size) {
    RbFmi *fmi;
    RB_TRY(rb_fmi_read("fuzz.fmu", (RbBytes){bytes, size}, &f->arena, &f->diag, &fmi));
    for (int i = 0; i < fmi->zip.count; i++) {
        RbArena *scratch = rb_arena_child(&f->arena);
        RbBlob contents;
        if (rb_unzip_read(&fmi->zip, &fmi->zip.files[i], scratch, &f->diag, &contents) != RB_OK &&
            f->diag.error_count == 0)
            abort();
        rb_arena_free(scratch);
    }
    rb_fmi_source(fmi, &f->arena);
    RbText text = rb_text(&f->arena);
    rb_fmi_describe(fmi, &text);
    return RB_OK;
}

static RbStatus body(Fuzz *f) {
    if (f->size == 0 || f->data[0] != '<') return read_archive(f, f->data, f->size);
    RbZip zip = rb_zip(&f->arena);
    RB_TRY(
        rb_zip_add(&zip, "modelDescription.xml", (RbBlob){f->data, f->size}, f->scratch, &f->diag));
    RbBlob archive = rb_zip_done(&zip);
    return read_archive(f, archive.bytes, archive.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 3000, body);
    return 0;
}
