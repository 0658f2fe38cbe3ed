// SPDX-License-Identifier: MIT
#include "rigid/tangent.h"

#include <math.h>
#include <string.h>

#include "rigid/modes.h"

RbTangents rb_tangents(const RbTree *tree, RbArena *arena) {
    return (RbTangents){.through = rb_new_array(arena, Wrench, tree->bodies.count),
                        .bodies = rb_new_array(arena, RbTangent, tree->bodies.count),
                        .tau = rb_new_array(arena, double, tree->nv)};
}

void rb_tangent_open(const RbTree *tree, RbSpan span, const RbKin *kin, const Wrench *forces,
                     RbTangents *e) {
    for (int i = span.first; i < span.end; i++) {
        const RbBodyKin *b = &kin->bodies[i];
        e->through[i] = wr_sub(wr_add(ri_mul(b->I, b->A), ri_bias(b->I, b->V.w)), forces[i]);
    }
    for (int i = span.end - 1; i >= span.first; i--) {
        int parent = tree->bodies.data[i].parent;
        if (parent == 0) continue;
        Wrench shifted = wr_shift(e->through[i], kin->bodies[i].d);
        e->through[parent] = wr_add(e->through[parent], shifted);
    }
}

// -----------------------------------------------------------------------------------------------
// directions

// R(q) belongs to q / |q|: the turn per unit of component c is 2 vec(e_c q*) / |q|², in F.
static Vec3 quaternion_turn(const double *p, int c) {
    Quat q = q_load(p), e = {c == 0, c == 1, c == 2, c == 3};
    return v3_scale(2 / q_norm2(q), q_vector(q_mul(e, q_conj(q))));
}

Motion rb_coordinate_motion(const RbJoint *j, const RbKin *kin, const double *q, int k) {
    const Motion *S = kin->S + j->v;
    int first = j->kind == RB_JOINT_SPHERICAL ? 0 : j->kind == RB_JOINT_FREE ? 3 : k + 1;
    if (k < first) return S[k];
    Vec3 turn = quaternion_turn(q + j->q + first, k - first);
    const Motion *about = S + first;
    return (Motion){
        v3_axpy(v3_axpy(v3_scale(turn.x, about[0].w), turn.y, about[1].w), turn.z, about[2].w),
        V3_ZERO};
}

static Motion crossed(Vec3 w, Motion a) {
    return (Motion){v3_cross(w, a.w), v3_cross(w, a.v)};
}

static Motion minus(Motion a, Motion b) {
    return mo_axpy(a, -1, b);
}

// The second axis of a universal joint turns with its first coordinate; all other directions of
// motion are fixed in the frame F of the parent. Turn of that axis beyond the turn of F.
static Vec3 second_axis_turn(const RbJoint *joint, const Motion *S, RbDirection d) {
    return joint->kind == RB_JOINT_UNIVERSAL && !d.speed && d.k == 0 ? S[0].w : V3_ZERO;
}

// Change of the velocity relative to the parent, sum of S_k v_k, of the joint that is varied
// itself.
static Motion own_relative(const RbJoint *joint, const Motion *S, const double *v, RbDirection d) {
    if (d.speed) return S[d.k];
    Vec3 turn = second_axis_turn(joint, S, d);
    return joint->kind == RB_JOINT_UNIVERSAL
               ? (Motion){v3_scale(v[joint->v + 1], v3_cross(turn, S[1].w)), V3_ZERO}
               : MOTION_ZERO;
}

// Body b is moved by D, which turns with w; what is beyond it up to body i moves like one rigid thing, with all velocities relative
// to b.
static RbTangent carried(const RbBodyKin *b, const RbBodyKin *i, Motion D, Vec3 w) {
    Vec3 arm = v3_sub(i->X.r, b->X.r);
    Vec3 beyond = v3_sub(v3_sub(i->V.v, b->V.v), v3_cross(b->V.w, arm));
    RbTangent t = {.X = mo_shift(D, arm)};
    t.V.w = v3_cross(D.w, v3_sub(i->V.w, b->V.w));
    t.V.v = v3_add(v3_cross(w, D.v), v3_cross(b->V.w, v3_cross(D.w, arm)));
    t.V.v = v3_add(t.V.v, v3_cross(D.w, beyond));
    return t;
}

