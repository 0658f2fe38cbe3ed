// SPDX-License-Identifier: MIT
// Where the closest points pass from one piece of a surface to the next (face, edge, corner, rim). At
// a small way h from such a border the distances of the two pieces differ by h^2, which rounding hides
// below 1e-8, but their normals by h, and the separation along the wrong one is too small by that.
// Poses are placed on borders, where the distance is known, and moved from there along short paths of
// 1e-17 to 1e-5 m: the distance may not change by more than the body moves. RB_POSES sets the number
// of paths per pair.
#ifndef POSES
#define POSES 500
#endif

#include "place.h"

// --- places on borders: the point belongs to the smaller piece, the normal to the larger one
// ------------------------------------------------------------------------------------------

// A corner or edge with a normal that leaves out some of its faces.
static Place border_of_box(Vec3 h, RbRng *rng) {
    double p[3], n[3];
    int on = 1 + rb_rng_int(rng, 7), active = on & (1 + rb_rng_int(rng, 7));
    if (!active) active = on;
    for (int i = 0; i < 3; i++) {
        double s = random_sign(rng), hi = v3_get(h, i);
        p[i] = on >> i & 1 ? s * hi : rb_rng_range(rng, -hi, hi);
        n[i] = active >> i & 1 ? s * (0.02 + rb_rng_unit(rng)) : 0;
    }
    return (Place){v3_load(p), v3_unit(v3_load(n))};
}

// The rim with the normal of the cap or of the side.
static Place border_of_frustum(Vec3 h, RbRng *rng) {
    double slant = hypot(2 * h.z, h.x - h.y), angle = 6.283185307179586 * rb_rng_unit(rng);
    double end = random_sign(rng), rim = end > 0 ? h.y : h.x, c = cos(angle), s = sin(angle);
    bool cap = rb_rng_int(rng, 2);
    double ns = cap ? 0 : 2 * h.z / slant, nz = cap ? end : (h.x - h.y) / slant;
    return (Place){v3(rim * c, rim * s, end * h.z), v3_unit(v3(ns * c, ns * s, nz))};
}

// Where the flat and the round side meet, the edge there, or its corner.
static Place border_of_beam(Vec3 h, RbRng *rng) {
    double x = random_sign(rng), y = random_sign(rng), z = random_sign(rng);
    Vec3 p = v3(x * h.x, y * h.y, z * h.z);
    int kind = rb_rng_int(rng, 4);
    if (kind == 0) p.z = rb_rng_range(rng, -h.z, h.z);
    if (kind == 1) p.x = rb_rng_range(rng, -h.x, h.x);
    double t = kind == 0 ? 1 : kind == 3 ? rb_rng_unit(rng) : rb_rng_int(rng, 2);
    return (Place){p, v3_unit(v3(0, y * t, z * (1 - t)))};
}

// A corner with the normal of an edge or a face, or an edge with that of a face.
static Place border_of_polytope(const RbPolytope *t, RbRng *rng) {
    int e = rb_rng_int(rng, t->edge_count), kind = rb_rng_int(rng, 3);
    double along = kind == 0 ? rb_rng_unit(rng) : 0, between = kind == 1 ? rb_rng_unit(rng) : 0;
    Vec3 n = v3_lerp(t->face_normals[t->edge_faces[e][0]], t->face_normals[t->edge_faces[e][1]],
                     between);
    return (Place){v3_lerp(t->vertices[t->edges[e][0]], t->vertices[t->edges[e][1]], along),
                   v3_unit(n)};
}

static Place border_place(const RbCore *c, RbRng *rng) {
    Vec3 h = c->h, n = rb_rng_direction(rng);
    switch (c->kind) {
        case RB_CORE_SEGMENT:
            return (Place){v3(0, 0, random_sign(rng) * h.z), v3_unit(v3(n.x, n.y, 0))};
        case RB_CORE_BOX: return border_of_box(h, rng);
        case RB_CORE_CYLINDER: return border_of_frustum(v3(h.x, h.x, h.z), rng);
        case RB_CORE_FRUSTUM: return border_of_frustum(h, rng);
        case RB_CORE_BEAM: return border_of_beam(h, rng);
        case RB_CORE_POLYTOPE: return border_of_polytope(c->polytope, rng);
        default: return random_place(c, rng);
    }
}

// --- short paths
// ------------------------------------------------------------------------------------------

typedef struct Path {
    RbCore a, b;
    Pose start;
    double distance; // [m] there
    Vec3 pivot, axis, way;
    double far, turn; // [m], [rad] at the end
} Path;

