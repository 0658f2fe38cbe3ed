// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

// In sanitized builds there is a gap behind every block, and it is poisoned, as is memory that is
// not in use: a write behind a block, also behind one without elements, is reported.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(POISONED)
#include <sanitizer/asan_interface.h>
enum { GAP = 32, LEAST_ALIGN = 8, POISON_AHEAD = 1024 };
#define POISON(start, size) ASAN_POISON_MEMORY_REGION(start, size)
#define UNPOISON(start, size) ASAN_UNPOISON_MEMORY_REGION(start, size)
#else
enum { GAP = 0, LEAST_ALIGN = 1, POISON_AHEAD = 1 };
#define POISON(start, size) ((void)(start), (void)(size))
#define UNPOISON(start, size) ((void)(start), (void)(size))
#endif

enum { FIRST_CHUNK = 4096, LARGEST_STEP = 1 << 22 };

typedef struct CleanUp {
    struct CleanUp *next;
    void (*run)(void *);
    void *what;
} CleanUp;

struct RbChunk {
    RbChunk *first;
    RbChunk *next;
    CleanUp *clean_ups; // only used in the first chunk
    size_t size;        // of the bytes that follow
    alignas(max_align_t) unsigned char bytes[];
};

static RbChunk *new_chunk(RbHeap *heap, size_t size) {
    if (size > SIZE_MAX - sizeof(RbChunk)) rb_heap_fail(heap);
    RbChunk *chunk = rb_heap_resize(heap, NULL, 0, sizeof(RbChunk) + size);
    *chunk = (RbChunk){.first = chunk, .size = size};
    POISON(chunk->bytes, size);
    return chunk;
}

RbArena rb_arena(RbHeap *heap) {
    return (RbArena){.heap = heap, .chunk = new_chunk(heap, FIRST_CHUNK)};
}

static void run_clean_ups(RbChunk *first) {
    while (first->clean_ups) {
        CleanUp *c = first->clean_ups;
        first->clean_ups = c->next;
        c->run(c->what);
    }
}

void rb_arena_free(RbArena *arena) {
    if (!arena->chunk) return;
    RbChunk *chunk = arena->chunk->first;
    run_clean_ups(chunk);
    while (chunk) {
        RbChunk *next = chunk->next;
        UNPOISON(chunk->bytes, chunk->size);
        rb_heap_resize(arena->heap, chunk, sizeof(RbChunk) + chunk->size, 0);
        chunk = next;
    }
    *arena = (RbArena){0};
}

void rb_arena_reset(RbArena *arena) {
    arena->chunk = arena->chunk->first;
    arena->used = 0;
    run_clean_ups(arena->chunk);
    POISON(arena->chunk->bytes, arena->chunk->size);
}

// A chunk that holds at least size bytes and more than the one before. Sizes are few, powers of two (from LARGEST_STEP on
// multiples of it), so that work that is done again with slightly more finds the chunks of last time, here or on the
// heap, rather than pages nobody has touched yet.
static size_t chunk_size(const RbChunk *old, size_t size) {
    size_t step = old->size < LARGEST_STEP ? 2 * old->size : LARGEST_STEP;
    if (size > SIZE_MAX - LARGEST_STEP) return size; // refused when it is asked for
    if (size > LARGEST_STEP) return (size + LARGEST_STEP - 1) / LARGEST_STEP * LARGEST_STEP;
    while (step < size) step *= 2;
    return step;
}

// Continue in a chunk that holds at least size bytes: the next one that does, otherwise a new one.
static void grow(RbArena *arena, size_t size) {
    RbChunk *old = arena->chunk, *next = old->next;
    while (next && next->size < size) next = next->next;
    if (!next) {
        next = new_chunk(arena->heap, chunk_size(old, size));
        next->first = old->first;
        next->next = old->next;
        old->next = next;
    }
    arena->chunk = next;
    arena->used = 0;
    POISON(next->bytes, next->size);
}

// The block of the arena from `start` on is in use up to `end`; nothing behind it is.
static void use(RbArena *arena, size_t start, size_t end) {
    size_t rest = arena->chunk->size - end;
    UNPOISON(arena->chunk->bytes + start, end - start);
    POISON(arena->chunk->bytes + end, rest < POISON_AHEAD ? rest : POISON_AHEAD);
    arena->used = end + GAP;
}

void *rb_arena_push(RbArena *arena, size_t size, size_t align) {
    RB_ASSERT(align > 0 && (align & (align - 1)) == 0 && align <= alignof(max_align_t));
    if (align < LEAST_ALIGN) align = LEAST_ALIGN;
    if (size > SIZE_MAX - GAP) rb_heap_fail(arena->heap);
    size_t start = (arena->used + align - 1) & ~(align - 1);
    if (start > arena->chunk->size || size + GAP > arena->chunk->size - start) {
        grow(arena, size + GAP);
        start = 0;
    }
    use(arena, start, start + size);
    return memset(arena->chunk->bytes + start, 0, size);
}

bool rb_arena_extend(RbArena *arena, void *block, size_t old_size, size_t size) {
    size_t used = arena->used > 0 ? arena->used - GAP : 0;
    unsigned char *begin = block, *end = arena->chunk->bytes + used;
    if (old_size == 0 || old_size > used || begin != end - old_size || size < old_size)
        return false;
    size_t more = size - old_size;
    if (more > arena->chunk->size - arena->used) return false;
    use(arena, used - old_size, used + more);
    memset(end, 0, more);
    return true;
}

void *rb_arena_push_array(RbArena *arena, size_t size, size_t count, size_t align) {
    if (count > 0 && size > SIZE_MAX / 2 / count) rb_heap_fail(arena->heap);
    return rb_arena_push(arena, size * count, align);
}

void rb_arena_defer(RbArena *arena, void (*clean_up)(void *), void *what) {
    CleanUp *c = rb_new(arena, CleanUp);
    RbChunk *first = arena->chunk->first;
    *c = (CleanUp){.next = first->clean_ups, .run = clean_up, .what = what};
    first->clean_ups = c;
}

char *rb_arena_bytes(RbArena *arena, const char *bytes, size_t length) {
    char *copy = rb_arena_push(arena, length + 1, 1);
    if (length > 0) memcpy(copy, bytes, length);
    return copy;
}

char *rb_arena_text(RbArena *arena, const char *text) {
    return rb_arena_bytes(arena, text, strlen(text));
}

char *rb_arena_join(RbArena *arena, const char *a, const char *b, const char *c) {
    size_t la = strlen(a), lb = strlen(b), lc = strlen(c);
    char *text = rb_arena_push(arena, la + lb + lc + 1, 1);
    memcpy(text, a, la);
    memcpy(text + la, b, lb);
    memcpy(text + la + lb, c, lc);
    return text;
}

char *rb_arena_printf(RbArena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) rb_heap_fail(arena->heap); // longer than a text can be
    char *text = rb_arena_push(arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static void free_child(void *child) {
    rb_arena_free(child);
}

RbArena *rb_arena_child(RbArena *owner) {
    RbArena *child = rb_new(owner, RbArena);
    rb_arena_defer(owner, free_child,
                   child); // before it holds anything: freeing a zeroed arena does nothing
    *child = rb_arena(owner->heap);
    return child;
}
