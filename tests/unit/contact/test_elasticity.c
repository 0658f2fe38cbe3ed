// SPDX-License-Identifier: MIT
// Contact forces beside elasticity theory, by closed forms that share nothing with the library: Hertz's for elliptic areas with elliptic
// integrals, line contact on a half-space, the rigid punch. Prints the table of docs/theory/contact-patch.md, rows that hold and rows that do not.
#include <math.h>

#include "contact/evaluate.h"
#include "contact/pair.h"
#include "geom/shape.h"
#include "math/rng.h"
#include "testing.h"

static const double modulus = 1.1e11; // E* [Pa]

// ---- theory

// Complete elliptic integrals K(m) and E(m), by means of arithmetic and geometric kind.
static void elliptic(double m, double *K, double *E) {
    double a = 1, g = sqrt(1 - m), c = sqrt(m), sum = 0.5 * c * c, power = 1;
    while (fabs(c) > 1e-16) {
        c = 0.5 * (a - g);
        double next = 0.5 * (a + g);
        g = sqrt(a * g), a = next;
        sum += power * c * c, power *= 2;
    }
    *K = M_PI / (2 * a), *E = *K * (1 - sum);
}

// F of two bodies whose distance is x²/(2 R1) + y²/(2 R2), R1 >= R2, δ deep. With the axes a >= b of the area, m = 1 - b²/a²,
// R1/R2 = (E/(1-m) - K)/(K - E), p0 = E* δ/(b K) and F = 2/3 π a b p0 (Johnson, Contact mechanics, section 4.2).
static double hertz(double R1, double R2, double depth) {
    double low = 0, high = 1 - 1e-15, K, E;
    for (int i = 0; i < 200 && R1 / R2 > 1 + 1e-12; i++) {
        double m = 0.5 * (low + high);
        elliptic(m, &K, &E);
        double ratio = (E / (1 - m) - K) / (K - E);
        if (ratio < R1 / R2) {
            low = m;
        } else {
            high = m;
        }
    }
    if (!(R1 / R2 > 1 + 1e-12)) return 4.0 / 3 * modulus * sqrt(R1) * depth * sqrt(depth);
    double m = 0.5 * (low + high);
    elliptic(m, &K, &E);
    // p0 b K/E* = δ, and 1/(2 R1) = p0 b (K - E)/(E* m a²)
    double a2 = 2 * R1 * depth * (K - E) / (m * K), a = sqrt(a2), b = a * sqrt(1 - m);
    return 2.0 / 3 * M_PI * a * b * modulus * depth / (b * K);
}

// F of a cylinder of radius R and length L that lies, under an even load, with its middle δ deep: δ = 2 F/(π E* L) (1.193 + ln(L/b)).
static double line(double R, double L, double depth) {
    double F = modulus * L * depth;
    for (int i = 0; i < 200; i++) {
        double b = sqrt(4 * F * R / (M_PI * modulus * L));
        F = M_PI * modulus * L * depth / (2 * (1.193 + log(L / b)));
    }
    return F;
}

static double punch(double radius, double depth) {
    return 2 * modulus * radius * depth;
}

// ---- what the library presses with

static double force_of(const RbShape *a, const RbShape *b, Mat3 R, Vec3 way, double depth) {
    RbCore core[2] = {rb_shape_core(a), rb_shape_core(b)};
    const RbShape *shape[2] = {a, b};
    RbElement elements[2];
    RbMoving at[2] = {{.X = POSE_IDENTITY}, {.X = {v3_scale(3, way), R}}};
    for (int i = 0; i < 2; i++)
        elements[i] = (RbElement){.shape = shape[i],
                                  .core = &core[i],
                                  .X_BS = POSE_IDENTITY,
                                  .X_BC = core[i].frame,
                                  .thickness = 0.05};
    RbContactSetup setup = {
        .elements = elements, .element_count = 2, .options = rb_contact_options()};
    for (int i = 0; i < 50; i++) { // down along the way until they are as deep
        RbGap gap = rb_pair_gap(&setup, 0, 1, &at[0].X, &at[1].X, &(RbPairMemory){0});
        double left = gap.distance + depth;
        at[1].X.r = v3_axpy(at[1].X.r, -left / fmax(0.05, v3_dot(gap.normal, way)), way);
        if (fabs(left) < 1e-16) break;
    }
    RbContactState c = {.a = 0, .b = 1, .law = {.pair = rb_pair_law_default()}};
    c.law.modulus = modulus, c.law.exponent = 1.5, c.law.mass = 1;
    c.law.radius = rb_contact_radius(a, b);
    c.law.stiffness = 4.0 / 3 * modulus * sqrt(c.law.radius);
    c.patch = !rb_pair_is_smooth(&setup, 0, 1);
    rb_contact_evaluate(&setup, &at[0], &at[1], NULL, &c);
    return v3_norm(c.f_W);
}

