// SPDX-License-Identifier: MIT
// Solids filled with molecules and with tetrahedra: volumes, and that the tetrahedra fit together.
#include "bodies.h"

#include "base/sort.h"
#include "deform/stuffing.h"
#include "geom/mesh_make.h"

static RbSoftScene *empty_scene(Fixture *f, RbSoftModel model, int order) {
    RbSoftScene *s = rb_soft_scene_new("stuffed", &f->arena);
    RbSoftMaterial m = rb_soft_material_default();
    m.model = model, m.order = order;
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &m);
    return s;
}

static RbSoftFillReport fill(Fixture *f, RbSoftScene *s, const RbMesh *mesh, double spacing) {
    RbSoftFillReport report;
    RbStuffing o = {.spacing = spacing, .radius = 0.5 * spacing};
    ENSURE(rb_stuff(s, "solid", RB_NOWHERE, mesh, &o, f->scratch, &f->diag, &report) == RB_OK);
    ENSURE(report.molecules == s->molecules.count && report.elements == s->tets.count);
    return report;
}

typedef struct Face {
    int v[3]; // ascending
} Face;

static int compare_faces(const void *a, const void *b) {
    const Face *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->v[k] != q->v[k]) return p->v[k] - q->v[k];
    return 0;
}

static Face face_of(const RbSoftTet *t, int without) {
    Face f;
    for (int i = 0, k = 0; i < 4; i++)
        if (i != without) f.v[k++] = t->node[i];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (f.v[k] > f.v[k + 1]) {
                int keep = f.v[k];
                f.v[k] = f.v[k + 1], f.v[k + 1] = keep;
            }
    return f;
}

// Every face belongs to two tetrahedra or lies in the surface; there its distance from what it fills is returned.
static double check_faces(Fixture *f, const RbSoftScene *s, double (*distance)(Vec3)) {
    int count = 4 * s->tets.count;
    double worst = 0;
    Face *faces = rb_new_array(&f->arena, Face, count);
    for (int i = 0; i < count; i++) faces[i] = face_of(&s->tets.data[i / 4], i % 4);
    rb_sort_items(faces, count, sizeof *faces, compare_faces);
    for (int i = 0; i < count;) {
        int same = 1;
        while (i + same < count && compare_faces(&faces[i], &faces[i + same]) == 0) same++;
        ENSURE(same <= 2);
        for (int k = 0; same == 1 && k < 3; k++)
            worst = fmax(worst, fabs(distance(s->molecules.data[faces[i].v[k]].r)));
        i += same;
    }
    return worst;
}

static double from_sphere(Vec3 r) {
    return v3_norm(r) - 0.1;
}

static double from_box(Vec3 r) {
    Vec3 d = v3(fmin(r.x, 0.06 - r.x), fmin(r.y, 0.04 - r.y), fmin(r.z, 0.02 - r.z));
    return fmin(d.x, fmin(d.y, d.z));
}

static void a_box_is_filled_exactly(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(0.06, 0.04, 0.02), &f.arena);
    RbSoftScene *springs = empty_scene(&f, RB_SOFT_SPRINGS, 1),
                *linear = empty_scene(&f, RB_SOFT_COROTATED, 1),
                *quadratic = empty_scene(&f, RB_SOFT_COROTATED, 2);
    ENSURE(fill(&f, springs, &box, 0.01).molecules == 7 * 5 * 3);
    RbSoftFillReport report = fill(&f, linear, &box, 0.01);
    ENSURE(report.molecules == 7 * 5 * 3 && report.elements == 6 * 6 * 4 * 2);
    ENSURE_NEAR(report.volume, 4.8e-5, 1e-17);
    ENSURE_NEAR(report.solid_volume, 4.8e-5, 1e-17);
    ENSURE(check_faces(&f, linear, from_box) < 1e-15);
    report = fill(&f, quadratic, &box, 0.02);
    ENSURE(report.molecules == 7 * 5 * 3 && report.elements == 6 * 3 * 2);
    RbNetwork n = network_of(&f, quadratic);
    ENSURE_NEAR(n.objects[0].mass, 1000 * 4.8e-5, 1e-14);
    fixture_close(&f);
}

