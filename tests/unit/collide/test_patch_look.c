// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (the same code runs in collide/test_patch)
// What two cores share along a normal: its volume is that of another way to compute it, V and W change with the normal as their slopes and bends say, and W has one
// top, from wherever the search starts. Steps by looks lead to the largest V. RB_PAIRS sets the number.
#include "place.h"

#include "collide/most_shared.h"
#include "collide/patch_normal.h"
#include "collide/patch_shared.h"

typedef struct Pair {
    RbCore core[2];
    Pose X; // of the second in the first
    RbGap gap;
    RbPatchPair pair;
} Pair;

// Boxes and hulls of 4 to 16 points, by turns; deeper: of the smaller rounding, at most.
static void random_pair(RbRng *rng, int number, const TestHull hulls[3][3], double deepest,
                        Pair *p) {
    TestShape shape = number % 4 == 0 ? BOX : HULL;
    for (int i = 0; i < 2; i++)
        p->core[i] = random_core(shape, rng, i ? 0.7 : 1, 3, hulls[(number + 2) % 3]);
    const RbCore *a = &p->core[0], *b = &p->core[1];
    Placement at = random_placement(a, b, rng);
    double depth = deepest * fmin(a->radius, b->radius) * pow(10, rb_rng_range(rng, -2, 0));
    p->X = at.X_AB, p->X.r = v3_axpy(p->X.r, -depth, at.normal);
    rb_distance(a, b, p->X, NULL, &p->gap);
    p->pair = (RbPatchPair){.core = {a, b},
                            .X = {a->frame, pose_mul(p->X, b->frame)},
                            .gap = &p->gap,
                            .reach = rb_region_reach(a, b),
                            .radius = a->radius + b->radius,
                            .goal = RB_GOAL_SQUARE};
}

static void few_points(TestHull hulls[3][3]) {
    static const int points[] = {4, 8, 16};
    RbRng setting = rb_rng(17);
    for (int k = 0; k < 3; k++) {
        test_hull(&hulls[k][0], points[k], v3(0.5, 0.5, 0.5), &setting);
        test_hull(&hulls[k][1], points[k], v3(0.5, 0.2, 0.1), &setting);
        test_hull(&hulls[k][2], points[k], v3(0.5, 0.3, 0.025), &setting);
    }
}

static RbContactPlane plane_along(const Pair *p, Vec3 n) {
    Vec3 u = v3_perpendicular(n);
    return (RbContactPlane){v3_lerp(p->gap.point_a, p->gap.point_b, 0.5), u, v3_cross(n, u), n};
}

static bool look_aside(const Pair *p, RbRng *rng, double far, RbPatchLook *out) {
    Vec3 n = v3_unit(v3_axpy(p->gap.normal, far, rb_rng_direction(rng)));
    rb_patch_look(&p->pair, plane_along(p, n), out);
    // more than rounding leaves where A has passed a thin body
    return out->moments.volume > 1e-6 * out->moments.square / -p->gap.distance;
}

static void volumes_agree(void **state) {
    (void)state;
    static TestHull hulls[3][3];
    few_points(hulls);
    const int pairs = test_count("RB_PAIRS", 2000);
    int met = 0;
    double worst = 0;
    for (int i = 0; i < pairs; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        Pair p;
        RbPatchLook look;
        random_pair(&rng, i, hulls, 0.9, &p);
        if (!look_aside(&p, &rng, 0.05 * rb_rng_unit(&rng), &look)) continue;
        double other = rb_shared_volume(&p.pair, look.view.plane).volume;
        // by what shift; where A passes a thin body V does not grow
        double area = fmax(fabs(look.moments.area), other / -p.gap.distance);
        worst = fmax(worst, fabs(look.moments.volume - other) / area), met++;
    }
    print_message("%d looks: volumes of chords and of cones differ as by a shift of %.2g m\n", met,
                  worst);
    ENSURE(met > pairs / 2 && worst < 1e-11); // facets that stand upright within 1e-6 are left out
}

typedef struct Worst {
    int met, slopes, bends; // beyond
} Worst;

// Central differences; at kinks of the bends they are off.
static void compare(const RbPatchAim *at, const RbPatchAim *plus, const RbPatchAim *minus, int k,
                    double h, double bend, Worst *w) {
    double slope = (plus->value - minus->value) / (2 * h);
    double bends = (plus->slope[k] - minus->slope[k]) / (2 * h), own = at->bend[2 * k];
    w->slopes += fabs(slope - at->slope[k]) > 1e-5 * (fabs(slope) + sqrt(bend));
    w->bends += fabs(bends - own) > 1e-3 * (fabs(bends) + bend);
    w->met++;
}

