// SPDX-License-Identifier: MIT
// Union, difference and intersection against closed forms, and volumes that must add up.
#include "csg_cases.h"

#include "geom/mesh_make.h"

#include <string.h>

static void volumes_add_up(void **state) {
    (void)state;
    csg_case_check(0, 400);
    ENSURE(csg_case_folded == 0);
}

static RbMesh box_at(Fixture *f, Vec3 low, Vec3 size) {
    Pose X = {v3_axpy(low, 0.5, size), M3_IDENTITY};
    return csg_case_moved(csg_case_box(&f->arena, size), X, &f->arena);
}

static double overlap(double a, double b, double c, double d) {
    return fmax(0, fmin(b, d) - fmax(a, c));
}

static double box_area(Vec3 s) {
    return 2 * (s.x * s.y + s.y * s.z + s.z * s.x);
}

// Boxes on a coarse grid: the common part is a box, whose volume and surface are known.
static void boxes_have_closed_forms(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    for (int i = 0; i < 300; i++) {
        Fixture f;
        fixture_open(&f);
        Vec3 low = v3(rb_rng_int(&rng, 7) - 3, rb_rng_int(&rng, 7) - 3, rb_rng_int(&rng, 7) - 3);
        Vec3 size = v3(1 + rb_rng_int(&rng, 3), 1 + rb_rng_int(&rng, 3), 1 + rb_rng_int(&rng, 3));
        RbMesh a = box_at(&f, V3_ZERO, v3(2, 2, 2)), b = box_at(&f, low, size), both, any;
        Vec3 common = v3(overlap(0, 2, low.x, low.x + size.x), overlap(0, 2, low.y, low.y + size.y),
                         overlap(0, 2, low.z, low.z + size.z));
        double volume = common.x * common.y * common.z;
        double got = csg_case_volume(&f, RB_CSG_INTERSECTION, &a, &b, i, &both);
        ENSURE_NEAR(got, volume, 1e-12);
        if (volume > 0) {
            RbMeshReport r = rb_mesh_check(&both, f.scratch);
            ENSURE_NEAR(r.area, box_area(common), 1e-11);
            ENSURE(r.vertex_count - r.edge_count + r.triangle_count == 2);
        }
        got = csg_case_volume(&f, RB_CSG_UNION, &a, &b, i, &any);
        ENSURE_NEAR(got, 8 + size.x * size.y * size.z - volume, 1e-12);
        fixture_close(&f);
    }
}

// Euler characteristic of the union of two unit boxes, the second at r.
static RbMeshReport union_of_boxes(Vec3 r) {
    Fixture f;
    fixture_open(&f);
    RbMesh a = box_at(&f, V3_ZERO, v3(1, 1, 1)), b = box_at(&f, r, v3(1, 1, 1)), out;
    csg_case_volume(&f, RB_CSG_UNION, &a, &b, 0, &out);
    RbMeshReport report = rb_mesh_check(&out, f.scratch);
    fixture_close(&f);
    return report;
}

static void solids_that_touch(void **state) {
    (void)state;
    RbMeshReport r = union_of_boxes(v3(1, 0, 0)); // a face: one box
    ENSURE(r.components == 1 && r.vertex_count - r.edge_count + r.triangle_count == 2);
    ENSURE_NEAR(r.area, 10, 1e-12);
    r = union_of_boxes(v3(1, 1, 0)); // an edge: two boxes with vertices of their own
    ENSURE(r.components == 2 && r.vertex_count == 16 && r.triangle_count == 24);
    r = union_of_boxes(v3(1, 1, 1)); // a vertex
    ENSURE(r.components == 2 && r.vertex_count == 16 && r.triangle_count == 24);
    r = union_of_boxes(V3_ZERO); // the same box
    ENSURE(r.components == 1 && r.vertex_count == 8 && r.triangle_count == 12);
}

// A slot through a plate, as high as the plate: no skin stays above or below it.
static void slot_leaves_no_skin(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng((uint64_t)i);
        RbMesh plate = box_at(&f, v3(-1, -1, 0), v3(2, 2, 0.2)), out;
        RbMesh slot = box_at(&f, v3(-0.1, -0.1, 0), v3(0.2, 3, 0.2));
        if (i > 0) { // turned, so that faces are coplanar up to rounding only
            Pose X = pose(rb_rng_direction(&rng), rb_rng_orientation(&rng));
            plate = csg_case_moved(plate, X, &f.arena);
            slot = csg_case_moved(slot, X, &f.arena);
        }
        double v = csg_case_volume(&f, RB_CSG_DIFFERENCE, &plate, &slot, i, &out);
        RbMeshReport r = rb_mesh_check(&out, f.scratch);
        ENSURE_NEAR(v, 0.8 - 0.2 * 1.1 * 0.2, 1e-13);
        ENSURE_NEAR(r.area, 2 * (4 - 0.2 * 1.1) + 0.2 * (8 + 2 * 1.1), 1e-11);
        ENSURE(r.vertex_count - r.edge_count + r.triangle_count == 2);
        fixture_close(&f);
    }
}

