// SPDX-License-Identifier: MIT
// The surface of molecules: a sphere, convergence, closedness, and how it is carried along.
#include "bodies.h"

#include "deform/surface.h"
#include "geom/mesh_check.h"
#include "math/quat.h"

static RbMesh surface(Fixture *f, const RbNetwork *n, const Vec3 *r, double cell) {
    RbMesh mesh;
    ENSURE(rb_surface_make(n, 0, r, cell, &f->arena, f->scratch, &f->diag, &mesh) == RB_OK);
    return mesh;
}

// One molecule: volume and area of its sphere, with the square of the cell.
static void one_molecule_is_a_sphere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 1, 1, 1);
    RbNetwork n = network_of(&f, s);
    double error[2], R = 0.005, volume = 4.0 / 3 * M_PI * R * R * R, area = 4 * M_PI * R * R;
    for (int i = 0; i < 2; i++) {
        RbMesh mesh = surface(&f, &n, places(&f, s), R / (8 << i));
        RbMeshReport report = rb_mesh_check(&mesh, f.scratch);
        ENSURE(report.encloses_body && report.components == 1);
        error[i] = fabs(report.volume / volume - 1);
        ENSURE_NEAR(report.area, area, 0.02 * area);
        for (int k = 0; k < mesh.vertex_count; k++)
            ENSURE_NEAR(v3_norm(mesh.vertices[k]), R, 0.03 * R);
    }
    ENSURE(error[0] < 0.02 && error[1] < error[0] / 2.5);
    fixture_close(&f);
}

// Bodies of several shapes: one closed surface each, nothing inside, molecules inside it.
static void surfaces_are_closed(void **state) {
    (void)state;
    const int sizes[][3] = {{5, 3, 5}, {8, 1, 8}, {1, 1, 6}, {2, 2, 2}, {4, 4, 4}};
    for (int i = 0; i < 5; i++) {
        for (int wide = 0; wide < 2; wide++) {
            Fixture f;
            fixture_open(&f);
            RbSoftScene *s = block_scene(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
            for (int k = 0; k < s->molecules.count; k++)
                s->molecules.data[k].radius = wide ? 0.008 : 0.005;
            RbNetwork n = network_of(&f, s);
            RbMesh mesh = surface(&f, &n, places(&f, s), 0.0018);
            RbMeshReport report = rb_mesh_check(&mesh, f.scratch);
            ENSURE(report.encloses_body && report.components == 1);
            double box = 1, radius = wide ? 0.008 : 0.005;
            for (int k = 0; k < 3; k++) box *= (sizes[i][k] - 1) * 0.01 + 2 * radius;
            ENSURE(report.volume < box && report.volume > 0.4 * box);
            ENSURE_NEAR(report.box.high.x, (sizes[i][0] - 1) * 0.01 + radius, 0.1 * radius);
            fixture_close(&f);
        }
    }
}

// Every vertex is where it was made; a body that is moved, turned and sheared takes its surface
// along exactly.
static void surface_follows_affine_motion(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 4, 3, 5);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    RbMesh mesh = surface(&f, &n, r, 0.003);
    RbSoftSkin skin = rb_skin_attach(&n, 0, mesh, r, &f.arena);
    Mat3 shear = m3_mul(q_matrix(q_unit((Quat){0.3, 0.5, -0.2, 0.7})),
                        (Mat3){{1.1, 0.2, 0}, {0, 0.9, -0.1}, {0, 0, 1}});
    double area = 0;
    for (int i = 0; i < mesh.vertex_count; i++) {
        ENSURE(v3_distance(rb_skin_place(&skin.vertices[i], r), mesh.vertices[i]) < 1e-14);
        area += skin.vertices[i].area;
    }
    ENSURE_NEAR(area, rb_mesh_check(&mesh, f.scratch).area, 1e-12);
    for (int i = 0; i < n.count; i++) r[i] = v3_add(m3_mul_vec(shear, r[i]), v3(1, 2, 3));
    for (int i = 0; i < mesh.vertex_count; i++) {
        Vec3 want = v3_add(m3_mul_vec(shear, mesh.vertices[i]), v3(1, 2, 3));
        ENSURE(v3_distance(rb_skin_place(&skin.vertices[i], r), want) < 1e-12);
    }
    fixture_close(&f);
}

