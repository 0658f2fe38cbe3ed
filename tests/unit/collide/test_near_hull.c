// SPDX-License-Identifier: MIT
// Points and lines of a round body against what is near of a polyhedron, and against all of it.
#include "place.h"

#include "collide/near_hull.h"
#include "collide/point.h"

typedef struct Tally {
    int wet, dry;
    double worst; // [m]
} Tally;

// Places of a line: from the piece that they are over the distance is that from the polyhedron, if they overlap; others are over none that is so close.
static void compare_line(const RbCore *core, const RbNearHull *h, const RbLine *l, RbRng *rng,
                         Tally *t) {
    enum { PLACES = 20, PARTS = 48 };
    RbNearPart parts[PARTS];
    int count = rb_near_parts(h, l, true, parts, PARTS);
    for (int i = 0; i < PLACES; i++) {
        double s = rb_rng_range(rng, l->s0, l->s1), from_part = INFINITY;
        if (count > 0 && i % 2) s = rb_rng_range(rng, parts[0].start, parts[count - 1].end);
        Vec3 p = v3_axpy(l->o, s, l->t), m, n;
        double want = rb_core_point(core, p, &m), is = rb_near_distance(h, p, &n);
        for (int k = 0; k < count; k++) {
            if (s >= parts[k].start && s <= parts[k].end)
                from_part = fmin(from_part, v3_norm(v3_axpy(parts[k].from, s, parts[k].rate)));
        }
        if (want < h->radius * (1 - 1e-9)) {
            t->wet++;
            t->worst = fmax(t->worst, fabs(is - want));
            t->worst = fmax(t->worst, fabs(from_part - want));
            ENSURE(v3_distance(m, n) < 1e-9);
        } else {
            t->dry++;
            ENSURE(is > h->radius * (1 - 1e-8) && from_part > h->radius * (1 - 1e-8));
        }
    }
}

static void lines_of_round_bodies(void **state) {
    (void)state;
    static const TestShape round[] = {CYLINDER, CONE, FRUSTUM, BEAM};
    static TestHull hulls[3];
    RbRng setting = rb_rng(17);
    for (int k = 0; k < 3; k++)
        test_hull(&hulls[k], 8 << k, v3(0.5, 0.4, k ? 0.3 : 0.05), &setting);
    int poses = test_count("RB_POSES", 300);
    Tally t = {0};
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbCore a = random_core(round[i % 4], &rng, 1, 3, hulls),
               b = random_core(i % 3 ? HULL : BOX, &rng, 1, 3, hulls);
        double r = a.radius + b.radius, depth = r * pow(10, rb_rng_range(&rng, -4, -0.1));
        Placement at =
            i % 2 ? random_placement(&a, &b, &rng)
                  : placement_of(&a, &b, place_on_end(&a, &rng), place_on_face(&b, &rng), &rng);
        Pose X = {v3_axpy(at.X_AB.r, -depth, at.normal), at.X_AB.R};
        RbGap gap;
        rb_distance(&a, &b, X, NULL, &gap);
        Pose X_B = pose_mul(X, b.frame), X_FR = pose_relative(X_B, a.frame);
        Vec3 n = m3_tmul_vec(X_B.R, v3_neg(gap.normal));
        RbNearHull near;
        if (-gap.distance > 0.99 * r || !rb_near_hull(&b, &a, X_FR, n, r, &near)) continue;
        RbSheet sheets[RB_SHEETS_MAX];
        Vec3 p = pose_unpoint(X_B, gap.point_a);
        int count = rb_sheets(&a, X_FR, v3_neg(n), p, X_FR.r, sheets);
        for (int k = 0; k < 20 * count; k++) {
            const RbSheet *s = &sheets[k % count];
            double tau = k < 10 * count ? rb_rng_range(&rng, s->low, s->high)
                                        : s->guess + 0.01 * rb_rng_range(&rng, s->low, s->high);
            if (!(tau > s->low && tau < s->high)) continue;
            RbLine l = rb_sheet_line(s, tau);
            compare_line(&b, &near, &l, &rng, &t);
        }
    }
    print_message("%d places that overlap, off by at most %.2g m; %d that do not\n", t.wet, t.worst,
                  t.dry);
    ENSURE(t.wet > 10 * poses && t.dry > 10 * poses);
    ENSURE(t.worst < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_round_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
