// SPDX-License-Identifier: MIT
// mechanism.h: what the component of multibody.h is made of while a segment lasts. Private to
// this folder.
#pragma once

#include "collide/box_tree.h"
#include "collide/mesh_distance.h"
#include "rigid/dynamics.h"
#include "rigid/inverse.h"
#include "rigid/loop.h"
#include "rigid/tangent.h"
#include "members/members.h"
#include "multibody/change_part.h"
#include "multibody/contact_part.h"
#include "multibody/crowd_part.h"
#include "multibody/driven_part.h"
#include "multibody/force_part.h"
#include "multibody/groups.h"
#include "multibody/loop_part.h"
#include "multibody/multibody.h"
#include "multibody/step_part.h"
#include "multibody/sticking.h"

// What each subject keeps while a segment lasts is in the header of that subject; a file names the parts that it uses.
typedef struct Mechanism {
    RbArena *arena; // as long as the component
    const RbScene *scene;
    RbGravity gravity; // of the scene, with the parts of bodies
    Members *members;  // NULL: the scene was built in C
    RbDiag *diag;      // of the run
    bool first;        // segment
    RbObject *objects; // of the scene, with their masses; those of the arrangement
    RbStructure structure;
    int *root; // per body: the object that stands for it in pictures
    Groups groups;
    ContactPart contact;
    Sticking sticking;
    ForcePart forces;
    LoopPart loops;
    DrivenPart driven;
    ChangePart change;
    RenewPart renewal;
    EnergyAccount account;
    CrowdPart crowd;
    struct Grains *grains;   // NULL: none
    struct SoftParts *soft;  // NULL: none
    struct RestSearch *rest; // while a start at rest is sought, and afterwards; NULL: it is not
} Mechanism;

// Pairs of meshes (solids.c, solids_room.c).
typedef struct SolidsWork {
    RbMeshOverlap **overlaps; // per pair of solids, NULL: it has none yet (solids_room.c)
    RbArena *rooms[2];        // of them: of two meshes, of a mesh and a round body
    bool room_taken;          // since room was last made ready
    RbMeshMemory *closest;    // per pair
    RbSolidsMemory *memory;   // likewise
    RbSolidsResult *results;  // likewise, of the last evaluation
    int too_deep;             // a pair that has sunk in too far; RB_NONE: none
} SolidsWork;

// Derivatives (jacobian*.c).
typedef struct SlopesWork {
    RbTangents tangents;
    double *response;       // per speed
    double *sides[2];       // accelerations per unit wrench, six columns
    int *first_state;       // per group
    Wrench *element_forces; // per body
} SlopesWork;

// What equations see, and parts that equations move (signals.c, moved.c).
typedef struct SensingWork {
    double *signals;             // components of forces
    double *moved_accelerations; // of the last evaluation, MOVED_ACCELERATIONS each
    Wrench *probes;              // room for one per part
    const Wrench *probe; // NULL, or what acts on each instead of contacts: nothing else is computed
    RbKin sensed;        // for sensors that come before the forces
    double *sensed_states;
} SensingWork;

// One caller's memory.
typedef struct MechanismWork {
    RbKin kin;
    RbDyn dyn;
    Wrench *forces;
    const double *joint_inputs; // of the present evaluation; NULL: all are zero
    double *tau;
    RbMoving *moving; // per body
    double *surface;  // room for one of a flexible part
    // Of the last evaluation:
    RbLedger ledger;
    RbContactPowers powers;
    ContactWork contact;
    SolidsWork solids;
    StepWork step;
    CrowdWork crowd;
    SlopesWork slopes;
    LoopsWork loops;
    DrivenWork driven;
    SensingWork sensing;
    DueActions due;
    struct SoftPartsWork *soft; // NULL: none
} MechanismWork;

// ORDER quadratures; behind them one for each pair whose contacts are results
enum { Q_DAMPING, Q_FRICTION, Q_ROLLING, Q_DAMPERS, Q_INPUT, Q_FALSE_WORK, Q_PRESSING, Q_COUNT };

