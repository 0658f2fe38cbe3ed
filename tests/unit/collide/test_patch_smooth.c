// SPDX-License-Identifier: MIT
// Small patches of round bodies over one or several smooth pieces of another one (collide/patch_smooth.c, patch_pieces.c, piece_border.c, near_round.c): a corner over an
// end in closed form, distances from pieces of round bodies, and random poses of cylinders, cones, frustums and beams against sums over many places of their surface, each
// with its own distance.
#include "place.h"

#include "collide/gauss_points.h"
#include "collide/near_round.h"
#include "collide/patch_smooth.h"
#include "collide/point.h"

#define PI 3.141592653589793

typedef struct Small {
    RbDepthField field;
    RbSheet sheets[RB_SHEETS_MAX];
    int count;
    bool taken;
    RbRoundSums sums;
} Small;

// Of the round core a against b, of which near is filled. X: of shape b.
static Small small_patch(const RbCore *a, const RbCore *b, Pose X, RbNearHull *near) {
    RbGap gap;
    rb_distance(a, b, X, NULL, &gap);
    Pose X_B = pose_mul(X, b->frame), X_FR = pose_relative(X_B, a->frame);
    Small s = {.field = {.core = b, .radius = a->radius + b->radius}};
    Vec3 towards = m3_tmul_vec(X_B.R, gap.normal);
    bool known = b->kind == RB_CORE_BOX
                     ? rb_near_hull(b, a, X_FR, v3_neg(towards), s.field.radius, near)
                     : rb_near_round(b, s.field.radius, near);
    if (known) s.field.near = near;
    Vec3 at = v3_axpy(pose_unpoint(X_B, gap.point_a), -a->radius, towards);
    s.count = rb_sheets(a, X_FR, towards, at, v3(1, 0, 0), s.sheets);
    s.sums = (RbRoundSums){.origin = at, .u = v3(1, 0, 0), .v = v3(0, 1, 0)};
    s.taken = rb_patch_smooth(&s.field, s.sheets, s.count, at, a->size,
                              fmin(a->h.z, a->kind == RB_CORE_BEAM ? a->h.y : a->h.x), &s.sums);
    return s;
}

// A corner that hangs g over the end of a cylinder: w = r - sqrt(g² + y²) at the distance y from its foot.
static void corner_over_an_end(void **state) {
    (void)state;
    RbCore a = {.kind = RB_CORE_CYLINDER, .h = v3(0.5, 0.5, 0.2), .radius = 0.004, .size = 1};
    RbCore b = {.kind = RB_CORE_BOX, .h = v3(0.1, 0.1, 0.1), .radius = 0.006, .size = 0.3};
    a.frame = b.frame = POSE_IDENTITY;
    Mat3 R = m3_mul(m3_rotation(v3(0, 1, 0), 0.6), m3_rotation(v3(1, 0, 0), 0.5));
    Vec3 corner = m3_mul_vec(R, v3(0.1, -0.1, -0.1)); // the lowest one
    static RbNearHull near;
    for (int i = 0; i < 4; i++) {
        double r = 0.01, d = pow(10, -4 - i), g = r - d;
        Small s = small_patch(&a, &b, (Pose){v3_sub(v3(0.07, -0.05, 0.2 + g), corner), R}, &near);
        double yy = (r - g) * (r + g), cubes = (r * r * r - g * g * g) / 3,
               fourths = (r * r * r * r - g * g * g * g) / 4;
        double V = 2 * PI * (0.5 * r * yy - cubes),
               W = 2 * PI * (0.5 * r * r * yy - 2 * r * cubes + fourths);
        double rounding = 1e-14 * r / d * r / d * r / d; // of the formulas for V and W
        ENSURE(s.taken);
        ENSURE_NEAR(s.sums.area, PI * yy, 1e-9 * yy);
        ENSURE_NEAR(s.sums.volume, V, (1e-9 + rounding) * V);
        ENSURE_NEAR(s.sums.square, W, (1e-9 + rounding) * W);
        ENSURE_NEAR(v3_norm(s.sums.volume_slope.f), 2 * PI * g * d, 1e-8 * g * d);
    }
}

