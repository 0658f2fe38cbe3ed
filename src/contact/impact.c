// SPDX-License-Identifier: MIT
#include "contact/impact.h"

#include <math.h>

// Energy 1/2 m v² = K δⁿ⁺¹/(n+1) gives the depth; the time is 2 ∫ dδ/v = 2 δ/v ∫0..1 dx/sqrt(1 -
// xᵖ), p = n + 1, and that integral is sqrt(pi)/p Γ(1/p)/Γ(1/p + 1/2).
RbImpact rb_contact_impact_elastic(double K, double n, double m, double v) {
    double p = n + 1, depth = pow(p * m * v * v / (2 * K), 1 / p);
    double integral = sqrt(acos(-1.0)) / p * tgamma(1 / p) / tgamma(1 / p + 0.5);
    return (RbImpact){2 * depth / v * integral, depth, K * pow(depth, n), 1};
}

typedef struct Point {
    double t, depth, rate;
} Point;

static double force_at(const RbContactLaw *law, double depth, double rate) {
    RbContactMotion motion = {.n_W = {0, 0, 1}, .depth = depth, .depth_rate = rate};
    return rb_contact_force(law, &motion).normal;
}

// One step of the classical Runge-Kutta method of m δ'' = -F(δ, δ').
static Point step(const RbContactLaw *law, double m, Point p, double h) {
    double k[4], l[4]; // derivatives of depth and rate
    static const double part[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        double depth = p.depth + (i ? h * part[i] * k[i - 1] : 0),
               rate = p.rate + (i ? h * part[i] * l[i - 1] : 0);
        k[i] = rate;
        l[i] = -force_at(law, depth, rate) / m;
    }
    return (Point){p.t + h, p.depth + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]),
                   p.rate + h / 6 * (l[0] + 2 * l[1] + 2 * l[2] + l[3])};
}

// Cubic through two points and slopes, at the part x of the step.
static Point between(Point a, Point b, double a_acc, double b_acc, double x) {
    double h = b.t - a.t, y = 1 - x;
    double w0 = y * y * (1 + 2 * x), w1 = x * x * (3 - 2 * x), s0 = h * x * y * y,
           s1 = -h * x * x * y;
    return (Point){a.t + x * h, w0 * a.depth + w1 * b.depth + s0 * a.rate + s1 * b.rate,
                   w0 * a.rate + w1 * b.rate + s0 * a_acc + s1 * b_acc};
}

typedef double (*Signal)(Point p);
static double depth_of(Point p) {
    return p.depth;
}
static double rate_of(Point p) {
    return p.rate;
}

// Where the signal changes from positive to negative in the step, by halving.
static Point falls_to_zero(const RbContactLaw *law, double m, Point a, Point b, Signal signal) {
    double a_acc = -force_at(law, a.depth, a.rate) / m, b_acc = -force_at(law, b.depth, b.rate) / m,
           low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double x = 0.5 * (low + high);
        if (signal(between(a, b, a_acc, b_acc, x)) > 0) {
            low = x;
        } else {
            high = x;
        }
    }
    return between(a, b, a_acc, b_acc, high);
}

RbImpact rb_contact_impact(const RbContactLaw *law, double m, double v) {
    enum { MAX_STEPS = 2000000 };
    const double tolerance = 1e-10; // per step, of depth and speed
    RbImpact guess = rb_contact_impact_elastic(law->stiffness, law->exponent, m, v), out = {0};
    if (!(guess.peak_depth > 0) || !isfinite(guess.contact_time))
        guess = (RbImpact){1e-6 / v, 1e-6, 0, 1};
    Point p = {0, 0, v};
    double h = 1e-3 * guess.contact_time;
    for (int i = 0; i < MAX_STEPS; i++) {
        Point whole = step(law, m, p, h), half = step(law, m, step(law, m, p, 0.5 * h), 0.5 * h);
        double error = fmax(fabs(whole.depth - half.depth) / guess.peak_depth,
                            fabs(whole.rate - half.rate) / v) /
                       15;
        double factor = error > 0 ? 0.9 * pow(tolerance / error, 0.2) : 4;
        double next = h * fmin(4, fmax(0.2, factor));
        if (error > tolerance) {
            h = next;
            continue;
        }
        out.peak_force = fmax(out.peak_force, force_at(law, half.depth, half.rate));
        if (p.rate > 0 && half.rate <= 0)
            out.peak_depth = falls_to_zero(law, m, p, half, rate_of).depth;
        if (half.depth <= 0) {
            Point end = falls_to_zero(law, m, p, half, depth_of);
            out.contact_time = end.t;
            out.restitution = -end.rate / v;
            return out;
        }
        if (!(half.depth < 1e6 * guess.peak_depth)) break; // nothing holds it
        p = half;
        h = fmin(next, 0.01 * fmax(guess.contact_time, p.t));
    }
    out.contact_time = (double)INFINITY; // does not part again within reason
    return out;
}

double rb_contact_creep_speed(const RbPairLaw *pair) {
    if (pair->friction == RB_FRICTION_BRISTLE) return 0;
    bool sliding = pair->friction == RB_FRICTION_SLIDING || pair->friction == RB_FRICTION_AUTO;
    double limit = fmax(pair->mu_k, sliding ? 0 : pair->mu_s);
    double low = 0, high = sliding ? pair->v_small : pair->v_static;
    if (!(limit > 0) || rb_friction_coefficient(pair, high) < 0.5 * limit) return 0;
    for (int i = 0; i < 100; i++) {
        double v = 0.5 * (low + high);
        if (rb_friction_coefficient(pair, v) < 0.5 * limit) {
            low = v;
        } else {
            high = v;
        }
    }
    return high;
}
