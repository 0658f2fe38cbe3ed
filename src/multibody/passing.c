// SPDX-License-Identifier: MIT
#include "multibody/passing.h"

#include <math.h>
#include <stdbool.h>

enum { MAX_HALVINGS = 40, MAX_PARABOLAS = 8 };

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
double rb_passing_dip(const RbPassing *p, double t1, double d1, double t2, double d2) {
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

static double search(const RbPassing *p, double t1, double d1, double t2, double d2, int halvings) {
    double way = p->speed * (t2 - t1);
    if (d1 + d2 > way + 2 * p->touch || halvings == 0) return INFINITY;
    if (way < p->unseen) return d2 < p->touch ? INFINITY : rb_passing_dip(p, t1, d1, t2, d2);
    double t = 0.5 * (t1 + t2), d = p->distance(p->user, t);
    double earlier = search(p, t1, d1, t, d, halvings - 1);
    if (earlier < INFINITY || d < p->touch) return fmin(earlier, t);
    return search(p, t, d, t2, d2, halvings - 1);
}

double rb_passing_touch(const RbPassing *p, double t1, double d1, double t2, double d2) {
    return search(p, t1, d1, t2, d2, MAX_HALVINGS);
}
