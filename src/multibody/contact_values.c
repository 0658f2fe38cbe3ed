// SPDX-License-Identifier: MIT
// What sensors of contact (members/contact.c) show: values for equations, results, and what was dissipated.
#include <string.h>

#include "component/segment.h"
#include "contact/evaluate.h"
#include "members/measures.h"
#include "multibody/crowd.h"
#include "multibody/matter.h"
#include "multibody/sensing.h"
#include "multibody/touching_solids.h"

// --- values --------------------------------------------------------------------------------------

// +1: the sensor's part is the second of the contact, which the force acts on; -1: the first; 0: the
// contact is none of its.
static int side_of_objects(const ContactSensor *s, int a, int b) {
    if (a == s->a && (s->b < 0 || b == s->b)) return -1;
    if (b == s->a && (s->b < 0 || a == s->b)) return 1;
    return 0;
}

static int side_of(const Mechanism *m, const ContactSensor *s, int element_a, int element_b) {
    return side_of_objects(s, m->contact.owners[element_a], m->contact.owners[element_b]);
}

static int side_of_solids(const Mechanism *m, const ContactSensor *s, int pair) {
    const RbSceneSolids *solids = &m->scene->solids.data[pair];
    return side_of_objects(s, solids->a, solids->b);
}

// Point, depth and slip are those of the deepest.
static void add_contact(const RbContactState *c, int side, double *values) {
    bool first = values[8] == 0 && values[6] == 0;
    v3_store(values, v3_axpy(v3_load(values), side, c->f_W));
    values[8] += rb_contact_parts(c).normal;
    values[9] += c->lost;
    if (!first && c->motion.depth <= values[6]) return;
    v3_store(values + 3, c->point_W);
    values[6] = c->motion.depth;
    values[7] = v3_norm(c->motion.slip_W);
}

static void measure_contacts(const Mechanism *m, const RbEval *e, const ContactSensor *s,
                             double *values) {
    const MechanismWork *w = e->workspace;
    int a, b;
    memset(values, 0, CONTACT_MEASURES * sizeof *values);
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (!rb_slot_pair(m->contact.setup, e->discrete + m->contact.slots, i, &a, &b)) continue;
        int side = side_of(m, s, a, b);
        if (side != 0) add_contact(&w->contact.states[i], side, values);
    }
    for (int i = 0; i < m->scene->solids.count; i++) {
        int side = side_of_solids(m, s, i);
        if (side == 0 || !rb_mechanism_solids_touch(m, e->discrete, i)) continue;
        RbContactState c = rb_mechanism_solids_contact(m, w, i);
        add_contact(&c, side, values);
    }
}

void rb_members_contact_values(const Mechanism *m, const RbEval *e, double *outputs) {
    double values[CONTACT_MEASURES];
    for (int i = 0; i < m->members->contacts.count; i++) {
        const ContactSensor *s = &m->members->contacts.data[i];
        measure_contacts(m, e, s, values);
        for (int k = 0; k < CONTACT_MEASURES; k++) {
            if (s->outputs[k] >= 0) *outputs++ = values[k];
        }
    }
    rb_mechanism_region_values(m, outputs);
}

// --- results -------------------------------------------------------------------------------------

void rb_members_declare_contact_results(const Mechanism *m, RbSegment *g) {
    for (int i = 0; i < m->members->contacts.count; i++) {
        const ContactSensor *s = &m->members->contacts.data[i];
        const RbMember *member = rb_member(m->members, s->member);
        for (int n = 0; n < CONTACT_MEASURE_COUNT; n++) {
            for (int k = 0; !member->wanted[n] && k < rb_contact_measures[n].size; k++)
                rb_segment_result(g,
                                  &(RbResultSpec){rb_contact_measure_name(g->arena, member, n, k),
                                                  rb_contact_measures[n].unit, ""});
        }
    }
}

double *rb_members_record_contacts(const Mechanism *m, const RbEval *e, double *out) {
    double values[CONTACT_MEASURES];
    for (int i = 0; i < m->members->contacts.count; i++) {
        const ContactSensor *s = &m->members->contacts.data[i];
        const RbMember *member = rb_member(m->members, s->member);
        measure_contacts(m, e, s, values);
        for (int n = 0; n < CONTACT_MEASURE_COUNT; n++) {
            for (int k = 0; !member->wanted[n] && k < rb_contact_measures[n].size; k++)
                *out++ = values[rb_contact_measures[n].at + k];
        }
    }
    return out;
}

void rb_members_declare_contact_energies(const Mechanism *m, RbSegment *g, int first) {
    int count;
    const double *old = rb_segment_old_quadratures(g, &count);
    for (int i = 0; i < m->members->contacts.count; i++) {
        const RbMember *member = rb_member(m->members, m->members->contacts.data[i].member);
        const char *name = rb_arena_printf(g->arena, "%s.energy", member->path);
        double start = old && first + i < count ? old[first + i] : 0;
        rb_segment_quadrature(g, &(RbQuadratureSpec){name, start, "J", "dissipated by contacts"});
    }
}

static void add_solids_power(const Mechanism *m, const RbEval *e, int pair, double *dq) {
    const MechanismWork *w = e->workspace;
    if (!rb_mechanism_solids_touch(m, e->discrete, pair)) return;
    for (int i = 0; i < m->members->contacts.count; i++) {
        if (side_of_solids(m, &m->members->contacts.data[i], pair) != 0)
            dq[i] += w->solids.results[pair].lost;
    }
}

// Likewise of meshes: all pairs, or those of the groups.
static void add_solids_powers(const Mechanism *m, const RbEval *e, double *dq) {
    if (!e->groups) {
        for (int i = 0; i < m->scene->solids.count; i++) add_solids_power(m, e, i, dq);
        return;
    }
    for (int k = 0; k < e->group_count; k++) {
        int g = e->group_list[k];
        for (int i = m->forces.start[g]; i < m->forces.start[g + 1]; i++) {
            if (m->forces.list[i].kind == FORCE_SOLIDS)
                add_solids_power(m, e, m->forces.list[i].index, dq);
        }
    }
}

// Of the contacts that were evaluated just now: all, or those of some groups.
void rb_members_contact_powers(const Mechanism *m, const RbEval *e, double *dq) {
    MechanismWork *w = e->workspace;
    int sensors = m->members->contacts.count, a, b;
    for (int i = 0; i < sensors; i++) dq[i] = 0;
    if (sensors == 0) return;
    add_solids_powers(m, e, dq);
    if (!m->contact.setup) return;
    int spans = e->groups ? e->group_count : 1;
    for (int k = 0; k < spans; k++) {
        int count = m->contact.setup->slot_count;
        if (e->groups)
            count = rb_slot_index_gather(&w->contact.slots, rb_mechanism_span(m, e->group_list[k]),
                                         w->contact.slots.list);
        for (int n = 0; n < count; n++) {
            int slot = e->groups ? w->contact.slots.list[n] : n;
            if (!rb_slot_pair(m->contact.setup, e->discrete + m->contact.slots, slot, &a, &b))
                continue;
            for (int i = 0; i < sensors; i++) {
                if (side_of(m, &m->members->contacts.data[i], a, b) != 0)
                    dq[i] += w->contact.states[slot].lost;
            }
        }
    }
}
