// SPDX-License-Identifier: MIT
// label: normal
// Distance, normal and contact point move in proportion to the bodies: along random smooth paths
// that slide over edges and vertices and rock through parallel faces and edges. Each path is
// searched for its steepest place by bisection down to steps of 1e-6 size. The bounds are theorems
// (docs/theory/distance.md, section 2). The long version is test_continuity_full; RB_PATHS sets the
// number.
#ifndef PATHS
#define PATHS 100
#endif

#include "place.h"

static TestHull hulls[3];

typedef struct Path {
    RbCore a, b;
    Pose start;    // of b in a, at distance zero
    Vec3 n;        // normal there
    Vec3 pivot;    // [m] about which b turns
    Vec3 axis;     // across n
    Vec3 slide;    // [m] across n
    double height; // [m] distance in the middle
    bool rocks;
    double size;
} Path;

typedef struct Sample {
    RbGap gap;
    Vec3 point;
    double core; // [m] distance of the cores
} Sample;

// [m] radius of the ball that is part of the shape: the smoothing, or the smallest radius of
// curvature of an ellipsoid.
static double ball_radius(const RbCore *c) {
    double least = fmin(c->h.x, fmin(c->h.y, c->h.z)), most = fmax(c->h.x, fmax(c->h.y, c->h.z));
    return c->kind == RB_CORE_ELLIPSOID ? least * least / most : c->radius;
}

// Rocking: turn about the pivot and rise just enough that the cores stay apart. Sliding: move along
// the plane of contact.
static Pose pose_on_path(const Path *p, double t) {
    Pose X = p->start;
    double rise = p->height;
    if (p->rocks) {
        Mat3 R = q_matrix(q_rotation(p->axis, t));
        X.r = v3_add(p->pivot, m3_mul_vec(R, v3_sub(X.r, p->pivot)));
        X.R = m3_mul(R, X.R);
        rise += p->b.size * (sqrt(t * t + 1e-8) - 1e-4);
    } else {
        X.r = v3_axpy(X.r, t, p->slide);
    }
    X.r = v3_axpy(X.r, rise, p->n);
    return X;
}

static Sample sample(const Path *p, double t, RbPairMemory *memory) {
    Sample s;
    RbContactRegion region;
    Pose X = pose_on_path(p, t);
    rb_distance(&p->a, &p->b, X, memory, &s.gap);
    rb_contact_region(&p->a, &p->b, X, &s.gap, rb_region_reach(&p->a, &p->b), &region);
    s.point = region.point;
    s.core = s.gap.distance + ball_radius(&p->a) + ball_radius(&p->b);
    return s;
}

typedef struct Steepest {
    double distance; // change per displacement [1]
    double normal;   // change over what is possible [1]
    double rate;     // change of the normal per displacement, times the core distance [1]
    double point;    // change per displacement, times reach / size [1]
} Steepest;

static double change(const Sample *x, const Sample *y, int what) {
    if (what == 0) return fabs(x->gap.distance - y->gap.distance);
    if (what == 1) return v3_distance(x->gap.normal, y->gap.normal);
    return v3_distance(x->point, y->point);
}

// How much the normal can change while no point of b moves by more than h and b turns by `turn`.
static double normal_bound(const Path *p, const Sample *x, const Sample *y, double h, double turn) {
    double core = fmin(x->core, y->core); // [m]
    if (!p->rocks) return h / core;
    bool round = p->a.kind == RB_CORE_POINT || p->b.kind == RB_CORE_POINT;
    return round ? turn + h / core : sqrt(h * (x->core + y->core)) / core;
}

// The steepest step for distance (0), normal (1) or point (2): halve the interval, keep the half
// with the larger change.
static void search(const Path *p, double t0, double t1, int what, RbPairMemory *memory,
                   Steepest *worst) {
    Sample s0 = sample(p, t0, memory), s1 = sample(p, t1, memory);
    double travel = p->rocks ? 2 * p->b.size : v3_norm(p->slide); // displacement per t, at most
    while ((t1 - t0) * travel > 1e-6 * p->size) {
        double tm = 0.5 * (t0 + t1);
        Sample sm = sample(p, tm, memory);
        if (change(&s0, &sm, what) >= change(&sm, &s1, what))
            t1 = tm, s1 = sm;
        else
            t0 = tm, s0 = sm;
    }
    double step = (t1 - t0) * travel, by = change(&s0, &s1, what); // [m]
    if (what == 0) worst->distance = fmax(worst->distance, by / step);
    if (what == 1) {
        double bound = normal_bound(p, &s0, &s1, step, t1 - t0);
        worst->normal = fmax(worst->normal, by / bound);
        worst->rate = fmax(worst->rate, by / step * fmin(s0.core, s1.core));
    }
    if (what == 2)
        worst->point = fmax(worst->point, by / step * rb_region_reach(&p->a, &p->b) / p->size);
}

