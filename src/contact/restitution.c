// SPDX-License-Identifier: MIT
#include "contact/restitution.h"

#include <math.h>

#include "math/regular.h"

// Least restitution: zero would need infinite damping.
static const double e_min_typed = 5e-4;
static const double e_min_flores = 1e-3;

// g(a) = a (1 + e) - ln(1 + a) + ln(1 - a e), divided by a². At a = 0 this is (1 - e²)/2 > 0, it
// falls, and goes to minus infinity at a = 1/e: one zero in between. For small a the logarithms
// cancel, so their series is summed:
//     g/a² = sum over k >= 2 of [(-1)^k - e^k] a^(k-2) / k
static double balance(double a, double e) {
    const double small = 0.1;
    if (a > small) return (a * (1 + e) - log1p(a) + log1p(-a * e)) / (a * a);
    double sum = 0, power = 1, loss = (1 - e) * (1 + e); // loss = 1 - e^k, without cancellation
    for (int k = 2; k < 22; k++) {
        sum += (k % 2 ? loss - 2 : loss) * power / k;
        power *= a;
        loss = (1 - e) + e * loss;
    }
    return sum;
}

double rb_restitution_damping(double e) {
    if (!(e < 1)) return 0;
    // Between the approximation 3/2 (1 - e)/(1 - e + e²), from the first two terms of the series,
    // and the pole the sign changes; for very small e the zero lies at the pole to working
    // precision.
    double low = 0, high = 1 / e, a = fmin(1.5 * (1 - e) / (1 - e + e * e), 0.5 * high);
    for (int i = 0; i < 200 && high - low > 4e-16 * high; i++) {
        double value = balance(a, e);
        if (value > 0) {
            low = a;
        } else {
            high = a;
        }
        // Secant step from both sides of a, kept inside the bracket; otherwise halve.
        double h = 1e-6 * a, slope = (balance(a + h, e) - value) / h, next = a - value / slope;
        double middle = low > 0 ? sqrt(low * high) : 0.5 * high;
        if (fabs(next - a) <= 2e-16 * a) return next;
        a = next > low && next < high ? next : middle;
    }
    return a;
}

double rb_restitution_delivered(double a) {
    if (!(a > 0)) return 1;
    // At fixed a the same expression falls with e from positive (e = 0) to negative (e = 1, or the
    // pole e = 1/a).
    double low = 0, high = fmin(1, 1 / a);
    for (int i = 0; i < 100; i++) {
        double e = 0.5 * (low + high);
        if (balance(a, e) > 0) {
            low = e;
        } else {
            high = e;
        }
    }
    return 0.5 * (low + high);
}

double rb_contact_damping(RbDampingRule rule, double e, double v, double v_small, double d_max) {
    double speed = fabs(v), fade = exp(log(0.01) * speed / v_small);
    if (rule == RB_DAMPING_FLORES) {
        double e_reg = e + (e_min_flores - e) * fade;
        return fmin(d_max, 8 * (1 - e_reg) / (5 * e_reg * rb_regular(speed, v_small)));
    }
    double e_reg = fmax(e + (e_min_typed - e) * fade, e_min_typed);
    double limit = d_max * fmax(1, 4 * speed / v_small);
    return fmin(limit, rb_restitution_damping(e_reg) / speed); // speed 0: the limit
}
