// SPDX-License-Identifier: MIT
#include "rigid/dynamics.h"

#include <math.h>
#include <string.h>

#include "rigid/modes.h"

// A pivot of the joint inertia below this part of the inertia around counts as zero: rounding
// leaves about 1e-16.
static const double no_inertia = 1e-13;

RbDyn rb_dyn(const RbTree *tree, RbArena *arena) {
    RbDyn dyn = {.bodies = rb_new_array(arena, RbBodyDyn, tree->bodies.count),
                 .U = rb_new_array(arena, Wrench, tree->nv),
                 .D = rb_new_array(arena, double, tree->nv),
                 .u = rb_new_array(arena, double, tree->nv),
                 .dv = rb_new_array(arena, double, tree->nv),
                 .tau = rb_new_array(arena, double, tree->nv),
                 .modes = rb_new_array(arena, RbJointMode, tree->bodies.count),
                 .driven = rb_new_array(arena, int, tree->nv)};
    dyn.modals = rb_new_array(arena, RbModalDyn, tree->modals.count);
    for (int i = 0; i < tree->modals.count; i++) {
        int n = tree->modals.data[i].model->n;
        dyn.modals[i] =
            (RbModalDyn){rb_new_array(arena, double, n *n), rb_new_array(arena, Wrench, n),
                         rb_new_array(arena, double, n)};
    }
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->owner != RB_OWNED_BY_EQUATIONS) continue;
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++)
            dyn.driven[dyn.driven_count++] = joint->v + k;
    }
    return dyn;
}

// What inputs move is not accelerated by forces, whatever is said of the others.
static RbJointMode mode_of(const RbTree *tree, const RbJointMode *modes, int body) {
    if (rb_tree_joint(tree, body)->owner == RB_OWNED_BY_INPUTS) return RB_MODE_LOCKED;
    return modes ? modes[body] : RB_MODE_FREE;
}

// ---- articulated inertias

// Is this pivot of a joint of any use? What is added may be negative: drives can be anything.
static bool is_pivot(double pivot, double added, double scale) {
    return (added < 0 ? fabs(pivot) : pivot) > no_inertia * (scale + fabs(added));
}

// The most frequent joint: one angle. U = IA S has no share of the linear part of S.
static bool factor_revolute(Vec3 n, const double *added, RbBodyDyn *body, Wrench *U, double *D,
                            ArtInertia *left) {
    double more = added ? *added : 0;
    *U = (Wrench){s3_mul_vec(body->IA.A, n), m3_tmul_vec(body->IA.B, n)};
    *D = v3_dot(n, U->t) + more;
    if (!is_pivot(*D, more, s3_trace(body->IA.A))) return false;
    *left = ai_minus_outer(body->IA, 1 / *D, *U);
    return true;
}

// D = ST IA S is factored as L D' LT together with U, so that each speed takes away one rank-one
// matrix:
//     IA - U D^-1 UT = IA - sum_k u_k u_kT / D'_k,   u = L^-1 U
// What is added to the diagonal of D is inertia that the joint alone moves.
static bool factor_joint(const RbJoint *joint, const Motion *S, const double *added,
                         RbBodyDyn *body, Wrench *U, double *D, ArtInertia *left) {
    if (joint->kind == RB_JOINT_REVOLUTE) return factor_revolute(S->w, added, body, U, D, left);
    int n = rb_joint_v_count(joint->kind);
    double scale_t = s3_trace(body->IA.A), scale_f = s3_trace(body->IA.C);
    *left = body->IA;
    for (int k = 0; k < n; k++) {
        U[k] = ai_mul(body->IA, S[k]);
        for (int j = 0; j < k; j++) {
            double l = wr_power(U[j], S[k]) / D[j];
            body->l[k + j - 1] = l; // 10 -> 0, 20 -> 1, 21 -> 2
            U[k] = wr_axpy(U[k], -l, U[j]);
        }
        double more = added ? added[k] : 0;
        D[k] = wr_power(U[k], S[k]) + more;
        double scale = v3_norm2(S[k].w) * scale_t + v3_norm2(S[k].v) * scale_f;
        if (!is_pivot(D[k], more, scale)) return false;
        *left = ai_minus_outer(*left, 1 / D[k], U[k]);
    }
    return true;
}

