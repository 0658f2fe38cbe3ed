// SPDX-License-Identifier: MIT
// mechanism.h: what the component of multibody.h is made of while a segment lasts. Private to multibody*.c.
#pragma once

#include "multibody/dynamics.h"
#include "multibody/multibody.h"

// A contact that sticks: its bristle is three states, world components, behind those of the joints.
typedef struct Bristle {
    int slot;
    double code; // of the contact in the slot
} Bristle;

// The component's own memory.
typedef struct Mechanism {
    const RbScene *scene;
    // For the running segment:
    RbObject *objects; // of the scene, with their masses
    RbStructure structure;
    RbContactSetup *contacts; // NULL: no contact
    int *owners;              // per element: object
    RbSpring *springs;
    RbBushing *bushings;
    RbWorldForce *world_forces;
    RbJointForce *joint_forces;
    int *group;               // per body
    int group_count;
    double *reach;            // [m] per body: largest distance of one of its elements from its origin
    int slots;                // where the contact slots begin in the discrete block
    int energy_start;         // discrete value: energy at the start
    bool first;               // segment
    Bristle *bristles;
    int bristle_count;
    // From a checkpoint, for the segment that starts next; in the arena of the scene.
    Bristle *restored;
    int restored_count;
} Mechanism;

// One caller's memory.
typedef struct MechanismWork {
    RbKin kin;
    RbDyn dyn;
    Wrench *forces;
    double *tau;
    double *dv;
    RbMoving *moving; // per body
    Vec3 *bristles;   // per slot
    RbContactState *contacts;
    bool *wanted; // per body
    double *x;     // states inside a step
    double *speed; // per body: bound over a step
    RbMoving *at_start, *at_end; // per body: at the ends of a step
    // Of the last evaluation:
    RbLedger ledger;
    RbContactPowers powers;
} MechanismWork;

// ORDER quadratures
enum { Q_DAMPING, Q_FRICTION, Q_ROLLING, Q_DAMPERS, Q_INPUT, Q_COUNT };

// Positions and velocities of all bodies from the states.
void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w);

// ---- multibody_declare.c
RbStatus rb_mechanism_start(Mechanism *m, RbSegment *segment);
void rb_mechanism_couplings(const Mechanism *m, RbCouplings *couplings);

// ---- multibody_bristle.c

// Which contacts stick in the segment that starts, and their states. Uses what the mechanism knows about the last one.
void rb_mechanism_start_bristles(Mechanism *m, RbSegment *segment);
int rb_mechanism_bristle_group(const Mechanism *m, int bristle);
void rb_mechanism_load_bristles(const Mechanism *m, const double *x, MechanismWork *w);
void rb_mechanism_bristle_rates(const Mechanism *m, const MechanismWork *w, double *dx);
void rb_mechanism_save_bristles(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_bristles(Mechanism *m, RbLoader *loader);

// ---- multibody_results.c
void rb_mechanism_declare_results(const Mechanism *m, RbSegment *segment);
void rb_mechanism_record(const Mechanism *m, const RbEval *eval, double *results);

// ---- multibody_step.c
double rb_mechanism_inspect(const Mechanism *m, const RbStep *step, int *indicator, int *sign);
