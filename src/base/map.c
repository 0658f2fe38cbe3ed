// SPDX-License-Identifier: MIT
#include "base/map.h"

#include "base/hash.h"

// The slot that holds key, or the free one where it belongs. There is always a free slot.
static int *find_slot(const RbMap *map, uint64_t key) {
    uint64_t mask = (uint64_t)map->slot_count - 1;
    for (uint64_t i = rb_hash_mix(key) & mask;; i = (i + 1) & mask) {
        int *slot = &map->slots[i];
        if (*slot == 0 || map->entries.data[*slot - 1].key == key) return slot;
    }
}

static void grow_slots(RbMap *map, RbArena *arena) {
    int slot_count = map->slot_count ? 2 * map->slot_count : 16;
    map->slots = rb_new_array(arena, int, slot_count); // does not return when memory runs out
    map->slot_count = slot_count;
    for (int i = 0; i < map->entries.count; i++) {
        *find_slot(map, map->entries.data[i].key) = i + 1;
    }
}

void rb_map_set(RbMap *map, RbArena *arena, uint64_t key, uint64_t value) {
    if (4 * (map->entries.count + 1) > 3 * map->slot_count) grow_slots(map, arena);
    int *slot = find_slot(map, key);
    if (*slot == 0) {
        rb_array_push(&map->entries, arena, (RbMapEntry){key, value});
        *slot = map->entries.count;
    } else {
        map->entries.data[*slot - 1].value = value;
    }
}

uint64_t *rb_map_find(const RbMap *map, uint64_t key) {
    if (map->slot_count == 0) return NULL;
    int *slot = find_slot(map, key);
    return *slot ? &map->entries.data[*slot - 1].value : NULL;
}
