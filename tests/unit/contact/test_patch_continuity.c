// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (the patches of all shapes also run in collide/test_patch)
// Jumps of forces and torques of patches of convex bodies (e = 1, no friction): along random paths that slide over edges, rock
// through parallel and go from corner to edge to face. Each path is searched for its steepest place by bisection down to 1e-10 of
// the size. What changes there is compared with the largest force of the path: a jump stays, a slope of one over a millionth of
// the size is 1e-4. Depths are below the smaller rounding. The long version is test_patch_continuity_full; RB_PATHS sets
// the number.
#ifndef PATHS
#define PATHS 100
#endif

#include "../collide/place.h"
#include "collide/patch_round.h"
#include "contact/press.h"

typedef enum Way { SLIDES, ROCKS, BOTH, WAYS } Way;

typedef struct Path {
    RbCore a, b;
    Way way;
    Pose start;      // of b in a, at distance zero
    Vec3 n;          // normal there
    Vec3 pivot;      // [m] about which b turns
    Vec3 axis;       // across n, or nearly
    Vec3 slide;      // [m]
    double turn;     // [rad]
    double depth;    // [m] in the middle; where b rocks, everywhere
    double rounding; // [m] the smaller one
} Path;

static RbGap gap_at(const Path *p, Pose X) {
    RbGap gap;
    rb_distance(&p->a, &p->b, X, NULL, &gap);
    return gap;
}

// t from -1 to 1. A body that rocks is lifted or lowered until it is as deep as in the middle: the distance is continuous in the pose,
// so the path is.
static Pose pose_on(const Path *p, double t) {
    Mat3 R = m3_rotation(p->axis, t * p->turn);
    Pose X = {v3_add(p->pivot, m3_mul_vec(R, v3_sub(p->start.r, p->pivot))), m3_mul(R, p->start.R)};
    X.r = v3_axpy(v3_axpy(X.r, t, p->slide), -p->depth, p->n);
    for (int i = 0; i < 3 && p->way != SLIDES; i++)
        X.r = v3_axpy(X.r, -p->depth - gap_at(p, X).distance, p->n);
    return X;
}

typedef struct Sample {
    Vec3 force, torque; // on b, about the origin of a, for a modulus of 1 Pa
    bool deep;
} Sample;

static Sample sample(const Path *p, double t) {
    static const RbContactLaw law = {.modulus = 1, .mass = 1};
    Pose X = pose_on(p, t);
    RbGap gap = gap_at(p, X);
    RbPatch patch;
    rb_patch(&p->a, &p->b, X, &gap, &patch);
    double spot = 10 * rb_region_reach(&p->a, &p->b); // as contact/evaluate.c has it
    RbPressing press = rb_press(&law, &patch, &gap, spot, (Motion){0}, (Motion){0});
    Wrench w = press.elastic;
    return (Sample){.force = w.f,
                    .torque = v3_add(w.t, v3_cross(patch.origin, w.f)),
                    .deep = -gap.distance > p->rounding};
}

// Sizes are about 1 m: newtons and newton metres go together.
static double change(const Sample *a, const Sample *b) {
    return v3_distance(a->force, b->force) + v3_distance(a->torque, b->torque);
}

static double size_of(const Sample *s) {
    return v3_norm(s->force) + v3_norm(s->torque);
}

typedef enum Kind { FLAT, ROUND, HULLS, FEW, KINDS } Kind;

static const char *const names[] = {"boxes and plates", "round bodies", "hulls and other bodies",
                                    "hulls of 4 to 16 points"};
// Patches of round bodies are sums over lines, whose places change.
static const double bound[] = {1e-5, 1e-4, 1e-4, 1e-4};

static Kind kind_of(const Path *p) {
    bool hulls = p->a.kind == RB_CORE_POLYTOPE && p->b.kind == RB_CORE_POLYTOPE;
    if (hulls && p->a.polytope->vertex_count < 64) return FEW;
    if (p->a.kind == RB_CORE_POLYTOPE || p->b.kind == RB_CORE_POLYTOPE) return HULLS;
    return rb_has_round_patch(&p->a, &p->b) ? ROUND : FLAT;
}

