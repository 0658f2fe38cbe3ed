// SPDX-License-Identifier: MIT
#include "rigid/trapezoid.h"

#include <float.h>
#include <math.h>

RbTrapezoid rb_trapezoid(int axes, const double *from, const double *to, const double *v_max,
                         const double *a_max) {
    double slowest = 0, heaviest = 0; // [s], [s2] per whole way
    for (int i = 0; i < axes; i++) {
        double way = fabs(to[i] - from[i]),
               rounding = 4 * DBL_EPSILON * (fabs(to[i]) + fabs(from[i]));
        if (way <= rounding) continue;
        slowest = fmax(slowest, way / v_max[i]);
        heaviest = fmax(heaviest, way / a_max[i]);
    }
    if (!(slowest > 0)) return (RbTrapezoid){0};
    RbTrapezoid t = {.acceleration = 1 / heaviest, .speed = 1 / slowest};
    t.ramp = heaviest / slowest;
    t.duration = slowest + t.ramp;
    if (t.ramp * t.ramp >= heaviest) { // half of the way is over before the speed is reached
        t.ramp = sqrt(heaviest);
        t.duration = 2 * t.ramp;
        t.speed = t.acceleration * t.ramp;
    }
    return t;
}

double rb_trapezoid_end(const RbTrapezoid *t, RbTravelPhase phase) {
    switch (phase) {
        case RB_TRAVEL_SPEEDS_UP: return t->ramp;
        case RB_TRAVEL_CRUISES: return t->duration - t->ramp;
        case RB_TRAVEL_BRAKES: return t->duration;
        case RB_TRAVEL_RESTS: return INFINITY;
    }
    return INFINITY;
}

void rb_trapezoid_at(const RbTrapezoid *t, RbTravelPhase phase, double time, double s[3]) {
    double left = t->duration - time, a = t->acceleration;
    switch (phase) {
        case RB_TRAVEL_SPEEDS_UP: s[0] = a * time * time / 2, s[1] = a * time, s[2] = a; break;
        case RB_TRAVEL_CRUISES:
            s[0] = t->speed * (time - t->ramp / 2), s[1] = t->speed, s[2] = 0;
            break;
        case RB_TRAVEL_BRAKES: s[0] = 1 - a * left * left / 2, s[1] = a * left, s[2] = -a; break;
        case RB_TRAVEL_RESTS: s[0] = 1, s[1] = s[2] = 0; break;
    }
}
