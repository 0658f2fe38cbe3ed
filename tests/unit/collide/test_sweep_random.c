// SPDX-License-Identifier: MIT
// label: normal
// Swept motion over thousands of random pairs, among them thin plates, needles and fast spins:
// never late, never through.
#include "testing.h"

#include "collide/distance.h"
#include "collide/sweep.h"
#include "geom/shape.h"
#include "math/rng.h"

static RbCore random_core(RbRng *rng) {
    double e[3];
    for (int k = 0; k < 3; k++) e[k] = pow(10, rb_rng_range(rng, -3, 0.3)); // aspect up to 2000
    int axis = 1 + rb_rng_int(rng, 3);
    RbShape s;
    switch (rb_rng_int(rng, 6)) {
        case 0: s = rb_shape_sphere(e[0]); break;
        case 1: s = rb_shape_box(v3(e[0], e[1], e[2])); break;
        case 2: s = rb_shape_cylinder(axis, e[0], e[1]); break;
        case 3: s = rb_shape_cone(axis, e[0], e[1], 0.5 * e[0]); break;
        case 4: s = rb_shape_capsule(axis, e[0], e[1]); break;
        default: s = rb_shape_beam(axis, e[0], e[1], e[2]); break;
    }
    if (rb_rng_int(rng, 2)) s.smoothing = 0;
    return rb_shape_core(&s);
}

static RbSweepBody random_body(RbRng *rng, const RbCore *core) {
    Vec3 r = v3_scale(rb_rng_range(rng, 0.5, 3), rb_rng_direction(rng));
    Vec3 v = v3_axpy(v3_scale(-1, r), 0.5, rb_rng_direction(rng));
    double spin = rb_rng_int(rng, 3) ? pow(10, rb_rng_range(rng, -2, 2)) : 0;
    return (RbSweepBody){
        core, pose(r, rb_rng_orientation(rng)), {v, v3_scale(spin, rb_rng_direction(rng))}};
}

static double distance_at(const RbSweepBody *a, const RbSweepBody *b, double t) {
    RbGap gap;
    Pose A = rb_motion_pose(a->X, a->motion, t), B = rb_motion_pose(b->X, b->motion, t);
    rb_distance(a->core, b->core, pose_relative(A, B), NULL, &gap);
    return gap.distance;
}

static void never_late_and_never_through(void **state) {
    (void)state;
    RbRng rng = rb_rng(77);
    enum { PAIRS = 1500, SAMPLES = 300 };
    int hits = 0, undecided = 0, most = 0;
    long steps = 0;
    for (int i = 0; i < PAIRS; i++) {
        RbCore p = random_core(&rng), q = random_core(&rng);
        RbSweepBody a = random_body(&rng, &p), b = random_body(&rng, &q);
        double duration = 1.5, tolerance = rb_sweep_tolerance(&p, &q);
        RbSweep s = rb_sweep(&a, &b, duration, tolerance);
        ENSURE(s.status != RB_SWEEP_INVALID);
        hits += s.status == RB_SWEEP_HIT;
        undecided += s.status == RB_SWEEP_UNDECIDED;
        steps += s.steps;
        if (s.steps > most) most = s.steps;
        // Before the time it names nothing touches, as far as sampling can see.
        for (int k = 0; k < SAMPLES; k++) {
            double t = s.time * (k + rb_rng_unit(&rng)) / SAMPLES;
            if (t < s.time * (1 - 1e-9)) ENSURE(distance_at(&a, &b, t) > 0);
        }
        if (s.status != RB_SWEEP_HIT || s.time == 0) continue;
        double d = distance_at(&a, &b, s.time);
        ENSURE(d <= tolerance && d > -tolerance);
    }
    print_message("%d of %d touch, %d undecided; %.1f distance queries on average, at most %d\n",
                  hits, PAIRS, undecided, (double)steps / PAIRS, most);
    ENSURE(hits > 300 && undecided == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_late_and_never_through)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