// Positions and velocities of all bodies from the states, without inertias; of some branches alone.
void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w);
// One group, whose states are in the vector of the component.
void rb_mechanism_move_group(const Mechanism *m, int group, const double *x, MechanismWork *w);
void rb_mechanism_move_in(const Mechanism *m, RbSpan span, const double *x, MechanismWork *w);

// The bodies of a group.
static inline RbSpan rb_mechanism_span(const Mechanism *m, int group) {
    return (RbSpan){m->groups.first_body[group], m->groups.first_body[group + 1]};
}

// Place the bodies; forces of gravity, elements and contacts.
RbEvalStatus rb_mechanism_forces(const Mechanism *m, const RbEval *e, MechanismWork *w);
// Derivatives of the quadratures.
void rb_mechanism_account(const Mechanism *m, const RbEval *e, const MechanismWork *w);

// ---- declare.c
// [m] No point of a core is further from the frame that X_BS leads to.
double rb_core_reach(const RbCore *core, Pose X_BS);
bool rb_mechanism_restore(Mechanism *m, RbLoader *loader); // the scene is known
// knobs.c: restitution and friction as parameters, and a segment with their values.
void rb_mechanism_declare_knobs(Mechanism *m, RbBuild *build);
void rb_members_declare_knobs(Mechanism *m, RbBuild *build);
// Belts of parts (belts.c).
RbBelt rb_mechanism_belt(const RbScene *scene, int object, RbFrame frame);
RbStatus rb_mechanism_start_belts(Mechanism *m, RbSegment *segment);
void rb_mechanism_run_belts(const Mechanism *m, double time, MechanismWork *work);

void rb_mechanism_turn_knobs(const Mechanism *m, const RbSegment *segment, RbContactSetup *setup);

RbStatus rb_mechanism_start(Mechanism *m, RbSegment *segment);
int *rb_mechanism_state_groups(const Mechanism *m,
                               RbArena *arena); // per state of the tree, and bristles
void rb_mechanism_couplings(const Mechanism *m, RbCouplings *couplings);

// ---- jacobian.c

// Where the states of each group are.
void rb_mechanism_number_states(Mechanism *m, RbArena *arena);

// After an evaluation at the same point. All: in the order of the couplings; some groups: dense, by
// columns.
RbEvalStatus rb_mechanism_jacobian(const Mechanism *m, const RbEval *eval, double *values);

// ---- bristle.c

// Which contacts stick in the segment that starts, and their states. Uses what the mechanism knows
// about the last one.
void rb_mechanism_start_bristles(Mechanism *m, RbSegment *segment);
int rb_mechanism_bristle_group(const Mechanism *m, int bristle);
void rb_mechanism_load_bristles(const Mechanism *m, const RbEval *e, MechanismWork *w);
void rb_mechanism_bristle_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w);
void rb_mechanism_save_bristles(const Mechanism *m, RbSaver *saver);
bool rb_mechanism_restore_bristles(Mechanism *m, RbLoader *loader);

// ---- loops.c

// There are cuts in the part of the mechanism that a body belongs to.
bool rb_mechanism_is_cut(const Mechanism *m, int body);
// Groups and start values are known; the latter are moved so that all loops are closed.
// At the start of a segment: parts without mass that loops move get a little.
void rb_mechanism_lend_inertia(Mechanism *m, RbSegment *g);
// Which coordinates the user has fixed, per speed of the tree; not those of the equations.
void rb_mechanism_find_fixed(const Mechanism *m, bool *q_fixed, bool *v_fixed);
RbStatus rb_mechanism_close_loops(Mechanism *m, RbSegment *segment);

// Gravity of the scene, and what each part of a body feels of it.
void rb_mechanism_weigh_parts(Mechanism *m, RbArena *arena);

// Start values that are fixed of parts that joints carry: move the joints there; whether a group has any; and, when equations
// have started the joints that are theirs, see that they hold.
RbStatus rb_mechanism_meet_starts(Mechanism *m, RbSegment *segment);
bool rb_mechanism_has_starts(const Mechanism *m, int group);
void rb_mechanism_check_starts(const Mechanism *m, RbEvent *event);
void rb_mechanism_check_speeds(const Mechanism *m, RbEvent *event);
// Lengths of rods that were measured when loops were closed hold for the run.
void rb_mechanism_keep_lengths(const Mechanism *m);
void rb_mechanism_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena);

