// SPDX-License-Identifier: MIT
// The general rule of pressing (collide/pressing.h): bodies exchanged, mirrored, turned and moved, slopes against differences, Hertz's and the
// punch's energies, over random pairs of all kinds.
#include "place.h"

#include "collide/patch.h"
#include "collide/pressing.h"
#include "geom/shape.h"

static bool press(const RbCore *a, const RbCore *b, Pose X, bool all, RbPatch *p) {
    RbGap gap;
    rb_distance(a, b, X, NULL, &gap);
    *p = (RbPatch){0};
    if (!all) return rb_pressing_patch(a, b, X, &gap, p);
    rb_patch(a, b, X, &gap, p);
    return p->energy > 0;
}

typedef struct Pair {
    RbCore a, b;
    Pose X;
    double depth;
} Pair;

static Pair random_pair(int i, int j, double deepest, const TestHull *hulls, RbRng *rng) {
    Pair p = {.a = random_core((TestShape)i, rng, 0.1, 4, hulls),
              .b = random_core((TestShape)j, rng, 0.1, 4, hulls)};
    p.a.radius = fmax(p.a.radius, i == ELLIPSOID ? 0 : 1e-3);
    p.b.radius = fmax(p.b.radius, j == ELLIPSOID ? 0 : 1e-3);
    if (rb_rng_int(rng, 2) && i == j) p.b = p.a; // alike
    Placement place = random_placement(&p.a, &p.b, rng);
    p.depth = deepest * pow(10, rb_rng_range(rng, -2, 0));
    p.X = place.X_AB;
    p.X.r = v3_axpy(p.X.r, -p.depth, place.normal);
    return p;
}

// Of energy and wrench, over the force.
static double off(const RbPatch *p, const RbPatch *q, Mat3 R, double side, double sign, Vec3 from) {
    double F = v3_norm(p->energy_slope.f);
    Vec3 f = v3_scale(sign, m3_tmul_vec(R, q->energy_slope.f));
    Vec3 t = v3_scale(sign * side, m3_tmul_vec(R, q->energy_slope.t));
    Vec3 arm = v3_sub(from, p->origin);
    t = v3_add(t, v3_cross(arm, f));
    return fabs(q->energy / p->energy - 1) + v3_distance(f, p->energy_slope.f) / F +
           v3_distance(t, p->energy_slope.t) / (0.1 * F);
}

static double off_exchanged(const Pair *p, bool all) {
    RbPatch one, two;
    Pose back = pose_inverse(p->X);
    if (!press(&p->a, &p->b, p->X, all, &one) || !press(&p->b, &p->a, back, all, &two)) return 1;
    return off(&one, &two, back.R, 1, -1, pose_point(p->X, two.origin));
}

// Both in another place and another frame of A's shape.
static double off_moved(const Pair *p, bool all, RbRng *rng) {
    Pose M = {v3_scale(0.3, rb_rng_direction(rng)), q_matrix(rb_rng_orientation(rng))};
    RbCore a = p->a;
    a.frame = pose_mul(M, a.frame);
    RbPatch one, two;
    if (!press(&p->a, &p->b, p->X, all, &one) || !press(&a, &p->b, pose_mul(M, p->X), all, &two))
        return 1;
    return off(&one, &two, M.R, 1, 1, pose_unpoint(M, two.origin));
}

// The image in a mirror; all cores but hulls are their own images in their own frames.
static Pose image_of(Pose X) {
    Mat3 Q = m3_diagonal(v3(-1, 1, 1));
    return (Pose){m3_mul_vec(Q, X.r), m3_mul(m3_mul(Q, X.R), Q)};
}

static double off_mirrored(const Pair *p, bool all) {
    RbCore a = p->a, b = p->b;
    a.frame = image_of(a.frame), b.frame = image_of(b.frame);
    RbPatch one, two;
    if (!press(&p->a, &p->b, p->X, all, &one) || !press(&a, &b, image_of(p->X), all, &two))
        return 1;
    Mat3 Q = m3_diagonal(v3(-1, 1, 1));
    return off(&one, &two, Q, -1, 1, m3_mul_vec(Q, two.origin));
}

static double off_slope(const Pair *p, bool all, RbRng *rng) {
    const double lever = 0.02, h = 1e-4 * p->depth;
    Vec3 v = rb_rng_direction(rng), w = rb_rng_direction(rng);
    RbPatch at, q;
    if (!press(&p->a, &p->b, p->X, all, &at)) return 1;
    double slope = v3_dot(at.energy_slope.f, v) + v3_dot(at.energy_slope.t, w) / lever, U[2];
    for (int s = 0; s < 2; s++) {
        double way = s ? h : -h;
        Mat3 R = m3_rotation(w, way / lever);
        Vec3 arm = m3_mul_vec(R, v3_sub(p->X.r, at.origin));
        Pose X = {v3_axpy(v3_add(at.origin, arm), way, v), m3_mul(R, p->X.R)};
        if (!press(&p->a, &p->b, X, all, &q)) return 1;
        U[s] = q.energy;
    }
    return fabs((U[1] - U[0]) / (2 * h) - slope) / v3_norm(at.energy_slope.f);
}

typedef struct Worst {
    double exchanged, moved, mirrored, slope;
    int count, bent;
} Worst;

static void look_at(const Pair *p, bool all, Worst *worst, RbRng *rng) {
    bool hull = p->a.kind == RB_CORE_POLYTOPE || p->b.kind == RB_CORE_POLYTOPE;
    double slope = off_slope(p, all, rng);
    worst->exchanged = fmax(worst->exchanged, off_exchanged(p, all));
    worst->moved = fmax(worst->moved, off_moved(p, all, rng));
    if (!hull) worst->mirrored = fmax(worst->mirrored, off_mirrored(p, all));
    worst->slope = fmax(worst->slope, slope);
    worst->bent += slope > 1e-4;
    worst->count++;
}

