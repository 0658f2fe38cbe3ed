// SPDX-License-Identifier: MIT
// include/rattleback/solid.h as a program meets it: workpieces, combinations, files, messages.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

#define PI 3.141592653589793

static RbWorkpieceProperties properties_of(const RbWorkpiece *form) {
    RbWorkpieceProperties p;
    ENSURE(rb_workpiece_properties(form, &p) == RB_OK);
    return p;
}

static double ngon(int n) { // on the unit circle
    return 0.5 * n * sin(2 * PI / n);
}

// A plate with a hole, by a difference and as a polygon with two loops.
static void plate_with_a_hole(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *plate, *hole, *part, *drawn;
    ENSURE(rb_workpiece_box(c, (double[]){0.1, 0.1, 0.01}, &plate) == RB_OK);
    ENSURE(rb_workpiece_cone(c, 0.02, 0.02, 0.01, 64, &hole) == RB_OK);
    ENSURE(rb_workpiece_map(hole, NULL, (double[]){0.05, 0.05, 0}, &hole) == RB_OK);
    ENSURE(rb_workpiece_combine(RB_WORKPIECE_DIFFERENCE, plate, hole, &part) == RB_OK);
    double points[2 * 68] = {0, 0, 0.1, 0, 0.1, 0.1, 0, 0.1};
    for (int i = 0; i < 64; i++) {
        points[8 + 2 * i] = 0.05 + 0.02 * cos(2 * PI * i / 64);
        points[9 + 2 * i] = 0.05 + 0.02 * sin(2 * PI * i / 64);
    }
    RbWorkpiecePolygon polygon = {points, (int[]){4, 64}, 2};
    ENSURE(rb_workpiece_extrude(c, &polygon, 0.01, &drawn) == RB_OK);
    double volume = 1e-4 - 0.01 * 4e-4 * ngon(64);
    RbWorkpieceProperties p = properties_of(part), q = properties_of(drawn);
    ENSURE_NEAR(p.volume, volume, 1e-16);
    ENSURE_NEAR(q.volume, volume, 1e-16);
    ENSURE_NEAR(p.area, q.area, 1e-14);
    for (int k = 0; k < 3; k++) ENSURE_NEAR(p.centroid[k], k < 2 ? 0.05 : 0.005, 1e-14);
    for (int k = 0; k < 9; k++) ENSURE_NEAR(p.inertia[k], q.inertia[k], 1e-19);
    rb_context_free(c);
}

static void forms_of_revolution(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *form, *fine;
    ENSURE(rb_workpiece_torus(c, 2, 0.5, 32, &form) == RB_OK);
    ENSURE_NEAR(properties_of(form).volume, ngon(32) / PI * 2 * PI * PI * 0.5 * ngon(32) / PI,
                1e-12);
    RbWorkpiecePolygon ring = {(double[]){1, 0, 2, 0, 2, 1, 1, 1}, (int[]){4}, 1};
    ENSURE(rb_workpiece_lathe(c, &ring, 12, &form) == RB_OK);
    ENSURE_NEAR(properties_of(form).volume, 3 * ngon(12), 1e-13);
    ENSURE(rb_workpiece_refine(form, 0.3, &fine) == RB_OK);
    ENSURE_NEAR(properties_of(fine).volume, 3 * ngon(12), 1e-12);
    ENSURE(properties_of(fine).triangles > 1000);
    ENSURE(rb_workpiece_simplify(fine, 1e-9, &fine) == RB_OK);
    ENSURE(properties_of(fine).triangles < 200);
    RbWorkpiecePolygon square = {(double[]){-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1}, (int[]){4},
                                 1};
    ENSURE(rb_workpiece_sweep(c, &square, (double[]){0, 0, 0, 1, 2, 2}, 2, false,
                              (double[]){0, 0, 1}, &form) == RB_OK);
    ENSURE_NEAR(properties_of(form).volume, 3 * 0.04, 1e-14);
    rb_context_free(c);
}

// A path that crosses itself at {0.5, 0, 0}.
static void sweep_that_meets_itself(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *form;
    RbWorkpiecePolygon square = {(double[]){-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1}, (int[]){4},
                                 1};
    const double path[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0.5, 1, 0, 0.5, -1, 0};
    ENSURE(rb_workpiece_sweep(c, &square, path, 5, false, (double[]){0, 0, 1}, &form) ==
           RB_ERROR_MODEL);
    ENSURE(strstr(rb_context_message(c, 0), "the sweep crosses itself near {0."));
    rb_context_free(c);
}

