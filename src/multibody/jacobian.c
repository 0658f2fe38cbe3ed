// SPDX-License-Identifier: MIT
// Derivatives of the mechanism (docs/theory/contact-jacobian.md): each branch for itself by its
// structure, then each link between two bodies (contact, spring, bushing, force in the axes of
// another body) for these two alone.
//
// With K_i = M^-1 J_iT, the accelerations of the branch per unit of a wrench on body i, a link adds
//     d(dv) = K_a df_a + K_b df_b
// where df is how its two wrenches change when one of its bodies is displaced or gets another
// velocity: one call per coordinate and speed of the joints between that body and the world.
#include <math.h>
#include <string.h>

#include "multibody/jacobian_sheet.h"
#include "multibody/matter.h"

// -------------------------------------------------------------------------------------------------
// branches

static void add_column(const GroupStates *g, const Block *b, int column, const double *dv) {
    for (int k = 0; k < g->nv; k++) rb_block_add(b, g->nq + k, column, dv[g->v + k]);
}

static int add_mode_rates(const Sheet *s, const RbJoint *joint, const GroupStates *g,
                          const Block *b, long at) {
    for (int k = 0; k < joint->modes; k++) {
        if (s->n > 0)
            rb_block_add(b, rb_local_q(g, joint->q + k), rb_local_v(g, joint->v + k), 1);
        else
            s->values[at + k] = 1;
    }
    return joint->modes;
}

// Answers how many values there are if they stand one after another, from `at` on. ORDER
// couple_rates
static int add_rates(const Sheet *s, int body, const Block *b, long at) {
    const RbTree *tree = &s->m->structure.tree;
    const RbJoint *joint = rb_tree_joint(tree, body);
    const GroupStates *g = rb_sheet_states(s, s->m->groups.of[body]);
    if (joint->modes > 0) return add_mode_rates(s, joint, g, b, at);
    double by_q[RB_JOINT_MAX_Q * RB_JOINT_MAX_Q], by_v[RB_JOINT_MAX_Q * RB_JOINT_MAX_V];
    int nq = rb_joint_q_count(joint->kind), nv = rb_joint_v_count(joint->kind), count = 0;
    int direct = rb_joint_direct_count(joint->kind);
    rb_joint_rate_slopes(joint, s->e->x + joint->q, s->e->x + tree->nq + joint->v, by_q, by_v);
    for (int i = 0; i < nq; i++) {
        int first = i < direct ? i : direct, speeds = i < direct ? 1 : 3;
        for (int k = first; i >= direct && k < nq; k++) {
            double value = by_q[i * nq + k];
            if (s->n > 0)
                rb_block_add(b, rb_local_q(g, joint->q + i), rb_local_q(g, joint->q + k), value);
            else
                s->values[at + count] = value;
            count++;
        }
        for (int k = first; k < first + speeds; k++) {
            double value = by_v[i * nv + k];
            if (s->n > 0)
                rb_block_add(b, rb_local_q(g, joint->q + i), rb_local_v(g, joint->v + k), value);
            else
                s->values[at + count] = value;
            count++;
        }
    }
    return count;
}

// A body that can move freely does not care where it is.
static bool is_indifferent(const Mechanism *m, int body, int k) {
    const RbTreeBody *b = &m->structure.tree.bodies.data[body];
    return b->parent == 0 && b->joint.kind == RB_JOINT_FREE && k < 3 &&
           !rb_gravity_varies(&m->scene->gravity);
}

