// SPDX-License-Identifier: MIT
// The mass that a contact feels: 1/m = n.(acceleration of body b minus that of body a at the point)
// when unit forces n on b and -n on a act there. Joints take part, those that the equations of the
// model move as if these left them alone; other contacts and force elements do not. Of parts that
// equations move altogether, these know the answer (members_moved.c).
#include "multibody/mechanism.h"

// Of the two bodies, along n, if the force n acts on `body`.
static double parting(const Mechanism *m, MechanismWork *w, int body, const int both[2],
                      Vec3 point_W, Vec3 n_W) {
    const RbTree *tree = &m->structure.tree;
    int group = m->group[body];
    RbSpan span = rb_mechanism_span(m, group);
    Wrench f = {v3_cross(v3_sub(point_W, w->kin.bodies[body].X.r), n_W), n_W};
    for (int i = span.first; i < span.end; i++)
        w->kin.bodies[i].I = ri_rotate(w->kin.bodies[i].X.R, tree->bodies.data[i].inertia);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    rb_dyn_response_in(tree, span, &w->kin, NULL, body, f, &w->dyn, w->response);
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0 || m->group[both[k]] != group) continue;
        Vec3 arm = v3_sub(point_W, w->kin.bodies[both[k]].X.r);
        Motion A = mo_shift(w->dyn.bodies[both[k]].A, arm);
        sum += (k ? 1 : -1) * v3_dot(n_W, A.v);
    }
    return sum;
}

static bool is_moved(const Mechanism *m, int body) {
    return rb_tree_joint(&m->structure.tree, body)->owner == RB_OWNED_BY_INPUTS;
}

double rb_mechanism_effective_mass(const Mechanism *m, const RbEvent *event, int body_a, int body_b,
                                   Vec3 point_W, Vec3 n_W) {
    MechanismWork *w = event->workspace;
    const int both[2] = {body_a, body_b};
    double inverse = rb_moved_parting(m, event, both, point_W, n_W); // [1/kg]
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0 || is_moved(m, both[k])) continue;
        const Ball *ball = &m->balls[m->group[both[k]]];
        if (ball->is) // its contact points have no lever
            inverse += 1 / ball->mass;
        else
            inverse += (k ? 1 : -1) * parting(m, w, both[k], both, point_W, n_W);
    }
    return inverse > 0 ? 1 / inverse : 0;
}