static void files_and_meshes(void **state) {
    (void)state;
    char path[] = "/tmp/rb_workpiece_XXXXXX.ply";
    int file = mkstemps(path, 4);
    ENSURE(file >= 0);
    close(file);
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *ball, *back;
    ENSURE(rb_workpiece_sphere(c, 0.3, 24, &ball) == RB_OK);
    ENSURE(rb_workpiece_write(ball, path) == RB_OK);
    ENSURE(rb_workpiece_read(c, path, 10, &back) == RB_OK);
    ENSURE_NEAR(properties_of(back).volume, 1000 * properties_of(ball).volume, 1e-10);
    const double *x;
    const int *t;
    int nx, nt;
    rb_workpiece_mesh(ball, &x, &nx, &t, &nt);
    ENSURE(nx == properties_of(ball).vertices && nt == properties_of(ball).triangles);
    for (int i = 0; i < nx; i++) {
        ENSURE_NEAR(
            sqrt(x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] + x[3 * i + 2] * x[3 * i + 2]),
            0.3, 1e-15);
    }
    for (int i = 0; i < 3 * nt; i++) ENSURE(t[i] >= 0 && t[i] < nx);
    unlink(path);
    rb_context_free(c);
}

static const char *last_message(const RbContext *c) {
    return rb_context_message(c, rb_context_message_count(c) - 1);
}

static void mistakes_are_told(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *a, *b, *out = NULL;
    ENSURE(rb_workpiece_box(c, (double[]){1, 0, 1}, &out) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(c), "length of a box is 0; it must be positive"));
    ENSURE(rb_workpiece_sphere(c, 1, 2, &out) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(c), "number of segments is 2; it must be at least 3"));
    ENSURE(rb_workpiece_box(c, (double[]){1, 1, 1}, &a) == RB_OK);
    ENSURE(rb_workpiece_map(a, NULL, (double[]){1, 0, 0}, &b) == RB_OK);
    ENSURE(rb_workpiece_combine(RB_WORKPIECE_INTERSECTION, a, b, &out) == RB_ERROR_MODEL);
    ENSURE(strstr(last_message(c), "nothing is left of the intersection of two solids"));
    ENSURE(rb_workpiece_combine(RB_WORKPIECE_DIFFERENCE, a, a, &out) == RB_ERROR_MODEL);
    RbWorkpiecePolygon bow = {(double[]){0, 0, 2, 2, 2, 0, 0, 1}, (int[]){4}, 1};
    ENSURE(rb_workpiece_extrude(c, &bow, 1, &out) == RB_ERROR_MODEL);
    ENSURE(strstr(last_message(c), "itself near {0.666667, 0.666667}")); // y = x, y = 1 - x/2
    ENSURE(rb_workpiece_map(a, (double[9]){0}, NULL, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read(c, "nothing.step", 1, &out) == RB_ERROR_IO);
    ENSURE(out == NULL);
    rb_context_free(c);
}

