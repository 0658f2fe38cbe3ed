// SPDX-License-Identifier: MIT
// Convex hulls: every point inside every face plane, Euler's formula, faces merged, clear errors,
// no leaks when memory ends.
#include "testing.h"

#include "geom/hull.h"
#include "geom/moments.h"
#include "geom/tessellate.h"
#include "math/rng.h"

static RbStatus hull(Fixture *f, const Vec3 *points, int count, RbCore *core) {
    return rb_hull(points, count, "rock", RB_NOWHERE, &f->arena, f->scratch, &f->diag, core);
}

static bool has_neighbour(const RbPolytope *p, int v, int other) {
    for (int k = p->neighbour_start[v]; k < p->neighbour_start[v + 1]; k++) {
        if (p->neighbours[k] == other) return true;
    }
    return false;
}

static void ensure_adjacency(const RbPolytope *p) {
    ENSURE(p->vertex_count - p->edge_count + p->face_count == 2);
    ENSURE(p->neighbour_start[p->vertex_count] == 2 * p->edge_count);
    ENSURE(p->face_start[p->face_count] == 2 * p->edge_count);
    for (int e = 0; e < p->edge_count; e++) {
        int a = p->edges[e][0], b = p->edges[e][1];
        ENSURE(a < b && has_neighbour(p, a, b) && has_neighbour(p, b, a));
        for (int k = 0; k < 2; k++) { // a -> b in the first face, b -> a in the second
            int f = p->edge_faces[e][k], n = p->face_start[f + 1] - p->face_start[f];
            const int *v = p->face_vertices + p->face_start[f];
            bool found = false;
            for (int i = 0; i < n; i++) {
                int from = v[i], to = v[(i + 1) % n];
                if (k == 0 ? from == a && to == b : from == b && to == a) found = true;
            }
            ENSURE(found);
        }
    }
}

// All points below all planes, all vertices of a face on its plane.
static void ensure_convex(const RbCore *core, const Vec3 *points, int count, double tol) {
    const RbPolytope *p = core->polytope;
    for (int f = 0; f < p->face_count; f++) {
        ENSURE_NEAR(v3_norm(p->face_normals[f]), 1, 4e-16);
        ENSURE(p->face_offsets[f] > 0); // the origin of C is inside
        for (int i = 0; i < count; i++) {
            Vec3 x = v3_sub(points[i], core->frame.r);
            ENSURE(v3_dot(p->face_normals[f], x) <= p->face_offsets[f] + tol);
        }
        for (int i = p->face_start[f]; i < p->face_start[f + 1]; i++) {
            Vec3 x = p->vertices[p->face_vertices[i]];
            ENSURE_NEAR(v3_dot(p->face_normals[f], x), p->face_offsets[f], tol);
        }
    }
    ensure_adjacency(p);
}

static void hulls_of_random_points(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    for (int i = 0; i < 60; i++) {
        int count = 4 + rb_rng_int(&rng, 400);
        double scale = pow(10, rb_rng_range(&rng, -6, 6));
        Vec3 *points = rb_new_array(&f.arena, Vec3, count);
        for (int k = 0; k < count; k++) {
            Vec3 p = v3(rb_rng_normal(&rng), rb_rng_normal(&rng), 0.01 * rb_rng_normal(&rng));
            points[k] = v3_scale(scale, v3_add(p, v3(i, 0, 3)));
        }
        RbCore core;
        ENSURE(hull(&f, points, count, &core) == RB_OK);
        ensure_convex(&core, points, count, 1e-12 * scale * (i + 10));
    }
    fixture_close(&f);
}

static void ensure_counts(const RbCore *core, int vertices, int edges, int faces) {
    assert_int_equal(core->polytope->vertex_count, vertices);
    assert_int_equal(core->polytope->edge_count, edges);
    assert_int_equal(core->polytope->face_count, faces);
}

// A cube with points on its faces, edges and inside it, some twice, in any pose, has 6 faces.
static void cube_has_six_faces(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(2);
    for (int i = 0; i < 100; i++) {
        Pose X =
            pose(v3_scale(i < 50 ? 1 : 1000, rb_rng_direction(&rng)), rb_rng_orientation(&rng));
        Vec3 points[200];
        for (int k = 0; k < 200; k++) {
            Vec3 p = v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
            int free = k < 16 ? 0 : k % 4; // coordinates that are not at a face
            for (int j = 0; j < free; j++) p = v3_set(p, (k + j) % 3, rb_rng_range(&rng, -1, 1));
            points[k] = pose_point(X, p);
        }
        RbCore core;
        ENSURE(hull(&f, points, 200, &core) == RB_OK);
        ensure_counts(&core, 8, 12, 6);
        ensure_convex(&core, points, 200, 3e-12);
        ENSURE_NEAR(v3_distance(core.frame.r, X.r), 0, 2e-12);
        ENSURE(core.size >= 2 * sqrt(3) - 1e-11 && core.size <= 6 + 1e-11);
    }
    fixture_close(&f);
}

