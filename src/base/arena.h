// SPDX-License-Identifier: MIT
// arena.h: memory by lifetime. An arena only grows; all that is in it goes at once.
//
// An arena is a plain value, and a copy of it is a mark: a function that takes `RbArena scratch` by
// value may push whatever it likes, and all of it is gone on return because the caller's copy never
// moved. Chunks that the callee added stay linked behind the caller's and are used again. Never
// pass a copy of *keep as scratch: both would hand out the same bytes.
#pragma once

#include <stdalign.h>
#include <stdbool.h>

#include "base/heap.h"

typedef struct RbChunk RbChunk;

typedef struct RbArena {
    RbHeap *heap;
    RbChunk *chunk; // the one being filled
    size_t used;    // bytes of it
} RbArena;

RbArena rb_arena(RbHeap *heap);

// Give everything back and run the deferred clean-ups, last one first. The arena may be zero or
// freed before.
void rb_arena_free(RbArena *arena);

// Forget the contents and run the clean-ups, but keep the chunks for the next use.
void rb_arena_reset(RbArena *arena);

// Zeroed bytes.
void *rb_arena_push(RbArena *arena, size_t size, size_t align);

// Make the block that was pushed last longer, where it is; the new bytes are zero. False: it is not
// the last one, or its chunk has no room.
bool rb_arena_extend(RbArena *arena, void *block, size_t old_size, size_t size);

// Call clean_up(what) when the arena is freed or reset: for foreign objects (solver, file) that
// live in it. Only for arenas that are passed by pointer, never for a scratch copy.
void rb_arena_defer(RbArena *arena, void (*clean_up)(void *), void *what);

// Copies that live in the arena.
char *rb_arena_text(RbArena *arena, const char *text);
char *rb_arena_bytes(RbArena *arena, const char *bytes, size_t length);           // adds a final 0
char *rb_arena_join(RbArena *arena, const char *a, const char *b, const char *c); // a b c
char *rb_arena_printf(RbArena *arena, const char *format, ...) RB_PRINTF(2, 3);

#define rb_new(arena, Type) ((Type *)rb_arena_push(arena, sizeof(Type), alignof(Type)))
#define rb_new_array(arena, Type, count)                                                           \
    ((Type *)rb_arena_push_array(arena, sizeof(Type), (size_t)(count), alignof(Type)))

// As rb_arena_push for count items; an overflowing product is treated as no memory.
void *rb_arena_push_array(RbArena *arena, size_t size, size_t count, size_t align);

// A second arena for intermediate results, which goes when `owner` goes at the latest (so nothing
// leaks if memory runs out in the middle); rb_arena_free gives it back earlier.
RbArena *rb_arena_child(RbArena *owner);