// A tetrahedron in millimetres, its face x + y + z = 1 turned the wrong way, and one without that face.
static void files_of_unknown_quality_are_inspected(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    char path[64];
    snprintf(path, sizeof path, "/tmp/rb_api_solid_%d.obj", (int)getpid());
    FILE *file = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n", file);
    fclose(file);
    RbMeshReading reading = rb_mesh_reading_default();
    RbMeshFindings f;
    RbWorkpiece *form;
    reading.scale = 1e-3;
    ENSURE(rb_workpiece_inspect(c, path, &reading, &f, &form) == RB_OK && form);
    ENSURE(f.encloses_body && f.flipped_triangles == 1 && f.triangles == 4 && f.parts == 1);
    ENSURE_NEAR(f.volume, 1e-9 / 6, 1e-22);
    ENSURE_NEAR(f.centroid[2], 1e-3 / 4, 1e-16);
    ENSURE_NEAR(f.high[1], 1e-3, 0);
    ENSURE_NEAR(f.area, 1e-6 * (1.5 + sqrt(3) / 2), 1e-18);
    ENSURE_NEAR(f.inertia[0], 1e-15 / 80, 1e-28); // a^5 (2/60 - 1/6 (1/16 + 1/16))

    file = fopen(path, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", file);
    fclose(file);
    ENSURE(rb_workpiece_inspect(c, path, &reading, &f, NULL) == RB_OK);
    ENSURE(!f.encloses_body && f.open_edges == 3 && f.volume == 0 &&
           strstr(f.text, "3 edges with only one triangle"));
    reading.extrude = 1;
    ENSURE(rb_workpiece_inspect(c, path, &reading, &f, NULL) == RB_ERROR_USAGE);
    reading = rb_mesh_reading_default();
    reading.scale = NAN;
    ENSURE(rb_workpiece_inspect(c, path, &reading, &f, NULL) == RB_ERROR_USAGE);
    int last = rb_context_message_count(c) - 1;
    ENSURE(strstr(rb_context_message(c, last), "rb_workpiece_inspect: argument 'reading->scale'"));
    const double bad[] = {NAN, INFINITY, -1};
    double *const fields[] = {&reading.scale, &reading.extrude, &reading.simplify};
    const char *const names[] = {"'reading->scale'", "'reading->extrude'", "'reading->simplify'"};
    for (int i = 0; i < 9; i++) {
        reading = rb_mesh_reading_default();
        *fields[i / 3] = bad[i % 3];
        ENSURE(rb_workpiece_inspect(c, path, &reading, &f, NULL) == RB_ERROR_USAGE);
        last = rb_context_message_count(c) - 1;
        ENSURE(strstr(rb_context_message(c, last), names[i / 3]));
    }
    ENSURE(rb_workpiece_inspect(c, path, NULL, &f, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_inspect(NULL, path, &reading, &f, NULL) == RB_ERROR_USAGE);
    unlink(path);
    rb_context_free(c);
}

// Every pointer that is needed, one after the other: an answer, and a message where there is a context
// that can keep it.
static void missing_arguments_are_told(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbWorkpiece *a, *out = NULL;
    RbWorkpiecePolygon triangle = {(double[]){0, 0, 1, 0, 0, 1}, (int[]){3}, 1};
    RbWorkpiecePolygon open = {NULL, (int[]){3}, 1}, backwards = {triangle.points, (int[]){-3}, 1};
    const double size[3] = {1, 1, 1};
    RbModel *model;
    const RbNamedWorkpiece *solids;
    int number;
    ENSURE(rb_workpiece_box(c, size, &a) == RB_OK);
    ENSURE(rb_model_create(c, "empty", &model) == RB_OK);
    RbNamedWorkpiece named = {.name = "a", .form = a};
    const RbStatus told[] = {
        rb_workpiece_box(c, NULL, &out),
        rb_workpiece_box(c, size, NULL),
        rb_workpiece_cone(c, 1, 1, 1, 8, NULL),
        rb_workpiece_sphere(c, 1, 8, NULL),
        rb_workpiece_torus(c, 2, 1, 8, NULL),
        rb_workpiece_extrude(c, NULL, 1, &out),
        rb_workpiece_extrude(c, &open, 1, &out),
        rb_workpiece_extrude(c, &backwards, 1, &out),
        rb_workpiece_extrude(c, &triangle, 1, NULL),
        rb_workpiece_lathe(c, NULL, 8, &out),
        rb_workpiece_sweep(c, &triangle, NULL, 2, false, size, &out),
        rb_workpiece_sweep(c, &triangle, size, 1, false, NULL, &out),
        rb_workpiece_read(c, NULL, 1, &out),
        rb_workpiece_write(a, NULL),
        rb_workpiece_combine(RB_WORKPIECE_UNION, a, NULL, &out),
        rb_workpiece_combine(RB_WORKPIECE_UNION, a, a, NULL),
        rb_workpiece_combine((RbWorkpieceOperation)3, a, a, &out),
        rb_workpiece_map(a, NULL, NULL, NULL),
        rb_workpiece_simplify(a, 1, NULL),
        rb_workpiece_refine(a, 1, NULL),
        rb_workpiece_properties(a, NULL),
        rb_workpieces_draw(c, NULL, &named, 1, "a.html"),
        rb_workpieces_draw(c, "a", NULL, 1, "a.html"),
        rb_workpieces_draw(c, "a", &named, 0, "a.html"),
        rb_workpieces_draw(c, "a", &named, 1, NULL),
        rb_workpieces_draw(c, "a", &named, 1, "a.mp4"),
        rb_model_solids(model, NULL, &number),
        rb_model_solids(model, &solids, NULL),
    };
    int count = (int)(sizeof told / sizeof *told);
    for (int i = 0; i < count; i++) ENSURE(told[i] == RB_ERROR_USAGE);
    ENSURE(rb_context_message_count(c) == count);
    ENSURE(out == NULL);
    rb_context_free(c);
}

static void nobody_is_there_to_be_told(void **state) {
    (void)state;
    RbWorkpiece *out = NULL;
    RbWorkpieceProperties p;
    const double size[3] = {1, 1, 1}, *vertices = size;
    int vertex_count = 1;
    ENSURE(rb_workpiece_box(NULL, size, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_cone(NULL, 1, 1, 1, 8, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_read(NULL, "a.stl", 1, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_write(NULL, "a.stl") == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_combine(RB_WORKPIECE_UNION, NULL, NULL, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_map(NULL, NULL, NULL, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_simplify(NULL, 1, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_refine(NULL, 1, &out) == RB_ERROR_USAGE);
    ENSURE(rb_workpiece_properties(NULL, &p) == RB_ERROR_USAGE);
    ENSURE(rb_workpieces_draw(NULL, "a", NULL, 0, "a.html") == RB_ERROR_USAGE);
    ENSURE(rb_model_solids(NULL, NULL, NULL) == RB_ERROR_USAGE);
    rb_workpiece_mesh(NULL, &vertices, &vertex_count, NULL, NULL);
    ENSURE(vertices == NULL && vertex_count == 0 && out == NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_that_meets_itself),
        cmocka_unit_test(files_of_unknown_quality_are_inspected),
        cmocka_unit_test(plate_with_a_hole),
        cmocka_unit_test(forms_of_revolution),
        cmocka_unit_test(files_and_meshes),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(missing_arguments_are_told),
        cmocka_unit_test(nobody_is_there_to_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
