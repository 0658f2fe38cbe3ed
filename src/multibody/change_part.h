// SPDX-License-Identifier: MIT
// change_part.h: changes of structure and of parameters from one segment to the next (actions.c, programs.c, structure.c, renew.c), and the
// account of energy over them.
#pragma once

#include "multibody/multibody.h"
#include "scene/scene.h"

// Scale of the positions of a body, by its root (declare.c).
typedef struct BodyScale {
    uint64_t elements; // that it has
    double mass;       // [kg]
    double scale;      // [m]
} BodyScale;

typedef struct ChangePart {
    RbArrangement arrangement;
    const RbScene *arranged;      // the scene whose memory it is in
    RbPlaces places;              // per object: where it was when the structure changed
    bool *has_moved;              // per object: in this segment or before
    BodyScale *scales;            // per object
    const char **names;           // of its results, made once: OBJECT_RESULTS per object
    bool changed;                 // the next segment starts from these
    bool was_changed;             // this one did
    struct SavedStructure *saved; // from a checkpoint, for the first segment
    int next_action;              // discrete value: number of the action that comes next
    int programs;                 // discrete values of programs (programs.c)
    int *paths;                   // per path: where its discrete values begin
} ChangePart;

// Parameters of members that were changed in the run (renew.c).
typedef struct RenewPart {
    const RbScene *next_scene; // with them, for the segment that starts next; NULL: none were
    RbArena *next_arena, *scene_arena,
        *last_arena;     // of that scene, the present one and the last; NULL: that of the start
    long member_changes; // of the instance, that the scene knows
    bool was;            // this segment began with other parameters
    RbLoader *waiting;   // a checkpoint for the scene that is made next; NULL: none
} RenewPart;

// Energies at the start and at changes of structure.
typedef struct EnergyAccount {
    int structure_energy[3];                      // discrete values, ORDER structure energies
    double energy_before, removed_before, impact; // [J] when the structure changed
    double pressed_before;                        // [J] pressed_start less what patches stored
    double lent_before; // [J] lent_start less what laws without potential stored
    double most_turned; // [J] largest energy that moved, so far (doubt.c)
    double driven_work; // [J] that drives put in at that instant
    int energy_start;   // discrete value: energy at the start
    int pressed_start;  // discrete value: what patches stored then, and what actions changed of it
    int lent_start;     // likewise by laws without potential
    int energy_jumps;   // likewise: brought in where prescribed speeds jump (jumps.c)
} EnergyAccount;

// Actions that come at the present instant, in their order.
typedef struct DueActions {
    const RbSceneAction **list;
    int count;
} DueActions;
