// SPDX-License-Identifier: MIT
// Recursions on random trees with all joints: against each other, against difference quotients,
// against conservation laws.
#include "trees.h"

enum { TREES = 60, BODIES = 9 };

typedef struct Sample {
    Fixture f;
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    RbInverse inverse;
    double q[MAX_STATE], v[MAX_V], tau[MAX_V], dv[MAX_V];
    Wrench forces[BODIES + 1];
} Sample;

static void sample_open(Sample *s, uint64_t seed, bool floating) {
    fixture_open(&s->f);
    RbRng rng = rb_rng(seed);
    s->tree = random_tree(&rng, &s->f.arena, BODIES, floating);
    s->kin = rb_kin(&s->tree, &s->f.arena);
    s->dyn = rb_dyn(&s->tree, &s->f.arena);
    s->inverse = rb_inverse(&s->tree, &s->f.arena);
    random_state(&rng, &s->tree, s->q, s->v);
    for (int k = 0; k < s->tree.nv; k++) s->tau[k] = rb_rng_range(&rng, -1, 1);
    for (int k = 0; k < s->tree.nv; k++) s->dv[k] = rb_rng_range(&rng, -1, 1);
    for (int i = 0; i <= BODIES; i++) s->forces[i] = (Wrench){random_vec(&rng), random_vec(&rng)};
    rb_kin_positions(&s->tree, s->q, &s->kin);
    rb_kin_velocities(&s->tree, s->v, &s->kin);
}

static void forward_dynamics_inverts_the_mass_matrix(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 100 + (uint64_t)t, t % 2);
        static double M[MAX_V * MAX_V];
        double h[MAX_V], b[MAX_V], want[MAX_V], size = 0;
        rb_bias_forces(&s.tree, &s.kin, s.forces, &s.inverse, h);
        rb_mass_matrix(&s.tree, &s.kin, &s.inverse, M);
        for (int k = 0; k < s.tree.nv; k++) b[k] = s.tau[k] - h[k];
        ENSURE(solve_spd(s.tree.nv, M, b, want)); // M is positive definite
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn) == 0);
        rb_dyn_solve(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, s.dv);
        for (int k = 0; k < s.tree.nv; k++) size = fmax(size, fabs(want[k]));
        for (int k = 0; k < s.tree.nv; k++) ENSURE_NEAR(s.dv[k], want[k], 1e-12 * size);

        // The accelerations it leaves behind are those of the recursion, and the inverse gives the
        // forces back.
        double tau[MAX_V], joint_tau[MAX_V];
        rb_inverse_dynamics(&s.tree, &s.kin, s.forces, &s.inverse, tau);
        rb_dyn_joint_forces(&s.tree, &s.kin, &s.dyn, joint_tau);
        for (int k = 0; k < s.tree.nv; k++) ENSURE_NEAR(tau[k], s.tau[k], 1e-11 * (1 + size));
        for (int k = 0; k < s.tree.nv; k++) ENSURE_NEAR(joint_tau[k], s.tau[k], 1e-11 * (1 + size));
        fixture_close(&s.f);
    }
}

// Bodies that are pushed, and those between them and the world.
static RbBodyList path_to_world(const RbTree *tree, const RbPush *pushes, int count, int *bodies) {
    RbBodyList path = {bodies, 0};
    for (int i = 1; i < tree->bodies.count; i++) {
        bool on_way = false;
        for (int k = 0; k < count; k++) {
            for (int body = pushes[k].body; body > 0; body = tree->bodies.data[body].parent)
                on_way |= body == i;
        }
        if (on_way) bodies[path.count++] = i;
    }
    return path;
}

// Per speed of the tree, 0 off the path.
static void spread_path(const RbTree *tree, RbBodyList path, const double *packed, double *full) {
    memset(full, 0, (size_t)tree->nv * sizeof *full);
    for (int i = 0; i < path.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, path.bodies[i]);
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) full[joint->v + k] = *packed++;
    }
}

// JT f, from the forces that hold the tree at rest.
static void joint_forces_of(Sample *s, const RbPush *pushes, int count, double *tau) {
    double rest[MAX_V] = {0};
    Wrench forces[BODIES + 1] = {0};
    for (int k = 0; k < count; k++)
        forces[pushes[k].body] = wr_add(forces[pushes[k].body], pushes[k].f);
    rb_kin_velocities(&s->tree, rest, &s->kin);
    rb_bias_forces(&s->tree, &s->kin, forces, &s->inverse, tau);
    for (int k = 0; k < s->tree.nv; k++) tau[k] = -tau[k];
}

