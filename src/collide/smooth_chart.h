// SPDX-License-Identifier: MIT
// smooth_chart.h: coordinates on a sheet of a round core next to the point that is closest to another body (patch_smooth.h): x around a round sheet, or along e1 of what is
// flat, y along its straight lines. What is round turns with tan(tau/2) = x/(2 R), so that no angles are needed.
#pragma once

#include "collide/sheet.h"

typedef struct RbChart {
    Vec3 o;               // flat: where x = y = 0; round: the middle of the circle there
    Vec3 out, ex, ey;     // round: radial, around, along the axis
    double radius;        // [m] R; 0: flat
    double widens, rises; // round: of R and along the axis, for each y
} RbChart;

// dA = area dx dy
static inline Vec3 rb_chart_point(const RbChart *c, double x, double y, double *area) {
    if (c->radius == 0) {
        *area = 1;
        return v3_axpy(v3_axpy(c->o, x, c->ex), y, c->ey);
    }
    double q = 0.5 * x / c->radius, k = 1 / (1 + q * q), radius = c->radius + c->widens * y;
    *area = k * radius / c->radius;
    Vec3 p = v3_axpy(c->o, c->rises * y, c->ey);
    return v3_axpy(v3_axpy(p, radius * k * (1 - q * q), c->out), 2 * radius * k * q, c->ex);
}

// How the point moves with x and with y.
static inline void rb_chart_rates(const RbChart *c, double x, double y, Vec3 *by_x, Vec3 *by_y) {
    *by_x = c->ex, *by_y = c->ey;
    if (c->radius == 0) return;
    double q = 0.5 * x / c->radius, k = 1 / (1 + q * q), co = k * (1 - q * q), si = 2 * k * q;
    double wide = k * (1 + c->widens * y / c->radius);
    *by_x = v3_axpy(v3_scale(wide * co, c->ex), -wide * si, c->out);
    *by_y = v3_scale(c->rises, c->ey);
    *by_y = v3_axpy(v3_axpy(*by_y, c->widens * co, c->out), c->widens * si, c->ex);
}
