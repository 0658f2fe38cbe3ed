// SPDX-License-Identifier: MIT
// Contacts that stick: each has a bristle (contact/law.h) of three states, over a patch of four, which come and go with
// the contact. Two meshes that stick have two such triples while they have a seat (seats.c).
#include "component/segment.h"
#include "contact/pair.h"
#include "multibody/crowd.h"
#include "multibody/matter.h"
#include "multibody/touching_solids.h"

static bool is_of_solids(const Mechanism *m, int bristle) {
    return bristle >= m->sticking.first_seat;
}
static int seat_of(const Mechanism *m, int bristle) {
    return (bristle - m->sticking.first_seat) / 2;
}
static int part_of(const Mechanism *m, int bristle) { // 0: slide, 1: twist
    return (bristle - m->sticking.first_seat) % 2;
}

// Two elements of a bristle.
static void pair_of(const Mechanism *m, int bristle, int *a, int *b) {
    double contents[RB_SLOT_SIZE] = {m->sticking.bristles[bristle].code};
    rb_slot_pair(m->contact.setup, contents, 0, a, b);
}

static void place_bristles(Mechanism *m) {
    m->sticking.states = 0;
    for (int k = 0; k < m->sticking.count; k++) {
        Bristle *bristle = &m->sticking.bristles[k];
        int a, b;
        bool twists = false;
        if (!is_of_solids(m, k)) {
            pair_of(m, k, &a, &b);
            twists = rb_pair_has_patch(m->contact.setup, a, b);
        }
        bristle->at = m->sticking.states;
        bristle->count = twists ? 4 : 3;
        m->sticking.states += bristle->count;
    }
}

// Contacts in slots, from the discrete values or as they were restored, then seats of meshes.
static void find_bristles(Mechanism *m, RbSegment *g, const double *slots, const Bristle *restored,
                          int restored_count) {
    int slot_count = m->contact.setup ? m->contact.setup->slot_count : 0, count = 0;
    Bristle *bristles =
        rb_new_array(g->arena, Bristle, slot_count + restored_count + 2 * m->sticking.seat_count);
    for (int i = 0; slots && i < slot_count; i++) {
        if (rb_slot_sticks(m->contact.setup, slots, i) && rb_mechanism_slot_lives(m, slots, i))
            bristles[count++] = (Bristle){.slot = i, .code = slots[RB_SLOT_SIZE * i]};
    }
    for (int i = 0; !slots && m->contact.setup && i < restored_count; i++)
        bristles[count++] = restored[i];
    m->sticking.first_seat = count;
    for (int i = 0; i < 2 * m->sticking.seat_count; i++)
        bristles[count++] = (Bristle){.slot = RB_NONE};
    m->sticking.bristles = bristles;
    m->sticking.count = count;
    m->sticking.of_slot = rb_new_array(g->arena, int, slot_count);
    for (int i = 0; i < slot_count; i++) m->sticking.of_slot[i] = RB_NONE;
    for (int k = 0; k < m->sticking.first_seat; k++) {
        int slot = m->sticking.bristles[k].slot;
        if (slot >= 0 && slot < slot_count) m->sticking.of_slot[slot] = k;
    }
    place_bristles(m);
}

// That of the first of its bodies that moves: with the other it is coupled while the contact lasts.
int rb_mechanism_bristle_group(const Mechanism *m, int bristle) {
    int a, b;
    if (is_of_solids(m, bristle)) return m->sticking.seats[seat_of(m, bristle)].group;
    pair_of(m, bristle, &a, &b);
    int body = m->contact.setup->elements[a].body;
    return m->groups.of[body > 0 ? body : m->contact.setup->elements[b].body];
}

// What a segment starts from: states of all bristles of the last one; x == NULL: there was none.
typedef struct OldBristles {
    const Bristle *list;
    int first_seat;
    const double *x;
    const double *slots; // discrete values of the last segment; NULL: there was none
} OldBristles;

// NULL: it had none. In a crowd it was in the slot.
static const double *old_values(const OldBristles *old, const Bristle *bristle) {
    for (int i = 0; old->x && i < old->first_seat; i++) {
        if (old->list[i].code == bristle->code) return old->x + old->list[i].at;
    }
    return old->slots ? old->slots + RB_SLOT_SIZE * bristle->slot + RB_SLOT_BRISTLE : NULL;
}

