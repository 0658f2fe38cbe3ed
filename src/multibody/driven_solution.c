// SPDX-License-Identifier: MIT
// Driven joints with what drives them (docs/theory/multibody.md, section 6). Equations that say of each
// joint alone tau = c - k a, such as a motor behind a gear, are no more to articulated bodies than a
// force c and a rotor of inertia k in the joint: all accelerations follow in one sweep, in O(n), and
// nobody needs the mass matrix.
#include <string.h>

#include "multibody/driven.h"

void rb_driven_find_row_groups(Mechanism *m, RbArena *arena) {
    Members *members = m->members;
    m->driven.row_of_group = rb_new_array(arena, int, m->groups.count + 1);
    for (int g = 0; g < m->groups.count; g++) m->driven.row_of_group[g] = RB_NONE;
    for (int r = 0; r < members->rows.count; r++) {
        const DrivenRow *row = &members->rows.data[r];
        for (int i = 0; i < row->count; i++) {
            DrivenCoordinate *c = &members->driven.data[row->coordinates[i]];
            c->leads = c->body > 0 && m->driven.row_of_group[m->groups.of[c->body]] != r;
            if (c->leads) m->driven.row_of_group[m->groups.of[c->body]] = r;
        }
    }
}

// again: at the same coordinates and speeds, with what loops exerted then among the forces.
static RbEvalStatus accelerate(const Mechanism *m, const RbEval *full, int group, bool again,
                               MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    RbSpan span = rb_mechanism_span(m, group);
    if (again && rb_mechanism_has_loop(m, group))
        memcpy(w->forces + span.first, w->loops.before + span.first,
               (size_t)(span.end - span.first) * sizeof *w->forces);
    int failed = rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    if (failed > 0)
        return rb_eval_retry(full,
                             "joint '%s' cannot be accelerated: neither what it moves nor what "
                             "drives it has inertia in its direction",
                             rb_tree_joint(tree, failed)->name);
    rb_dyn_solve_in(tree, span, &w->kin, NULL, w->tau, w->forces, &w->dyn, full->dx + tree->nq);
    return rb_mechanism_hold_loops(m, full, span, w);
}

static RbEvalStatus accelerate_row(const Mechanism *m, const RbEval *full, int number,
                                   MechanismWork *w) {
    const DrivenRow *row = &m->members->rows.data[number];
    RbEvalStatus status = RB_EVAL_OK;
    w->dyn.added = w->driven.added;
    for (int i = 0; i < row->count && status == RB_EVAL_OK; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[row->coordinates[i]];
        if (c->leads)
            status = accelerate(m, full, m->groups.of[c->body], w->driven.solved[number], w);
    }
    w->dyn.added = NULL;
    return status;
}

RbEvalStatus rb_driven_solve(const Mechanism *m, const RbEval *e, int number, const double *inputs,
                             double *a) {
    MechanismWork *w = e->workspace;
    const DrivenRow *row = &m->members->rows.data[number];
    const DrivenCoordinate *driven = m->members->driven.data;
    const double *c = inputs + rb_members_input_count(m->members), *k = c + row->count;
    const double *dv = w->driven.full_rates + m->structure.tree.nq;
    RbEvalStatus status =
        rb_driven_load(m, e, number == 0 && rb_members_first_row(m->members) == 0, inputs);
    if (status != RB_EVAL_OK) return status;
    for (int i = 0; i < row->count; i++) {
        int coordinate = row->coordinates[i], v = driven[coordinate].tree_v;
        w->driven.held_tau[i] = w->tau[v];
        w->tau[v] += w->driven.push ? c[i] + w->driven.push[coordinate] : c[i];
        w->driven.added[v] = k[i];
    }
    RbEval full = rb_driven_full(e, w);
    status = accelerate_row(m, &full, number, w);
    for (int i = 0; i < row->count; i++) {
        int coordinate = row->coordinates[i], v = driven[coordinate].tree_v;
        a[i] = dv[v];
        w->tau[v] = w->driven.held_tau[i];
        w->driven.drive[coordinate] = c[i] - k[i] * a[i];
    }
    w->driven.solved[number] = true;
    return status;
}
