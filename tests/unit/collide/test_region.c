// SPDX-License-Identifier: MIT
// The patch of contact: closed forms for boxes, and continuity while bodies rock through parallel
// faces and edges.
#include "shapes.h"

static RbCore box_core(double x, double y, double z, double radius) {
    RbCore c = {.kind = RB_CORE_BOX, .h = {x, y, z}, .radius = radius, .frame = POSE_IDENTITY};
    c.size = 2 * (fmax(x, fmax(y, z)) + radius);
    return c;
}

static RbContactRegion region(const RbCore *a, const RbCore *b, Pose X, double eta, RbGap *gap) {
    RbContactRegion r;
    rb_distance(a, b, X, NULL, gap);
    rb_contact_region(a, b, X, gap, eta, &r);
    return r;
}

// Two parallel faces: the overlap of the rectangles, and its middle.
static void overlap_of_faces(void **state) {
    (void)state;
    RbCore a = box_core(1, 1, 0.5, 0.01), b = box_core(0.4, 0.6, 0.2, 0.01);
    RbGap gap;
    Pose X = pose(v3(0.9, 0.2, 0.72), Q_IDENTITY); // touching; overlap [0.5, 1] x [-0.4, 0.8]
    RbContactRegion r = region(&a, &b, X, 1e-3, &gap);
    ENSURE_NEAR(gap.distance, 0, 1e-15);
    ENSURE_NEAR(r.area, 0.5 * 1.2, 1e-14);
    ENSURE_NEAR(v3_distance(r.point, v3(0.75, 0.2, 0.51)), 0, 1e-14);
    ENSURE(r.count == 4);
    double area = 0;
    for (int k = 0; k < 4; k++) {
        Vec3 p = r.polygon[k], q = r.polygon[(k + 1) % 4];
        area += 0.5 * (p.x * q.y - p.y * q.x);
        ENSURE_NEAR(p.z, 0.51, 1e-14);
    }
    ENSURE_NEAR(area * gap.normal.z, 0.6, 1e-14); // counter-clockwise about the normal
    Pose Y = pose_inverse(X);
    RbContactRegion back = region(&b, &a, Y, 1e-3, &gap);
    ENSURE_NEAR(v3_distance(pose_point(X, back.point), r.point), 0, 1e-14);
}

// A box tilted by theta about the edge on the floor: excess theta x, weight eta - theta x on 0 < x
// < min(2 h, eta/theta).
static void tilted_box(void **state) {
    (void)state;
    RbCore floor = {.kind = RB_CORE_HALFSPACE, .size = INFINITY, .frame = POSE_IDENTITY};
    RbCore b = box_core(0.5, 0.3, 0.2, 0.01);
    double eta = rb_region_reach(&floor, &b);
    ENSURE_NEAR(eta, 1e-3, 1e-18);
    for (int k = 0; k < 6; k++) {
        double theta = 1e-2 * pow(10, -k), c = cos(theta), s = sin(theta), slope = s / c;
        Pose X = pose(V3_ZERO, q_rotation(v3(0, 1, 0), -theta)); // the edge at x = -0.5 goes down
        X.r.z = 0.5 * s + 0.2 * c + 0.01;
        RbGap gap;
        RbContactRegion r = region(&floor, &b, X, eta, &gap);
        ENSURE_NEAR(gap.distance, 0, 1e-15);
        // Beyond the edge the side of the box rises with slope 1/slope: a narrow strip of the patch
        // on the other side.
        double L = fmin(c * 1.0, eta / slope), M = fmin(s * 0.4, eta * slope);
        double w = eta * L - slope * L * L / 2 + eta * M - M * M / (2 * slope);
        double m =
            eta * L * L / 2 - slope * L * L * L / 3 - (eta * M * M / 2 - M * M * M / (3 * slope));
        double edge = -0.5 * c + 0.2 * s;
        ENSURE_NEAR(r.point.x, edge + m / w, 1e-10);
        ENSURE_NEAR(r.point.y, 0, 1e-13);
        ENSURE_NEAR(r.area, (L + M) * 0.6, 1e-9);
    }
}