// Branches that loops hold together, or with flexible bodies.
static void add_looped_branch(const Sheet *s, int group, const Block *b) {
    const Mechanism *m = s->m;
    const RbTree *tree = &m->structure.tree;
    const GroupStates *g = rb_sheet_states(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    long at = g->rates;
    for (int i = span.first; i < span.end; i++) at += add_rates(s, i, b, at);
    for (int k = 0; k < g->nq + g->nv; k++) {
        int state = k < g->nq ? g->q + k : tree->nq + g->v + k - g->nq;
        rb_mechanism_vary_looped(m, s->e, group, s->w, state, s->w->slopes.response);
        add_column(g, b, k, s->w->slopes.response);
    }
}

static void add_branch(const Sheet *s, int group) {
    const Mechanism *m = s->m;
    MechanismWork *w = s->w;
    const RbTree *tree = &m->structure.tree;
    const double *q = s->e->x, *v = s->e->x + tree->nq;
    const GroupStates *g = rb_sheet_states(s, group);
    RbSpan span = rb_mechanism_span(m, group);
    Block b = rb_sheet_diagonal(s, group);
    if (m->groups.balls[group].is) { // its accelerations depend on contacts alone
        add_rates(s, span.first, &b, g->rates);
        return;
    }
    long at = g->rates;
    if (rb_mechanism_has_loop(m, group) || rb_mechanism_bends(m, group)) {
        add_looped_branch(s, group, &b);
        return;
    }
    rb_tangent_open(tree, span, &w->kin, w->forces, &w->slopes.tangents);
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        at += add_rates(s, i, &b, at);
        for (int k = 0; k < rb_joint_q_count(joint->kind); k++) {
            if (is_indifferent(m, i, k)) continue;
            RbDirection d = {i, k, false};
            rb_tangent_vary(tree, span, &w->kin, q, v, &m->gravity, d, &w->slopes.tangents, &w->dyn,
                            w->slopes.response);
            add_column(g, &b, rb_local_q(g, joint->q + k), w->slopes.response);
        }
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
            if (is_indifferent(m, i, k)) continue;
            RbDirection d = {i, k, true};
            rb_tangent_vary(tree, span, &w->kin, q, v, &m->gravity, d, &w->slopes.tangents, &w->dyn,
                            w->slopes.response);
            add_column(g, &b, rb_local_v(g, joint->v + k), w->slopes.response);
        }
    }
}

// -------------------------------------------------------------------------------------------------

void rb_mechanism_number_states(Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    m->groups.states = rb_new_array(arena, GroupStates, m->groups.count);
    m->sticking.row = rb_new_array(arena, int, m->sticking.count);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        GroupStates *g = &m->groups.states[m->groups.of[i]];
        if (i == m->groups.first_body[m->groups.of[i]]) *g = (GroupStates){.q = j->q, .v = j->v};
        int direct = rb_joint_ndirect(j);
        g->rates += direct + (rb_joint_nq(j) > direct ? 28 : 0); // how many, at first
        g->nq += rb_joint_nq(j);
        g->nv += rb_joint_nv(j);
    }
    for (int k = 0; k < m->groups.count; k++)
        m->groups.states[k].count = m->groups.states[k].nq + m->groups.states[k].nv;
    for (int k = 0; k < m->sticking.count; k++) {
        GroupStates *g = &m->groups.states[rb_mechanism_bristle_group(m, k)];
        m->sticking.row[k] = g->count;
        g->count += m->sticking.bristles[k].count;
    }
    long block = 0;
    for (int k = 0; k < m->groups.count; k++) {
        GroupStates *g = &m->groups.states[k];
        long rates = g->rates;
        g->rates = block;
        g->block = block + rates;
        block += rates + (long)(g->count - g->nq) * g->count;
    }
    m->groups.block_count = block;
}

RbEvalStatus rb_mechanism_jacobian(const Mechanism *m, const RbEval *e, double *values) {
    MechanismWork *w = e->workspace;
    Sheet s = {.m = m, .w = w, .e = e, .values = values, .next = m->groups.block_count};
    int groups = e->groups ? e->group_count : m->groups.count;
    for (int k = 0; e->groups && k < groups; k++) {
        w->slopes.first_state[e->group_list[k]] = s.n;
        s.n += rb_sheet_states(&s, e->group_list[k])->count;
    }
    bool rigid = m->structure.tree.bodies.count > 1;
    for (int k = 0; rigid && k < groups; k++) add_branch(&s, e->groups ? e->group_list[k] : k);
    if (rigid) rb_sheet_add_links(&s);
    if (m->soft) rb_mechanism_soft_jacobian(m, e, values + s.next);
    return RB_EVAL_OK;
}