// A free joint yields in every direction: nothing is left for the parent, and IA itself is solved,
// by blocks.
static bool factor_free(RbBodyDyn *body) {
    const ArtInertia *a = &body->IA;
    body->Cf = s3_factor(a->C);
    Vec3 x = s3_solve(&body->Cf, a->B.x), y = s3_solve(&body->Cf, a->B.y),
         z = s3_solve(&body->Cf, a->B.z);
    Sym3 s = {a->A.xx - v3_dot(a->B.x, x), a->A.yy - v3_dot(a->B.y, y),
              a->A.zz - v3_dot(a->B.z, z), a->A.xy - v3_dot(a->B.x, y),
              a->A.xz - v3_dot(a->B.x, z), a->A.yz - v3_dot(a->B.y, z)};
    body->Schur = s3_factor(s);
    double least_C = no_inertia * s3_trace(a->C), least_A = no_inertia * s3_trace(a->A);
    Vec3 c = body->Cf.d, d = body->Schur.d;
    return c.x > least_C && c.y > least_C && c.z > least_C && d.x > least_A && d.y > least_A &&
           d.z > least_A;
}

// IA x = f
static Motion solve_free(const RbBodyDyn *body, Wrench f) {
    Vec3 cf = s3_solve(&body->Cf, f.f);
    Vec3 z = s3_solve(&body->Schur, v3_sub(f.t, m3_mul_vec(body->IA.B, cf)));
    Vec3 a = s3_solve(&body->Cf, v3_sub(f.f, m3_tmul_vec(body->IA.B, z)));
    return (Motion){z, a};
}

int rb_dyn_factor_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                     RbDyn *dyn) {
    int failed = 0;
    for (int i = span.first; i < span.end; i++) dyn->bodies[i].IA = ai_from_rigid(kin->bodies[i].I);
    for (int k = 0; k < tree->modals.count; k++) {
        int i = tree->modals.data[k].body;
        if (i >= span.first && i < span.end) rb_modes_open(tree, i, kin, dyn);
    }
    for (int i = span.end - 1; i >= span.first; i--) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        RbBodyDyn *here = &dyn->bodies[i];
        ArtInertia left = here->IA;
        if (joint->modes > 0) {
            if (!rb_modes_factor(tree, i, kin, dyn, &left)) failed = i;
        } else if (joint->modal) {
            rb_modes_feel_inertia(tree, i, kin, dyn);
        } else if (mode_of(tree, modes, i) == RB_MODE_FREE && joint->kind != RB_JOINT_FIXED) {
            bool free = joint->kind == RB_JOINT_FREE;
            bool fine = free ? factor_free(here)
                             : factor_joint(joint, kin->S + joint->v,
                                            dyn->added ? dyn->added + joint->v : NULL, here,
                                            dyn->U + joint->v, dyn->D + joint->v, &left);
            if (!fine) failed = i;
            if (free) continue;
        }
        if (body->parent == 0) continue;
        ArtInertia *parent = &dyn->bodies[body->parent].IA;
        *parent = ai_add(*parent, ai_shift(left, kin->bodies[i].d));
    }
    return failed;
}

// ---- forces inwards, accelerations outwards

static Wrench force_along(const Motion *S, const double *tau, int n) {
    Wrench f = WRENCH_ZERO; // S is orthonormal for a free joint
    for (int k = 0; tau && k < n; k++) f = wr_axpy(f, tau[k], (Wrench){S[k].w, S[k].v});
    return f;
}

// What body i passes on to its parent, of p that its subtree exerts on it. Half of a sweep, and a call would cost a tenth of it.
__attribute__((always_inline)) static inline Wrench
wrench_inwards(const RbJoint *joint, RbJointMode mode, const Motion *S, const double *tau, Wrench p,
               RbDyn *dyn, RbBodyDyn *here) {
    int n = rb_joint_v_count(joint->kind);
    if (mode != RB_MODE_FREE || n == 0) return p;
    if (joint->kind == RB_JOINT_FREE) {
        Wrench f = force_along(S, tau, n);
        here->rel = solve_free(here, wr_sub(f, p));
        return f;
    }
    double *u = dyn->u + joint->v;
    const double *D = dyn->D + joint->v;
    const Wrench *U = dyn->U + joint->v;
    for (int k = 0; k < n; k++) u[k] = (tau ? tau[k] : 0) - wr_power(p, S[k]);
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < k; j++) u[k] -= here->l[k + j - 1] * u[j];
        p = wr_axpy(p, u[k] / D[k], U[k]);
    }
    return p;
}

