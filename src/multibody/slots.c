// SPDX-License-Identifier: MIT
// Which contact slots are in use, by body. The index follows from the slots alone, so it is made
// anew where their version is another one; at an event of two bodies it is only corrected.
#include <string.h>

#include "multibody/crowd.h"

enum { WORD = 64 };

void rb_slot_index_open(const Mechanism *m, SlotIndex *x, RbArena *arena) {
    int slots = m->contact.setup ? m->contact.setup->slot_count : 0,
        bodies = m->structure.tree.bodies.count;
    x->version = -1;
    x->first = rb_new_array(arena, int, bodies);
    x->next = rb_new_array(arena, int, slots);
    x->used = rb_new_array(arena, uint64_t, slots / WORD + 1);
    x->list = rb_new_array(arena, int, slots);
}

// A contact belongs to its first body that moves.
static int owner(const Mechanism *m, int a, int b) {
    int body = m->contact.setup->elements[a].body;
    return body > 0 ? body : m->contact.setup->elements[b].body;
}

// Lists are kept in increasing order: forces are then added in the same order, whatever happened
// before.
void rb_slot_index_add(const Mechanism *m, SlotIndex *x, int slot, int a, int b) {
    int *link = &x->first[owner(m, a, b)];
    while (*link >= 0 && *link < slot) link = &x->next[*link];
    x->next[slot] = *link;
    *link = slot;
    x->used[slot / WORD] |= (uint64_t)1 << slot % WORD;
}

void rb_slot_index_remove(const Mechanism *m, SlotIndex *x, int slot, int a, int b) {
    int *link = &x->first[owner(m, a, b)];
    while (*link >= 0 && *link != slot) link = &x->next[*link];
    if (*link == slot) *link = x->next[slot];
    x->used[slot / WORD] &= ~((uint64_t)1 << slot % WORD);
}

void rb_slot_index_update(const Mechanism *m, const double *discrete, SlotIndex *x) {
    if (x->version == discrete[m->contact.slot_version]) return;
    x->version = discrete[m->contact.slot_version];
    int slots = m->contact.setup->slot_count, a, b;
    for (int i = 0; i < m->structure.tree.bodies.count; i++) x->first[i] = -1;
    memset(x->used, 0, (size_t)(slots / WORD + 1) * sizeof *x->used);
    for (int i = slots - 1; i >= 0; i--) {
        if (rb_slot_pair(m->contact.setup, discrete + m->contact.slots, i, &a, &b))
            rb_slot_index_add(m, x, i, a, b);
    }
}

int rb_slot_index_find(const Mechanism *m, const SlotIndex *x, const double *slots, int a, int b) {
    int p, q;
    for (int i = x->first[owner(m, a, b)]; i >= 0; i = x->next[i]) {
        if (rb_slot_pair(m->contact.setup, slots, i, &p, &q) && p == a && q == b) return i;
    }
    return RB_SLOT_NONE;
}

int rb_slot_index_free(const Mechanism *m, const SlotIndex *x) {
    int slots = m->contact.setup->slot_count;
    for (int word = 0; word <= slots / WORD; word++) {
        if (x->used[word] == UINT64_MAX) continue;
        int slot = word * WORD;
        while (x->used[word] >> slot % WORD & 1) slot++;
        return slot < slots ? slot : RB_SLOT_NONE;
    }
    return RB_SLOT_NONE;
}

int rb_slot_index_gather(const SlotIndex *x, RbSpan span, int *list) {
    int count = 0;
    for (int body = span.first; body < span.end; body++) {
        for (int i = x->first[body]; i >= 0; i = x->next[i]) list[count++] = i;
    }
    return count;
}

bool rb_mechanism_slot_lives(const Mechanism *m, const double *slots, int slot) {
    int a, b;
    return rb_slot_pair(m->contact.setup, slots, slot, &a, &b) &&
           rb_structure_may_collide(&m->structure, m->contact.owners[a], m->contact.owners[b]);
}
