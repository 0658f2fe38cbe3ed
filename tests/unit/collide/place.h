// SPDX-License-Identifier: MIT
// place.h: poses whose distance is known by construction. A point of a core's surface and a normal
// from its normal cone are drawn at random, on faces, edges, rims, sides and vertices alike; B is
// turned so that its own normal is opposite and placed so that the two points are d apart along it.
// While d > 0 this pair of points is closest, because the cores lie on opposite sides of the two
// planes.
#pragma once

#include "shapes.h"

typedef struct Place {
    Vec3 point; // frame C
    Vec3 normal;
} Place;

static inline double random_sign(RbRng *rng) {
    return rb_rng_int(rng, 2) ? 1 : -1;
}

// Faces have one active coordinate, edges two, vertices three.
static inline Place place_on_box(Vec3 h, RbRng *rng) {
    double p[3], n[3];
    int active = 1 + rb_rng_int(rng, 7);
    for (int i = 0; i < 3; i++) {
        double s = random_sign(rng), hi = v3_get(h, i);
        bool on = active >> i & 1;
        p[i] = on ? s * hi : rb_rng_range(rng, -hi, hi);
        n[i] = on ? s * (0.02 + rb_rng_unit(rng)) : 0;
    }
    return (Place){v3_load(p), v3_unit(v3_load(n))};
}

// In the half plane (s, z): piece 0 side, 1 cap, 2 rim.
static inline Place place_on_frustum(Vec3 h, RbRng *rng) {
    double slant = hypot(2 * h.z, h.x - h.y), cosine = 2 * h.z / slant, sine = (h.x - h.y) / slant;
    double angle = 6.283185307179586 * rb_rng_unit(rng), t = rb_rng_unit(rng),
           end = random_sign(rng);
    double rim = end > 0 ? h.y : h.x, s = rim, z = end * h.z, ns = 0, nz = end;
    switch (rb_rng_int(rng, 3)) {
        case 0: s = h.x + t * (h.y - h.x), z = -h.z + t * 2 * h.z, ns = cosine, nz = sine; break;
        case 1: s = rim * sqrt(t); break;
        default: ns = t * cosine, nz = t * sine + (1 - t) * end;
    }
    double c = cos(angle), si = sin(angle);
    return (Place){v3(s * c, s * si, z), v3_unit(v3(ns * c, ns * si, nz))};
}

static inline Place place_on_beam(Vec3 h, RbRng *rng) {
    bool straight = rb_rng_int(rng, 2), cap = rb_rng_int(rng, 2), side = !cap || rb_rng_int(rng, 2);
    double end = random_sign(rng), angle = 3.14159265358979 * (rb_rng_unit(rng) - 0.5);
    Vec3 out = straight ? v3(0, random_sign(rng), 0) : v3(end * cos(angle), sin(angle), 0);
    Vec3 axis = straight ? v3(rb_rng_range(rng, -h.x, h.x), 0, 0) : v3(end * h.x, 0, 0);
    Place p = {v3_axpy(axis, side ? h.y : h.y * rb_rng_unit(rng), out), side ? out : V3_ZERO};
    double z = random_sign(rng);
    p.point.z = cap ? z * h.z : rb_rng_range(rng, -h.z, h.z);
    if (cap) p.normal.z = z * (0.02 + rb_rng_unit(rng));
    p.normal = v3_unit(p.normal);
    return p;
}

// Vertex: a positive combination of the normals of its faces; edge: of two; face: its own.
static inline Place place_on_polytope(const RbPolytope *t, RbRng *rng) {
    int f = rb_rng_int(rng, t->face_count), e = rb_rng_int(rng, t->edge_count),
        kind = rb_rng_int(rng, 3);
    const int *v = &t->face_vertices[t->face_start[f]];
    Vec3 a = t->vertices[v[0]];
    double s = rb_rng_unit(rng), u = rb_rng_unit(rng) * (1 - s);
    if (kind == 0) {
        Vec3 p =
            v3_axpy(v3_axpy(a, s, v3_sub(t->vertices[v[1]], a)), u, v3_sub(t->vertices[v[2]], a));
        return (Place){p, t->face_normals[f]};
    }
    if (kind == 1) {
        Vec3 p = v3_lerp(t->vertices[t->edges[e][0]], t->vertices[t->edges[e][1]], s);
        Vec3 n =
            v3_lerp(t->face_normals[t->edge_faces[e][0]], t->face_normals[t->edge_faces[e][1]], u);
        return (Place){p, v3_unit(n)};
    }
    Vec3 n = V3_ZERO;
    for (int k = 0; k < t->face_count; k++) {
        const int *w = &t->face_vertices[t->face_start[k]];
        if (w[0] == v[0] || w[1] == v[0] || w[2] == v[0])
            n = v3_axpy(n, rb_rng_unit(rng), t->face_normals[k]);
    }
    return (Place){a, v3_unit(n)};
}