static void tell(const char *what, const Worst *w) {
    print_message(
        "%s, %d: exchanged %.1e, moved %.1e, mirrored %.1e, slopes %.1e, of %d by more than 1e-4\n",
        what, w->count, w->exchanged, w->moved, w->mirrored, w->slope, w->bent);
}

// The rule itself, for every pair.
static void one_rule_for_all(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    static TestHull hulls[3];
    test_hulls(hulls, &rng);
    Worst worst = {0};
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        for (int j = i; j < TEST_SHAPE_COUNT; j++) {
            for (int k = 0; k < REPEATS(10, 2); k++) {
                Pair p = random_pair(i, j, 1e-4, hulls, &rng);
                look_at(&p, false, &worst, &rng);
            }
        }
    }
    tell("all pairs", &worst);
    ENSURE(worst.exchanged < 1e-8 && worst.moved < 1e-8 && worst.mirrored < 1e-8);
    ENSURE(worst.slope < 1e-2 && worst.bent <= worst.count / 100);
}

// As bodies press, from a hundredth of their roundings to three times these.
static void round_bodies_press_alike(void **state) {
    (void)state;
    const int round[] = {CYLINDER, CONE, FRUSTUM, BEAM, CAPSULE},
              other[] = {CYLINDER, CONE, FRUSTUM, BEAM, CAPSULE, BOX, HULL};
    const double deepest[] = {1e-4, 1e-3, 3e-3}; // roundings are 1 mm each or more
    RbRng rng = rb_rng(8);
    static TestHull hulls[3];
    test_hulls(hulls, &rng);
    for (int d = 0; d < 3; d++) {
        Worst worst = {0};
        for (int k = 0; k < REPEATS(600, 60); k++) {
            int i = round[k % 5], j = other[k / 5 % 7];
            Pair p = random_pair(i, j, deepest[d], hulls, &rng);
            look_at(&p, true, &worst, &rng);
        }
        tell("round bodies", &worst);
        double alike = d < 2 ? 1e-8 : 1e-5; // the frame is known to 1e-8
        ENSURE(worst.exchanged < alike && worst.moved < alike && worst.mirrored < alike);
        ENSURE(worst.slope < 1e-2 && worst.bent <= worst.count / 100);
    }
}

// A face on a flat end or side, tilted by so much that the depth changes by a part of itself: from the faces alone to the rule alone.
static Pair tilted_pair(int i, int j, const TestHull *hulls, RbRng *rng) {
    Pair p = {.a = random_core((TestShape)i, rng, 0.1, 4, hulls),
              .b = random_core((TestShape)j, rng, 0.1, 4, hulls)};
    p.a.radius = fmax(p.a.radius, 1e-3), p.b.radius = fmax(p.b.radius, 1e-3);
    Place on_end = place_on_end(&p.a, rng), on_face = place_on_face(&p.b, rng);
    Placement at = placement_of(&p.a, &p.b, on_end, on_face, rng);
    p.depth = 1e-4 * pow(10, rb_rng_range(rng, -2, 0));
    double tilt = rb_rng_range(rng, 0, 4) * p.depth / 0.1;
    Vec3 across = v3_unit(v3_cross(at.normal, rb_rng_direction(rng)));
    p.X = (Pose){at.X_AB.r, m3_mul(m3_rotation(across, tilt), at.X_AB.R)};
    for (int k = 0; k < 5; k++) {
        RbGap gap;
        rb_distance(&p.a, &p.b, p.X, NULL, &gap);
        p.X.r = v3_axpy(p.X.r, -p.depth - gap.distance, at.normal);
    }
    return p;
}

static void faces_and_rule_are_one_energy(void **state) {
    (void)state;
    const int round[] = {CYLINDER, FRUSTUM, BEAM}, flat[] = {BOX, HULL};
    RbRng rng = rb_rng(9);
    static TestHull hulls[3];
    test_hulls(hulls, &rng);
    Worst worst = {0};
    for (int k = 0; k < REPEATS(300, 30); k++) {
        Pair p = tilted_pair(round[k % 3], flat[k / 3 % 2], hulls, &rng);
        look_at(&p, true, &worst, &rng);
    }
    tell("faces on ends", &worst);
    ENSURE(worst.exchanged < 1e-6 && worst.moved < 1e-6 && worst.mirrored < 1e-6);
    ENSURE(worst.slope < 1e-2 && worst.bent <= worst.count / 100);
}

// A ball on a plate, the end of a cylinder on a plate: Hertz's and the rigid punch's.
static void closed_forms(void **state) {
    (void)state;
    RbShape floor = rb_shape_halfspace(), ball = rb_shape_sphere(0.1),
            disc = rb_shape_cylinder(3, 0.1, 0.1);
    RbCore below = rb_shape_core(&floor), above[2] = {rb_shape_core(&ball), rb_shape_core(&disc)};
    for (double depth = 1e-9; depth < 1e-4; depth *= 10) {
        double theory[2] = {8.0 / 15 * sqrt(0.05) * pow(depth, 2.5), 0.049 * depth * depth};
        for (int i = 0; i < 2; i++) {
            RbPatch p;
            Pose X = pose(v3(0.01, 0.02, 0.05 - depth), Q_IDENTITY);
            ENSURE(press(&below, &above[i], X, false, &p));
            ENSURE_NEAR(p.energy / theory[i], 1, i ? 0.06 : 20 * depth + 1e-8);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(one_rule_for_all),
        cmocka_unit_test(round_bodies_press_alike),
        cmocka_unit_test(faces_and_rule_are_one_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
