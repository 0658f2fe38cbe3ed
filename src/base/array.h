// SPDX-License-Identifier: MIT
// array.h: growing arrays of any type, in an arena.
//
//     typedef RB_ARRAY(double) Doubles;
//     Doubles xs = {0};
//     rb_array_push(&xs, arena, 3.5);
//     for (int i = 0; i < xs.count; i++) use(xs.data[i]);
//
// An array that was pushed last grows where it is. Otherwise growing leaves the old block behind in
// the arena; the sum of all left behind is less than the array itself.
#pragma once

#include "base/arena.h"

#define RB_ARRAY(Type)                                                                             \
    struct {                                                                                       \
        Type *data;                                                                                \
        int count;                                                                                 \
        int capacity;                                                                              \
    }

// Append a value (an expression of the array's type).
#define rb_array_push(array, arena, ...)                                                           \
    (rb_array_reserve(array, arena, (array)->count + 1),                                           \
     (void)((array)->data[(array)->count++] = (__VA_ARGS__)))

// Make room for at least `wanted` items.
#define rb_array_reserve(array, arena, wanted)                                                     \
    ((wanted) <= (array)->capacity                                                                 \
         ? (void)0                                                                                 \
         : (void)((array)->data =                                                                  \
                      rb_array_grow((array)->data, sizeof *(array)->data, (array)->count,          \
                                    &(array)->capacity, wanted, arena)))

void *rb_array_grow(void *data, size_t item, int count, int *capacity, int wanted, RbArena *arena);
