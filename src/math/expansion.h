// SPDX-License-Identifier: MIT
// expansion.h: exact sums of doubles: an expansion is a sum of components that do not overlap, in
// order of growing magnitude, without zeros (Shewchuk, "Adaptive precision floating-point arithmetic
// and fast robust geometric predicates", 1997). Exact as long as no product under- or overflows:
// factors between 1e-70 and 1e70 are safe for the determinants of geom/predicate.h.
#pragma once

#include "math/dd.h"

// n components in e; an empty one is zero.
typedef struct RbExpansion {
    int n;
    double *e;
} RbExpansion;

// s = a + b; s has room for a.n + b.n components and is neither a nor b.
static inline RbExpansion rb_expansion_add(RbExpansion a, RbExpansion b, double *s) {
    RbExpansion r = {0, s};
    int i = 0, j = 0;
    double carry = 0;
    while (i < a.n || j < b.n) {
        bool from_a = j >= b.n || (i < a.n && fabs(a.e[i]) <= fabs(b.e[j]));
        RbDd t = dd_two_sum(carry, from_a ? a.e[i++] : b.e[j++]);
        if (t.lo != 0) s[r.n++] = t.lo;
        carry = t.hi;
    }
    if (carry != 0) s[r.n++] = carry;
    return r;
}

// s = f a; s has room for 2 a.n components and is not a.
static inline RbExpansion rb_expansion_scale(RbExpansion a, double f, double *s) {
    RbExpansion r = {0, s};
    double carry = 0;
    for (int i = 0; i < a.n; i++) {
        RbDd p = dd_two_product(a.e[i], f), t = dd_two_sum(carry, p.lo);
        if (t.lo != 0) s[r.n++] = t.lo;
        t = dd_two_sum(p.hi, t.hi);
        if (t.lo != 0) s[r.n++] = t.lo;
        carry = t.hi;
    }
    if (carry != 0) s[r.n++] = carry;
    return r;
}

// s = a b - c d, four components at most
static inline RbExpansion rb_expansion_det2(double a, double b, double c, double d, double *s) {
    RbDd p = dd_two_product(a, b), q = dd_neg(dd_two_product(c, d));
    double pe[2] = {p.lo, p.hi}, qe[2] = {q.lo, q.hi};
    RbExpansion x = {p.lo != 0 ? 2 : p.hi != 0, p.lo != 0 ? pe : pe + 1};
    RbExpansion y = {q.lo != 0 ? 2 : q.hi != 0, q.lo != 0 ? qe : qe + 1};
    return rb_expansion_add(x, y, s);
}

// The largest component has the sign of the sum.
static inline int rb_expansion_sign(RbExpansion a) {
    return a.n == 0 ? 0 : a.e[a.n - 1] > 0 ? 1 : -1;
}

static inline double rb_expansion_double(RbExpansion a) {
    double sum = 0;
    for (int i = 0; i < a.n; i++) sum += a.e[i];
    return sum;
}
