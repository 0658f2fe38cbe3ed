// SPDX-License-Identifier: MIT
#include "export/ticks.h"

#include <math.h>
#include <stdio.h>

// Labels with more digits than this get a factor at the axis instead.
static const double largest_plain = 1e5, smallest_plain = 1e-3;

// The multiple of 1, 2 or 5 times a power of ten that is nearest on a logarithmic scale, about.
static double nice_step(double rough) {
    double power = pow(10, floor(log10(rough))), part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static int factor_exponent(double low, double high) {
    double largest = fmax(fabs(low), fabs(high));
    if (largest < largest_plain && largest > smallest_plain) return 0;
    return 3 * (int)floor(log10(largest) / 3);
}

RbTicks rb_ticks(double low, double high, int wanted) {
    RbTicks t = {0};
    if (wanted < 2) wanted = 2;
    if (wanted > RB_TICKS_MAX / 2) wanted = RB_TICKS_MAX / 2;
    t.step = nice_step((high - low) / wanted);
    const double slack = 1e-9; // in steps: a mark on the edge counts although it was rounded
    double first = ceil(low / t.step - slack), last = floor(high / t.step + slack);
    t.first = first * t.step;
    t.count = last - first + 1 < RB_TICKS_MAX ? (int)(last - first + 1) : RB_TICKS_MAX;
    if (t.count < 0) t.count = 0;
    t.exponent = factor_exponent(low, high);
    double digits = -floor(log10(t.step) + slack) + t.exponent;
    t.decimals = digits < 0 ? 0 : digits > 12 ? 12 : (int)digits;
    return t;
}

// As a multiple of the step, so that zero is exactly zero.
double rb_ticks_value(const RbTicks *t, int index) {
    return (round(t->first / t->step) + index) * t->step;
}

int rb_ticks_label(const RbTicks *t, int index, char text[40]) {
    double value = rb_ticks_value(t, index) / pow(10, t->exponent);
    if (fabs(value) < 0.5 * pow(10, -t->decimals)) value = 0; // no "-0"
    const char *minus = value < 0 ? "\xe2\x88\x92" : "";      // a real minus sign
    return snprintf(text, 40, "%s%.*f", minus, t->decimals, fabs(value));
}

void rb_ticks_widen(double *low, double *high, double part) {
    double range = *high - *low, size = fmax(fabs(*low), fabs(*high));
    if (range <= 1e-12 * size || range == 0) { // constant but for rounding
        double room = size > 0 ? 0.1 * size : 1;
        *low -= room;
        *high += room;
        return;
    }
    *low -= part * range;
    *high += part * range;
}