// The border to an edge that leads up by the sine c is g c/sqrt(1 - c²) from the foot of the corner, so the patch comes to it at g = r sqrt(1 - c²): there all of it but a
// sliver is over the corner, around which the outline leads from one end of the border to the other.
static void borders_that_graze(void **state) {
    (void)state;
    RbCore a = {.kind = RB_CORE_CYLINDER, .h = v3(0.5, 0.5, 0.2), .radius = 0.004, .size = 1};
    RbCore b = {.kind = RB_CORE_BOX, .h = v3(0.1, 0.1, 0.1), .radius = 0.006, .size = 0.3};
    static RbNearHull near;
    a.frame = b.frame = POSE_IDENTITY;
    Mat3 R = m3_mul(m3_rotation(v3(0, 1, 0), 0.7), m3_rotation(v3(1, 0, 0), 0.1));
    Vec3 up = m3_tmul_vec(R, v3(0, 0, 1));
    Vec3 corner = m3_mul_vec(R, v3(up.x > 0 ? -0.1 : 0.1, up.y > 0 ? -0.1 : 0.1, -0.1));
    double r = 0.01, touches = r - r * sqrt(1 - up.y * up.y), worst = 0;
    for (int i = 0; i < 200; i++) {
        double part = pow(10, -14 + 0.05 * i), d = touches * (1 + (i % 2 ? part : -part)),
               g = r - d;
        Small s = small_patch(&a, &b, (Pose){v3_sub(v3(0.07, -0.05, 0.2 + g), corner), R}, &near);
        if (!s.taken) continue;
        double yy = (r - g) * (r + g), V = 2 * PI * (0.5 * r * yy - (r * r * r - g * g * g) / 3);
        worst = fmax(worst, fabs(s.sums.volume / V - 1));
    }
    print_message("corners at whose border the patch just ends: V off by at most %.2g\n", worst);
    ENSURE(worst < 1e-7); // the sliver, and rounding of the formula
}

// ---- random poses

// Sums over many lines of a sheet, each with many places.
typedef struct Grid {
    const RbDepthField *field;
    const RbSheet *sheet;
    int lines, parts; // of each
    double area, volume, square;
    unsigned pieces; // below it, one bit each
} Grid;

// Line t: of ends at t along e2, where dA = dt du.
static RbLine line_at(const RbSheet *s, double t) {
    if (s->kind != RB_SHEET_END) return rb_sheet_line(s, t);
    double half = s->straight + sqrt(fmax(0, (s->r0 - t) * (s->r0 + t)));
    return (RbLine){v3_axpy(s->c, t, s->e2), s->e1, -half, half, 1, 0};
}

static double overlap(const Grid *g, const RbLine *l, double u) {
    Vec3 m;
    return g->field->radius - rb_core_point(g->field->core, v3_axpy(l->o, u, l->t), &m);
}

// The overlap is concave along a line: where it is largest, by thirds.
static double deepest(const Grid *g, const RbLine *l) {
    double a = l->s0, b = l->s1;
    for (int i = 0; i < 80; i++) {
        double c = a + 0.4 * (b - a), d = b - 0.4 * (b - a);
        if (overlap(g, l, c) < overlap(g, l, d))
            a = c;
        else
            b = d;
    }
    return overlap(g, l, l->s0) > 0 && a == l->s0 ? a : 0.5 * (a + b);
}

// Between a place with overlap and one without, or up to there.
static double border(const Grid *g, const RbLine *l, double in, double out) {
    if (overlap(g, l, out) > 0) return out;
    for (int i = 0; i < 50; i++) {
        double mid = 0.5 * (in + out);
        if (overlap(g, l, mid) > 0)
            in = mid;
        else
            out = mid;
    }
    return in;
}

static bool is_wet(const Grid *g, double t) {
    RbLine l = line_at(g->sheet, t);
    double u = deepest(g, &l);
    return overlap(g, &l, u) > 0;
}

