// SPDX-License-Identifier: MIT
// sensing.h: what equations and results see of the members of a model. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- contact_values.c
// What contact sensors show after the forces were computed: for equations, as results. Quadratures: what
// the contacts of each have dissipated.
void rb_members_contact_values(const Mechanism *m, const RbEval *e, double *outputs);
void rb_members_declare_contact_results(const Mechanism *m, RbSegment *segment);
double *rb_members_record_contacts(const Mechanism *m, const RbEval *e, double *out);
void rb_members_declare_contact_energies(const Mechanism *m, RbSegment *segment, int first);
void rb_members_contact_powers(const Mechanism *m, const RbEval *e, double *dq);

// ---- cut.c
// The wrench that joint number `joint` of the scene transmits from its first object to its second, after
// an evaluation of accelerations: world components, about `point`. False: it holds nothing at present.
bool rb_mechanism_transmits(const Mechanism *m, const MechanismWork *w, int joint, Vec3 point_W,
                            Wrench *out);
// Force [N], torque [N m] and power [W] that go through a cut sensor, in `axes`.
typedef struct CutValues {
    Vec3 force, torque;
    double power;
} CutValues;
CutValues rb_members_cut(const Mechanism *m, const MechanismWork *w, int member, RbFrame at,
                         RbFrame axes);

// ---- publish.c: results of bodies under the names of the standard library
void rb_members_declare_published(const Mechanism *m, RbSegment *segment);
double *rb_members_record_published(const Mechanism *m, const RbEval *e, double *out);

// ---- signals.c
void rb_members_add_forces(const Mechanism *m, MechanismWork *w);
RbEvalStatus rb_members_sense(const Mechanism *m, const RbEval *e, int number, const double *inputs,
                              double *outputs);
void rb_members_declare_results(const Mechanism *m, RbSegment *segment);
double *rb_members_record(const Mechanism *m, const RbEval *e, double *out);
void rb_members_couplings(const Mechanism *m, const RbReach *r, RbCouplings *c);

// ---- hold_forces.c

// [N] By which a rod is pressed: at the ball, or with a mass at frame_a.
double rb_rod_force(const Mechanism *m, const MechanismWork *w, int member);
// [N] What the ground exerts on a wheel: 0: ahead, 1: aside, 2: upwards.
double rb_wheel_force(const Mechanism *m, const MechanismWork *w, int member, int which);
