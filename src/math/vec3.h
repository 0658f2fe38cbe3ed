// SPDX-License-Identifier: MIT
// vec3.h: vectors in space, by value. The suffix of a variable names the frame of its components
// (docs/notation.md).
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct Vec3 {
    double x, y, z;
} Vec3;

#define V3_ZERO ((Vec3){0.0, 0.0, 0.0})

static inline Vec3 v3(double x, double y, double z) {
    return (Vec3){x, y, z};
}
static inline Vec3 v3_add(Vec3 a, Vec3 b) {
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline Vec3 v3_sub(Vec3 a, Vec3 b) {
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline Vec3 v3_neg(Vec3 a) {
    return (Vec3){-a.x, -a.y, -a.z};
}
static inline Vec3 v3_scale(double s, Vec3 a) {
    return (Vec3){s * a.x, s * a.y, s * a.z};
}

// Product and quotient component by component.
static inline Vec3 v3_mul(Vec3 a, Vec3 b) {
    return (Vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline Vec3 v3_div(Vec3 a, Vec3 b) {
    return (Vec3){a.x / b.x, a.y / b.y, a.z / b.z};
}

// a + s b
static inline Vec3 v3_axpy(Vec3 a, double s, Vec3 b) {
    return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// a + t (b - a)
static inline Vec3 v3_lerp(Vec3 a, Vec3 b, double t) {
    return v3_axpy(a, t, v3_sub(b, a));
}

static inline double v3_dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 v3_cross(Vec3 a, Vec3 b) {
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_norm2(Vec3 a) {
    return v3_dot(a, a);
}
static inline double v3_norm(Vec3 a) {
    return sqrt(v3_dot(a, a));
}
static inline double v3_distance(Vec3 a, Vec3 b) {
    return v3_norm(v3_sub(a, b));
}
static inline Vec3 v3_min(Vec3 a, Vec3 b) {
    return (Vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}
static inline Vec3 v3_max(Vec3 a, Vec3 b) {
    return (Vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}
static inline Vec3 v3_abs(Vec3 a) {
    return (Vec3){fabs(a.x), fabs(a.y), fabs(a.z)};
}

// Largest magnitude of a component. Comparisons instead of fmax, which is a call.
static inline double v3_max_abs(Vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

static inline bool v3_finite(Vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// v3_unit_or where squares over- or underflow: first to order 1.
Vec3 v3_unit_extreme(Vec3 a, Vec3 fallback);

// Unit vector along a, or the fallback if a is zero (or has no direction that could be told).
static inline Vec3 v3_unit_or(Vec3 a, Vec3 fallback) {
    double n2 = v3_norm2(a);
    if (!(n2 > 1e-280 && n2 < 1e280)) return v3_unit_extreme(a, fallback);
    return v3_scale(1.0 / sqrt(n2), a);
}

static inline Vec3 v3_unit(Vec3 a) {
    return v3_unit_or(a, V3_ZERO);
}

// Some unit vector perpendicular to the unit vector n.
static inline Vec3 v3_perpendicular(Vec3 n) {
    Vec3 a = v3_abs(n);
    Vec3 axis = a.x <= a.y && a.x <= a.z ? v3(1, 0, 0) : a.y <= a.z ? v3(0, 1, 0) : v3(0, 0, 1);
    return v3_unit(v3_cross(n, axis));
}

// Component 0, 1, 2.
static inline double v3_get(Vec3 a, int i) {
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}
static inline Vec3 v3_set(Vec3 a, int i, double value) {
    if (i == 0) a.x = value;
    if (i == 1) a.y = value;
    if (i == 2) a.z = value;
    return a;
}

// Unit vector along coordinate axis 0, 1, 2.
static inline Vec3 v3_axis(int i) {
    return v3(i == 0, i == 1, i == 2);
}

static inline Vec3 v3_load(const double *p) {
    return (Vec3){p[0], p[1], p[2]};
}
static inline void v3_store(double *p, Vec3 a) {
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}
