// SPDX-License-Identifier: MIT
// passing.h: did two bodies touch between two times at which they did not?
//
// Let c bound the speed at which their distance can change. If at t1 < t2 it is d1 and d2, then in
// between it is at least (d1 + d2 - c (t2 - t1))/2. Where that is positive nothing can have
// happened; otherwise the interval is halved. In an interval so short that nothing can sink in
// deeper than a small part of its thickness, the distance is a parabola as good as any, and its
// lowest point is looked at: a light touch that is over before the step ends is seen, too.
#pragma once

typedef struct RbPassing {
    double (*distance)(void *user, double t); // [m]
    void *user;
    double speed;  // [m/s] c
    double touch;  // [m] closer than this is a contact
    double unseen; // [m] way in an interval that is not halved any more
} RbPassing;

// A time in (t1, t2] at which they are in contact, before all others that the search meets;
// INFINITY if there is none.
double rb_passing_touch(const RbPassing *p, double t1, double d1, double t2, double d2);

// The same in an interval where the distance is much like a parabola, whatever its speed: the
// lowest point alone is looked at.
double rb_passing_dip(const RbPassing *p, double t1, double d1, double t2, double d2);
