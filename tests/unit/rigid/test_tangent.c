// SPDX-License-Identifier: MIT
// Derivatives of the equations of motion against central differences of the equations themselves,
// on random trees with all kinds of joints.
#include "rigid/tangent.h"
#include "trees.h"

typedef struct Machine {
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    RbTangents tangents;
    Wrench held[16], forces[16];
    RbGravity gravity;
} Machine;

static Machine make(RbRng *rng, RbArena *arena, int count, bool floating) {
    Machine m = {.tree = random_tree(rng, arena, count, floating)};
    m.kin = rb_kin(&m.tree, arena);
    m.dyn = rb_dyn(&m.tree, arena);
    m.tangents = rb_tangents(&m.tree, arena);
    for (int i = 1; i <= count; i++) m.held[i] = (Wrench){random_vec(rng), random_vec(rng)};
    return m;
}

// Accelerations with wrenches that stay as they are, and gravity.
static void accelerate(Machine *m, const double *q, const double *v, double *dv) {
    RbLedger ledger = {0};
    memcpy(m->forces, m->held, sizeof m->forces);
    rb_kin_positions(&m->tree, q, &m->kin);
    rb_kin_velocities(&m->tree, v, &m->kin);
    rb_force_gravity(&m->gravity, &m->tree, &m->kin, m->forces, &ledger);
    ENSURE(rb_dyn_factor(&m->tree, &m->kin, NULL, &m->dyn) == 0);
    rb_dyn_solve(&m->tree, &m->kin, NULL, NULL, m->forces, &m->dyn, dv);
}

// (f(x + h) - f(x - h)) / 2h, extrapolated once: error h^4.
static void differentiate(Machine *m, double *x, int at, const double *q, const double *v,
                          double *out) {
    const double h = 1e-3;
    double values[4][MAX_V], before = x[at];
    for (int k = 0; k < 4; k++) {
        x[at] = before + (k < 2 ? h : 0.5 * h) * (k % 2 ? -1 : 1);
        accelerate(m, q, v, values[k]);
    }
    x[at] = before;
    for (int i = 0; i < m->tree.nv; i++) {
        double wide = (values[0][i] - values[1][i]) / (2 * h),
               narrow = (values[2][i] - values[3][i]) / h;
        out[i] = (4 * narrow - wide) / 3;
    }
}

static double largest(const double *x, int n) {
    double a = 1;
    for (int i = 0; i < n; i++) a = fmax(a, fabs(x[i]));
    return a;
}

static void check_direction(Machine *m, double *q, double *v, RbDirection d) {
    const RbJoint *joint = rb_tree_joint(&m->tree, d.body);
    double dv[MAX_V], got[MAX_V], want[MAX_V];
    double *x = d.speed ? v : q;
    differentiate(m, x, (d.speed ? joint->v : joint->q) + d.k, q, v, want);
    accelerate(m, q, v, dv);
    RbSpan span = rb_tree_branch(&m->tree, d.body);
    memset(got, 0, sizeof got); // another branch does not notice
    rb_tangent_open(&m->tree, span, &m->kin, m->forces, &m->tangents);
    rb_tangent_vary(&m->tree, span, &m->kin, q, v, &m->gravity, d, &m->tangents, &m->dyn, got);
    double scale = largest(want, m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) ENSURE_NEAR(got[i], want[i], 1e-8 * scale);
}

static void accelerations_by_coordinates_and_speeds(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(7);
    double q[MAX_STATE], v[MAX_V];
    for (int trial = 0; trial < 60; trial++) {
        Machine m = make(&rng, &f.arena, 1 + trial % 7, trial % 2);
        m.gravity = trial % 3 == 0   ? rb_gravity_point(20)
                    : trial % 3 == 1 ? rb_gravity_uniform(9.81, v3(1, 2, 3))
                                     : (RbGravity){0};
        random_state(&rng, &m.tree, q, v);
        for (int i = 1; i < m.tree.bodies.count; i++) {
            RbJointKind kind = rb_tree_joint(&m.tree, i)->kind;
            for (int k = 0; k < rb_joint_q_count(kind); k++)
                check_direction(&m, q, v, (RbDirection){i, k, false});
            for (int k = 0; k < rb_joint_v_count(kind); k++)
                check_direction(&m, q, v, (RbDirection){i, k, true});
        }
    }
    fixture_close(&f);
}

