// SPDX-License-Identifier: MIT
#include "rigid/modes.h"

#include <math.h>
#include <string.h>

static const RbTreeModal *modal_of(const RbTree *tree, const RbJoint *joint) {
    return &tree->modals.data[joint->modal - 1];
}

static RbModalKin *kin_of(const RbJoint *joint, const RbKin *kin) {
    return &kin->modals[joint->modal - 1];
}

// ---------------------------------------------------------------------------------------------------
// a frame in the mean frame

// The rotation by a vector t is 1 + (1 - B s) [t] + A [t]^2 with s = t.t, and its angular velocity
// t' + A t x t' + B t x (t x t'). A = (1 - cos)/s, B = (1 - sin/sqrt s)/s, and their slopes.
typedef struct Turn {
    double A, B, dA, dB;
} Turn;

static Turn turn_of(double s) {
    Turn t = {0};
    if (s > 1) {
        double phi = sqrt(s), sine = sin(phi) / phi;
        t.A = (1 - cos(phi)) / s;
        t.B = (1 - sine) / s;
        t.dA = (0.5 * sine - t.A) / s;
        t.dB = (-0.5 * (cos(phi) - sine) / s - t.B) / s;
        return t;
    }
    double a = 0.5, b = 1.0 / 6, power = 1; // coefficients of (-1)^k s^k, and s^(k-1)
    t.A = a;
    t.B = b;
    for (int k = 1; k <= 9; k++) {
        a /= -(2 * k + 1) * (2 * k + 2);
        b /= -(2 * k + 2) * (2 * k + 3);
        t.dA += k * a * power;
        t.dB += k * b * power;
        power *= s;
        t.A += a * power;
        t.B += b * power;
    }
    return t;
}

static Vec3 column(const double *m, int n, int a) {
    return v3(m[a], m[n + a], m[2 * n + a]);
}

// m x, 3 x n.
static Vec3 times(const double *m, int n, const double *x) {
    Vec3 sum = V3_ZERO;
    for (int a = 0; a < n; a++) sum = v3_axpy(sum, x[a], column(m, n, a));
    return sum;
}

// H_a x for all modes a at once: how the displacement per mode changes. H is symmetric, so its rows are added up, which needs no sums of their own.
static void curve(const RbModalFrame *f, int n, const double *x, Motion *out) {
    for (int a = 0; a < n; a++) out[a].v = V3_ZERO;
    for (int b = 0; b < n; b++) {
        const double *row = f->H + (size_t)b * (size_t)n, *next = row + n * n, *last = next + n * n;
        for (int a = 0; a < n; a++) {
            out[a].v.x += x[b] * row[a];
            out[a].v.y += x[b] * next[a];
            out[a].v.z += x[b] * last[a];
        }
    }
}

static Vec3 twice_crossed(Vec3 t, Vec3 x, Turn k) {
    Vec3 once = v3_cross(t, x);
    return v3_axpy(v3_scale(k.A, once), k.B, v3_cross(t, once));
}

// Pose in the mean frame, and motion per mode in its axes.
static Pose bend(const RbModalFrame *f, int n, const double *q, Motion *psi) {
    Vec3 theta = times(f->theta, n, q), r = v3_add(f->x, times(f->phi, n, q));
    Turn k = turn_of(v3_norm2(theta));
    if (f->H) curve(f, n, q, psi);
    for (int a = 0; a < n; a++) {
        Vec3 t = column(f->theta, n, a), v = column(f->phi, n, a);
        if (f->H) {
            r = v3_axpy(r, 0.5 * q[a], psi[a].v);
            v = v3_add(v, psi[a].v);
        }
        psi[a] = (Motion){v3_add(t, twice_crossed(theta, t, k)), v};
    }
    Mat3 skew = m3_skew(theta);
    Mat3 R = m3_add(M3_IDENTITY, m3_scale(1 - k.B * v3_norm2(theta), skew));
    R = m3_add(R, m3_scale(k.A, m3_mul(skew, skew)));
    return (Pose){r, m3_mul(R, f->R)};
}

