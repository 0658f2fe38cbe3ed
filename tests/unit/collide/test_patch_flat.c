// SPDX-License-Identifier: MIT
// Flat ends of cylinders, cones and beams, and flat sides of beams, against polyhedra (collide/patch_flat.c): moments in closed form where a face lies on them, and
// sums over a fine grid of places, each with its own distance, in random poses.
#include "place.h"

#include "collide/patch.h"
#include "collide/patch_flat.h"
#include "collide/point.h"
#include "geom/shape.h"

#define PI 3.141592653589793

static RbPatch patch_of(const RbCore *a, const RbCore *b, Pose X) {
    RbGap gap;
    RbPatch p;
    rb_distance(a, b, X, NULL, &gap);
    rb_patch_by_sums(a, b, X, &gap, &p);
    return p;
}

// A rectangle of area `face` with that border, g over a plane: the strips beside its sides and the quarters of a disc at its corners reach y = sqrt(r² - g²)
// beyond it, and overlap by r - sqrt(g² + y²).
typedef struct Moments {
    double area, volume, square;
    double by_volume, by_square; // rates of V and W with the depth
} Moments;

static Moments lying(double face, double border, double r, double g) {
    double y = sqrt((r - g) * (r + g)), d = r - g, turn = g * asinh(y / g), bent = r * y + g * turn;
    Moments m = {face + border * y + PI * y * y, face * d, face * d * d, face, 2 * face * d};
    m.volume += border * (r * y - 0.5 * bent);
    m.square += border * (r * r * y - r * bent + g * g * y + y * y * y / 3);
    m.by_volume += border * turn + 2 * PI * g * d;
    m.by_square += 2 * border * (r * turn - g * y) + 2 * PI * g * d * d;
    double cubes = (r * r * r - g * g * g) / 3, fourths = (r * r * r * r - g * g * g * g) / 4;
    m.volume += 2 * PI * (0.5 * r * y * y - cubes);
    m.square += 2 * PI * (0.5 * r * r * y * y - 2 * r * cubes + fourths);
    return m;
}

static void compare(const RbPatch *p, Moments want, double x, double y, double part) {
    ENSURE_NEAR(p->area, want.area, part * want.area);
    ENSURE_NEAR(p->volume, want.volume, part * want.volume);
    ENSURE_NEAR(p->square, want.square, part * want.square);
    Vec3 centre = v3_axpy(v3_axpy(p->origin, p->x, p->u), p->y, p->v);
    ENSURE_NEAR(centre.x, x, 1e-11);
    ENSURE_NEAR(centre.y, y, 1e-11);
    // the box is pressed straight up
    Vec3 V = p->volume_slope.f, W = p->square_slope.f;
    ENSURE_NEAR(-V.z, want.by_volume, part * want.by_volume);
    ENSURE_NEAR(-W.z, want.by_square, part * want.by_square);
    ENSURE_NEAR(hypot(V.x, V.y), 0, part * want.by_volume);
    ENSURE_NEAR(hypot(W.x, W.y), 0, part * want.by_square);
}

// A box, and the hull of its corners, on the end of a cylinder, on the wide one of a frustum, on the end of a beam and on its flat side: wherever it lies, and
// turned about the upright axis.
static void faces_on_ends(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double hx = 0.05, hy = 0.03, hz = 0.02, r = 2e-3;
    RbCore box = {.kind = RB_CORE_BOX, .h = {hx, hy, hz}, .radius = 1e-3, .size = 0.1};
    box.frame = POSE_IDENTITY;
    Vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = v3(i & 1 ? hx : -hx, i & 2 ? hy : -hy, i & 4 ? hz : -hz);
    RbShape shape;
    ENSURE(rb_shape_hull(corners, 8, 0, "hull", RB_NOWHERE, &f.arena, f.scratch, &f.diag, &shape) ==
           RB_OK);
    int count;
    RbCore hull = *rb_shape_cores(&shape, &f.arena, &count);
    hull.radius = 1e-3;
    const Quat upright = Q_IDENTITY, on_side = q_rotation(v3(1, 0, 0), PI / 2);
    const struct {
        RbCoreKind kind;
        Vec3 h;
        Quat q;
        double top; // [m]
    } rounds[] = {{RB_CORE_CYLINDER, {0.6, 0.6, 0.05}, upright, 0.05},
                  {RB_CORE_FRUSTUM, {0.6, 0.2, 0.05}, q_rotation(v3(1, 0, 0), PI), 0.05},
                  {RB_CORE_FRUSTUM, {0.6, 0, 0.5}, q_rotation(v3(1, 0, 0), PI), 0.5},
                  {RB_CORE_BEAM, {0.3, 0.4, 0.05}, upright, 0.05},
                  {RB_CORE_BEAM, {0.4, 0.05, 0.5}, on_side, 0.05}};
    for (int i = 0; i < 5; i++) {
        RbCore round = {.kind = rounds[i].kind, .h = rounds[i].h, .radius = 1e-3, .size = 1};
        round.frame = pose(V3_ZERO, rounds[i].q);
        const double depths[] = {1e-5, 2e-4, 1e-3, 1.8e-3};
        for (int k = 0; k < 4; k++) {
            Moments want = lying(4 * hx * hy, 4 * (hx + hy), r, r - depths[k]);
            double x = 0.2 - 0.1 * k, y = 0.05 * k;
            Pose X = pose(v3(x, y, rounds[i].top + hz + r - depths[k]),
                          q_rotation(v3(0, 0, 1), 0.7 * k));
            RbPatch p = patch_of(&round, &box, X), q = patch_of(&round, &hull, X);
            double part = depths[k] < 0.5 * r ? 1e-10 : depths[k] < 0.6 * r ? 1e-9 : 1e-7;
            compare(&p, want, x, y, part);
            compare(&q, want, x, y, part);
        }
    }
    fixture_close(&f);
}