// Turn of a body between two orientations, to second order in it.
static Vec3 turn_between(Mat3 from, Mat3 to) {
    Mat3 R = m3_mul(to, m3_transpose(from));
    return v3(0.5 * (R.z.y - R.y.z), 0.5 * (R.x.z - R.z.x), 0.5 * (R.y.x - R.x.y));
}

static void check_body(Machine *m, double *q, double *v, RbDirection d, int body) {
    const double h = 1e-6;
    const RbJoint *joint = rb_tree_joint(&m->tree, d.body);
    double *x = d.speed ? &v[joint->v + d.k] : &q[joint->q + d.k], before = *x;
    RbBodyKin at[2];
    for (int k = 0; k < 2; k++) {
        *x = before + (k ? h : -h);
        rb_kin_positions(&m->tree, q, &m->kin);
        rb_kin_velocities(&m->tree, v, &m->kin);
        at[k] = m->kin.bodies[body];
    }
    *x = before;
    rb_kin_positions(&m->tree, q, &m->kin);
    rb_kin_velocities(&m->tree, v, &m->kin);
    RbTangent t = rb_tangent_body(&m->tree, &m->kin, q, v, d, body);
    double scale = 0.5 / h, tol = 2e-8;
    ensure_vec_near(t.X.w, v3_scale(scale, turn_between(at[0].X.R, at[1].X.R)), tol);
    ensure_vec_near(t.X.v, v3_scale(scale, v3_sub(at[1].X.r, at[0].X.r)), tol);
    ensure_vec_near(t.V.w, v3_scale(scale, v3_sub(at[1].V.w, at[0].V.w)), tol);
    ensure_vec_near(t.V.v, v3_scale(scale, v3_sub(at[1].V.v, at[0].V.v)), tol);
}

static void bodies_beyond_a_joint(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(8);
    double q[MAX_STATE], v[MAX_V];
    for (int trial = 0; trial < 40; trial++) {
        Machine m = make(&rng, &f.arena, 2 + trial % 5, trial % 2);
        random_state(&rng, &m.tree, q, v);
        for (int i = 1; i < m.tree.bodies.count; i++) {
            RbJointKind kind = rb_tree_joint(&m.tree, i)->kind;
            for (int b = i; b < m.tree.bodies.data[i].end; b++) {
                for (int k = 0; k < rb_joint_q_count(kind); k++)
                    check_body(&m, q, v, (RbDirection){i, k, false}, b);
                for (int k = 0; k < rb_joint_v_count(kind); k++)
                    check_body(&m, q, v, (RbDirection){i, k, true}, b);
            }
        }
    }
    fixture_close(&f);
}

static void check_rates(const RbJoint *joint, double *q, double *v) {
    const double h = 1e-6;
    int nq = rb_joint_q_count(joint->kind), nv = rb_joint_v_count(joint->kind);
    double by_q[RB_JOINT_MAX_Q * RB_JOINT_MAX_Q], by_v[RB_JOINT_MAX_Q * RB_JOINT_MAX_V];
    rb_joint_rate_slopes(joint, q, v, by_q, by_v);
    for (int c = 0; c < nq + nv; c++) {
        double *x = c < nq ? &q[c] : &v[c - nq], before = *x;
        double plus[RB_JOINT_MAX_Q], minus[RB_JOINT_MAX_Q];
        *x = before + h;
        rb_joint_rates(joint, q, v, plus);
        *x = before - h;
        rb_joint_rates(joint, q, v, minus);
        *x = before;
        for (int r = 0; r < nq; r++) {
            double got = c < nq ? by_q[r * nq + c] : by_v[r * nv + c - nq];
            ENSURE_NEAR(got, (plus[r] - minus[r]) / (2 * h), 1e-8);
        }
    }
}

// Also for a quaternion whose length is not quite one.
static void rates_of_coordinates(void **state) {
    (void)state;
    RbRng rng = rb_rng(9);
    double q[RB_JOINT_MAX_Q], v[RB_JOINT_MAX_V];
    for (int kind = 0; kind < RB_JOINT_KIND_COUNT; kind++) {
        for (int trial = 0; trial < 10; trial++) {
            RbJoint joint = random_joint(&rng, (RbJointKind)kind);
            for (int i = 0; i < RB_JOINT_MAX_Q; i++) q[i] = rb_rng_range(&rng, -1, 1);
            for (int i = 0; i < RB_JOINT_MAX_V; i++) v[i] = rb_rng_range(&rng, -1, 1);
            check_rates(&joint, q, v);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_by_coordinates_and_speeds),
        cmocka_unit_test(bodies_beyond_a_joint),
        cmocka_unit_test(rates_of_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