// Accelerations of joint and body, once the parent's (shifted to this body) is known.
static void acceleration_outwards(const RbJoint *joint, RbJointMode mode, const Motion *S,
                                  Motion from_parent, Motion given, const RbDyn *dyn,
                                  RbBodyDyn *here, double *dv) {
    int n = rb_joint_v_count(joint->kind);
    here->A = mo_add(from_parent, given);
    if (mode != RB_MODE_FREE || n == 0) return;
    if (joint->kind == RB_JOINT_FREE) {
        Motion rel = mo_axpy(here->rel, -1, from_parent);
        for (int k = 0; k < 3; k++) {
            dv[k] = v3_dot(S[k].v, rel.v);
            dv[3 + k] = v3_dot(S[3 + k].w, rel.w);
        }
        here->A = mo_add(here->A, rel);
        return;
    }
    for (int k = n - 1; k >= 0; k--) {
        dv[k] = (dyn->u[joint->v + k] - wr_power(dyn->U[joint->v + k], from_parent)) /
                dyn->D[joint->v + k];
        for (int j = k + 1; j < n; j++) dv[k] -= here->l[j + k - 1] * dv[j];
        here->A = mo_axpy(here->A, dv[k], S[k]);
    }
}

// Bias and prescribed accelerations; locked ones are zero and are written so.
static Motion known_acceleration(const RbJoint *joint, RbJointMode mode, const RbKin *kin,
                                 Motion bias, double *dv) {
    Motion sum = bias;
    if (mode == RB_MODE_FREE) return sum;
    for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
        if (mode == RB_MODE_LOCKED) dv[k] = 0;
        sum = mo_axpy(sum, dv[k], kin->S[joint->v + k]);
    }
    return sum;
}

static void pass_on(Wrench p, Vec3 d, RbBodyDyn *parent) {
    parent->P = wr_add(parent->P, wr_shift(p, d));
}

// P of all bodies is set. `moving`: with the velocity-dependent accelerations in kin.
static void sweep(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                  const double *tau, bool moving, RbDyn *dyn, double *dv) {
    for (int k = 0; k < tree->modals.count; k++) {
        int i = tree->modals.data[k].body;
        if (i >= span.first && i < span.end) rb_modes_load(tree, i, kin, tau, moving, dyn);
    }
    for (int i = span.end - 1; i >= span.first; i--) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        RbJointMode mode = mode_of(tree, modes, i);
        RbBodyDyn *here = &dyn->bodies[i];
        here->A = known_acceleration(joint, mode, kin, moving ? kin->bodies[i].C : MOTION_ZERO,
                                     dv + joint->v);
        Wrench p = here->P;
        if (moving || mode != RB_MODE_FREE) p = wr_add(p, ai_mul(here->IA, here->A));
        if (joint->modes > 0)
            p = rb_modes_inwards(tree, i, kin, p, here->A, dyn);
        else if (joint->modal)
            rb_modes_feel_wrench(tree, i, kin, p, dyn);
        else
            p = wrench_inwards(joint, mode, kin->S + joint->v, tau ? tau + joint->v : NULL, p, dyn,
                               here);
        if (body->parent > 0) pass_on(p, kin->bodies[i].d, &dyn->bodies[body->parent]);
    }
    for (int i = span.first; i < span.end; i++) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        RbBodyDyn *here = &dyn->bodies[i];
        Motion from_parent = mo_shift(dyn->bodies[body->parent].A, kin->bodies[i].d);
        if (joint->modes > 0)
            rb_modes_outwards(tree, i, kin, from_parent, dyn, dv);
        else if (joint->modal)
            here->A = mo_add(mo_add(from_parent, here->A), rb_modes_motion(tree, i, kin, dv));
        else
            acceleration_outwards(joint, mode_of(tree, modes, i), kin->S + joint->v, from_parent,
                                  here->A, dyn, here, dv + joint->v);
    }
}

void rb_dyn_solve_in(const RbTree *tree, RbSpan span, RbKin *kin, const RbJointMode *modes,
                     const double *tau, const Wrench *forces, RbDyn *dyn, double *dv) {
    for (int i = span.first; i < span.end; i++) {
        Wrench bias = ri_bias(kin->bodies[i].I, kin->bodies[i].V.w);
        dyn->bodies[i].P = forces ? wr_sub(bias, forces[i]) : bias;
    }
    for (int k = 0; k < tree->modals.count; k++) {
        int i = tree->modals.data[k].body;
        if (i < span.first || i >= span.end) continue;
        dyn->bodies[i].P.t = v3_add(dyn->bodies[i].P.t, rb_modes_torque(tree, i, kin));
    }
    sweep(tree, span, kin, modes, tau, true, dyn, dv);
    for (int i = span.first; i < span.end; i++) kin->bodies[i].A = dyn->bodies[i].A;
    rb_kin_mode_accelerations_in(tree, span, dv, kin);
}

