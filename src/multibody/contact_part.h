// SPDX-License-Identifier: MIT
// contact_part.h: which elements of a mechanism may touch, and the contacts of the present moment (multibody.c, slots.c, knobs.c, bristle.c).
#pragma once

#include "contact/set.h"
#include "multibody/multibody.h"

// Pairs whose flat contact has been reported; others of a run with more of them go without.
enum { MAX_TOLD = 16 };

// Two materials of a scene: what the palette says, and the parameters that may say otherwise.
enum { RB_KNOB_MATERIALS = 8 };
typedef struct RbContactKnob {
    const char *a, *b;
    double restitution, friction;
    int restitution_number, friction_number; // RB_NONE: it has none
} RbContactKnob;

typedef struct ContactPart {
    RbContactSetup *setup; // NULL: no contact
    bool had;              // in the segment before
    bool off;              // an action has switched contact off for this segment
    int *owners;           // per element: object
    int *element_start;    // per body, and one more: its elements in element_list
    int *element_list;
    RbAabb *fixed_boxes; // per element of the world, in the order of element_list
    double *lever;       // [m] per body: how far a turn by one radian moves a surface, at most
    double *reach;       // [m] per body: largest distance of one of its elements from its origin
    int slots;           // where the contact slots begin in the discrete block
    int slot_version;    // discrete value that changes whenever they do
    int *belts;          // bodies whose surfaces run (belts.c)
    int belt_count;
    RB_ARRAY(RbContactKnob) knobs;
    double told[MAX_TOLD]; // codes of slots
    int told_count;
} ContactPart;

// Which slots are in use, by body.
typedef struct SlotIndex {
    double version; // of the discrete block it was made for
    int *first;     // per body: its first slot, -1: none
    int *next;      // per slot: the next one of the same body
    uint64_t *used; // a bit per slot
    int *list;      // work space
} SlotIndex;

typedef struct ContactWork {
    RbBristle *bristles; // per slot
    RbContactState *states;
    RbContactWork search;
    SlotIndex slots;
    const Wrench *press; // NULL, or what acts on each body instead of elements and contacts
    Wrench *presses;     // room for it
} ContactWork;
