// SPDX-License-Identifier: MIT
// shapes.h: random cores of all kinds, and poses at a chosen signed distance, for the tests of
// collide.
#pragma once

#include <stdlib.h>

#include "collide/distance.h"
#include "math/rng.h"
#include "testing.h"

// ORDER shape names
typedef enum TestShape {
    SPHERE,
    ELLIPSOID,
    BOX,
    CYLINDER,
    CONE,
    FRUSTUM,
    CAPSULE,
    BEAM,
    HULL,
    TEST_SHAPE_COUNT,
} TestShape;

static const char *const test_shape_names[] = {"sphere",  "ellipsoid", "box",  "cylinder", "cone",
                                               "frustum", "capsule",   "beam", "hull"};

// --- a convex polytope from points on an ellipsoid
// ----------------------------------------------------------------------

enum {
    HULL_POINTS_MAX = 64,
    HULL_FACES_MAX = 2 * HULL_POINTS_MAX,
    HULL_EDGES_MAX = 3 * HULL_POINTS_MAX
};

typedef struct TestHull {
    RbPolytope polytope;
    Vec3 vertices[HULL_POINTS_MAX];
    int neighbour_start[HULL_POINTS_MAX + 1], neighbours[2 * HULL_EDGES_MAX];
    int vertex_faces[2 * HULL_EDGES_MAX];
    Vec3 normals[HULL_FACES_MAX];
    double offsets[HULL_FACES_MAX];
    int face_start[HULL_FACES_MAX + 1], face_vertices[3 * HULL_FACES_MAX];
    int edges[HULL_EDGES_MAX][2], edge_faces[HULL_EDGES_MAX][2];
} TestHull;

// A triangle is a face if all other points are on one side: brute force, for points in general
// position.
static inline void hull_faces(TestHull *t, int n) {
    int faces = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                Vec3 a = t->vertices[i],
                     m = v3_cross(v3_sub(t->vertices[j], a), v3_sub(t->vertices[k], a));
                int above = 0, below = 0;
                for (int l = 0; l < n && !(above && below); l++) {
                    if (l == i || l == j || l == k) continue;
                    double s = v3_dot(m, v3_sub(t->vertices[l], a));
                    above += s > 0, below += s < 0;
                }
                if (above && below) continue;
                int *v = &t->face_vertices[3 * faces];
                v[0] = i, v[1] = above ? k : j, v[2] = above ? j : k;
                t->normals[faces] = v3_scale(above ? -1 : 1, v3_unit(m));
                faces++;
            }
        }
    }
    for (int f = 0; f <= faces; f++) t->face_start[f] = 3 * f;
    t->polytope.face_count = faces;
    for (int f = 0; f < faces; f++) {
        t->offsets[f] = -INFINITY;
        for (int l = 0; l < n; l++)
            t->offsets[f] = fmax(t->offsets[f], v3_dot(t->normals[f], t->vertices[l]));
    }
}

static inline void hull_edges(TestHull *t, int n) {
    int edges = 0, at = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            int shared = 0;
            for (int f = 0; f < t->polytope.face_count; f++) {
                const int *v = &t->face_vertices[3 * f];
                bool has_i = v[0] == i || v[1] == i || v[2] == i,
                     has_j = v[0] == j || v[1] == j || v[2] == j;
                if (has_i && has_j) t->edge_faces[edges][shared++ & 1] = f;
            }
            if (shared == 2) t->edges[edges][0] = i, t->edges[edges++][1] = j;
        }
    }
    for (int i = 0; i < n; i++) {
        t->neighbour_start[i] = at;
        for (int e = 0; e < edges; e++) {
            if (t->edges[e][0] == i) t->neighbours[at++] = t->edges[e][1];
            if (t->edges[e][1] == i) t->neighbours[at++] = t->edges[e][0];
        }
    }
    t->neighbour_start[n] = at;
    for (int i = 0; i < n; i++) {
        at = t->neighbour_start[i];
        for (int k = 0; k < 3 * t->polytope.face_count; k++)
            if (t->face_vertices[k] == i) t->vertex_faces[at++] = k / 3;
    }
    t->polytope.edge_count = edges;
}

static inline void test_hull(TestHull *t, int n, Vec3 h, RbRng *rng) {
    for (int i = 0; i < n; i++) t->vertices[i] = v3_mul(h, rb_rng_direction(rng));
    hull_faces(t, n);
    hull_edges(t, n);
    t->polytope.vertex_count = n;
    t->polytope.vertices = t->vertices;
    t->polytope.neighbour_start = t->neighbour_start;
    t->polytope.neighbours = t->neighbours;
    t->polytope.vertex_faces = t->vertex_faces;
    t->polytope.face_normals = t->normals;
    t->polytope.face_offsets = t->offsets;
    t->polytope.face_start = t->face_start;
    t->polytope.face_vertices = t->face_vertices;
    t->polytope.edges = (const int(*)[2])t->edges;
    t->polytope.edge_faces = (const int(*)[2])t->edge_faces;
    ENSURE(n - t->polytope.edge_count + t->polytope.face_count == 2); // Euler
}

