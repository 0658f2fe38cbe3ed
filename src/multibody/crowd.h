// SPDX-License-Identifier: MIT
// crowd.h: which contacts there may be: slots, links between groups, steps of islands, and crowds
// of balls that move by kicks. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- slots.c

// Is the pair in a slot one that can still touch, after a change of structure?
bool rb_mechanism_slot_lives(const Mechanism *m, const double *slots, int slot);
void rb_slot_index_open(const Mechanism *m, SlotIndex *index, RbArena *arena);
void rb_slot_index_update(const Mechanism *m, const double *discrete, SlotIndex *index);
void rb_slot_index_add(const Mechanism *m, SlotIndex *index, int slot, int a, int b);
void rb_slot_index_remove(const Mechanism *m, SlotIndex *index, int slot, int a, int b);

// The slot of a pair of elements, the first free one; RB_SLOT_NONE: there is none.
int rb_slot_index_find(const Mechanism *m, const SlotIndex *index, const double *slots, int a,
                       int b);
int rb_slot_index_free(const Mechanism *m, const SlotIndex *index);

// Slots of the bodies of a span; answers how many.
int rb_slot_index_gather(const SlotIndex *index, RbSpan span, int *list);

// ---- links.c
void rb_mechanism_index_links(Mechanism *m, RbArena *arena);
void rb_mechanism_links(Mechanism *m, RbLinks *links);

// ---- island.c
void rb_mechanism_index_elements(Mechanism *m, RbArena *arena);
void rb_mechanism_open_near(const Mechanism *m, MechanismWork *w, RbArena *arena);

bool rb_mechanism_watch(const Mechanism *m, const RbStepView *step, RbWatch *found);
double rb_mechanism_watched(const Mechanism *m, const RbStepView *step, const RbWatch *watch,
                            double time);

// ---- crowd.c

// Which groups can be in a crowd, and how near is near, once the balls are known; 0: there are no crowds.
void rb_mechanism_measure_crowds(Mechanism *m, RbArena *arena);

// No body is in one any more.
void rb_mechanism_forget_crowds(const Mechanism *m, MechanismWork *w);

// Groups that can be in one crowd, if they are enough of them, and whether they are.
bool rb_mechanism_may_crowd(const Mechanism *m, const int *groups, int count);
bool rb_mechanism_is_enough(const Mechanism *m, const double *discrete, const int *groups,
                            int count);

// At an event: who hardly moves?
void rb_mechanism_note_calm(const Mechanism *m, RbEvent *event);

// The event of a crowd, or of a body that joins one; answers how many near pairs there are more or
// less.
int rb_mechanism_renew_crowd(const Mechanism *m, RbEvent *event, bool *parted);

// ---- kick_links.c, kicks.c
void rb_kicks_measure(Mechanism *m); // at the start of a segment: for which groups is it?
void rb_kicks_open(const Mechanism *m, MechanismWork *w, RbArena *arena);

// What contacts in crowds remember, at the start and the end of a step; at an event it goes to their slots.
void rb_kicks_load_histories(const Mechanism *m, const RbEval *e, struct KickWork *k);
void rb_kicks_store_histories(const Mechanism *m, RbAdvance *a, struct KickWork *k);
void rb_kicks_keep_histories(const Mechanism *m, RbEvent *event);

// Is that a tolerance for which they pay?
bool rb_kicks_resolve(double tolerance);
bool rb_crowd_advances(const Mechanism *m, const int *groups, int count, double tolerance);
RbTooDeep rb_crowd_advance(const Mechanism *m, RbAdvance *advance);
