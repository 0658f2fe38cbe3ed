// SPDX-License-Identifier: MIT
// Balls: free bodies that are round to the contacts and to the dynamics. Their orientation acts on
// nothing, and about the centre of mass the inertia is a number:
//     m dv = f,   I dw = t   (w x I w = 0)
// so no articulated bodies are needed. On a table, in a silo, in a bearing most bodies are balls.
#include <math.h>

#include "multibody/mechanism.h"

// Is the inertia that of a point of mass m with the same moment about every axis, to rounding?
static bool is_isotropic(const RigidInertia *a) {
    double mean = s3_trace(a->I) / 3, rounding = 1e-14 * mean;
    Sym3 I = a->I;
    return a->m > 0 && mean > 0 && v3_norm2(a->h) == 0 && fabs(I.xx - mean) <= rounding &&
           fabs(I.yy - mean) <= rounding && fabs(I.zz - mean) <= rounding &&
           fabs(I.xy) + fabs(I.xz) + fabs(I.yz) <= rounding;
}

static bool is_round(const Mechanism *m, int body) {
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++) {
        const RbElement *e = &m->contact.setup->elements[m->contact.element_list[k]];
        if (e->core->kind != RB_CORE_POINT || v3_norm2(e->X_BC.r) != 0) return false;
    }
    return m->contact.setup->options.distance == RB_DISTANCE_AUTO;
}

// Can its contacts be told from the distance of convex shapes alone?
static bool is_loose(const Mechanism *m, int body) {
    if (!m->contact.setup || m->contact.element_start[body] == m->contact.element_start[body + 1])
        return false;
    return isfinite(m->contact.reach[body]) &&
           m->contact.setup->options.distance == RB_DISTANCE_AUTO;
}

void rb_mechanism_find_balls(Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    m->groups.balls = rb_new_array(arena, Ball, m->groups.count);
    m->groups.loose = rb_new_array(arena, bool, m->groups.count);
    if (rb_gravity_varies(&m->scene->gravity)) return; // whose weight depends on the place
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbTreeBody *b = &tree->bodies.data[i];
        int group = m->groups.of[i];
        bool free = b->parent == 0 && b->end == i + 1 && b->joint.kind == RB_JOINT_FREE &&
                    b->joint.owner == RB_OWNED_BY_COMPONENT && !b->joint.turned;
        bool alone = m->forces.start[group] == m->forces.start[group + 1];
        bool pulled =
            m->forces.pull.object > 0 && m->structure.frame[m->forces.pull.object].body == i;
        if (!free || !alone || pulled) continue;
        if (rb_mechanism_is_cut(m, i)) continue; // a rod or the ground holds it
        m->groups.loose[group] =
            b->inertia.m > 0 && s3_trace(ri_central(b->inertia)) > 0 && is_loose(m, i);
        if (!is_isotropic(&b->inertia)) continue;
        if (m->contact.setup && !is_round(m, i)) continue;
        m->groups.balls[group] =
            (Ball){.is = true, .mass = b->inertia.m, .inertia = s3_trace(b->inertia.I) / 3};
    }
}

void rb_ball_move(const Mechanism *m, int body, const double *x, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, body);
    const double *q = x + joint->q, *v = x + tree->nq + joint->v;
    RbBodyKin *k = &w->kin.bodies[body];
    k->X = (Pose){v3_add(joint->F.r, v3_load(q)), q_matrix(q_load(q + 3))};
    k->d = k->X.r;
    k->V = (Motion){.w = v3_load(v + 3), .v = v3_load(v)};
    k->C = MOTION_ZERO;
    w->moving[body] = (RbMoving){k->X, k->V};
}

void rb_ball_weigh(const Mechanism *m, int body, MechanismWork *w) {
    const Ball *ball = &m->groups.balls[m->groups.of[body]];
    const RbGravity *gravity = &m->scene->gravity;
    RbBodyKin *k = &w->kin.bodies[body];
    k->I = m->structure.tree.bodies.data[body].inertia;
    w->forces[body] = (Wrench){V3_ZERO, v3_scale(ball->mass, rb_gravity_field(gravity, k->X.r))};
    w->ledger.potential += ball->mass * rb_gravity_potential(gravity, k->X.r);
}

void rb_ball_accelerate(const Mechanism *m, const RbEval *e, int body, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    const Ball *ball = &m->groups.balls[m->groups.of[body]];
    const RbJoint *joint = rb_tree_joint(tree, body);
    double *dv = e->dx + tree->nq + joint->v;
    Wrench f = w->forces[body];
    rb_joint_rates(joint, e->x + joint->q, e->x + tree->nq + joint->v, e->dx + joint->q);
    Motion A = {.w = v3_scale(1 / ball->inertia, f.t), .v = v3_scale(1 / ball->mass, f.f)};
    w->kin.bodies[body].A = A;
    v3_store(dv, A.v);
    v3_store(dv + 3, A.w);
}