static void slopes_and_bends_are_derivatives(void **state) {
    (void)state;
    static TestHull hulls[3][3];
    few_points(hulls);
    const int pairs = test_count("RB_PAIRS", 2000);
    const double h = 1e-6;
    Worst w = {0};
    for (int i = 0; i < pairs; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        Pair p;
        RbPatchLook look, plus, minus;
        random_pair(&rng, i, hulls, 0.9, &p);
        if (!look_aside(&p, &rng, 0.05 * rb_rng_unit(&rng), &look)) continue;
        double bend = p.pair.radius / -p.gap.distance;
        for (int k = 0; k < 2; k++) {
            const double step[2] = {k ? 0 : h, k ? h : 0};
            rb_patch_look(&p.pair, rb_turned_plane(look.view.plane, step, 1), &plus);
            rb_patch_look(&p.pair, rb_turned_plane(look.view.plane, step, -1), &minus);
            compare(&look.aim, &plus.aim, &minus.aim, k, h, bend, &w);
            compare(&look.volume_aim, &plus.volume_aim, &minus.volume_aim, k, h, bend, &w);
        }
    }
    print_message("%d derivatives: %d slopes beyond 1e-5, %d bends beyond 1e-3\n", w.met, w.slopes,
                  w.bends);
    ENSURE(w.met > 3 * pairs && w.slopes <= 0.001 * w.met && w.bends <= 0.001 * w.met);
}

static double top_from(const Pair *p, const RbPatchLook *start) {
    RbPatchLook looks[3] = {*start}, *other;
    double part;
    return rb_patch_normal(&p->pair, looks, &other, &part)->aim.value;
}

// Along rays through the origin, not along parallel lines, this is not a theorem but nearly one (contact-patch.md, section 1).
static void square_has_one_top(void **state) {
    (void)state;
    static TestHull hulls[3][3];
    few_points(hulls);
    const int pairs = test_count("RB_PAIRS", 1000);
    int met = 0, beyond = 0;
    double worst = 0;
    for (int i = 0; i < pairs; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        Pair p;
        RbPatchLook look;
        double least = INFINITY, most = -INFINITY;
        random_pair(&rng, i, hulls, 0.9, &p);
        for (int k = 0; k < 8; k++) {
            if (!look_aside(&p, &rng, 0.3 * rb_rng_unit(&rng), &look)) continue;
            double top = top_from(&p, &look);
            least = fmin(least, top), most = fmax(most, top), met++;
        }
        double off = most > least ? most - least : 0;
        worst = fmax(worst, off), beyond += off > 1e-9;
        if (off > 1e-9) print_message("pair %d: %g\n", i, off);
    }
    print_message("%d searches of %d pairs: tops differ by at most %.2g, of %d by more than 1e-9\n",
                  met, pairs, worst, beyond);
    ENSURE(met > 2 * pairs && beyond == 0);
}

// From looks aside, and to what the search for what is shared finds.
static void looks_find_the_largest_volume(void **state) {
    (void)state;
    static TestHull hulls[3][3];
    few_points(hulls);
    const int pairs = test_count("RB_PAIRS", 1000);
    int met = 0, found = 0;
    double of_value = 0, of_slope = 0;
    for (int i = 0; i < pairs; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        Pair p;
        RbPatchLook look, scratch;
        Vec3 n;
        random_pair(&rng, i, hulls, 0.4, &p);
        if (!look_aside(&p, &rng, 0.02 * rb_rng_unit(&rng), &look)) continue;
        const RbPatchLook *at = rb_patch_most_volume(&p.pair, &look, &scratch, &n);
        met++;
        if (!at) continue;
        RbMost most =
            rb_most_shared(&p.pair, at->view.plane.origin, v3_scale(p.pair.radius, p.gap.normal));
        if (!isfinite(most.value)) continue; // nothing is shared along that normal
        double mean[6];
        for (int j = 0; j < 6; j++)
            mean[j] = 0.5 * (at->volume_aim.by_a[j] + at->volume_aim.by_b[j]);
        Wrench slope = rb_patch_wrench(at->view.plane, mean);
        of_value = fmax(of_value, fabs(at->volume_aim.value - most.value));
        of_slope = fmax(of_slope, v3_distance(slope.f, most.slope.f) / v3_norm(most.slope.f));
        found++;
    }
    print_message(
        "%d of %d searches by looks came there: values off by at most %.2g, slopes %.2g\n", found,
        met, of_value, of_slope);
    ENSURE(found > 0.7 * met && of_value < 1e-9 && of_slope < 1e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_agree), cmocka_unit_test(slopes_and_bends_are_derivatives),
        cmocka_unit_test(square_has_one_top), cmocka_unit_test(looks_find_the_largest_volume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
