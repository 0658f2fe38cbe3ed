// SPDX-License-Identifier: MIT
// regular.h: dividing by a magnitude that may be zero (seed thesis, eq. 7.4).
//
// reg(a, m) equals a for a >= m and stays at or above m/3 below, with continuous first and second
// derivative, so that v / reg(|v|, v_small) is a direction away from zero and goes smoothly through
// zero:
//     reg(a, m) = a                                for a >= m
//               = a²/m (1 - a/(3m)) + m/3          for 0 <= a < m
#pragma once

static inline double rb_regular(double a, double m) {
    return a >= m ? a : a * a / m * (1.0 - a / (3.0 * m)) + m / 3.0;
}

// d reg / d a
static inline double rb_regular_slope(double a, double m) {
    return a >= m ? 1.0 : a / m * (2.0 - a / m);
}
