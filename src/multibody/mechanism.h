// SPDX-License-Identifier: MIT
// mechanism.h: what the component of multibody.h is made of while a segment lasts. Private to
// multibody*.c.
#pragma once

#include "multibody/dynamics.h"
#include "multibody/multibody.h"

// A contact that sticks: its bristle is three states, world components, behind those of the joints.
typedef struct Bristle {
    int slot;
    double code; // of the contact in the slot
} Bristle;

// Pairs whose flat contact has been told of; others of a run with more of them go without.
enum { MAX_TOLD = 16 };

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
    int *joint_bodies; // per joint force: the body that the joint carries
    int *group;        // per body
    int group_count;
    int *branch;        // per group: its first body
    int *element_start; // per body, and one more: its elements in element_list
    int *element_list;
    RbAabb *fixed_boxes; // per element of the world, in the order of element_list
    double *lever;       // [m] per body: how far a turn by one radian moves a surface, at most
    double *reach;       // [m] per body: largest distance of one of its elements from its origin
    int slots;           // where the contact slots begin in the discrete block
    int slot_version;    // discrete value that changes whenever they do
    int energy_start;    // discrete value: energy at the start
    bool first;          // segment
    Bristle *bristles;
    int bristle_count;
    double told[MAX_TOLD]; // codes of slots
    int told_count;
    // From a checkpoint, for the segment that starts next; in the arena of the scene.
    Bristle *restored;
    int restored_count;
} Mechanism;

// Where a body is during a step of its island: in a ball around its place in the middle.
typedef struct StepBall {
    Vec3 centre;   // [m]
    double radius; // [m]
    double speed;  // [m/s] bound for the speed of its points
} StepBall;

// One caller's memory.
typedef struct MechanismWork {
    RbKin kin;
    RbDyn dyn;
    Wrench *forces;
    double *tau;
    RbMoving *moving; // per body
    Vec3 *bristles;   // per slot
    RbContactState *contacts;
    bool *wanted;    // per body
    double *x;       // states inside a step
    double *speed;   // per body: bound over a step
    StepBall *balls; // per body
    // Which slots are in use, by body: a contact belongs to its first body that moves.
    double slot_version;         // of the discrete block it was made for
    int *slot_start, *slot_list; // per body, and one more
    RbMoving *at_start, *at_end; // per body: at the ends of a step
    // Of the last evaluation:
    RbLedger ledger;
    RbContactPowers powers;
} MechanismWork;

// ORDER quadratures
enum { Q_DAMPING, Q_FRICTION, Q_ROLLING, Q_DAMPERS, Q_INPUT, Q_COUNT };

// Positions and velocities of all bodies from the states; of some branches alone.
void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w);
void rb_mechanism_move_in(const Mechanism *m, RbSpan span, const double *x, MechanismWork *w);

// The bodies of a group.
static inline RbSpan rb_mechanism_span(const Mechanism *m, int group) {
    int first = m->branch[group];
    return (RbSpan){first, m->structure.tree.bodies.data[first].end};
}

// ---- multibody_declare.c
RbStatus rb_mechanism_start(Mechanism *m, RbSegment *segment);
void rb_mechanism_couplings(const Mechanism *m, RbCouplings *couplings);

// ---- multibody_bristle.c

// Which contacts stick in the segment that starts, and their states. Uses what the mechanism knows
// about the last one.
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
double rb_mechanism_inspect(const Mechanism *m, const RbStepView *step, int *indicator, int *sign);

// ---- multibody_island.c
void rb_mechanism_index_elements(Mechanism *m, RbArena *arena);
void rb_mechanism_index_slots(const Mechanism *m, const double *discrete, MechanismWork *w);
void rb_mechanism_links(const Mechanism *m, RbLinks *links);
bool rb_mechanism_watch(const Mechanism *m, const RbStepView *step, RbWatch *found);
double rb_mechanism_watched(const Mechanism *m, const RbStepView *step, const RbWatch *watch,
                            double time);
