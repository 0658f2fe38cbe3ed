// SPDX-License-Identifier: MIT
#include "base/sort.h"

static void swap_items(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

// Let the item at `root` sink until no child is larger.
static void sink(char *items, size_t root, size_t count, size_t size, RbCompare *compare) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) {
            child++;
        }
        if (compare(items + root * size, items + child * size) >= 0) return;
        swap_items(items + root * size, items + child * size, size);
    }
}

void rb_sort_items(void *data, int count, size_t size, RbCompare *compare) {
    char *items = data;
    size_t n = count > 0 ? (size_t)count : 0;
    for (size_t i = n / 2; i-- > 0;) sink(items, i, n, size, compare);
    for (size_t end = n; end-- > 1;) {
        swap_items(items, items + end * size, size);
        sink(items, 0, end, size, compare);
    }
}
