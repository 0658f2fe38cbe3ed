// SPDX-License-Identifier: MIT
// step_look.h: a look at the step that an island has just made, for the first event in it. Private to
// island.c, crowd.c and multibody_solids*.c.
#pragma once

#include "multibody/mechanism.h"

typedef struct StepLook {
    const Mechanism *m;
    const RbStepView *step;
    MechanismWork *w;
    const double *slots;
    RbWatch *found;
    double first; // [s] earliest event so far
} StepLook;

// What is watched: of a pair of elements, or of a crowd.
typedef enum PairEvent {
    PAIR_STARTS,  // to touch
    PAIR_ENDS,    // to touch
    PAIR_NEARS,   // a body comes near to a crowd: it joins before they touch
    CROWD_RENEWS, // its list of near pairs gets old
    CROWD_LEAVES, // a contact that sticks is in a crowd no more: its bristle becomes a state
    SOLIDS_START, // a pair of meshes, to touch
    SOLIDS_END,
    SOLIDS_TURN, // the mesh of a body of revolution needs a new reference
} PairEvent;
enum { EVENT_KINDS = 8 };

static inline bool rb_mechanism_watches_solids(const RbWatch *watch) {
    return watch && watch->what % EVENT_KINDS >= SOLIDS_START;
}

// ---- island.c

// Bring the branch of a body to where it is at t; distance of two elements then. [m] memory: of other looks at them in this step, or NULL.
void rb_step_look_place(const StepLook *look, int body, double t);
double rb_step_look_distance(const StepLook *look, int a, int b, double t, RbPairMemory *memory);

// This happens at t, unless something else did before.
void rb_step_look_note(StepLook *look, int a, int b, PairEvent kind, double t);

// Do two elements, a < b, start to touch before `end`? speed: bound for how fast their distance
// changes. [m/s]
void rb_step_look_start(StepLook *look, int a, int b, double end, double speed);

// The box around the ball of a step, grown; put the one of body i into the tree.
RbAabb rb_step_ball_box(const StepBall *ball, double grown);
void rb_note_step_box(const Mechanism *m, MechanismWork *w, int i);

// A visitor of the tree that lists what it finds in w->found.
bool rb_keep_found(void *work, int item);

PairEvent rb_mechanism_watch_pair(const Mechanism *m, const RbWatch *watch, int *a, int *b);

// ---- solids_step.c
void rb_solids_watch(StepLook *look);
double rb_solids_watched(const StepLook *look, const RbWatch *watch, double t);

// ---- crowd.c

// Are these groups a crowd?
bool rb_crowd_is(const Mechanism *m, const double *discrete, const MechanismWork *w,
                 const int *groups, int count);
bool rb_crowd_watch(StepLook *look);
double rb_crowd_watched(const StepLook *look, double t);

// One of two bodies is in a crowd, the other one is not in the same one.
void rb_crowd_check_near(StepLook *look, int body_a, int body_b, double end, double speed);