static inline Place random_place(const RbCore *c, RbRng *rng) {
    Vec3 h = c->h, n = rb_rng_direction(rng);
    switch (c->kind) {
        case RB_CORE_SEGMENT:
            if (rb_rng_int(rng, 2)) return (Place){v3(0, 0, copysign(h.z, n.z)), n};
            return (Place){v3(0, 0, rb_rng_range(rng, -h.z, h.z)), v3_unit(v3(n.x, n.y, 0))};
        case RB_CORE_BOX: return place_on_box(h, rng);
        case RB_CORE_CYLINDER: return place_on_frustum(v3(h.x, h.x, h.z), rng);
        case RB_CORE_FRUSTUM: return place_on_frustum(h, rng);
        case RB_CORE_BEAM: return place_on_beam(h, rng);
        case RB_CORE_ELLIPSOID: {
            Vec3 u = v3_mul(h, n);
            return (Place){v3_scale(1 / v3_norm(u), v3_mul(h, u)), n};
        }
        case RB_CORE_POLYTOPE: return place_on_polytope(c->polytope, rng);
        default: return (Place){V3_ZERO, n};
    }
}

// On the flat end of a round core, the wide one of a cone.
static inline Place place_on_end(const RbCore *c, RbRng *rng) {
    double angle = 6.283185307179586 * rb_rng_unit(rng), s = sqrt(rb_rng_unit(rng));
    bool beam = c->kind == RB_CORE_BEAM;
    double r = s * (beam ? c->h.y : c->h.x), x = beam ? rb_rng_range(rng, -c->h.x, c->h.x) : 0;
    return (Place){v3(x + r * cos(angle), r * sin(angle), -c->h.z), v3(0, 0, -1)};
}

// Inside of a face of a box or polytope.
static inline Place place_on_face(const RbCore *c, RbRng *rng) {
    if (c->kind == RB_CORE_BOX) {
        double x = rb_rng_range(rng, -c->h.x, c->h.x), y = rb_rng_range(rng, -c->h.y, c->h.y);
        return (Place){v3(x, y, c->h.z), v3(0, 0, 1)};
    }
    const RbPolytope *t = c->polytope;
    int f = rb_rng_int(rng, t->face_count);
    const int *v = &t->face_vertices[t->face_start[f]];
    double s = rb_rng_unit(rng), u = rb_rng_unit(rng) * (1 - s);
    Vec3 a = t->vertices[v[0]], b = t->vertices[v[1]], d = t->vertices[v[2]];
    return (Place){v3_axpy(v3_axpy(a, s, v3_sub(b, a)), u, v3_sub(d, a)), t->face_normals[f]};
}

// Shape B against shape A with the two places opposite each other.
typedef struct Placement {
    Pose X_AB;   // at surface distance zero
    Vec3 normal; // from A to B, frame of shape A: X_AB.r + d normal has signed distance d
} Placement;

static inline Placement placement_of(const RbCore *a, const RbCore *b, Place pa, Place pb,
                                     RbRng *rng) {
    Vec3 n = m3_mul_vec(a->frame.R, pa.normal), m = m3_mul_vec(b->frame.R, pb.normal);
    // turn m into -n, after any turn about m
    Quat spin = q_rotation(m, 6.283185307179586 * rb_rng_unit(rng));
    Vec3 axis = v3_unit_or(v3_cross(m, v3_neg(n)), v3_perpendicular(n));
    Quat turn = q_rotation(axis, atan2(v3_norm(v3_cross(m, n)), -v3_dot(m, n)));
    Pose X = pose(V3_ZERO, q_mul(turn, spin));
    Vec3 on_a = v3_axpy(pose_point(a->frame, pa.point), a->radius, n);
    Vec3 on_b = v3_axpy(pose_point(b->frame, pb.point), b->radius, m);
    X.r = v3_sub(on_a, m3_mul_vec(X.R, on_b));
    return (Placement){X, n};
}

static inline Placement random_placement(const RbCore *a, const RbCore *b, RbRng *rng) {
    Place pa = random_place(a, rng), pb = random_place(b, rng);
    return placement_of(a, b, pa, pb, rng);
}