// Where lines stop to overlap, from one that does.
static double last_line(const Grid *g, double in, double end) {
    double out = end;
    if (is_wet(g, end)) return end;
    for (int i = 0; i < 40; i++) {
        double mid = 0.5 * (in + out);
        if (is_wet(g, mid))
            in = mid;
        else
            out = mid;
    }
    return in;
}

// Along the line the overlap has kinks in its second derivative: Gauss' rule in many parts.
static void add_line(Grid *g, double t, double dt) {
    RbLine l = line_at(g->sheet, t);
    double u = deepest(g, &l);
    if (!(overlap(g, &l, u) > 0)) return;
    double from = border(g, &l, u, l.s0), to = border(g, &l, u, l.s1),
           half = (to - from) / g->parts / 2;
    for (int i = 0; i < 3 * g->parts; i++) {
        double at = from + half * (2 * (i / 3) + 1 + rb_gauss_at(&rb_gauss_3, i % 3));
        double w = overlap(g, &l, at), du = half * rb_gauss_weight(&rb_gauss_3, i % 3);
        double dA = (l.j0 + l.j1 * at) * dt * du;
        g->area += dA, g->volume += dA * w, g->square += dA * w * w;
        if (w > 0) g->pieces |= 1u << (rb_near_piece(g->field->near, v3_axpy(l.o, at, l.t)) & 31);
    }
}

// Lines that overlap lie around that of the closest point. At both ends what they add up to vanishes as a power of the way: even steps of an angle.
static void add_sheet(Grid *g, Vec3 closest) {
    const RbSheet *s = g->sheet;
    Vec3 d = v3_sub(closest, s->c);
    double x = v3_dot(d, s->e1), y = v3_dot(d, s->e2), low = s->low, high = s->high, t = x;
    if (s->kind == RB_SHEET_END) low = -s->r0, high = s->r0, t = y;
    if (s->kind == RB_SHEET_SIDE) t = atan2(y, x);
    t = fmin(high * (1 - 1e-12), fmax(low * (1 - 1e-12), t));
    if (!is_wet(g, t)) return;
    double from = last_line(g, t, low), to = last_line(g, t, high), mid = 0.5 * (from + to),
           half = 0.5 * (to - from), step = PI / g->lines;
    for (int i = 0; i < g->lines; i++) {
        double turn = (i + 0.5) * step;
        add_line(g, mid - half * cos(turn), half * sin(turn) * step);
    }
}

static Grid grid_of(const Small *s, int lines, int parts) {
    Grid g = {.field = &s->field, .lines = lines, .parts = parts};
    for (int i = 0; i < s->count; i++) {
        g.sheet = &s->sheets[i];
        add_sheet(&g, s->sums.origin);
    }
    return g;
}

static double off(double got, double want) {
    return fabs(got - want) / want;
}

// How far off: over one piece, and over several.
typedef struct Tally {
    int met, taken, several;
    double worst[2], worst_area[2];
} Tally;

static void try_pose(Tally *t, RbRng *rng) {
    static const TestShape round[] = {CYLINDER, CONE, FRUSTUM, BEAM},
                           other[] = {BOX, CYLINDER, CONE, FRUSTUM, BEAM};
    static RbNearHull near;
    RbCore a = random_core(round[rb_rng_int(rng, 4)], rng, 0.7, 3, NULL);
    RbCore b = random_core(other[rb_rng_int(rng, 5)], rng, 1, 3, NULL);
    double depth = fmin(a.radius, b.radius) * pow(10, rb_rng_range(rng, -3, -0.7));
    Small s = small_patch(&a, &b, pose_at_distance(&a, &b, -depth, rng), &near);
    t->met++, t->taken += s.taken;
    if (!s.taken) return;
    Grid g = grid_of(&s, 200, 40);
    int several = (g.pieces & (g.pieces - 1)) != 0;
    if (several) g = grid_of(&s, 900, 180);
    t->several += several;
    double volume = off(s.sums.volume, g.volume), square = off(s.sums.square, g.square);
    t->worst[several] = fmax(t->worst[several], fmax(volume, square));
    t->worst_area[several] = fmax(t->worst_area[several], off(s.sums.area, g.area));
}

