// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include "contact/material.h"

static RbStatus body(Fuzz *f) {
    RbMaterials m = {0};
    RbContactMaterial contact;
    RbContactSide a = {.object = "a", .solid = "A"}, b = {.object = "b", .solid = "B"};
    RB_TRY(
        rb_materials_parse(&m, "fuzz.json", (const char *)f->data, f->size, &f->arena, &f->diag));
    return rb_materials_pair(&m, a, b, RB_NOWHERE, &f->diag, &contact);
}

// The shortest pair, {"materials":["",""]}, takes twenty bytes and becomes a few hundred in memory.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 200, body);
    return 0;
}
