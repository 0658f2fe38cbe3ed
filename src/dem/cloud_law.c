// SPDX-License-Identifier: MIT
#include "dem/cloud_law.h"

#include <math.h>

static const double TINY = 1e-300; // instead of zero in a denominator

static inline double larger(double a, double b) {
    return a > b ? a : b;
}
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

// 1 below the limit of friction, 0 beyond. (A factor: with a branch there would be no vectors.)
static inline double sticks(double ratio) {
    return ratio < 1 ? 0.0 : 1.0;
}

// Turn a spring with the tangent plane: its part along n goes, its length stays (to second order).
static inline double lengthen(double along, double length2) {
    return 1 + 0.5 * (along * along) / larger(length2, TINY);
}

// Rolling and twisting: angle ψ, springs with limits. Below these a damper of the ratio β, for the
// inertia 7/5 m* R*² of spheres that roll.
__attribute__((always_inline)) static inline void turn_lane(RbGrainBlock *restrict b, int m,
                                                            double a, double kt, double force,
                                                            double time, double again,
                                                            bool ledger) {
    double nx = b->nx[m], ny = b->ny[m], nz = b->nz[m], was = b->was[m];
    double px = b->px[m], py = b->py[m], pz = b->pz[m];
    double gx = was * b->gx[m] + time * px, gy = was * b->gy[m] + time * py;
    double gz = was * b->gz[m] + time * pz;
    double pn = px * nx + py * ny + pz * nz, gn = gx * nx + gy * ny + gz * nz;
    double rx = gx - gn * nx, ry = gy - gn * ny, rz = gz - gn * nz;
    double R = b->radius[m], kr = kt * R * R, kn = 0.5 * kt * a * a;
    double angle = sqrt(rx * rx + ry * ry + rz * rz), inertia = 1.4 * b->mass[m] * R * R;
    double ratio_r = b->rolling[m] * R * force / larger(kr * angle, TINY);
    double ratio_n = b->twisting[m] * R * force / larger(kn * fabs(gn), TINY);
    double keep_r = smaller(ratio_r, 1), keep_n = smaller(ratio_n, 1);
    double damper_r = b->rolling_damping[m] * sqrt(inertia * kr);
    double damper_n = b->rolling_damping[m] * sqrt(inertia * kn);
    double free_r = sticks(ratio_r) * (1 - again * b->rolls[m]);
    double free_n = sticks(ratio_n) * (1 - again * b->twists[m]);
    double dr = free_r * damper_r, dn = free_n * damper_n;
    b->rolls[m] = 1 - free_r, b->twists[m] = 1 - free_n;
    rx *= keep_r, ry *= keep_r, rz *= keep_r, gn *= keep_n;
    double along = -(kn * gn + (dn - dr) * pn);
    b->tx[m] = along * nx - kr * rx - dr * px;
    b->ty[m] = along * ny - kr * ry - dr * py;
    b->tz[m] = along * nz - kr * rz - dr * pz;
    b->gx[m] = rx + gn * nx + 0.5 * b->step * px;
    b->gy[m] = ry + gn * ny + 0.5 * b->step * py;
    b->gz[m] = rz + gn * nz + 0.5 * b->step * pz;
    if (!ledger) return;
    b->stored[2][m] = 0.5 * kr * (rx * rx + ry * ry + rz * rz) + 0.5 * kn * gn * gn;
    b->power[2][m] = -(b->tx[m] * px + b->ty[m] * py + b->tz[m] * pz);
}