static void curved_shapes_keep_their_facets(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape sphere = rb_shape_sphere(1), cylinder = rb_shape_cylinder(1, 1, 2);
    RbMesh ball = rb_tessellate(&sphere, 32, &f.arena),
           round = rb_tessellate(&cylinder, 48, &f.arena);
    RbCore core;
    ENSURE(hull(&f, ball.vertices, ball.vertex_count, &core) == RB_OK);
    ensure_counts(&core, ball.vertex_count, 32 * 15 + 32 * 16,
                  32 * 16); // trapezia, triangles at the poles
    ensure_convex(&core, ball.vertices, ball.vertex_count, 1e-15);
    ENSURE(hull(&f, round.vertices, round.vertex_count, &core) == RB_OK);
    ensure_counts(&core, 96, 3 * 48, 48 + 2); // the centres of the caps are no vertices
    fixture_close(&f);
}

static Vec3 noisy(RbRng *rng, double noise) {
    Vec3 p = v3(rb_rng_int(rng, 3), rb_rng_int(rng, 3),
                rb_rng_int(rng, 3)); // on a grid: many coplanar, many equal
    return v3_axpy(p, noise, rb_rng_direction(rng));
}

// Nearly coplanar points at all levels of noise: a hull that holds all points, never a crash. Flat
// sets may be refused.
static void nearly_flat_facets_do_no_harm(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    int built = 0;
    for (int i = 0; i < 600; i++) {
        RbArena mark = f.arena;
        double noise = pow(10, rb_rng_range(&rng, -17, -3));
        int count = 4 + rb_rng_int(&rng, 60);
        Vec3 points[64];
        for (int k = 0; k < count; k++) points[k] = noisy(&rng, noise);
        RbCore core;
        RbStatus status = hull(&f, points, count, &core);
        ENSURE(status == RB_OK || status == RB_ERROR_MODEL);
        if (status == RB_OK) {
            ensure_convex(&core, points, count, 3e-12);
            built++;
        }
        f.arena = mark;
        f.diag = rb_diag(&f.arena);
    }
    ENSURE(built > 500);
    fixture_close(&f);
}

static Vec3 to_single(Vec3 p) {
    return v3(in_single(p.x), in_single(p.y), in_single(p.z));
}

// Turned shapes in single precision, as STL files have them: faces fall apart into slivers, and
// still every vertex is on the planes of its faces.
static void points_in_single_precision(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(4);
    for (int i = 0; i < 150; i++) {
        RbArena mark = f.arena;
        RbShape shapes[4] = {rb_shape_box(v3(1, 0.5, 0.1)), rb_shape_cylinder(1, 0.3, 1),
                             rb_shape_beam(1, 1, 0.3, 0.2), rb_shape_sphere(1)};
        RbMesh mesh = rb_tessellate(&shapes[i % 4], 3 + rb_rng_int(&rng, 40), &f.arena);
        Vec3 *points = rb_new_array(&f.arena, Vec3, mesh.vertex_count);
        Pose X = pose(v3(1, 2, 3), rb_rng_orientation(&rng));
        for (int k = 0; k < mesh.vertex_count; k++) {
            points[k] = to_single(pose_point(X, mesh.vertices[k]));
        }
        RbCore core;
        ENSURE(hull(&f, points, mesh.vertex_count, &core) == RB_OK);
        ensure_convex(&core, points, mesh.vertex_count, 1.2e-12);
        f.arena = mark;
    }
    fixture_close(&f);
}

// Plates down to a thickness of 1e-9 of their length, where they would count as flat.
static void thin_plates(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(5);
    for (double thickness = 1; thickness > 1e-9; thickness *= 0.3) {
        RbShape plate = rb_shape_box(v3(1, 0.7, thickness));
        RbMesh mesh = rb_tessellate(&plate, 3, &f.arena);
        Pose X = {V3_ZERO, q_matrix(rb_rng_orientation(&rng))};
        Vec3 points[8];
        for (int k = 0; k < 8; k++) points[k] = pose_point(X, mesh.vertices[k]);
        RbCore core;
        ENSURE(hull(&f, points, 8, &core) == RB_OK);
        ensure_counts(&core, 8, 12, 6);
        RbMoments m = rb_moments_of_polytope(&core);
        ENSURE_NEAR(m.volume, 0.7 * thickness, 1e-15);
    }
    fixture_close(&f);
}

