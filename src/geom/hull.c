// SPDX-License-Identifier: MIT
#include "geom/hull.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/assert.h"
#include "geom/moments.h"
#include "geom/polytope.h"

#define LARGEST 1e100 // [m] products of four lengths must not overflow

// One hull being computed.
typedef struct Hull {
    const Vec3 *points;
    int count;
    const char *name;
    RbPos at;
    RbDiag *diag;
    double size;  // [m] longest edge of the box around the points
    double noise; // [m] rounding in the given coordinates
    Vec3 middle;  // [m] of that box
} Hull;

static const char *called(const Hull *h) {
    return h->name ? rb_arena_printf(h->diag->arena, "convex hull '%s'", h->name) : "convex hull";
}

// ---- is there a volume? ----

// What is no number is printed as "nan", whatever its sign.
static double without_sign(double x) {
    return isnan(x) ? fabs(x) : x;
}

static RbStatus check_points(Hull *h) {
    if (h->count < 4) {
        return rb_fail(h->diag, RB_ERROR_MODEL, h->at,
                       "%s has %d point%s; it needs at least 4 that enclose a volume", called(h),
                       h->count, h->count == 1 ? "" : "s");
    }
    if (h->count > INT_MAX / 8) {
        return rb_fail(h->diag, RB_ERROR_MODEL, h->at, "%s has %d points; at most %d are possible",
                       called(h), h->count, INT_MAX / 8);
    }
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int i = 0; i < h->count; i++) {
        Vec3 p = h->points[i];
        if (!v3_finite(p)) {
            return rb_fail(
                h->diag, RB_ERROR_MODEL, h->at,
                "point %d of %s is (%g, %g, %g); coordinates must be finite: look at what "
                "they are computed from",
                i + 1, called(h), without_sign(p.x), without_sign(p.y), without_sign(p.z));
        }
        low = v3_min(low, p);
        high = v3_max(high, p);
    }
    h->size = v3_max_abs(v3_sub(high, low));
    if (!(h->size <= LARGEST)) {
        return rb_fail(h->diag, RB_ERROR_MODEL, h->at,
                       "%s extends over %g m; at most %g m are possible", called(h), h->size,
                       LARGEST);
    }
    h->middle = v3_axpy(low, 0.5, v3_sub(high, low));
    h->noise = 16 * DBL_EPSILON * v3_max_abs(v3_max(v3_abs(low), v3_abs(high)));
    return RB_OK;
}

static int farthest_from_point(const Hull *h, Vec3 a) {
    int best = 0;
    for (int i = 1; i < h->count; i++) {
        if (v3_distance(h->points[i], a) > v3_distance(h->points[best], a)) best = i;
    }
    return best;
}

static double distance_to_line(Vec3 p, Vec3 a, Vec3 unit) {
    return v3_norm(v3_cross(v3_sub(p, a), unit));
}

static int farthest_from_line(const Hull *h, Vec3 a, Vec3 unit) {
    int best = 0;
    for (int i = 1; i < h->count; i++) {
        if (distance_to_line(h->points[i], a, unit) > distance_to_line(h->points[best], a, unit)) {
            best = i;
        }
    }
    return best;
}

static double thickness(const Hull *h, Vec3 a, Vec3 normal) {
    double low = 0, high = 0;
    for (int i = 0; i < h->count; i++) {
        double along = v3_dot(normal, v3_sub(h->points[i], a));
        low = fmin(low, along);
        high = fmax(high, along);
    }
    return high - low;
}

static RbStatus flat(const Hull *h, const char *how) {
    return rb_fail(h->diag, RB_ERROR_MODEL, h->at,
                   "all %d points of %s %s; they must enclose a volume", h->count, called(h), how);
}

static RbStatus check_volume(const Hull *h) {
    double tol = RB_HULL_FLAT * h->size + h->noise;
    Vec3 a = h->points[farthest_from_point(h, h->points[0])];
    Vec3 b = h->points[farthest_from_point(h, a)];
    if (!(v3_distance(a, b) > h->noise)) return flat(h, "are the same");
    Vec3 line = v3_unit(v3_sub(b, a));
    Vec3 c = h->points[farthest_from_line(h, a, line)];
    if (!(distance_to_line(c, a, line) > tol)) return flat(h, "lie on a line");
    Vec3 normal = v3_unit(v3_cross(line, v3_sub(c, a)));
    if (!(thickness(h, a, normal) > tol)) return flat(h, "lie in a plane");
    return RB_OK;
}

// ---- qhull ----

// Qhull allocates with malloc and leaves by longjmp of its own. While it lives nothing of ours may
// jump, so its triangles are written to memory that was reserved before (a triangulated sphere of n
// vertices has 2 n - 4 triangles).
typedef struct Triangles {
    RbTriangle *data;
    int count, limit;
} Triangles;

