// SPDX-License-Identifier: MIT
#include "io/polygon.h"

#include "geom/triangulate.h"

// A polygon in its mean plane.
typedef struct Flat {
    double (*x)[2]; // [m]
    int *next;
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
              rb_new_array(scratch, int, count)};
    Vec3 u = v3_perpendicular(n), w = v3_cross(n, u), o = vertices[polygon[0]];
    for (int i = 0; i < count; i++) {
        Vec3 p = v3_sub(vertices[polygon[i]], o);
        f.x[i][0] = v3_dot(u, p);
        f.x[i][1] = v3_dot(w, p);
        f.next[i] = (i + 1) % count;
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

// A polygon of n points has n - 2 triangles.
static void cut_ears(const Flat *f, const int *polygon, int count, RbArena scratch,
                     RbTriangle *triangles) {
    int start[2] = {0, count};
    RbPolygon flat = {(const double(*)[2])f->x, start, 1};
    RbTriangle *ears = rb_new_array(&scratch, RbTriangle, rb_triangulate_room(&flat));
    rb_triangulate(&flat, ears, scratch);
    for (int i = 0; i < count - 2; i++) {
        for (int k = 0; k < 3; k++) triangles[i].v[k] = polygon[ears[i].v[k]];
    }
}

bool rb_polygon_triangulate(const Vec3 *vertices, const int *polygon, int count, RbArena scratch,
                            RbTriangle *triangles) {
    Vec3 n = mean_normal(vertices, polygon, count);
    bool fan = count == 3 || v3_norm2(n) == 0;
    if (!fan) {
        Flat f = flatten(vertices, polygon, count, n, &scratch);
        fan = is_convex(&f, count);
        if (!fan && count > RB_POLYGON_LIMIT) return false;
        if (!fan) cut_ears(&f, polygon, count, scratch, triangles);
    }
    for (int i = 1; fan && i + 1 < count; i++) {
        triangles[i - 1] = (RbTriangle){{polygon[0], polygon[i], polygon[i + 1]}};
    }
    return true;
}