// A sheet has no thickness of molecules: its surface turns with it.
static void surface_of_a_sheet_turns_with_it(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 6, 1, 6);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    RbMesh mesh = surface(&f, &n, r, 0.003);
    RbSoftSkin skin = rb_skin_attach(&n, 0, mesh, r, &f.arena);
    Quat q = q_unit((Quat){0.3, 0.5, -0.2, 0.7});
    for (int i = 0; i < n.count; i++) r[i] = q_rotate(q, r[i]);
    for (int i = 0; i < mesh.vertex_count; i++)
        ENSURE(v3_distance(rb_skin_place(&skin.vertices[i], r), q_rotate(q, mesh.vertices[i])) <
               1e-14);
    fixture_close(&f);
}

// A block that is bent: the carried surface is near the one that is made anew.
static void carried_is_near_to_made_anew(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 10, 3, 3);
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    RbSoftSkin skin = rb_skin_attach(&n, 0, surface(&f, &n, r, 0.00125), r, &f.arena);
    double bend = 0.3, worst = 0; // [m] radius of the bend
    for (int i = 0; i < n.count; i++) {
        double angle = r[i].x / bend, radius = bend + r[i].y;
        r[i] = v3(radius * sin(angle), radius * cos(angle), r[i].z);
    }
    RbSoftField field = rb_soft_field(&n, 0);
    for (int i = 0; i < skin.mesh.vertex_count; i++) { // distance by the field: (F - 1)/|grad F|
        Vec3 p = rb_skin_place(&skin.vertices[i], r), slope = V3_ZERO;
        double value = 0, b2 = field.reach * field.reach;
        for (int k = 0; k < n.count; k++) {
            Vec3 d = v3_sub(p, r[k]);
            double u = 1 - v3_norm2(d) / b2;
            if (!(u > 0)) continue;
            value += u * u * u / field.threshold;
            slope = v3_axpy(slope, -6 * u * u / (b2 * field.threshold), d);
        }
        worst = fmax(worst, fabs(value - 1) / v3_norm(slope));
    }
    print_message("carried surface at most %.3f radii from the field's\n", worst / 0.005);
    ENSURE(worst < 0.15 * 0.005); // 5 % strain: spheres stay round, what is carried is stretched
    fixture_close(&f);
}

// About as many triangles as the thesis names for its box (2820) and its ground (9940).
static void about_as_many_triangles_as_published(void **state) {
    (void)state;
    const int sizes[][3] = {{5, 3, 5}, {15, 1, 15}}, published[] = {2820, 9940};
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
        for (int k = 0; k < s->molecules.count; k++) {
            s->molecules.data[k].r = v3_scale(1.5, s->molecules.data[k].r);
            s->molecules.data[k].radius = 0.012;
        }
        RbNetwork n = network_of(&f, s);
        int count = surface(&f, &n, places(&f, s), rb_surface_cell(&n, 0)).triangle_count;
        print_message("%d triangles, published %d\n", count, published[i]);
        ENSURE(count > published[i] / 2 && count < 2 * published[i]);
        fixture_close(&f);
    }
}

static void too_fine_a_surface_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 4, 4, 4);
    RbNetwork n = network_of(&f, s);
    RbMesh mesh;
    ENSURE(rb_surface_make(&n, 0, places(&f, s), 1e-6, &f.arena, f.scratch, &f.diag, &mesh) ==
           RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 0), "choose a coarser resolution") != NULL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_molecule_is_a_sphere),
        cmocka_unit_test(surfaces_are_closed),
        cmocka_unit_test(surface_follows_affine_motion),
        cmocka_unit_test(surface_of_a_sheet_turns_with_it),
        cmocka_unit_test(carried_is_near_to_made_anew),
        cmocka_unit_test(about_as_many_triangles_as_published),
        cmocka_unit_test(too_fine_a_surface_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