// The steepest step in an interval, and the largest force on the way.
static double steepest(const Path *p, double t0, double t1, double *largest) {
    Sample a = sample(p, t0), b = sample(p, t1);
    while (t1 - t0 > 1e-10) {
        double t = 0.5 * (t0 + t1);
        Sample s = sample(p, t);
        if (a.deep || b.deep || s.deep) return 0;
        *largest = fmax(*largest, fmax(size_of(&a), size_of(&b)));
        if (change(&a, &s) >= change(&s, &b))
            t1 = t, b = s;
        else
            t0 = t, a = s;
    }
    return change(&a, &b);
}

// One of the first shapes, of which the second one is a plate; 0: a hull.
static RbCore body(RbRng *rng, double size, int count, const TestHull *hulls) {
    static const TestShape shapes[] = {BOX, BOX, CYLINDER, CONE, FRUSTUM, BEAM, HULL};
    int i = count > 0 ? rb_rng_int(rng, count) : 6;
    return random_core(shapes[i], rng, size, i == 1 ? 20 : 3, hulls);
}

// From that place; at least so deep, as a part of the rounding.
static void set_out(Path *path, Placement at, double least, RbRng *rng) {
    Path p = *path;
    p.way = (Way)rb_rng_int(rng, WAYS);
    p.start = at.X_AB, p.n = at.normal;
    p.rounding = fmin(p.a.radius, p.b.radius);
    p.depth = p.rounding * pow(10, rb_rng_range(rng, log10(least), -0.05));
    p.pivot = gap_at(&p, p.start).point_a;
    Vec3 across = v3_unit(v3_cross(p.n, rb_rng_direction(rng)));
    p.axis = v3_unit(v3_axpy(across, rb_rng_int(rng, 2) ? 0 : 0.3, p.n));
    if (p.way != ROCKS) {
        Vec3 along = v3_unit(v3_cross(p.n, rb_rng_direction(rng)));
        double far = p.way == SLIDES ? 0.5 : 0.05;
        p.slide = v3_scale(far * rb_rng_unit(rng), along);
    }
    if (p.way == SLIDES)
        p.slide = v3_axpy(p.slide, rb_rng_range(rng, -0.5, 0.5) * p.depth, p.n);
    else
        p.turn = pow(10, rb_rng_range(rng, -4, -0.7));
    *path = p;
}

static Path random_path(RbRng *rng, int shapes, const TestHull *hulls) {
    Path p = {.a = body(rng, 1, shapes, hulls), .b = body(rng, 0.7, shapes, hulls)};
    set_out(&p, random_placement(&p.a, &p.b, rng), 1e-2, rng);
    return p;
}

// A face of a box or hull on the flat end of a round body: inside of it, across its rim, and from the one to the other.
static Path end_path(RbRng *rng, const TestHull *hulls) {
    static const TestShape round[] = {CYLINDER, CONE, FRUSTUM, BEAM};
    Path p = {.a = random_core(round[rb_rng_int(rng, 4)], rng, 1, 3, hulls)};
    double size = rb_rng_int(rng, 2) ? 0.2 : 0.7, aspect = rb_rng_int(rng, 2) ? 3 : 20;
    p.b = random_core(rb_rng_int(rng, 3) ? BOX : HULL, rng, size, aspect, hulls);
    Place on_end = place_on_end(&p.a, rng), on_face = place_on_face(&p.b, rng);
    set_out(&p, placement_of(&p.a, &p.b, on_end, on_face, rng), 1e-4, rng);
    return p;
}

typedef struct Tally {
    int met[KINDS], beyond[KINDS];
    double worst[KINDS];
} Tally;

#ifndef PIECES
#define PIECES 3
#endif

static void follow(const Path *p, int number, Tally *t) {
    const int pieces =
        test_count("RB_PIECES", PIECES); // odd: the middle of the path is inside a piece
    double largest = 0, most = 0;
    for (int k = 0; k < pieces; k++) {
        double from = 2.0 * k / pieces - 1, to = 2.0 * (k + 1) / pieces - 1;
        most = fmax(most, steepest(p, from, to, &largest));
    }
    if (!(largest > 0)) return;
    Kind kind = kind_of(p);
    double ratio = most / largest;
    if (ratio > bound[kind])
        print_message("path %d, cores %d and %d, way %d, depth %.2g of %.2g, %s: %g\n", number,
                      p->a.kind, p->b.kind, p->way, p->depth, p->rounding, names[kind], ratio);
    t->worst[kind] = fmax(t->worst[kind], ratio);
    t->met[kind]++, t->beyond[kind] += ratio > bound[kind];
}