typedef struct Row {
    const char *what;
    RbShape a, b;
    Mat3 R;        // of b
    Vec3 way;      // from which b comes
    double r1, r2; // [m] of the relative curvature; r2 0: line (r1 radius, length) or punch
    double length;
    double low, high; // what must hold; both 0: it does not yet
} Row;

static double theory(const Row *row, double depth) {
    if (row->r2 > 0) return hertz(row->r1, row->r2, depth);
    return row->length > 0 ? line(row->r1, row->length, depth) : punch(row->r1, depth);
}

static Mat3 turn(int axis, double angle) {
    return m3_rotation(v3_axis(axis), angle);
}

static void forces_beside_theory(void **state) {
    (void)state;
    const double right = M_PI / 2, third = M_PI / 6, r = 1e-3; // rounding
    RbShape floor = rb_shape_halfspace(), ball = rb_shape_sphere(0.1);
    RbShape cylinder = rb_shape_cylinder(3, 0.1, 0.1), box = rb_shape_box(v3(0.1, 0.1, 0.1)),
            egg = rb_shape_ellipsoid(v3(0.2, 0.1, 0.1)), capsule = rb_shape_capsule(3, 0.1, 0.1),
            bar = rb_shape_cylinder(1, 0.1, 0.2);
    const double R = 0.05, lean = 0.5, k1 = (1 - cos(third)) / R, k2 = (1 + cos(third)) / R;
    RbShape disc = rb_shape_cylinder(3, 0.2, 0.1);
    const Vec3 up = {0, 0, 1};
    const Mat3 tip = turn(0, lean), lying = turn(1, right);
    const Mat3 corner = m3_mul(turn(0, atan(sqrt(0.5))), turn(1, M_PI / 4));
    const Row rows[] = {
        {"ball on plate", floor, ball, M3_IDENTITY, up, R, R, 0, 0.99, 1.01},
        {"corner of a box on plate", floor, box, corner, up, r, r, 0, 0.99, 1.01},
        {"corner of a box on end of a cylinder", cylinder, box, corner, up, r, r, 0, 0.99, 1.01},
        {"flat end of a cylinder on plate", floor, cylinder, M3_IDENTITY, up, R - r, 0, 0, 0.9,
         1.1},
        {"flat end of a cylinder on a wider one", disc, cylinder, M3_IDENTITY, up, R - r, 0, 0,
         0.85, 1.1},
        {"cylinders crossed at 90 degrees", bar, cylinder, turn(0, right), up, R, R, 0, 0.98, 1.02},
        {"cylinders crossed at 30 degrees", bar, cylinder, m3_mul(turn(2, third), turn(1, right)),
         up, 1 / k1, 1 / k2, 0, 0.97, 1.03},
        {"capsules crossed at 30 degrees", rb_shape_capsule(1, 0.1, 0.2), capsule,
         m3_mul(turn(2, third), turn(1, right)), up, 1 / k1, 1 / k2, 0, 0.97, 1.03},
        {"rim of a cylinder on end of one, lean 0.5", disc, cylinder, tip, up, R / sin(lean), r, 0,
         0.9, 1.1},
        {"rim of a cylinder on plate, lean 0.5", floor, cylinder, tip, up, R / sin(lean), r, 0, 0.9,
         1.1},
        {"rim of a cylinder on a box, lean 0.5", rb_shape_box(v3(0.3, 0.3, 0.1)), cylinder, tip, up,
         R / sin(lean), r, 0, 0.9, 1.1},
        {"cylinder lying on plate", floor, cylinder, lying, up, R, 0, 0.1, 0.9, 1.1},
        {"edge of a box on plate", floor, box, turn(0, M_PI / 4), up, r, 0, 0.1, 0, 0},
        {"ball on side of a cylinder", bar, ball, M3_IDENTITY, up, R, R / 2, 0, 0, 0},
        {"ellipsoid lying on plate", floor, egg, M3_IDENTITY, up, 0.2, 0.05, 0, 0, 0},
    };
    print_message("force over theory at            1 um   10 um  100 um\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        double ratio[3];
        for (int k = 0; k < 3; k++) {
            double depth = 1e-6 * pow(10, k);
            ratio[k] = force_of(&row->a, &row->b, row->R, row->way, depth) / theory(row, depth);
        }
        print_message("%-42s %6.3f  %6.3f  %6.3f%s\n", row->what, ratio[0], ratio[1], ratio[2],
                      row->high > 0 ? "" : "   not yet");
        for (int k = 0; k < 3 && row->high > 0; k++)
            ENSURE(ratio[k] > row->low && ratio[k] < row->high);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_beside_theory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
