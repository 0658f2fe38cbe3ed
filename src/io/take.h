// SPDX-License-Identifier: MIT
// take.h: bytes that are read one after another and may be anything. Asking for more than there is
// returns zeros and is remembered, so that a reader looks once, at the end.
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "io/bytes.h"

// What was not read yet.
typedef struct RbTake {
    const unsigned char *p;
    size_t left;
    bool too_short;
} RbTake;

// NULL if there are fewer.
static inline const unsigned char *rb_take(RbTake *in, size_t size) {
    if (size > in->left) {
        in->too_short = true;
        in->left = 0;
        return NULL;
    }
    const unsigned char *p = in->p;
    in->p += size;
    in->left -= size;
    return p;
}

static inline uint32_t rb_take_u32(RbTake *in) {
    const unsigned char *p = rb_take(in, 4);
    return p ? rb_get_u32(p) : 0;
}

// A length and so many bytes.
static inline const char *rb_take_text(RbTake *in, RbArena *arena) {
    uint32_t length = rb_take_u32(in);
    const unsigned char *p = rb_take(in, length);
    return p ? rb_arena_bytes(arena, (const char *)p, length) : "";
}
