// SPDX-License-Identifier: MIT
// Force elements and contacts between bodies: which groups they link, and which of them belong to
// one group.
#include "multibody/crowd.h"
#include "multibody/touching_solids.h"

typedef struct Counting {
    Mechanism *m;
    int *next; // per group: where its next link goes; NULL: only count
} Counting;

static void add_link(const Counting *c, ForceKind kind, int index, int body_a, int body_b) {
    Mechanism *m = c->m;
    int body = body_a > 0 ? body_a : body_b;
    if (body <= 0) return; // moves nothing
    int group = m->group[body], other = body_a > 0 && body_b > 0 ? m->group[body_b] : group;
    if (c->next)
        m->group_forces[c->next[group]++] = (GroupForce){kind, index, other == group ? -1 : other};
    else
        m->group_force_start[group + 1]++;
}

static void add_all(const Counting *c) {
    Mechanism *m = c->m;
    const RbScene *s = m->scene;
    for (int i = 0; i < s->springs.count; i++)
        add_link(c, FORCE_SPRING, i, m->springs[i].a.body, m->springs[i].b.body);
    for (int i = 0; i < s->bushings.count; i++)
        add_link(c, FORCE_BUSHING, i, m->bushings[i].a.body, m->bushings[i].b.body);
    for (int i = 0; i < s->world_forces.count; i++)
        add_link(c, FORCE_WORLD_FORCE, i, m->world_forces[i].apply.body,
                 m->world_forces[i].axes.body);
    for (int i = 0; i < s->joint_forces.count; i++)
        add_link(c, FORCE_JOINT_FORCE, i, m->joint_bodies[i], 0);
    for (int i = 0; i < s->solids.count; i++)
        add_link(c, FORCE_SOLIDS, i, m->solids[i].a.body, m->solids[i].b.body);
}

void rb_mechanism_index_links(Mechanism *m, RbArena *arena) {
    m->group_force_start = rb_new_array(arena, int, m->group_count + 1);
    add_all(&(Counting){m, NULL});
    for (int g = 0; g < m->group_count; g++) m->group_force_start[g + 1] += m->group_force_start[g];
    m->group_forces = rb_new_array(arena, GroupForce, m->group_force_start[m->group_count]);
    int *next = rb_new_array(arena, int, m->group_count);
    for (int g = 0; g < m->group_count; g++) next[g] = m->group_force_start[g];
    add_all(&(Counting){m, next});
}

static void link_contact(const Mechanism *m, const double *slots, int slot, RbLinks *links) {
    int a, b;
    if (!rb_slot_pair(m->contacts, slots, slot, &a, &b)) return;
    int one = m->contacts->elements[a].body, two = m->contacts->elements[b].body;
    if (one > 0 && two > 0 && m->group[one] != m->group[two])
        rb_link(links, m->group[one], m->group[two]);
}

static void link_group(const Mechanism *m, const double *discrete, int group, RbLinks *links) {
    for (int k = m->group_force_start[group]; k < m->group_force_start[group + 1]; k++) {
        const GroupForce *f = &m->group_forces[k];
        if (f->kind == FORCE_SOLIDS && !rb_mechanism_solids_touch(m, discrete, f->index)) continue;
        if (m->group_forces[k].other >= 0) rb_link(links, group, m->group_forces[k].other);
    }
}

static void link_contacts(const Mechanism *m, const SlotIndex *x, const double *slots, int group,
                          RbLinks *links) {
    RbSpan span = rb_mechanism_span(m, group);
    for (int body = span.first; body < span.end; body++) {
        for (int i = x->first[body]; i >= 0; i = x->next[i]) link_contact(m, slots, i, links);
    }
}

void rb_mechanism_links(Mechanism *m, RbLinks *links) {
    const double *discrete = m->linked = rb_links_discrete(links);
    MechanismWork *w = rb_links_workspace(links);
    int count;
    const int *groups = rb_links_groups(links, &count);
    if (!groups) count = m->group_count;
    if (m->contacts) rb_slot_index_update(m, discrete, &w->slots);
    for (int k = 0; k < count; k++) {
        int group = groups ? groups[k] : k;
        link_group(m, discrete, group, links);
        if (m->contacts) link_contacts(m, &w->slots, discrete + m->slots, group, links);
    }
}