// Mode k of a flexible body moves the body, and in it the frame that leads to body i. How the directions of modes change
// with the modes is left out.
static RbTangent mode_tangent(const RbTree *tree, const RbKin *kin, RbDirection d, int body) {
    int frame = body;
    while (frame != d.body && tree->bodies.data[frame].parent != d.body)
        frame = tree->bodies.data[frame].parent;
    const RbBodyKin *flexible = &kin->bodies[d.body], *i = &kin->bodies[body];
    Motion S = kin->S[rb_tree_joint(tree, d.body)->v + d.k], psi = MOTION_ZERO;
    if (frame != d.body) psi = rb_modes_directions(tree, frame, kin)[d.k];
    RbTangent t = carried(flexible, i, S, flexible->V.w),
              more = carried(&kin->bodies[frame], i, psi, flexible->V.w);
    t.X = mo_add(t.X, more.X);
    t.V = mo_add(t.V, more.V);
    return d.speed ? (RbTangent){.V = t.X} : t;
}

// With the body b whose joint is varied: everything beyond b turns with it as one rigid thing, with
// all velocities relative to b.
RbTangent rb_tangent_body(const RbTree *tree, const RbKin *kin, const double *q, const double *v,
                          RbDirection d, int body) {
    const RbJoint *joint = rb_tree_joint(tree, d.body);
    if (joint->modes > 0) return mode_tangent(tree, kin, d, body);
    const RbBodyKin *b = &kin->bodies[d.body], *i = &kin->bodies[body];
    const Motion *S = kin->S + joint->v;
    Vec3 arm = v3_sub(i->X.r, b->X.r);
    RbTangent t = {0};
    Motion own = own_relative(joint, S, v, d); // change of the velocity of b, so far
    if (d.speed) {
        t.V = mo_shift(own, arm);
        return t;
    }
    Motion D = rb_coordinate_motion(joint, kin, q, d.k);
    Vec3 w_parent = kin->bodies[tree->bodies.data[d.body].parent].V.w;
    t.X = mo_shift(D, arm);
    Vec3 beyond =
        v3_sub(v3_sub(i->V.v, b->V.v), v3_cross(b->V.w, arm)); // velocity of i seen from b
    t.V.w = v3_add(own.w, v3_cross(D.w, v3_sub(i->V.w, b->V.w)));
    t.V.v = v3_add(v3_add(own.v, v3_cross(w_parent, D.v)), v3_cross(own.w, arm));
    t.V.v = v3_add(t.V.v, v3_cross(b->V.w, v3_cross(D.w, arm)));
    t.V.v = v3_add(t.V.v, v3_cross(D.w, beyond));
    return t;
}

// -----------------------------------------------------------------------------------------------
// the recursion, differentiated (compare rb_kin_velocities_in and rb_kin_accelerations_in)

static RbTangent outwards(const RbTree *tree, const RbKin *kin, const double *q, const double *v,
                          RbDirection d, int i, const RbTangent *p) {
    const RbTreeBody *body = &tree->bodies.data[i];
    const RbJoint *joint = &body->joint;
    const RbBodyKin *here = &kin->bodies[i], *parent = &kin->bodies[body->parent];
    const Motion *S = kin->S + joint->v;
    bool own = i == d.body;
    Motion D = own && !d.speed ? rb_coordinate_motion(joint, kin, q, d.k) : MOTION_ZERO;

    // what the joint adds to velocity and acceleration of the parent
    Vec3 w = parent->V.w, swing = v3_cross(w, here->d);
    Motion rel = minus(here->V, (Motion){w, v3_add(parent->V.v, swing)});
    Motion push = minus(minus(here->A, mo_shift(parent->A, here->d)), here->C);
    Motion rel_change = crossed(p->X.w, rel), push_change = crossed(p->X.w, push);
    Vec3 axis = own ? second_axis_turn(joint, S, d) : V3_ZERO;
    if (own) rel_change = mo_add(rel_change, own_relative(joint, S, v, d));

    RbTangent t;
    Vec3 d_change = v3_add(v3_cross(p->X.w, here->d), D.v);
    t.X = (Motion){v3_add(p->X.w, D.w), v3_add(p->X.v, d_change)};

    Vec3 swing_change = v3_add(v3_cross(p->V.w, here->d), v3_cross(w, d_change));
    t.V.w = v3_add(p->V.w, rel_change.w);
    t.V.v = v3_add(v3_add(p->V.v, swing_change), rel_change.v);

    Motion C;
    C.w = v3_add(v3_cross(p->V.w, rel.w), v3_cross(w, rel_change.w));
    C.v = v3_add(v3_cross(p->V.w, v3_axpy(swing, 2, rel.v)),
                 v3_cross(w, v3_axpy(swing_change, 2, rel_change.v)));
    if (joint->kind == RB_JOINT_UNIVERSAL) {
        const double *speeds = v + joint->v;
        Vec3 normal = v3_cross(S[0].w, S[1].w), turn = v3_add(p->X.w, axis);
        double both = own && d.speed ? speeds[1 - d.k] : 0;
        C.w = v3_axpy(C.w, speeds[0] * speeds[1], v3_cross(turn, normal));
        C.w = v3_axpy(C.w, both, normal);
        // push holds S1 dv1: the part of it along the second axis turns with the first angle
        Vec3 second = v3_scale(v3_dot(push.w, v3_cross(normal, S[0].w)) /
                                   v3_dot(S[1].w, v3_cross(normal, S[0].w)),
                               S[1].w);
        push_change.w = v3_add(push_change.w, v3_cross(axis, second));
    }
    t.A.w = v3_add(v3_add(p->A.w, C.w), push_change.w);
    t.A.v = v3_add(v3_add(p->A.v, v3_cross(p->A.w, here->d)), v3_cross(parent->A.w, d_change));
    t.A.v = v3_add(v3_add(t.A.v, C.v), push_change.v);
    t.W = WRENCH_ZERO;
    return t;
}

