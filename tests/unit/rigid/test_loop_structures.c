// SPDX-License-Identifier: MIT
// Loops of random structures: trees of 1 to 10 bodies with all joints, on the world, on bodies that move and in free
// motion, with cuts between any two bodies. Accelerations against maximal coordinates (maximal.h), at random states that
// close all loops; momentum and energy of free ones.
#include "trees.h"

#include "maximal.h"
#include "rigid/loop.h"

enum { CASES = 1000, MOST = 10, CUTS = 3, ROWS = RB_CUT_MAX_ROWS * CUTS };

// The body that both ends of a cut hang on.
typedef enum Common { ON_WORLD, ON_MOVING, ON_FREE, COMMON_COUNT } Common;

typedef struct Case {
    Fixture f;
    RbRng rng;
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    RbLoops loops;
    RbLoopCut cuts[CUTS];
    int kept[ROWS], kept_start[CUTS + 1];
    RbLoopWork work;
    double q[MAX_STATE], v[MAX_V], dv[MAX_V];
    Wrench forces[MAX_BODIES];
    MaxSystem max;
    bool met[COMMON_COUNT]; // where its cuts have their common body
} Case;

// ---- structures

static RbJointKind random_kind(RbRng *rng) {
    static const RbJointKind kinds[] = {
        RB_JOINT_REVOLUTE,    RB_JOINT_REVOLUTE,  RB_JOINT_REVOLUTE,  RB_JOINT_PRISMATIC,
        RB_JOINT_PRISMATIC,   RB_JOINT_SPHERICAL, RB_JOINT_SPHERICAL, RB_JOINT_UNIVERSAL,
        RB_JOINT_CYLINDRICAL, RB_JOINT_PLANAR,    RB_JOINT_FREE,      RB_JOINT_FIXED};
    return kinds[rb_rng_int(rng, sizeof kinds / sizeof *kinds)];
}

static void grow(Case *c, bool floating) {
    int count = 1 + rb_rng_int(&c->rng, MOST);
    c->tree = rb_tree(&c->f.arena);
    for (int i = 1; i <= count; i++) {
        RbJointKind kind = floating && i == 1 ? RB_JOINT_FREE : random_kind(&c->rng);
        int parent = c->tree.bodies.count - 1;
        while (parent > (floating ? 1 : 0) && rb_rng_int(&c->rng, 3) == 0)
            parent = c->tree.bodies.data[parent].parent;
        RbJoint joint = random_joint(&c->rng, kind);
        bool moved = kind == RB_JOINT_REVOLUTE && !floating && rb_rng_int(&c->rng, 8) == 0;
        if (moved) joint.owner = RB_OWNED_BY_INPUTS;
        rb_tree_add(&c->tree, &c->f.arena, "body", parent, joint, random_inertia(&c->rng));
    }
}

static Common common_body(const RbTree *tree, int a, int b) {
    while (a != b) *(a > b ? &a : &b) = tree->bodies.data[a > b ? a : b].parent;
    for (int i = a; i > 0; i = tree->bodies.data[i].parent)
        if (rb_tree_joint(tree, i)->kind == RB_JOINT_FREE) return ON_FREE;
    return a > 0 ? ON_MOVING : ON_WORLD;
}

// A joint that is closed where the bodies are: its frame in b is put where the joint, moved at random, brings it.
static RbLoopCut closed_cut(Case *c, int a, int b) {
    RbRng *rng = &c->rng;
    RbJointKind kind = random_kind(rng);
    RbJoint joint = random_joint(rng, kind);
    double q[RB_JOINT_MAX_Q];
    for (int k = 0; k < RB_JOINT_MAX_Q; k++) q[k] = rb_rng_range(rng, -1, 1);
    if (kind == RB_JOINT_SPHERICAL) q_store(q, rb_rng_orientation(rng));
    RbLoopCut cut = {.kind = kind, .n = joint.n, .n2 = joint.n2, .size = 1, .a = {a, joint.F}};
    Pose B = pose_mul(rb_frame_pose(&c->kin, cut.a),
                      kind == RB_JOINT_FREE ? POSE_IDENTITY : rb_joint_pose(&joint, q));
    cut.b = (RbFrame){b, pose_relative(c->kin.bodies[b].X, B)};
    return cut;
}