// Of two sets of two wrenches each: fT J M^-1 JT h by recursion along their paths, against the matrix.
static void wrenches_meet_through_the_inverse_mass(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 700 + (uint64_t)t, t % 2);
        RbRng rng = rb_rng(700 + (uint64_t)t);
        static double M[MAX_V * MAX_V], reduced[2][2][MAX_V];
        double tau[2][MAX_V], dv[MAX_V];
        rb_mass_matrix(&s.tree, &s.kin, &s.inverse, M);
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn) == 0);
        for (int k = 0; k < 2; k++) {
            RbPush pushes[2];
            int bodies[BODIES];
            double u[MAX_V], w[MAX_V];
            for (int i = 0; i < 2; i++)
                pushes[i] =
                    (RbPush){1 + rb_rng_int(&rng, BODIES), {random_vec(&rng), random_vec(&rng)}};
            RbBodyList path = path_to_world(&s.tree, pushes, 2, bodies);
            rb_dyn_reduce(&s.tree, path, &s.kin, NULL, pushes, 2, &s.dyn, u, w);
            spread_path(&s.tree, path, u, reduced[k][0]);
            spread_path(&s.tree, path, w, reduced[k][1]);
            joint_forces_of(&s, pushes, 2, tau[k]);
        }
        for (int i = 0; i < 2; i++) {
            ENSURE(solve_spd(s.tree.nv, M, tau[i], dv));
            for (int j = 0; j < 2; j++) {
                double want = 0, got = 0, size = 0;
                for (int k = 0; k < s.tree.nv; k++) {
                    want += tau[j][k] * dv[k];
                    size += fabs(tau[j][k] * dv[k]);
                    got += reduced[i][0][k] * reduced[j][1][k];
                }
                ENSURE_NEAR(got, want, 1e-12 * (1 + size));
            }
        }
        fixture_close(&s.f);
    }
}

// Rotors in joints: (M + diag(added)) dv = tau - h. Joints that are free in six directions have none.
static void rotors_add_to_the_diagonal(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 150 + (uint64_t)t, t % 2);
        RbRng rng = rb_rng(150 + (uint64_t)t);
        static double M[MAX_V * MAX_V];
        double h[MAX_V], b[MAX_V], want[MAX_V], added[MAX_V] = {0}, size = 0;
        rb_bias_forces(&s.tree, &s.kin, s.forces, &s.inverse, h);
        rb_mass_matrix(&s.tree, &s.kin, &s.inverse, M);
        for (int i = 1; i < s.tree.bodies.count; i++) {
            const RbJoint *joint = rb_tree_joint(&s.tree, i);
            for (int k = 0; joint->kind != RB_JOINT_FREE && k < rb_joint_v_count(joint->kind); k++)
                added[joint->v + k] = rb_rng_range(&rng, 0, 5);
        }
        for (int k = 0; k < s.tree.nv; k++) M[k * s.tree.nv + k] += added[k];
        for (int k = 0; k < s.tree.nv; k++) b[k] = s.tau[k] - h[k];
        ENSURE(solve_spd(s.tree.nv, M, b, want));
        s.dyn.added = added;
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn) == 0);
        rb_dyn_solve(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, s.dv);
        for (int k = 0; k < s.tree.nv; k++) size = fmax(size, fabs(want[k]));
        for (int k = 0; k < s.tree.nv; k++) ENSURE_NEAR(s.dv[k], want[k], 1e-12 * size);
        fixture_close(&s.f);
    }
}

// 1/2 vT M v is the kinetic energy, which is summed over the bodies without M.
static void mass_matrix_gives_the_kinetic_energy(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 200 + (uint64_t)t, t % 2);
        static double M[MAX_V * MAX_V];
        rb_mass_matrix(&s.tree, &s.kin, &s.inverse, M);
        double twice = 0, energy = rb_kinetic_energy(&s.tree, &s.kin);
        for (int i = 0; i < s.tree.nv; i++) {
            for (int j = 0; j < s.tree.nv; j++) {
                ENSURE_NEAR(M[i * s.tree.nv + j], M[j * s.tree.nv + i], 0);
                twice += s.v[i] * M[i * s.tree.nv + j] * s.v[j];
            }
        }
        ENSURE_NEAR(0.5 * twice, energy, 1e-13 * energy);
        fixture_close(&s.f);
    }
}

