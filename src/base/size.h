// SPDX-License-Identifier: MIT
// size.h: sizes of arrays. A size comes from a user's text, so a product of sizes may be anything:
// every count of elements goes through here, and there is one limit.
#pragma once

#include <stdbool.h>

#define RB_SIZE_MAX      100000000 // elements of an array
#define RB_SIZE_MAX_TEXT "100000000"

// Elements of an array with these sizes. Negative: a size is negative, which means that it is not
// known, or there are more than RB_SIZE_MAX.
static inline int rb_size_product(int rank, const int *sizes) {
    long long count = 1;
    bool empty = false, wrong = false;
    for (int i = 0; i < rank; i++) {
        wrong = wrong || sizes[i] < 0;
        empty = empty || sizes[i] == 0;
        if (count <= RB_SIZE_MAX && sizes[i] > 0) count *= sizes[i];
    }
    if (wrong) return -1;
    if (empty) return 0;
    return count <= RB_SIZE_MAX ? (int)count : -1;
}

// A number as a size; false if it is none.
static inline bool rb_size_from(double number, int *size) {
    bool possible = number >= 0 && number <= RB_SIZE_MAX;
    *size = possible ? (int)number : 0;
    return possible;
}
