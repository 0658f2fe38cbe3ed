// SPDX-License-Identifier: MIT
#include "contact/touch.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MAX_LOOKS = 1 << 22, MAX_PARABOLAS = 8, MAX_SECANTS = 12 };

// Lowest point of the parabola through three points; t outside of them if it has none between.
static double lowest(double t1, double d1, double t, double d, double t2, double d2,
                     double *value) {
    double left = (d - d1) / (t - t1), right = (d2 - d) / (t2 - t); // slopes at the middles
    double bend = (right - left) / (t2 - t1), slope = left + bend * (t - t1);
    *value = d;
    if (!(bend > 0)) return INFINITY;
    double way = -0.5 * slope / bend;
    *value = d + 0.5 * slope * way;
    return t + way;
}

// By parabolas that close in on the lowest point.
double rb_touch_dip(const RbTouchSearch *p, double t1, double d1, double t2, double d2) {
    double t = 0.5 * (t1 + t2);
    if (!(t > t1 && t < t2)) return INFINITY;
    double d = p->distance(p->user, t), surprise = 0; // by how much the last parabola was wrong
    for (int i = 0; i < MAX_PARABOLAS && d >= p->touch; i++) {
        double expected, next = lowest(t1, d1, t, d, t2, d2, &expected);
        double doubt = fmax(0.25 * (d - expected), surprise); // it is no parabola
        if (!(next > t1 && next < t2) || expected - doubt >= p->touch || next == t) return INFINITY;
        double found = p->distance(p->user, next);
        bool later = next > t;
        surprise = fabs(found - expected);
        if ((found < d) == later)
            t1 = later ? t : next, d1 = later ? d : found;
        else
            t2 = later ? next : t, d2 = later ? found : d;
        if (found < d) t = next, d = found;
    }
    return d < p->touch ? t : INFINITY;
}

// Halvings end: the way of all is finite, and a few 1e15 times what is not halved any more.
static double search(const RbTouchSearch *p, double t1, double d1, double t2, double d2,
                     int *looks) {
    double way = p->speed * (t2 - t1);
    if (d1 + d2 > way + 2 * p->touch) return INFINITY;
    if (way < p->unseen) return d2 < p->touch ? INFINITY : rb_touch_dip(p, t1, d1, t2, d2);
    double t = 0.5 * (t1 + t2), d = p->distance(p->user, t);
    if (isnan(d) || --*looks < 0 || !(t > t1 && t < t2)) return NAN;
    double earlier = search(p, t1, d1, t, d, looks);
    if (isnan(earlier)) return NAN;
    if (earlier < INFINITY || d < p->touch) return fmin(earlier, t);
    return search(p, t, d, t2, d2, looks);
}

// By Illinois' rule: an end of the bracket that stays for the second time counts half. Should that
// not converge, by halving to the last bit.
double rb_touch_locate(const RbTouchSearch *p, double t1, double d1, double t2, double d2) {
    double v1 = d1 - p->touch, v2 = d2 - p->touch;
    int stayed = 0;
    for (int i = 0;; i++) {
        double t = t1 + (t2 - t1) * v1 / (v1 - v2);
        if (i >= MAX_SECANTS || !(t > t1 && t < t2)) t = 0.5 * (t1 + t2);
        if (!(t > t1 && t < t2)) return t2;
        double v = p->distance(p->user, t) - p->touch;
        if (fabs(v) < 0.1 * p->touch) return t;
        if (v > 0) {
            t1 = t, v1 = v;
            if (stayed < 0) v2 *= 0.5;
            stayed = -1;
        } else {
            t2 = t, v2 = v;
            if (stayed > 0) v1 *= 0.5;
            stayed = 1;
        }
    }
}

double rb_touch_first(const RbTouchSearch *p, double t1, double d1, double t2, double d2) {
    int looks = MAX_LOOKS;
    double way = p->speed * (t2 - t1);
    if (!(way * DBL_EPSILON < p->unseen) && !(d1 + d2 > way + 2 * p->touch)) return NAN;
    double t = search(p, t1, d1, t2, d2, &looks);
    if (isnan(t)) return NAN;
    if (t < t2)
        d2 = p->distance(p->user, t);
    else if (d2 < p->touch)
        t = t2;
    if (!(t < INFINITY)) return INFINITY;
    return rb_touch_locate(p, t1, d1, t, d2);
}