// Weight of a body, when it is turned and shifted. The field may change with the place.
static Wrench part_change(const RbGravity *gravity, Vec3 origin, double m, Vec3 com, Motion X) {
    Vec3 centre = v3_add(origin, com), shift = v3_cross(X.w, com);
    Vec3 g = rb_gravity_field(gravity, centre);
    Wrench out = {v3_scale(m, v3_cross(shift, g)), V3_ZERO};
    if (!rb_gravity_varies(gravity)) return out;
    out.f = v3_scale(m, rb_gravity_slope(gravity, centre, v3_add(X.v, shift)));
    out.t = v3_add(out.t, v3_cross(com, out.f));
    return out;
}

static Wrench weight_change(const RbGravity *gravity, const RbKin *kin, int body, Motion X) {
    const RbBodyKin *b = &kin->bodies[body];
    const RbGravityPart *parts;
    int count = rb_gravity_parts(gravity, body, &parts);
    Wrench sum = WRENCH_ZERO;
    if (gravity->kind == RB_GRAVITY_NONE || !(b->I.m > 0)) return sum;
    if (count == 0) return part_change(gravity, b->X.r, b->I.m, ri_com(b->I), X);
    for (int k = 0; k < count; k++) {
        Vec3 com = m3_mul_vec(b->X.R, parts[k].r_CM);
        sum = wr_add(sum, part_change(gravity, b->X.r, parts[k].m, com, X));
    }
    return sum;
}

// Inertia turns with the body: what it does is the same thing turned, and changes only by how
// acceleration and velocity change as seen from the body.
static Wrench inertia_change(const RbBodyKin *b, const RbTangent *t) {
    Vec3 turn = t->X.w, w = b->V.w;
    Wrench whole = wr_add(ri_mul(b->I, b->A), ri_bias(b->I, w));
    Motion A = minus(t->A, crossed(turn, b->A));
    Vec3 dw = v3_sub(t->V.w, v3_cross(turn, w));
    Wrench out = ri_mul(b->I, A);
    out.t = v3_add(
        out.t, v3_add(v3_cross(dw, s3_mul_vec(b->I.I, w)), v3_cross(w, s3_mul_vec(b->I.I, dw))));
    out.f =
        v3_add(out.f, v3_add(v3_cross(dw, v3_cross(w, b->I.h)), v3_cross(w, v3_cross(dw, b->I.h))));
    out.t = v3_add(out.t, v3_cross(turn, whole.t));
    out.f = v3_add(out.f, v3_cross(turn, whole.f));
    return out;
}

