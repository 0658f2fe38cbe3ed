// SPDX-License-Identifier: MIT
// The mass that a contact feels: 1/m = n.(acceleration of body b minus that of body a at the point)
// when unit forces n on b and -n on a act there. Joints take part, kinematic loops, and what equations
// have behind the joints that they drive: rotors, gears, other joints; other contacts and force elements
// do not. Of parts that equations move altogether, these know the answer (members/moved.c).
#include "multibody/driven.h"

// What loops leave of the accelerations. (Where a loop is singular, all of them.)
static void hold_loop(const Mechanism *m, int group, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    RbSpan span = rb_mechanism_span(m, group);
    if (!rb_loops_open_in(&m->structure.loops, m->loops.cuts[group], tree, span, &w->kin, &w->dyn,
                          &w->loops.now))
        return;
    rb_mechanism_project(m, group, w, w->slopes.response);
    rb_dyn_spread_in(tree, span, &w->kin, w->slopes.response, &w->dyn);
}

// Of the two bodies, along n, if the force n acts on `body`.
static double parting(const Mechanism *m, MechanismWork *w, int body, const int both[2],
                      Vec3 point_W, Vec3 n_W) {
    const RbTree *tree = &m->structure.tree;
    int group = m->groups.of[body];
    RbSpan span = rb_mechanism_span(m, group);
    Wrench f = {v3_cross(v3_sub(point_W, w->kin.bodies[body].X.r), n_W), n_W};
    rb_kin_inertias_in(tree, span, &w->kin);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    rb_dyn_response_in(tree, span, &w->kin, NULL, body, f, &w->dyn, w->slopes.response);
    if (rb_mechanism_has_loop(m, group)) hold_loop(m, group, w);
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0 || m->groups.of[both[k]] != group) continue;
        Vec3 arm = v3_sub(point_W, w->kin.bodies[both[k]].X.r);
        Motion A = mo_shift(w->dyn.bodies[both[k]].A, arm);
        sum += (k ? 1 : -1) * v3_dot(n_W, A.v);
    }
    return sum;
}

static bool is_moved(const Mechanism *m, int body) {
    return rb_tree_joint(&m->structure.tree, body)->owner == RB_OWNED_BY_INPUTS;
}

// ---- with equations behind joints

static bool is_driven(const Mechanism *m, int body) {
    return body > 0 && m->driven.own && !is_moved(m, body) &&
           m->driven.row_of_group[m->groups.of[body]] >= 0;
}

// How fast two points part, along n, with what presses now; false: the equations have no answer.
static bool parting_pressed(const Mechanism *m, const RbEvent *event, const int both[2],
                            Vec3 point_W, Vec3 n_W, double *sum) {
    MechanismWork *w = event->workspace;
    w->contact.press = w->contact.presses;
    RbEvalStatus status = rb_event_evaluate(event);
    w->contact.press = NULL;
    *sum = 0;
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0 || is_moved(m, both[k])) continue;
        Vec3 arm = v3_sub(point_W, w->kin.bodies[both[k]].X.r);
        Motion A = mo_shift(w->kin.bodies[both[k]].A, arm); // centripetal terms cancel
        *sum += (k ? 1 : -1) * v3_dot(n_W, A.v);
    }
    return status == RB_EVAL_OK;
}

// The same of both bodies at once, with whatever equations have behind the joints: these are asked twice, with and without the
// unit forces.
static bool parting_driven(const Mechanism *m, const RbEvent *event, const int both[2],
                           Vec3 point_W, Vec3 n_W, double *inverse) {
    MechanismWork *w = event->workspace;
    double before, after;
    if (!is_driven(m, both[0]) && !is_driven(m, both[1])) return false;
    for (int i = 0; i < m->structure.tree.bodies.count; i++) w->contact.presses[i] = WRENCH_ZERO;
    if (!parting_pressed(m, event, both, point_W, n_W, &before)) return false;
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0) continue;
        Vec3 f = k ? n_W : v3_neg(n_W), arm = v3_sub(point_W, w->kin.bodies[both[k]].X.r);
        w->contact.presses[both[k]] =
            wr_add(w->contact.presses[both[k]], (Wrench){v3_cross(arm, f), f});
    }
    if (!parting_pressed(m, event, both, point_W, n_W, &after)) return false;
    *inverse = after - before;
    return true;
}

// ----

static double parting_of_bodies(const Mechanism *m, const RbEvent *event, const int both[2],
                                Vec3 point_W, Vec3 n_W) {
    MechanismWork *w = event->workspace;
    double inverse = 0;
    if (parting_driven(m, event, both, point_W, n_W, &inverse)) return inverse;
    for (int k = 0; k < 2; k++) {
        if (both[k] == 0 || is_moved(m, both[k])) continue;
        const Ball *ball = &m->groups.balls[m->groups.of[both[k]]];
        if (ball->is) // its contact points have no lever
            inverse += 1 / ball->mass;
        else
            inverse += (k ? 1 : -1) * parting(m, w, both[k], both, point_W, n_W);
    }
    return inverse;
}

double rb_mechanism_effective_mass(const Mechanism *m, const RbEvent *event, int body_a, int body_b,
                                   Vec3 point_W, Vec3 n_W) {
    const int both[2] = {body_a, body_b};
    double inverse = rb_moved_parting(m, event, both, point_W, n_W) +
                     parting_of_bodies(m, event, both, point_W, n_W); // [1/kg]
    return inverse > 0 ? 1 / inverse : 0;
}