// Move the state along its rates by time h: q exactly enough for a central difference.
static void moved(const Sample *s, double h, double *q, double *v) {
    double dq[MAX_STATE], half[MAX_STATE], v_half[MAX_V];
    rb_tree_rates(&s->tree, s->q, s->v, dq);
    for (int i = 0; i < s->tree.nq; i++) half[i] = s->q[i] + 0.5 * h * dq[i];
    for (int i = 0; i < s->tree.nv; i++) {
        v_half[i] = s->v[i] + 0.5 * h * s->dv[i];
        v[i] = s->v[i] + h * s->dv[i];
    }
    rb_tree_rates(&s->tree, half, v_half, dq);
    for (int i = 0; i < s->tree.nq; i++) q[i] = s->q[i] + h * dq[i];
}

static void velocities_and_accelerations_are_derivatives(void **state) {
    (void)state;
    double step = 1e-5, tol = 2e-8;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 300 + (uint64_t)t, t % 2);
        rb_kin_accelerations(&s.tree, s.dv, &s.kin);
        RbKin before = rb_kin(&s.tree, &s.f.arena), after = rb_kin(&s.tree, &s.f.arena);
        double q[MAX_STATE], v[MAX_V];
        moved(&s, -step, q, v);
        rb_kin_positions(&s.tree, q, &before);
        rb_kin_velocities(&s.tree, v, &before);
        moved(&s, step, q, v);
        rb_kin_positions(&s.tree, q, &after);
        rb_kin_velocities(&s.tree, v, &after);
        for (int i = 1; i <= BODIES; i++) {
            const RbBodyKin *a = &before.bodies[i], *b = &after.bodies[i], *k = &s.kin.bodies[i];
            double size = 1 + v3_norm(k->A.v) + v3_norm(k->A.w) + v3_norm2(k->V.w);
            size *= size; // third derivatives grow like this
            ensure_vec_near(v3_scale(0.5 / step, v3_sub(b->X.r, a->X.r)), k->V.v, tol * size);
            ensure_vec_near(v3_scale(0.5 / step, v3_sub(b->V.v, a->V.v)), k->A.v, tol * size);
            ensure_vec_near(v3_scale(0.5 / step, v3_sub(b->V.w, a->V.w)), k->A.w, tol * size);
            // dR/dt = skew(w) R
            Mat3 rate = m3_scale(0.5 / step, m3_sub(b->X.R, a->X.R)),
                 want = m3_mul(m3_skew(k->V.w), k->X.R);
            ensure_vec_near(rate.x, want.x, tol * size);
            ensure_vec_near(rate.y, want.y, tol * size);
            ensure_vec_near(rate.z, want.z, tol * size);
            RbFrame frame = {i, pose(v3(0.3, -0.2, 0.5), q_rotation(v3(0, 0, 1), 0.4))};
            Vec3 rise = v3_sub(rb_frame_pose(&after, frame).r, rb_frame_pose(&before, frame).r);
            ensure_vec_near(v3_scale(0.5 / step, rise), rb_frame_velocity(&s.kin, frame).v,
                            tol * size);
            Vec3 more =
                v3_sub(rb_frame_velocity(&after, frame).v, rb_frame_velocity(&before, frame).v);
            ensure_vec_near(v3_scale(0.5 / step, more), rb_frame_acceleration(&s.kin, frame).v,
                            tol * size);
        }
        fixture_close(&s.f);
    }
}

// dT/dt = power of joint forces and outer forces.
static void energy_changes_by_the_power_of_the_forces(void **state) {
    (void)state;
    double step = 1e-5;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 400 + (uint64_t)t, t % 2);
        rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn);
        rb_dyn_solve(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, s.dv);
        double power = 0, size = 1, energy[2], q[MAX_STATE], v[MAX_V];
        for (int k = 0; k < s.tree.nv; k++) power += s.tau[k] * s.v[k];
        for (int k = 0; k < s.tree.nv; k++) size += s.dv[k] * s.dv[k];
        for (int i = 1; i <= BODIES; i++) power += wr_power(s.forces[i], s.kin.bodies[i].V);
        for (int e = 0; e < 2; e++) {
            moved(&s, e ? step : -step, q, v);
            rb_kin_positions(&s.tree, q, &s.kin);
            rb_kin_velocities(&s.tree, v, &s.kin);
            energy[e] = rb_kinetic_energy(&s.tree, &s.kin);
        }
        ENSURE_NEAR((energy[1] - energy[0]) / (2 * step), power, 2e-8 * size * (1 + fabs(power)));
        fixture_close(&s.f);
    }
}