__attribute__((always_inline)) static inline void law(RbGrainBlock *restrict b, bool turning,
                                                      bool ledger, bool sticky) {
    // No time has passed: what rolled still does, though its spring is at the limit to a rounding.
    const double again = b->half_step < 0 ? 1 : 0;
    for (int m = 0; m < b->count; m++) {
        double nx = b->nx[m], ny = b->ny[m], nz = b->nz[m], was = b->was[m];
        double depth = b->depth[m], mass = b->mass[m];
        double a = sticky ? b->contact[m] : sqrt(larger(b->radius[m] * depth, TINY));
        double ka = b->normal[m] * a, elastic = sticky ? b->elastic[m] : ka * depth;
        double ux = b->ux[m], uy = b->uy[m], uz = b->uz[m];
        double vn = ux * nx + uy * ny + uz * nz;
        double damper = b->normal_damping[m] * sqrt(mass * ka);
        double normal = elastic - damper * vn;
        double size = larger(sticky ? normal + b->held[m] : normal, 0);
        // Slip of the surfaces: u - (u n) n - s x n
        double sx = b->sx[m], sy = b->sy[m], sz = b->sz[m];
        double vx = ux - vn * nx - (sy * nz - sz * ny);
        double vy = uy - vn * ny - (sz * nx - sx * nz);
        double vz = uz - vn * nz - (sx * ny - sy * nx);
        // The spring: what it was, in the tangent plane of now. A new contact began when the depth was
        // zero.
        double hx = b->hx[m], hy = b->hy[m], hz = b->hz[m];
        double hn = hx * nx + hy * ny + hz * nz;
        double keep = was * lengthen(hn, hx * hx + hy * hy + hz * hz);
        double since = smaller(depth / larger(-vn, TINY), b->fresh);
        double time = was * b->half_step + (1 - was) * since;
        hx = keep * (hx - hn * nx) + time * vx;
        hy = keep * (hy - hn * ny) + time * vy;
        hz = keep * (hz - hn * nz) + time * vz;
        // Spring and damper together carry no more than the limit of friction.
        double kt = b->tangential[m] * a, limit = b->sliding[m] * size;
        double pull = kt * sqrt(hx * hx + hy * hy + hz * hz);
        double held = smaller(limit / larger(pull, TINY), 1);
        double d = b->tangential_damping[m] * sqrt(mass * kt);
        hx *= held, hy *= held, hz *= held;
        double qx = kt * hx + d * vx, qy = kt * hy + d * vy, qz = kt * hz + d * vz;
        double ratio = limit / larger(sqrt(qx * qx + qy * qy + qz * qz), TINY);
        double part = -smaller(ratio, 1);
        b->slides[m] = 1 - sticks(ratio);
        qx *= part, qy *= part, qz *= part;
        double half = 0.5 * b->step;
        b->hx[m] = hx + half * vx;
        b->hy[m] = hy + half * vy;
        b->hz[m] = hz + half * vz;
        b->fx[m] = normal * nx + qx;
        b->fy[m] = normal * ny + qy;
        b->fz[m] = normal * nz + qz;
        b->cx[m] = ny * qz - nz * qy;
        b->cy[m] = nz * qx - nx * qz;
        b->cz[m] = nx * qy - ny * qx;
        b->stiffness[m] = 1.5 * ka / mass;
        if (ledger) {
            if (!sticky) b->stored[0][m] = 0.4 * ka * depth * depth;
            b->stored[1][m] = 0.5 * kt * (hx * hx + hy * hy + hz * hz);
            b->power[0][m] = damper * vn * vn;
            b->power[1][m] = -(qx * vx + qy * vy + qz * vz);
        }
        if (turning) turn_lane(b, m, a, kt, size, time, again, ledger);
    }
}

RB_WIDE static void law_plain(RbGrainBlock *b) {
    law(b, false, false, false);
}
RB_WIDE static void law_ledger(RbGrainBlock *b) {
    law(b, false, true, false);
}
RB_WIDE static void law_turning(RbGrainBlock *b) {
    law(b, true, false, false);
}
RB_WIDE static void law_all(RbGrainBlock *b) {
    law(b, true, true, false);
}
RB_WIDE static void law_sticky(RbGrainBlock *b) {
    law(b, false, true, true);
}
RB_WIDE static void law_sticky_turning(RbGrainBlock *b) {
    law(b, true, true, true);
}

void rb_grain_block_law(RbGrainBlock *b, RbGrainTerms terms) {
    if (terms.adhesion) {
        rb_grain_block_adhere(b);
        (terms.turning ? law_sticky_turning : law_sticky)(b);
    } else if (terms.turning)
        (terms.ledger ? law_all : law_turning)(b);
    else
        (terms.ledger ? law_ledger : law_plain)(b);
}