// --- random cores
// ---------------------------------------------------------------------------------------------------------

// Three half lengths up to `size` whose ratio is at most `aspect`, log-uniform.
static inline Vec3 random_lengths(RbRng *rng, double size, double aspect) {
    double h[3];
    for (int i = 0; i < 3; i++) h[i] = 0.5 * size * exp(-rb_rng_unit(rng) * log(aspect));
    h[rb_rng_int(rng, 3)] = 0.5 * size;
    return v3_load(h);
}

// Smoothing radius: a hundredth of the smallest extent. hulls: 3 prepared ones. For a hull the
// aspect is its own.
static inline RbCore random_core(TestShape shape, RbRng *rng, double size, double aspect,
                                 const TestHull *hulls) {
    Vec3 h = random_lengths(rng, size, aspect);
    double rho = 0.02 * fmin(h.x, fmin(h.y, h.z));
    RbCore c = {.frame = POSE_IDENTITY, .radius = rho};
    Vec3 small = v3_sub(h, v3(rho, rho, rho));
    switch (shape) {
        case SPHERE: c.kind = RB_CORE_POINT, c.radius = 0.5 * size; break;
        case ELLIPSOID: c.kind = RB_CORE_ELLIPSOID, c.h = h, c.radius = 0; break;
        case BOX: c.kind = RB_CORE_BOX, c.h = small; break;
        case CYLINDER: c.kind = RB_CORE_CYLINDER, c.h = v3(small.x, small.x, small.z); break;
        case CONE: c.kind = RB_CORE_FRUSTUM, c.h = v3(small.x, 0, small.z); break;
        case FRUSTUM:
            c.kind = RB_CORE_FRUSTUM, c.h = v3(small.x, small.x * rb_rng_unit(rng), small.z);
            break;
        case CAPSULE: c.kind = RB_CORE_SEGMENT, c.h = v3(0, 0, h.z), c.radius = h.x; break;
        case BEAM: c.kind = RB_CORE_BEAM, c.h = v3(small.x, small.y, small.z); break;
        default:
            c.kind = RB_CORE_POLYTOPE, c.polytope = &hulls[rb_rng_int(rng, 3)].polytope;
            c.radius = 0.01;
    }
    c.size = 2 * fmax(h.x, fmax(h.y, h.z));
    if (shape == CAPSULE) c.size = 2 * (h.z + h.x);
    if (shape == BEAM) c.size = 2 * fmax(h.x + h.y, h.z);
    if (shape == HULL) c.size = 1;
    c.frame = pose(v3_scale(0.1 * size, rb_rng_direction(rng)), rb_rng_orientation(rng));
    return c;
}

static inline void test_hulls(TestHull hulls[3], RbRng *rng) {
    test_hull(&hulls[0], 64, v3(0.5, 0.5, 0.5), rng);
    test_hull(&hulls[1], 64, v3(0.5, 0.2, 0.1), rng);
    test_hull(&hulls[2], 64, v3(0.5, 0.3, 0.025), rng);
}

// [m] how deep the pair may go with disjoint cores
static inline double shallow_depth(const RbCore *a, const RbCore *b) {
    double depth = a->radius + b->radius;
    const RbCore *pair[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (pair[i]->kind != RB_CORE_ELLIPSOID) continue;
        depth = fmax(depth, 0.02 * fmin(pair[i]->h.x, fmin(pair[i]->h.y, pair[i]->h.z)));
    }
    if (a->kind == RB_CORE_POINT || b->kind == RB_CORE_POINT) depth *= 0.02;
    return depth;
}

// Random orientation and direction; b comes from afar towards the centre of a. The distance is a
// convex function of the way while the cores are disjoint, and the normal gives its slope, so
// Newton's method from outside ends at the wanted distance. (Only the pose depends on the product's
// answers, not what they are compared with.)
static inline Pose pose_at_distance(const RbCore *a, const RbCore *b, double wanted, RbRng *rng) {
    Vec3 direction = rb_rng_direction(rng);
    Pose X = pose(V3_ZERO, rb_rng_orientation(rng));
    Vec3 centred = v3_sub(a->frame.r, m3_mul_vec(X.R, b->frame.r));
    double t = 2 * (a->size + b->size) + 2 * fabs(wanted); // [m]
    for (int i = 0; i < 60; i++) {
        RbGap gap;
        X.r = v3_axpy(centred, t, direction);
        rb_distance(a, b, X, NULL, &gap);
        double slope = v3_dot(gap.normal, direction);
        if (fabs(gap.distance - wanted) <= 1e-3 * fabs(wanted) || !(slope > 0)) break;
        t -= (gap.distance - wanted) / slope;
    }
    return X;
}

// A count that the environment may raise, e.g. RB_POSES=100000.
static inline int test_count(const char *variable, int usual) {
    const char *text = getenv(variable);
    return text ? atoi(text) : usual;
}