static void random_modes(RbRng *rng, const RbTree *tree, RbJointMode *modes) {
    for (int i = 0; i < tree->bodies.count; i++) modes[i] = (RbJointMode)rb_rng_int(rng, 3);
}

// With some joints locked or prescribed: the result is consistent with M dv + h = tau in the free
// joints, prescribed accelerations are kept, locked ones are zero, and the reported joint forces
// are those of the inverse dynamics.
static void locked_and_prescribed_joints(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 500 + (uint64_t)t, t % 2);
        RbRng rng = rb_rng((uint64_t)t);
        RbJointMode modes[BODIES + 1];
        random_modes(&rng, &s.tree, modes);
        double given[MAX_V], tau[MAX_V], joint_tau[MAX_V], size = 1;
        memcpy(given, s.dv, sizeof given);
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, modes, &s.dyn) == 0);
        rb_dyn_solve(&s.tree, &s.kin, modes, s.tau, s.forces, &s.dyn, s.dv);
        rb_kin_accelerations(&s.tree, s.dv, &s.kin);
        rb_inverse_dynamics(&s.tree, &s.kin, s.forces, &s.inverse, tau);
        rb_dyn_joint_forces(&s.tree, &s.kin, &s.dyn, joint_tau);
        for (int k = 0; k < s.tree.nv; k++) size = fmax(size, fabs(s.dv[k]));
        for (int i = 1; i <= BODIES; i++) {
            const RbJoint *j = rb_tree_joint(&s.tree, i);
            for (int k = j->v; k < j->v + rb_joint_v_count(j->kind); k++) {
                if (modes[i] == RB_MODE_FREE) ENSURE_NEAR(tau[k], s.tau[k], 1e-11 * size);
                if (modes[i] == RB_MODE_LOCKED) ENSURE(s.dv[k] == 0);
                if (modes[i] == RB_MODE_PRESCRIBED) ENSURE(s.dv[k] == given[k]);
                ENSURE_NEAR(joint_tau[k], tau[k], 1e-11 * size);
            }
        }
        fixture_close(&s.f);
    }
}

// The affine function of the driven joints is the Schur complement of the full system, and
// finishing with the accelerations it leads to gives the same as forward dynamics of the whole.
static void driven_joints_see_the_schur_complement(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 700 + (uint64_t)t, t % 3 != 0);
        int n = s.dyn.driven_count;
        static double M_s[MAX_V * MAX_V];
        double h_s[MAX_V], b[MAX_V], e[MAX_V] = {0}, dv[MAX_V] = {0}, size = 1;
        rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn);
        rb_dyn_solve(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, s.dv);

        ENSURE(rb_dyn_affine(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, NULL, M_s, h_s) == 0);
        for (int k = 0; k < n; k++) b[k] = s.tau[s.dyn.driven[k]] - h_s[k];
        for (int i = 0; i < n * n; i++) ENSURE_NEAR(M_s[i], M_s[i % n * n + i / n], 1e-12);
        ENSURE(solve_spd(n, M_s, b, e));
        for (int k = 0; k < n; k++) dv[s.dyn.driven[k]] = e[k];
        rb_dyn_affine_finish(&s.tree, &s.kin, s.tau, s.forces, &s.dyn, dv);
        for (int k = 0; k < s.tree.nv; k++) size = fmax(size, fabs(s.dv[k]));
        for (int k = 0; k < s.tree.nv; k++) ENSURE_NEAR(dv[k], s.dv[k], 1e-11 * size);
        fixture_close(&s.f);
    }
}

static void chain_rates(void *model, double t, const double *x, double *dx) {
    (void)t;
    Sample *s = model;
    rb_kin_positions(&s->tree, x, &s->kin);
    rb_kin_velocities(&s->tree, x + s->tree.nq, &s->kin);
    rb_dyn_factor(&s->tree, &s->kin, NULL, &s->dyn);
    rb_tree_rates(&s->tree, x, x + s->tree.nq, dx);
    rb_dyn_solve(&s->tree, &s->kin, NULL, NULL, NULL, &s->dyn, dx + s->tree.nq);
}

