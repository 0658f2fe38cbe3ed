// SPDX-License-Identifier: MIT
// Which joints matter for the equations of a loop, and matrices made of what two loops have in common:
// against rows over all joints, on random trees with random cuts.
#include "trees.h"

#include "rigid/loop.h"

enum { TREES = 60, BODIES = 12, CUTS = 5, MAX_ROWS = RB_CUT_MAX_ROWS * CUTS };

typedef struct Sample {
    Fixture f;
    RbTree tree;
    RbKin kin;
    RbLoops loops;
    RbLoopCut cuts[CUTS];
    int kept[MAX_ROWS], kept_start[CUTS + 1];
} Sample;

// Joints between random frames: no loop is closed, which changes nothing about who moves what.
static RbLoopCut random_cut(RbRng *rng) {
    static const RbJointKind kinds[] = {RB_JOINT_FIXED, RB_JOINT_REVOLUTE, RB_JOINT_PRISMATIC,
                                        RB_JOINT_UNIVERSAL, RB_JOINT_SPHERICAL};
    RbJoint joint = random_joint(rng, kinds[rb_rng_int(rng, 5)]);
    return (RbLoopCut){.kind = joint.kind,
                       .n = joint.n,
                       .n2 = joint.n2,
                       .size = 1,
                       .a = {rb_rng_int(rng, BODIES + 1), joint.F},
                       .b = {1 + rb_rng_int(rng, BODIES), random_joint(rng, joint.kind).F}};
}

static void sample_open(Sample *s, uint64_t seed) {
    double q[MAX_STATE], v[MAX_V];
    fixture_open(&s->f);
    RbRng rng = rb_rng(seed);
    s->tree = random_tree(&rng, &s->f.arena, BODIES, seed % 2);
    s->kin = rb_kin(&s->tree, &s->f.arena);
    random_state(&rng, &s->tree, q, v);
    rb_kin_positions(&s->tree, q, &s->kin);
    rb_kin_velocities(&s->tree, v, &s->kin);
    s->loops = (RbLoops){.cuts = s->cuts, .count = CUTS};
    s->loops.kept = s->kept;
    s->loops.kept_start = s->kept_start;
    for (int i = 0; i < CUTS; i++) {
        s->cuts[i] = random_cut(&rng);
        s->kept_start[i] = s->loops.kept_count;
        for (int k = 0; k < rb_cut_row_count(&s->cuts[i]); k++)
            s->kept[s->loops.kept_count++] = RB_CUT_MAX_ROWS * i + k;
    }
    s->kept_start[CUTS] = s->loops.kept_count;
}

// What row k asks of all speeds of the tree.
static void full_row(const Sample *s, int k, double *G) {
    RbCutRow rows[RB_CUT_MAX_ROWS];
    const RbLoopCut *cut = &s->cuts[s->kept[k] / RB_CUT_MAX_ROWS];
    rb_cut_rows(cut, &s->kin, rows);
    rb_cut_row_speeds(cut, &rows[s->kept[k] % RB_CUT_MAX_ROWS], &s->tree, &s->kin,
                      rb_tree_span(&s->tree), G);
}

// Joints that are not on the path of a cut do not move its ends against each other.
static void paths_have_all_joints_that_matter(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        double G[MAX_V];
        sample_open(&s, 300 + (uint64_t)t);
        RbPathRows rows = rb_path_rows(&s.loops, &s.tree, RB_PATH_MOVES, &s.f.arena);
        for (int k = 0; k < s.loops.kept_count; k++) {
            const RbCutPath *path = &rows.paths[rows.cut[k]];
            full_row(&s, k, G);
            for (int i = 0; i < path->speed_count; i++) G[path->speeds[i]] = 0;
            for (int v = 0; v < s.tree.nv; v++) ENSURE_NEAR(G[v], 0, 1e-13);
        }
        fixture_close(&s.f);
    }
}

static void products_are_those_of_whole_rows(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        static double full[MAX_ROWS][MAX_V], packed[MAX_ROWS * MAX_V], K[MAX_ROWS * MAX_ROWS];
        sample_open(&s, 400 + (uint64_t)t);
        int count = s.loops.kept_count;
        RbPathRows rows = rb_path_rows(&s.loops, &s.tree, RB_PATH_MOVES, &s.f.arena);
        for (int k = 0; k < count; k++) {
            const RbCutPath *path = &rows.paths[rows.cut[k]];
            full_row(&s, k, full[k]);
            for (int i = 0; i < path->speed_count; i++)
                packed[rows.start[k] + i] = full[k][path->speeds[i]];
        }
        rb_path_rows_product(&rows, rb_loops_speeds(&s.tree, rb_tree_span(&s.tree)), 0, count,
                             packed, packed, K);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                double want = 0;
                for (int v = 0; v < s.tree.nv; v++) want += full[i][v] * full[j][v];
                ENSURE_NEAR(K[i + count * j], want, 1e-11);
            }
        }
        fixture_close(&s.f);
    }
}

// One trunk that carries fingers of two joints; each finger is held at the next one of its hand.
static void work_grows_with_the_loops_and_not_with_their_square(void **state) {
    (void)state;
    long work[2] = {0};
    for (int size = 0; size < 2; size++) {
        enum { HANDS = 20 };
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng(1);
        RbTree tree = rb_tree(&f.arena);
        RbLoopCut cuts[2 * HANDS] = {0};
        int kept[6 * HANDS], start[2 * HANDS + 1] = {0}, hands = HANDS * (size + 1) / 2, ends[2];
        RbLoops loops = {.cuts = cuts, .count = hands, .kept = kept, .kept_start = start};
        int trunk = rb_tree_add(&tree, &f.arena, "trunk", 0, random_joint(&rng, RB_JOINT_FREE),
                                random_inertia(&rng));
        for (int h = 0; h < hands; h++) {
            for (int finger = 0; finger < 2; finger++) {
                ends[finger] = trunk;
                for (int k = 0; k < 2; k++)
                    ends[finger] =
                        rb_tree_add(&tree, &f.arena, "link", ends[finger],
                                    random_joint(&rng, RB_JOINT_REVOLUTE), random_inertia(&rng));
            }
            cuts[h] = (RbLoopCut){.kind = RB_JOINT_SPHERICAL,
                                  .a = {ends[0], POSE_IDENTITY},
                                  .b = {ends[1], POSE_IDENTITY}};
            for (int k = 0; k < 3; k++) kept[loops.kept_count++] = RB_CUT_MAX_ROWS * h + k;
            start[h + 1] = loops.kept_count;
        }
        RbPathRows rows = rb_path_rows(&loops, &tree, RB_PATH_MOVES, &f.arena);
        for (int v = 0; v < tree.nv; v++) {
            long entries = rows.by_speed[v + 1] - rows.by_speed[v];
            work[size] += entries * (entries + 1) / 2;
        }
        ENSURE(rows.by_speed[6] == 0); // the trunk moves all ends alike
        fixture_close(&f);
    }
    ENSURE(work[0] == 10 * 4 * 6 && work[1] == 20 * 4 * 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_all_joints_that_matter),
        cmocka_unit_test(products_are_those_of_whole_rows),
        cmocka_unit_test(work_grows_with_the_loops_and_not_with_their_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
