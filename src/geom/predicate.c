// SPDX-License-Identifier: MIT
#include "geom/predicate.h"

#include "math/expansion.h"

// Rounding errors of the determinants in double, relative to the sums of the magnitudes of their
// products (Shewchuk: (3 + 16 u) u and (7 + 56 u) u with u = 2^-53).
#define ERROR_2D 3.3306690738754716e-16
#define ERROR_3D 7.7715611723761027e-16

// The same in double-double, generously: 30 operations of at most 2^-100 each.
#define ERROR_DD 0x1p-95

// Below this part of them a value is asked of expansions: above it has still seven digits.
#define FEW_DIGITS 0x1p-70

static int sign(double x) {
    return (x > 0) - (x < 0);
}

int rb_orient2d(const double a[2], const double b[2], const double c[2]) {
    double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    double det = left - right;
    if (fabs(det) > ERROR_2D * (fabs(left) + fabs(right))) return sign(det);
    // bx cy - by cx - ax cy + ay cx + ax by - ay bx
    double e[3][4], s[8], t[12];
    RbExpansion bc = rb_expansion_det2(b[0], c[1], b[1], c[0], e[0]);
    RbExpansion ca = rb_expansion_det2(c[0], a[1], c[1], a[0], e[1]);
    RbExpansion ab = rb_expansion_det2(a[0], b[1], a[1], b[0], e[2]);
    return rb_expansion_sign(rb_expansion_add(rb_expansion_add(bc, ca, s), ab, t));
}

// ---- the determinant in double, double-double and exactly ----

static double det_double(Vec3 b, Vec3 c, Vec3 d, double *magnitude) {
    double cd = c.y * d.z, dc = c.z * d.y, db = d.y * b.z, bd = d.z * b.y, bc = b.y * c.z,
           cb = b.z * c.y;
    *magnitude = fabs(b.x) * (fabs(cd) + fabs(dc)) + fabs(c.x) * (fabs(db) + fabs(bd)) +
                 fabs(d.x) * (fabs(bc) + fabs(cb));
    return b.x * (cd - dc) + c.x * (db - bd) + d.x * (bc - cb);
}

// A difference of two doubles is a double-double without error.
static RbDd3 exact_difference(Vec3 a, Vec3 b) {
    return (RbDd3){dd_two_sum(a.x, -b.x), dd_two_sum(a.y, -b.y), dd_two_sum(a.z, -b.z)};
}

static double det_dd(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    RbDd3 ab = exact_difference(b, a), ac = exact_difference(c, a), ad = exact_difference(d, a);
    return dd_double(dd3_dot(ab, dd3_cross(ac, ad)));
}

// Four rows (x, y, z, w) with w = 1 for points and 0 for directions.
typedef struct Row {
    Vec3 x;
    bool point;
} Row;

// x . (y x z) of three rows, 24 components at most
static RbExpansion det3(Vec3 a, Vec3 b, Vec3 c, double *out) {
    double m[4], p[3][8], s[16];
    RbExpansion x = rb_expansion_scale(rb_expansion_det2(b.x, c.y, b.y, c.x, m), a.z, p[0]);
    RbExpansion y = rb_expansion_scale(rb_expansion_det2(c.x, a.y, c.y, a.x, m), b.z, p[1]);
    RbExpansion z = rb_expansion_scale(rb_expansion_det2(a.x, b.y, a.y, b.x, m), c.z, p[2]);
    return rb_expansion_add(rb_expansion_add(x, y, s), z, out);
}

// |b-a, c-a, d-a| for points: expansion along the column of w; 96 components at most.
static RbExpansion det4(const Row r[4], double *out) {
    double part[24], sum[2][96];
    RbExpansion total = {0, sum[0]};
    for (int i = 0; i < 4; i++) {
        if (!r[i].point) continue;
        const Vec3 *x[3];
        for (int k = 0, n = 0; k < 4; k++) {
            if (k != i) x[n++] = &r[k].x;
        }
        // The minor counts with the sign (-1)^i; two rows swapped change it.
        RbExpansion minor =
            i & 1 ? det3(*x[1], *x[0], *x[2], part) : det3(*x[0], *x[1], *x[2], part);
        total = rb_expansion_add(total, minor, total.e == sum[0] ? sum[1] : sum[0]);
    }
    for (int i = 0; i < total.n; i++) out[i] = total.e[i];
    return (RbExpansion){total.n, out};
}