// A floating tree without forces keeps both momenta and its energy, and its centre of mass moves on
// a line.
static Vec3 centre_of_mass(const RbTree *tree, const RbKin *kin) {
    double mass = 0;
    Vec3 sum = V3_ZERO;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbBodyKin *here = &kin->bodies[i];
        mass += here->I.m;
        sum = v3_add(sum, v3_axpy(here->I.h, here->I.m, here->X.r));
    }
    return v3_scale(1 / mass, sum);
}

static void free_chains_conserve_momentum_and_energy(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++) {
        Sample s;
        sample_open(&s, 800 + (uint64_t)t, true);
        double x[MAX_STATE], time = 0.5;
        memcpy(x, s.q, sizeof(double) * (size_t)s.tree.nq);
        memcpy(x + s.tree.nq, s.v, sizeof(double) * (size_t)s.tree.nv);
        Wrench before = rb_momentum(&s.tree, &s.kin);
        Vec3 centre = centre_of_mass(&s.tree, &s.kin);
        double energy = rb_kinetic_energy(&s.tree, &s.kin), mass = 0, dx[MAX_STATE];
        for (int i = 1; i <= BODIES; i++) mass += s.tree.bodies.data[i].inertia.m;
        integrate(chain_rates, &s, s.tree.nq + s.tree.nv, 0, time, 50, x);
        chain_rates(&s, 0, x, dx);
        Wrench after = rb_momentum(&s.tree, &s.kin);
        ensure_vec_near(after.f, before.f, 1e-10);
        ensure_vec_near(after.t, before.t, 1e-10);
        ENSURE_NEAR(rb_kinetic_energy(&s.tree, &s.kin), energy, 1e-10 * energy);
        ensure_vec_near(centre_of_mass(&s.tree, &s.kin), v3_axpy(centre, time / mass, before.f),
                        1e-10);
        fixture_close(&s.f);
    }
}

// Branches worked on one by one give the same bits as the whole tree, and leave the others alone.
static void branches_are_independent(void **state) {
    (void)state;
    for (int t = 0; t < TREES; t++) {
        Sample s;
        sample_open(&s, 900 + (uint64_t)t, false);
        RbKin kin = rb_kin(&s.tree, &s.f.arena);
        RbDyn dyn = rb_dyn(&s.tree, &s.f.arena);
        double dv[MAX_V], dq[MAX_STATE], rates[MAX_STATE];
        memcpy(dv, s.dv, sizeof dv);
        rb_tree_rates(&s.tree, s.q, s.v, rates);
        rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn);
        rb_dyn_solve(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, s.dv);
        for (int i = BODIES; i > 0; i = rb_tree_branch(&s.tree, i).first - 1) {
            RbSpan span = rb_tree_branch(&s.tree, i);
            rb_kin_positions_in(&s.tree, span, s.q, &kin);
            rb_kin_velocities_in(&s.tree, span, s.v, &kin);
            ENSURE(rb_dyn_factor_in(&s.tree, span, &kin, NULL, &dyn) == 0);
            rb_dyn_solve_in(&s.tree, span, &kin, NULL, s.tau, s.forces, &dyn, dv);
            rb_tree_rates_in(&s.tree, span, s.q, s.v, dq);
        }
        for (int k = 0; k < s.tree.nv; k++) ENSURE(dv[k] == s.dv[k]);
        for (int k = 0; k < s.tree.nq; k++) ENSURE(dq[k] == rates[k]);
        fixture_close(&s.f);
    }
}

// Quaternions whose length is off come back to length one, without any effect on the orientation.
static void quaternion_length_is_pulled_to_one(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbTree tree = rb_tree(&f.arena);
    RbJoint ball = {.name = "ball", .kind = RB_JOINT_SPHERICAL, .F = POSE_IDENTITY};
    rb_tree_add(&tree, &f.arena, "body", 0, ball, ri_from_com(1, V3_ZERO, s3_diagonal(1)));
    Vec3 w = v3(0.3, -2, 1);
    for (int t = 0; t < 2; t++) {
        double q[4] = {0.9, 0.2, 0.3, 0.1}, dq[4], length = t ? 1.05 : 0.95;
        q_store(q, q_unit(q_load(q)));
        Mat3 R = q_matrix(q_load(q));
        for (int i = 0; i < 4; i++) q[i] *= length;
        int steps = 4000;
        double h = 2.0 / steps, v[3];
        v3_store(v, w);
        for (int k = 0; k < steps; k++) { // midpoint rule
            double mid[4];
            rb_tree_rates(&tree, q, v, dq);
            for (int i = 0; i < 4; i++) mid[i] = q[i] + 0.5 * h * dq[i];
            rb_tree_rates(&tree, mid, v, dq);
            for (int i = 0; i < 4; i++) q[i] += h * dq[i];
        }
        ENSURE_NEAR(q_norm2(q_load(q)), 1, 0.2 * exp(-2 * 2 * v3_norm(w)) + 1e-9);
        Mat3 want = m3_mul(m3_rotation(v3_unit(w), v3_norm(w) * 2), R), got = q_matrix(q_load(q));
        ensure_vec_near(got.x, want.x, 1e-6);
        ensure_vec_near(got.y, want.y, 1e-6);
    }
    fixture_close(&f);
}

