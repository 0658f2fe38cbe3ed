// SPDX-License-Identifier: MIT
// Shapes: frames, smoothing rules, contact radii (thesis, Tables 7.1 and 7.2), messages about
// impossible sizes.
#include "testing.h"

#include "geom/shape.h"

static void ensure_vec_near(Vec3 got, Vec3 want, double tol) {
    ENSURE_NEAR(got.x, want.x, tol);
    ENSURE_NEAR(got.y, want.y, tol);
    ENSURE_NEAR(got.z, want.z, tol);
}

static void smoothing_is_at_most_a_tenth_of_the_smallest_length(void **state) {
    (void)state;
    RbShape box = rb_shape_box(v3(1, 2, 0.3));
    ENSURE_NEAR(rb_shape_smoothing(&box), 0.001, 0);
    box.smoothing = 0.2;
    ENSURE_NEAR(rb_shape_smoothing(&box), 0.03, 1e-17);
    box.smoothing = 0;
    ENSURE_NEAR(rb_shape_smoothing(&box), 0, 0);
    RbShape thin = rb_shape_cylinder(3, 0.004, 1);
    ENSURE_NEAR(rb_shape_smoothing(&thin), 0.0004, 1e-18);
    RbShape sphere = rb_shape_sphere(1);
    sphere.smoothing = 0.1;
    ENSURE_NEAR(rb_shape_smoothing(&sphere), 0, 0);
}

// Of what may touch; a wrong one stays, to be refused.
static void what_may_touch_is_not_sharp(void **state) {
    (void)state;
    const double typed[] = {0, 1e-6, 3e-5, 0.001, -0.001},
                 want[] = {3e-5, 3e-5, 3e-5, 0.001, -0.001};
    for (int i = 0; i < 5; i++) {
        RbShape box = rb_shape_box(v3(1, 2, 0.3));
        box.smoothing = typed[i];
        rb_shape_blunt(&box);
        ENSURE_NEAR(box.smoothing, want[i], 1e-18);
    }
}

static void cores_of_the_primitives(void **state) {
    (void)state;
    RbShape shape = rb_shape_sphere(0.5);
    RbCore core = rb_shape_core(&shape);
    ENSURE(core.kind == RB_CORE_POINT);
    ENSURE_NEAR(core.radius, 0.25, 0);
    ENSURE_NEAR(core.size, 0.5, 0);

    shape = rb_shape_box(v3(0.4, 0.6, 0.8));
    shape.smoothing = 0.01;
    core = rb_shape_core(&shape);
    ENSURE(core.kind == RB_CORE_BOX);
    ensure_vec_near(core.h, v3(0.19, 0.29, 0.39), 1e-16);
    ENSURE_NEAR(core.radius, 0.01, 0);

    shape = rb_shape_capsule(1, 0.2, 1);
    core = rb_shape_core(&shape);
    ENSURE(core.kind == RB_CORE_SEGMENT);
    ENSURE_NEAR(core.size, 1.2, 1e-16);
    ensure_vec_near(m3_column(core.frame.R, 2), v3(1, 0, 0), 0);

    shape = rb_shape_ellipsoid(v3(2, 2, 2));
    ENSURE(rb_shape_core(&shape).kind == RB_CORE_POINT);
    shape = rb_shape_halfspace();
    ENSURE(isinf(rb_shape_core(&shape).size));
}

// length, width and thickness run through x, y, z cyclically.
static void beam_axes_are_cyclic(void **state) {
    (void)state;
    for (int axis = 1; axis <= 3; axis++) {
        RbShape beam = rb_shape_beam(axis, 1, 0.2, 0.1);
        RbCore core = rb_shape_core(&beam);
        ensure_vec_near(m3_column(core.frame.R, 0), v3_axis(axis - 1), 0);
        ensure_vec_near(m3_column(core.frame.R, 1), v3_axis(axis % 3), 0);
        ensure_vec_near(m3_column(core.frame.R, 2), v3_axis((axis + 1) % 3), 0);
        ensure_vec_near(core.h, v3(0.5, 0.099, 0.049), 1e-17);
    }
}