// What joint forces would have to change by, and what is passed on to the parent.
static Wrench inwards(const RbTree *tree, const RbKin *kin, RbDirection d, int i,
                      const RbTangent *p, bool moved, RbTangents *e) {
    const RbJoint *joint = rb_tree_joint(tree, i);
    const RbTangent *t = &e->bodies[i];
    const Motion *S = kin->S + joint->v;
    Wrench through = e->through[i];
    for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
        double change = wr_power(t->W, S[k]);
        if (moved) {
            Vec3 turn = p->X.w;
            if (i == d.body && k == 1) turn = v3_add(turn, second_axis_turn(joint, S, d));
            change += wr_power(through, crossed(turn, S[k]));
        }
        e->tau[joint->v + k] = -change;
    }
    Wrench passed = wr_shift(t->W, kin->bodies[i].d);
    if (moved) {
        Vec3 d_change = v3_sub(t->X.v, p->X.v);
        passed.t = v3_add(passed.t, v3_cross(d_change, through.f));
    }
    return passed;
}

static void clear_speeds(const RbTree *tree, RbSpan span, double *tau) {
    int first = rb_tree_joint(tree, span.first)->v;
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int end = last->v + rb_joint_nv(last);
    memset(tau + first, 0, (size_t)(end - first) * sizeof *tau);
}

void rb_tangent_vary(const RbTree *tree, RbSpan span, const RbKin *kin, const double *q,
                     const double *v, const RbGravity *gravity, RbDirection d, RbTangents *e,
                     RbDyn *dyn, double *dv) {
    static const RbTangent still = {0};
    int end = tree->bodies.data[d.body].end;
    clear_speeds(tree, span, e->tau);
    for (int i = tree->bodies.data[d.body].parent; i > 0; i = tree->bodies.data[i].parent)
        e->bodies[i] = still;
    for (int i = d.body; i < end; i++) {
        const RbTangent *p = i == d.body ? &still : &e->bodies[tree->bodies.data[i].parent];
        RbTangent t = outwards(tree, kin, q, v, d, i, p);
        t.W = wr_sub(inertia_change(&kin->bodies[i], &t), weight_change(gravity, kin, i, t.X));
        e->bodies[i] = t;
    }
    for (int i = end - 1; i > 0; i = i > d.body ? i - 1 : tree->bodies.data[i].parent) {
        int parent = tree->bodies.data[i].parent;
        bool moved = i >= d.body;
        const RbTangent *p = i == d.body || parent == 0 ? &still : &e->bodies[parent];
        Wrench passed = inwards(tree, kin, d, i, p, moved, e);
        if (parent > 0) e->bodies[parent].W = wr_add(e->bodies[parent].W, passed);
    }
    rb_dyn_solve_at_rest_in(tree, span, kin, NULL, e->tau, dyn, dv);
}

// -----------------------------------------------------------------------------------------------
// rates of the coordinates

// dq/dt = 1/2 (0, w) q + |w| (1 - q.q) q
static void quaternion_rate_slopes(const double *p, const double *speeds, int stride_q,
                                   int stride_v, double *by_q, double *by_v) {
    Quat q = q_load(p);
    Vec3 w = v3_load(speeds);
    double pull = 1 - q_norm2(q), speed = v3_norm(w);
    for (int c = 0; c < 4; c++) {
        double column[4];
        q_store(column, q_mul((Quat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z},
                              (Quat){c == 0, c == 1, c == 2, c == 3}));
        for (int r = 0; r < 4; r++) {
            double own = r == c ? pull : 0;
            by_q[r * stride_q + c] = column[r] + speed * (own - 2 * p[r] * p[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        double column[4], along = speed > 0 ? v3_get(w, c) / speed : 0;
        q_store(column, q_mul((Quat){0, c == 0 ? 0.5 : 0, c == 1 ? 0.5 : 0, c == 2 ? 0.5 : 0}, q));
        for (int r = 0; r < 4; r++) by_v[r * stride_v + c] = column[r] + along * pull * p[r];
    }
}

void rb_joint_rate_slopes(const RbJoint *j, const double *q, const double *v, double *by_q,
                          double *by_v) {
    int nq = rb_joint_q_count(j->kind), nv = rb_joint_v_count(j->kind);
    memset(by_q, 0, (size_t)(nq * nq) * sizeof *by_q);
    memset(by_v, 0, (size_t)(nq * nv) * sizeof *by_v);
    if (j->kind == RB_JOINT_SPHERICAL) {
        quaternion_rate_slopes(q, v, nq, nv, by_q, by_v);
        return;
    }
    int direct = j->kind == RB_JOINT_FREE ? 3 : nq;
    for (int i = 0; i < direct; i++) by_v[i * nv + i] = 1;
    if (j->kind == RB_JOINT_FREE)
        quaternion_rate_slopes(q + 3, v + 3, nq, nv, by_q + 3 * nq + 3, by_v + 3 * nv + 3);
}