// After the accelerations of these branches without their loops.
RbEvalStatus rb_mechanism_hold_loops(const Mechanism *m, const RbEval *e, RbSpan span,
                                     MechanismWork *w);

// The same once more with other accelerations, where everything is as it was.
void rb_mechanism_hold_again(const Mechanism *m, const RbEval *e, int group, MechanismWork *w);

static inline bool rb_mechanism_has_loop(const Mechanism *m, int group) {
    return m->loops.cuts[group].end > m->loops.cuts[group].first;
}

// Does it have flexible bodies?
static inline bool rb_mechanism_bends(const Mechanism *m, int group) {
    for (int i = 0; i < m->structure.tree.modals.count; i++)
        if (m->groups.of[m->structure.tree.modals.data[i].body] == group) return true;
    return false;
}

// Accelerations per unit of something, with what the loops of the group add.
void rb_mechanism_project(const Mechanism *m, int group, MechanismWork *w, double *dv);

// Derivative of the accelerations of a group with loops or flexible bodies by one of its states, wrenches held.
void rb_mechanism_vary_looped(const Mechanism *m, const RbEval *e, int group, MechanismWork *w,
                              int state, double *dv);
// Speeds just after loops are closed by an impulse.
void rb_mechanism_stop_loops(const Mechanism *m, RbKin *kin, RbDyn *dyn, RbArena scratch,
                             double *v);
void rb_mechanism_declare_loops(const Mechanism *m, RbSegment *segment);
// Angles of cut joints are known up to full turns, which are counted: by an integral of their speeds, from their angle at the start.
void rb_mechanism_declare_turns(Mechanism *m, RbSegment *segment);
void rb_mechanism_start_turns(const Mechanism *m, RbEvent *event);
void rb_mechanism_turn_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w);
double *rb_mechanism_record_loops(const Mechanism *m, const RbEval *e, double *out);

// ---- results.c
enum { OBJECT_RESULTS = 6 };
void rb_mechanism_declare_results(const Mechanism *m, RbSegment *segment);
void rb_mechanism_record(const Mechanism *m, const RbEval *eval, double *results);
const char *rb_mechanism_pair_name(const Mechanism *m, int pair, RbArena *arena);

// ---- draw.c
void rb_mechanism_find_roots(Mechanism *m, RbArena *arena);
void rb_mechanism_draw(const Mechanism *m, RbDrawing *drawing);
void rb_mechanism_show(const Mechanism *m, const RbEval *eval, RbPicture *picture);

// What the chosen pairs dissipate. [W]
void rb_mechanism_pair_powers(const Mechanism *m, const RbEval *eval);

// ---- step.c
// [m] way of two elements in an interval of time that the search for contacts does not halve any
// more.
double rb_mechanism_unseen(const RbContactSetup *setup, int a, int b);
double rb_mechanism_inspect(const Mechanism *m, const RbStepView *step, int *indicator, int *sign);

// ---- ball.c
void rb_mechanism_find_balls(Mechanism *m, RbArena *arena);
static inline bool rb_mechanism_is_ball(const Mechanism *m, RbSpan span) {
    return span.end == span.first + 1 && m->groups.balls[m->groups.of[span.first]].is;
}

// The steps of an evaluation for one: where it is and how it moves, its weight, its accelerations.
void rb_ball_move(const Mechanism *m, int body, const double *x, MechanismWork *w);
void rb_ball_weigh(const Mechanism *m, int body, MechanismWork *w);
void rb_ball_accelerate(const Mechanism *m, const RbEval *e, int body, MechanismWork *w);

// ---- mass.c

// [kg] that a force between two bodies feels at a point, along the unit vector n; 0: neither
// yields. All bodies must be in their places.
double rb_mechanism_effective_mass(const Mechanism *m, const RbEvent *event, int body_a, int body_b,
                                   Vec3 point_W, Vec3 n_W);

