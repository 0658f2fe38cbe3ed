// SPDX-License-Identifier: MIT
#include "contact/restitution.h"

#include <math.h>
#include <stdbool.h>

#include "math/regular.h"

static const double e_least = 5e-3; // less lets go ever more slowly: at 1e-3 for 300,000 steps
static const double a_most = 2;     // nearly critical damping of a contact at rest
static const double e_least_flores = 1e-3; // eq. 7.12
static const double dry_share = 0.25; // of the dry part in ln e: a quarter of what a blow loses
static const double dry_most = 0.2;

// ---- e(a, b)
//
// With δ' = v c, 2 U/m = v² (1 - c²) and the factor f(c) the energy E = m v²/2 obeys
//     dE/E = 2 c (f - 1) / (1 + (f - 1) (1 - c²)) dc,   c from 1 to -1
// For a > 1 the force is zero from c = -1/a on: the bodies part with what δ' is there.

static double step_at(double c, double width) {
    return c / sqrt(c * c + width * width);
}

double rb_dry_part(const RbDissipation *d, double c) {
    return d->dry > 0 ? step_at(c, d->width) : 0;
}

// Nothing on the way in, and no slope at c = 0, so that contacts at rest are damped by a alone. On the way out, with q = -b c, -q²/(1 + q).
double rb_stop_part(double b, double c) {
    if (!(b > 0 && c < 0)) return 0;
    double q = -b * c;
    return -q * q / (1 + q);
}

// By b c.
static double stop_slope(double b, double c) {
    if (!(b > 0 && c < 0)) return 0;
    double q = -b * c;
    return q * (2 + q) / ((1 + q) * (1 + q));
}

static double damping_part(const RbDissipation *s, double c) {
    double sum = s->a * c + rb_stop_part(s->b, c);
    return s->dry > 0 ? sum + s->dry * step_at(c, s->width) : sum;
}

static double loss_rate(const RbDissipation *s, double c) {
    double damping = damping_part(s, c);
    return 2 * c * damping / (1 + damping * (1 - c * c));
}

// Gauss' rule with eight points between x and y.
static double panel(const RbDissipation *s, double x, double y) {
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    double middle = 0.5 * (x + y), half = 0.5 * (y - x), sum = 0;
    for (int i = 0; i < 4; i++)
        sum +=
            weight[i] * (loss_rate(s, middle + half * at[i]) + loss_rate(s, middle - half * at[i]));
    return sum * half;
}

// Large b and a dry part turn near c = 0, and where the force ends there is a layer: panels shrink towards both ends.
static double loss_between(const RbDissipation *s, double from, double to) {
    enum { PANELS = 16 };
    const double shrink = 0.25;
    double sum = 0, outer = 0.5 * (to - from);
    for (int k = 0; k < PANELS; k++) {
        double inner = k == PANELS - 1 ? 0 : outer * shrink;
        sum += panel(s, from + inner, from + outer) + panel(s, to - outer, to - inner);
        outer = inner;
    }
    return sum;
}

static double loss(const RbDissipation *s, double end) {
    return loss_between(s, end, 0) + loss_between(s, 0, 1);
}

// c at which the force is zero, or -1: by Newton's method inside of a bracket.
static double parting(const RbDissipation *s) {
    if (!(1 + damping_part(s, -1) < 0)) return -1;
    double low = -1, high = 0, c = -1;
    for (int i = 0; i < 100 && high - low > 1e-16; i++) {
        double w2 = s->width * s->width, r2 = c * c + w2, here = 1 + damping_part(s, c);
        double dry = s->dry > 0 ? s->dry * w2 / (r2 * sqrt(r2)) : 0;
        if (here < 0) {
            low = c;
        } else {
            high = c;
        }
        double next = c - here / (s->a + dry + s->b * stop_slope(s->b, c));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - c) <= 1e-16 * fabs(next)) return next;
        c = next;
    }
    return c;
}

double rb_dissipation_returned(const RbDissipation *d) {
    double end = parting(d);
    return -end * exp(-0.5 * loss(d, end));
}

// What is looked for as x: b beside the largest a, or a alone.
static double returned_with(RbDissipation d, bool by_b, double x) {
    d.a = by_b ? a_most : x, d.b = by_b ? x : 0;
    return rb_dissipation_returned(&d);
}

// Where ln e is what is wanted, by the secant rule kept inside a bracket: e falls with a and with b.
static double solve(double want, const RbDissipation *d, bool by_b, double start, double most) {
    double low = 0, high = most, x = start;
    for (int i = 0; i < 100 && high - low > 2e-15 * high; i++) {
        double h = 1e-6 * x;
        double here = returned_with(*d, by_b, x), near = returned_with(*d, by_b, x + h);
        if (here > want) {
            low = x;
        } else {
            high = x;
        }
        double slope = log(near / here) / log1p(1e-6); // of ln e by ln x
        double next = x * exp(fmax(-3, fmin(3, log(want / here) / slope)));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-13 * x) return next;
        x = next;
    }
    return x;
}

RbDissipation rb_restitution_settling(double e, double v_small, double load_ratio) {
    RbDissipation d = {.v_small = v_small};
    if (!(e < 1)) return d;
    double want = fmax(e, e_least);
    if (load_ratio > 1) {
        d.dry = fmin(dry_most, -dry_share * log(want));
        d.width = d.dry / sqrt(load_ratio);
    }
    if (want > returned_with(d, false, a_most)) {
        d.a = solve(want, &d, false, fmin(1.5 * (1 - want) / want, 1), a_most);
        d.rise = a_most - d.a;
    } else {
        d.a = a_most;
        d.b = solve(want, &d, true, 1, 1e9);
    }
    return d;
}

RbDissipation rb_restitution_dissipation(double e, double v_small) {
    return rb_restitution_settling(e, v_small, 1);
}

void rb_dissipation_at(const RbDissipation *d, double v, double *a, double *b) {
    double x = v / d->v_small;
    *a = x < 1 ? d->a + d->rise * (1 - x * x * (3 - 2 * x)) : d->a;
    *b = x < 0.5 ? d->b * 4 * x * x * (3 - 4 * x) : d->b;
}

double rb_dissipation_factor(const RbDissipation *d, double rate, double v, double slopes[2]) {
    if (slopes) slopes[0] = slopes[1] = 0;
    if (!(v > 0)) return 1;
    double a, b, x = v / d->v_small, c = rate / v;
    rb_dissipation_at(d, v, &a, &b);
    double factor = 1 + damping_part(&(RbDissipation){.a = a, .b = b}, c);
    if (!(factor > 0)) return 0;
    if (slopes) {
        double a_slope = x < 1 ? -6 * d->rise * x * (1 - x) / d->v_small : 0;
        double b_slope = x < 0.5 ? 24 * d->b * x * (1 - 2 * x) / d->v_small : 0;
        double stop = stop_slope(b, c), by_c = a + b * stop;
        slopes[0] = by_c / v;
        slopes[1] = a_slope * c + b_slope * c * stop - by_c * c / v;
    }
    return factor;
}

// ---- the published rule

double rb_restitution_flores(double e, double v, double v_small, double d_max) {
    double speed = fabs(v), e_reg = e + (e_least_flores - e) * exp(log(0.01) * speed / v_small);
    return fmin(d_max, 8 * (1 - e_reg) / (5 * e_reg * rb_regular(speed, v_small)));
}