// Acceleration in the mean frame at constant speeds of the modes.
static Motion bend_bias(const RbModalFrame *f, int n, const double *q, const double *v) {
    Vec3 theta = times(f->theta, n, q), rate = times(f->theta, n, v), once = v3_cross(theta, rate);
    Turn k = turn_of(v3_norm2(theta));
    double ds = 2 * v3_dot(theta, rate);
    Motion out = {twice_crossed(theta, rate, (Turn){.A = k.dA * ds, .B = k.dB * ds}), V3_ZERO};
    out.w = v3_axpy(out.w, k.B, v3_cross(rate, once));
    for (int b = 0; f->H && b < n; b++) // v H v: pairs of modes once
        for (int a = 0; a <= b; a++) {
            const double *h = f->H + (size_t)b * (size_t)n + (size_t)a;
            double both = (a < b ? 2 : 1) * v[a] * v[b];
            out.v = v3_axpy(out.v, both, v3(h[0], h[n * n], h[2 * n * n]));
        }
    return out;
}

// ---------------------------------------------------------------------------------------------------
// kinematics

static Motion rotated(Mat3 R, Motion a) {
    return (Motion){m3_mul_vec(R, a.w), m3_mul_vec(R, a.v)};
}

static Motion sum_of(const Motion *S, int n, const double *x) {
    Motion sum = MOTION_ZERO;
    for (int a = 0; a < n; a++) sum = mo_axpy(sum, x[a], S[a]);
    return sum;
}

// A frame moves by psi in its flexible body; the body behind a frame moves by the inverse of it.
void rb_modes_place(const RbTree *tree, int body, const double *q, RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalBody *model = modal_of(tree, joint)->model;
    RbModalKin *state = kin_of(joint, kin);
    RbBodyKin *here = &kin->bodies[body];
    Pose WP = kin->bodies[tree->bodies.data[body].parent].X;
    bool into = joint->modes > 0;
    Motion *S = into ? kin->S + joint->v : kin->psi + joint->psi;
    if (into) memcpy(state->q, q + joint->q, (size_t)model->n * sizeof *q);
    Pose X = bend(&model->frames[joint->frame], model->n, state->q, S);
    Pose WF = into ? pose_mul(WP, joint->F) : WP; // the frame may be part of a larger body
    here->X = pose_mul(WF, into ? pose_inverse(X) : X);
    here->d = v3_sub(here->X.r, WP.r);
    Vec3 arm = v3_sub(here->X.r, WF.r);
    Mat3 R = into ? here->X.R : WP.R;
    for (int a = 0; a < model->n; a++) {
        S[a] = rotated(R, S[a]);
        if (!into) continue;
        Motion m = mo_shift(S[a], arm);
        S[a] = (Motion){v3_neg(m.w), v3_neg(m.v)};
    }
}

// Acceleration at constant speeds of a frame that moves by rel in a body with angular velocity w, d away from it.
static Motion bias_of(Vec3 w, Vec3 d, Motion rel, Motion bent) {
    Vec3 swing = v3_cross(w, d);
    return (Motion){v3_add(v3_cross(w, rel.w), bent.w),
                    v3_add(v3_cross(w, v3_axpy(swing, 2, rel.v)), bent.v)};
}

