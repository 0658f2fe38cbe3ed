// SPDX-License-Identifier: MIT
// Volume, centroid, inertia. Closed forms against triangle meshes that converge with second order;
// polyhedra against exact values, far from the origin too; rounded hulls against hulls of many
// points; identities of moving and adding.
#include "testing.h"

#include "geom/mass.h"
#include "geom/mesh_check.h"
#include "geom/tessellate.h"
#include "math/rng.h"
#include "shapes_for_tests.h"

static double mat_distance(Mat3 a, Mat3 b) {
    Mat3 d = m3_sub(a, b);
    return fmax(v3_max_abs(d.x), fmax(v3_max_abs(d.y), v3_max_abs(d.z)));
}

// Largest relative error of volume, centroid and second moments.
static double moments_error(RbMoments a, RbMoments b) {
    double size = cbrt(b.volume);
    double error = fabs(a.volume - b.volume) / b.volume;
    error = fmax(error, v3_max_abs(v3_sub(a.centroid, b.centroid)) / size);
    return fmax(error, mat_distance(a.second, b.second) / m3_trace(b.second));
}

static double tessellation_error(Fixture *f, const RbShape *shape, int resolution) {
    RbMesh mesh = rb_tessellate(shape, resolution, &f->arena);
    RbMeshReport report = rb_mesh_check(&mesh, f->scratch);
    ENSURE(report.encloses_body);
    ENSURE(report.degenerate_triangles == 0 && report.unused_vertices == 0);
    return moments_error(rb_moments_of_mesh(&mesh), rb_moments_of_shape(shape));
}

static void ensure_second_order(Fixture *f, const RbShape *shape) {
    double coarse = tessellation_error(f, shape, 64), fine = tessellation_error(f, shape, 128);
    double order = log2(coarse / fine);
    ENSURE(fine < 4e-3);
    ENSURE_NEAR(order, 2, 0.02);
}

static void primitives_are_limits_of_their_tessellations(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        if (shapes[i].kind == RB_SHAPE_BOX) {
            ENSURE(tessellation_error(&f, &shapes[i], 3) < 1e-15);
        } else {
            ensure_second_order(&f, &shapes[i]);
        }
    }
    RbShape pipe = rb_shape_cylinder(2, 1.0, 0.7);
    pipe.inner_diameter = 0.6;
    ensure_second_order(&f, &pipe);
    fixture_close(&f);
}

// Facts of Modia3D, section 8.
static void closed_forms(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMassProperties m;
    RbShape cone = rb_shape_cone(1, 0.6, 0.8, 0);
    ENSURE(rb_mass_from_mass(&cone, 5, "c", RB_NOWHERE, &f.diag, &m) == RB_OK);
    ENSURE_NEAR(m.r_CM.x, 0.2, 1e-15);
    ENSURE_NEAR(m.I_CM.x.x, 3.0 / 40 * 5 * 0.36, 1e-15);
    ENSURE_NEAR(m.I_CM.y.y, 3.0 / 80 * 5 * (0.36 + 0.64), 1e-15);
    RbShape pipe = rb_shape_cylinder(3, 1, 2);
    pipe.inner_diameter = 0.5;
    ENSURE(rb_mass_from_density(&pipe, 1000, "p", RB_NOWHERE, &f.diag, &m) == RB_OK);
    double mass = 1000 * acos(-1) * (0.25 - 0.0625) * 2;
    ENSURE_NEAR(m.mass, mass, 1e-12);
    ENSURE_NEAR(m.I_CM.z.z, mass / 2 * (0.25 + 0.0625), 1e-12);
    ENSURE_NEAR(m.I_CM.x.x, mass / 12 * (3 * (0.25 + 0.0625) + 4), 1e-12);
    RbShape sphere = rb_shape_sphere(0.5);
    ENSURE(rb_mass_from_mass(&sphere, 3, "s", RB_NOWHERE, &f.diag, &m) == RB_OK);
    ENSURE_NEAR(m.I_CM.y.y, 3 * 0.25 / 10, 1e-16);
    fixture_close(&f);
}