static void points_without_volume_are_explained(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCore core;
    Vec3 points[50];
    for (int i = 0; i < 50; i++) points[i] = v3(1, 2, 3);
    ENSURE(hull(&f, points, 3, &core) == RB_ERROR_MODEL);
    ENSURE(hull(&f, points, 50, &core) == RB_ERROR_MODEL);
    for (int i = 0; i < 50; i++) points[i] = v3(i, 2 * i, -i);
    ENSURE(hull(&f, points, 50, &core) == RB_ERROR_MODEL);
    for (int i = 0; i < 50; i++) points[i] = v3(i % 7, i / 7, i % 7 + i / 7);
    ENSURE(hull(&f, points, 50, &core) == RB_ERROR_MODEL);
    points[7].y = (double)-NAN;
    ENSURE(hull(&f, points, 50, &core) == RB_ERROR_MODEL);
    ENSURE(hull(&f, points, 1, &core) == RB_ERROR_MODEL);
    const char *want[] = {
        "rattleback: error: convex hull 'rock' has 3 points; it needs at least 4 that enclose a "
        "volume [model]\n",
        "rattleback: error: all 50 points of convex hull 'rock' are the same; they must enclose a "
        "volume [model]\n",
        "rattleback: error: all 50 points of convex hull 'rock' lie on a line; they must enclose a "
        "volume [model]\n",
        "rattleback: error: all 50 points of convex hull 'rock' lie in a plane; they must enclose "
        "a volume [model]\n",
        "rattleback: error: point 8 of convex hull 'rock' is (0, nan, 1); coordinates must be "
        "finite: look at what they are computed from [model]\n",
        "rattleback: error: convex hull 'rock' has 1 point; it needs at least 4 that enclose a "
        "volume [model]\n",
    };
    for (int i = 0; i < 6; i++) assert_string_equal(fixture_message(&f, i), want[i]);
    Vec3 huge[4] = {{0, 0, 0}, {1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1e200}};
    ENSURE(hull(&f, huge, 4, &core) == RB_ERROR_MODEL);
    assert_string_equal(fixture_message(&f, 6),
                        "rattleback: error: convex hull 'rock' extends over 1e+200 m; at most "
                        "1e+100 m are possible [model]\n");
    RbShape shape;
    Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ENSURE(rb_shape_hull(corners, 4, -0.5, "rock", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &shape) == RB_ERROR_MODEL);
    assert_string_equal(fixture_message(&f, 7),
                        "rattleback: error: radius of hull 'rock' is -0.5 m; it "
                        "must be zero or positive, and finite [model]\n");
    fixture_close(&f);
}

static void meshes_of_parts(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape box = rb_shape_box(v3(1, 1, 1)), shape;
    RbMesh parts[2] = {rb_tessellate(&box, 3, &f.arena), rb_tessellate(&box, 3, &f.arena)};
    Vec3 *moved = rb_new_array(&f.arena, Vec3, 8);
    for (int i = 0; i < 8; i++) moved[i] = v3_add(parts[0].vertices[i], v3(2, 0, 0));
    parts[1].vertices = moved;
    ENSURE(rb_shape_mesh(parts, 2, NULL, "dumbbell", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &shape) == RB_OK);
    int count;
    const RbCore *cores = rb_shape_cores(&shape, &f.arena, &count);
    ENSURE(count == 2);
    ENSURE_NEAR(cores[1].frame.r.x, 2, 1e-15);
    ENSURE_NEAR(rb_shape_contact_radius(&shape), 0.5, 1e-15);
    RbMesh open = parts[0];
    open.triangle_count = 11;
    ENSURE(rb_shape_mesh(parts, 1, &open, "cup", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &shape) == RB_ERROR_MODEL);
    assert_string_equal(
        fixture_message(&f, 0),
        "rattleback: error: surface of mesh 'cup' does not enclose a body (3 open edges, 0 edges "
        "with "
        "more than two triangles, 0 edges with wrong orientation, 0 impossible and 0 duplicate "
        "triangles); repair it, or take the mass from convex parts [model]\n");
    RbTriangle inside_out[12];
    for (int i = 0; i < 12; i++) {
        const int *v = parts[0].triangles[i].v;
        inside_out[i] = (RbTriangle){{v[0], v[2], v[1]}};
    }
    RbMesh turned = {parts[0].vertices, 8, inside_out, 12};
    ENSURE(rb_shape_mesh(parts, 1, &turned, "cup", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &shape) == RB_ERROR_MODEL);
    assert_string_equal(fixture_message(&f, 1),
                        "rattleback: error: surface of mesh 'cup' has the volume -1 m3; its "
                        "triangles must face outwards [model]\n");
    ENSURE(rb_shape_mesh(parts, 0, NULL, "nothing", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &shape) == RB_ERROR_MODEL);
    fixture_close(&f);
}

static RbStatus build_hull(Fixture *f, void *argument) {
    (void)argument;
    RbRng rng = rb_rng(7);
    Vec3 points[300];
    for (int i = 0; i < 300; i++) points[i] = rb_rng_direction(&rng);
    RbCore core;
    return rb_hull(points, 300, "rock", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &core);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fixture_survives(build_hull, NULL, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_random_points),
        cmocka_unit_test(cube_has_six_faces),
        cmocka_unit_test(curved_shapes_keep_their_facets),
        cmocka_unit_test(nearly_flat_facets_do_no_harm),
        cmocka_unit_test(points_in_single_precision),
        cmocka_unit_test(thin_plates),
        cmocka_unit_test(points_without_volume_are_explained),
        cmocka_unit_test(meshes_of_parts),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
