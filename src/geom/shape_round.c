// SPDX-License-Identifier: MIT
// Hulls and meshes with rounded edges: faces stay where they are (docs/theory/shapes.md, section 5).
#include "geom/inset.h"
#include "geom/moments.h"
#include "geom/seams.h"
#include "geom/shape.h"

typedef RB_ARRAY(RbPlane) Planes;

#define SAME_ANGLE 1e-5 // [rad] normals of planes that are the same

typedef struct Rounding {
    const RbCore *parts;
    int count;
    double *radius; // [m] of each part
    RbSeams *seams; // NULL: there is one part
    double tol;     // [m] planes and points that are so near are the same
    RbArena *keep;
} Rounding;

static RbPlane plane_of(const RbCore *part, int face, Vec3 origin) {
    Vec3 n = part->polytope->face_normals[face];
    return (RbPlane){n,
                     part->polytope->face_offsets[face] + v3_dot(n, v3_sub(part->frame.r, origin))};
}

// At most a tenth of the thickness, like the edges of a box: a fifth of the depth of the centroid, which is the origin of the frame.
static double radius_of(const RbCore *part, double wanted) {
    double depth = INFINITY;
    for (int k = 0; k < part->polytope->face_count; k++)
        depth = fmin(depth, part->polytope->face_offsets[k]);
    return fmin(fmax(wanted, RB_LEAST_SMOOTHING * 2 * depth), 0.2 * depth);
}

// Does a part lie on this face with a face of its own that is larger, so that it is rounded there?
static bool is_on_larger(const Rounding *r, int i, int face) {
    const RbCore *part = &r->parts[i];
    RbPlane p = plane_of(part, face, V3_ZERO);
    for (int k = 0; k < r->seams[i].parts.count; k++) {
        int other = r->seams[i].parts.data[k];
        for (int f = 0; f < r->parts[other].polytope->face_count; f++) {
            RbPlane q = plane_of(&r->parts[other], f, V3_ZERO);
            if (!r->seams[other].covered[f] && fabs(q.offset + p.offset) < r->tol &&
                v3_distance(v3_neg(q.n), p.n) < SAME_ANGLE)
                return true;
        }
    }
    return false;
}

// How far the core stays behind a face. Where parts lie on it, it does not: the round edges of neighbours meet on their common face. If that of the other
// one is larger they meet as far behind it as its own core is. But no round edge reaches farther into a part than a fifth of its thickness.
static double inset_of(const Rounding *r, int i, int face) {
    double radius = r->radius[i], least = radius;
    if (!r->seams || !r->seams[i].covered[face]) return radius;
    for (int k = 0; k < r->seams[i].parts.count; k++)
        least = fmin(least, r->radius[r->seams[i].parts.data[k]]);
    return fmax(is_on_larger(r, i, face) ? -radius : 0, radius - 2 * least);
}

// Is the part behind the plane?
static bool is_behind(const RbCore *part, RbPlane p, double tol) {
    for (int i = 0; i < part->polytope->vertex_count; i++)
        if (v3_dot(p.n, part->polytope->vertices[i]) > p.offset + tol) return false;
    return true;
}

static bool is_known(const Planes *planes, RbPlane p, double tol) {
    for (int i = 0; i < planes->count; i++) {
        const RbPlane *q = &planes->data[i];
        if (fabs(q->offset - p.offset) < tol && v3_distance(q->n, p.n) < SAME_ANGLE) return true;
    }
    return false;
}

// Beyond a seam the faces of the part that lies there bound what may be filled, where the body is convex.
static void add_beyond_seams(const Rounding *r, int i, Planes *planes, RbArena *arena) {
    const RbCore *part = &r->parts[i];
    for (int k = 0; r->seams && k < r->seams[i].parts.count; k++) {
        int other = r->seams[i].parts.data[k];
        for (int f = 0; f < r->parts[other].polytope->face_count; f++) {
            RbPlane p = plane_of(&r->parts[other], f, part->frame.r);
            if (r->seams[other].covered[f] || is_known(planes, p, r->tol)) continue;
            if (is_behind(part, p, r->tol)) rb_array_push(planes, arena, p);
        }
    }
}

// The axes of inertia and how far the part reaches along them.
static Mat3 spread_of(const RbCore *part) {
    RbMoments m = rb_moments_of_polytope(part);
    Vec3 values;
    Mat3 axes;
    m3_eigen(m3_scale(5 / m.volume, m.second), &values, &axes);
    Vec3 s = v3(sqrt(values.x), sqrt(values.y), sqrt(values.z));
    return m3_mul(axes, m3_diagonal(s));
}

static double size_of(const RbPolytope *p) {
    Vec3 low = p->vertices[0], high = low;
    for (int i = 1; i < p->vertex_count; i++) {
        low = v3_min(low, p->vertices[i]);
        high = v3_max(high, p->vertices[i]);
    }
    return v3_distance(low, high);
}

