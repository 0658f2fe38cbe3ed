// SPDX-License-Identifier: MIT
// label: fast
// The radius at which a flat patch is rubbed when it twists is the mean distance of its pressure from the centre: of ellipses and rectangles of any ratio, however they lie,
// and of lines. It is known from the moments of the patch alone; where these change it does so without a jump.
#include "testing.h"

#include "collide/distance.h"
#include "contact/press.h"
#include "geom/shape.h"

#define PI   3.14159265358979323846
#define DEEP 1e-5 // [m]

// Moments of a patch with standard deviations a and b along axes turned by `angle`. even: V²/(A W).
static RbPatch patch_of(double area, double even, double a, double b, double angle) {
    double c = cos(angle), s = sin(angle), x = 0.3, y = -0.2;
    RbPatch p = {.u = v3_axis(0), .v = v3_axis(1), .n = v3_axis(2), .x = x, .y = y};
    p.area = area, p.volume = area * DEEP, p.square = area * DEEP * DEEP / even;
    p.xx = x * x + c * c * a * a + s * s * b * b;
    p.yy = y * y + s * s * a * a + c * c * b * b;
    p.xy = x * y + c * s * (a * a - b * b);
    p.volume_slope.f = v3(0, 0, -area);
    p.square_slope.f = v3(0, 0, -2 * area * DEEP);
    return p;
}

static double radius_of(const RbPatch *p) {
    static const RbContactLaw law = {.modulus = 1e9, .mass = 1};
    RbGap gap = {.distance = -DEEP, .normal = v3_axis(2)};
    return rb_press(&law, p, &gap, 0, (Motion){0}, (Motion){0}).twist_radius;
}

// ---- mean distances, by midpoints ----

static double of_rectangle(double length, double width) {
    enum { N = 1000 };
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) sum += hypot(length * (i + 0.5) / N, width * (k + 0.5) / N);
    }
    return 0.5 * sum / N / N;
}

// 2/3 of the mean of its radius over the angle by which it is stretched.
static double of_ellipse(double a, double b) {
    enum { N = 4000 };
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double t = PI / 2 * (i + 0.5) / N;
        sum += hypot(a * cos(t), b * sin(t));
    }
    return sum * 2 / 3 / N;
}

static const double ratios[] = {1, 1.1, 1.5, 2, 3, 5, 10, 20, 50, 250};
enum { RATIOS = sizeof ratios / sizeof *ratios };

static void rectangles_and_ellipses(void **state) {
    (void)state;
    double worst[2] = {0};
    for (int i = 0; i < RATIOS; i++) {
        double l = 0.2, w = l / ratios[i], exact = of_rectangle(l, w), round = of_ellipse(l, w);
        for (double angle = 0; angle < 3; angle += 0.37) {
            RbPatch p = patch_of(l * w, 1, l / sqrt(12), w / sqrt(12), angle);
            worst[0] = fmax(worst[0], fabs(radius_of(&p) / exact - 1));
            p = patch_of(PI * l * w, 1, l / 2, w / 2, angle);
            worst[1] = fmax(worst[1], fabs(radius_of(&p) / round - 1));
        }
    }
    print_message("off by %.1g (rectangles), %.1g (ellipses)\n", worst[0], worst[1]);
    ENSURE(worst[0] < 1e-5 && worst[1] < 1e-3);
    RbPatch disc = patch_of(PI * 0.04, 1, 0.1, 0.1, 0);
    ENSURE_NEAR(radius_of(&disc), 2.0 / 3 * 0.2, 1e-14);
}

// Across a line the overlap is anything: even, round as under a cylinder, a wedge as under an edge, or nothing is known of it. The mean is a quarter of the length.
static void lines(void **state) {
    (void)state;
    double l = 0.2, w = 1e-4, a = l / sqrt(12), quarter = l / 4;
    RbPatch p = patch_of(l * w, 15.0 / 18, a, w / 2 / sqrt(5), 0.4);
    ENSURE_NEAR(radius_of(&p), quarter, 1e-5 * quarter);
    p = patch_of(l * w, 0.75, a, w / 2 / sqrt(6), 1.4);
    ENSURE_NEAR(radius_of(&p), quarter, 1e-5 * quarter);
    p = patch_of(l * w, 15.0 / 18, a, 0, 2.4);
    ENSURE_NEAR(radius_of(&p), quarter, 1e-5 * quarter);
}

// From rectangle to ellipse, from even to uneven, and through a square and a disc: a small change of what is given is a small change of the radius.
static void nothing_jumps(void **state) {
    (void)state;
    const double step = 1e-7;
    double steepest = 0;
    for (double area = 10; area < 14; area += 0.01) {
        for (double even = 0.7; even <= 1 - step; even += 0.01) {
            for (double b = 0.98; b < 1.021; b += 0.01) {
                RbPatch p = patch_of(area, even, 1, b, 0.3), q = p;
                double r = radius_of(&p);
                q.area += step;
                steepest = fmax(steepest, fabs(radius_of(&q) - r) / step);
                q = p, q.xx += step;
                steepest = fmax(steepest, fabs(radius_of(&q) - r) / step);
                q = p, q.xy += step;
                steepest = fmax(steepest, fabs(radius_of(&q) - r) / step);
            }
        }
    }
    print_message("steepest: %.2g\n", steepest);
    ENSURE(steepest < 1);
}

// The patch of real bodies: a bar on a plate, and a cylinder that lies on it.
static double radius_on_plate(const RbShape *shape, Pose X) {
    static const RbContactLaw law = {.modulus = 1e9, .mass = 1};
    RbShape table = rb_shape_box(v3(1, 1, 0.1));
    RbCore plate = rb_shape_core(&table), body = rb_shape_core(shape);
    RbGap gap;
    RbPatch patch;
    rb_distance(&plate, &body, X, NULL, &gap);
    ENSURE(gap.distance < 0);
    rb_patch(&plate, &body, X, &gap, &patch);
    return rb_press(&law, &patch, &gap, 1e-4, (Motion){0}, (Motion){0}).twist_radius;
}

static void bodies_on_a_plate(void **state) {
    (void)state;
    const double rounded = 2 * RB_DEFAULT_SMOOTHING;
    for (double angle = 0; angle < 3; angle += 0.7) {
        Mat3 R = m3_rotation(v3_axis(2), angle);
        RbShape bar = rb_shape_box(v3(0.2, 0.01, 0.01));
        double r = radius_on_plate(&bar, (Pose){v3(0.03, 0.02, 0.055 - 1e-6), R});
        double exact = of_rectangle(0.2 - rounded, 0.01 - rounded);
        ENSURE_NEAR(r, exact, 1e-4 * exact);
        RbShape cylinder = rb_shape_cylinder(1, 0.02, 0.2);
        r = radius_on_plate(&cylinder, (Pose){v3(0.03, 0.02, 0.06 - 1e-6), R});
        exact = (0.2 - rounded) / 4;
        ENSURE_NEAR(r, exact, 2e-3 * exact);
        RbShape disc = rb_shape_cylinder(3, 0.2, 0.02);
        r = radius_on_plate(&disc, (Pose){v3(0.03, 0.02, 0.06 - 1e-6), R});
        exact = (0.2 - rounded) / 3;
        ENSURE_NEAR(r, exact, 1e-3 * exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rectangles_and_ellipses),
                                       cmocka_unit_test(lines), cmocka_unit_test(nothing_jumps),
                                       cmocka_unit_test(bodies_on_a_plate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
