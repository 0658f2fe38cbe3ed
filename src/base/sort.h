// SPDX-License-Identifier: MIT
// sort.h: sorting in place without memory (the C library's qsort may allocate).
#pragma once

#include <stddef.h>

// < 0: a before b. Items that compare equal may end up in any order.
typedef int RbCompare(const void *a, const void *b);

// Heapsort: O(n log n) always.
void rb_sort_items(void *items, int count, size_t size, RbCompare *compare);
