// SPDX-License-Identifier: MIT
// broadphase.h: which of many boxes overlap, and how far apart the others are at least
// (docs/theory/broad-phase.md).
//
// Every object is known by a loose box: the tight box of its shape, grown by a margin. As long as
// the tight box stays inside the loose one, moving an object changes nothing here, so pairs and
// distances of the last call are still right and are handed out again. Three methods find them:
// every box with every other, a dynamic tree (box_tree.h), a sort along the Z-order curve
// (morton.h). They give the same pairs in the same order; which one is used is chosen by the number
// of objects and by how many of them left their loose boxes, unless the options name one.
//
//     RbBroadphase *bp = rb_broadphase(arena, rb_broadphase_options());
//     int id = rb_broadphase_add(bp, tight, rb_pair_filter());
//     rb_broadphase_move(bp, id, tight);
//     RbPairs pairs = rb_broadphase_pairs(bp);
//     for (int i = 0; i < pairs.count; i++) narrow_phase(pairs.data[i].a, pairs.data[i].b);
//
// Once all objects are there and the number of pairs has seen its largest value nothing is
// allocated any more. rb_broadphase_pairs and the lists may allocate when there are more pairs than
// ever before: a solver callback asks inside an rb_protect of its own. If memory runs out in a
// call, objects and pairs are as before, or in a state from which the next call makes them right.
#pragma once

#include "base/arena.h"
#include "collide/box_tree.h"

typedef struct RbBroadphase RbBroadphase;

typedef enum RbBroadphaseMethod {
    RB_BROADPHASE_AUTO,
    RB_BROADPHASE_BRUTE,
    RB_BROADPHASE_TREE,
    RB_BROADPHASE_MORTON,
} RbBroadphaseMethod;

typedef struct RbBroadphaseOptions {
    RbBroadphaseMethod method;
    double margin_factor; // loose boxes: times the longest finite edge of the tight box
    double margin_least;  // [m] at least
    int capacity;         // objects to make room for at once
} RbBroadphaseOptions;

// Automatic method; margin of 0.5 % of the longest edge on every side (thesis, section 5.2).
RbBroadphaseOptions rb_broadphase_options(void);

// Which objects form pairs. Two objects do if each one's category is among what the other collides
// with, if they are not of the same group (rigidly attached to each other), and if neither the pair
// nor the pair of groups is switched off.
typedef struct RbPairFilter {
    uint32_t category; // bits
    uint32_t collides; // bits: categories to form pairs with
    int group;         // 0: none
} RbPairFilter;

// Forms pairs with everything.
static inline RbPairFilter rb_pair_filter(void) {
    return (RbPairFilter){UINT32_MAX, UINT32_MAX, 0};
}

typedef struct RbPair {
    int a, b; // a < b
} RbPair;

typedef struct RbPairs {
    const RbPair *data; // sorted by a, then b; valid until the next call that changes something
    int count;
} RbPairs;

typedef struct RbBoxGap {
    double distance; // [m] INFINITY: there is no such pair
    int a, b;        // a < b; -1 if there is none
} RbBoxGap;

// Lives in the arena, which must live as long and is used by later calls too.
RbBroadphase *rb_broadphase(RbArena *arena, RbBroadphaseOptions options);

// Make room for `more` further objects, so that adding them cannot fail. All ids are below the
// capacity.
void rb_broadphase_reserve(RbBroadphase *bp, int more);
int rb_broadphase_capacity(const RbBroadphase *bp);

// A new object; the smallest numbers that are free are not promised, but the same calls give the
// same ones.
int rb_broadphase_add(RbBroadphase *bp, RbAabb tight, RbPairFilter filter);
void rb_broadphase_remove(RbBroadphase *bp, int id);

// Tell where the object is now. True if it left its loose box and got a new one.
bool rb_broadphase_move(RbBroadphase *bp, int id, RbAabb tight);

// An inactive object keeps its place and forms no pairs; queries do not find it.
void rb_broadphase_set_active(RbBroadphase *bp, int id, bool active);
void rb_broadphase_set_filter(RbBroadphase *bp, int id, RbPairFilter filter);

// Switch a pair of objects, or all pairs of two groups, off or on again. Removing an object forgets
// its pairs.
void rb_broadphase_set_pair(RbBroadphase *bp, int a, int b, bool enabled);
void rb_broadphase_set_groups(RbBroadphase *bp, int group_a, int group_b, bool enabled);

// Switch all pairs of this group on again: it is about to get another meaning.
void rb_broadphase_forget_group(RbBroadphase *bp, int group);

bool rb_broadphase_is_active(const RbBroadphase *bp, int id);
RbAabb rb_broadphase_loose(const RbBroadphase *bp, int id);

// May the two form a pair (activity, category, group, switched-off pairs; not the boxes)?
bool rb_broadphase_may_pair(const RbBroadphase *bp, int a, int b);

// All pairs whose loose boxes overlap or touch.
RbPairs rb_broadphase_pairs(RbBroadphase *bp);

// Changes whenever the list may have changed.
uint64_t rb_broadphase_pairs_version(const RbBroadphase *bp);

// The smallest distance between the loose boxes of all pairs that do not overlap: a lower bound for
// the distance of all objects that rb_broadphase_pairs does not list. Changes only when a box
// leaves its loose one, then by a jump; never <= 0.
RbBoxGap rb_broadphase_gap(RbBroadphase *bp);

// Queries against the loose boxes of active objects whose category is in `categories`; see
// box_tree.h for the visitors. The order of visits may differ between the methods. A visitor must
// not change the broad phase.
void rb_broadphase_overlap(RbBroadphase *bp, RbAabb box, uint32_t categories, RbVisitItem *visit,
                           void *user);
void rb_broadphase_ray(RbBroadphase *bp, Vec3 origin, Vec3 direction, double limit,
                       uint32_t categories, RbVisitNear *visit, void *user);
void rb_broadphase_near(RbBroadphase *bp, RbAabb box, double bound, uint32_t categories,
                        RbVisitNear *visit, void *user);

// All pairs that may form (filters) and overlap or are nearer than `bound`; the visitor answers the
// new bound.
void rb_broadphase_near_pairs(RbBroadphase *bp, double bound, RbVisitNearPair *visit, void *user);
