// SPDX-License-Identifier: MIT
// gauss.h: integrals of several rates at once, by Gauss' rule with two to four points. The ends of an
// interval are never asked for.
#pragma once

typedef struct RbGauss {
    int count;                                     // rates
    int (*rates)(void *user, double t, double *g); // 0: good; anything else ends the integration
    void *user;
    double *g; // work space, `count` numbers
} RbGauss;

// Adds the integral to sum. Exact for polynomials of degree 2 points - 1: local error h^5/4320 with two
// points, h^7 and h^9 with still smaller constants with three and four.
int rb_gauss_add(const RbGauss *r, int points, double from, double until, double *sum);

// The same where the rates may end like a power of what is left, as those of a contact that opens. If a
// second look at the interval changes the sum by more than `tolerance` of its largest number, parts that
// shrink towards the end are taken. work: 2 `count` numbers.
int rb_gauss_add_to_end(const RbGauss *r, int points, double from, double until, double tolerance,
                        double *sum, double *work);
