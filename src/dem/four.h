// SPDX-License-Identifier: MIT
// four.h: four numbers at once: a quadruple of memory, or one number of each of four contacts. Compilers make vector instructions of them
// where the machine has such; each number has the bits that it would have alone. (By address: how vectors are handed over depends on the machine.)
#pragma once

typedef double RbFour __attribute__((vector_size(32)));
typedef long long RbFourBits __attribute__((vector_size(32))); // of comparisons: all ones, or zero
typedef double RbFourAnywhere __attribute__((vector_size(32), aligned(8), may_alias));

#define RB_FOUR_INLINE __attribute__((always_inline)) static inline

RB_FOUR_INLINE void rb_four_load(RbFour *v, const void *from) {
    *v = *(const RbFourAnywhere *)from;
}
RB_FOUR_INLINE void rb_four_store(void *to, const RbFour *v) {
    *(RbFourAnywhere *)to = *v;
}

// Without the last one.
RB_FOUR_INLINE void rb_four_three(RbFour *v) {
    *v = (RbFour)((RbFourBits)*v & (RbFourBits){-1, -1, -1, 0});
}

// The larger ones; of what is no number, those of `to`.
RB_FOUR_INLINE void rb_four_raise(RbFour *to, const RbFour *v) {
    RbFourBits more = *v > *to;
    *to = (RbFour)(((RbFourBits)*v & more) | ((RbFourBits)*to & ~more));
}

// Rows become columns.
RB_FOUR_INLINE void rb_four_transpose(RbFour a[4]) {
    RbFour t0 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    RbFour t1 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    RbFour t2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    RbFour t3 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}
