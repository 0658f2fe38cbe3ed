// SPDX-License-Identifier: MIT
#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "base/assert.h"

// Large pages for large memory: where many megabytes are gone through again and again, as with grains, looking up small ones takes up
// to a tenth of the time. A wish: some systems give them to those who ask, some to all, some to nobody.
static void ask_for_large_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    const uintptr_t large = 1 << 21, small = 4096;
    uintptr_t start = (uintptr_t)memory / small * small, end = (uintptr_t)memory + size;
    if (size >= large) madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

static void *libc_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    void *result = realloc(memory, new_size);
    if (result) ask_for_large_pages(result, new_size);
    return result;
}

RbHeap rb_heap(const RbAllocator *allocator) {
    RbHeap heap = {.allocator = {.resize = libc_resize}};
    if (allocator) heap.allocator = *allocator;
    return heap;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void rb_heap_limit(RbHeap *heap, size_t bytes, double seconds) {
    heap->budget = (RbBudget){.bytes = bytes > 0 ? heap->bytes + bytes : 0,
                              .seconds = seconds,
                              .start = seconds > 0 ? cpu_seconds() : 0};
}

static bool is_spent(const RbHeap *heap, size_t more) {
    const RbBudget *b = &heap->budget;
    if (b->bytes > 0 && (more > b->bytes || heap->bytes > b->bytes - more)) return true;
    return b->seconds > 0 && cpu_seconds() - b->start > b->seconds;
}

void *rb_heap_resize(RbHeap *heap, void *memory, size_t old_size, size_t new_size) {
    heap->calls++;
    if (new_size > old_size && is_spent(heap, new_size - old_size)) {
        heap->budget = (RbBudget){.spent = true}; // what reports it may use memory again
        rb_heap_fail(heap);
    }
    void *result = heap->allocator.resize(heap->allocator.user, memory, old_size, new_size);
    if (!result && new_size > 0) rb_heap_fail(heap);
    heap->bytes += new_size - old_size;
    if (heap->bytes > heap->peak) heap->peak = heap->bytes;
    return result;
}

// Numbers have a point, whatever the program that calls us has set for itself: the locale of this
// thread is changed for the call.
void rb_guard_enter(RbGuard *g, RbHeap *heap) {
    g->heap = heap;
    g->outer = heap->protect;
    g->failed = false;
    g->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    g->theirs = g->c ? uselocale(g->c) : (locale_t)0;
    heap->protect = g;
}

void rb_guard_leave(RbGuard *g) {
    g->heap->protect = g->outer;
    if (!g->c) return;
    uselocale(g->theirs);
    freelocale(g->c);
}

RbStatus rb_protect(RbHeap *heap, RbStatus (*body)(void *), void *argument) {
    RB_PROTECT(heap, RB_ERROR_MEMORY);
    return body(argument);
}

_Noreturn void rb_heap_fail(RbHeap *heap) {
    RbGuard *here = heap->protect;
    RB_ASSERT(here); // every entry to the library is a protected call
    if (!here) abort();
    here->failed = true;
    longjmp(here->target, 1);
}