// The corner of a cube cut off by x + y + z = 1, and the same far away (coordinates stay exact).
static void tetrahedron_is_exact_far_from_the_origin(void **state) {
    (void)state;
    RbTriangle triangles[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    for (int k = 0; k < 3; k++) {
        double d = k == 0 ? 0 : k == 1 ? 1000 : 1048576;
        Vec3 o = v3(d, -d, 0.5 * d);
        Vec3 vertices[4] = {o, v3_add(o, v3(1, 0, 0)), v3_add(o, v3(0, 1, 0)),
                            v3_add(o, v3(0, 0, 1))};
        RbMesh mesh = {vertices, 4, triangles, 4};
        RbMoments m = rb_moments_of_mesh(&mesh);
        ENSURE_NEAR(m.volume, 1.0 / 6, 1e-16);
        ENSURE_NEAR(m.centroid.x - d, 0.25, fmax(1e-16, d * 1.2e-16));
        double xx = 1.0 / 60 - 1.0 / 6 / 16, xy = 1.0 / 120 - 1.0 / 6 / 16;
        ENSURE(mat_distance(m.second, (Mat3){{xx, xy, xy}, {xy, xx, xy}, {xy, xy, xx}}) <
               1e-13 * xx);
    }
}

// A body with a hole and many triangles: pipe of 4 segments = square tube, then moved.
static void square_tube_is_exact_far_from_the_origin(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape pipe = rb_shape_cylinder(3, 2, 1.5);
    pipe.inner_diameter = 1;
    RbMesh mesh = rb_tessellate(&pipe, 4, &f.arena);
    Vec3 *moved = rb_new_array(&f.arena, Vec3, mesh.vertex_count);
    Vec3 shift = v3(1000, 2000, -1000);
    for (int i = 0; i < mesh.vertex_count; i++) moved[i] = v3_add(mesh.vertices[i], shift);
    RbMesh far = mesh;
    far.vertices = moved;
    // Squares with diagonals 2 and 1: areas 2 and 0.5; second moment of a square of side a about
    // its centre is a^4/12.
    RbMoments want = {
        1.5 * 1.5, shift,
        m3_diagonal(v3(1.5 * (4 - 0.25) / 12, 1.5 * (4 - 0.25) / 12, 1.5 * 1.5 * 1.5 * 1.5 / 12))};
    RbMoments got = rb_moments_of_mesh(&far);
    ENSURE_NEAR(got.volume, want.volume, 1e-13 * want.volume);
    ENSURE_NEAR(v3_distance(got.centroid, shift), 0, 1e-13);
    ENSURE(mat_distance(got.second, want.second) < 1e-13 * want.second.z.z);
    fixture_close(&f);
}

// A rounded hull is the limit of the hull of small spheres at its vertices, each replaced by points
// on it.
static RbMoments hull_of_spheres(Fixture *f, const Vec3 *points, int count, double radius,
                                 int resolution) {
    RbShape ball = rb_shape_sphere(2 * radius);
    RbMesh sphere = rb_tessellate(&ball, resolution, &f->arena);
    Vec3 *all = rb_new_array(&f->arena, Vec3, count * sphere.vertex_count);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < sphere.vertex_count; k++) {
            all[i * sphere.vertex_count + k] = v3_add(points[i], sphere.vertices[k]);
        }
    }
    RbShape hull;
    ENSURE(rb_shape_hull(all, count * sphere.vertex_count, 0, "h", RB_NOWHERE, &f->arena,
                         f->scratch, &f->diag, &hull) == RB_OK);
    return rb_moments_of_shape(&hull);
}

static void rounded_hull_has_the_mass_of_the_rounded_body(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(11);
    Vec3 points[6];
    for (int i = 0; i < 6; i++) points[i] = v3_add(rb_rng_direction(&rng), v3(3, 0, 1));
    for (double radius = 0.05; radius < 1; radius *= 8) {
        RbShape hull;
        ENSURE(rb_shape_hull(points, 6, radius, "h", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                             &hull) == RB_OK);
        RbMoments exact = rb_moments_of_shape(&hull);
        double coarse = moments_error(hull_of_spheres(&f, points, 6, radius, 24), exact);
        double fine = moments_error(hull_of_spheres(&f, points, 6, radius, 48), exact);
        ENSURE(fine < 3e-3);
        ENSURE_NEAR(log2(coarse / fine), 2, 0.15);
    }
    fixture_close(&f);
}

// Steiner's volume formula for a rounded cube: a³ + 6 a² r + 3 pi a r² + 4/3 pi r³.
static void rounded_cube_volume(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape box = rb_shape_box(v3(1, 1, 1)), hull;
    RbMesh mesh = rb_tessellate(&box, 3, &f.arena);
    ENSURE(rb_shape_hull(mesh.vertices, 8, 0.25, "h", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &hull) == RB_OK);
    RbMoments m = rb_moments_of_shape(&hull);
    double pi = acos(-1), r = 0.25;
    ENSURE_NEAR(m.volume, 1 + 6 * r + 3 * pi * r * r + 4.0 / 3 * pi * r * r * r, 1e-14);
    ENSURE_NEAR(v3_norm(m.centroid), 0, 1e-15);
    fixture_close(&f);
}

static void impossible_mass_properties_are_explained(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMassProperties m;
    RbShape ground = rb_shape_halfspace(), box = rb_shape_box(v3(1, 1, 1));
    ENSURE(rb_mass_from_density(&ground, 1, "floor", RB_NOWHERE, &f.diag, &m) == RB_ERROR_MODEL);
    assert_string_equal(
        fixture_message(&f, 0),
        "rattleback: error: half-space 'floor' has no volume, so it has no mass; give "
        "mass, centre of mass and inertia [model]\n");
    ENSURE(rb_mass_from_density(&box, -1, "crate", RB_NOWHERE, &f.diag, &m) == RB_ERROR_MODEL);
    assert_string_equal(fixture_message(&f, 1),
                        "rattleback: error: density of box 'crate' is -1 kg/m3; "
                        "it must be positive and finite [model]\n");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_are_limits_of_their_tessellations),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(tetrahedron_is_exact_far_from_the_origin),
        cmocka_unit_test(square_tube_is_exact_far_from_the_origin),
        cmocka_unit_test(rounded_hull_has_the_mass_of_the_rounded_body),
        cmocka_unit_test(rounded_cube_volume),
        cmocka_unit_test(impossible_mass_properties_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
