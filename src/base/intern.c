// SPDX-License-Identifier: MIT
#include "base/intern.h"

#include <string.h>

#include "base/hash.h"

// Strings with the same 64-bit hash are chained.
typedef struct Entry {
    struct Entry *next;
    size_t length;
    char text[];
} Entry;

RbNames rb_names(RbArena *arena) {
    return (RbNames){.arena = arena};
}

RbName rb_intern_bytes(RbNames *names, const char *bytes, size_t length) {
    uint64_t hash = rb_hash_bytes(RB_HASH_START, bytes, length);
    uint64_t *found = rb_map_find(&names->by_hash, hash);
    Entry *newest = found ? (Entry *)(uintptr_t)*found : NULL;
    for (Entry *e = newest; e; e = e->next) {
        if (e->length == length && memcmp(e->text, bytes, length) == 0) return e->text;
    }
    Entry *e = rb_arena_push(names->arena, sizeof(Entry) + length + 1, alignof(Entry));
    e->next = newest;
    e->length = length;
    memcpy(e->text, bytes, length);
    rb_map_set(&names->by_hash, names->arena, hash, (uint64_t)(uintptr_t)e);
    return e->text;
}

RbName rb_intern(RbNames *names, const char *text) {
    return rb_intern_bytes(names, text, strlen(text));
}
