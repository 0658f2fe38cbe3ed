// SPDX-License-Identifier: MIT
// touching_solids.h: pairs of meshes. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- solids.c: pairs of meshes
// Discrete values of a pair; the reference of a body of revolution is a quaternion (force_solids.h).
enum {
    SOLIDS_TOUCH,
    SOLIDS_MASS,
    SOLIDS_SEAT, // number of its seat plus one; 0: it has none
    SOLIDS_REFERENCE,
    SOLIDS_VALUES = SOLIDS_REFERENCE + 4
};

void rb_mechanism_declare_solids(Mechanism *m, RbSegment *g);
// What events have left of a pair goes to w->solids: before anything is asked about it.
void rb_mechanism_load_solids(const Mechanism *m, const double *discrete, int pair,
                              MechanismWork *w);
// Force of a pair on its bodies, if it touches; how its bristle changes goes to w->solid_results.
void rb_mechanism_push_solids(const Mechanism *m, const RbEval *e, int pair, MechanismWork *w);
// In all pairs that the last evaluation found touching.
RbSolidsStore rb_mechanism_stored_in_solids(const Mechanism *m, const MechanismWork *w);
// After all of them: are two too deep in each other?
RbEvalStatus rb_mechanism_check_solids(const Mechanism *m, const RbEval *e, const MechanismWork *w);

// Where the one of two objects that moves is declared.
RbPos rb_mechanism_solids_declared(const Mechanism *m, const RbSceneSolids *pair);
// All regions of a pair that touches as one contact, from the first object to the second, as sensors, results and callers
// see it: at their common centroid, as deep as the volume over the area. Without what only laws at a point have.
RbContactState rb_mechanism_solids_contact(const Mechanism *m, const MechanismWork *w, int pair);
// At an event: has any pair changed, or the one that was watched? RB_FULL_RESTART: a bristle has no seat.
RbRestart rb_mechanism_solids_event(const Mechanism *m, RbEvent *event);

// Does a pair touch, as the last event found? If not there is no force, and nothing to look for.
static inline bool rb_mechanism_solids_touch(const Mechanism *m, const double *discrete, int pair) {
    return discrete[m->forces.touching + SOLIDS_VALUES * pair + SOLIDS_TOUCH] > 0;
}

// ---- seats.c: states of the bristles of pairs that stick
static inline int rb_mechanism_seat(const Mechanism *m, const double *discrete, int pair) {
    return (int)discrete[m->forces.touching + SOLIDS_VALUES * pair + SOLIDS_SEAT] -
           1; // RB_NONE: it has none
}
// The slide; the twist is the next one.
static inline int rb_mechanism_seat_bristle(const Mechanism *m, int seat) {
    return m->sticking.first_seat + 2 * seat;
}
// When a segment starts: which seats there are; then, bristles having been sorted, who sits there, and where they sat before; and a state without its start.
void rb_mechanism_make_seats(Mechanism *m, RbSegment *g);
void rb_mechanism_seat_pairs(Mechanism *m, RbSegment *g);
int rb_mechanism_old_seat(const Mechanism *m, const RbSegment *g, int pair);
RbStateSpec rb_mechanism_seat_state(const Mechanism *m, int seat, int part, RbArena *arena);
// own: the states of all bristles; dx: their derivatives, which are zero where nobody sits.
void rb_mechanism_load_seat(const Mechanism *m, const double *discrete, int pair, const double *own,
                            MechanismWork *w);
void rb_mechanism_seat_rate(const Mechanism *m, const double *discrete, int pair,
                            const MechanismWork *w, double *dx);
// Are there more pairs that stick than seats for them?
bool rb_mechanism_may_lack_seats(const Mechanism *m);
// Contact starts: a seat for the pair, if it has none. False: all are in use.
bool rb_mechanism_sit_down(const Mechanism *m, RbEvent *event, int pair);
void rb_mechanism_save_seats(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_seats(Mechanism *m, RbLoader *loader);

// ---- solids_room.c: where overlaps are found. Most pairs of many meshes never meet, and the room of each is a megabyte: it is taken when the two come so near
// that a look at what they share is worth it, from what is kept ready at events, where memory may be asked for.
void rb_mechanism_open_overlaps(const Mechanism *m, MechanismWork *w, RbArena *arena);
RbMeshOverlap *rb_mechanism_overlap(const RbSolidsForce *f, MechanismWork *w);
// What was taken is made ready anew: at events.
void rb_mechanism_ready_overlaps(const Mechanism *m, MechanismWork *w);
// May they share a volume as they are placed? No: their boxes are apart.
bool rb_mechanism_may_overlap(const RbSolidsForce *f, Pose X_AB);

// ---- solids_step.c: the first time in a step at which a pair of meshes starts to touch or has
// parted; INFINITY: none.
double rb_mechanism_inspect_solids(const Mechanism *m, const RbStepView *step);
// For a caller that integrates and may look at nothing but signs. z[0]: largest gap of touching pairs less the end of
// the band (rises through 0: a contact ends). z[1]: smallest gap of all others with its start (falls through 0: one starts).
// Both are as the bodies are placed now.
void rb_mechanism_solids_indicators(const Mechanism *m, const RbEval *e, double *z);
// [m] Distance of a pair as it is placed now, up to `limit`; if they overlap, how deep with a minus: 2 V/S. One
// inside the other counts as apart: it never touched.
double rb_mechanism_solids_gap(const RbSolidsForce *f, MechanismWork *w, double limit);
// As it is placed now.
RbSolidsPlace rb_mechanism_solids_place(const RbSolidsForce *f, const MechanismWork *w);
// Do they share a volume?
bool rb_mechanism_solids_overlap(const RbSolidsForce *f, MechanismWork *w);
// [m] A contact starts when they have sunk in by this, so that there is a force that grows, and ends when
// they are as far apart.
static inline double rb_solids_band(const RbSolidsForce *f) {
    return 1e-12 * rb_solids_size(f);
}

// draw_solids.c: regions are shown as contacts, then `object` has the polygons.
void rb_mechanism_draw_solids(const Mechanism *m, RbDrawing *d);
void rb_mechanism_show_regions(const Mechanism *m, const RbEval *e, RbPicture *picture);
void rb_mechanism_show_patches(const Mechanism *m, const RbEval *e, int object, RbPicture *picture);
