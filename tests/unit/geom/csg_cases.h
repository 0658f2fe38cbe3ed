// SPDX-License-Identifier: MIT
// csg_cases.h: random pairs of solids, most of them in special positions: coplanar faces, common edges
// and vertices, equal solids; and what must hold for their union, intersection and differences.
#pragma once

#include "testing.h"

#include "geom/csg.h"
#include "geom/mesh_check.h"
#include "geom/mesh_edges.h"
#include "geom/moments.h"
#include "geom/tessellate.h"
#include "math/rng.h"

static RbMesh csg_case_box(RbArena *arena, Vec3 size) {
    RbShape shape = rb_shape_box(size);
    return rb_tessellate(&shape, 3, arena);
}

// The same solid elsewhere.
static RbMesh csg_case_moved(RbMesh mesh, Pose X, RbArena *arena) {
    Vec3 *x = rb_new_array(arena, Vec3, mesh.vertex_count);
    for (int i = 0; i < mesh.vertex_count; i++) x[i] = pose_point(X, mesh.vertices[i]);
    mesh.vertices = x;
    return mesh;
}

// A rotation that maps axes to axes, without rounding.
static Mat3 csg_case_quarter_turns(RbRng *rng) {
    Mat3 R = M3_IDENTITY;
    const Mat3 turn[3] = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
                          {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
                          {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    for (int i = rb_rng_int(rng, 4); i > 0; i--) R = m3_mul(turn[rb_rng_int(rng, 3)], R);
    return R;
}

static RbMesh csg_case_solid(RbRng *rng, RbArena *arena) {
    RbShape shape;
    switch (rb_rng_int(rng, 5)) {
        case 0: shape = rb_shape_cylinder(2, 2, 2); break;
        case 1: shape = rb_shape_sphere(2); break;
        default: return csg_case_box(arena, v3(1 + rb_rng_int(rng, 3), 1 + rb_rng_int(rng, 3), 2));
    }
    return rb_tessellate(&shape, 4 * (1 + rb_rng_int(rng, 4)), arena);
}

// Half-integer places, so that faces, edges and vertices coincide often; every third pair is turned as a
// whole, so that they coincide up to rounding only; every fourth pair lies anyhow.
static void csg_case_pair(RbRng *rng, int number, RbArena *arena, RbMesh *a, RbMesh *b) {
    *a = csg_case_solid(rng, arena);
    *b = csg_case_solid(rng, arena);
    Vec3 r = v3(0.5 * (rb_rng_int(rng, 9) - 4), 0.5 * (rb_rng_int(rng, 9) - 4),
                0.5 * (rb_rng_int(rng, 9) - 4));
    Pose X = {r, csg_case_quarter_turns(rng)};
    if (number % 4 == 3) X = pose(v3_scale(0.4, r), rb_rng_orientation(rng));
    *b = csg_case_moved(*b, X, arena);
    if (number % 3 == 2) {
        Pose all = pose(rb_rng_direction(rng), rb_rng_orientation(rng));
        *a = csg_case_moved(*a, all, arena);
        *b = csg_case_moved(*b, all, arena);
    }
}

static int csg_case_folded; // results with a fold

// Edges whose two triangles lie on each other: the surface is folded there.
static int csg_case_folds(const RbMesh *m, RbArena scratch) {
    RbMeshEdges edges = rb_mesh_edges(m, &scratch);
    int folds = 0;
    for (int e = 0; e < edges.edge_count; e++) {
        Vec3 area[2];
        for (int i = 0; i < 2; i++) {
            const int *v = m->triangles[edges.halves[edges.start[e] + i].triangle].v;
            const Vec3 *x = m->vertices;
            area[i] = v3_cross(v3_sub(x[v[1]], x[v[0]]), v3_sub(x[v[2]], x[v[0]]));
        }
        double a = v3_norm(area[0]), b = v3_norm(area[1]);
        folds += fmin(a, b) > 1e-9 && v3_dot(area[0], area[1]) < (1e-9 - 1) * a * b;
    }
    return folds;
}

// Volume of a result; every edge must have exactly two triangles that run along it in opposite
// directions, and no triangle a vertex twice.
static double csg_case_volume(Fixture *f, RbCsg operation, const RbMesh *a, const RbMesh *b,
                              int number, RbMesh *result) {
    RbStatus status =
        rb_csg(operation, a, "a", b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag, result);
    if (status != RB_OK) print_error("pair %d: %s\n", number, fixture_message(f, 0));
    ENSURE(status == RB_OK);
    if (result->triangle_count == 0) return 0;
    RbMeshReport r = rb_mesh_check(result, f->scratch);
    bool sound = r.closed && r.oriented && r.invalid_triangles == 0 && r.unused_vertices == 0;
    if (!sound) {
        RbText out = rb_text(&f->arena);
        rb_mesh_report_print(&r, &out);
        print_error("pair %d, operation %d: %s\n", number, (int)operation, out.data);
    }
    ENSURE(sound);
    csg_case_folded += csg_case_folds(result, f->scratch) > 0;
    return r.volume;
}

static inline void csg_case_check(int first, int count) {
    for (int i = first; i < first + count; i++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng((uint64_t)i * 7919 + 1);
        RbMesh a, b, result;
        csg_case_pair(&rng, i, &f.arena, &a, &b);
        double va = rb_moments_of_mesh(&a).volume, vb = rb_moments_of_mesh(&b).volume;
        double both = csg_case_volume(&f, RB_CSG_INTERSECTION, &a, &b, i, &result);
        double any = csg_case_volume(&f, RB_CSG_UNION, &a, &b, i, &result);
        double a_b = csg_case_volume(&f, RB_CSG_DIFFERENCE, &a, &b, i, &result);
        double b_a = csg_case_volume(&f, RB_CSG_DIFFERENCE, &b, &a, i, &result);
        double tol = 1e-12 * (va + vb);
        bool right = fabs(any + both - va - vb) <= tol && fabs(a_b + both - va) <= tol &&
                     fabs(b_a + both - vb) <= tol;
        if (!right) {
            print_error("pair %d: A %.17g B %.17g both %.17g any %.17g A-B %.17g B-A %.17g\n", i,
                        va, vb, both, any, a_b, b_a);
        }
        ENSURE(right);
        fixture_close(&f);
    }
}
