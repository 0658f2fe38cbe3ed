// SPDX-License-Identifier: MIT
#include "external/axis.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- the interval --------------------------------------------------------------------------------

// The last interval that begins at or before u and is longer than zero, if there is one.
static int find_interval(const RbAxis *a, double u) {
    int low = 0, high = a->count - 1; // x[low] <= u < x[high], as far as that is possible
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (a->x[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void linear_weights(double s, double h, RbPiece *p) {
    p->weights[0][0] = 1 - s;
    p->weights[0][1] = s;
    p->weights[1][0] = -1 / h;
    p->weights[1][1] = 1 / h;
}

// Cubic Hermite polynomials of s = (u - left) / h; slopes are per unit of u.
static void cubic_weights(double s, double h, RbPiece *p) {
    double r = 1 - s;
    double(*w)[4] = p->weights;
    w[0][0] = r * r * (1 + 2 * s);
    w[0][1] = s * s * (3 - 2 * s);
    w[0][2] = s * r * r * h;
    w[0][3] = -s * s * r * h;
    w[1][1] = 6 * s * r / h;
    w[1][0] = -w[1][1];
    w[1][2] = r * (1 - 3 * s);
    w[1][3] = s * (3 * s - 2);
    w[2][1] = (6 - 12 * s) / (h * h);
    w[2][0] = -w[2][1];
    w[2][2] = (6 * s - 4) / h;
    w[2][3] = (6 * s - 2) / h;
}

static void hold(RbPiece *p, int end) {
    memset(p->weights, 0, sizeof p->weights);
    p->weights[0][end] = 1;
}

static void inner_weights(const RbAxis *a, double u, RbPiece *p) {
    double x = a->x[p->left], h = a->x[p->right] - x, s = (u - x) / h;
    if (a->smoothness == RB_CONSTANT_SEGMENTS || !(h > 0))
        hold(p, u < a->x[p->right] || h > 0 ? 0 : 1);
    else if (a->smoothness == RB_LINEAR_SEGMENTS)
        linear_weights(s, h, p);
    else
        cubic_weights(s, h, p);
}

// Straight on from the end (0: left, 1: right) of the table.
static void outer_weights(const RbAxis *a, double u, int end, RbPiece *p) {
    double h = a->x[p->right] - a->x[p->left], beyond = u - a->x[end ? p->right : p->left];
    hold(p, end);
    if (a->extrapolation == RB_HOLD_LAST_POINT || !(h > 0)) return;
    if (rb_is_cubic(a->smoothness)) {
        p->weights[1][2 + end] = 1;
    } else {
        p->weights[1][0] = -1 / h;
        p->weights[1][1] = 1 / h;
    }
    for (int k = 0; k < 4; k++) p->weights[0][k] += beyond * p->weights[1][k];
}

bool rb_axis_locate(const RbAxis *a, double u, double bias, RbPiece *piece) {
    const double *x = a->x;
    int last = a->count - 1;
    *piece = (RbPiece){0};
    if (last == 0) {
        hold(piece, 0);
        return true;
    }
    double place = u + bias, period = x[last] - x[0];
    if (a->extrapolation == RB_PERIODIC && (place < x[0] || place >= x[last])) {
        double turns = floor((place - x[0]) / period) * period;
        u -= turns;
        place -= turns;
    }
    bool below = place<x[0], above = place> x[last] || (place == x[last] && bias > 0);
    piece->left = find_interval(a, place);
    piece->right = piece->left + 1;
    bool outside = (below || above) && a->extrapolation != RB_PERIODIC;
    if (outside && a->extrapolation == RB_NO_EXTRAPOLATION &&
        (u < x[0] - fabs(bias) || u > x[last] + fabs(bias)))
        return false;
    if (outside)
        outer_weights(a, u, above, piece);
    else if (a->smoothness == RB_CONSTANT_SEGMENTS && u >= x[last] && place >= x[last])
        hold(piece, 1); // the last point counts for itself
    else
        inner_weights(a, u, piece);
    return true;
}

// --- slopes --------------------------------------------------------------------------------------

void rb_axis_secants(const RbAxis *a, const double *y, int stride, double *secants) {
    int n = a->count - 1; // intervals
    double *d = secants + 2;
    for (int k = 0; k < n; k++)
        d[k] = (y[(k + 1) * stride] - y[k * stride]) / (a->x[k + 1] - a->x[k]);
    if (a->extrapolation == RB_PERIODIC) {
        d[-1] = d[n - 1];
        d[-2] = d[n > 1 ? n - 2 : 0];
        d[n] = d[0];
        d[n + 1] = d[n > 1 ? 1 : 0];
    } else if (n == 1) {
        d[-2] = d[-1] = d[1] = d[2] = d[0];
    } else {
        d[-1] = 2 * d[0] - d[1];
        d[-2] = 2 * d[-1] - d[0];
        d[n] = 2 * d[n - 1] - d[n - 2];
        d[n + 1] = 2 * d[n] - d[n - 1];
    }
}

// Akima (1970): the secant on the other side changes, so this one is to be trusted. Where nothing
// changes on either side both count alike.
static double akima_share(const double *d, bool modified) {
    double right = fabs(d[1] - d[0]), left = fabs(d[-1] - d[-2]);
    if (modified) { // a flat side counts, too: no overshoot next to a plateau
        right += fabs(d[1] + d[0]) / 2;
        left += fabs(d[-1] + d[-2]) / 2;
    }
    double sum = left + right, noise = 16 * DBL_EPSILON * (fabs(d[-1]) + fabs(d[0]));
    return sum > noise ? right / sum : 0.5;
}

void rb_axis_shares(const RbAxis *a, const double *y, int stride, double *shares, RbArena scratch) {
    double *secants = rb_new_array(&scratch, double, a->count + 3);
    rb_axis_secants(a, y, stride, secants);
    for (int i = 0; i < a->count; i++)
        shares[i] = akima_share(secants + 2 + i, a->smoothness == RB_MODIFIED_AKIMA);
}

// Fritsch and Butland (1984): a weighted harmonic mean of the secants, zero at extrema.
static double fritsch_butland_slope(double left, double right, double h_left, double h_right) {
    if (!(left * right > 0)) return 0;
    double a = 2 * h_right + h_left, b = h_right + 2 * h_left;
    return (a + b) / (a / left + b / right);
}

// Steffen (1990): the parabola through three points, cut where it would not be monotone.
static double steffen_slope(double left, double right, double h_left, double h_right) {
    if (!(left * right > 0)) return 0;
    double parabola = (left * h_right + right * h_left) / (h_left + h_right);
    double most = 2 * fmin(fabs(left), fabs(right));
    return copysign(fmin(fabs(parabola), most), left);
}

static void monotone_slopes(const RbAxis *a, const double *d, double *slopes) {
    int n = a->count - 1;
    for (int i = 0; i <= n; i++) {
        bool end = i == 0 || i == n;
        if (end && a->extrapolation != RB_PERIODIC) {
            slopes[i] = d[i == 0 ? 0 : n - 1]; // so the line through the last two points goes on
            continue;
        }
        double left = a->x[i == 0 ? n : i] - a->x[i == 0 ? n - 1 : i - 1];
        double right = a->x[i == n ? 1 : i + 1] - a->x[i == n ? 0 : i];
        slopes[i] = a->smoothness == RB_STEFFEN
                        ? steffen_slope(d[i - 1], d[i], left, right)
                        : fritsch_butland_slope(d[i - 1], d[i], left, right);
    }
}

void rb_axis_slopes(const RbAxis *a, const double *y, int stride, double *slopes, RbArena scratch) {
    double *secants = rb_new_array(&scratch, double, a->count + 3), *d = secants + 2;
    if (a->count == 1) {
        slopes[0] = 0;
        return;
    }
    rb_axis_secants(a, y, stride, secants);
    if (a->smoothness == RB_FRITSCH_BUTLAND || a->smoothness == RB_STEFFEN) {
        monotone_slopes(a, d, slopes);
        return;
    }
    for (int i = 0; i < a->count; i++) {
        double share = akima_share(d + i, a->smoothness == RB_MODIFIED_AKIMA);
        slopes[i] = share * d[i - 1] + (1 - share) * d[i];
    }
}
