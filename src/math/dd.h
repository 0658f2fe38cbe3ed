// SPDX-License-Identifier: MIT
// dd.h: double-double arithmetic: an unevaluated sum hi + lo with |lo| <= ulp(hi)/2, about 106 bits
// (Dekker; Knuth; algorithms as in Joldes, Muller and Popescu, "Tight and rigorous error bounds for
// basic building blocks of double-word arithmetic", 2017: relative errors of a few 2^-104).
// Overflow and underflow behave as those of double.
#pragma once

#include "math/vec3.h"

typedef struct RbDd {
    double hi, lo;
} RbDd;

static inline RbDd dd(double x) {
    return (RbDd){x, 0.0};
}
static inline double dd_double(RbDd a) {
    return a.hi + a.lo;
}

// a + b = s + e exactly; the quick one needs |a| >= |b|.
static inline RbDd dd_two_sum(double a, double b) {
    double s = a + b, t = s - a;
    return (RbDd){s, (a - (s - t)) + (b - t)};
}
static inline RbDd dd_quick_two_sum(double a, double b) {
    double s = a + b;
    return (RbDd){s, b - (s - a)};
}

// a b = p + e exactly
static inline RbDd dd_two_product(double a, double b) {
    double p = a * b;
    return (RbDd){p, fma(a, b, -p)};
}

static inline RbDd dd_neg(RbDd a) {
    return (RbDd){-a.hi, -a.lo};
}
static inline RbDd dd_abs(RbDd a) {
    return a.hi < 0 ? dd_neg(a) : a;
}

static inline RbDd dd_add(RbDd a, RbDd b) {
    RbDd s = dd_two_sum(a.hi, b.hi), t = dd_two_sum(a.lo, b.lo);
    RbDd u = dd_quick_two_sum(s.hi, s.lo + t.hi);
    return dd_quick_two_sum(u.hi, u.lo + t.lo);
}
static inline RbDd dd_sub(RbDd a, RbDd b) {
    return dd_add(a, dd_neg(b));
}

static inline RbDd dd_mul(RbDd a, RbDd b) {
    RbDd p = dd_two_product(a.hi, b.hi);
    return dd_quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// Long division: three quotient digits of 53 bits.
static inline RbDd dd_div(RbDd a, RbDd b) {
    double q1 = a.hi / b.hi;
    RbDd r = dd_sub(a, dd_mul(b, dd(q1)));
    double q2 = r.hi / b.hi;
    r = dd_sub(r, dd_mul(b, dd(q2)));
    double q3 = r.hi / b.hi;
    return dd_add(dd_quick_two_sum(q1, q2), dd(q3));
}

// One Newton step from the double root; 0 for a <= 0.
static inline RbDd dd_sqrt(RbDd a) {
    if (!(a.hi > 0)) return dd(0.0);
    double y = sqrt(a.hi);
    RbDd rest = dd_sub(a, dd_two_product(y, y));
    return dd_quick_two_sum(y, rest.hi / (2.0 * y));
}

static inline bool dd_less(RbDd a, RbDd b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
static inline bool dd_positive(RbDd a) {
    return a.hi > 0 || (a.hi == 0 && a.lo > 0);
}
static inline bool dd_negative(RbDd a) {
    return a.hi < 0 || (a.hi == 0 && a.lo < 0);
}

// --- vectors
// --------------------------------------------------------------------------------------------------------------

typedef struct RbDd3 {
    RbDd x, y, z;
} RbDd3;

static inline RbDd3 dd3(Vec3 v) {
    return (RbDd3){dd(v.x), dd(v.y), dd(v.z)};
}
static inline Vec3 dd3_double(RbDd3 v) {
    return v3(dd_double(v.x), dd_double(v.y), dd_double(v.z));
}
static inline RbDd3 dd3_add(RbDd3 a, RbDd3 b) {
    return (RbDd3){dd_add(a.x, b.x), dd_add(a.y, b.y), dd_add(a.z, b.z)};
}
static inline RbDd3 dd3_sub(RbDd3 a, RbDd3 b) {
    return (RbDd3){dd_sub(a.x, b.x), dd_sub(a.y, b.y), dd_sub(a.z, b.z)};
}
static inline RbDd3 dd3_neg(RbDd3 a) {
    return (RbDd3){dd_neg(a.x), dd_neg(a.y), dd_neg(a.z)};
}
static inline RbDd3 dd3_scale(RbDd s, RbDd3 a) {
    return (RbDd3){dd_mul(s, a.x), dd_mul(s, a.y), dd_mul(s, a.z)};
}
static inline RbDd dd3_dot(RbDd3 a, RbDd3 b) {
    return dd_add(dd_add(dd_mul(a.x, b.x), dd_mul(a.y, b.y)), dd_mul(a.z, b.z));
}
static inline RbDd3 dd3_cross(RbDd3 a, RbDd3 b) {
    return (RbDd3){dd_sub(dd_mul(a.y, b.z), dd_mul(a.z, b.y)),
                   dd_sub(dd_mul(a.z, b.x), dd_mul(a.x, b.z)),
                   dd_sub(dd_mul(a.x, b.y), dd_mul(a.y, b.x))};
}
static inline RbDd dd3_norm(RbDd3 a) {
    return dd_sqrt(dd3_dot(a, a));
}
static inline RbDd3 dd3_unit(RbDd3 a) {
    return dd3_scale(dd_div(dd(1.0), dd3_norm(a)), a);
}