void rb_modes_move(const RbTree *tree, int body, const double *v, RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalBody *model = modal_of(tree, joint)->model;
    const RbModalFrame *frame = &model->frames[joint->frame];
    RbModalKin *state = kin_of(joint, kin);
    RbBodyKin *here = &kin->bodies[body];
    const RbBodyKin *from = &kin->bodies[tree->bodies.data[body].parent];
    bool into = joint->modes > 0;
    if (into) memcpy(state->v, v + joint->v, (size_t)model->n * sizeof *v);
    Motion rel = sum_of(rb_modes_directions(tree, body, kin), model->n, state->v);
    here->V = mo_add(mo_shift(from->V, here->d), rel);
    Motion bent = bend_bias(frame, model->n, state->q, state->v);
    if (!into) {
        here->C = bias_of(from->V.w, here->d, rel, rotated(from->X.R, bent));
        return;
    }
    // As the body sees it the frame behind it moves.
    Vec3 offset = m3_mul_vec(from->X.R, joint->F.r), arm = v3_sub(here->d, offset);
    Vec3 back = v3_neg(arm), w = from->V.w;
    Motion seen = mo_axpy(mo_shift(from->V, offset), -1, mo_shift(here->V, back));
    Motion C = mo_shift(bias_of(here->V.w, back, seen, rotated(here->X.R, bent)), arm);
    here->C = (Motion){v3_neg(C.w), v3_sub(v3_cross(w, v3_cross(w, offset)), C.v)};
}

// Q_a = P_0a + sum_b q_b (P_ba + w_ba); sum m r rT = P00 + Z + ZT with Z = 1/2 sum_a q_a (P_0a + Q_a).
RigidInertia rb_modes_inertia(const RbTree *tree, int body, RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbTreeModal *modal = modal_of(tree, joint);
    const RbModalBody *model = modal->model;
    RbModalKin *state = kin_of(joint, kin);
    int n = model->n;
    Mat3 Z = M3_ZERO;
    for (int a = 0; a < n; a++) {
        const double *p = model->P0 + 9 * a;
        Mat3 P0 = {v3_load(p), v3_load(p + 3), v3_load(p + 6)}, Q = P0;
        for (int b = 0; b < n; b++) Q = m3_add(Q, m3_scale(state->q[b], modal->P1[b * n + a]));
        state->Q[a] = Q;
        Z = m3_add(Z, m3_scale(0.5 * state->q[a], m3_add(P0, Q)));
    }
    Mat3 P = m3_add(model->P00, m3_add(Z, m3_transpose(Z)));
    Sym3 J = s3_from_matrix(m3_sub(m3_scale(m3_trace(P), M3_IDENTITY), P));
    return ri_rotate(kin->bodies[body].X.R, (RigidInertia){.m = model->mass, .I = J});
}

// sum_a v_a ax Q_a, in world axes: angular momentum of the modes.
static Vec3 relative_momentum(const RbTree *tree, int body, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalKin *state = kin_of(joint, kin);
    Vec3 sum = V3_ZERO;
    for (int a = 0; a < joint->modes; a++) sum = v3_axpy(sum, state->v[a], m3_axial(state->Q[a]));
    return m3_mul_vec(kin->bodies[body].X.R, sum);
}

double rb_modes_kinetic_energy(const RbTree *tree, int body, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalKin *state = kin_of(joint, kin);
    double sum = v3_dot(kin->bodies[body].V.w, relative_momentum(tree, body, kin));
    for (int a = 0; a < joint->modes; a++) sum += 0.5 * state->v[a] * state->v[a];
    return sum;
}

Wrench rb_modes_momentum(const RbTree *tree, int body, const RbKin *kin) {
    return (Wrench){relative_momentum(tree, body, kin), V3_ZERO};
}

