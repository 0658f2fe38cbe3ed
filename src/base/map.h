// SPDX-License-Identifier: MIT
// map.h: a hash map from 64-bit keys (ids, pairs of ids, interned names) to 64-bit values, in an
// arena. Iteration is in order of insertion, so nothing ever depends on addresses. Entries cannot
// be removed.
#pragma once

#include "base/array.h"

typedef struct RbMapEntry {
    uint64_t key;
    uint64_t value;
} RbMapEntry;

typedef struct RbMap {
    RB_ARRAY(RbMapEntry) entries; // in order of insertion
    int *slots;                   // index into entries plus one, 0 = free
    int slot_count;               // a power of two
} RbMap;

// Set or overwrite. A zeroed RbMap is an empty map.
void rb_map_set(RbMap *map, RbArena *arena, uint64_t key, uint64_t value);

// Pointer to the value (valid until the next set), or NULL.
uint64_t *rb_map_find(const RbMap *map, uint64_t key);

// Keys for pointers (interned names).
static inline uint64_t rb_map_key(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}