static void random_poses(void **state) {
    (void)state;
    const int poses = REPEATS(400, 40);
    RbRng rng = rb_rng(20);
    Tally t = {0};
    for (int i = 0; i < poses; i++) try_pose(&t, &rng);
    print_message("%d of %d poses: V and W off by at most %.2g, area %.2g; ", t.taken, t.met,
                  t.worst[0], t.worst_area[0]);
    print_message("%d over several pieces: %.2g, %.2g\n", t.several, t.worst[1], t.worst_area[1]);
    ENSURE(10 * t.taken > 8 * t.met && t.several > 0);
    for (int k = 0; k < 2; k++) { // as far as the grid resolves
        double fine = k ? 1e-6 : 2e-5;
        ENSURE(t.worst[k] < fine && t.worst_area[k] < fine);
    }
}

// A cylinder that nearly lies on a box, deepest over an edge across it: the far end of the long patch comes to the edge on the other side, passes it, and goes beyond.
static void tips_far_away(void **state) {
    (void)state;
    RbCore a = {.kind = RB_CORE_CYLINDER, .h = v3(0.3, 0.3, 0.3), .radius = 0.004, .size = 0.9};
    RbCore b = {.kind = RB_CORE_BOX, .h = v3(0.1, 0.1, 0.1), .radius = 0.006, .size = 0.35};
    static RbNearHull near;
    a.frame = b.frame = POSE_IDENTITY;
    const Mat3 lies = m3_from_columns(v3(0, -1, 0), v3(0, 0, 1), v3(-1, 0, 0));
    double worst = 0;
    int taken = 0;
    for (int i = 0; i < 40; i++) {
        double depth = i % 2 ? 3e-4 : 1e-3, length = 0.02 + 0.01 * (i / 2);
        Pose X = {v3(0.5, 0, 0), m3_mul(m3_rotation(v3(0, 1, 0), depth / length), lies)};
        RbGap gap;
        rb_distance(&a, &b, X, NULL, &gap);
        X.r.x -= gap.distance + depth;
        rb_distance(&a, &b, X, NULL, &gap);
        Small s = small_patch(&a, &b, X, &near);
        if (!s.taken) continue;
        Grid g = grid_of(&s, 900, 180);
        worst = fmax(worst, fmax(off(s.sums.volume, g.volume), off(s.sums.square, g.square)));
        taken++;
    }
    print_message("%d of 40 long patches: V and W off by at most %.2g\n", taken, worst);
    ENSURE(taken > 0 && worst < 1e-6);
}

// ---- pieces of round bodies

// Points around them have the distance of the core, over just that piece, and at bounds two pieces have the same.
static void pieces_of_round_bodies(void **state) {
    (void)state;
    static const TestShape shapes[] = {CYLINDER, CONE, FRUSTUM, BEAM};
    static RbNearHull near;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 4000; i++) {
        RbCore c = random_core(shapes[i % 4], &rng, 1, 3, NULL);
        ENSURE(rb_near_round(&c, 0.01, &near));
        Vec3 p = v3_scale(c.size * rb_rng_range(&rng, 0.2, 1.5), rb_rng_direction(&rng)), m, n;
        double d = rb_core_point(&c, p, &n);
        if (!(d > 1e-6)) continue;
        int piece = rb_near_piece(&near, p), count = 0;
        ENSURE(piece >= 0);
        ENSURE_NEAR(rb_near_piece_distance(&near.pieces[piece], p, &m), d, 1e-13);
        ENSURE_NEAR(v3_distance(m, n), 0, 1e-12);
        for (int k = 0; k < near.count; k++) {
            bool behind = !(rb_near_piece_distance(&near.pieces[k], p, &m) > 0);
            count += !behind && rb_near_is_over(&near, k, p);
        }
        ENSURE(count == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_over_an_end), cmocka_unit_test(borders_that_graze),
        cmocka_unit_test(pieces_of_round_bodies), cmocka_unit_test(random_poses),
        cmocka_unit_test(tips_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
