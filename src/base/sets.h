// SPDX-License-Identifier: MIT
// sets.h: disjoint sets of numbers 0, 1, ...: the lowest of a set stands for it.
//
//     int *sets = rb_sets(arena, n);
//     rb_sets_join(sets, 3, 5);
//     bool together = rb_sets_find(sets, 3) == rb_sets_find(sets, 5);
#pragma once

#include <stdbool.h>

#include "base/arena.h"

// Every number is a set of its own.
static inline int *rb_sets(RbArena *arena, int count) {
    int *sets = rb_new_array(arena, int, count);
    for (int i = 0; i < count; i++) sets[i] = i;
    return sets;
}

static inline int rb_sets_find(int *sets, int i) {
    while (sets[i] != i) i = sets[i] = sets[sets[i]];
    return i;
}

// False: they were together already.
static inline bool rb_sets_join(int *sets, int a, int b) {
    a = rb_sets_find(sets, a);
    b = rb_sets_find(sets, b);
    sets[a > b ? a : b] = a > b ? b : a;
    return a != b;
}
