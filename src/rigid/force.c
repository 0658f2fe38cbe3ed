// SPDX-License-Identifier: MIT
#include "rigid/force.h"

double rb_characteristic(const RbCharacteristic *c, double x) {
    return c->value ? c->value(x, c->user) : c->k * x;
}

// Gauss-Legendre with five points: exact for polynomials to degree nine, and good to far more
// digits than measured curves have.
static double quadrature(const RbCharacteristic *c, double x) {
    static const double node[3] = {0, 0.538469310105683091, 0.906179845938663993};
    static const double weight[3] = {0.568888888888888889, 0.478628670499366468,
                                     0.236926885056189088};
    double half = 0.5 * x, sum = weight[0] * c->value(half, c->user);
    for (int i = 1; i < 3; i++) {
        double a = c->value(half * (1 - node[i]), c->user),
               b = c->value(half * (1 + node[i]), c->user);
        sum += weight[i] * (a + b);
    }
    return half * sum;
}

double rb_characteristic_integral(const RbCharacteristic *c, double x) {
    if (!c->value) return 0.5 * c->k * x * x;
    return c->integral ? c->integral(x, c->user) : quadrature(c, x);
}