static void forget_forces(RbSpan span, RbDyn *dyn) {
    for (int i = span.first; i < span.end; i++) dyn->bodies[i].P = WRENCH_ZERO;
}

void rb_dyn_solve_at_rest_in(const RbTree *tree, RbSpan span, const RbKin *kin,
                             const RbJointMode *modes, const double *tau, RbDyn *dyn, double *dv) {
    forget_forces(span, dyn);
    sweep(tree, span, kin, modes, tau, false, dyn, dv);
}

void rb_dyn_response_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                        int body, Wrench f, RbDyn *dyn, double *dv) {
    forget_forces(span, dyn);
    dyn->bodies[body].P = wr_neg(f);
    sweep(tree, span, kin, modes, NULL, false, dyn, dv);
}

void rb_dyn_responses_in(const RbTree *tree, RbSpan span, const RbKin *kin,
                         const RbJointMode *modes, const Wrench *forces, RbDyn *dyn, double *dv) {
    for (int i = span.first; i < span.end; i++) dyn->bodies[i].P = wr_neg(forces[i]);
    sweep(tree, span, kin, modes, NULL, false, dyn, dv);
}

void rb_dyn_spread_in(const RbTree *tree, RbSpan span, const RbKin *kin, const double *dv,
                      RbDyn *dyn) {
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        Motion A = mo_shift(dyn->bodies[tree->bodies.data[i].parent].A, kin->bodies[i].d);
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++)
            A = mo_axpy(A, dv[joint->v + k], kin->S[joint->v + k]);
        if (joint->modal) A = mo_add(A, rb_modes_motion(tree, i, kin, dv));
        dyn->bodies[i].A = A;
    }
}

// ---- M^-1 between two sets of wrenches

// What the joint of a body yields to the wrench that has come to it.
static void store_reduced(const RbJoint *joint, RbJointMode mode, const Motion *S, const RbDyn *dyn,
                          const RbBodyDyn *here, double *u, double *w) {
    for (int k = 0; k < rb_joint_nv(joint); k++) {
        if (joint->modes > 0) {
            u[k] = w[k] = dyn->u[joint->v + k]; // the factor has its root on both sides
        } else if (mode != RB_MODE_FREE) {
            u[k] = w[k] = 0;
        } else if (joint->kind == RB_JOINT_FREE) {
            u[k] = -wr_power(here->P, S[k]);
            w[k] = v3_dot(S[k].v, here->rel.v) + v3_dot(S[k].w, here->rel.w);
        } else {
            u[k] = dyn->u[joint->v + k];
            w[k] = u[k] / dyn->D[joint->v + k];
        }
    }
}

void rb_dyn_reduce(const RbTree *tree, RbBodyList path, const RbKin *kin, const RbJointMode *modes,
                   const RbPush *pushes, int push_count, RbDyn *dyn, double *u, double *w) {
    int at = 0;
    for (int i = 0; i < path.count; i++) {
        dyn->bodies[path.bodies[i]].P = WRENCH_ZERO;
        at += rb_joint_nv(rb_tree_joint(tree, path.bodies[i]));
        if (rb_tree_joint(tree, path.bodies[i])->modes > 0)
            rb_modes_load(tree, path.bodies[i], kin, NULL, false, dyn);
    }
    for (int i = 0; i < push_count; i++) {
        Wrench *P = &dyn->bodies[pushes[i].body].P;
        *P = wr_sub(*P, pushes[i].f);
    }
    for (int i = path.count - 1; i >= 0; i--) {
        int body = path.bodies[i], parent = tree->bodies.data[body].parent;
        const RbJoint *joint = rb_tree_joint(tree, body);
        RbJointMode mode = mode_of(tree, modes, body);
        RbBodyDyn *here = &dyn->bodies[body];
        const Motion *S = kin->S + joint->v;
        Wrench p = here->P;
        if (joint->modes > 0)
            p = rb_modes_inwards(tree, body, kin, p, MOTION_ZERO, dyn);
        else if (joint->modal)
            rb_modes_feel_wrench(tree, body, kin, p, dyn);
        else
            p = wrench_inwards(joint, mode, S, NULL, p, dyn, here);
        at -= rb_joint_nv(joint);
        store_reduced(joint, mode, S, dyn, here, u + at, w + at);
        if (parent > 0) pass_on(p, kin->bodies[body].d, &dyn->bodies[parent]);
    }
}

void rb_dyn_joint_forces_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbDyn *dyn,
                            double *tau) {
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        const RbBodyDyn *here = &dyn->bodies[i];
        Wrench f = wr_add(here->P, ai_mul(here->IA, here->A));
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
            tau[joint->v + k] = wr_power(f, kin->S[joint->v + k]);
        }
    }
}

