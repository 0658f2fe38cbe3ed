// SPDX-License-Identifier: MIT
#include "collide/patch_shared.h"

#include <math.h>

#include "geom/front.h"
#include "geom/support.h"

enum { CORNERS = 96 };

// from[k]: the face of the other core that cut off what was beyond the side from corner k to the next; -1: none, it is an edge.
typedef struct Polygon {
    int count;
    Vec3 p[CORNERS];
    int from[CORNERS];
} Polygon;

// ---- faces of a core, in its frame

static int face_count(const RbCore *c) {
    return c->kind == RB_CORE_BOX ? 6 : c->polytope->face_count;
}

static inline Vec3 normal_of(const RbCore *c, int face) {
    static const Vec3 box[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    return c->kind == RB_CORE_BOX ? box[face] : c->polytope->face_normals[face];
}

// Inside of a face is n . p <= offset.
static inline double offset_of(const RbCore *c, int face) {
    return c->kind == RB_CORE_BOX ? v3_get(c->h, face / 2) : c->polytope->face_offsets[face];
}

static void add_corner(Polygon *f, Vec3 p, int from) {
    f->p[f->count] = p, f->from[f->count++] = from;
}

// Counter-clockwise seen from outside.
static void face_of(const RbCore *c, int face, Polygon *out) {
    const RbPolytope *t = c->polytope;
    out->count = 0;
    if (c->kind == RB_CORE_BOX) {
        double side = face % 2 ? -1 : 1, x = side * v3_get(c->h, face / 2);
        double y = v3_get(c->h, (face / 2 + 1) % 3), z = v3_get(c->h, (face / 2 + 2) % 3);
        for (int k = 0; k < 4; k++) {
            double q[3];
            q[face / 2] = x;
            q[(face / 2 + 1) % 3] = k == 0 || k == 3 ? -y : y;
            q[(face / 2 + 2) % 3] = side * (k < 2 ? -z : z);
            add_corner(out, v3_load(q), -1);
        }
        return;
    }
    for (int k = t->face_start[face]; k < t->face_start[face + 1] && out->count < CORNERS; k++)
        add_corner(out, t->vertices[t->face_vertices[k]], -1);
}

// ---- the part of a face inside of the other core

// A part of a face and room for its next cut.
typedef struct Cutting {
    Polygon *part, *room;
} Cutting;

// by: the face that cuts
static void cut(Cutting *c, const double *depth, int by) {
    const Polygon *f = c->part;
    Polygon *out = c->room;
    out->count = 0;
    for (int k = 0; k < f->count && out->count < CORNERS - 1; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        bool here = depth[k] >= 0, there = depth[next] >= 0;
        if (here) add_corner(out, f->p[k], f->from[k]);
        if (here != there)
            add_corner(out, v3_lerp(f->p[k], f->p[next], depth[k] / (depth[k] - depth[next])),
                       here ? by : f->from[k]);
    }
    c->room = c->part, c->part = out;
}

// Which faces reach into the layer across the normal in which both cores are. Elsewhere nothing is shared, so that no other face bounds what is.
enum { NEAR = 512 };

typedef struct Near {
    Vec3 m;               // outwards, in the frame of the core
    double least;         // [m] along m: where the layer begins
    double extent, flush; // [m] of what is shared, at most; faces that are no further apart are one
    double apart;         // [m] corners of one of such a pair are less apart from the other
    bool all;             // faces, and the layer cuts nothing
    int count;
    int face[NEAR];
} Near;

// depth: of the layer
static void find_near(const RbCore *c, Vec3 m, double depth, Near *out) {
    int foremost = 0;
    out->m = m, out->least = v3_dot(m, rb_core_support(c, m, &foremost)) - depth;
    out->count = face_count(c), out->all = c->kind == RB_CORE_BOX;
    if (out->all) return;
    int count = rb_front_faces(c->polytope, m, foremost, out->least, 0, NEAR, out->face);
    out->all = count == NEAR;
    if (!out->all) out->count = count;
}

static int near_face(const Near *n, int k) {
    return n->all ? k : n->face[k];
}

// Where a face of A lies in one of B, both looking the same way, that of A counts for both: where both cross, and how much of each counts, would be rounding. That
// is decided once, so that it is neither left out nor counted twice.
enum { FLUSH = 16 };

typedef struct Flush {
    int count, of_a[FLUSH], of_b[FLUSH];
} Flush;

// f: a part of a face of A with the normal n; pole: in the middle of what is shared.
static bool are_flush(const RbCore *b, int face, const Polygon *f, Vec3 n, Vec3 pole,
                      const Near *near) {
    if (!(v3_distance(n, normal_of(b, face)) * near->extent <= near->flush)) return false;
    double inside = offset_of(b, face) - v3_dot(normal_of(b, face), pole);
    return fabs(v3_dot(n, v3_sub(f->p[0], pole)) - inside) <= near->flush;
}

static bool find_flush(const Flush *flush, int of_a, int of_b) {
    for (int i = 0; i < flush->count; i++)
        if (flush->of_a[i] == of_a && flush->of_b[i] == of_b) return true;
    return false;
}

// A face that is cut.
typedef struct Face {
    int body, face;
    Vec3 n;
} Face;

static bool is_flush(const RbCore *c, const Near *near, int face, const Face *own, Vec3 pole,
                     const Polygon *f, double depth, Flush *flush) {
    if (own->body == 1) return flush->count > 0 && find_flush(flush, face, own->face);
    if (!(fabs(depth) < near->apart) || flush->count == FLUSH) return false;
    if (!are_flush(c, face, f, own->n, pole, near)) return false;
    flush->of_a[flush->count] = own->face, flush->of_b[flush->count++] = face;
    return true;
}

static void cut_by(const RbCore *c, const Near *near, const Face *own, Vec3 pole, Flush *flush,
                   Cutting *t) {
    double depth[CORNERS];
    for (int i = 0; i < near->count && t->part->count > 0; i++) {
        const Polygon *f = t->part;
        int face = near_face(near, i);
        Vec3 n = normal_of(c, face);
        double offset = offset_of(c, face);
        bool cuts = false, leaves = false;
        for (int k = 0; k < f->count; k++) {
            depth[k] = offset - v3_dot(n, f->p[k]);
            cuts |= depth[k] < 0, leaves |= depth[k] >= 0;
        }
        if (is_flush(c, near, face, own, pole, f, depth[0], flush))
            t->part->count = own->body == 0 ? f->count : 0;
        else if (!leaves)
            t->part->count = 0;
        else if (cuts)
            cut(t, depth, face);
    }
}

static void cut_by_layer(const Near *own, Cutting *t) {
    double depth[CORNERS];
    if (own->all) return;
    for (int k = 0; k < t->part->count; k++) depth[k] = v3_dot(own->m, t->part->p[k]) - own->least;
    cut(t, depth, -1);
}

// Over the surface: ∫ dS, ∫ p x dS, ∫ (m.p) m.dS; and how the first one changes as it moves. m: along the way. The last one over all of the border is the volume, as
// ∫ p.dS/3 is, but what is shared is low along the way, however wide it is, and sides along it do not count. (Where sides of both bodies are nearly flush it is not known
// well to which one the border belongs, and of what was 0.3 m away 6e-6 of the volume were lost or counted twice.)
typedef struct Surface {
    Vec3 area, moment;
    double volume;
    Mat3 bend;
} Surface;

// A face with the normal n that moves by d is cut by the other core's face with the normal m a way -d.m/sin(n, m) later.
static void add_bend(const RbCore *other, const Polygon *f, Vec3 n, Surface *out) {
    const double flush = 1e-14;
    for (int k = 0; k < f->count; k++) {
        if (f->from[k] < 0) continue;
        Vec3 m = normal_of(other, f->from[k]);
        double length = v3_distance(f->p[k], f->p[k + 1 == f->count ? 0 : k + 1]);
        double by = -length / fmax(flush, v3_norm(v3_cross(n, m)));
        out->bend = m3_add(out->bend, m3_scale(by, m3_outer(n, m)));
    }
}

// Triangles have the mean of their corners for a centroid. (Long narrow ones know their normal n badly from their corners: of what an edge
// shares at a depth of 1e-8 of its length a thousandth was rounding.)
static void add_surface(const Polygon *f, Vec3 n, Vec3 m, Vec3 origin, Surface *out) {
    for (int k = 1; k + 1 < f->count; k++) {
        Vec3 a = v3_sub(f->p[0], origin), b = v3_sub(f->p[k], origin),
             c = v3_sub(f->p[k + 1], origin);
        Vec3 dS = v3_scale(0.5 * v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a))), n);
        Vec3 middle = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
        out->area = v3_add(out->area, dS);
        out->moment = v3_add(out->moment, v3_cross(middle, dS));
        out->volume += v3_dot(m, middle) * v3_dot(m, dS);
    }
}

