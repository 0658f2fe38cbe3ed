// SPDX-License-Identifier: MIT
// Closing many loops at once: chains of rods between bodies that would move freely without them.
#include "trees.h"

#include "rigid/loop.h"

enum { MOST = 40 };

static const double LENGTH = 0.1; // [m]

// Bodies in a zigzag whose distances are wrong by up to a fifth, the first one rod away from the world.
static long close_chain(int rods) {
    Fixture f;
    fixture_open(&f);
    RbTree tree = rb_tree(&f.arena);
    RbLoopCut cuts[MOST] = {0};
    int kept[RB_CUT_MAX_ROWS * MOST], start[MOST + 1] = {0};
    double q[7 * MOST] = {0}, v[6 * MOST] = {0};
    bool held[6 * MOST] = {false};
    RbLoops loops = {.cuts = cuts, .count = rods, .kept = kept, .kept_start = start};
    for (int i = 0; i < rods; i++) {
        RbJoint joint = {.name = "ball", .kind = RB_JOINT_FREE, .F = POSE_IDENTITY};
        int body = rb_tree_add(&tree, &f.arena, "ball", 0, joint,
                               ri_from_com(1, V3_ZERO, s3_diagonal(1e-3)));
        double *here = q + rb_tree_joint(&tree, body)->q;
        v3_store(here, v3(LENGTH * (i + 1) * (1 + 0.1 * sin(i)), 0.2 * LENGTH * (i % 2), 0));
        q_store(here + 3, Q_IDENTITY);
        v[6 * i + 2] = cos(i); // [m/s]
        cuts[i] = (RbLoopCut){.name = "rod",
                              .hold = {.kind = RB_HOLD_DISTANCE, .length = LENGTH},
                              .a = {body - 1, POSE_IDENTITY},
                              .b = {body, POSE_IDENTITY},
                              .size = LENGTH};
    }
    RbLoopReport report;
    ENSURE(rb_loops_close(&loops, (RbCutRange){0, rods}, &tree, rb_tree_span(&tree),
                          (RbLoopStart){q, v, held, held, false}, f.scratch, &f.diag,
                          &report) == RB_OK);
    ENSURE(report.rank == rods && report.freedom == 5 * rods && !report.singular);
    RbKin kin = rb_kin(&tree, &f.arena);
    rb_kin_positions(&tree, q, &kin);
    rb_kin_velocities(&tree, v, &kin);
    for (int i = 1; i <= rods; i++) {
        Vec3 d = v3_sub(kin.bodies[i].X.r, kin.bodies[i - 1].X.r);
        Vec3 rate = v3_sub(kin.bodies[i].V.v, kin.bodies[i - 1].V.v);
        ENSURE_NEAR(v3_norm(d), LENGTH, 1e-12);
        ENSURE_NEAR(v3_dot(d, rate), 0, 1e-12);
    }
    fixture_close(&f);
    return report.passes;
}

// Each of twice as many rows passes over twice as many: four times the work, a little more where Newton's
// method takes one step more. To judge each row anew whenever one is taken would be eight times.
static void work_grows_with_the_square_of_the_rods(void **state) {
    (void)state;
    long few = close_chain(MOST / 2), many = close_chain(MOST);
    if (many >= 6 * few) print_error("%ld passes, then %ld\n", few, many);
    ENSURE(many < 6 * few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_grows_with_the_square_of_the_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