static Pose pose_on(const Path *p, double t) {
    Mat3 R = m3_rotation(p->axis, t * p->turn);
    Vec3 r = v3_add(p->pivot, m3_mul_vec(R, v3_sub(p->start.r, p->pivot)));
    return (Pose){v3_axpy(r, t * p->far, p->way), m3_mul(R, p->start.R)};
}

static bool is_flat_sided(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_SEGMENT || c->kind == RB_CORE_POLYTOPE;
}

enum { HULL_SIZES = 6 };
static TestHull hulls[HULL_SIZES][3];

static RbCore random_body(TestShape shape, double size, RbRng *rng) {
    return random_core(shape, rng, size, rb_rng_int(rng, 2) ? 3 : 20,
                       hulls[rb_rng_int(rng, HULL_SIZES)]);
}

// The cores are 1e-4 of the roundings to 0.1 m apart, and stay so.
static Path random_path(TestShape sa, TestShape sb, RbRng *rng) {
    Path p = {.a = random_body(sa, 1, rng), .b = random_body(sb, 0.7, rng)};
    Place on_a = rb_rng_int(rng, 4) ? border_place(&p.a, rng) : random_place(&p.a, rng);
    Place on_b = rb_rng_int(rng, 2) ? border_place(&p.b, rng) : random_place(&p.b, rng);
    Placement at = placement_of(&p.a, &p.b, on_a, on_b, rng);
    double rounding = p.a.radius + p.b.radius;
    bool deep = rb_rng_int(rng, 2) && sa != ELLIPSOID && sb != ELLIPSOID;
    p.distance = deep ? rounding * (pow(10, rb_rng_range(rng, -4, 0)) - 1)
                      : pow(10, rb_rng_range(rng, -6, -1));
    p.start = at.X_AB;
    p.start.r = v3_axpy(p.start.r, p.distance, at.normal);
    p.pivot = v3_axpy(pose_point(p.a.frame, on_a.point), p.a.radius, at.normal);
    p.axis = rb_rng_direction(rng), p.way = rb_rng_direction(rng);
    p.far = fmin(pow(10, rb_rng_range(rng, -17, -5)), 0.1 * (p.distance + rounding));
    p.turn = rb_rng_int(rng, 2) ? p.far : 0;
    return p;
}

typedef struct Count {
    int queries, bounded;
    double error; // [1] largest of them, times the size
} Count;

// No point of b is farther than twice its size from the pivot. Flat-sided bodies are exact; others are
// right within the bound they give.
static void check_path(const Path *p, bool flat, Count *count) {
    enum { STEPS = 4 };
    double size = fmax(p->a.size, p->b.size), rounding = 1e-13 * size, last = p->distance;
    double step = (p->far + 2 * p->b.size * p->turn) / STEPS, last_error = 0; // [m]
    for (int k = 0; k <= STEPS; k++) {
        RbGap gap;
        rb_distance(&p->a, &p->b, pose_on(p, (double)k / STEPS), NULL, &gap);
        double error = flat ? 0 : gap.error; // [m]
        ENSURE(fabs(gap.distance - p->distance) <= k * step + error + rounding);
        ENSURE(fabs(gap.distance - last) <= step + error + last_error + rounding);
        last = gap.distance, last_error = error;
        count->queries++, count->bounded += gap.status != RB_GAP_EXACT;
        count->error = fmax(count->error, error / size);
    }
}

static void nothing_jumps_at_borders(void **state) {
    (void)state;
    static const int points[HULL_SIZES] = {4, 6, 8, 16, 32, 64};
    RbRng rng = rb_rng(5);
    for (int i = 0; i < HULL_SIZES; i++) {
        test_hull(&hulls[i][0], points[i], v3(0.5, 0.5, 0.5), &rng);
        test_hull(&hulls[i][1], points[i], v3(0.5, 0.2, 0.1), &rng);
        test_hull(&hulls[i][2], points[i], v3(0.5, 0.3, 0.025), &rng);
    }
    int paths = test_count("RB_POSES", POSES);
    Count flat = {0}, round = {0};
    for (int i = ELLIPSOID; i < TEST_SHAPE_COUNT; i++) {
        for (int j = i; j < TEST_SHAPE_COUNT; j++) {
            for (int k = 0; k < paths; k++) {
                Path p = random_path((TestShape)i, (TestShape)j, &rng);
                bool is_flat = is_flat_sided(&p.a) && is_flat_sided(&p.b);
                check_path(&p, is_flat, is_flat ? &flat : &round);
            }
        }
    }
    print_message("flat-sided: %d of %d only bounded; others: %d of %d, by up to %.1e\n",
                  flat.bounded, flat.queries, round.bounded, round.queries, round.error);
    ENSURE(flat.bounded == 0);
    ENSURE(round.bounded <= 1e-5 * round.queries);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_jumps_at_borders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