static RbStateSpec describe(const Mechanism *m, int k, RbArena *arena) {
    int a, b;
    pair_of(m, k, &a, &b);
    const RbElement *elements = m->contact.setup->elements;
    // Pairs of parts have the same two names: the code tells them apart.
    return (RbStateSpec){
        .name = rb_arena_printf(arena, "contact(%s,%s,%.0f)", elements[a].side.object,
                                elements[b].side.object, m->sticking.bristles[k].code),
        .nominal = rb_contact_material_of(m->contact.setup, a, b)->law.bristle_length};
}

// start: NULL: zero
static void declare_bristle(const Mechanism *m, RbSegment *g, int k, const double *start,
                            RbArena scratch) {
    RbStateSpec s = is_of_solids(m, k)
                        ? rb_mechanism_seat_state(m, seat_of(m, k), part_of(m, k), &scratch)
                        : describe(m, k, &scratch);
    const char *title = s.name;
    s.unit = "m";
    s.group = rb_mechanism_bristle_group(m, k);
    s.absolute = true;
    for (int i = 0; i < m->sticking.bristles[k].count; i++) {
        s.name = rb_arena_printf(&scratch, "%s.bristle[%d]", title, i + 1);
        s.start = start ? start[i] : 0;
        rb_segment_state(g, &s);
    }
}

static void declare_bristles(const Mechanism *m, RbSegment *g, const OldBristles *old) {
    RbArena scratch = g->scratch;
    const double **start = rb_new_array(&scratch, const double *, 2 * m->sticking.seat_count);
    for (int i = 0; old->x && i < m->scene->solids.count; i++) {
        int now = m->sticking.start_seats[i], before = rb_mechanism_old_seat(m, g, i);
        for (int part = 0; part < 2 && now != RB_NONE && before != RB_NONE; part++)
            start[2 * now + part] = old->x + old->list[old->first_seat + 2 * before + part].at;
    }
    for (int k = 0; k < m->sticking.first_seat; k++)
        declare_bristle(m, g, k, old_values(old, &m->sticking.bristles[k]), scratch);
    for (int k = m->sticking.first_seat; k < m->sticking.count; k++)
        declare_bristle(m, g, k, start[k - m->sticking.first_seat], scratch);
}

static void sort_by_group(Mechanism *m, RbArena *arena) {
    int *start = m->sticking.start = rb_new_array(arena, int, m->groups.count + 1);
    int *next = rb_new_array(arena, int, m->groups.count);
    m->sticking.list = rb_new_array(arena, int, m->sticking.count);
    for (int k = 0; k < m->sticking.count; k++) start[rb_mechanism_bristle_group(m, k) + 1]++;
    for (int g = 0; g < m->groups.count; g++) start[g + 1] += start[g];
    for (int k = 0; k < m->sticking.count; k++) {
        int g = rb_mechanism_bristle_group(m, k);
        m->sticking.list[start[g] + next[g]++] = k;
    }
}

void rb_mechanism_start_bristles(Mechanism *m, RbSegment *g) {
    int x_count, d_count, soft = m->soft && !m->first ? rb_mechanism_soft_states(m) : 0;
    const double *x = rb_segment_old_states(g, &x_count), *d = rb_segment_old_discrete(g, &d_count);
    const double *slots = d && m->contact.setup && m->contact.had ? d + m->contact.slots : NULL;
    OldBristles old = {0}; // in the arena of the last segment, which still lives
    if (x && !m->first)
        old = (OldBristles){m->sticking.bristles, m->sticking.first_seat,
                            x + x_count - soft - m->sticking.states, slots};
    rb_mechanism_make_seats(m, g);
    find_bristles(m, g, slots, m->sticking.restored, m->sticking.restored_count);
    m->sticking.restored = NULL;
    m->sticking.restored_count = 0;
    sort_by_group(m, g->arena);
    rb_mechanism_seat_pairs(m, g);
    declare_bristles(m, g, &old);
}

// -------------------------------------------------------------------------------------------------
// evaluation

static const double *own_states(const Mechanism *m, const double *x) {
    return x + m->structure.tree.nq + m->structure.tree.nv;
}

