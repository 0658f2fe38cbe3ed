// SPDX-License-Identifier: MIT
// sphere_pairs.h: molecules of different objects, or of one that may touch itself, that are near each other. A list of all pairs nearer than their reach and a
// skin is kept until a molecule has moved half the skin; so the pairs that touch are always among them, in the order of
// their numbers, whenever the list was made. Lives in memory that the caller gives: nothing is allocated.
#pragma once

#include "deform/network.h"

typedef struct RbSpherePair {
    int a, b; // molecules, a < b
} RbSpherePair;

typedef struct RbCell {
    int x, y, z;
} RbCell;

typedef struct RbSpherePairs {
    double skin; // [m]
    int capacity;
    int count;
    bool valid;
    RbSpherePair *pairs;
    RbCell *cell;     // per molecule
    Vec3 *made_at;    // per molecule
    int *next, *head; // cells
    int head_count;   // a power of two
} RbSpherePairs;

// Bytes of memory that the pairs of a network need; and pairs in them (zeroed before).
size_t rb_sphere_pairs_size(const RbNetwork *network);
RbSpherePairs *rb_sphere_pairs_open(const RbNetwork *network, double skin, void *memory);

// Make the list anew if molecules have moved too far. False: more are near each other than there is room for.
bool rb_sphere_pairs_update(RbSpherePairs *pairs, const RbNetwork *network, const Vec3 *r);
