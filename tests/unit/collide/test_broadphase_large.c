// SPDX-License-Identifier: MIT
// label: normal
// Thousands of boxes that move smoothly, as in a simulation: all methods give the same sorted list
// and the same gap as going through all pairs, at every step.
#include "testing.h"

#include <string.h>

#include "collide/broadphase.h"
#include "math/rng.h"

enum { COUNT = 1000, METHODS = 3 };

typedef struct Cloud {
    Vec3 r[COUNT], v[COUNT], half[COUNT];
    RbBroadphase *bp[METHODS];
} Cloud;

static RbAabb box_at(const Cloud *c, int i) {
    return (RbAabb){v3_sub(c->r[i], c->half[i]), v3_add(c->r[i], c->half[i])};
}

// Step by step back and forth in a container, with gravity and a floor.
static void advance(Cloud *c, double dt) {
    for (int i = 0; i < COUNT; i++) {
        c->v[i].z -= 9.81 * dt;
        c->r[i] = v3_axpy(c->r[i], dt, c->v[i]);
        if (c->r[i].z < 0) c->v[i].z = 0.7 * fabs(c->v[i].z);
        if (fabs(c->r[i].x) > 3) c->v[i].x = copysign(c->v[i].x, -c->r[i].x);
        if (fabs(c->r[i].y) > 3) c->v[i].y = copysign(c->v[i].y, -c->r[i].y);
    }
}

static void check_all_pairs(const Cloud *c, RbPairs pairs, RbBoxGap gap) {
    int n = 0;
    double smallest2 = INFINITY;
    static RbAabb loose[COUNT];
    for (int i = 0; i < COUNT; i++) loose[i] = rb_broadphase_loose(c->bp[0], i);
    for (int a = 0; a < COUNT; a++) {
        for (int b = a + 1; b < COUNT; b++) {
            RbAabb p = loose[a], q = loose[b];
            double x = fmax(p.low.x - q.high.x, q.low.x - p.high.x);
            double y = fmax(p.low.y - q.high.y, q.low.y - p.high.y);
            double z = fmax(p.low.z - q.high.z, q.low.z - p.high.z);
            if (x <= 0 && y <= 0 && z <= 0) {
                ENSURE(n < pairs.count && pairs.data[n].a == a && pairs.data[n].b == b);
                n++;
                continue;
            }
            x = x > 0 ? x : 0, y = y > 0 ? y : 0, z = z > 0 ? z : 0;
            if (x * x + y * y + z * z < smallest2) smallest2 = x * x + y * y + z * z;
        }
    }
    assert_int_equal(n, pairs.count);
    ENSURE(gap.distance == sqrt(smallest2));
}

static void play(double size_ratio, double dt, uint64_t seed) {
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(seed);
    Cloud *c = rb_new(&f.arena, Cloud);
    const RbBroadphaseMethod methods[METHODS] = {RB_BROADPHASE_AUTO, RB_BROADPHASE_TREE,
                                                 RB_BROADPHASE_MORTON};
    for (int m = 0; m < METHODS; m++) {
        RbBroadphaseOptions options = rb_broadphase_options();
        options.method = methods[m];
        c->bp[m] = rb_broadphase(&f.arena, options);
    }
    for (int i = 0; i < COUNT; i++) {
        double x = rb_rng_range(&rng, -3, 3), y = rb_rng_range(&rng, -3, 3);
        c->r[i] = v3(x, y, rb_rng_range(&rng, 0, 3));
        c->v[i] = rb_rng_direction(&rng);
        double half = 0.1 * pow(size_ratio, rb_rng_unit(&rng) - 0.5);
        c->half[i] = v3(half, half, half);
        for (int m = 0; m < METHODS; m++)
            rb_broadphase_add(c->bp[m], box_at(c, i), rb_pair_filter());
    }
    for (int step = 0; step < 40; step++) {
        RbPairs pairs = rb_broadphase_pairs(c->bp[0]);
        RbBoxGap gap = rb_broadphase_gap(c->bp[0]);
        check_all_pairs(c, pairs, gap);
        for (int m = 1; m < METHODS; m++) {
            RbPairs other = rb_broadphase_pairs(c->bp[m]);
            assert_int_equal(other.count, pairs.count);
            ENSURE(memcmp(other.data, pairs.data, (size_t)pairs.count * sizeof *pairs.data) == 0);
            ENSURE(rb_broadphase_gap(c->bp[m]).distance == gap.distance);
        }
        advance(c, dt);
        for (int i = 0; i < COUNT; i++) {
            for (int m = 0; m < METHODS; m++) rb_broadphase_move(c->bp[m], i, box_at(c, i));
        }
    }
    fixture_close(&f);
}

static void slow_motion_few_leave(void **state) {
    (void)state;
    play(1, 1e-5, 1);
    play(30, 2e-5, 2);
}

static void fast_motion_most_leave(void **state) {
    (void)state;
    play(1, 3e-3, 3);
    play(1000, 3e-3, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_motion_few_leave),
        cmocka_unit_test(fast_motion_most_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