// A rod between two points, or a point on the line between two others.
static RbLoopCut closed_hold(Case *c, int a, int b) {
    RbRng *rng = &c->rng;
    RbLoopCut cut = {.kind = RB_JOINT_FREE, .size = 1};
    cut.a = (RbFrame){a, pose(random_vec(rng), Q_IDENTITY)};
    cut.b = (RbFrame){b, pose(random_vec(rng), Q_IDENTITY)};
    Vec3 A = rb_frame_pose(&c->kin, cut.a).r, B = rb_frame_pose(&c->kin, cut.b).r;
    if (rb_rng_int(rng, 2)) {
        cut.hold = (RbHold){.kind = RB_HOLD_DISTANCE, .length = v3_distance(A, B)};
        return cut;
    }
    cut.hold = (RbHold){.kind = RB_HOLD_BETWEEN, .share = rb_rng_range(rng, 0.2, 0.8)};
    int third = rb_rng_int(rng, c->tree.bodies.count);
    Vec3 C = v3_axpy(A, 1 / cut.hold.share, v3_sub(B, A));
    cut.c = (RbFrame){third, pose_relative(c->kin.bodies[third].X, pose(C, Q_IDENTITY))};
    return cut;
}

// ---- the same in maximal coordinates

static void enter_bodies(Case *c) {
    c->max = (MaxSystem){.body_count = c->tree.bodies.count};
    for (int i = 1; i < c->tree.bodies.count; i++) {
        RigidInertia own = c->tree.bodies.data[i].inertia;
        Mat3 R = c->kin.bodies[i].X.R;
        MaxBody *body = &c->max.bodies[i];
        body->m = own.m;
        body->I = m3_mul(m3_mul(R, s3_matrix(ri_central(own))), m3_transpose(R));
        body->r = v3_add(c->kin.bodies[i].X.r, m3_mul_vec(R, ri_com(own)));
    }
}

static Vec3 arm_of(const Case *c, int body) {
    return v3_sub(c->max.bodies[body].r, c->kin.bodies[body].X.r);
}

static void enter_speeds(Case *c) {
    for (int i = 1; i < c->tree.bodies.count; i++) {
        Motion V = c->kin.bodies[i].V;
        c->max.bodies[i].w = V.w;
        c->max.bodies[i].v = v3_add(V.v, v3_cross(V.w, arm_of(c, i)));
    }
}

static void enter_forces(Case *c) {
    for (int i = 1; i < c->tree.bodies.count; i++) {
        c->max.bodies[i].force = c->forces[i].f;
        c->max.bodies[i].torque = v3_sub(c->forces[i].t, v3_cross(arm_of(c, i), c->forces[i].f));
    }
}

static void enter_kind(MaxSystem *s, RbJointKind kind, const MaxJoint *j) {
    switch (kind) {
        case RB_JOINT_FIXED: max_hold(s, j, true, true, true, true); return;
        case RB_JOINT_REVOLUTE: max_hold(s, j, true, true, true, false); return;
        case RB_JOINT_PRISMATIC: max_hold(s, j, false, true, true, true); return;
        case RB_JOINT_CYLINDRICAL: max_hold(s, j, false, true, true, false); return;
        case RB_JOINT_PLANAR: max_hold(s, j, true, false, true, false); return;
        case RB_JOINT_UNIVERSAL:
            max_hold(s, j, true, true, false, false);
            max_turn(s, j, j->n, j->n2);
            return;
        case RB_JOINT_SPHERICAL: max_hold(s, j, true, true, false, false); return;
        case RB_JOINT_FREE:
        case RB_JOINT_KIND_COUNT: return;
    }
}

static void enter_joints(Case *c) {
    for (int i = 1; i < c->tree.bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(&c->tree, i);
        int parent = c->tree.bodies.data[i].parent;
        Pose F = pose_mul(c->kin.bodies[parent].X, joint->F);
        enter_kind(&c->max, joint->kind,
                   &(MaxJoint){parent, i, F, c->kin.bodies[i].X, joint->n, joint->n2});
        if (joint->owner != RB_OWNED_BY_INPUTS) continue;
        c->max.equations[c->max.equation_count++] =
            (MaxEquation){MAX_SPEED, parent, i, .e = m3_mul_vec(F.R, joint->n)};
    }
}

