// SPDX-License-Identifier: MIT
// The sides of round bodies that stand on polyhedra, along their rims, against sums over very many lines.
#include "place.h"

#include "collide/line_sums.h"
#include "collide/patch.h"
#include "collide/patch_flat.h"
#include "collide/patch_rim.h"
#include "geom/shape.h"

// Of the side, over what a strip all around the rim would be that is as deep everywhere.
static double difference(const RbRoundSums *a, const RbRoundSums *b, double around, double depth) {
    double area = around * depth, V = area * depth, W = V * depth, worst = 0;
    worst = fmax(worst, fabs(a->area - b->area) / area);
    worst = fmax(worst, fabs(a->volume - b->volume) / V);
    worst = fmax(worst, fabs(a->square - b->square) / W);
    worst = fmax(worst, v3_distance(a->volume_slope.f, b->volume_slope.f) / area);
    worst = fmax(worst, v3_distance(a->square_slope.f, b->square_slope.f) / V);
    worst = fmax(worst, v3_distance(a->volume_slope.t, b->volume_slope.t) / (area * around));
    return fmax(worst, v3_distance(a->square_slope.t, b->square_slope.t) / (V * around));
}

static RbRoundSums by_lines(const RbDepthField *f, const RbSheet *s, RbRoundSums none) {
    enum { LINES = 20000 };
    double step = (s->high - s->low) / LINES;
    for (int i = 0; i < LINES; i++) {
        RbLine l = rb_sheet_line(s, s->low + step * (i + 0.5));
        rb_add_line(f, &l, step, &none);
    }
    return none;
}

// Those of all ends.
static RbRimArcs arcs_of(const RbDepthField *f, const RbSheet *sheets, int count, Vec3 middle) {
    RbRimArcs arcs = {.complete = true};
    RbRoundSums ends = {.origin = middle, .u = sheets[0].e1, .v = sheets[0].e2};
    for (int k = 0; k < count; k++) {
        if (sheets[k].kind == RB_SHEET_END) rb_patch_flat(f, &sheets[k], middle, 0, &arcs, &ends);
    }
    return arcs;
}

static void sides_that_stand(void **state) {
    (void)state;
    static const TestShape round[] = {CYLINDER, FRUSTUM, BEAM};
    static TestHull hulls[3];
    RbRng setting = rb_rng(17);
    for (int k = 0; k < 3; k++)
        test_hull(&hulls[k], 8 << k, v3(0.5, 0.4, k ? 0.3 : 0.05), &setting);
    int poses = test_count("RB_POSES", 300), taken = 0;
    double worst = 0;
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbCore a = random_core(round[i % 3], &rng, 1, 3, hulls),
               b = random_core(i % 4 ? HULL : BOX, &rng, 1, 3, hulls);
        double r = a.radius + b.radius, depth = r * pow(10, rb_rng_range(&rng, -3, -0.7));
        double tilt = i % 2 ? pow(10, rb_rng_range(&rng, -8, -1)) : 0;
        Place end = place_on_end(&a, &rng);
        end.normal = v3_unit(v3_axpy(end.normal, tilt, rb_rng_direction(&rng)));
        Placement at = placement_of(&a, &b, end, place_on_face(&b, &rng), &rng);
        RbGap gap;
        for (int k = 0; k < 20; k++) { // tilted, other places than these are the deepest
            rb_distance(&a, &b, at.X_AB, NULL, &gap);
            at.X_AB.r = v3_axpy(at.X_AB.r, -(gap.distance + depth), at.normal);
        }
        rb_distance(&a, &b, at.X_AB, NULL, &gap);
        Pose X_B = pose_mul(at.X_AB, b.frame), X_FR = pose_relative(X_B, a.frame);
        Vec3 n = m3_tmul_vec(X_B.R, v3_neg(gap.normal));
        RbNearHull near;
        if (!rb_near_hull(&b, &a, X_FR, n, r, &near)) continue;
        RbDepthField f = {
            .core = &b, .radius = r, .away = n, .depth = -gap.distance, .near = &near};
        RbSheet sheets[RB_SHEETS_MAX];
        Vec3 p = pose_unpoint(X_B, gap.point_a);
        int count = rb_sheets(&a, X_FR, v3_neg(n), p, X_FR.r, sheets);
        RbRimArcs arcs = arcs_of(&f, sheets, count, X_FR.r);
        for (int k = 0; k < count; k++) {
            RbRoundSums none = {.origin = p, .u = sheets[k].e1, .v = sheets[k].e2}, sums = none;
            if (!rb_patch_rim(&f, &sheets[k], &arcs, &sums)) continue;
            RbRoundSums want = by_lines(&f, &sheets[k], none);
            double around = 2 * 3.141592653589793 * fmax(sheets[k].r0, sheets[k].r1);
            double off = difference(&sums, &want, around, near.most - near.least - r);
            if (off > 1e-5) print_message("%d: %.2g tilt %g depth %g\n", i, off, tilt, depth / r);
            worst = fmax(worst, off);
            taken += want.area > 0;
        }
    }
    print_message("%d sides that overlap, off by at most %.2g\n", taken, worst);
    ENSURE(taken > poses / 2);
    ENSURE(worst < 1e-5);
}

// x: from where the edge touches.
static RbPatch beside(double x, double depth) {
    RbShape disc = rb_shape_cylinder(3, 0.1, 0.08), box = rb_shape_box(v3(0.03, 0.3, 0.02));
    RbCore a = rb_shape_core(&disc), b = rb_shape_core(&box);
    Pose X = {v3(x - (a.h.x + b.h.x), 0, 0.05 - depth), M3_IDENTITY};
    RbGap gap;
    RbPatch p;
    rb_distance(&a, &b, X, NULL, &gap);
    rb_patch_by_sums(&a, &b, X, &gap, &p);
    return p;
}

// The edge of a box touches the rim of a disc from above, in one point of its core: neither more nor less than next to it.
static void edge_touches_rim(void **state) {
    (void)state;
    const double depth = 2e-4, way = 1e-9;
    RbPatch at = beside(0, depth);
    ENSURE(at.volume > 0);
    for (int i = -1; i <= 1; i += 2) {
        RbPatch next = beside(i * way, depth);
        ENSURE(fabs(next.area / at.area - 1) < 1e-5);
        ENSURE(fabs(next.volume / at.volume - 1) < 1e-5);
        ENSURE(fabs(next.square / at.square - 1) < 1e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides_that_stand),
                                       cmocka_unit_test(edge_touches_rim)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
