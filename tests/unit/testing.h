// SPDX-License-Identifier: MIT
// testing.h: what every unit test includes: cmocka, comparisons of doubles that print both sides,
// and a heap whose allocations can be made to fail.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"

// |got - want| <= tol, all finite; prints place and both values otherwise.
#define ENSURE_NEAR(got, want, tol) ensure_near(got, want, tol, #got, __FILE__, __LINE__)
#define ENSURE(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            print_error("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                  \
            _fail(__FILE__, __LINE__);                                                             \
        }                                                                                          \
    } while (0)

static inline void ensure_near(double got, double want, double tol, const char *what,
                               const char *file, int line) {
    if (fabs(got - want) <= tol) return;
    print_error("%s:%d: %s = %.17g, want %.17g, difference %.3g, tolerance %.3g\n", file, line,
                what, got, want, got - want, tol);
    _fail(file, line);
}

// How often the same code is run with other numbers: less often under sanitizers, which look at memory and arithmetic, not at results, and take three to five times as long.
#ifdef __SANITIZE_ADDRESS__
#define REPEATS(many, few) (few)
#else
#define REPEATS(many, few) (many)
#endif

// The nearest number of single precision. (Volatile, since GCC 12 leaves the rounding out where it does two at a time.)
static inline double in_single(double x) {
    volatile float rounded = (float)x;
    return (double)rounded;
}

// A heap, two arenas and diagnostics for one test.
typedef struct Fixture {
    RbHeap heap;
    RbArena arena; // keep
    RbArena scratch;
    RbDiag diag;
} Fixture;

static inline RbStatus fixture_arenas(void *argument) {
    Fixture *f = argument;
    f->arena = rb_arena(&f->heap);
    f->scratch = rb_arena(&f->heap);
    return RB_OK;
}

static inline void fixture_open(Fixture *f) {
    *f = (Fixture){.heap = rb_heap(NULL)};
    ENSURE(rb_protect(&f->heap, fixture_arenas, f) == RB_OK);
    f->diag = rb_diag(&f->arena);
}

static inline void fixture_close(Fixture *f) {
    rb_arena_free(&f->scratch);
    rb_arena_free(&f->arena);
    ENSURE(f->heap.bytes == 0);
}

// The n-th message, printed; fails the test if there is none.
static inline const char *fixture_message(Fixture *f, int n) {
    ENSURE(n < f->diag.messages.count);
    RbText out = rb_text(&f->arena);
    rb_diag_print(&f->diag, &f->diag.messages.data[n], &out);
    return out.data;
}

// An allocator that fails the countdown-th call (and all later ones).
typedef struct FailingAllocator {
    long countdown;
} FailingAllocator;

static inline void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)old_size;
    FailingAllocator *a = user;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return --a->countdown < 0 ? NULL : realloc(memory, new_size);
}

// Something that allocates from the arenas of a fixture.
typedef RbStatus FixtureWork(Fixture *f, void *argument);

typedef struct FixtureAttempt {
    Fixture fixture;
    FixtureWork *work;
    void *argument;
} FixtureAttempt;

static inline RbStatus fixture_attempt(void *argument) {
    FixtureAttempt *a = argument;
    fixture_arenas(&a->fixture);
    a->fixture.diag = rb_diag(&a->fixture.arena);
    return a->work(&a->fixture, a->argument);
}

// Lets every allocation of `work` fail in turn: each failure must be reported as such and leave
// nothing behind. Fails the test if fewer than `least` allocations could fail. Answers with the
// bytes that were needed at the peak.
static inline size_t fixture_survives(FixtureWork *work, void *argument, long least) {
    for (long n = 0;; n++) {
        FailingAllocator failing = {n};
        FixtureAttempt a = {
            {.heap = rb_heap(&(RbAllocator){failing_resize, &failing})}, work, argument};
        RbStatus status = rb_protect(&a.fixture.heap, fixture_attempt, &a);
        size_t peak = a.fixture.heap.peak;
        fixture_close(&a.fixture);
        if (status == RB_OK) {
            ENSURE(n >= least);
            return peak;
        }
        ENSURE(status == RB_ERROR_MEMORY);
    }
}