static void contact_radii_follow_the_tables(void **state) {
    (void)state;
    RbShape sphere = rb_shape_sphere(0.2), capsule = rb_shape_capsule(3, 0.3, 1);
    RbShape cone = rb_shape_cone(3, 0.4, 1, 0.2), cylinder = rb_shape_cylinder(3, 1, 0.1);
    RbShape ellipsoid = rb_shape_ellipsoid(v3(1, 0.5, 2)), box = rb_shape_box(v3(1, 0.6, 2));
    RbShape beam = rb_shape_beam(3, 1, 0.2, 0.1), ground = rb_shape_halfspace();
    ENSURE_NEAR(rb_shape_contact_radius(&sphere), 0.1, 0);
    ENSURE_NEAR(rb_shape_contact_radius(&capsule), 0.15, 0);
    ENSURE_NEAR(rb_shape_contact_radius(&cone), 0.15, 1e-16);
    ENSURE_NEAR(rb_shape_contact_radius(&cylinder), 0.05, 0);
    ENSURE_NEAR(rb_shape_contact_radius(&ellipsoid), 0.25, 0);
    ENSURE_NEAR(rb_shape_contact_radius(&box), 0.3, 0);
    ENSURE_NEAR(rb_shape_contact_radius(&beam), 0.05, 0);
    ENSURE_NEAR(rb_contact_radius(&sphere, &box), 0.1, 0);
    ENSURE_NEAR(rb_contact_radius(&ground, &sphere), 0.1, 0);
    ENSURE_NEAR(rb_contact_radius(&sphere, &capsule), 0.1 * 0.15 / 0.25, 1e-16);
    ENSURE_NEAR(rb_contact_radius(&box, &beam), 0.3 * 0.05 / 0.35, 1e-16);
    ENSURE_NEAR(rb_contact_radius(&box, &ground), 0.3, 1e-16);
    sphere.contact_radius = 0.7;
    ENSURE_NEAR(rb_contact_radius(&sphere, &box), 0.7, 0);
}

static void impossible_sizes_are_explained(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbPos at = {"Crane.mo", 4, 3};
    RbShape bad[] = {rb_shape_sphere(0),          rb_shape_box(v3(1, -2, 1)),
                     rb_shape_cylinder(4, 1, 1),  rb_shape_cone(3, 1, 1, 2),
                     rb_shape_beam(1, 1, NAN, 1), rb_shape_capsule(1, 1, INFINITY),
                     rb_shape_cylinder(1, 1, 1)};
    bad[6].inner_diameter = 1;
    const char *want[] = {
        "Crane.mo:4:3: error: diameter of sphere 'ball' is 0 m; it must be positive and finite "
        "[model]\n",
        "Crane.mo:4:3: error: lengthY of box 'ball' is -2 m; it must be positive and finite "
        "[model]\n",
        "Crane.mo:4:3: error: axis of cylinder 'ball' is 4; it must be 1, 2 or 3 (along x, y or z) "
        "[model]\n",
        "Crane.mo:4:3: error: topDiameter of cone 'ball' is 2 m; it must not exceed the diameter "
        "of 1 m [model]\n",
        "Crane.mo:4:3: error: width of beam 'ball' is nan m; it must be positive and finite "
        "[model]\n",
        "Crane.mo:4:3: error: length of capsule 'ball' is inf m; it must be positive and finite "
        "[model]\n",
        "Crane.mo:4:3: error: innerDiameter of cylinder 'ball' is 1 m; it must be below the "
        "diameter of 1 m [model]\n",
    };
    for (int i = 0; i < 7; i++) {
        ENSURE(rb_shape_check(&bad[i], "ball", at, &f.diag) == RB_ERROR_MODEL);
        assert_string_equal(fixture_message(&f, i), want[i]);
    }
    fixture_close(&f);
}

// Each broken parameter of the visual shapes is found, once.
static void visual_shapes_are_checked_too(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape bad[7];
    bad[0] = rb_shape_coordinate_system(0);
    bad[1] = rb_shape_grid(3, 1, 0.5, 0.6); // lines farther apart than the grid is wide
    bad[2] = rb_shape_spring(1, 1, 0.2);
    bad[2].wire_diameter = 0.2;
    bad[3] = rb_shape_spring(1, 1, 0.2);
    bad[3].windings = 0;
    bad[4] = rb_shape_gearwheel(2, 1, 0.1, 0);
    bad[5] = rb_shape_text("hello");
    bad[5].char_size = -1;
    bad[6] = rb_shape_gearwheel(2, 1, NAN, 9);
    for (int i = 0; i < 7; i++) {
        ENSURE(rb_shape_check(&bad[i], NULL, RB_NOWHERE, &f.diag) == RB_ERROR_MODEL);
        ENSURE(f.diag.error_count == i + 1);
        ENSURE(!rb_shape_is_collidable(&bad[i]));
        int count = -1;
        ENSURE(rb_shape_cores(&bad[i], &f.arena, &count) == NULL && count == 0);
    }
    assert_string_equal(fixture_message(&f, 1), "rattleback: error: distance of grid is 0.6 m; it "
                                                "must not exceed the width of 0.5 m [model]\n");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoothing_is_at_most_a_tenth_of_the_smallest_length),
        cmocka_unit_test(what_may_touch_is_not_sharp),
        cmocka_unit_test(cores_of_the_primitives),
        cmocka_unit_test(beam_axes_are_cyclic),
        cmocka_unit_test(contact_radii_follow_the_tables),
        cmocka_unit_test(impossible_sizes_are_explained),
        cmocka_unit_test(visual_shapes_are_checked_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
