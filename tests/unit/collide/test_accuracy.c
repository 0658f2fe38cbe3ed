// SPDX-License-Identifier: MIT
// label: normal
// Signed distance against a certified quadruple-precision oracle, for all pairs of shapes. The long
// version is test_accuracy_full; RB_POSES sets the number of poses per pair.
#ifndef POSES
#define POSES 100 // per pair
#endif

#include "oracle.h"
#include "shapes.h"

typedef struct Worst {
    double distance, normal, symmetry, moved, warm, bound;
    int swept, inexact, penetrating;
} Worst;

static TestHull hulls[3];

static double pair_size(const RbCore *a, const RbCore *b) {
    return fmax(a->size, b->size);
}

// Separation along n of the whole shapes: at most the signed distance, for every n.
static double separation(const RbCore *a, const RbCore *b, Pose X, Vec3 n) {
    OraclePair o = {a, b, X, 0, 0};
    QVec d = q3(n);
    Quad length = q3_norm(d);
    return (double)(q3_dot(d, oracle_support(&o, q3_scale(1 / length, d))) / length) - a->radius -
           b->radius;
}

// Where thin ellipsoids overlap deeper than their smallest radius of curvature the oracle has no
// certificate. The distance must be the separation along its own normal, and no other direction,
// far or near, may give a larger one.
static double sweep_error(const RbCore *a, const RbCore *b, Pose X, const RbGap *gap, RbRng *rng) {
    double worst = fabs(separation(a, b, X, gap->normal) - gap->distance);
    for (int k = 0; k < 200; k++) {
        double reach = k % 10 ? exp(-2.0 * (k % 10)) : 1e3; // [rad] or anywhere
        Vec3 n = v3_unit(v3_axpy(gap->normal, reach, rb_rng_direction(rng)));
        worst = fmax(worst, separation(a, b, X, n) - gap->distance);
    }
    return worst;
}

static void check_pose(const RbCore *a, const RbCore *b, Pose X, RbRng *rng, Worst *w) {
    double size = pair_size(a, b);
    RbGap gap, back, moved;
    rb_distance(a, b, X, NULL, &gap);
    OracleResult want = oracle_distance(a, b, X, gap.normal, 1e-15 * size);
    double error =
        want.overlap ? sweep_error(a, b, X, &gap, rng) : fabs(gap.distance - want.distance); // [m]
    w->distance = fmax(w->distance, error / size);
    w->swept += want.overlap;
    w->penetrating += gap.distance < 0;
    if (!want.overlap) {
        w->inexact += gap.status != RB_GAP_EXACT;
        w->bound = fmax(w->bound, gap.error / size);
        w->normal = fmax(w->normal, v3_distance(gap.normal, want.normal));
    }
    Vec3 mismatch = v3_sub(v3_sub(gap.point_b, gap.point_a), v3_scale(gap.distance, gap.normal));
    w->bound = fmax(w->bound, v3_norm(mismatch) / size);

    rb_distance(b, a, pose_inverse(X), NULL, &back);
    w->symmetry = fmax(w->symmetry, fabs(back.distance - gap.distance) / size);

    // The world's origin is up to 10^6 sizes away; the poses themselves are rounded there.
    double away = size * pow(10, 6 * rb_rng_unit(rng)), ulps = 4 * 2.3e-16 * away; // [m]
    Pose W = pose(v3_scale(away, rb_rng_direction(rng)), rb_rng_orientation(rng));
    rb_distance(a, b, pose_relative(W, pose_mul(W, X)), NULL, &moved);
    w->moved = fmax(w->moved, (fabs(moved.distance - gap.distance) - ulps) / size);

    RbPairMemory memory = {0};
    Pose before = X;
    before.r = v3_axpy(X.r, 1e-5 * size, rb_rng_direction(rng));
    rb_distance(a, b, before, &memory, &moved);
    rb_distance(a, b, X, &memory, &moved);
    w->warm = fmax(w->warm, fabs(moved.distance - gap.distance) / size);
}

