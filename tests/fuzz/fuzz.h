// SPDX-License-Identifier: MIT
// fuzz.h: what every fuzz target shares: arenas on a heap with a limit, so that a small input that
// asks for much memory is found as well.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/heap.h"

typedef struct Fuzz {
    RbHeap heap;
    RbArena arena; // keep
    RbArena scratch;
    RbDiag diag;
    const uint8_t *data;
    size_t size;
    size_t held, limit; // bytes
    RbStatus (*body)(struct Fuzz *);
} Fuzz;

static inline void *fuzz_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    Fuzz *f = user;
    if (new_size > old_size && new_size - old_size > f->limit - f->held) return NULL;
    f->held += new_size - old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, new_size);
}

static inline RbStatus fuzz_body(void *argument) {
    Fuzz *f = argument;
    f->arena = rb_arena(&f->heap);
    f->scratch = rb_arena(&f->heap);
    f->diag = rb_diag(&f->arena);
    return f->body(f);
}

// Run body on the input. It must not need more than `factor` bytes per byte of input (plus a
// constant), and must answer RB_OK, or an error with a message.
static inline void fuzz_run(const uint8_t *data, size_t size, size_t factor,
                            RbStatus (*body)(Fuzz *)) {
    Fuzz f = {.data = data, .size = size, .limit = (4u << 20) + factor * size, .body = body};
    f.heap = rb_heap(&(RbAllocator){fuzz_resize, &f});
    RbStatus status = rb_protect(&f.heap, fuzz_body, &f);
    if (status == RB_ERROR_MEMORY || status == RB_ERROR_INTERNAL) abort();
    if (status != RB_OK && f.diag.error_count == 0) abort();
    for (int i = 0; i < f.diag.messages.count; i++) {
        if (!f.diag.messages.data[i].text[0]) abort();
    }
    rb_arena_free(&f.scratch);
    rb_arena_free(&f.arena);
    if (f.held != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