void rb_modes_account_in(const RbTree *tree, RbSpan span, const RbKin *kin, RbLedger *ledger) {
    for (int i = 0; i < tree->modals.count; i++) {
        const RbModalBody *model = tree->modals.data[i].model;
        const RbModalKin *state = &kin->modals[i];
        if (tree->modals.data[i].body < span.first || tree->modals.data[i].body >= span.end)
            continue;
        for (int a = 0; a < model->n; a++) {
            double w = model->omega[a];
            ledger->potential += 0.5 * w * w * state->q[a] * state->q[a];
            ledger->dissipated += 2 * model->zeta[a] * w * state->v[a] * state->v[a];
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// articulated bodies: the modes are speeds of the joint that leads into the body, with the inertia M and the
// coupling G to its motion besides:
//     U = IA S + G,   D = ST IA S + ST G + GT S + M = L LT
// U is kept as U L^-T, so that IA - U D^-1 UT takes away one rank-one matrix per mode.

static RbModalDyn *dyn_of(const RbJoint *joint, const RbDyn *dyn) {
    return &dyn->modals[joint->modal - 1];
}

void rb_modes_open(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalKin *state = kin_of(joint, kin);
    RbModalDyn *d = dyn_of(joint, dyn);
    int n = joint->modes;
    memset(d->D, 0, (size_t)(n * n) * sizeof *d->D);
    for (int a = 0; a < n; a++) {
        d->D[a * n + a] = 1;
        d->G[a] = (Wrench){m3_mul_vec(kin->bodies[body].X.R, m3_axial(state->Q[a])), V3_ZERO};
    }
}

void rb_modes_feel_inertia(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const Motion *psi = kin->psi + joint->psi;
    RbModalDyn *d = dyn_of(joint, dyn);
    int n = modal_of(tree, joint)->model->n;
    for (int a = 0; a < n; a++) {
        Wrench f = ai_mul(dyn->bodies[body].IA, psi[a]);
        d->G[a] = wr_add(d->G[a], wr_shift(f, kin->bodies[body].d));
        for (int b = 0; b <= a; b++) d->D[a * n + b] += wr_power(f, psi[b]);
    }
}

// D = L LT in place, lower triangle.
static bool cholesky(int n, double *D) {
    for (int a = 0; a < n; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = D[a * n + b];
            for (int k = 0; k < b; k++) sum -= D[a * n + k] * D[b * n + k];
            if (a == b && !(sum > 0)) return false;
            D[a * n + b] = a == b ? sqrt(sum) : sum / D[b * n + b];
        }
    }
    return true;
}

bool rb_modes_factor(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn, ArtInertia *left) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const Motion *S = kin->S + joint->v;
    RbModalDyn *d = dyn_of(joint, dyn);
    Wrench *U = dyn->U + joint->v;
    int n = joint->modes;
    for (int a = 0; a < n; a++) {
        Wrench f = ai_mul(dyn->bodies[body].IA, S[a]);
        U[a] = wr_add(f, d->G[a]);
        for (int b = 0; b <= a; b++)
            d->D[a * n + b] += wr_power(U[a], S[b]) + wr_power(d->G[b], S[a]);
    }
    bool fine = cholesky(n, d->D);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) U[a] = wr_axpy(U[a], -d->D[a * n + b], U[b]);
        double k = 1 / d->D[a * n + a];
        U[a] = (Wrench){v3_scale(k, U[a].t), v3_scale(k, U[a].f)};
        *left = ai_minus_outer(*left, 1, U[a]);
    }
    return fine;
}

// Row of mode a: wT Q_a w - w.w tr Q_a + 2 w . sum_b v_b ax P_ba + omega^2 q_a + 2 zeta omega v_a.
void rb_modes_load(const RbTree *tree, int body, const RbKin *kin, const double *tau, bool moving,
                   RbDyn *dyn) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbTreeModal *modal = modal_of(tree, joint);
    const RbModalKin *state = kin_of(joint, kin);
    double *f = dyn_of(joint, dyn)->f;
    int n = joint->modes;
    Vec3 w = m3_tmul_vec(kin->bodies[body].X.R, kin->bodies[body].V.w);
    for (int a = 0; a < n; a++) {
        f[a] = tau ? tau[joint->v + a] : 0;
        if (!moving) continue;
        double omega = modal->model->omega[a];
        Vec3 gyro = V3_ZERO;
        for (int b = 0; b < n; b++) gyro = v3_axpy(gyro, state->v[b], modal->gyro[b * n + a]);
        f[a] -= v3_dot(w, m3_mul_vec(state->Q[a], w)) - v3_norm2(w) * m3_trace(state->Q[a]);
        f[a] -= 2 * v3_dot(w, gyro) + omega * omega * state->q[a];
        f[a] -= 2 * modal->model->zeta[a] * omega * state->v[a];
    }
}

