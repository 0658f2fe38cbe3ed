// SPDX-License-Identifier: MIT
#include "program/range.h"

#include <float.h>
#include <math.h>

#include "expr/builtins.h"

typedef struct Interval {
    double low, high;
} Interval;

static const Interval WHOLE = {-INFINITY, INFINITY};

// Wider by the rounding of a few operations.
static Interval wide(double low, double high) {
    if (!(low <= high)) return WHOLE; // not a number
    return (Interval){low - 4 * DBL_EPSILON * fabs(low), high + 4 * DBL_EPSILON * fabs(high)};
}

static Interval value(const RbRange *r) {
    return (Interval){r->low, r->high};
}
static Interval slope(const RbRange *r) {
    return (Interval){r->slope_low, r->slope_high};
}
static RbRange range(Interval v, Interval s) {
    return (RbRange){v.low, v.high, s.low, s.high};
}

static Interval negative(Interval a) {
    return (Interval){-a.high, -a.low};
}
static Interval sum(Interval a, Interval b) {
    return wide(a.low + b.low, a.high + b.high);
}
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b; // a bound of 0 is exact
}
static Interval product(Interval a, Interval b) {
    double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
           s = times(a.high, b.high);
    return wide(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}
static Interval inverse(Interval a) {
    if (a.low <= 0 && a.high >= 0) return WHOLE;
    return wide(1 / a.high, 1 / a.low);
}
static Interval hull(Interval a, Interval b) {
    return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

// cos between two angles: 1 if a multiple of 2 pi lies between them, -1 if an odd multiple of pi does.
static Interval cosine(Interval a) {
    const double turn = 2 * M_PI, slack = 1e-9;
    if (!(a.high - a.low < turn) || !(fabs(a.low) < 1e12)) return (Interval){-1, 1};
    double c = cos(a.low), d = cos(a.high);
    Interval r = wide(fmin(c, d), fmax(c, d));
    if (floor((a.high + slack) / turn) > floor((a.low - slack) / turn)) r.high = 1;
    if (floor((a.high + slack) / turn - 0.5) > floor((a.low - slack) / turn - 0.5)) r.low = -1;
    return r;
}
static Interval sine(Interval a) {
    return cosine(sum(a, (Interval){-M_PI / 2, -M_PI / 2}));
}

static Interval rising(double (*f)(double), Interval a) {
    return wide(f(a.low), f(a.high));
}
static Interval chain(Interval outer, const RbRange *u) {
    return product(outer, slope(u));
}

// u^n with a constant n
static Interval power(Interval u, double n) {
    if (n == 0) return (Interval){1, 1};
    if (n < 0) return inverse(power(u, -n));
    bool whole = n == floor(n), even = whole && fmod(n, 2) == 0;
    if (!whole && u.low < 0) return WHOLE;
    double p = pow(u.low, n), q = pow(u.high, n);
    Interval r = wide(fmin(p, q), fmax(p, q));
    if (even && u.low <= 0 && u.high >= 0) r.low = 0;
    return r;
}

static RbRange power_range(const RbRange *u, const RbRange *n) {
    if (n->low != n->high) return range(WHOLE, WHOLE);
    Interval k = {n->low, n->low};
    return range(power(value(u), n->low), chain(product(k, power(value(u), n->low - 1)), u));
}

// The greater of two: one of them if they lie apart.
static RbRange greater(const RbRange *a, const RbRange *b) {
    if (a->low >= b->high) return *a;
    if (b->low >= a->high) return *b;
    return range((Interval){fmax(a->low, b->low), fmax(a->high, b->high)},
                 hull(slope(a), slope(b)));
}
static RbRange opposite(const RbRange *a) {
    return range(negative(value(a)), negative(slope(a)));
}

static RbRange function_range(const RbExpr *e, const RbRange *a) {
    const Interval one = {1, 1};
    Interval v = value(a), r;
    RbRange p, q;
    switch ((RbBuiltin)e->index) {
        case RB_FN_NO_EVENT:
        case RB_FN_SMOOTH: return a[rb_builtins[e->index].passes - 1];
        case RB_FN_SIN: return range(sine(v), chain(cosine(v), a));
        case RB_FN_COS: return range(cosine(v), chain(negative(sine(v)), a));
        case RB_FN_EXP: r = rising(exp, v); return range(r, chain(r, a));
        case RB_FN_LOG:
            return v.low > 0 ? range(rising(log, v), chain(inverse(v), a)) : range(WHOLE, WHOLE);
        case RB_FN_SQRT:
            if (!(v.low >= 0)) return range(WHOLE, WHOLE);
            r = rising(sqrt, v);
            return range(r, chain(inverse(product((Interval){2, 2}, r)), a));
        case RB_FN_ATAN: return range(rising(atan, v), chain(inverse(sum(one, power(v, 2))), a));
        case RB_FN_TANH:
            r = rising(tanh, v);
            return range(r, chain(sum(one, negative(power(r, 2))), a));
        case RB_FN_ABS: p = opposite(a); return greater(a, &p);
        case RB_FN_MAX: return greater(&a[0], &a[1]);
        default: // RB_FN_MIN
            p = opposite(&a[0]), q = opposite(&a[1]);
            p = greater(&p, &q);
            return opposite(&p);
    }
}

bool rb_range_is_known(const RbExpr *e) {
    if (e->op == RB_OP_BUILTIN) {
        switch ((RbBuiltin)e->index) {
            case RB_FN_NO_EVENT:
            case RB_FN_SMOOTH:
            case RB_FN_SIN:
            case RB_FN_COS:
            case RB_FN_EXP:
            case RB_FN_LOG:
            case RB_FN_SQRT:
            case RB_FN_ATAN:
            case RB_FN_TANH:
            case RB_FN_ABS: return true;
            case RB_FN_MIN:
            case RB_FN_MAX: return e->arg_count == 2;
            default: return false;
        }
    }
    return e->op == RB_OP_TIME || (e->op >= RB_OP_NEG && e->op <= RB_OP_POW) || e->op == RB_OP_IF;
}

RbRange rb_range_of(const RbExpr *e, const RbRange *a) {
    Interval u = value(&a[0]), v = value(&a[1]), du = slope(&a[0]), dv = slope(&a[1]), r;
    switch ((RbOp)e->op) {
        case RB_OP_NEG: return opposite(&a[0]);
        case RB_OP_ADD: return range(sum(u, v), sum(du, dv));
        case RB_OP_SUB: return range(sum(u, negative(v)), sum(du, negative(dv)));
        case RB_OP_MUL: return range(product(u, v), sum(product(du, v), product(u, dv)));
        case RB_OP_DIV:
            r = product(u, inverse(v));
            return range(r, product(sum(du, negative(product(r, dv))), inverse(v)));
        case RB_OP_POW: return power_range(&a[0], &a[1]);
        case RB_OP_IF: // between events its condition does not change; otherwise it may jump
            if (a[0].low == a[0].high) return a[0].low != 0 ? a[1] : a[2];
            return range(hull(value(&a[1]), value(&a[2])), WHOLE);
        default: return function_range(e, a);
    }
}
