// SPDX-License-Identifier: MIT
// Contacts that stick: each has a bristle (contact/law.h) of three states, over a patch of four, which come and go with
// the contact. Two meshes that stick have two such triples as long as the segment lasts: the slide and the
// twist of contact/volume_law.h, in the frame of the first.
#include "component/segment.h"
#include "contact/pair.h"
#include "multibody/crowd.h"
#include "multibody/matter.h"

// Triples of meshes have no slot but negative numbers.
static bool is_of_solids(const Bristle *b) {
    return b->slot < 0;
}
static int pair_of_solids(const Bristle *b) {
    return (-1 - b->slot) / 2;
}
static int part_of_solids(const Bristle *b) { // 0: slide, 1: twist
    return (-1 - b->slot) % 2;
}

// Two elements of a bristle.
static void pair_of(const Mechanism *m, int bristle, int *a, int *b) {
    double contents[RB_SLOT_SIZE] = {m->bristles[bristle].code};
    rb_slot_pair(m->contacts, contents, 0, a, b);
}

static void place_bristles(Mechanism *m) {
    m->bristle_states = 0;
    for (int k = 0; k < m->bristle_count; k++) {
        Bristle *bristle = &m->bristles[k];
        int a, b;
        bool twists = false;
        if (!is_of_solids(bristle)) {
            pair_of(m, k, &a, &b);
            twists = rb_pair_has_patch(m->contacts, a, b);
        }
        bristle->at = m->bristle_states;
        bristle->count = twists ? 4 : 3;
        m->bristle_states += bristle->count;
    }
}

// Contacts in slots, from the discrete values or as they were restored, then meshes.
static void find_bristles(Mechanism *m, RbSegment *g, const double *slots, const Bristle *restored,
                          int restored_count) {
    int slot_count = m->contacts ? m->contacts->slot_count : 0, count = 0;
    Bristle *bristles =
        rb_new_array(g->arena, Bristle, slot_count + restored_count + 2 * m->scene->solids.count);
    for (int i = 0; slots && i < slot_count; i++) {
        if (rb_slot_sticks(m->contacts, slots, i) && rb_mechanism_slot_lives(m, slots, i))
            bristles[count++] = (Bristle){.slot = i, .code = slots[RB_SLOT_SIZE * i]};
    }
    for (int i = 0; !slots && m->contacts && i < restored_count; i++) {
        if (!is_of_solids(&restored[i])) bristles[count++] = restored[i];
    }
    for (int i = 0; i < 2 * m->scene->solids.count; i++) {
        if (rb_solids_stick(&m->solids[i / 2]) && !m->solids[i / 2].idle)
            bristles[count++] = (Bristle){.slot = -1 - i, .code = -1 - i};
    }
    m->bristles = bristles;
    m->bristle_count = count;
    place_bristles(m);
}

// That of the first of its bodies that moves: with the other it is coupled while the contact lasts.
int rb_mechanism_bristle_group(const Mechanism *m, int bristle) {
    int a, b;
    if (is_of_solids(&m->bristles[bristle])) {
        const RbSolidsForce *f = &m->solids[pair_of_solids(&m->bristles[bristle])];
        return m->group[f->a.body > 0 ? f->a.body : f->b.body];
    }
    pair_of(m, bristle, &a, &b);
    int body = m->contacts->elements[a].body;
    return m->group[body > 0 ? body : m->contacts->elements[b].body];
}

// NULL: it had none.
static const double *old_values(const Bristle *old, int count, const double *x, double code) {
    for (int i = 0; i < count; i++) {
        if (old[i].code == code) return x + old[i].at;
    }
    return NULL;
}

typedef struct BristleName {
    const char *a, *b; // objects
    double length;     // [m]
} BristleName;

static BristleName describe_bristle(const Mechanism *m, int k) {
    int a, b;
    if (is_of_solids(&m->bristles[k])) {
        const RbSceneSolids *s = &m->scene->solids.data[pair_of_solids(&m->bristles[k])];
        return (BristleName){m->scene->objects.data[s->a].object.name,
                             m->scene->objects.data[s->b].object.name,
                             s->element.volume.bristle_length};
    }
    pair_of(m, k, &a, &b);
    const RbElement *elements = m->contacts->elements;
    return (BristleName){elements[a].side.object, elements[b].side.object,
                         rb_contact_material_of(m->contacts, a, b)->law.bristle_length};
}

// start: NULL: zero
static void declare_bristle(const Mechanism *m, RbSegment *g, int k, const double *start) {
    BristleName n = describe_bristle(m, k);
    for (int i = 0; i < m->bristles[k].count; i++) {
        // Pairs of parts have the same two names: the code tells them apart.
        const char *name = rb_arena_printf(g->arena, "contact(%s,%s,%.0f).bristle[%d]", n.a, n.b,
                                           m->bristles[k].code, i + 1);
        rb_segment_state(g, &(RbStateSpec){.name = name,
                                           .start = start ? start[i] : 0,
                                           .nominal = n.length,
                                           .unit = "m",
                                           .group = rb_mechanism_bristle_group(m, k),
                                           .absolute = true});
    }
}

