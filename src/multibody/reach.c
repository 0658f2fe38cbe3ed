// SPDX-License-Identifier: MIT
// How far equations reach into a mechanism: the groups that they drive, push or measure, and those that
// are linked to these now. All others move as if there were no equations.
#include "component/couplings.h"
#include "component/segment.h"
#include "multibody/matter.h"

static void reach_body(Mechanism *m, int body) {
    if (body > 0) m->groups.reached[m->groups.of[body]] = true;
}

static void reach_object(Mechanism *m, int object) {
    if (object >= 0) reach_body(m, m->structure.frame[object].body);
}

// Whatever its frames are used for.
static void reach_member(Mechanism *m, int member) {
    const RbMember *it = rb_member(m->members, member);
    for (int k = 0; k < it->set_count; k++) {
        if (it->sets[k] >= 0) reach_object(m, m->members->object_of[it->sets[k]]);
    }
}

void rb_mechanism_find_reached(Mechanism *m, RbArena *arena) {
    const Members *members = m->members;
    m->groups.reached = rb_new_array(arena, bool, m->groups.count);
    if (!members) return;
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        if (rb_tree_joint(&m->structure.tree, i)->owner != RB_OWNED_BY_COMPONENT) reach_body(m, i);
    }
    for (int i = 0; i < members->forces.count; i++) reach_member(m, members->forces.data[i].member);
    for (int i = 0; i < members->sensors.count; i++)
        reach_member(m, members->sensors.data[i].member);
    for (int i = 0; i < members->contacts.count; i++) {
        reach_object(m, members->contacts.data[i].a);
        reach_object(m, members->contacts.data[i].b);
    }
}

// Parts of the equations that have no shape meet nobody.
static bool can_meet(const Mechanism *m) {
    for (int i = 0; m->contact.setup && i < m->contact.setup->element_count; i++) {
        int body = m->contact.setup->elements[i].body;
        if (body > 0 && m->groups.reached[m->groups.of[body]]) return true;
    }
    return false;
}

bool rb_mechanism_apart(const Mechanism *m, bool *of_equations) {
    bool any = false, linked = false;
    for (int g = 0; g < m->groups.count; g++) {
        of_equations[g] = m->groups.reached[g];
        any = any || !m->groups.reached[g];
        for (int k = m->forces.start[g]; k < m->forces.start[g + 1]; k++) {
            int other = m->forces.list[k].other;
            linked = linked || (other >= 0 && m->groups.reached[other] != m->groups.reached[g]);
        }
    }
    return m->members && any && !linked && !m->grains && !m->soft && !can_meet(m);
}

bool rb_mechanism_is_apart(const Mechanism *m, const RbEval *e) {
    return m->members && e->groups && e->group_count > 0 && !m->groups.reached[e->group_list[0]];
}

// --- couplings -----------------------------------------------------------------------------------

static int root_of(const int *link, int k) {
    while (link[k] != k) k = link[k];
    return k;
}

// Per group: reached, by links that the entries of the tree's own couplings show.
static bool *spread(const Mechanism *m, const RbEntries *entries, const int *owner,
                    RbArena *arena) {
    int *link = rb_new_array(arena, int, m->groups.count);
    bool *root = rb_new_array(arena, bool, m->groups.count),
         *reached = rb_new_array(arena, bool, m->groups.count);
    for (int g = 0; g < m->groups.count; g++) link[g] = g;
    for (int k = 0; k < entries->count; k++) {
        int a = root_of(link, owner[entries->data[k].row]),
            b = root_of(link, owner[entries->data[k].col]);
        link[a < b ? b : a] = a < b ? a : b;
    }
    for (int g = 0; g < m->groups.count; g++) root[root_of(link, g)] |= m->groups.reached[g];
    for (int g = 0; g < m->groups.count; g++) reached[g] = root[root_of(link, g)];
    return reached;
}

// Where states of the tree are among those of the component; -1: in the equations.
static int *places(const Mechanism *m, int n, RbArena *arena) {
    int *place = rb_new_array(arena, int, n), joints = n - rb_mechanism_tail(m);
    for (int i = 0; i < n; i++) place[i] = m->driven.own ? -1 : i;
    for (int i = 0; m->driven.own && i < m->driven.own_count; i++) place[m->driven.own[i]] = i;
    for (int i = joints; m->driven.own && i < n; i++) place[i] = m->driven.own_count + i - joints;
    return place;
}

RbReach rb_mechanism_reach(const Mechanism *m, RbCouplings *c) {
    const RbTree *tree = &m->structure.tree;
    int n = tree->nq + tree->nv + rb_mechanism_tail(m);
    RbCouplings own = {.arena = c->arena, .discrete = c->discrete, .residual = c->residual};
    rb_mechanism_couplings(m, &own);
    const int *owner = rb_mechanism_state_groups(m, c->arena);
    const bool *reached = spread(m, &own.derivative_state, owner, c->arena);
    const int *place = places(m, n, c->arena);
    for (int k = 0; k < own.derivative_state.count; k++) {
        RbEntry e = own.derivative_state.data[k];
        if (place[e.row] >= 0 && place[e.col] >= 0)
            rb_couplings_derivative_state(c, place[e.row], place[e.col]);
    }
    RbReach r = {.states = rb_new_array(c->arena, int, n),
                 .is_speed = rb_new_array(c->arena, bool, n)};
    for (int i = 0; i < n; i++) {
        if (place[i] < 0 || !reached[owner[i]]) continue;
        r.is_speed[r.count] = i >= tree->nq && i < tree->nq + tree->nv;
        r.states[r.count++] = place[i];
    }
    return r;
}