static RbExpansion orient3d_exact(Vec3 a, Vec3 b, Vec3 c, Vec3 d, double out[96]) {
    Row rows[4] = {{a, true}, {b, true}, {c, true}, {d, true}};
    return det4(rows, out);
}

int rb_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    double magnitude, det = det_double(v3_sub(b, a), v3_sub(c, a), v3_sub(d, a), &magnitude);
    if (fabs(det) > ERROR_3D * magnitude) return sign(det);
    if (magnitude == 0 && det == 0) return 0; // a zero row or column, exactly
    det = det_dd(a, b, c, d);
    if (fabs(det) > ERROR_DD * magnitude) return sign(det);
    double out[96];
    return rb_expansion_sign(orient3d_exact(a, b, c, d, out));
}

double rb_orient3d_value(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    double magnitude, det = det_double(v3_sub(b, a), v3_sub(c, a), v3_sub(d, a), &magnitude);
    if (fabs(det) > 0.25 * magnitude) return det;
    det = det_dd(a, b, c, d);
    if (fabs(det) > FEW_DIGITS * magnitude) return det;
    double out[96];
    return rb_expansion_double(orient3d_exact(a, b, c, d, out));
}

// ---- points moved by their names ----

// A direction of small whole numbers, different for different names.
static Vec3 direction_of(unsigned name) {
    unsigned long long z = (name + 1ull) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return v3((double)(z & 0xfffff) - 524287.5, (double)(z >> 20 & 0xfffff) - 524287.5,
              (double)(z >> 40 & 0xfffff) - 524287.5);
}

enum { COEFFICIENT = 6 * 96 }; // components of at most six determinants

// Coefficient of the k-th power of the displacement: all ways to replace k points by directions.
// `sum` is room for it.
static RbExpansion coefficient(const RbNamed p[4], int k, double sum[2][COEFFICIENT]) {
    double part[96];
    RbExpansion total = {0, sum[0]};
    for (unsigned set = 0; set < 16; set++) {
        if (__builtin_popcount(set) != k) continue;
        Row rows[4];
        for (int i = 0; i < 4; i++) {
            bool moved = set >> i & 1;
            rows[i] = (Row){moved ? direction_of(p[i].name) : p[i].x, !moved};
        }
        total = rb_expansion_add(total, det4(rows, part), total.e == sum[0] ? sum[1] : sum[0]);
    }
    return total;
}

// Of the first power in double, if its sign is beyond doubt: three determinants with a row of directions each, whose differences are exact, and two sums.
// Faces that lie in one plane ask for nothing else.
static int first_sign(const RbNamed p[4]) {
    const double error = 2 * ERROR_3D;
    Vec3 x[3], h[3], from = direction_of(p[0].name);
    for (int i = 0; i < 3; i++) {
        x[i] = v3_sub(p[i + 1].x, p[0].x);
        h[i] = v3_sub(direction_of(p[i + 1].name), from);
    }
    double m[3];
    double det = det_double(h[0], x[1], x[2], &m[0]) + det_double(x[0], h[1], x[2], &m[1]) +
                 det_double(x[0], x[1], h[2], &m[2]);
    return fabs(det) > error * (m[0] + m[1] + m[2]) ? sign(det) : 0;
}

int rb_orient3d_named(RbNamed a, RbNamed b, RbNamed c, RbNamed d) {
    int s = rb_orient3d(a.x, b.x, c.x, d.x);
    if (s != 0) return s;
    RbNamed p[4] = {a, b, c, d};
    s = first_sign(p);
    if (s != 0) return s;
    for (int k = 1; k < 4; k++) {
        double sum[2][COEFFICIENT];
        s = rb_expansion_sign(coefficient(p, k, sum));
        if (s != 0) return s;
    }
    return 0;
}

double rb_orient3d_slope(RbNamed a, RbNamed b, RbNamed c, RbNamed d) {
    double sum[2][COEFFICIENT];
    return rb_expansion_double(coefficient((RbNamed[4]){a, b, c, d}, 1, sum));
}