Vec3 rb_modes_torque(const RbTree *tree, int body, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbTreeModal *modal = modal_of(tree, joint);
    const RbModalKin *state = kin_of(joint, kin);
    int n = joint->modes;
    Mat3 R = kin->bodies[body].X.R, rate = M3_ZERO;
    Vec3 w = m3_tmul_vec(R, kin->bodies[body].V.w), bent = V3_ZERO;
    for (int a = 0; a < n; a++) rate = m3_add(rate, m3_scale(state->v[a], state->Q[a]));
    for (int i = 0; modal->bend && i < n * n; i++)
        bent = v3_axpy(bent, state->v[i / n] * state->v[i % n], modal->bend[i]);
    Vec3 turned = v3_sub(v3_scale(m3_trace(rate), w), m3_tmul_vec(rate, w));
    return m3_mul_vec(R, v3_axpy(bent, 2, turned));
}

Vec3 rb_modes_whole_torque(const RbTree *tree, int body, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalKin *state = kin_of(joint, kin);
    Vec3 sum = V3_ZERO;
    for (int a = 0; a < joint->modes; a++) sum = v3_axpy(sum, state->a[a], m3_axial(state->Q[a]));
    return v3_add(rb_modes_torque(tree, body, kin), m3_mul_vec(kin->bodies[body].X.R, sum));
}

void rb_modes_feel_wrench(const RbTree *tree, int body, const RbKin *kin, Wrench p, RbDyn *dyn) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    double *f = dyn_of(joint, dyn)->f;
    for (int a = 0; a < modal_of(tree, joint)->model->n; a++)
        f[a] -= wr_power(p, kin->psi[joint->psi + a]);
}

Wrench rb_modes_inwards(const RbTree *tree, int body, const RbKin *kin, Wrench p, Motion C,
                        RbDyn *dyn) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalDyn *d = dyn_of(joint, dyn);
    const Motion *S = kin->S + joint->v;
    const Wrench *U = dyn->U + joint->v;
    double *u = dyn->u + joint->v;
    int n = joint->modes;
    for (int a = 0; a < n; a++) u[a] = d->f[a] - wr_power(p, S[a]) - wr_power(d->G[a], C);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) u[a] -= d->D[a * n + b] * u[b];
        u[a] /= d->D[a * n + a];
        p = wr_axpy(p, u[a], U[a]);
    }
    return p;
}

void rb_modes_outwards(const RbTree *tree, int body, const RbKin *kin, Motion from_parent,
                       RbDyn *dyn, double *dv) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    const RbModalDyn *d = dyn_of(joint, dyn);
    RbBodyDyn *here = &dyn->bodies[body];
    int n = joint->modes;
    dv += joint->v;
    here->A = mo_add(here->A, from_parent);
    for (int a = n - 1; a >= 0; a--) {
        dv[a] = dyn->u[joint->v + a] - wr_power(dyn->U[joint->v + a], from_parent);
        for (int b = a + 1; b < n; b++) dv[a] -= d->D[b * n + a] * dv[b];
        dv[a] /= d->D[a * n + a];
        here->A = mo_axpy(here->A, dv[a], kin->S[joint->v + a]);
    }
}

Motion rb_modes_motion(const RbTree *tree, int body, const RbKin *kin, const double *dv) {
    const RbTreeModal *modal = modal_of(tree, rb_tree_joint(tree, body));
    return sum_of(rb_modes_directions(tree, body, kin), modal->model->n,
                  dv + rb_tree_joint(tree, modal->body)->v);
}

void rb_modes_add_forces(const RbTree *tree, int body, const RbKin *kin, Wrench f, double *tau) {
    const RbTreeModal *modal = modal_of(tree, rb_tree_joint(tree, body));
    const Motion *S = rb_modes_directions(tree, body, kin);
    int v = rb_tree_joint(tree, modal->body)->v;
    for (int a = 0; a < modal->model->n; a++) tau[v + a] += wr_power(f, S[a]);
}
