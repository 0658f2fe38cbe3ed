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
    int group = m->groups.of[body], other = body_a > 0 && body_b > 0 ? m->groups.of[body_b] : group;
    if (c->next)
        m->forces.list[c->next[group]++] = (GroupForce){kind, index, other == group ? -1 : other};
    else
        m->forces.start[group + 1]++;
}

static void add_all(const Counting *c) {
    Mechanism *m = c->m;
    const RbScene *s = m->scene;
    for (int i = 0; i < s->springs.count; i++)
        add_link(c, FORCE_SPRING, i, m->forces.springs[i].a.body, m->forces.springs[i].b.body);
    for (int i = 0; i < s->bushings.count; i++)
        add_link(c, FORCE_BUSHING, i, m->forces.bushings[i].a.body, m->forces.bushings[i].b.body);
    for (int i = 0; i < s->world_forces.count; i++)
        add_link(c, FORCE_WORLD_FORCE, i, m->forces.world_forces[i].apply.body,
                 m->forces.world_forces[i].axes.body);
    for (int i = 0; i < s->joint_forces.count; i++)
        add_link(c, FORCE_JOINT_FORCE, i, m->forces.joint_bodies[i], 0);
    for (int i = 0; i < s->solids.count; i++)
        add_link(c, FORCE_SOLIDS, i, m->forces.solids[i].a.body, m->forces.solids[i].b.body);
}

void rb_mechanism_index_links(Mechanism *m, RbArena *arena) {
    m->forces.start = rb_new_array(arena, int, m->groups.count + 1);
    add_all(&(Counting){m, NULL});
    for (int g = 0; g < m->groups.count; g++) m->forces.start[g + 1] += m->forces.start[g];
    m->forces.list = rb_new_array(arena, GroupForce, m->forces.start[m->groups.count]);
    int *next = rb_new_array(arena, int, m->groups.count);
    for (int g = 0; g < m->groups.count; g++) next[g] = m->forces.start[g];
    add_all(&(Counting){m, next});
}

static void link_contact(const Mechanism *m, const double *slots, int slot, RbLinks *links) {
    int a, b;
    if (!rb_slot_pair(m->contact.setup, slots, slot, &a, &b)) return;
    int one = m->contact.setup->elements[a].body, two = m->contact.setup->elements[b].body;
    if (one > 0 && two > 0 && m->groups.of[one] != m->groups.of[two])
        rb_link(links, m->groups.of[one], m->groups.of[two]);
}

static void link_group(const Mechanism *m, const double *discrete, int group, RbLinks *links) {
    for (int k = m->forces.start[group]; k < m->forces.start[group + 1]; k++) {
        const GroupForce *f = &m->forces.list[k];
        if (f->kind == FORCE_SOLIDS && !rb_mechanism_solids_touch(m, discrete, f->index)) continue;
        if (m->forces.list[k].other >= 0) rb_link(links, group, m->forces.list[k].other);
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
    const double *discrete = m->crowd.linked = rb_links_discrete(links);
    MechanismWork *w = rb_links_workspace(links);
    int count;
    const int *groups = rb_links_groups(links, &count);
    if (!groups) count = m->groups.count;
    if (m->contact.setup) rb_slot_index_update(m, discrete, &w->contact.slots);
    for (int k = 0; k < count; k++) {
        int group = groups ? groups[k] : k;
        link_group(m, discrete, group, links);
        if (m->contact.setup)
            link_contacts(m, &w->contact.slots, discrete + m->contact.slots, group, links);
    }
}