static void judge(const Tally *t, int from, int to) {
    for (int k = from; k < to; k++) {
        print_message("%s: largest change in a step of 1e-10: %.2g; beyond %g: %d of %d paths\n",
                      names[k], t->worst[k], bound[k], t->beyond[k], t->met[k]);
        ENSURE(t->met[k] > 0 && t->beyond[k] == 0);
    }
}

static void nothing_jumps(void **state) {
    (void)state;
    static TestHull hulls[3];
    RbRng setting = rb_rng(17);
    test_hulls(hulls, &setting);
    int paths = test_count("RB_PATHS", PATHS);
    Tally t = {.met = {0}};
    for (int i = 0; i < paths; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        Path p = random_path(&rng, (int[]){2, 2, 6, 7}[i % 4], hulls);
        follow(&p, i, &t);
    }
    judge(&t, FLAT, FEW);
}

static void few_points(int points, TestHull hulls[3]) {
    RbRng setting = rb_rng(17);
    test_hull(&hulls[0], points, v3(0.5, 0.5, 0.5), &setting);
    test_hull(&hulls[1], points, v3(0.5, 0.2, 0.1), &setting);
    test_hull(&hulls[2], points, v3(0.5, 0.3, 0.025), &setting);
}

static void follow_hulls(int points, int number, Tally *t) {
    static TestHull hulls[3];
    RbRng rng = rb_rng((uint64_t)number + 1);
    few_points(points, hulls);
    Path p = random_path(&rng, 0, hulls);
    follow(&p, number, t);
}

// Paths of hulls on which forces jumped: where W^1.5/V along the normal had two largest values, where another one of nearly parallel faces became the one that fixed the
// normal, where one body had passed a thin one, and where the search for the largest volume ended early.
static void what_jumped_once(void **state) {
    (void)state;
    static const struct Case {
        int points, number;
    } cases[] = {{4, 818},   {4, 1187},  {4, 1997},  {4, 6710}, {4, 6715}, {4, 7626},
                 {4, 8260},  {4, 9155},  {5, 2708},  {8, 903},  {12, 508}, {16, 683},
                 {16, 1155}, {16, 1474}, {16, 1566}, {16, 1941}};
    Tally t = {.met = {0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        follow_hulls(cases[i].points, cases[i].number, &t);
    judge(&t, FEW, KINDS);
}

// A jump of 0.0056 in the middle of a path of boxes that bisection for the steepest step does not meet.
static void box_that_jumped_once(void **state) {
    (void)state;
    RbRng rng = rb_rng(665);
    Path p = random_path(&rng, 2, NULL);
    double largest = 0, t = 0.07132535, near = 1e-5,
           most = steepest(&p, t - near, t + near, &largest);
    print_message("path 664: %g\n", most / largest);
    ENSURE(most < bound[FLAT] * largest);
}

// Also across the rim.
static void faces_on_ends(void **state) {
    (void)state;
    static TestHull hulls[3];
    RbRng setting = rb_rng(5);
    for (int k = 0; k < 3; k++)
        test_hull(&hulls[k], 8 + 4 * k, v3(0.5, 0.5, k == 2 ? 0.05 : 0.3), &setting);
    static const int lost[] = {473, 10632}; // a part of the rim: 1.05e-4, 2.2e-4
    int paths = test_count("RB_PATHS", PATHS);
    Tally t = {.met = {0}};
    for (int i = -2; i < paths; i++) {
        int number = i < 0 ? lost[i + 2] : i;
        RbRng rng = rb_rng((uint64_t)number + 1);
        Path p = end_path(&rng, hulls);
        follow(&p, number, &t);
    }
    judge(&t, ROUND, FEW);
}

// Hulls of few points have slender corners and edges. Those that are as flat as twice the rounding are thinner than they are deep near their edges.
static void slender_corners(void **state) {
    (void)state;
    static const int points[] = {4, 5, 6, 8, 16};
    int paths = test_count("RB_PATHS", PATHS);
    Tally t = {.met = {0}};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < paths; i++) follow_hulls(points[k], i, &t);
    judge(&t, FEW, KINDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_jumps), cmocka_unit_test(faces_on_ends),
        cmocka_unit_test(slender_corners), cmocka_unit_test(what_jumped_once),
        cmocka_unit_test(box_that_jumped_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