static void sort_by_group(Mechanism *m, RbArena *arena) {
    int *start = m->bristle_start = rb_new_array(arena, int, m->group_count + 1);
    int *next = rb_new_array(arena, int, m->group_count);
    m->bristle_list = rb_new_array(arena, int, m->bristle_count);
    for (int k = 0; k < m->bristle_count; k++) start[rb_mechanism_bristle_group(m, k) + 1]++;
    for (int g = 0; g < m->group_count; g++) start[g + 1] += start[g];
    for (int k = 0; k < m->bristle_count; k++) {
        int g = rb_mechanism_bristle_group(m, k);
        m->bristle_list[start[g] + next[g]++] = k;
    }
}

void rb_mechanism_start_bristles(Mechanism *m, RbSegment *g) {
    int before = m->first ? 0 : m->bristle_count, x_count, d_count;
    int states_before = m->first ? 0 : m->bristle_states;
    int soft = m->soft && !m->first ? rb_mechanism_soft_states(m) : 0;
    const Bristle *old = m->bristles; // in the arena of the last segment, which still lives
    const double *x = rb_segment_old_states(g, &x_count), *d = rb_segment_old_discrete(g, &d_count);
    const double *slots = d && m->contacts && m->had_contacts ? d + m->slots : NULL;
    find_bristles(m, g, slots, m->restored, m->restored_count);
    m->restored = NULL;
    m->restored_count = 0;
    sort_by_group(m, g->arena);
    for (int k = 0; k < m->bristle_count; k++) {
        const double *first = x ? x + x_count - soft - states_before : NULL;
        declare_bristle(m, g, k, x ? old_values(old, before, first, m->bristles[k].code) : NULL);
    }
}

// -------------------------------------------------------------------------------------------------
// evaluation

static const double *own_states(const Mechanism *m, const double *x) {
    return x + m->structure.tree.nq + m->structure.tree.nv;
}

// A twist is stored as what it does at the size of the meshes, in metres as all bristles are.
static double lever_of(const Mechanism *m, const Bristle *b) {
    return rb_solids_size(&m->solids[pair_of_solids(b)]);
}

static void load_bristle(const Mechanism *m, const double *own, int k, MechanismWork *w) {
    const Bristle *b = &m->bristles[k];
    Vec3 value = v3_load(own + b->at);
    if (!is_of_solids(b)) {
        w->bristles[b->slot] = (RbBristle){value, b->count > 3 ? own[b->at + 3] : 0};
        return;
    }
    RbSolidsMemory *memory = &w->solids[pair_of_solids(b)];
    if (part_of_solids(b) == 0)
        memory->slide = value;
    else
        memory->twist = v3_scale(1 / lever_of(m, b), value);
}

void rb_mechanism_load_bristles(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (m->bristle_count == 0) return;
    const double *own = own_states(m, e->x);
    if (!e->groups) {
        for (int i = 0; m->contacts && i < m->contacts->slot_count; i++)
            w->bristles[i] = (RbBristle){V3_ZERO, 0}; // a contact that has just begun
        for (int k = 0; k < m->bristle_count; k++) load_bristle(m, own, k, w);
        return;
    }
    for (int i = 0; i < e->group_count; i++) {
        int g = e->group_list[i];
        for (int k = m->bristle_start[g]; k < m->bristle_start[g + 1]; k++)
            load_bristle(m, own, m->bristle_list[k], w);
    }
}

// A bristle whose contact has just ended stands still until the next segment begins without it.
static void store_rate(const Mechanism *m, const MechanismWork *w, int k, double *dx) {
    const Bristle *b = &m->bristles[k];
    if (is_of_solids(b)) {
        const RbSolidsResult *r = &w->solid_results[pair_of_solids(b)];
        v3_store(dx + b->at,
                 part_of_solids(b) == 0 ? r->slide_rate : v3_scale(lever_of(m, b), r->twist_rate));
        return;
    }
    const RbContactState *c = &w->contacts[b->slot];
    RbBristle rate = c->code == b->code ? c->bristle_rate : (RbBristle){V3_ZERO, 0};
    v3_store(dx + b->at, rate.slide_W);
    if (b->count > 3) dx[b->at + 3] = rate.twist;
}

void rb_mechanism_bristle_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w) {
    if (m->bristle_count == 0) return;
    double *dx = e->dx + m->structure.tree.nq + m->structure.tree.nv;
    for (int k = 0; !e->groups && k < m->bristle_count; k++) store_rate(m, w, k, dx);
    for (int i = 0; e->groups && i < e->group_count; i++) {
        int g = e->group_list[i];
        for (int k = m->bristle_start[g]; k < m->bristle_start[g + 1]; k++)
            store_rate(m, w, m->bristle_list[k], dx);
    }
}

// -------------------------------------------------------------------------------------------------
// checkpoints

void rb_mechanism_save_bristles(const Mechanism *m, RbSaver *saver) {
    rb_save_int(saver, m->bristle_count);
    for (int k = 0; k < m->bristle_count; k++) {
        rb_save_int(saver, m->bristles[k].slot);
        rb_save_doubles(saver, &m->bristles[k].code, 1);
    }
}

bool rb_mechanism_restore_bristles(Mechanism *m, RbLoader *loader) {
    int64_t count, slot;
    if (!rb_load_int(loader, &count) || count < 0 || count > (1 << 20)) return false;
    m->restored = rb_new_array(m->arena, Bristle, (int)count);
    m->restored_count = (int)count;
    for (int k = 0; k < m->restored_count; k++) {
        if (!rb_load_int(loader, &slot) || !rb_load_doubles(loader, &m->restored[k].code, 1))
            return false;
        m->restored[k].slot = (int)slot;
    }
    return true;
}
