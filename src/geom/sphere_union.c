// SPDX-License-Identifier: MIT
#include "geom/sphere_union.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Integrals over the body of 1, x, y, z, xx, yy, zz, xy, xz, yz.
enum { ONE, X, Y, Z, XX, YY, ZZ, XY, XZ, YZ, SUMS };
typedef struct Sums {
    double of[SUMS];
} Sums;

typedef struct Arc {
    double from, to; // [rad]
} Arc;

typedef struct Disc {
    double x, y, radius;
} Disc;

// All lengths over the size of the whole, from its middle.
typedef struct Union {
    const Vec3 *centres;
    const double *radii;
    int count;
    Disc *discs;
    Arc *covered;
} Union;

// Gauss' rule with twelve points, on -1 .. 1: the half of it.
enum { HALF_RULE = 6 };
static const double node[HALF_RULE] = {0.12523340851146891547, 0.36783149899818019375,
                                       0.58731795428661744730, 0.76990267419430468704,
                                       0.90411725637047485668, 0.98156063424671925069};
static const double weight[HALF_RULE] = {0.24914704581340278500, 0.23349253653835480876,
                                         0.20316742672306592175, 0.16007832854334622633,
                                         0.10693932599531843096, 0.04717533638651182719};

// -------------------------------------------------------------------------------------------------
// a slice

// Along an arc of a disc, counter-clockwise: ∮ x dy, x²/2 dy, -y²/2 dx, x³/3 dy, -y³/3 dx, x² y/2 dy.
static void add_arc(const Disc *d, double from, double to, Sums *s) {
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int k = 0; k < 2 * HALF_RULE; k++) {
        double phi = middle + (k % 2 ? half : -half) * node[k / 2];
        double c = cos(phi), n = sin(phi), x = d->x + d->radius * c, y = d->y + d->radius * n;
        double w = weight[k / 2] * half * d->radius, dy = w * c, dx = -w * n;
        s->of[ONE] += 0.5 * (x * dy - y * dx);
        s->of[X] += 0.5 * x * x * dy;
        s->of[Y] -= 0.5 * y * y * dx;
        s->of[XX] += x * x * x / 3 * dy;
        s->of[YY] -= y * y * y / 3 * dx;
        s->of[XY] += 0.5 * x * x * y * dy;
    }
}

// In parts that are short enough for the rule.
static void add_long_arc(const Disc *d, double from, double to, Sums *s) {
    int parts = 1 + (int)((to - from) / (0.5 * M_PI));
    for (int k = 0; k < parts; k++)
        add_arc(d, from + (to - from) * k / parts, from + (to - from) * (k + 1) / parts, s);
}