// An arm whose sides run through edges of the pin at its end, up to rounding: what the cut leaves of a side there is
// folded, and must not stay so.
static void nothing_stays_folded(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double crank = sqrt(1 / 3.0);
    RbMesh pin = rb_mesh_cone(0.05, 0.05, 0.35, 48, &f.arena), arm, both;
    pin = rb_mesh_map(&pin, rb_clean_rotation(v3(M_PI / 2, 0, 0)), v3(crank, 0.1, 0), &f.arena);
    arm = box_at(&f, v3(0, 0.03, -0.025), v3(crank, 0.05, 0.05));
    ENSURE(rb_csg(RB_CSG_UNION, &arm, "arm", &pin, "pin", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                  &both) == RB_OK);
    ENSURE(csg_case_folds(&both, f.scratch) == 0);
    // pin, and the arm without a half of 48 sides within its width, which is that of 16 of them
    double part = 0.5 * 0.05 * 0.05 * sin(2 * M_PI / 48);
    double common = 8 * part + 0.5 * 0.05 * 0.05 * cos(M_PI / 6);
    double volume = 48 * part * 0.35 + 0.05 * (crank * 0.05 - common);
    ENSURE_NEAR(rb_moments_of_mesh(&both).volume, volume, 1e-14);
    fixture_close(&f);
}

static void bad_surfaces_are_told(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh a = box_at(&f, V3_ZERO, v3(1, 1, 1)), b = box_at(&f, v3(0.5, 0.5, 0.5), v3(1, 1, 1)),
           out;
    a.triangle_count--;
    ENSURE(rb_csg(RB_CSG_UNION, &b, "block", &a, "lid", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                  &out) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 0), "surface of solid 'lid' is open at the edge near {"));
    a.triangle_count = 0;
    ENSURE(rb_csg(RB_CSG_UNION, &a, "nothing", &b, "block", RB_NOWHERE, &f.arena, f.scratch,
                  &f.diag, &out) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 1), "solid 'nothing' has no triangles"));
    fixture_close(&f);
}

// A surface that crosses itself: two overlapping boxes as one mesh, cut where they overlap.
static void crossing_surfaces_are_told(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh a = box_at(&f, V3_ZERO, v3(2, 2, 2)), b = box_at(&f, v3(1, 1, 1), v3(2, 2, 2)), out;
    RbMeshBuilder both = rb_mesh_builder(&f.arena);
    for (int i = 0; i < a.vertex_count; i++) rb_mesh_add_vertex(&both, a.vertices[i]);
    for (int i = 0; i < b.vertex_count; i++) rb_mesh_add_vertex(&both, b.vertices[i]);
    for (int i = 0; i < a.triangle_count; i++) {
        const int *v = a.triangles[i].v, *w = b.triangles[i].v;
        rb_mesh_add_triangle(&both, v[0], v[1], v[2]);
        rb_mesh_add_triangle(&both, w[0] + 8, w[1] + 8, w[2] + 8);
    }
    RbMesh crossed = rb_mesh_finish(&both);
    RbMesh rod = box_at(&f, v3(-1, 1.45, 1.45), v3(5, 0.1, 0.1));
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &rod, "rod", &crossed, "crossed", RB_NOWHERE, &f.arena,
                  f.scratch, &f.diag, &out) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 0), "crosses itself near {"));
    fixture_close(&f);
}

static RbStatus unite_boxes(Fixture *f, void *argument) {
    (void)argument;
    RbMesh a = box_at(f, V3_ZERO, v3(1, 1, 1)), b = box_at(f, v3(0.5, 0.5, 0), v3(1, 1, 1)), out;
    return rb_csg(RB_CSG_UNION, &a, "a", &b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                  &out);
}

static void memory_may_run_out(void **state) {
    (void)state;
    fixture_survives(unite_boxes, NULL, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_closed_forms), cmocka_unit_test(solids_that_touch),
        cmocka_unit_test(slot_leaves_no_skin),     cmocka_unit_test(nothing_stays_folded),
        cmocka_unit_test(bad_surfaces_are_told),   cmocka_unit_test(crossing_surfaces_are_told),
        cmocka_unit_test(memory_may_run_out),      cmocka_unit_test(volumes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