static void search_path(const Path *p, double reach, Steepest *worst) {
    enum { PIECES = 5 }; // odd: the middle of the path is inside a piece
    for (int k = 0; k < PIECES; k++) {
        double t0 = reach * (2.0 * k / PIECES - 1), t1 = reach * (2.0 * (k + 1) / PIECES - 1);
        RbPairMemory memory = {0};
        for (int what = 0; what < 3; what++) search(p, t0, t1, what, &memory, worst);
    }
}

static Path random_path(TestShape sa, TestShape sb, bool rocks, RbRng *rng) {
    Path p = {.a = random_core(sa, rng, 1.0, 5, hulls),
              .b = random_core(sb, rng, 0.7, 5, hulls),
              .rocks = rocks};
    Placement at = random_placement(&p.a, &p.b, rng);
    p.start = at.X_AB, p.n = at.normal;
    p.size = fmax(p.a.size, p.b.size);
    p.height = -0.5 * fmin(shallow_depth(&p.a, &p.b), 0.01);
    RbGap gap;
    rb_distance(&p.a, &p.b, p.start, NULL, &gap);
    p.pivot = gap.point_a;
    p.axis = v3_unit(v3_cross(p.n, rb_rng_direction(rng)));
    p.slide = v3_cross(p.n, v3_unit(v3_cross(p.n, rb_rng_direction(rng))));
    return p;
}

static void random_paths(void **state) {
    (void)state;
    RbRng rng = rb_rng(17);
    test_hulls(hulls, &rng);
    int paths = test_count("RB_PATHS", PATHS);
    static const TestShape all[] = {ELLIPSOID, BOX,  CYLINDER, CONE,  FRUSTUM,
                                    CAPSULE,   BEAM, HULL,     SPHERE};
    Steepest most = {0};
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        Steepest worst[2] = {{0}, {0}};
        for (int k = 0; k < (paths + 8) / 9 * 2; k++) {
            Path p =
                random_path(all[i], (TestShape)rb_rng_int(&rng, TEST_SHAPE_COUNT), k % 2, &rng);
            search_path(&p, k % 2 ? 0.02 : 0.5, &worst[k % 2]);
        }
        for (int rocks = 0; rocks < 2; rocks++) {
            const Steepest *w = &worst[rocks];
            print_message("%9s %s  distance %.3g  normal %.3g of its bound, %.3g / core distance  "
                          "point %.3g size / reach\n",
                          test_shape_names[all[i]], rocks ? "rocking" : "sliding", w->distance,
                          w->normal, w->rate, w->point);
            most.distance = fmax(most.distance, w->distance);
            most.normal = fmax(most.normal, w->normal);
            most.point = fmax(most.point, w->point);
        }
    }
    ENSURE(most.distance < 1.001); // no faster than the body
    ENSURE(most.normal < 1.001);
    ENSURE(most.point < 3); // as fast as the edge of a patch: eta deep, size wide
}

// Two lines that turn through parallel. With a along x and b through (0, 0, delta) along (1, phi,
// psi) the normal is across both: (0, -psi, phi) / |..| up to psi^2, and the feet are at x = -delta
// psi / (phi^2 + psi^2). At psi = 0 the normal turns by dpsi / phi, without bound as phi goes to 0,
// so no constant can serve for all poses. The answer must be this normal nevertheless, and stay
// within the bound of the root.
static void turning_lines(void **state) {
    (void)state;
    RbCore line = {
        .kind = RB_CORE_BOX, .h = {1, 0, 0}, .radius = 0.1, .size = 2.2, .frame = POSE_IDENTITY};
    double delta = 0.05, largest_rate = 0; // [m], [1/rad]
    for (double phi = 1e-1; phi > 1e-6; phi *= 0.1) {
        double range = 0.5 * phi * phi / delta; // feet within half of the length
        RbPairMemory memory = {0};
        RbGap last = {0};
        for (int k = -20; k <= 20; k++) {
            double psi = range * k / 20.0;
            Vec3 x = v3_unit(v3(1, phi, psi)), n = v3_unit(v3_cross(v3(1, 0, 0), x));
            Vec3 y = v3_cross(n, x);
            Mat3 R = m3_transpose((Mat3){x, y, n}); // columns x, y, n
            RbGap gap;
            rb_distance(&line, &line, (Pose){v3(0, 0, delta), R}, &memory, &gap);
            ENSURE(gap.status == RB_GAP_EXACT);
            ENSURE_NEAR(v3_distance(gap.normal, n), 0, 1e-12 / phi); // the cross product's digits
            ENSURE_NEAR(gap.distance, delta * n.z - 0.2, 1e-15);
            double turn = v3_distance(gap.normal, last.normal), step = range / 20; // [rad]
            if (k > -20) {
                largest_rate = fmax(largest_rate, turn / step);
                ENSURE(turn < sqrt(2 * step / (delta * 0.99))); // no point moves by more than step
            }
            last = gap;
        }
    }
    print_message("lines that turn through parallel: the normal turns %.0f times as fast\n",
                  largest_rate);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_paths),
                                       cmocka_unit_test(turning_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
