// SPDX-License-Identifier: MIT
// touch.h: when does this pair touch? The one search for it, along whatever the motion of the two
// is known by: the step of one solver, or the steps of two islands.
//
// Let c bound the speed at which their distance can change. If at t1 < t2 it is d1 and d2, then in
// between it is at least (d1 + d2 - c (t2 - t1))/2. Where that is positive nothing can have
// happened; otherwise the interval is halved. In an interval so short that nothing can sink in
// deeper than a small part of its thickness, the distance is a parabola as good as any, and its
// lowest point is looked at: a light touch that is over before the step ends is seen, too.
#pragma once

typedef struct RbTouchSearch {
    double (*distance)(void *user, double t); // [m]
    void *user;
    double speed;  // [m/s] c
    double touch;  // [m] closer than this is a contact
    double unseen; // [m] way in an interval that is not halved any more
} RbTouchSearch;

// Apart at t1 (d1 >= touch): the first time in (t1, t2] at which they touch, as far as the search
// sees it, where the distance is the threshold to a tenth of it; INFINITY if there is none. NAN if it cannot be told: the way in the interval is so
// long that its rounding hides a body, a distance is not a number, or millions of looks were not enough.
double rb_touch_first(const RbTouchSearch *search, double t1, double d1, double t2, double d2);

// Where the distance falls through the threshold between t1 (not below it) and t2 (below it).
double rb_touch_locate(const RbTouchSearch *search, double t1, double d1, double t2, double d2);

// A time at which they touch in an interval at whose ends they do not, and where the distance is
// much like a parabola, whatever its speed: the lowest point alone is looked at. INFINITY: none.
double rb_touch_dip(const RbTouchSearch *search, double t1, double d1, double t2, double d2);
