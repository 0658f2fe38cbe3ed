// SPDX-License-Identifier: MIT
// sort_keys.h: sort items by a number and then by a value: groups of a common key, in order. Stable,
// without memory of its own.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct RbKeyed {
    uint64_t key;
    double value; // not NaN
    int item;
} RbKeyed;

static inline bool rb_keyed_less(const RbKeyed *a, const RbKeyed *b) {
    return a->key < b->key || (a->key == b->key && a->value < b->value);
}

static inline void rb_sort_keys_insert(RbKeyed *items, int count) {
    for (int i = 1; i < count; i++) {
        RbKeyed moved = items[i];
        int k = i;
        for (; k > 0 && rb_keyed_less(&moved, &items[k - 1]); k--) items[k] = items[k - 1];
        items[k] = moved;
    }
}

// Runs of a few items are sorted by insertion and then merged; `spare` has room for count items.
static inline void rb_sort_keys(RbKeyed *items, RbKeyed *spare, int count) {
    enum { RUN = 12 };
    for (int i = 0; i < count; i += RUN) {
        rb_sort_keys_insert(items + i, count - i < RUN ? count - i : RUN);
    }
    for (int width = RUN; width < count; width *= 2) {
        for (int low = 0; low < count; low += 2 * width) {
            int middle = low + width < count ? low + width : count;
            int high = low + 2 * width < count ? low + 2 * width : count;
            int i = low, j = middle;
            for (int k = low; k < high; k++) {
                bool right = i >= middle || (j < high && rb_keyed_less(&items[j], &items[i]));
                spare[k] = right ? items[j++] : items[i++];
            }
        }
        memcpy(items, spare, sizeof *items * (size_t)count);
    }
}