// ---- random poses

// Of an end of a round core: moments by a grid.
typedef struct Grid {
    const RbDepthField *field;
    const RbSheet *sheet;
    double x0, x1, y0, y1; // where there is overlap
} Grid;

// Sums over n x n places, in rows that end at the outline; bounds: of those that overlap.
static RbRoundSums over_grid(const Grid *g, int n, Grid *bounds) {
    RbRoundSums s = {.origin = V3_ZERO, .u = v3(1, 0, 0), .v = v3(0, 1, 0)};
    const RbSheet *e = g->sheet;
    double dy = (g->y1 - g->y0) / n;
    *bounds = *g;
    bounds->x0 = bounds->y0 = INFINITY, bounds->x1 = bounds->y1 = -INFINITY;
    for (int i = 0; i < n * n; i++) {
        double y = g->y0 + (i / n + 0.5) * dy, half = sqrt(fmax(0, e->r0 * e->r0 - y * y));
        double from = fmax(g->x0, -half - e->straight), to = fmin(g->x1, half + e->straight);
        double dx = (to - from) / n, x = from + (i % n + 0.5) * dx;
        if (!(dx > 0) || !(half > 0)) continue;
        Vec3 p = v3_axpy(v3_axpy(e->c, x, e->e1), y, e->e2), m;
        double w = g->field->radius - rb_core_point(g->field->core, p, &m);
        if (!(w > 0)) continue;
        rb_add_piece(&s, p, m, dx * dy, w);
        bounds->x0 = fmin(bounds->x0, x - 1.5 * dx), bounds->x1 = fmax(bounds->x1, x + 1.5 * dx);
        bounds->y0 = fmin(bounds->y0, y - 1.5 * dy), bounds->y1 = fmax(bounds->y1, y + 1.5 * dy);
    }
    return s;
}

static double off_by(Vec3 a, Vec3 b) {
    return v3_distance(a, b) / v3_norm(b);
}

typedef struct Tally {
    int met, at_outline;
    double worst, worst_slope;
} Tally;

// A grid of h sees V and W to h², and slopes, whose integrand does not vanish at the border, to h^1.5.
static void compare_end(const RbDepthField *f, const RbSheet *end, Vec3 middle, Tally *t) {
    enum { COARSE = 200, FINE = 600 };
    double far = end->straight + end->r0;
    Grid all = {f, end, -far, far, -far, far}, wet, none;
    RbRoundSums s = {.origin = V3_ZERO, .u = v3(1, 0, 0), .v = v3(0, 1, 0)};
    over_grid(&all, COARSE, &wet);
    double wide = wet.x1 - wet.x0, high = wet.y1 - wet.y0, more = 0.25 * fmax(wide, high);
    if (!(fmin(wide, high) > 0.05 * far)) return;
    // slender ends may lie between the places of the first look
    wet.x0 -= more, wet.x1 += more, wet.y0 -= more, wet.y1 += more;
    over_grid(&wet, COARSE, &all);
    RbRoundSums want = over_grid(&all, FINE, &none), half = over_grid(&all, FINE / 2, &none);
    if (fabs(half.volume / want.volume - 1) > 1e-4) return; // the grid is too coarse
    RbRimArcs rim = {.complete = true};
    t->met++, t->at_outline += !rb_patch_flat(f, end, middle, 0, &rim, &s);
    t->worst = fmax(t->worst, fabs(s.volume / want.volume - 1));
    t->worst = fmax(t->worst, fabs(s.square / want.square - 1));
    t->worst = fmax(t->worst, fabs(s.xy - want.xy) / (fabs(want.xx) + fabs(want.yy)));
    t->worst_slope = fmax(t->worst_slope, off_by(s.volume_slope.f, want.volume_slope.f));
    t->worst_slope = fmax(t->worst_slope, off_by(s.square_slope.f, want.square_slope.f));
    t->worst_slope = fmax(t->worst_slope, off_by(s.square_slope.t, want.square_slope.t));
}

