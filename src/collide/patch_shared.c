// SPDX-License-Identifier: MIT
#include "collide/patch_shared.h"

enum { CORNERS = 96 };

typedef struct Polygon {
    int count;
    Vec3 p[CORNERS];
} Polygon;

// ---- faces of a core, in its frame

static int face_count(const RbCore *c) {
    return c->kind == RB_CORE_BOX ? 6 : c->polytope->face_count;
}

// How far p lies inside of a face.
static double inside(const RbCore *c, int face, Vec3 p) {
    if (c->kind == RB_CORE_BOX)
        return v3_get(c->h, face / 2) - (face % 2 ? -1 : 1) * v3_get(p, face / 2);
    return c->polytope->face_offsets[face] - v3_dot(c->polytope->face_normals[face], p);
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
            out->p[out->count++] = v3_load(q);
        }
        return;
    }
    for (int k = t->face_start[face]; k < t->face_start[face + 1] && out->count < CORNERS; k++)
        out->p[out->count++] = t->vertices[t->face_vertices[k]];
}

// ---- the part of a face inside of the other core

static void cut(Polygon *f, const double *depth) {
    Polygon out;
    out.count = 0;
    for (int k = 0; k < f->count && out.count < CORNERS - 1; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        bool here = depth[k] >= 0, there = depth[next] >= 0;
        if (here) out.p[out.count++] = f->p[k];
        if (here != there)
            out.p[out.count++] = v3_lerp(f->p[k], f->p[next], depth[k] / (depth[k] - depth[next]));
    }
    f->count = out.count;
    for (int k = 0; k < out.count; k++) f->p[k] = out.p[k];
}

static void cut_by(const RbCore *c, Polygon *f) {
    double depth[CORNERS];
    for (int i = 0; i < face_count(c) && f->count > 0; i++) {
        bool cuts = false;
        for (int k = 0; k < f->count; k++) {
            depth[k] = inside(c, i, f->p[k]);
            cuts = cuts || depth[k] < 0;
        }
        if (cuts) cut(f, depth);
    }
}

// Over the surface: ∫ dS, ∫ p x dS, ∫ p . dS
typedef struct Surface {
    Vec3 area, moment;
    double cone;
} Surface;

// Triangles have the mean of their corners for a centroid.
static void add_surface(const Polygon *f, Vec3 origin, Surface *out) {
    for (int k = 1; k + 1 < f->count; k++) {
        Vec3 a = v3_sub(f->p[0], origin), b = v3_sub(f->p[k], origin),
             c = v3_sub(f->p[k + 1], origin);
        Vec3 dS = v3_scale(0.5, v3_cross(v3_sub(b, a), v3_sub(c, a)));
        Vec3 middle = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
        out->area = v3_add(out->area, dS);
        out->moment = v3_add(out->moment, v3_cross(middle, dS));
        out->cone += v3_dot(middle, dS);
    }
}

// The faces of core i inside of the other one, about the origin. shift: of core i.
static Surface surface_inside(const RbPatchPair *p, int i, Vec3 shift, Vec3 origin) {
    const RbCore *other = p->core[1 - i];
    Pose X = p->X[i], to = p->X[1 - i];
    Surface out = {.cone = 0};
    X.r = v3_add(X.r, shift);
    Pose relative = pose_relative(to, X);
    origin = pose_unpoint(to, origin);
    for (int k = 0; k < face_count(p->core[i]); k++) {
        Polygon f;
        face_of(p->core[i], k, &f);
        for (int j = 0; j < f.count; j++) f.p[j] = pose_point(relative, f.p[j]);
        cut_by(other, &f);
        add_surface(&f, origin, &out);
    }
    out.area = m3_mul_vec(to.R, out.area), out.moment = m3_mul_vec(to.R, out.moment);
    return out;
}

static void put(RbContactPlane plane, double sign, Vec3 f, Vec3 t, double out[6]) {
    const Vec3 axes[3] = {plane.u, plane.v, plane.n};
    for (int k = 0; k < 3; k++)
        out[k] = sign * v3_dot(axes[k], f), out[3 + k] = sign * v3_dot(axes[k], t);
}

// A surface that moves outwards adds to the volume. A turns about the origin before it is moved.
RbShared rb_shared_volume(const RbPatchPair *p, RbContactPlane plane) {
    Vec3 shift = v3_scale(p->radius, plane.n);
    // core B meets core A where that was moved to
    Surface a = surface_inside(p, 0, shift, plane.origin);
    Surface b = surface_inside(p, 1, v3_neg(shift), v3_sub(plane.origin, shift));
    RbShared out = {.volume = (a.cone + b.cone) / 3};
    put(plane, 1, b.area, b.moment, out.by_b);
    put(plane, -1, a.area, v3_sub(a.moment, v3_cross(shift, a.area)), out.by_a);
    return out;
}
