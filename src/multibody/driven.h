// SPDX-License-Identifier: MIT
// driven.h: joints and parts whose motion belongs to equations: what these see of the mechanism
// and what it sees of them. Private to this folder.
#pragma once

#include "multibody/mechanism.h"

// ---- driven.c
RbStatus rb_driven_start(Mechanism *m, RbSegment *segment);
void rb_driven_open(const Mechanism *m, MechanismWork *w, RbArena *arena);
// Coordinates, speeds and bristles of everything, from the states; driven joints as they were last.
// The states of a group that equations do not reach, in vectors of the tree; and their derivatives, out of these.
const double *rb_driven_group_states(const Mechanism *m, int group, const double *x,
                                     MechanismWork *w);
void rb_driven_group_rates(const Mechanism *m, int group, const MechanismWork *w, double *dx);
const double *rb_driven_states(const Mechanism *m, const double *x, MechanismWork *w);
// Coordinates, and if they are among the inputs speeds, of driven joints come first in these; moved:
// poses and velocities of moved parts, NULL: anywhere.
const double *rb_driven_assemble(const Mechanism *m, const double *x, const double *inputs,
                                 bool speeds, const double *moved, double *full);
RbEvalStatus rb_driven_evaluate(const Mechanism *m, const RbEval *e, int function,
                                const double *inputs, double *outputs);
RbEvalStatus rb_driven_affine(const Mechanism *m, const RbEval *e, int function,
                              const double *inputs, double *A, double *b);
void rb_driven_couplings(const Mechanism *m, const RbReach *r, RbCouplings *c);

// Forces, at the coordinates and speeds among the inputs. The first function of an evaluation computes
// them, whatever was before; the others only if they have other inputs.
RbEvalStatus rb_driven_load(const Mechanism *m, const RbEval *e, bool first, const double *inputs);
// The evaluation with the vectors of the tree.
RbEval rb_driven_full(const RbEval *e, const MechanismWork *w);

// ---- driven_solution.c
void rb_driven_find_row_groups(Mechanism *m, RbArena *arena); // at the start of a segment
// The accelerations of row `row`, whose joints are driven by c - k a: both come after the inputs.
RbEvalStatus rb_driven_solve(const Mechanism *m, const RbEval *e, int row, const double *inputs,
                             double *a);
// Was what moves this group found by the solution of a row?
static inline bool rb_driven_is_solved(const Mechanism *m, const MechanismWork *w, int group) {
    return m->driven.row_of_group[group] >= 0 && w->driven.solved[m->driven.row_of_group[group]];
}

// ---- blows.c
// Discrete values that say which joints are locked, from those of the last segment (NULL: there is none).
void rb_driven_declare_modes(Mechanism *m, RbSegment *segment, const double *old);
// A row that is a residual: its other side, or what its mode says.
void rb_driven_end_row(const Mechanism *m, const RbEval *e, const DrivenRow *row, int i, double *A,
                       double *b);
// Into M and h: pushes, if they act.
void rb_driven_push(const Mechanism *m, MechanismWork *w);
// After a change, with driven joints as fast as they were: momenta per body before it, which are summed
// up here. What a holder of the joints would have to give is left to the blow.
void rb_driven_note_blow(Mechanism *m, const RbKin *kin, Wrench *before, RbArena scratch);
// At the start of the segment after a change: what is behind the joints takes part; joints that are
// locked stop.
void rb_driven_blow(Mechanism *m, RbEvent *event);
// Joints of the scene that are driven; false: why not.
bool rb_driven_lock(Mechanism *m, RbEvent *event, int joint, const RbSceneAction *action,
                    const char **why);
bool rb_driven_unlock(const Mechanism *m, RbEvent *event, int joint, const char **why);
// Joints that have just gone.
void rb_driven_part(const Mechanism *m, RbEvent *event);

// ---- jumps.c
void rb_driven_declare_jumps(Mechanism *m, RbSegment *segment);
// At an event: do places or speeds that equations prescribe jump?
void rb_driven_look_for_jumps(Mechanism *m, RbEvent *event);
double rb_driven_jump_energy(const Mechanism *m, const double *discrete); // [J]

// ---- driven_loops.c
void rb_driven_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena);
// Where loops are, put B and a_0 in the place of M and h. Evaluations with the vectors of the tree.
RbEvalStatus rb_driven_see_loops(const Mechanism *m, const RbEval *full, MechanismWork *w);
// Accelerations of all branches with loops, with what drives them.
RbEvalStatus rb_driven_hold_loops(const Mechanism *m, const RbEval *full, MechanismWork *w);
// At the start: close the loops around driven joints, which are where the equations start them. True: these have been asked
// for other start values.
bool rb_driven_close_loops(const Mechanism *m, RbEvent *event);
// Before the equations look for their start: where driven joints of loops close them.
void rb_driven_start_loops(const Mechanism *m, RbSegment *g);
// Does a group have driven joints whose rows say what they do, not what they need?
bool rb_driven_is_looped(const Mechanism *m, int group);
// Do joints of loops belong to equations? Then states are put on the loops before they are seen.
bool rb_driven_has_loops(const Mechanism *m);
void rb_driven_open_near(const Mechanism *m, MechanismWork *w, RbArena *arena);
bool rb_driven_project(const Mechanism *m, RbProjection *projection);

// ---- moved.c
// Where the moved parts are in the tree; room for them; their coordinates and speeds in the vectors of
// the tree.
void rb_moved_place(Mechanism *m);
void rb_moved_open(const Mechanism *m, MechanismWork *w, RbArena *arena);
void rb_moved_load(const Mechanism *m, const double *moved, double *full);
// What acts on them, and what it brings them. [W]
double *rb_moved_forces(const Mechanism *m, const MechanismWork *w, double *outputs);
double rb_moved_power(const Mechanism *m, const MechanismWork *w);
// [1/kg] how fast unit forces n on the second and -n on the first of two bodies accelerate them apart,
// as far as they are moved parts: the equations are asked.
double rb_moved_parting(const Mechanism *m, const RbEvent *event, const int bodies[2], Vec3 point_W,
                        Vec3 n_W);
