// SPDX-License-Identifier: MIT
// ticks.h: where an axis has its marks and what they say: multiples of 1, 2 or 5 times a power of
// ten.
#pragma once

#include <stdbool.h>

enum { RB_TICKS_MAX = 32 };

typedef struct RbTicks {
    double first, step; // in the unit of the axis
    int count;
    int exponent; // labels are in multiples of 10^exponent: 0, or a multiple of 3
    int decimals; // of the labels
} RbTicks;

// Marks from low to high (low < high, both finite), about `wanted` of them.
RbTicks rb_ticks(double low, double high, int wanted);

double rb_ticks_value(const RbTicks *ticks, int index);

// The label of a mark. Answers its length.
int rb_ticks_label(const RbTicks *ticks, int index, char text[40]);

// Make low < high and leave a little room on both sides, so that no curve lies on the frame.
void rb_ticks_widen(double *low, double *high, double part);