static bool take_triangle(qhT *qh, facetT *facet, Triangles *out) {
    if (qh_setsize(qh, facet->vertices) != 3 || out->count == out->limit) return false;
    RbTriangle *t = &out->data[out->count++];
    for (int k = 0; k < 3; k++) {
        vertexT *vertex = SETelemt_(facet->vertices, k, vertexT);
        t->v[k] = qh_pointid(qh, vertex->point);
    }
    if (facet->toporient ^ qh_ORIENTclock) {
        int swap = t->v[0];
        t->v[0] = t->v[1];
        t->v[1] = swap;
    }
    return true;
}

static bool take_triangles(qhT *qh, Triangles *out) {
    for (facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next) {
        if (!take_triangle(qh, facet, out)) return false;
    }
    return true;
}

// Exit code of qhull, -1 if its result is not a set of triangles. What it says goes to `messages`.
static int run_qhull(double *coordinates, int count, FILE *messages, Triangles *out) {
    char command[] = "qhull Qt Pp"; // triangles; no warnings about precision
    qhT memory, *qh = &memory;
    qh_zero(qh, messages);
    int code = qh_new_qhull(qh, 3, count, coordinates, False, command, NULL, messages);
    if (code == 0 && !take_triangles(qh, out)) code = -1;
    int still_long, total_long;
    qh->NOerrexit = True;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &still_long, &total_long);
    return code;
}

static RbStatus qhull_failed(const Hull *h, int code, const char *said) {
    if (code == qh_ERRmem) return RB_ERROR_MEMORY;
    // It measures flatness by its own roundings, in the directions of its first simplex.
    if (code == qh_ERRsingular || code == qh_ERRprec) return flat(h, "lie almost in a plane");
    return rb_fail(h->diag, RB_ERROR_INTERNAL, h->at,
                   "%s of %d points could not be computed (qhull error %d: %.*s)", called(h),
                   h->count, code, (int)strcspn(said, "\n"), said);
}

// Coordinates of order one about the middle: qhull's tolerances are made for that. The scale is a
// power of two.
static double *scaled_coordinates(const Hull *h, RbArena *scratch) {
    double *x = rb_new_array(scratch, double, 3 * (size_t)h->count);
    int exponent;
    frexp(h->size, &exponent);
    for (int i = 0; i < h->count; i++) {
        Vec3 p = v3_sub(h->points[i], h->middle);
        x[3 * i] = ldexp(p.x, -exponent);
        x[3 * i + 1] = ldexp(p.y, -exponent);
        x[3 * i + 2] = ldexp(p.z, -exponent);
    }
    return x;
}

static RbStatus triangulate(const Hull *h, RbArena *scratch, Triangles *out) {
    double *coordinates = scaled_coordinates(h, scratch);
    *out = (Triangles){rb_new_array(scratch, RbTriangle, 2 * h->count), 0, 2 * h->count};
    char *said = NULL, first[200] = "";
    size_t length = 0;
    FILE *messages = open_memstream(&said, &length);
    if (!messages) rb_heap_fail(scratch->heap);
    int code = run_qhull(coordinates, h->count, messages, out);
    fclose(messages);
    if (said) snprintf(first, sizeof first, "%s", said);
    free(said); // before anything that may jump
    return code == 0 ? RB_OK : qhull_failed(h, code, first);
}

// ---- result ----

static Vec3 *about(const Hull *h, Vec3 origin, RbArena *arena) {
    Vec3 *shifted = rb_new_array(arena, Vec3, h->count);
    for (int i = 0; i < h->count; i++) shifted[i] = v3_sub(h->points[i], origin);
    return shifted;
}

static RbStatus make_core(const Hull *h, Triangles triangles, RbArena *keep, RbArena scratch,
                          RbCore *out) {
    RbMesh mesh = {h->points, h->count, triangles.data, triangles.count};
    Vec3 origin = rb_moments_of_mesh(&mesh).centroid;
    mesh.vertices = about(h, origin, &scratch);
    double tol = RB_POLYTOPE_PLANAR * h->size + h->noise;
    const char *why;
    const RbPolytope *p = rb_polytope_build(&mesh, tol, keep, scratch, &why);
    if (!p) {
        return rb_fail(h->diag, RB_ERROR_INTERNAL, h->at,
                       "%s of %d points could not be computed: %s", called(h), h->count, why);
    }
    Vec3 low = p->vertices[0], high = low;
    for (int i = 1; i < p->vertex_count; i++) {
        low = v3_min(low, p->vertices[i]);
        high = v3_max(high, p->vertices[i]);
    }
    *out = (RbCore){.kind = RB_CORE_POLYTOPE,
                    .size = v3_distance(low, high),
                    .frame = {origin, M3_IDENTITY},
                    .polytope = p};
    return RB_OK;
}

RbStatus rb_hull(const Vec3 *points, int count, const char *name, RbPos at, RbArena *keep,
                 RbArena scratch, RbDiag *diag, RbCore *out) {
    Hull h = {.points = points, .count = count, .name = name, .at = at, .diag = diag};
    Triangles triangles;
    RB_TRY(check_points(&h));
    RB_TRY(check_volume(&h));
    RB_TRY(triangulate(&h, &scratch, &triangles));
    return make_core(&h, triangles, keep, scratch, out);
}