static void enter_cut(Case *c, const RbLoopCut *cut) {
    Pose F = rb_frame_pose(&c->kin, cut->a), B = rb_frame_pose(&c->kin, cut->b);
    MaxEquation points = {MAX_DISTANCE,
                          cut->a.body,
                          cut->b.body,
                          cut->c.body,
                          .pi = F.r,
                          .pj = B.r,
                          .pk = rb_frame_pose(&c->kin, cut->c).r,
                          .share = cut->hold.share};
    if (cut->hold.kind == RB_HOLD_NONE)
        enter_kind(&c->max, cut->kind,
                   &(MaxJoint){cut->a.body, cut->b.body, F, B, cut->n, cut->n2});
    if (cut->hold.kind == RB_HOLD_DISTANCE) c->max.equations[c->max.equation_count++] = points;
    for (int k = 0; cut->hold.kind == RB_HOLD_BETWEEN && k < 3; k++) {
        points.kind = MAX_SHARE;
        points.e = v3_axis(k);
        c->max.equations[c->max.equation_count++] = points;
    }
}

// ---- cuts that say something, and speeds that they allow

// Rates of the equations of maximal coordinates from `first` on for unit speeds of the tree, the moved joints apart.
static void find_rates(Case *c, int first, double G[ROWS][MAX_V]) {
    double unit[MAX_V] = {0};
    for (int k = 0; k < c->tree.nv; k++) {
        unit[k] = 1;
        rb_kin_velocities(&c->tree, unit, &c->kin);
        enter_speeds(c);
        for (int r = first; r < c->max.equation_count; r++)
            G[r - first][k] = max_rate(&c->max, &c->max.equations[r]);
        unit[k] = 0;
    }
    for (int i = 1; i < c->tree.bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(&c->tree, i);
        if (joint->owner != RB_OWNED_BY_INPUTS) continue;
        for (int r = first; r < c->max.equation_count; r++) G[r - first][joint->v] = 0;
    }
}

// Is the last of some rows far from a combination of those before? Gram and Schmidt, twice.
static bool are_independent(int rows, int n, double G[ROWS][MAX_V]) {
    static double Q[ROWS][MAX_V];
    for (int r = 0; r < rows; r++) {
        double whole = 0, rest = 0;
        memcpy(Q[r], G[r], sizeof Q[r]);
        for (int k = 0; k < n; k++) whole += Q[r][k] * Q[r][k];
        for (int o = 0; o < 2 * r; o++) {
            double part = 0;
            for (int k = 0; k < n; k++) part += Q[r][k] * Q[o % r][k];
            for (int k = 0; k < n; k++) Q[r][k] -= part * Q[o % r][k];
        }
        for (int k = 0; k < n; k++) rest += Q[r][k] * Q[r][k];
        if (!(rest > 1e-4 * fmax(whole, 1))) return false; // 1 % of its length
        for (int k = 0; k < n; k++) Q[r][k] /= sqrt(rest);
    }
    return true;
}

// Take a cut if its equations do not repeat others.
static void offer_cut(Case *c, int first, RbLoopCut cut) {
    static double G[ROWS][MAX_V];
    int before = c->max.equation_count, i = c->loops.count;
    enter_cut(c, &cut);
    int rows = c->max.equation_count - first;
    find_rates(c, first, G);
    if (rows > c->tree.nv || !are_independent(rows, c->tree.nv, G)) {
        c->max.equation_count = before;
        return;
    }
    ENSURE(rb_cut_row_count(&cut) == c->max.equation_count - before);
    c->cuts[i] = cut;
    for (int k = 0; k < rb_cut_row_count(&cut); k++)
        c->kept[c->loops.kept_count++] = RB_CUT_MAX_ROWS * i + k;
    c->kept_start[++c->loops.count] = c->loops.kept_count;
    Common common = common_body(&c->tree, cut.a.body, cut.b.body);
    if (cut.hold.kind != RB_HOLD_BETWEEN && rb_cut_row_count(&cut) > 0) c->met[common] = true;
}

// v - GT (G GT)^-1 G v
static void allow_speeds(Case *c, int first) {
    static double G[ROWS][MAX_V], GG[ROWS * ROWS];
    int rows = c->max.equation_count - first;
    double y[ROWS], rates[ROWS] = {0};
    find_rates(c, first, G);
    rb_kin_velocities(&c->tree, c->v, &c->kin);
    enter_speeds(c);
    for (int i = 0; i < rows; i++) {
        rates[i] = max_rate(&c->max, &c->max.equations[first + i]);
        for (int j = 0; j < rows; j++) {
            GG[i * rows + j] = 0;
            for (int k = 0; k < c->tree.nv; k++) GG[i * rows + j] += G[i][k] * G[j][k];
        }
    }
    ENSURE(solve_spd(rows, GG, rates, y));
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < c->tree.nv; k++) c->v[k] -= G[i][k] * y[i];
    }
}

