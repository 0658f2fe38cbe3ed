// SPDX-License-Identifier: MIT
#include "geom/seams.h"

#include "geom/aabb.h"

// A face and what is left of it as parts are taken away.
typedef struct Face {
    const RbCore *parts;
    const int *near; // parts that may cover it
    int near_count;
    bool *used; // for each of them: it covers some of the face
    Vec3 n;
    double tol;
    int looks; // that may still be made
} Face;

typedef struct Polygon {
    Vec3 *p; // in the frame of the body
    int count;
} Polygon;

// Not wider than the tolerance.
static bool is_nothing(const Face *f, Polygon g) {
    Vec3 area = V3_ZERO;
    double around = 0;
    for (int k = 0; k < g.count; k++) {
        Vec3 a = v3_sub(g.p[k], g.p[0]), b = v3_sub(g.p[(k + 1) % g.count], g.p[0]);
        area = v3_add(area, v3_cross(a, b));
        around += v3_distance(a, b);
    }
    return g.count < 3 || v3_norm(area) < f->tol * around;
}

// How far a point just above the face is outside of a face of a part. Sideways gaps are none; but what lies in the same plane does not cover.
static double above(const Face *f, const RbCore *part, int face, Vec3 p) {
    Vec3 n = part->polytope->face_normals[face];
    double cosine = v3_dot(n, f->n), aside = sqrt(fmax(0, 1 - cosine * cosine));
    return v3_dot(n, v3_sub(p, part->frame.r)) - part->polytope->face_offsets[face] +
           f->tol * (cosine - 2 * aside);
}

// What lies on one side (+1: outside) of a face of a part.
static Polygon clipped(const Face *f, Polygon g, const RbCore *part, int face, double side,
                       RbArena *arena) {
    Polygon out = {rb_new_array(arena, Vec3, 2 * g.count), 0};
    for (int k = 0; k < g.count; k++) {
        Vec3 a = g.p[k], b = g.p[(k + 1) % g.count];
        double da = side * above(f, part, face, a), db = side * above(f, part, face, b);
        if (da >= 0) out.p[out.count++] = a;
        if ((da > 0 && db < 0) || (da < 0 && db > 0))
            out.p[out.count++] = v3_lerp(a, b, da / (da - db));
    }
    return out;
}

static bool meets(const Face *f, Polygon g, const RbCore *part, RbArena scratch) {
    for (int k = 0; k < part->polytope->face_count; k++) {
        g = clipped(f, g, part, k, -1, &scratch);
        if (is_nothing(f, g)) return false;
    }
    return true;
}

// Do parts from `first` on leave something of the polygon open?
static bool is_open(Face *f, Polygon g, int first, RbArena scratch) {
    if (is_nothing(f, g)) return false;
    while (first < f->near_count && !meets(f, g, &f->parts[f->near[first]], scratch)) first++;
    if (first == f->near_count || f->looks-- == 0) return true;
    const RbCore *part = &f->parts[f->near[first]];
    for (int k = 0; k < part->polytope->face_count; k++) {
        if (is_open(f, clipped(f, g, part, k, 1, &scratch), first + 1, scratch)) return true;
        g = clipped(f, g, part, k, -1, &scratch);
    }
    f->used[first] = true;
    return false;
}

static Polygon polygon_of(const RbCore *part, int face, RbArena *arena) {
    const RbPolytope *t = part->polytope;
    Polygon g = {rb_new_array(arena, Vec3, t->face_start[face + 1] - t->face_start[face]), 0};
    for (int k = t->face_start[face]; k < t->face_start[face + 1]; k++)
        g.p[g.count++] = v3_add(part->frame.r, t->vertices[t->face_vertices[k]]);
    return g;
}

static void note_parts(RbSeams *s, const Face *f, RbArena *keep) {
    for (int i = 0; i < f->near_count; i++) {
        bool known = !f->used[i];
        for (int k = 0; k < s->parts.count; k++) known |= s->parts.data[k] == f->near[i];
        if (!known) rb_array_push(&s->parts, keep, f->near[i]);
    }
}

static RbSeams seams_of(const RbCore *parts, int index, const int *near, int near_count, double tol,
                        RbArena *keep, RbArena scratch) {
    enum { MOST = 1000 }; // looks: a face in so many shreds is none that others lie on
    const RbPolytope *t = parts[index].polytope;
    RbSeams s = {.covered = rb_new_array(keep, bool, t->face_count)};
    for (int k = 0; k < t->face_count && near_count > 0; k++) {
        RbArena work = scratch;
        Face f = {.parts = parts,
                  .near = near,
                  .near_count = near_count,
                  .used = rb_new_array(&work, bool, near_count),
                  .n = t->face_normals[k],
                  .tol = tol,
                  .looks = MOST};
        Polygon g = polygon_of(&parts[index], k, &work);
        s.covered[k] = !is_nothing(&f, g) && !is_open(&f, g, 0, work);
        if (s.covered[k]) note_parts(&s, &f, keep);
    }
    return s;
}

RbSeams *rb_find_seams(const RbCore *parts, int count, double tol, RbArena *keep, RbArena scratch) {
    RbSeams *seams = rb_new_array(keep, RbSeams, count);
    RbAabb *boxes = rb_new_array(&scratch, RbAabb, count);
    int *near = rb_new_array(&scratch, int, count);
    for (int i = 0; i < count; i++)
        boxes[i] = rb_aabb_grow(rb_aabb_of_core(&parts[i], POSE_IDENTITY), tol);
    for (int i = 0; i < count; i++) {
        int near_count = 0;
        for (int k = 0; k < count; k++)
            if (k != i && rb_aabb_overlap(boxes[i], boxes[k])) near[near_count++] = k;
        seams[i] = seams_of(parts, i, near, near_count, tol, keep, scratch);
    }
    return seams;
}
