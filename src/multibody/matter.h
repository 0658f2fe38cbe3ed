// SPDX-License-Identifier: MIT
// matter.h: grains and soft bodies beside the bodies of a mechanism. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- grains.c

RbStatus rb_mechanism_start_grains(Mechanism *m, RbSegment *segment);
// [s] When grains and bodies exchange forces next; INFINITY: never.
double rb_mechanism_grains_time(const Mechanism *m, const double *discrete);
// If an exchange is due. True: loads on bodies have jumped.
bool rb_mechanism_advance_grains(const Mechanism *m, RbEvent *event);
void rb_mechanism_add_grain_loads(const Mechanism *m, const RbEval *e, MechanismWork *w);
void rb_mechanism_declare_grain_results(const Mechanism *m, RbSegment *segment);
double *rb_mechanism_record_grains(const Mechanism *m, const RbEval *e, double *out);
void rb_mechanism_draw_grains(const Mechanism *m, RbDrawing *d); // the last object
void rb_mechanism_show_grains(const Mechanism *m, const RbEval *e, RbPicture *picture);
void rb_mechanism_save_grains(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_grains(Mechanism *m, RbLoader *loader);

// What equations see of sensors of grains: in the order of the regions of the scene and of their measures.
double *rb_mechanism_region_values(const Mechanism *m, double *out);

// A collidable object as it is touched by grains and soft bodies.
RbStatus rb_mechanism_make_wall(const RbSceneObject *object, RbSegment *segment, RbArena *arena,
                                RbGrainWall *wall);

// ---- grains_soft.c
struct SoftWork;
void rb_mechanism_add_soft_grain_loads(const Mechanism *m, const RbEval *e, MechanismWork *w,
                                       struct SoftWork *soft);

// ---- flexible_look.c: the surfaces of flexible parts

int rb_mechanism_surface_room(const Mechanism *m); // numbers in a workspace
void rb_mechanism_declare_flexible(const Mechanism *m, RbSegment *segment);
double *rb_mechanism_record_flexible(const Mechanism *m, const MechanismWork *w, double *out);
// The form of an object; what pictures have of it.
void rb_mechanism_draw_surface(const RbFlexibleLook *look, RbDrawing *d, RbDrawObject *o);
void rb_mechanism_show_flexible(const Mechanism *m, const MechanismWork *w, RbPicture *picture);

// ---- soft.c: soft bodies; their states come last, behind the bristles

// Molecules that are held become part of the bodies that hold them, as soon as these are known.
RbStatus rb_mechanism_weigh_soft(Mechanism *m, RbSegment *segment);
RigidInertia rb_mechanism_held(const Mechanism *m, int object); // in the frame of the object
void rb_mechanism_renew_soft(Mechanism *m); // parameters have changed
RbStatus rb_mechanism_start_soft(Mechanism *m, RbSegment *segment);
int rb_mechanism_soft_states(const Mechanism *m);
// The bodies of the segment, and where they are with the states x of the tree: w->moving is known.
const struct Soft *rb_mechanism_soft(const Mechanism *m);
struct SoftWork *rb_mechanism_soft_work(const MechanismWork *w);
void rb_mechanism_gather_soft(const Mechanism *m, const double *x, MechanismWork *w);
void rb_mechanism_open_soft(const Mechanism *m, MechanismWork *w, RbArena *arena);
// Forces in and on soft bodies, and on the bodies that they touch or hang on. e->x: vectors of the tree.
RbEvalStatus rb_mechanism_soft_forces(const Mechanism *m, const RbEval *e, MechanismWork *w);
void rb_mechanism_soft_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w);
double rb_mechanism_soft_kinetic(const Mechanism *m, const MechanismWork *w); // [J]
double rb_mechanism_soft_potential(const Mechanism *m,
                                   const MechanismWork *w); // elastic, of the weight
void rb_mechanism_soft_couplings(const Mechanism *m, RbCouplings *couplings, int first);
void rb_mechanism_soft_jacobian(const Mechanism *m, const RbEval *e, double *values);
double rb_mechanism_inspect_soft(const Mechanism *m, const RbStepView *step);
RbRestart rb_mechanism_soft_event(Mechanism *m, RbEvent *event);
void rb_mechanism_declare_soft_results(const Mechanism *m, RbSegment *segment);
double *rb_mechanism_record_soft(const Mechanism *m, const MechanismWork *w, double *out);
void rb_mechanism_draw_soft(const Mechanism *m, RbDrawing *d);
void rb_mechanism_show_soft(const Mechanism *m, const MechanismWork *w, RbPicture *picture);
// The action that changes a material.
RbStatus rb_mechanism_check_change(const RbScene *s, const RbSceneAction *action, RbArena scratch,
                                   RbDiag *diag);
void rb_mechanism_change_soft(Mechanism *m, const RbSceneAction *action);
double rb_mechanism_soft_lost(const Mechanism *m,
                              const RbEval *e); // [J] when connections were torn
// Cut or glue. False: why not.
bool rb_mechanism_reconnect_soft(Mechanism *m, const RbEvent *event, const RbSceneAction *action,
                                 RbArena *text, const char **why);
void rb_mechanism_save_soft(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_soft(Mechanism *m, RbLoader *loader);

// Of everything that moves; of weight, springs and soft bodies. [J]
static inline double rb_mechanism_kinetic(const Mechanism *m, const MechanismWork *w) {
    double rigid = rb_kinetic_energy(&m->structure.tree, &w->kin);
    return m->soft ? rigid + rb_mechanism_soft_kinetic(m, w) : rigid;
}
static inline double rb_mechanism_potential(const Mechanism *m, const MechanismWork *w) {
    return m->soft ? w->ledger.potential + rb_mechanism_soft_potential(m, w) : w->ledger.potential;
}

// Numbers of the states behind those of the joints: bristles, then soft bodies.
static inline int rb_mechanism_tail(const Mechanism *m) {
    return m->sticking.states + (m->soft ? rb_mechanism_soft_states(m) : 0);
}