// How far a point lies beyond the round surface of another part, where that is no seam; -infinity: it is not there at all.
static double beyond(const Rounding *r, int other, Vec3 p, double radius) {
    const RbPolytope *t = r->parts[other].polytope;
    double most = -INFINITY;
    Vec3 x = v3_sub(p, r->parts[other].frame.r);
    for (int f = 0; f < t->face_count; f++) {
        double out = v3_dot(t->face_normals[f], x) - t->face_offsets[f];
        if (out > radius) return -INFINITY;
        if (!r->seams[other].covered[f]) most = fmax(most, out + radius);
    }
    return most;
}

// Does the core come out of the parts that lie on a seam? They may be thin there, or fall away from it. Such seams are closed to it.
static bool close_seams(const Rounding *r, int i, const RbPolytope *core, bool *closed) {
    const RbPolytope *t = r->parts[i].polytope;
    bool any = false;
    for (int f = 0; r->seams && f < t->face_count; f++) {
        if (!r->seams[i].covered[f] || closed[f]) continue;
        for (int v = 0; v < core->vertex_count && !closed[f]; v++) {
            if (v3_dot(t->face_normals[f], core->vertices[v]) < t->face_offsets[f] - r->tol)
                continue;
            Vec3 p = v3_add(r->parts[i].frame.r, core->vertices[v]);
            for (int k = 0; k < r->seams[i].parts.count; k++)
                closed[f] |= beyond(r, r->seams[i].parts.data[k], p, r->radius[i]) > 2 * r->tol;
        }
        any |= closed[f];
    }
    return any;
}

static Planes planes_of(const Rounding *r, int i, const bool *closed, RbArena *arena) {
    const RbCore *part = &r->parts[i];
    int own = part->polytope->face_count;
    Planes planes = {0};
    for (int f = 0; f < own; f++) rb_array_push(&planes, arena, plane_of(part, f, part->frame.r));
    add_beyond_seams(r, i, &planes, arena);
    for (int f = 0; f < planes.count; f++)
        planes.data[f].offset -= f < own && !closed[f] ? inset_of(r, i, f) : r->radius[i];
    return planes;
}

// A part that cannot be rounded stays sharp.
static RbStatus round_part(const Rounding *r, int i, RbArena scratch, RbCore *out) {
    const RbCore *part = &r->parts[i];
    bool *closed = rb_new_array(&scratch, bool, part->polytope->face_count);
    const RbPolytope *core;
    *out = *part;
    do {
        RbArena work = scratch;
        Planes planes = planes_of(r, i, closed, &work);
        RB_TRY(rb_polytope_of_planes(planes.data, planes.count, spread_of(part), r->keep, work,
                                     &core));
        if (!core) return RB_OK;
    } while (close_seams(r, i, core, closed));
    out->polytope = core;
    out->radius = r->radius[i];
    out->size = size_of(core) + 2 * r->radius[i];
    return RB_OK;
}

// Parts that meet are rounded alike, by what the thinnest allows: otherwise the round edge of a thick one would be a groove beside a thin one. But
// none is sharp.
static void share_radius(Rounding *r) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < r->count; i++) {
            for (int k = 0; k < r->seams[i].parts.count; k++) {
                double *a = &r->radius[i], *b = &r->radius[r->seams[i].parts.data[k]];
                changed = changed || *a != *b;
                *a = *b = fmin(*a, *b);
            }
        }
    }
    for (int i = 0; i < r->count; i++)
        r->radius[i] = fmax(r->radius[i], radius_of(&r->parts[i], 0));
}

RbStatus rb_shape_round(RbShape *shape, RbArena *keep, RbArena scratch) {
    shape->rounded = NULL;
    if (shape->part_count == 0 || shape->radius > 0 || shape->smoothing < 0) return RB_OK;
    int n = shape->part_count;
    Rounding r = {.parts = shape->parts,
                  .count = n,
                  .radius = rb_new_array(&scratch, double, n),
                  .keep = keep};
    double size = 0, least = INFINITY;
    for (int i = 0; i < n; i++) {
        r.radius[i] = radius_of(&shape->parts[i], shape->smoothing);
        least = fmin(least, r.radius[i]);
        size = fmax(size, v3_norm(shape->parts[i].frame.r) + shape->parts[i].size);
    }
    r.tol = fmin(1e-6 * size, 0.01 * least);
    RbArena *work = rb_arena_child(keep);
    if (n > 1) {
        r.seams = rb_find_seams(shape->parts, n, r.tol, work, scratch);
        share_radius(&r);
    }
    RbCore *cores = rb_new_array(keep, RbCore, n);
    RbStatus status = RB_OK;
    for (int i = 0; i < n && status == RB_OK; i++) status = round_part(&r, i, scratch, &cores[i]);
    rb_arena_free(work);
    RB_TRY(status);
    shape->rounded = cores;
    return RB_OK;
}