static int compare_arcs(const void *a, const void *b) {
    const Arc *p = a, *q = b;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void cover(Arc *arcs, int *count, double from, double to) {
    if (from < -M_PI) {
        arcs[(*count)++] = (Arc){from + 2 * M_PI, M_PI};
        from = -M_PI;
    }
    if (to > M_PI) {
        arcs[(*count)++] = (Arc){-M_PI, to - 2 * M_PI};
        to = M_PI;
    }
    arcs[(*count)++] = (Arc){from, to};
}

// Which arcs of disc i others cover; false: all of it. (Of two that are the same the first one counts.)
static bool find_covered(const Union *u, int count, int i, int *arcs) {
    const Disc *d = &u->discs[i];
    *arcs = 0;
    for (int j = 0; j < count; j++) {
        const Disc *o = &u->discs[j];
        double x = o->x - d->x, y = o->y - d->y, apart = hypot(x, y);
        if (j == i || apart >= d->radius + o->radius) continue;
        if (apart <= o->radius - d->radius) {
            if (apart == 0 && o->radius == d->radius && i < j) continue;
            return false;
        }
        if (apart <= d->radius - o->radius) continue;
        double c = (apart * apart + d->radius * d->radius - o->radius * o->radius) /
                   (2 * apart * d->radius);
        double half = acos(fmax(-1, fmin(1, c))), at = atan2(y, x);
        cover(u->covered, arcs, at - half, at + half);
    }
    qsort(u->covered, (size_t)*arcs, sizeof *u->covered, compare_arcs);
    return true;
}

static Sums slice(const Union *u, double z) {
    Sums s = {0};
    int count = 0;
    for (int i = 0; i < u->count; i++) {
        double h = z - u->centres[i].z, left = (u->radii[i] - h) * (u->radii[i] + h);
        if (left > 0) u->discs[count++] = (Disc){u->centres[i].x, u->centres[i].y, sqrt(left)};
    }
    for (int i = 0; i < count; i++) {
        int arcs;
        if (!find_covered(u, count, i, &arcs)) continue;
        double free = -M_PI;
        for (int k = 0; k < arcs; k++) {
            if (u->covered[k].from > free) add_long_arc(&u->discs[i], free, u->covered[k].from, &s);
            free = fmax(free, u->covered[k].to);
        }
        if (free < M_PI) add_long_arc(&u->discs[i], free, M_PI, &s);
    }
    s.of[Z] = z * s.of[ONE], s.of[ZZ] = z * z * s.of[ONE];
    s.of[XZ] = z * s.of[X], s.of[YZ] = z * s.of[Y];
    return s;
}

// ------------------------------------------------------------------------------------------------
// all slices

// Between two heights where discs appear or begin to overlap the sums may begin and end like roots: with
// z = middle + half sin(φ) they are smooth.
typedef struct Part {
    double middle, half;
} Part;

static Sums rule(const Union *u, Part p, double from, double to) {
    Sums s = {0};
    for (int k = 0; k < 2 * HALF_RULE; k++) {
        double half = 0.5 * (to - from);
        double phi = 0.5 * (from + to) + (k % 2 ? half : -half) * node[k / 2];
        Sums at = slice(u, p.middle + p.half * sin(phi));
        for (int n = 0; n < SUMS; n++)
            s.of[n] += weight[k / 2] * half * p.half * cos(phi) * at.of[n];
    }
    return s;
}

static void add_refined(const Union *u, Part p, double from, double to, const Sums *whole,
                        double error, int depth, Sums *sum) {
    double middle = 0.5 * (from + to), off = 0;
    Sums low = rule(u, p, from, middle), high = rule(u, p, middle, to);
    for (int n = 0; n < SUMS; n++) off = fmax(off, fabs(low.of[n] + high.of[n] - whole->of[n]));
    if (off <= error || depth == 0) {
        for (int n = 0; n < SUMS; n++) sum->of[n] += low.of[n] + high.of[n];
        return;
    }
    add_refined(u, p, from, middle, &low, 0.5 * error, depth - 1, sum);
    add_refined(u, p, middle, to, &high, 0.5 * error, depth - 1, sum);
}

static int compare_heights(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

// The lowest and the highest points of spheres, and of the circles in which two of them meet.
static int find_heights(const Union *u, double *heights) {
    int count = 0;
    for (int i = 0; i < u->count; i++) {
        heights[count++] = u->centres[i].z - u->radii[i];
        heights[count++] = u->centres[i].z + u->radii[i];
        for (int j = 0; j < i; j++) {
            Vec3 d = v3_sub(u->centres[j], u->centres[i]);
            double a = v3_norm(d), r = u->radii[i], o = u->radii[j];
            if (!(a < r + o) || !(a > fabs(r - o))) continue;
            double along = (a * a + r * r - o * o) / (2 * a);
            double ring = sqrt(fmax(0, (r - along) * (r + along)));
            double up = d.z / a, by = ring * sqrt(fmax(0, 1 - up * up));
            heights[count++] = u->centres[i].z + along * up - by;
            heights[count++] = u->centres[i].z + along * up + by;
        }
    }
    qsort(heights, (size_t)count, sizeof *heights, compare_heights);
    return count;
}

static Sums integrate(const Union *u, double *heights) {
    const double least = 1e-4; // of the size: thinner parts are left to the refinement
    enum { DEPTH = 14 };
    int count = find_heights(u, heights);
    double low = heights[0], high = heights[count - 1];
    Sums sum = {0};
    for (int k = 1; k < count; k++) {
        if (k < count - 1 && heights[k] - low < least) continue;
        Part p = {0.5 * (low + heights[k]), 0.5 * (heights[k] - low)};
        double error = RB_SPHERE_UNION_ERROR * p.half / (high - heights[0]);
        Sums whole = rule(u, p, -0.5 * M_PI, 0.5 * M_PI);
        add_refined(u, p, -0.5 * M_PI, 0.5 * M_PI, &whole, error, DEPTH, &sum);
        low = heights[k];
    }
    return sum;
}

RbMoments rb_moments_of_spheres(const Vec3 *centres, const double *radii, int count,
                                RbArena scratch) {
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int i = 0; i < count; i++) {
        Vec3 by = v3(radii[i], radii[i], radii[i]);
        low = v3_min(low, v3_sub(centres[i], by)), high = v3_max(high, v3_add(centres[i], by));
    }
    Vec3 middle = v3_scale(0.5, v3_add(low, high)), *scaled = rb_new_array(&scratch, Vec3, count);
    double size = v3_norm(v3_sub(high, low)), *sizes = rb_new_array(&scratch, double, count);
    for (int i = 0; i < count; i++) {
        scaled[i] = v3_scale(1 / size, v3_sub(centres[i], middle));
        sizes[i] = radii[i] / size;
    }
    Union u = {scaled, sizes, count, rb_new_array(&scratch, Disc, count),
               rb_new_array(&scratch, Arc, 3 * count)};
    Sums s = integrate(&u, rb_new_array(&scratch, double, (size_t)count *(size_t)(count + 1)));
    Vec3 c = v3_scale(1 / s.of[ONE], v3(s.of[X], s.of[Y], s.of[Z]));
    Mat3 second = {{s.of[XX], s.of[XY], s.of[XZ]},
                   {s.of[XY], s.of[YY], s.of[YZ]},
                   {s.of[XZ], s.of[YZ], s.of[ZZ]}};
    second = m3_sub(second, m3_scale(s.of[ONE], m3_outer(c, c)));
    double size3 = size * size * size;
    return (RbMoments){.volume = size3 * s.of[ONE],
                       .centroid = v3_axpy(middle, size, c),
                       .second = m3_scale(size3 * size * size, second)};
}