// A capsule that leans by theta touches the floor with its round end, at its lowest point: the
// patch must not pull the force outwards, and inwards by no more than a fraction of the way
// eta/theta on which its ridge rises by the reach.
static void leaning_capsule(void **state) {
    (void)state;
    RbCore floor = box_core(1, 1, 0.5, 1e-3);
    RbCore capsule = {.kind = RB_CORE_SEGMENT,
                      .h = {0, 0, 0.5},
                      .radius = 0.2,
                      .size = 1.4,
                      .frame = POSE_IDENTITY};
    double eta = rb_region_reach(&floor, &capsule);
    for (double theta = 0.05; theta < 1.5; theta *= 1.3) {
        Pose X = pose(V3_ZERO, q_rotation(v3(0, 1, 0), M_PI / 2 - theta)); // axis towards +x, up
        X.r.z = 0.501 + 0.2 + 0.5 * sin(theta);
        RbGap gap;
        RbContactRegion r = region(&floor, &capsule, X, eta, &gap);
        double lowest = -0.5 * cos(theta), inwards = r.point.x - lowest;
        ENSURE_NEAR(gap.distance, 0, 1e-15);
        ENSURE(inwards > -1e-9 && inwards < 0.2 * eta / theta);
        ENSURE_NEAR(r.point.y, 0, 1e-12);
    }
    Pose flat = pose(v3(0.1, 0, 0.701), q_rotation(v3(0, 1, 0), M_PI / 2));
    RbGap gap;
    ENSURE_NEAR(region(&floor, &capsule, flat, eta, &gap).point.x, 0.1, 1e-9);
}

static void round_shapes(void **state) {
    (void)state;
    RbCore table = box_core(1, 1, 0.5, 0.01);
    RbCore can = {.kind = RB_CORE_CYLINDER,
                  .h = {0.2, 0.2, 0.3},
                  .radius = 0.01,
                  .size = 0.62,
                  .frame = POSE_IDENTITY};
    RbGap gap;
    RbContactRegion r = region(&table, &can, pose(v3(0.1, 0.2, 0.82), Q_IDENTITY), 1e-3, &gap);
    ENSURE_NEAR(v3_distance(r.point, v3(0.1, 0.2, 0.51)), 0, 1e-14);
    ENSURE_NEAR(r.area, 3.141592653589793 * 0.04, 0.012 * 0.1257); // a polygon of 24 corners

    // lying across the edge of the table: the line of contact ends there
    r = region(&table, &can, pose(v3(0.9, 0, 0.72), q_rotation(v3(0, 1, 0), 1.5707963267948966)),
               1e-3, &gap);
    ENSURE_NEAR(gap.distance, 0, 1e-15);
    ENSURE_NEAR(v3_distance(r.point, v3(0.8, 0, 0.51)), 0, 1e-12);

    RbCore pill = {.kind = RB_CORE_SEGMENT,
                   .h = {0, 0, 0.3},
                   .radius = 0.2,
                   .size = 1,
                   .frame = POSE_IDENTITY};
    Quat lying = q_rotation(v3(0, 1, 0), 1.5707963267948966);
    r = region(&table, &pill, pose(v3(0.4, 0.1, 0.71), lying), 1e-3, &gap);
    ENSURE_NEAR(v3_distance(r.point, v3(0.4, 0.1, 0.51)), 0, 1e-12);
    // Beyond the table the line ends sharply, at the other end its round end adds sqrt(2 0.2 1e-3)
    // with falling weight.
    r = region(&table, &pill, pose(v3(0.9, 0, 0.71), lying), 1e-3, &gap);
    ENSURE_NEAR(r.point.x, 0.8 - 0.25 * 0.02, 0.01);
    ENSURE_NEAR(r.point.y, 0, 1e-12);

    RbCore ball = {.kind = RB_CORE_POINT, .radius = 0.5, .size = 1, .frame = POSE_IDENTITY};
    r = region(&table, &ball, pose(v3(0.3, 0.2, 1.01), Q_IDENTITY), 1e-3, &gap);
    ENSURE(r.count == 1 && r.area == 0);
    ENSURE_NEAR(v3_distance(r.point, v3(0.3, 0.2, 0.51)), 0, 1e-14);
}