static void every_coordinate_has_a_label(void **state) {
    (void)state;
    for (int kind = 0; kind < RB_JOINT_KIND_COUNT; kind++) {
        for (int i = 0; i < rb_joint_q_count((RbJointKind)kind); i++) {
            ENSURE(rb_joint_q_label((RbJointKind)kind, i).name &&
                   rb_joint_q_label((RbJointKind)kind, i).unit);
        }
        for (int i = 0; i < rb_joint_v_count((RbJointKind)kind); i++) {
            ENSURE(rb_joint_v_label((RbJointKind)kind, i).name &&
                   rb_joint_v_label((RbJointKind)kind, i).unit);
        }
    }
    assert_string_equal(rb_joint_q_label(RB_JOINT_FREE, 3).name, "q[1]");
    assert_string_equal(rb_joint_v_label(RB_JOINT_PLANAR, 2).unit, "rad/s");
}

static void joint_without_inertia_is_named(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbTree tree = rb_tree(&f.arena);
    RbJoint hinge = {
        .name = "hinge", .kind = RB_JOINT_REVOLUTE, .F = POSE_IDENTITY, .n = {0, 0, 1}};
    int arm = rb_tree_add(&tree, &f.arena, "arm", 0, hinge, ri_from_com(1, v3(1, 0, 0), (Sym3){0}));
    hinge.name = "wrist";
    rb_tree_add(&tree, &f.arena, "hand", arm, hinge, ri_from_com(1, V3_ZERO, (Sym3){0}));
    double q[2] = {0, 0};
    ENSURE(rb_dyn_check(&tree, q, false, f.scratch, &f.diag) == RB_ERROR_MODEL);
    assert_string_equal(f.diag.messages.data[0].text,
                        "the revolute joint 'wrist' cannot be accelerated: what it moves ('hand') "
                        "has no mass or moment of "
                        "inertia in one of its directions; give it some, or remove the joint");
    fixture_close(&f);
}

// The hot path does not allocate.
static void nothing_is_allocated(void **state) {
    (void)state;
    Sample s;
    sample_open(&s, 1, true);
    static double M[MAX_V * MAX_V];
    double h[MAX_V], x[MAX_STATE], dx[MAX_STATE];
    memcpy(x, s.q, sizeof(double) * (size_t)s.tree.nq);
    memcpy(x + s.tree.nq, s.v, sizeof(double) * (size_t)s.tree.nv);
    size_t calls = s.f.heap.calls;
    for (int k = 0; k < 1000; k++) {
        chain_rates(&s, 0, x, dx);
        rb_dyn_affine(&s.tree, &s.kin, NULL, s.tau, s.forces, &s.dyn, NULL, M, h);
        rb_mass_matrix(&s.tree, &s.kin, &s.inverse, M);
    }
    ENSURE(s.f.heap.calls == calls);
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_dynamics_inverts_the_mass_matrix),
        cmocka_unit_test(wrenches_meet_through_the_inverse_mass),
        cmocka_unit_test(rotors_add_to_the_diagonal),
        cmocka_unit_test(mass_matrix_gives_the_kinetic_energy),
        cmocka_unit_test(velocities_and_accelerations_are_derivatives),
        cmocka_unit_test(energy_changes_by_the_power_of_the_forces),
        cmocka_unit_test(locked_and_prescribed_joints),
        cmocka_unit_test(driven_joints_see_the_schur_complement),
        cmocka_unit_test(free_chains_conserve_momentum_and_energy),
        cmocka_unit_test(branches_are_independent),
        cmocka_unit_test(quaternion_length_is_pulled_to_one),
        cmocka_unit_test(every_coordinate_has_a_label),
        cmocka_unit_test(joint_without_inertia_is_named),
        cmocka_unit_test(nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
