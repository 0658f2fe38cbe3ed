// SPDX-License-Identifier: MIT
// Contacts that stick (Johnson, Kendall and Roberts 1971; docs/theory/granular.md, section 8): with w the work of adhesion and
// a the radius of the contact,
//
//     δ = a²/R* - √(2 π w a / E*)       N = 4/3 E* a³/R* - √(8 π w E*) a^3/2
//
// A contact begins at δ = 0, and ends where δ(a) is smallest. With s = √a and c = √(2 π w / E*) the first equation is
// s⁴/R* - c s = δ, whose largest root Newton's iteration finds from above.
#include <math.h>

#include "dem/cloud_law.h"

enum {
    NEWTON = 16
}; // at the end of a contact the root is double, and each one halves the distance

static double contact_root(double c, double R, double depth) {
    double s = pow(R * fmax(depth, 0), 0.25) + cbrt(c * R);
    for (int k = 0; k < NEWTON; k++) {
        double s3 = s * s * s, slope = 4 * s3 / R - c;
        if (!(slope > 0)) break;
        double by = (s3 * s / R - c * s - depth) / slope;
        s -= by;
        if (fabs(by) <= 1e-15 * s) break;
    }
    return s;
}

// [J] The integral of N over δ, from a = 0 on.
static double work(double modulus, double w, double R, double a) {
    double a2 = a * a, a72 = a2 * a * sqrt(a);
    return 8.0 / 15.0 * modulus * a2 * a2 * a / (R * R) -
           4.0 / 3.0 * sqrt(2 * M_PI * w * modulus) * a72 / R + M_PI * w * a2;
}

double rb_grain_adhesive_reach(double modulus, double w, double R) {
    double c = sqrt(2 * M_PI * w / modulus);
    return 0.75 * c * cbrt(0.25 * c * R);
}

void rb_grain_block_adhere(RbGrainBlock *b) {
    for (int m = 0; m < b->count; m++) {
        double modulus = 0.75 * b->normal[m], w = b->adhesion[m], R = b->radius[m];
        double depth = b->depth[m], c = sqrt(2 * M_PI * w / modulus), s = contact_root(c, R, depth);
        double start = pow(c * R, 2.0 / 3.0), last = pow(0.25 * c * R, 2.0 / 3.0); // a at both ends
        bool lasts = depth > -rb_grain_adhesive_reach(modulus, w, R);
        double a = s * s, none = work(modulus, w, R, start);
        b->lasts[m] = lasts;
        b->contact[m] = lasts ? a : 0;
        b->elastic[m] = lasts ? b->normal[m] * a * a * a / R - 2 * modulus * c * a * s : 0;
        b->held[m] = lasts ? 3 * M_PI * w * R : 0; // twice the force that pulls it off
        b->stored[0][m] = lasts ? work(modulus, w, R, a) - none : 0;
        b->lost[m] = lasts ? 0 : work(modulus, w, R, last) - none;
    }
}
