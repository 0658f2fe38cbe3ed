// SPDX-License-Identifier: MIT
#include "base/array.h"

#include <limits.h>
#include <string.h>

void *rb_array_grow(void *data, size_t item, int count, int *capacity, int wanted, RbArena *arena) {
    int doubled = *capacity < INT_MAX / 2 ? 2 * *capacity : INT_MAX;
    int larger = doubled > 8 ? doubled : 8;
    int size = wanted > larger ? wanted : larger;
    bool fits = (size_t)size <= SIZE_MAX / 2 / item;
    if (fits && data &&
        rb_arena_extend(arena, data, item * (size_t)*capacity, item * (size_t)size)) {
        *capacity = size;
        return data;
    }
    void *grown = rb_arena_push_array(arena, item, (size_t)size, alignof(max_align_t));
    if (count > 0) memcpy(grown, data, item * (size_t)count);
    *capacity = size; // only now: the line above does not return when memory runs out
    return grown;
}
