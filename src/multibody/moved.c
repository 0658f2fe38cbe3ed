// SPDX-License-Identifier: MIT
// Parts whose motion belongs to equations (members/moved.c): where they are in the tree, what acts on
// them, and what a contact feels of the mass behind them.
#include "multibody/driven.h"

// The rows of the matrix that turns world components into those of the frame are its axes.
static Mat3 axes(const double *moved) {
    Vec3 x = v3_load(moved + 3), y = v3_load(moved + 6);
    return m3_from_columns(x, y, v3_cross(x, y));
}

void rb_moved_load(const Mechanism *m, const double *moved, double *full) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 0; i < m->members->moved.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, m->members->moved.data[i].body);
        double *q = full + joint->q, *v = full + tree->nq + joint->v;
        if (!moved) { // whoever asks does not look here
            rb_joint_home(joint->kind, q);
            v3_store(v, V3_ZERO);
            v3_store(v + 3, V3_ZERO);
            continue;
        }
        const double *in = moved + MOVED_INPUTS * i;
        Mat3 R = axes(in);
        v3_store(q, v3_load(in));
        q_store(q + 3, q_from_matrix(R));
        v3_store(v, v3_load(in + 9));
        v3_store(v + 3, m3_mul_vec(R, v3_load(in + 12)));
    }
}

void rb_moved_place(Mechanism *m) {
    const RbTree *tree = &m->structure.tree;
    for (int body = 1; body < tree->bodies.count; body++) {
        const RbJoint *joint = rb_tree_joint(tree, body);
        if (joint->owner != RB_OWNED_BY_INPUTS) continue;
        for (int i = 0; i < m->members->moved.count; i++) {
            MovedPart *p = &m->members->moved.data[i];
            if (m->members->joint_of[p->member] == joint->object_joint) p->body = body;
        }
    }
}

// What a contact takes from a part that equations move leaves the component.
double *rb_moved_forces(const Mechanism *m, const MechanismWork *w, double *outputs) {
    for (int i = 0; i < m->members->moved.count; i++) {
        int body = m->members->moved.data[i].body;
        Wrench f = w->sensing.probe ? w->sensing.probe[i] : w->forces[body];
        v3_store(outputs, f.f);
        v3_store(outputs + 3, f.t);
        outputs += MOVED_OUTPUTS;
    }
    return outputs;
}

double rb_moved_power(const Mechanism *m, const MechanismWork *w) {
    double sum = 0;
    for (int i = 0; i < m->members->moved.count; i++) {
        int body = m->members->moved.data[i].body;
        sum += wr_power(w->forces[body], w->kin.bodies[body].V);
    }
    return sum;
}

// --- the mass that a contact feels ---------------------------------------------------------------

void rb_moved_open(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    int n = m->members->moved.count;
    w->sensing.moved_accelerations = rb_new_array(arena, double, MOVED_ACCELERATIONS *n + 1);
    w->sensing.probes = rb_new_array(arena, Wrench, n + 1);
}

static int part_of(const Mechanism *m, int body) {
    for (int i = 0; i < m->members->moved.count; i++) {
        if (m->members->moved.data[i].body == body) return i;
    }
    return -1;
}

// Of the two points along n, as the equations say with the present wrenches on their frames.
static double parting(const Mechanism *m, const MechanismWork *w, const int parts[2], Vec3 point_W,
                      Vec3 n_W) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        if (parts[k] < 0) continue;
        const double *a = w->sensing.moved_accelerations + MOVED_ACCELERATIONS * parts[k];
        Pose X = w->moving[m->members->moved.data[parts[k]].body].X;
        Vec3 turning = m3_mul_vec(X.R, v3_load(a + 3));
        Vec3 there = v3_add(v3_load(a), v3_cross(turning, v3_sub(point_W, X.r)));
        sum += (k ? 1 : -1) * v3_dot(n_W, there); // centripetal terms are the same with any wrench
    }
    return sum;
}

double rb_moved_parting(const Mechanism *m, const RbEvent *event, const int bodies[2], Vec3 point_W,
                        Vec3 n_W) {
    MechanismWork *w = event->workspace;
    if (!m->members || m->members->moved.count == 0) return 0;
    int parts[2] = {part_of(m, bodies[0]), part_of(m, bodies[1])};
    if (parts[0] < 0 && parts[1] < 0) return 0;
    for (int i = 0; i < m->members->moved.count; i++) w->sensing.probes[i] = WRENCH_ZERO;
    w->sensing.probe = w->sensing.probes;
    rb_event_evaluate(event);
    double before = parting(m, w, parts, point_W, n_W);
    for (int k = 0; k < 2; k++) {
        if (parts[k] < 0) continue;
        Vec3 f = k ? n_W : v3_neg(n_W), arm = v3_sub(point_W, w->moving[bodies[k]].X.r);
        w->sensing.probes[parts[k]] = (Wrench){v3_cross(arm, f), f};
    }
    rb_event_evaluate(event);
    double after = parting(m, w, parts, point_W, n_W);
    w->sensing.probe = NULL;
    return after - before;
}
