// SPDX-License-Identifier: MIT
#include "io/polygon.h"

// A polygon in its mean plane.
typedef struct Flat {
    double (*x)[2]; // [m]
    int *next, *before;
    bool *ear;
} Flat;

static double turn(const Flat *f, int a, int b, int c) {
    return (f->x[b][0] - f->x[a][0]) * (f->x[c][1] - f->x[a][1]) -
           (f->x[b][1] - f->x[a][1]) * (f->x[c][0] - f->x[a][0]);
}

// Newell: twice the area vector, about the first vertex.
static Vec3 mean_normal(const Vec3 *vertices, const int *polygon, int count) {
    Vec3 o = vertices[polygon[0]], sum = V3_ZERO;
    for (int i = 1; i + 1 < count; i++) {
        sum = v3_add(
            sum, v3_cross(v3_sub(vertices[polygon[i]], o), v3_sub(vertices[polygon[i + 1]], o)));
    }
    return v3_unit(sum);
}

static Flat flatten(const Vec3 *vertices, const int *polygon, int count, Vec3 n, RbArena *scratch) {
    Flat f = {(double(*)[2])rb_new_array(scratch, double, 2 * (size_t)count),
              rb_new_array(scratch, int, count), rb_new_array(scratch, int, count),
              rb_new_array(scratch, bool, count)};
    Vec3 u = v3_perpendicular(n), w = v3_cross(n, u), o = vertices[polygon[0]];
    for (int i = 0; i < count; i++) {
        Vec3 p = v3_sub(vertices[polygon[i]], o);
        f.x[i][0] = v3_dot(u, p);
        f.x[i][1] = v3_dot(w, p);
        f.next[i] = (i + 1) % count;
        f.before[i] = (i + count - 1) % count;
    }
    return f;
}

// Only left turns, and once around: an edge changes from downward to upward exactly once.
static bool is_convex(const Flat *f, int count) {
    int upturns = 0;
    for (int i = 0; i < count; i++) {
        int j = f->next[i], k = f->next[j];
        if (!(turn(f, i, j, k) >= 0)) return false;
        upturns += f->x[j][1] < f->x[i][1] && f->x[k][1] >= f->x[j][1];
    }
    return upturns <= 1;
}

static bool holds(const Flat *f, int a, int b, int c, int p) {
    return turn(f, a, b, p) >= 0 && turn(f, b, c, p) >= 0 && turn(f, c, a, p) >= 0;
}

static bool same_place(const Flat *f, int a, int b) {
    return f->x[a][0] == f->x[b][0] && f->x[a][1] == f->x[b][1];
}

// Can the corner b be cut off: a left turn that no other vertex lies in?
static bool is_ear(const Flat *f, int b) {
    int a = f->before[b], c = f->next[b];
    if (!(turn(f, a, b, c) > 0)) return false;
    for (int p = f->next[c]; p != a; p = f->next[p]) {
        bool corner = same_place(f, p, a) || same_place(f, p, b) || same_place(f, p, c);
        if (!corner && holds(f, a, b, c, p)) return false;
    }
    return true;
}

// What is left lies inside what was there, so other corners than the two neighbours stay ears or
// not.
static RbTriangle cut(Flat *f, const int *polygon, int b) {
    int a = f->before[b], c = f->next[b];
    f->next[a] = c;
    f->before[c] = a;
    f->ear[a] = is_ear(f, a);
    f->ear[c] = is_ear(f, c);
    return (RbTriangle){{polygon[a], polygon[b], polygon[c]}};
}

// After a full round without an ear (only degenerate or crossing polygons have none) the corner at
// hand is cut anyway.
static void cut_ears(Flat *f, const int *polygon, int count, RbTriangle *triangles) {
    int corner = 1, tried = 0, made = 0;
    for (int i = 0; i < count; i++) f->ear[i] = is_ear(f, i);
    for (int left = count; left > 3;) {
        int next = f->next[corner];
        if (tried < left && !f->ear[corner]) {
            tried++;
        } else {
            triangles[made++] = cut(f, polygon, corner);
            left--;
            tried = 0;
        }
        corner = next;
    }
    triangles[made] =
        (RbTriangle){{polygon[f->before[corner]], polygon[corner], polygon[f->next[corner]]}};
}

bool rb_polygon_triangulate(const Vec3 *vertices, const int *polygon, int count, RbArena scratch,
                            RbTriangle *triangles) {
    Vec3 n = mean_normal(vertices, polygon, count);
    bool fan = count == 3 || v3_norm2(n) == 0;
    if (!fan) {
        Flat f = flatten(vertices, polygon, count, n, &scratch);
        fan = is_convex(&f, count);
        if (!fan && count > RB_POLYGON_LIMIT) return false;
        if (!fan) cut_ears(&f, polygon, count, triangles);
    }
    for (int i = 1; fan && i + 1 < count; i++) {
        triangles[i - 1] = (RbTriangle){{polygon[0], polygon[i], polygon[i + 1]}};
    }
    return true;
}