// A grid has whole cells; the mass is that of the shape all the same.
static void springs_have_the_mass_of_the_shape(void **state) {
    (void)state;
    static const double sides[] = {0.04, 0.034, 0.025, 0.015, 0.009};
    static const int cells[] = {4, 3, 2, 1, 0};
    for (int i = 0; i < 5; i++) {
        Fixture f;
        fixture_open(&f);
        double side = sides[i], cube = side * side * side;
        RbMesh box = rb_mesh_box(v3(side, side, side), &f.arena);
        RbSoftScene *s = empty_scene(&f, RB_SOFT_SPRINGS, 1);
        fill(&f, s, &box, 0.01);
        RbNetwork n = network_of(&f, s);
        ENSURE_NEAR(n.objects[0].mass, 1000 * cube, 1e-9);
        if (cells[i] > 0) ENSURE_NEAR(n.objects[0].filled, pow(0.01 * cells[i], 3) / cube, 1e-9);
        fixture_close(&f);
    }
}

// The volume of a sphere converges with the square of the spacing, and its surface is where it should be.
static void a_sphere_converges(void **state) {
    (void)state;
    double error[3], distance[3];
    const double spacing[] = {0.04, 0.02, 0.01};
    for (int i = 0; i < 3; i++) {
        Fixture f;
        fixture_open(&f);
        RbMesh sphere = rb_mesh_sphere(0.1, 200, &f.arena);
        RbSoftScene *s = empty_scene(&f, RB_SOFT_NEO_HOOKEAN, 1);
        RbSoftFillReport report = fill(&f, s, &sphere, spacing[i]);
        error[i] = report.volume / (4.0 / 3 * M_PI * 1e-3) - 1;
        distance[i] = check_faces(&f, s, from_sphere);
        RbNetwork n = network_of(&f, s); // no element is flat
        ENSURE_NEAR(n.objects[0].mass, 1000 * report.solid_volume, 1e-10);
        ENSURE_NEAR(n.objects[0].filled, report.volume / report.solid_volume, 1e-10);
        print_message("sphere, %g m: %d elements, volume %+.2e, surface %.1e m off\n", spacing[i],
                      report.elements, error[i], distance[i]);
        fixture_close(&f);
    }
    for (int i = 1; i < 3; i++) ENSURE(fabs(error[i]) < 0.35 * fabs(error[i - 1]));
    // the distance from a sphere, interpolated along an edge of length √3 a: off by its square over 8 R
    for (int i = 0; i < 3; i++) ENSURE(distance[i] < 3 * spacing[i] * spacing[i] / (8 * 0.1));
}

// A ring: the hole stays open.
static void a_torus_keeps_its_hole(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh ring = rb_mesh_torus(0.1, 0.03, 96, &f.arena);
    RbSoftScene *s = empty_scene(&f, RB_SOFT_COROTATED, 2);
    RbSoftFillReport report = fill(&f, s, &ring, 0.012);
    ENSURE_NEAR(report.volume / (2 * M_PI * M_PI * 0.1 * 9e-4), 1, 0.05);
    for (int i = 0; i < s->molecules.count; i++) {
        Vec3 r = s->molecules.data[i].r;
        ENSURE(hypot(r.x, r.y) > 0.068);
    }
    network_of(&f, s);
    fixture_close(&f);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 1, 1), &f.arena);
    RbSoftScene *s = empty_scene(&f, RB_SOFT_SPRINGS, 1);
    RbSoftFillReport report;
    RbStuffing o = {.spacing = 1e-4, .radius = 1e-4};
    ENSURE(rb_stuff(s, "box", RB_NOWHERE, &box, &o, f.scratch, &f.diag, &report) == RB_ERROR_MODEL);
    ENSURE(
        strstr(fixture_message(&f, 0), "a grid of 0.0001 m in 'box' has 1e+12 points, more than"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_filled_exactly),
        cmocka_unit_test(springs_have_the_mass_of_the_shape),
        cmocka_unit_test(a_sphere_converges),
        cmocka_unit_test(a_torus_keeps_its_hole),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