// The faces of core i inside of the other one, about the origin; A comes first. shift: of core i, along m.
static Surface surface_inside(const RbPatchPair *p, const Near near[2], int i, Vec3 shift, Vec3 m,
                              Vec3 origin, Flush *flush) {
    const RbCore *core = p->core[i], *other = p->core[1 - i];
    Pose X = p->X[i], to = p->X[1 - i];
    Surface out = {.volume = 0};
    X.r = v3_add(X.r, shift);
    Pose relative = pose_relative(to, X);
    origin = pose_unpoint(to, origin), m = m3_tmul_vec(to.R, m);
    for (int k = 0; k < near[i].count; k++) {
        int face = near_face(&near[i], k);
        Polygon one, two;
        Cutting c = {&one, &two};
        face_of(core, face, &one);
        cut_by_layer(&near[i], &c);
        for (int j = 0; j < c.part->count; j++) c.part->p[j] = pose_point(relative, c.part->p[j]);
        Vec3 n = m3_mul_vec(relative.R, normal_of(core, face));
        cut_by(other, &near[1 - i], &(Face){i, face, n}, origin, flush, &c);
        if (c.part->count == 0) continue;
        add_surface(c.part, n, m, origin, &out);
        add_bend(other, c.part, n, &out);
    }
    out.area = m3_mul_vec(to.R, out.area), out.moment = m3_mul_vec(to.R, out.moment);
    out.bend = m3_mul(to.R, m3_mul(out.bend, m3_transpose(to.R)));
    return out;
}

