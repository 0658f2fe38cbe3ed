// SPDX-License-Identifier: MIT
#include "geom/inset.h"

#include "base/map.h"
#include "geom/hull.h"
#include "geom/polytope.h"

// Polar duality: the plane n . x = d is the point n/d; the hull of these points has a face for each vertex of the body, a vertex for each of its faces,
// and an edge for each edge. Faces of the hull are merged where they are coplanar, and so are the vertices of the body where more than three faces meet.

typedef struct Dual {
    const RbPolytope *hull;
    Vec3 origin; // of the planes, in its frame
    RbMap face;  // directed edge -> the face that it bounds
} Dual;

static uint64_t edge_key(int from, int to) {
    return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}

static void join(Dual *d, RbArena *arena) {
    const RbPolytope *h = d->hull;
    for (int f = 0; f < h->face_count; f++) {
        int first = h->face_start[f], n = h->face_start[f + 1] - first;
        for (int k = 0; k < n; k++)
            rb_map_set(&d->face, arena,
                       edge_key(h->face_vertices[first + k], h->face_vertices[first + (k + 1) % n]),
                       (uint64_t)f);
    }
}

static int vertex_after(const RbPolytope *h, int face, int vertex) {
    int first = h->face_start[face], n = h->face_start[face + 1] - first, k = 0;
    while (h->face_vertices[first + k] != vertex) k++;
    return h->face_vertices[first + (k + 1) % n];
}

// Faces of the hull around a vertex, clockwise seen from outside, from `face` on. Returns their number.
static int faces_around(const Dual *d, int vertex, int face, int *out) {
    int count = 0, f = face;
    do {
        out[count++] = f;
        f = (int)*rb_map_find(&d->face, edge_key(vertex_after(d->hull, f, vertex), vertex));
    } while (f != face && count < d->hull->face_count);
    return count;
}

static Vec3 *vertices_of(const Dual *d, Mat3 spread, RbArena *keep) {
    const RbPolytope *h = d->hull;
    Vec3 *x = rb_new_array(keep, Vec3, h->face_count);
    for (int f = 0; f < h->face_count; f++) {
        Vec3 n = h->face_normals[f];
        double offset = h->face_offsets[f] - v3_dot(n, d->origin);
        x[f] = m3_mul_vec(spread, v3_scale(1 / offset, n));
    }
    return x;
}

// Which plane each vertex of the hull is: they stand in the order of the points (hull.h).
static bool find_planes(const Dual *d, const Vec3 *points, int count, int *plane) {
    const RbPolytope *h = d->hull;
    int i = 0;
    for (int v = 0; v < h->vertex_count; v++, i++) {
        while (i < count && v3_distance(v3_add(points[i], d->origin), h->vertices[v]) > 0) i++;
        if (i == count) return false;
        plane[v] = i;
    }
    return true;
}

static void copy_faces(const Dual *d, const RbPlane *planes, const int *plane, RbArena *keep,
                       RbArena scratch, RbPolytope *p) {
    const RbPolytope *h = d->hull;
    int *first = rb_new_array(&scratch, int, h->vertex_count),
        *around = rb_new_array(&scratch, int, h->face_count);
    int *start = rb_new_array(keep, int, h->vertex_count + 1),
        *loops = rb_new_array(keep, int, h->face_start[h->face_count]);
    Vec3 *normals = rb_new_array(keep, Vec3, h->vertex_count);
    double *offsets = rb_new_array(keep, double, h->vertex_count);
    for (int f = 0; f < h->face_count; f++)
        for (int k = h->face_start[f]; k < h->face_start[f + 1]; k++)
            first[h->face_vertices[k]] = f;
    for (int v = 0; v < h->vertex_count; v++) {
        int count = faces_around(d, v, first[v], around);
        start[v + 1] = start[v] + count;
        normals[v] = planes[plane[v]].n;
        offsets[v] = -INFINITY;
        for (int k = 0; k < count; k++) {
            loops[start[v] + k] = around[count - 1 - k];
            offsets[v] = fmax(offsets[v], v3_dot(normals[v], p->vertices[around[k]]));
        }
    }
    p->face_count = h->vertex_count;
    p->face_start = start, p->face_vertices = loops;
    p->face_normals = normals, p->face_offsets = offsets;
}

static const RbPolytope *body_of(Dual *d, const Vec3 *points, const RbPlane *planes, int count,
                                 Mat3 spread, RbArena *keep, RbArena scratch) {
    RbPolytope *p = rb_new(keep, RbPolytope);
    int *plane = rb_new_array(&scratch, int, d->hull->vertex_count);
    if (!find_planes(d, points, count, plane)) return NULL;
    join(d, &scratch);
    p->vertex_count = d->hull->face_count;
    p->vertices = vertices_of(d, spread, keep);
    copy_faces(d, planes, plane, keep, scratch, p);
    return rb_polytope_join(p, keep, scratch) ? p : NULL;
}

RbStatus rb_polytope_of_planes(const RbPlane *planes, int count, Mat3 spread, RbArena *keep,
                               RbArena scratch, const RbPolytope **out) {
    Vec3 *points = rb_new_array(&scratch, Vec3, count);
    for (int i = 0; i < count; i++)
        points[i] = v3_scale(1 / planes[i].offset, m3_tmul_vec(spread, planes[i].n));
    RbArena *work = rb_arena_child(keep);
    RbDiag quiet = rb_diag(work);
    RbCore hull;
    *out = NULL;
    RbStatus status = rb_hull(points, count, NULL, RB_NOWHERE, work, scratch, &quiet, &hull);
    if (status == RB_OK) {
        Dual d = {.hull = hull.polytope, .origin = v3_neg(hull.frame.r)};
        *out = body_of(&d, points, planes, count, spread, keep, scratch);
    }
    rb_arena_free(work);
    return status == RB_ERROR_MEMORY ? status : RB_OK;
}
