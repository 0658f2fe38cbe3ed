// SPDX-License-Identifier: MIT
// place.h: a file as the place of a message, under a name that lives as long as the diagnostics.
#pragma once

#include "base/diag.h"

static inline RbPos rb_place(RbDiag *diag, const char *file) {
    return rb_in_file(file ? rb_arena_text(diag->arena, file) : NULL);
}