// Rolling on its rim a disc touches where the normal leans to, whatever the corners that stand for
// its circle.
static void rolling_disc(void **state) {
    (void)state;
    RbCore floor = {.kind = RB_CORE_HALFSPACE, .size = INFINITY, .frame = POSE_IDENTITY};
    RbCore coin = {.kind = RB_CORE_CYLINDER,
                   .h = {0.2, 0.2, 0.01},
                   .radius = 0.001,
                   .size = 0.402,
                   .frame = POSE_IDENTITY};
    for (int k = 0; k < 40; k++) {
        Quat q = q_mul(q_rotation(v3(0, 1, 0), 0.7), q_rotation(v3(0, 0, 1), 0.05 * k));
        Pose X = pose(v3(0, 0, 1), q);
        RbGap gap;
        RbContactRegion r = region(&floor, &coin, X, 1e-4, &gap);
        ENSURE_NEAR(r.point.y, 0, 1e-12);
        ENSURE_NEAR(r.point.x, gap.point_b.x, 2e-4);
    }
}

// Corners of the patch that coincide within rounding must not bend its outline: two normals that
// differ in their last bits have the same contact point. (A pose of test_continuity_full.)
static void rounded_normal(void **state) {
    (void)state;
    static TestHull hulls[3];
    RbRng rng = rb_rng(17);
    test_hulls(hulls, &rng);
    RbCore a = {.kind = RB_CORE_POLYTOPE,
                .polytope = &hulls[2].polytope,
                .radius = 0.01,
                .size = 1,
                .frame = {{0.07053083420778368, -0.063433570949136417, -0.031647804072241818},
                          {{-0.32397414214715936, 0.70166848806687232, -0.63458812475018911},
                           {0.25743992584314268, 0.71083806974427666, 0.65454864080838804},
                           {0.91036555284231258, 0.048688514622859058, -0.41093063738535029}}}};
    RbCore b = {.kind = RB_CORE_POLYTOPE,
                .polytope = &hulls[1].polytope,
                .radius = 0.01,
                .size = 1,
                .frame = {{0.051957262950744834, -0.034507305463209306, 0.031775599071235817},
                          {{0.62372373459190145, 0.36531198646720192, -0.69102522056008797},
                           {-0.41352520362926276, -0.59599303315265217, -0.68832347802241844},
                           {-0.66329903427497028, 0.71508003536449605, -0.22066928683666709}}}};
    Pose X = {{-0.18653210396204986, -0.23579554065509098, 0.87581768871871402},
              {{0.26938133765490646, -0.86260115975876017, 0.42819730744844159},
               {0.95303657491639626, 0.17488330156012744, -0.24725921157169015},
               {0.13840152381703613, 0.47469471243976524, 0.86920075252317341}}};
    RbGap gap;
    RbContactRegion first = region(&a, &b, X, 1e-3, &gap);
    gap.normal = v3(0.076053761713570728, 0.070104777109522787, 0.99463618753574434);
    for (int k = 0; k < 200; k++) {
        RbContactRegion r;
        rb_contact_region(&a, &b, X, &gap, 1e-3, &r);
        ENSURE_NEAR(v3_distance(r.point, first.point), 0, 1e-11);
        gap.normal = v3_unit(v3_axpy(gap.normal, 2e-16, rb_rng_direction(&rng)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_of_faces), cmocka_unit_test(tilted_box),
        cmocka_unit_test(leaning_capsule),  cmocka_unit_test(round_shapes),
        cmocka_unit_test(rolling_disc),     cmocka_unit_test(rounded_normal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
