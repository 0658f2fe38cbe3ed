// SPDX-License-Identifier: MIT
// mechanism.h: what the component of multibody.h is made of while a segment lasts. Private to multibody*.c.
#pragma once

#include "multibody/dynamics.h"
#include "multibody/multibody.h"

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
} Mechanism;

// One caller's memory.
typedef struct MechanismWork {
    RbKin kin;
    RbDyn dyn;
    Wrench *forces;
    double *tau;
    double *dv;
    RbMoving *moving; // per body
    RbContactState *contacts;
    bool *wanted; // per body
    double *x;     // states inside a step
    double *speed; // per body: bound over a step
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

// ---- multibody_results.c
void rb_mechanism_declare_results(const Mechanism *m, RbSegment *segment);
void rb_mechanism_record(const Mechanism *m, const RbEval *eval, double *results);

// ---- multibody_step.c
double rb_mechanism_inspect(const Mechanism *m, const RbStepView *step, int *indicator, int *sign);