static void ensure_state_fits(const Case *c) {
    for (int i = 0; i < c->max.equation_count; i++) {
        ENSURE_NEAR(max_value(&c->max.equations[i]), 0, 1e-12);
        ENSURE_NEAR(max_rate(&c->max, &c->max.equations[i]), 0, 1e-10);
    }
}

static void add_cuts(Case *c, int first) {
    int bodies = c->tree.bodies.count;
    for (int trial = 0; trial < 8 && c->loops.count < CUTS; trial++) {
        int a = rb_rng_int(&c->rng, bodies), b = 1 + rb_rng_int(&c->rng, bodies - 1);
        if (a == b) continue;
        offer_cut(c, first, rb_rng_int(&c->rng, 3) ? closed_cut(c, a, b) : closed_hold(c, a, b));
    }
}

static void case_open(Case *c, uint64_t seed, bool floating) {
    memset(c, 0, sizeof *c);
    fixture_open(&c->f);
    c->rng = rb_rng(seed);
    grow(c, floating);
    c->kin = rb_kin(&c->tree, &c->f.arena);
    c->dyn = rb_dyn(&c->tree, &c->f.arena);
    c->loops = (RbLoops){.cuts = c->cuts, .kept = c->kept, .kept_start = c->kept_start};
    random_state(&c->rng, &c->tree, c->q, c->v);
    rb_kin_positions(&c->tree, c->q, &c->kin);
    enter_bodies(c);
    enter_joints(c);
    int first = c->max.equation_count;
    add_cuts(c, first);
    allow_speeds(c, first);
    rb_kin_velocities(&c->tree, c->v, &c->kin);
    enter_speeds(c);
    ensure_state_fits(c);
    c->work = rb_loop_work(&c->loops, &c->tree, &c->f.arena);
}

// ---- comparisons

static void push_at_random(Case *c) {
    for (int i = 1; i < c->tree.bodies.count; i++)
        c->forces[i] = (Wrench){random_vec(&c->rng), v3_scale(10, random_vec(&c->rng))};
    enter_forces(c);
}

static RbCutRange all_cuts(const Case *c) {
    return (RbCutRange){0, c->loops.count};
}

// Accelerations of the bodies [their origins] against maximal coordinates: the largest difference, as a share of the largest.
// Loops that leave no freedom have none but rounding: what the forces would do without them is about 1 m/s2 and 1 rad/s2.
static double difference(const Case *c, bool at_rest) {
    MaxMotion A[MAX_BODIES];
    double most = 1, off = 0;
    ENSURE(max_accelerate(&c->max, A));
    for (int i = 1; i < c->tree.bodies.count; i++) {
        Motion got = at_rest ? c->dyn.bodies[i].A : c->kin.bodies[i].A;
        Vec3 want = max_point_acceleration(&c->max.bodies[i], A[i], c->kin.bodies[i].X.r);
        most = fmax(most, fmax(v3_norm(want), v3_norm(A[i].w)));
        off = fmax(off, fmax(v3_distance(got.v, want), v3_distance(got.w, A[i].w)));
    }
    return off / most;
}

static bool accelerate(Case *c, double rate) {
    RbSpan span = rb_tree_span(&c->tree);
    ENSURE(rb_dyn_factor(&c->tree, &c->kin, NULL, &c->dyn) == 0);
    rb_dyn_solve(&c->tree, &c->kin, NULL, NULL, c->forces, &c->dyn, c->dv);
    return rb_loops_solve_in(&c->loops, all_cuts(c), &c->tree, span, &c->kin, rate, &c->dyn,
                             &c->work, c->forces, c->dv);
}

// What a blow leaves after the loops have taken their share: as accelerations at rest.
static double blow_difference(Case *c) {
    RbSpan span = rb_tree_span(&c->tree);
    push_at_random(c);
    for (int i = 1; i < c->tree.bodies.count; i++)
        c->max.bodies[i].v = c->max.bodies[i].w = V3_ZERO;
    rb_dyn_responses_in(&c->tree, span, &c->kin, NULL, c->forces, &c->dyn, c->dv);
    rb_loops_project_in(&c->loops, all_cuts(c), &c->tree, span, &c->kin, &c->dyn, &c->work, c->dv);
    rb_dyn_spread_in(&c->tree, span, &c->kin, c->dv, &c->dyn);
    return difference(c, true);
}

