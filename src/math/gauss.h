// SPDX-License-Identifier: MIT
// gauss.h: integrals of several rates at once, by Gauss' rule with two to four points. The ends of an
// interval are never asked for.
#pragma once

#include <stdbool.h>

typedef struct RbGauss {
    int count;                                     // rates
    int (*rates)(void *user, double t, double *g); // 0: good; anything else ends the integration
    void *user;
    double *g;         // work space, `count` numbers
    const bool *loose; // optional, per rate: it is taken along, however exact that is
} RbGauss;

// Adds the integral to sum. Exact for polynomials of degree 2 points - 1: local error h^5/4320 with two
// points, h^7 and h^9 with still smaller constants with three and four.
int rb_gauss_add(const RbGauss *r, int points, double from, double until, double *sum);

// The same where the rates may bend, or end like a power of what is left, as those of a contact that opens. If halves of the
// interval change the sum by more than `tolerance` of its largest number, or of that of the interval, they are halved again, and so on.
// `trusted`: rates that differ little between the points of the interval are not looked at again.
// work: RB_GAUSS_WORK `count` numbers.
enum { RB_GAUSS_LEVELS = 12, RB_GAUSS_WORK = 1 + 2 * RB_GAUSS_LEVELS };
int rb_gauss_add_closely(const RbGauss *r, int points, double from, double until, double tolerance,
                         bool trusted, double *sum, double *work);
