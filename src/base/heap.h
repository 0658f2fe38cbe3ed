// SPDX-License-Identifier: MIT
// heap.h: where arenas get their memory: one allocator hook, counters, and the way out when memory
// is gone.
//
// Nothing in the library checks for NULL after an allocation. When the allocator fails, the heap
// jumps back to the protected call that is being made (RB_PROTECT), which returns RB_ERROR_MEMORY.
// Arenas own everything, so freeing the arenas of the abandoned work leaks nothing. Solver
// callbacks never allocate, so no jump ever crosses foreign code.
#pragma once

#include <locale.h>
#include <setjmp.h>
#include <stdbool.h>

#include "rattleback/base.h"

// What a piece of work may cost. It is looked at whenever the heap grows, so a limit of time holds
// for work that needs memory.
typedef struct RbBudget {
    size_t bytes;   // that the heap may hold; 0: no limit
    double seconds; // of CPU time of the process, from when the budget was set; 0: no limit
    double start;   // [s] set by rb_heap_limit
    bool spent;     // the work was abandoned because of it
} RbBudget;

typedef struct RbHeap {
    RbAllocator allocator;
    size_t calls;  // allocator calls so far; a test expects no change over the hot path
    size_t bytes;  // held at the moment
    size_t peak;   // largest value of bytes so far
    void *protect; // innermost protected call, or NULL
    RbBudget budget;
} RbHeap;

// A heap on the given allocator; NULL means the C library's.
RbHeap rb_heap(const RbAllocator *allocator);

// Get, grow, shrink or free (new_size 0) a block. Does not return if there is no memory.
void *rb_heap_resize(RbHeap *heap, void *memory, size_t old_size, size_t new_size);

// A protected call, from RB_PROTECT to the end of the function that has it.
typedef struct RbGuard {
    jmp_buf target;
    RbHeap *heap;
    void *outer; // the protected call around it
    locale_t c, theirs;
    bool failed; // memory ran out
} RbGuard;

void rb_guard_enter(RbGuard *guard, RbHeap *heap);
void rb_guard_leave(RbGuard *guard);

// The rest of the function runs in the C locale, and when an allocation fails in it, the function
// returns the answer. The call ends wherever the function returns. Locals that are declared before and
// changed after have no value in the answer.
#define RB_PROTECT(heap, answer)                                                                   \
    RbGuard guard_ __attribute__((cleanup(rb_guard_leave)));                                       \
    rb_guard_enter(&guard_, heap);                                                                 \
    if (setjmp(guard_.target)) return answer

// A function under RB_PROTECT: RB_ERROR_MEMORY if an allocation failed in it, otherwise its own status.
RbStatus rb_protect(RbHeap *heap, RbStatus (*body)(void *), void *argument);

// Limit what follows: `bytes` more than are held now, and `seconds` of CPU time; 0: no limit. When it
// is spent, the innermost protected call ends with RB_ERROR_MEMORY, and budget.spent is true.
void rb_heap_limit(RbHeap *heap, size_t bytes, double seconds);

// Abandon the innermost protected call as if memory had run out.
_Noreturn void rb_heap_fail(RbHeap *heap);