static void loops_agree_with_maximal_coordinates(void **state) {
    (void)state;
    int met[COMMON_COUNT] = {0};
    double worst[2] = {0};
    for (int t = 0; t < REPEATS(CASES, 60); t++) {
        static Case c;
        case_open(&c, 9000 + (uint64_t)t, t % 3 == 0);
        for (int k = 0; k < COMMON_COUNT; k++) met[k] += c.met[k];
        push_at_random(&c);
        ENSURE(accelerate(&c, 0));
        double free = difference(&c, false), blow = blow_difference(&c);
        if (!(free < 1e-8) || !(blow < 1e-8))
            fail_msg("seed %d: off by %g, %g", 9000 + t, free, blow);
        worst[0] = fmax(worst[0], free);
        worst[1] = fmax(worst[1], blow);
        fixture_close(&c.f);
    }
    print_message("common body is the world %d, moves %d, is free %d times; worst %.1e, %.1e\n",
                  met[ON_WORLD], met[ON_MOVING], met[ON_FREE], worst[0], worst[1]);
    for (int k = 0; k < COMMON_COUNT; k++) ENSURE(met[k] >= REPEATS(CASES, 60) / 10);
}

// ---- free motion

static void free_rates(void *model, double t, const double *x, double *dx) {
    Case *c = model;
    const double *v = x + c->tree.nq;
    (void)t;
    rb_kin_positions(&c->tree, x, &c->kin);
    rb_kin_velocities(&c->tree, v, &c->kin);
    memset(c->forces, 0, sizeof c->forces);
    ENSURE(accelerate(c, 0));
    rb_tree_rates(&c->tree, x, v, dx);
    memcpy(dx + c->tree.nq, c->dv, (size_t)c->tree.nv * sizeof *dx);
}

typedef struct Kept {
    Vec3 momentum, spin; // about the origin of the world
    double energy;
} Kept;

static Kept kept_of(Case *c, const double *x) {
    Kept sum = {0};
    rb_kin_positions(&c->tree, x, &c->kin);
    rb_kin_velocities(&c->tree, x + c->tree.nq, &c->kin);
    enter_bodies(c);
    enter_speeds(c);
    for (int i = 1; i < c->max.body_count; i++) {
        const MaxBody *b = &c->max.bodies[i];
        Vec3 p = v3_scale(b->m, b->v), L = m3_mul_vec(b->I, b->w);
        sum.momentum = v3_add(sum.momentum, p);
        sum.spin = v3_add(sum.spin, v3_add(L, v3_cross(b->r, p)));
        sum.energy += 0.5 * (v3_dot(p, b->v) + v3_dot(L, b->w));
    }
    return sum;
}

static double largest_gap(const Case *c) {
    double most = 0, length, angle;
    for (int i = 0; i < c->loops.count; i++) {
        rb_cut_gap(&c->cuts[i], &c->kin, &length, &angle);
        most = fmax(most, fmax(length, angle));
    }
    return most;
}

// Cuts to the world would take momentum.
static bool is_free(const Case *c) {
    for (int i = 0; i < c->loops.count; i++) {
        const RbLoopCut *cut = &c->cuts[i];
        if (cut->a.body == 0 && rb_cut_row_count(cut) > 0) return false;
        if (cut->hold.kind == RB_HOLD_BETWEEN && cut->c.body == 0) return false;
    }
    return c->met[ON_FREE];
}

static void loops_in_free_motion_keep_momentum_and_energy(void **state) {
    (void)state;
    int tried = 0;
    for (uint64_t seed = 1; tried < REPEATS(60, 4); seed++) {
        static Case c;
        case_open(&c, seed, true);
        if (is_free(&c)) {
            double x[MAX_STATE];
            int n = c.tree.nq + c.tree.nv;
            memcpy(x, c.q, sizeof(double) * (size_t)c.tree.nq);
            memcpy(x + c.tree.nq, c.v, sizeof(double) * (size_t)c.tree.nv);
            Kept before = kept_of(&c, x);
            integrate(free_rates, &c, n, 0, 0.1, 10, x);
            Kept after = kept_of(&c, x);
            double size = fmax(1, before.energy);
            ENSURE_NEAR(after.energy, before.energy, 1e-9 * size);
            ensure_vec_near(after.momentum, before.momentum, 1e-9 * size);
            ensure_vec_near(after.spin, before.spin, 1e-9 * size);
            ENSURE_NEAR(largest_gap(&c), 0, 1e-9);
            tried++;
        }
        fixture_close(&c.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_agree_with_maximal_coordinates),
        cmocka_unit_test(loops_in_free_motion_keep_momentum_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