static void load_bristle(const Mechanism *m, const double *own, int k, MechanismWork *w) {
    const Bristle *b = &m->sticking.bristles[k];
    if (is_of_solids(m, k)) return; // by pair
    w->contact.bristles[b->slot] =
        (RbBristle){v3_load(own + b->at), b->count > 3 ? own[b->at + 3] : 0};
}

void rb_mechanism_load_bristles(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (m->sticking.count == 0) return;
    const double *own = own_states(m, e->x);
    if (!e->groups) {
        for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++)
            w->contact.bristles[i] = (RbBristle){V3_ZERO, 0}; // a contact that has just begun
        for (int k = 0; k < m->sticking.first_seat; k++) load_bristle(m, own, k, w);
        for (int i = 0; m->sticking.seat_count > 0 && i < m->scene->solids.count; i++)
            rb_mechanism_load_seat(m, e->discrete, i, own, w);
        return;
    }
    for (int i = 0; i < e->group_count; i++) {
        int g = e->group_list[i];
        for (int k = m->sticking.start[g]; k < m->sticking.start[g + 1]; k++)
            load_bristle(m, own, m->sticking.list[k], w);
        for (int k = m->forces.start[g]; k < m->forces.start[g + 1]; k++) {
            const GroupForce *f = &m->forces.list[k];
            if (f->kind == FORCE_SOLIDS) rb_mechanism_load_seat(m, e->discrete, f->index, own, w);
        }
    }
}

// A bristle whose contact has just ended stands still until the next segment begins without it.
static void store_rate(const Mechanism *m, const MechanismWork *w, int k, double *dx) {
    const Bristle *b = &m->sticking.bristles[k];
    if (is_of_solids(m, k)) { // in a seat, perhaps of nobody; if not, the pair follows
        v3_store(dx + b->at, V3_ZERO);
        return;
    }
    const RbContactState *c = &w->contact.states[b->slot];
    RbBristle rate = c->code == b->code ? c->bristle_rate : (RbBristle){V3_ZERO, 0};
    v3_store(dx + b->at, rate.slide_W);
    if (b->count > 3) dx[b->at + 3] = rate.twist;
}

void rb_mechanism_bristle_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w) {
    if (m->sticking.count == 0) return;
    double *dx = e->dx + m->structure.tree.nq + m->structure.tree.nv;
    for (int k = 0; !e->groups && k < m->sticking.count; k++) store_rate(m, w, k, dx);
    for (int i = 0; !e->groups && i < m->scene->solids.count; i++)
        rb_mechanism_seat_rate(m, e->discrete, i, w, dx);
    for (int i = 0; e->groups && i < e->group_count; i++) {
        int g = e->group_list[i];
        for (int k = m->sticking.start[g]; k < m->sticking.start[g + 1]; k++)
            store_rate(m, w, m->sticking.list[k], dx);
        for (int k = m->forces.start[g]; k < m->forces.start[g + 1]; k++) {
            const GroupForce *f = &m->forces.list[k];
            if (f->kind == FORCE_SOLIDS) rb_mechanism_seat_rate(m, e->discrete, f->index, w, dx);
        }
    }
}

// -------------------------------------------------------------------------------------------------
// checkpoints

void rb_mechanism_save_bristles(const Mechanism *m, RbSaver *saver) {
    rb_mechanism_save_seats(m, saver);
    rb_save_int(saver, m->sticking.first_seat);
    for (int k = 0; k < m->sticking.first_seat; k++) {
        rb_save_int(saver, m->sticking.bristles[k].slot);
        rb_save_doubles(saver, &m->sticking.bristles[k].code, 1);
    }
}

bool rb_mechanism_restore_bristles(Mechanism *m, RbLoader *loader) {
    int64_t count, slot;
    if (!rb_mechanism_restore_seats(m, loader)) return false;
    if (!rb_load_int(loader, &count) || count < 0 || count > (1 << 20)) return false;
    m->sticking.restored = rb_new_array(m->arena, Bristle, (int)count);
    m->sticking.restored_count = (int)count;
    for (int k = 0; k < m->sticking.restored_count; k++) {
        if (!rb_load_int(loader, &slot) ||
            !rb_load_doubles(loader, &m->sticking.restored[k].code, 1))
            return false;
        m->sticking.restored[k].slot = (int)slot;
    }
    return true;
}