// ---- what the equations see

int rb_dyn_affine_in(const RbTree *tree, RbSpan span, RbKin *kin, const RbJointMode *modes,
                     const double *tau, const Wrench *forces, RbDyn *dyn, const double *dv,
                     double *M, double *h) {
    int n = dyn->driven_count;
    for (int i = span.first; i < span.end; i++) {
        bool driven = rb_tree_joint(tree, i)->owner == RB_OWNED_BY_EQUATIONS;
        dyn->modes[i] = driven ? RB_MODE_PRESCRIBED : mode_of(tree, modes, i);
    }
    int failed = rb_dyn_factor_in(tree, span, kin, dyn->modes, dyn);
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int first = rb_tree_joint(tree, span.first)->v, end = last->v + rb_joint_nv(last);

    // Constant part: the driven joints at rest.
    for (int k = first; k < end; k++) dyn->dv[k] = dv ? dv[k] : 0;
    for (int k = 0; k < n; k++) {
        if (dyn->driven[k] >= first && dyn->driven[k] < end) dyn->dv[dyn->driven[k]] = 0;
    }
    rb_dyn_solve_in(tree, span, kin, dyn->modes, tau, forces, dyn, dyn->dv);
    rb_dyn_joint_forces_in(tree, span, kin, dyn, dyn->tau);
    for (int k = 0; k < n; k++) {
        if (dyn->driven[k] >= first && dyn->driven[k] < end) h[k] = dyn->tau[dyn->driven[k]];
    }

    // One column per driven joint: unit acceleration, nothing else.
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            if (dyn->driven[k] >= first && dyn->driven[k] < end) M[k * n + j] = 0;
        }
        if (dyn->driven[j] < first || dyn->driven[j] >= end) continue;
        for (int k = first; k < end; k++) dyn->dv[k] = 0;
        dyn->dv[dyn->driven[j]] = 1;
        rb_dyn_solve_at_rest_in(tree, span, kin, dyn->modes, NULL, dyn, dyn->dv);
        rb_dyn_joint_forces_in(tree, span, kin, dyn, dyn->tau);
        for (int k = 0; k < n; k++) {
            if (dyn->driven[k] >= first && dyn->driven[k] < end)
                M[k * n + j] = dyn->tau[dyn->driven[k]];
        }
    }
    return failed;
}

void rb_dyn_affine_finish_in(const RbTree *tree, RbSpan span, RbKin *kin, const double *tau,
                             const Wrench *forces, RbDyn *dyn, double *dv) {
    rb_dyn_solve_in(tree, span, kin, dyn->modes, tau, forces, dyn, dv);
}

// ---- bad models

int rb_dyn_find_massless(const RbTree *tree, const double *q, bool prescribed, RbArena scratch) {
    RbKin kin = rb_kin(tree, &scratch);
    RbDyn dyn = rb_dyn(tree, &scratch);
    rb_kin_positions(tree, q, &kin);
    for (int i = 0; i < tree->bodies.count; i++) {
        bool driven = rb_tree_joint(tree, i)->owner == RB_OWNED_BY_EQUATIONS;
        dyn.modes[i] = driven && prescribed ? RB_MODE_PRESCRIBED : RB_MODE_FREE;
    }
    return rb_dyn_factor(tree, &kin, dyn.modes, &dyn);
}

RbStatus rb_dyn_check(const RbTree *tree, const double *q, bool prescribed, RbArena scratch,
                      RbDiag *diag) {
    int failed = rb_dyn_find_massless(tree, q, prescribed, scratch);
    if (failed == 0) return RB_OK;
    const RbTreeBody *body = &tree->bodies.data[failed];
    if (body->joint.kind == RB_JOINT_FREE && body->end == failed + 1 &&
        strcmp(body->joint.name, body->name) == 0)
        return rb_fail(diag, RB_ERROR_MODEL, body->joint.at,
                       "'%s' moves freely and has no mass or moment of inertia in one of its "
                       "directions: give it some, or connect it to something that holds it",
                       body->name);
    return rb_fail(diag, RB_ERROR_MODEL, body->joint.at,
                   "the %s joint '%s' cannot be accelerated: what it moves ('%s'%s) has no mass or "
                   "moment of inertia in one of "
                   "its directions; give it some, or remove the joint",
                   rb_joint_kind_name(body->joint.kind), body->joint.name, body->name,
                   body->end > failed + 1 ? " and the bodies after it" : "");
}