static void check_pair(TestShape sa, TestShape sb, int poses, double aspect, double tolerance) {
    RbRng rng = rb_rng((uint64_t)(100 * sa + sb) + (uint64_t)aspect * 1000);
    Worst w = {0};
    for (int k = 0; k < poses; k++) {
        RbCore a = random_core(sa, &rng, 1.0, aspect, hulls);
        RbCore b = random_core(sb, &rng, exp(-2 * rb_rng_unit(&rng)), aspect, hulls);
        double depth = shallow_depth(&a, &b);
        double wanted =
            k % 2 ? -depth * 0.98 * rb_rng_unit(&rng) : 0.5 * exp(-8 * rb_rng_unit(&rng));
        Pose X = pose_at_distance(&a, &b, wanted, &rng);
        check_pose(&a, &b, X, &rng, &w);
    }
    print_message("%9s %-9s  d %.1e  n %.1e  sym %.1e  moved %.1e  warm %.1e  bound %.1e  not "
                  "exact %d  penetrating %d  swept %d\n",
                  test_shape_names[sa], test_shape_names[sb], w.distance, w.normal, w.symmetry,
                  w.moved, w.warm, w.bound, w.inexact, w.penetrating, w.swept);
    ENSURE(w.distance < tolerance);
    ENSURE(w.symmetry < tolerance);
    ENSURE(w.moved < tolerance); // beyond 4 ulp of the translation
    ENSURE(w.warm < tolerance);
    ENSURE(w.penetrating * 5 > poses * 2); // about half
    ENSURE(w.swept == 0 || aspect > 20);
}

// RB_PART=k of 0, 1, 2 takes every third pair only, so that several processes can share the long
// version.
static void check_all(int poses, double aspect, double tolerance) {
    RbRng rng = rb_rng(7);
    test_hulls(hulls, &rng);
    int part = test_count("RB_PART", -1), pair = 0;
    for (TestShape a = 0; a < TEST_SHAPE_COUNT; a++) {
        for (TestShape b = a; b < TEST_SHAPE_COUNT; b++, pair++) {
            if (part < 0 || pair % 3 == part) check_pair(a, b, poses, aspect, tolerance);
        }
    }
}

static void compact_shapes(void **state) {
    (void)state;
    check_all(test_count("RB_POSES", POSES), 20, 1e-12);
}

static void thin_shapes(void **state) {
    (void)state;
    check_all(test_count("RB_POSES", POSES) / 4, 1000, 1e-10);
}

// A needle across the edge of a plate: its support point runs along it when the normal turns a
// little, and named the wrong piece of the plate (error 7.5e-10 size).
static void needle_and_edge(void **state) {
    (void)state;
    RbCore needle = {
        .kind = RB_CORE_ELLIPSOID,
        .h = {0.0087511923418491268, 0.034210925139248893, 0.5},
        .size = 1,
        .frame = {{-0.092940993803138805, 0.0040042624992797787, -0.036687021584230303},
                  {{0.35048070023359734, 0.71911383618474045, -0.60003214028202978},
                   {0.82604710411365789, 0.064576713767521832, 0.55988930140200677},
                   {0.44137224714429768, -0.69188520626376571, -0.57138901004844267}}}};
    RbCore plate = {.kind = RB_CORE_BOX,
                    .h = {0.0039488904456337964, 0.47793334401110493, 0.023087364461612008},
                    .radius = 8.0589600931301963e-05,
                    .size = 0.95602786722407251,
                    .frame = {{-0.070093059644699404, 0.011275672020268112, 0.064029017165860388},
                              {{0.20018778726182018, -0.52710470081486371, 0.82588466762017632},
                               {-0.14741833855999298, 0.81714645024975141, 0.55726072201478705},
                               {-0.96860347061500218, -0.2333073364108029, 0.085877840503059355}}}};
    Pose X = {{0.0096441101740941115, -0.032152180451712947, -0.023522925559903873},
              {{0.83679978103073294, -0.32034203978207609, 0.44401250434551531},
               {0.5443145784831106, 0.5742220530215294, -0.6115477687593126},
               {-0.059057312143976942, 0.75342551813168546, 0.65487573058583426}}};
    RbRng rng = rb_rng(1);
    Worst w = {0};
    check_pose(&needle, &plate, X, &rng, &w);
    ENSURE(w.distance < 1e-14 && w.symmetry < 1e-14 && w.inexact == 0 && w.swept == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(compact_shapes),
                                       cmocka_unit_test(thin_shapes),
                                       cmocka_unit_test(needle_and_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