// Ends against boxes and hulls of eight points, anyhow and nearly flat, inside of the outline and across it.
static void ends_against_a_grid(void **state) {
    (void)state;
    static const TestShape round[] = {CYLINDER, CONE, FRUSTUM, BEAM};
    static const double sizes[] = {1, 0.5, 0.2};
    static TestHull hulls[3];
    RbRng setting = rb_rng(17);
    for (int k = 0; k < 3; k++) test_hull(&hulls[k], 8, v3(0.5, 0.4, k ? 0.3 : 0.05), &setting);
    int poses = test_count("RB_POSES", 20);
    Tally t = {0};
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbCore a = random_core(round[i % 4], &rng, 1, 3, hulls),
               b = random_core(i % 5 ? BOX : HULL, &rng, sizes[i % 3], 3, hulls);
        double depth = (a.radius + b.radius) * rb_rng_range(&rng, 0.1, 0.9);
        Placement at =
            i % 2 ? random_placement(&a, &b, &rng)
                  : placement_of(&a, &b, place_on_end(&a, &rng), place_on_face(&b, &rng), &rng);
        Mat3 tilt = m3_rotation(v3_unit(v3_cross(at.normal, rb_rng_direction(&rng))),
                                pow(10, rb_rng_range(&rng, -4, -2)));
        Pose X = {v3_axpy(at.X_AB.r, -depth, at.normal), m3_mul(tilt, at.X_AB.R)};
        RbGap gap;
        rb_distance(&a, &b, X, NULL, &gap);
        RbDepthField f = {.core = &b, .radius = a.radius + b.radius};
        f.deep = -gap.distance > f.radius;
        Pose X_FR = pose_relative(pose_mul(X, b.frame), a.frame);
        RbSheet sheets[RB_SHEETS_MAX];
        int count = rb_sheets(&a, X_FR, v3(0, 0, 1), V3_ZERO, rb_rng_direction(&rng), sheets);
        for (int k = 0; k < count; k++) {
            if (sheets[k].kind == RB_SHEET_END && rb_has_flat_patch(&f))
                compare_end(&f, &sheets[k], X_FR.r, &t);
        }
    }
    print_message("%d ends, %d of them overlap up to their outline: moments off by at most %.2g, "
                  "slopes %.2g\n",
                  t.met, t.at_outline, t.worst, t.worst_slope);
    ENSURE(t.met > poses / 4 && t.at_outline > t.met / 4 && t.at_outline < t.met);
    ENSURE(t.worst < 1e-4 && t.worst_slope < 1e-3);
}

// Boxes at round places: corners on the outline, sides that touch it, or run along it, or cross it where a stadium goes on straight. Nothing jumps there.
static void places_that_touch(void **state) {
    (void)state;
    static const double at[] = {0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4};
    static const double sizes[] = {0.05, 0.1, 0.2, 0.4}, turns[] = {0, PI / 4, PI / 2};
    const RbCore rounds[] = {{.kind = RB_CORE_CYLINDER, .h = {0.2, 0.2, 0.05}},
                             {.kind = RB_CORE_BEAM, .h = {0.1, 0.2, 0.05}},
                             {.kind = RB_CORE_BEAM, .h = {0.2, 0.1, 0.05}}};
    const double depth = 1e-5;
    double worst = 0;
    for (int i = 0; i < 3 * 4 * 3 * 81; i++) {
        RbCore a = rounds[i % 3], b = {.kind = RB_CORE_BOX, .radius = 1e-3, .frame = POSE_IDENTITY};
        double size = sizes[i / 3 % 4], turn = turns[i / 12 % 3];
        a.radius = 1e-3, a.size = 0.6, a.frame = POSE_IDENTITY;
        b.h = v3(size, size, 0.02), b.size = 2 * size;
        Pose X =
            pose(v3(at[i / 36 % 9], at[i / 324], -0.072 + depth), q_rotation(v3(0, 0, 1), turn));
        RbPatch p = patch_of(&a, &b, X);
        X.r.x += 6e-10, X.r.y -= 8e-10;
        RbPatch next = patch_of(&a, &b, X);
        if (!(fmax(p.area, next.area) > 1e-3)) continue;
        worst = fmax(worst, fabs(next.volume / p.volume - 1));
        worst = fmax(worst, fabs(next.square / p.square - 1));
    }
    print_message("V and W of places that touch change by at most %.2g in 1e-9 m\n", worst);
    ENSURE(worst < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces_on_ends),
                                       cmocka_unit_test(places_that_touch),
                                       cmocka_unit_test(ends_against_a_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