static void put(RbContactPlane plane, double sign, Vec3 f, Vec3 t, double out[6]) {
    const Vec3 axes[3] = {plane.u, plane.v, plane.n};
    for (int k = 0; k < 3; k++)
        out[k] = sign * v3_dot(axes[k], f), out[3 + k] = sign * v3_dot(axes[k], t);
}

// Next to it everything that is shared by little is: what sums of cones would lose by rounding about another point.
static Vec3 pole_of(const RbPatchPair *p) {
    return v3_axpy(p->gap->point_b, p->core[1]->radius, p->gap->normal);
}

// A surface that moves outwards adds to the volume. A turns about the origin before it is moved.
RbShared rb_shared_volume(const RbPatchPair *p, RbContactPlane plane) {
    Vec3 shift = v3_scale(p->radius, plane.n), pole = pole_of(p);
    Near near[2];
    double depth = rb_look_along(p, plane).depth;
    double smaller = fmin(p->core[0]->size, p->core[1]->size),
           larger = fmax(p->core[0]->size, p->core[1]->size);
    if (!(depth > 0)) return (RbShared){.volume = 0};
    for (int i = 0; i < 2; i++) {
        Vec3 m = v3_scale(i ? -1 : 1, m3_tmul_vec(p->X[i].R, plane.n));
        find_near(p->core[i], m, (1 + 1e-6) * depth, &near[i]);
        near[i].extent = smaller;
        near[i].flush = fmax(1e-14 * near[i].extent, 1e-10 * depth);
        near[i].apart = 4 * near[i].flush * larger / near[i].extent;
    }
    Flush flush;
    flush.count = 0;
    // core B meets core A where that was moved to
    Surface a = surface_inside(p, near, 0, shift, plane.n, pole, &flush);
    Surface b = surface_inside(p, near, 1, v3_neg(shift), plane.n, v3_sub(pole, shift), &flush);
    Vec3 lever = v3_sub(pole, plane.origin), moved = v3_sub(lever, shift);
    RbShared out = {.volume = a.volume + b.volume, .bend = a.bend};
    put(plane, 1, b.area, v3_add(b.moment, v3_cross(lever, b.area)), out.by_b);
    put(plane, -1, a.area, v3_add(a.moment, v3_cross(moved, a.area)), out.by_a);
    return out;
}