// ---- rest.c: at the end of a step of a search for a start at rest
// Damping of low restitution as it is in a run, or as the search needs it.
void rb_mechanism_brake_rest(Mechanism *m, bool on);
// Where are the bodies? False: a step was too long.
bool rb_mechanism_follow_rest(Mechanism *m, RbEvent *event);
// Contacts are known: who goes on, without speeds, and who is left as it was given.
void rb_mechanism_settle_rest(const Mechanism *m, RbEvent *event);
// The search has ended: do forces balance?
void rb_mechanism_check_rest(const Mechanism *m, RbEvent *event);

// ---- reach.c

// What equations reach, for given discrete values: the states of the component in these groups.
typedef struct RbReach {
    int *states, count;
    bool *is_speed;
} RbReach;

void rb_mechanism_find_reached(Mechanism *m, RbArena *arena); // at the start of a segment
// See RbIslandTable; and whether an evaluation is that of groups which equations do not reach.
bool rb_mechanism_apart(const Mechanism *m, bool *of_equations);
bool rb_mechanism_is_apart(const Mechanism *m, const RbEval *e);
// Adds what the tree itself couples, too.
RbReach rb_mechanism_reach(const Mechanism *m, RbCouplings *c);

// ---- forces that depend on time or come from outside, and messages

// Forces of time (force_time.c): look for the next jump when a segment begins, and when one was
// reached (false: none was); and the time to ask them for in an evaluation.
void rb_mechanism_start_breaks(Mechanism *m, RbSegment *g);
bool rb_mechanism_pass_break(const Mechanism *m, RbEvent *event, bool all);
double rb_mechanism_force_time(const Mechanism *m, const RbEval *e);

// Warn of bodies that go through what is fixed in the world (passing.c), when a run starts.
void rb_mechanism_tell_passing(const Mechanism *m, const RbEvent *event);

// Warn of bodies that are too thin for a fall, or too light and stiff for the rounding of places (unresolved.c), when a run starts.
void rb_mechanism_tell_unresolved(const Mechanism *m, const RbEvent *event);

// What somebody pulls with, as a force element (pull.c); false: nobody does, or not at the
// groups wanted.
bool rb_mechanism_pulls(const Mechanism *m, const RbEval *e, RbWorldForce *out);

// Names of two objects with those of their contact materials.
#define PAIR_OF "'%s' (%s) and '%s' (%s)"

// Two elements are deeper in each other than contact can describe, in words (too_deep.c); and where the one of two that moves is declared.
enum { RB_TOO_DEEP_SIZE = 640 };
const char *rb_mechanism_too_deep(const Mechanism *m, const double *slots, RbTooDeep deep,
                                  char text[RB_TOO_DEEP_SIZE]);
RbPos rb_mechanism_declared(const Mechanism *m, int element_a, int element_b);

// The stiffest contact (suspect.c), see RbComponentType.
bool rb_mechanism_suspect(const Mechanism *m, const RbEval *e, int state, RbPos *at, char *text,
                          size_t size);

// A loop that is open (doubt.c), see RbComponentType.
bool rb_mechanism_doubt(Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, RbPos *at,
                        char *text, size_t size);

// Energies at an output point: ORDER rb_mechanism_declare_results. [J]
typedef struct RbEnergyBalance {
    double kinetic, potential, elastic;
    double residual;           // what is missing
    double false_work, misfit; // of contact
    double lost, supplied;     // so far; what is supplied may be negative
} RbEnergyBalance;
RbEnergyBalance rb_mechanism_balance(const Mechanism *m, const RbEval *e);

// Names of two objects, time. [s]
#define NO_DISTANCE                                                                                \
    "the distance of '%s' and '%s' at t = %.12g s is not a number: look at the places and shapes " \
    "of both"

// Whether two objects touch in the step cannot be told. at: where one of them is declared. speed: of both together. [m/s]
void rb_mechanism_lost_sight(const RbStepView *step, RbPos at, const char *a, const char *b,
                             double speed);
