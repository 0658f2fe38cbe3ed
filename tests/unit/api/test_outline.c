// SPDX-License-Identifier: MIT
// include/rattleback/outline.h: areas of polygons made of arcs, circles, teeth and copies by their
// closed forms, through the volume of an extrusion; wrong arguments.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

#define PI 3.141592653589793

static RbWorkpieceProperties extruded(RbContext *c, RbOutline *o, double height) {
    RbWorkpiecePolygon polygon;
    RbWorkpiece *form;
    RbWorkpieceProperties p;
    ENSURE(rb_outline_polygon(o, &polygon) == RB_OK);
    ENSURE(rb_workpiece_extrude(c, &polygon, height, &form) == RB_OK);
    ENSURE(rb_workpiece_properties(form, &p) == RB_OK);
    return p;
}

// A half disc of an arc in n pieces: n triangles of angle pi/n; with a hole of m corners.
static void arcs_and_circles(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbOutline *o;
    enum { N = 32, M = 16 };
    double r = 0.3, hole = 0.05;
    ENSURE(rb_outline_create(c, &o) == RB_OK);
    ENSURE(rb_outline_arc(o, 0, 0, r, 0, PI, N) == RB_OK);
    ENSURE(rb_outline_count(o) == N + 1);
    ENSURE(rb_outline_next_loop(o) == RB_OK);
    ENSURE(rb_outline_circle(o, 0, 0.15, hole, M) == RB_OK);
    double area = 0.5 * r * r * N * sin(PI / N) - 0.5 * hole * hole * M * sin(2 * PI / M);
    ENSURE_NEAR(extruded(c, o, 2).volume, 2 * area, 1e-15);
    // Mirrored, twice as wide, and moved.
    ENSURE(rb_outline_map(o, (double[]){-2, 0, 0, 1}, (double[]){1, 3}) == RB_OK);
    RbWorkpieceProperties p = extruded(c, o, 2);
    ENSURE_NEAR(p.volume, 4 * area, 1e-14);
    ENSURE_NEAR(p.centroid[0], 1, 1e-14);
    rb_context_free(c);
}

// Teeth of a saw: five triangles in a row on a bar.
static void copies_along(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbOutline *o;
    ENSURE(rb_outline_create(c, &o) == RB_OK);
    ENSURE(rb_outline_point(o, 0, 0) == RB_OK && rb_outline_point(o, 0.5, 1) == RB_OK);
    ENSURE(rb_outline_repeat_along(o, 0, 5, 1, 0) == RB_OK && rb_outline_count(o) == 10);
    ENSURE(rb_outline_point(o, 5, 0) == RB_OK && rb_outline_point(o, 5, -1) == RB_OK);
    ENSURE(rb_outline_point(o, 0, -1) == RB_OK);
    ENSURE_NEAR(extruded(c, o, 1).volume, 5 * 0.5 + 5, 1e-13);
    rb_context_free(c);
}

// An involute gear lies between root and tip circle, has its centre at the origin, and at the pitch
// circle tooth and gap are equally wide: its area is near that of the pitch circle, less what the
// deeper root takes away (at most 0.25 modules over half of the circumference, times two for flanks).
static void a_gear(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbOutline *o;
    enum { TEETH = 24 };
    double m = 0.002, pitch = 0.5 * m * TEETH, alpha = 20 * PI / 180;
    ENSURE(rb_outline_create(c, &o) == RB_OK);
    ENSURE(rb_outline_gear_tooth(o, m, TEETH, alpha, 16) == RB_OK);
    ENSURE(rb_outline_repeat_around(o, 0, TEETH) == RB_OK);
    RbWorkpieceProperties p = extruded(c, o, 1);
    ENSURE_NEAR(p.centroid[0], 0, 1e-15);
    ENSURE_NEAR(p.centroid[1], 0, 1e-15);
    ENSURE(p.volume < PI * pitch * pitch);
    ENSURE(p.volume > PI * pitch * pitch - 2 * PI * pitch * 0.25 * m);
    RbWorkpiecePolygon polygon;
    double tip = 0, root = INFINITY;
    ENSURE(rb_outline_polygon(o, &polygon) == RB_OK && polygon.loop_count == 1);
    for (int i = 0; i < polygon.loops[0]; i++) {
        double r = hypot(polygon.points[2 * i], polygon.points[2 * i + 1]);
        tip = fmax(tip, r);
        root = fmin(root, r);
    }
    ENSURE_NEAR(tip, pitch + m, 1e-15);
    ENSURE_NEAR(root, pitch - 1.25 * m, 1e-15);
    rb_context_free(c);
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbOutline *o;
    ENSURE(rb_outline_create(c, &o) == RB_OK && rb_outline_count(NULL) == -1);
    const struct {
        RbStatus status;
        const char *text;
    } calls[] = {
        {rb_outline_create(c, NULL), "rb_outline_create: argument 'outline' is NULL"},
        {rb_outline_point(o, NAN, 0), "rb_outline_point: argument 'x, y'"},
        {rb_outline_arc(o, 0, 0, -1, 0, 1, 4), "rb_outline_arc: argument 'radius'"},
        {rb_outline_arc(o, 0, 0, 1, 0, INFINITY, 4), "rb_outline_arc: argument 'from, to'"},
        {rb_outline_circle(o, 0, 0, 1, 0), "rb_outline_circle: argument 'segments'"},
        {rb_outline_gear_tooth(o, 0, 20, 0.3, 8), "rb_outline_gear_tooth: argument 'module'"},
        {rb_outline_gear_tooth(o, 1, 2, 0.3, 8), "rb_outline_gear_tooth: argument 'teeth'"},
        {rb_outline_gear_tooth(o, 1, 20, 2, 8), "argument 'pressure_angle'"},
        {rb_outline_repeat_around(o, 0, 3), "rb_outline_repeat_around: argument 'first'"},
        {rb_outline_map(o, (double[4]){0}, (double[2]){0}), "rb_outline_map: argument 'm'"},
        {rb_outline_map(o, NULL, (double[2]){0}), "argument 'm' is NULL"},
        {rb_outline_polygon(o, NULL), "rb_outline_polygon: argument 'out' is NULL"},
    };
    for (int i = 0; i < (int)(sizeof calls / sizeof *calls); i++) {
        ENSURE(calls[i].status == RB_ERROR_USAGE);
        ENSURE(strstr(rb_context_message(c, i), calls[i].text));
    }
    ENSURE(rb_outline_point(NULL, 0, 0) == RB_ERROR_USAGE);
    ENSURE(rb_outline_create(NULL, &o) == RB_ERROR_USAGE);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_and_circles),
        cmocka_unit_test(copies_along),
        cmocka_unit_test(a_gear),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
