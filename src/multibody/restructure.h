// SPDX-License-Identifier: MIT
// restructure.h: actions and programs that change the structure, the next segment, and structures
// in checkpoints. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- structure.c

// ORDER structure energies: lost in plastic impacts, taken away with parts and contacts, handed over to
// drives by impacts (if there are any)
enum { STRUCTURE_IMPACT, STRUCTURE_REMOVED, STRUCTURE_DRIVES };
static inline int rb_mechanism_structure_energies(const Mechanism *m) {
    return !rb_scene_acts(m->scene) ? 0 : m->driven.own ? 3 : 2;
}

// What holds what, as the scene describes it.
void rb_mechanism_arrange_anew(Mechanism *m);
// What holds what: made in the first segment, changed by actions.
RbStatus rb_mechanism_arrange(Mechanism *m, RbSegment *segment);
// After a change: coordinates from places, speeds from the balance of momentum.
RbStatus rb_mechanism_resettle(Mechanism *m, RbSegment *segment, double *impact);
void rb_mechanism_declare_structure(Mechanism *m, RbSegment *segment, double impact);
// A part that stands still because it was attached to the world, and has a place as a result.
bool rb_mechanism_has_moved(const Mechanism *m, int object);
// [J] kinetic, potential and elastic, now
double rb_mechanism_energy(const Mechanism *m, const RbEvent *event);
// [J] In all contacts; of that in patches, whose law has a potential, and by laws of meshes that have none, which may not give it all back.
typedef struct RbStoredEnergy {
    double elastic, pressed, lent;
} RbStoredEnergy;
RbStoredEnergy rb_mechanism_stored(const Mechanism *m, const MechanismWork *w);
// Where all objects of a structure are and how they move.
void rb_mechanism_find_places(const RbStructure *structure, const double *q, const double *v,
                              RbKin *kin, RbPlaces *places);
// At the start of the segment after a change: what parts and contacts took away.
void rb_mechanism_settle_account(Mechanism *m, RbEvent *event);

// ---- renew.c

// See RbComponentType.renew.
RbStatus rb_mechanism_renew(Mechanism *m, RbSegment *segment);
// At the start of a segment: of a run; of another one, which goes on with the scene that was made.
void rb_mechanism_forget_renewal(Mechanism *m, const RbSegment *segment);
void rb_mechanism_take_renewed(Mechanism *m);
// Other parameters are another energy, which nothing has brought in: the account starts from it. Before, and when the segment begins.
void rb_mechanism_note_renewal(Mechanism *m, const RbEvent *event);
void rb_mechanism_settle_renewal(const Mechanism *m, RbEvent *event);

// ---- declare.c
// Their masses, from shapes and materials.
RbStatus rb_mechanism_collect_objects(Mechanism *m, RbSegment *segment);

// ---- saved.c
typedef struct SavedStructure SavedStructure;
void rb_mechanism_save_structure(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_structure(Mechanism *m, RbLoader *loader);
// The arrangement of the scene becomes that of a checkpoint.
RbStatus rb_mechanism_adopt_saved(Mechanism *m, RbSegment *segment);
void rb_mechanism_adopt_lengths(Mechanism *m);

// ---- saved_shapes.c
void rb_mechanism_save_shapes(const Mechanism *m, RbSaver *saver);
// False, with the reason, if a mesh is not the one that the checkpoint was written with.
bool rb_mechanism_same_shapes(const Mechanism *m, RbLoader *loader);

// ---- actions.c

// Names, times before the start of the run [s] and what can never be are told before the run, not when
// the action comes.
RbStatus rb_mechanism_check_actions(const RbScene *scene, double start, RbArena scratch,
                                    RbDiag *diag);
// Their discrete values, from those of the last segment (NULL: there is none).
void rb_mechanism_declare_actions(Mechanism *m, RbSegment *segment, const double *old);
// Carry out what is due. True: the structure has changed.
bool rb_mechanism_act(Mechanism *m, RbEvent *event);
// Time of the next action or break [s], INFINITY: none.
double rb_mechanism_next_time(const Mechanism *m, const double *discrete);
// [s] When the next action or step of a program is due, as far as that is known; INFINITY: never.
double rb_mechanism_action_time(const Mechanism *m, const double *discrete);

// ---- programs.c

int rb_mechanism_step_count(const RbScene *scene);
// Their discrete values; answers when the next step is due.
double rb_mechanism_declare_programs(Mechanism *m, RbSegment *segment, const double *old);
double rb_mechanism_next_step(const Mechanism *m, const double *discrete);
// Signals that have risen start programs, at this instant.
void rb_mechanism_listen(const Mechanism *m, RbEvent *event);
// Steps whose time has come; actions among them are listed.
void rb_mechanism_run_programs(const Mechanism *m, RbEvent *event, DueActions *due);
// A phase of a motion along a path ends. True: accelerations jump.
bool rb_mechanism_pass_phase(const Mechanism *m, RbEvent *event);
// Position, speed or acceleration of a path.
RbEvalStatus rb_members_follow(const Mechanism *m, const RbEval *e, int function, double *outputs);
