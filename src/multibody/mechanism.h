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
#include "multibody/breaks.h"
#include "members/members.h"
#include "multibody/multibody.h"

// A contact that sticks: its bristle is three states, world components, behind those of the joints.
typedef struct Bristle {
    int slot;    // of meshes: -1 - 2 x pair for the slide, one less for the twist
    double code; // of the contact in the slot
} Bristle;

// A spring, bushing or force between two bodies: it belongs to the group of the first that moves.
typedef enum ForceKind {
    FORCE_SPRING,
    FORCE_BUSHING,
    FORCE_WORLD_FORCE,
    FORCE_JOINT_FORCE,
    FORCE_SOLIDS
} ForceKind;

typedef struct GroupForce {
    ForceKind kind;
    int index; // in the scene
    int other; // group of the other body; -1: none, or the same
} GroupForce;

// A group that is one ball, see ball.c.
typedef struct Ball {
    bool is;
    double mass;    // [kg]
    double inertia; // [kg m2]
} Ball;

// Where the states of a group are (coordinates, speeds, bristles), and its own derivatives in the
// values of the Jacobian.
typedef struct GroupStates {
    int q, nq, v, nv; // first and number, in the vectors of the tree
    int count;        // of all
    long rates;       // of the coordinates
    long block;       // rows of speeds and bristles
} GroupStates;

// Pairs whose flat contact has been told of; others of a run with more of them go without.
enum { MAX_TOLD = 16 };

// Scale of the positions of a body, by its root (declare.c).
typedef struct BodyScale {
    uint64_t elements; // that it has
    double mass;       // [kg]
    double scale;      // [m]
} BodyScale;

// The component's own memory.
// Two materials of a scene: what the palette says, and the parameters that may say otherwise.
enum { RB_KNOB_MATERIALS = 8 };
typedef struct RbContactKnob {
    const char *a, *b;
    double restitution, friction;
    int restitution_number, friction_number; // RB_NONE: it has none
} RbContactKnob;

typedef struct Mechanism {
    RbArena *arena; // as long as the component
    const RbScene *scene;
    RbGravity gravity; // of the scene, with the parts of bodies
    RB_ARRAY(RbContactKnob) knobs;
    Members *members; // NULL: the scene was built in C
    // For the running segment:
    RbObject *objects; // of the scene, with their masses; those of the arrangement
    RbArrangement arrangement;
    const RbScene *arranged;      // the scene whose memory it is in
    RbPlaces places;              // per object: where it was when the structure changed
    bool *has_moved;              // per object: in this segment or before
    BodyScale *scales;            // per object
    const char **names;           // of its results, made once: OBJECT_RESULTS per object
    bool changed;                 // the next segment starts from these
    bool was_changed;             // this one did
    struct SavedStructure *saved; // from a checkpoint, for the first segment
    double *saved_lengths;        // likewise: per joint, of rods that were measured; NULL: none
    bool knows_lengths;           // they came from there
    bool contact_off;             // an action has switched contact off for this segment
    int next_action;              // discrete value: number of the action that comes next
    int programs;                 // discrete values of programs (programs.c)
    int *paths;                   // per path: where its discrete values begin
    int structure_energy[3];      // discrete values, ORDER structure energies
    double energy_before, removed_before, impact; // [J] when the structure changed
    double driven_work;                           // [J] that drives put in at that instant
    int modes;                      // discrete values per driven coordinate (blows.c)
    int *row_of_group;              // whose joints it has; RB_NONE: no driven ones
    double *blow;                   // per driven coordinate: impulse that nothing has taken yet
    const RbSceneAction *caught_by; // the last action that has locked a driven joint
    RbStructure structure;
    int *own; // where the states are in the vectors of the tree, without bristles; NULL: no joint
              // belongs to the equations, and they are these vectors
    int own_count;
    int *own_place;           // the other way round: per state of the tree; -1: in the equations
    RbContactSetup *contacts; // NULL: no contact
    bool had_contacts;        // in the segment before
    int *owners;              // per element: object
    int *root;                // per body: the object that stands for it in pictures
    RbSpring *springs;
    RbBushing *bushings;
    RbWorldForce *world_forces;
    RbJointForce *joint_forces;
    RbSolidsForce *solids;
    int touching; // discrete values per pair of solids: 1 if it touches, effective mass of the contact
    int *joint_bodies;        // per joint force: the body that the joint carries
    int *joint_inputs;        // per joint force: number of its input, RB_NONE: it has none
    GroupForce *group_forces; // all of these, by group
    int *group_force_start;   // per group, and one more
    int *group;               // per body
    int group_count;
    bool *reached;      // per group: equations drive, push or measure something of it
    int *branch;        // per group, and one more: its first body
    RbCutRange *cuts;   // per group: joints that close its loops
    Ball *balls;        // per group
    int *element_start; // per body, and one more: its elements in element_list
    int *element_list;
    RbAabb *fixed_boxes; // per element of the world, in the order of element_list
    double *lever;       // [m] per body: how far a turn by one radian moves a surface, at most
    double skin;         // [m] of crowds: pairs nearer than this are in slots
    bool kicks;          // crowds can move by kicks (kicks.c)
    double *reach;       // [m] per body: largest distance of one of its elements from its origin
    int slots;           // where the contact slots begin in the discrete block
    int slot_version;    // discrete value that changes whenever they do
    int energy_start;    // discrete value: energy at the start
    int energy_jumps;    // likewise: brought in where prescribed speeds jump (jumps.c)
    int turn_starts;     // discrete values per cut: its angle at the start
    int turns;           // quadratures per cut: how far it has turned since
    bool has_time;       // some force may depend on time
    int break_since;     // then, discrete value: last time at which forces jumped [s]
    int break_until;     // discrete value: the next one
    RbBreaks breaks;     // where they are looked for
    bool first;          // segment
    bool loops_closed;   // where the equations start their joints, too
    Bristle *bristles;
    int bristle_count;
    int *bristle_list;  // bristles by group
    int *bristle_start; // per group, and one more
    GroupStates *group_states;
    int *bristle_row;      // per bristle: first of its states in its group
    long block_count;      // values of all groups by themselves
    double told[MAX_TOLD]; // codes of slots
    int told_count;
    struct Grains *grains;  // NULL: none
    struct SoftParts *soft; // NULL: none
    RbPull pull;            // by somebody outside
    struct RestSearch *rest; // while a start at rest is sought, and afterwards; NULL: it is not
    RbDiag *diag;           // of the run
    // From a checkpoint, for the segment that starts next.
    Bristle *restored;
    int restored_count;
    RbLoader *waiting; // a checkpoint for the scene that is made next; NULL: none
} Mechanism;

// Where a body is during a step of its island: in a ball around its place in the middle.
typedef struct StepBall {
    Vec3 centre;   // [m]
    double radius; // [m]
    double speed;  // [m/s] bound for the speed of its points
} StepBall;

// Where a group was placed last, while the steps of islands are looked at.
typedef struct Placed {
    long look;   // number of the look
    double time; // [s]
} Placed;

// A body in a crowd: where it was when the near pairs were listed (crowd.c).
typedef struct CrowdBody {
    long stamp;   // of the list; 0: the body is in no crowd
    Vec3 listed;  // [m] its place then
    double speed; // [m/s] at the end of its last step
} CrowdBody;

// Which slots are in use, by body.
typedef struct SlotIndex {
    double version; // of the discrete block it was made for
    int *first;     // per body: its first slot, -1: none
    int *next;      // per slot: the next one of the same body
    uint64_t *used; // a bit per slot
    int *list;      // work space
} SlotIndex;

// Actions that come at the present instant, in their order.
typedef struct DueActions {
    const RbSceneAction **list;
    int count;
} DueActions;

// One caller's memory.
typedef struct MechanismWork {
    RbKin kin;
    RbDyn dyn;
    Wrench *forces;
    const double *joint_inputs; // of the present evaluation; NULL: all are zero
    double *tau;
    RbMeshOverlap *overlaps;       // per pair of solids
    RbMeshMemory *closest;         // likewise
    RbSolidsMemory *solids;        // likewise
    RbSolidsResult *solid_results; // likewise, of the last evaluation
    int too_deep;                  // a pair that has sunk in too far; RB_NONE: none
    RbMoving *moving;              // per body
    Vec3 *bristles;                // per slot
    RbContactState *contacts;
    RbContactWork search;
    bool *wanted;    // per body
    double *x;       // states inside a step
    double *speed;   // per body: bound over a step
    StepBall *balls; // per body
    // Boxes around the balls of all bodies, item = body, and of what is fixed, item = number of
    // bodies + place in element_list.
    RbBoxTree near;
    long look;
    Placed *placed;          // per group
    int *found, found_count; // items that a search has found
    CrowdBody *crowd;        // per body
    struct KickWork *kicks;  // NULL: none
    long crowd_stamp;        // the last one given
    SlotIndex slots;
    RbMoving *at_start, *at_end; // per body: at the ends of a step
    double end_time;             // [s] of the last step that was inspected
    // Of the last evaluation of the indicators:
    double nearest;      // [m] smallest distance of bodies that do not touch
    double nearest_time; // [s]
    // For the Jacobian:
    RbTangents tangents;
    double *response;       // per speed
    double *sides[2];       // accelerations per unit wrench, six columns
    int *first_state;       // per group
    Wrench *element_forces; // per body
    // For loops: and the same at states nearby, for their derivatives.
    RbLoopWork loops, shifted_loops;
    Wrench *before_loops, *shifted_forces; // per body
    RbKin shifted_kin;
    RbDyn shifted_dyn;
    double *shifted_x, *shifted_dv[2];
    DueActions due;
    // With joints that belong to the equations:
    double *full, *full_rates; // vectors of the tree, and bristles
    double *inputs;            // coordinates and speeds of these joints, signals
    double *inputs_before, energy_before; // without signals, and [J]: before the present event
    double *M, *h;             // what the equations see, in the order of dyn.driven
    bool seen;                 // these are those of the present inputs
    double *added;             // per speed: inertia of what drives a joint, while a row is solved
    bool *solved;              // per row: its joints were accelerated by its solution
    double *held_tau;          // per joint of the row: room
    int *place;                // per driven coordinate: there
    double *drive;             // likewise: what drives it, with the accelerations of motion
    double *accelerations;     // likewise: these
    double *pushes;            // likewise: forces besides those that there are
    const double *push;        // NULL, or these: they act
    double *yield_unit;        // room for driven joints in loops, see driven_loops.c
    int *yield_list;
    // Per driven coordinate, then speed: where it was, where the mechanism wished it to start, and whether that was in vain.
    double *start_seen, *start_wish;
    bool *start_said;
    bool start_wished; // in the present pass
    RbLoopNear loop_near; // likewise, to put states on the loops
    double *loop_states;  // coordinates and speeds; NULL: there are no such loops
    RbInverse inverse;
    double *signals; // components of forces
    // With parts that equations move:
    double *moved_accelerations; // of the last evaluation, MOVED_ACCELERATIONS each
    Wrench *probes;              // room for one per part
    const Wrench *probe; // NULL, or what acts on each instead of contacts: nothing else is computed
    const Wrench *press; // NULL, or what acts on each body instead of elements and contacts
    Wrench *presses;     // room for it
    RbKin sensed;        // for sensors that come before the forces
    double *sensed_states;
    // Of the last evaluation:
    RbLedger ledger;
    RbContactPowers powers;
    struct SoftPartsWork *soft; // NULL: none
} MechanismWork;

// ORDER quadratures; behind them one for each pair whose contacts are results
enum { Q_DAMPING, Q_FRICTION, Q_ROLLING, Q_DAMPERS, Q_INPUT, Q_FALSE_WORK, Q_COUNT };

// Positions and velocities of all bodies from the states, without inertias; of some branches alone.
void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w);
// One group, whose states are in the vector of the component.
void rb_mechanism_move_group(const Mechanism *m, int group, const double *x, MechanismWork *w);
void rb_mechanism_move_in(const Mechanism *m, RbSpan span, const double *x, MechanismWork *w);

// The bodies of a group.
static inline RbSpan rb_mechanism_span(const Mechanism *m, int group) {
    return (RbSpan){m->branch[group], m->branch[group + 1]};
}

// Place the bodies; forces of gravity, elements and contacts.
RbEvalStatus rb_mechanism_forces(const Mechanism *m, const RbEval *e, MechanismWork *w);
// Derivatives of the quadratures.
void rb_mechanism_account(const Mechanism *m, const RbEval *e, const MechanismWork *w);

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
    return m->row_of_group[group] >= 0 && w->solved[m->row_of_group[group]];
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

// ---- declare.c
// [m] No point of a core is further from the frame that X_BS leads to.
double rb_core_reach(const RbCore *core, Pose X_BS);
bool rb_mechanism_restore(Mechanism *m, RbLoader *loader); // the scene is known
// knobs.c: restitution and friction as parameters, and a segment with their values.
void rb_mechanism_declare_knobs(Mechanism *m, RbBuild *build);
void rb_members_declare_knobs(Mechanism *m, RbBuild *build);
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

// ---- structure.c

// ORDER structure energies: lost in plastic impacts, taken away with parts and contacts, handed over to
// drives by impacts (if there are any)
enum { STRUCTURE_IMPACT, STRUCTURE_REMOVED, STRUCTURE_DRIVES };
static inline int rb_mechanism_structure_energies(const Mechanism *m) {
    return !rb_scene_acts(m->scene) ? 0 : m->own ? 3 : 2;
}

// What holds what: made in the first segment, changed by actions.
RbStatus rb_mechanism_arrange(Mechanism *m, RbSegment *segment);
// After a change: coordinates from places, speeds from the balance of momentum.
RbStatus rb_mechanism_resettle(Mechanism *m, RbSegment *segment, double *impact);
void rb_mechanism_declare_structure(Mechanism *m, RbSegment *segment, double impact);
// A part that stands still because it was attached to the world, and has a place as a result.
bool rb_mechanism_has_moved(const Mechanism *m, int object);
// [J] kinetic, potential and elastic, now
double rb_mechanism_energy(const Mechanism *m, const RbEvent *event);
// Where all objects of a structure are and how they move.
void rb_mechanism_find_places(const RbStructure *structure, const double *q, const double *v,
                              RbKin *kin, RbPlaces *places);
// At the start of the segment after a change: what parts and contacts took away.
void rb_mechanism_settle_account(Mechanism *m, RbEvent *event);

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

// ---- hold_forces.c

// [N] By which a rod is pressed: at the ball, or with a mass at frame_a.
double rb_rod_force(const Mechanism *m, const MechanismWork *w, int member);
// [N] What the ground exerts on a wheel: 0: ahead, 1: aside, 2: upwards.
double rb_wheel_force(const Mechanism *m, const MechanismWork *w, int member, int which);

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
// Lengths of rods that were measured when loops were closed hold for the run.
void rb_mechanism_keep_lengths(const Mechanism *m);
void rb_mechanism_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena);

// After the accelerations of these branches without their loops.
RbEvalStatus rb_mechanism_hold_loops(const Mechanism *m, const RbEval *e, RbSpan span,
                                     MechanismWork *w);

// The same once more with other accelerations, where everything is as it was.
void rb_mechanism_hold_again(const Mechanism *m, const RbEval *e, int group, MechanismWork *w);

static inline bool rb_mechanism_has_loop(const Mechanism *m, int group) {
    return m->cuts[group].end > m->cuts[group].first;
}

// Accelerations per unit of something, with what the loops of the group add.
void rb_mechanism_project(const Mechanism *m, int group, MechanismWork *w, double *dv);

// Derivative of the accelerations of a group with loops by one of its states, wrenches held.
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

// ---- solids.c: pairs of meshes
enum { SOLIDS_TOUCH, SOLIDS_MASS, SOLIDS_VALUES }; // discrete values of a pair

void rb_mechanism_declare_solids(Mechanism *m, RbSegment *g);
// Force of a pair on its bodies, if it touches; how its bristle changes goes to w->solid_results.
void rb_mechanism_push_solids(const Mechanism *m, const RbEval *e, int pair, MechanismWork *w);
// After all of them: are two too deep in each other?
RbEvalStatus rb_mechanism_check_solids(const Mechanism *m, const RbEval *e, const MechanismWork *w);
// All regions of a pair that touches as one contact, from the first object to the second, as sensors, results and callers
// see it: at their common centroid, as deep as the volume over the area. Without what only laws at a point have.
RbContactState rb_mechanism_solids_contact(const Mechanism *m, const MechanismWork *w, int pair);
// At an event: has any pair changed, or the one that was watched?
bool rb_mechanism_solids_event(const Mechanism *m, RbEvent *event);

// Does a pair touch, as the last event found? If not there is no force, and nothing to look for.
static inline bool rb_mechanism_solids_touch(const Mechanism *m, const double *discrete, int pair) {
    return discrete[m->touching + SOLIDS_VALUES * pair + SOLIDS_TOUCH] > 0;
}

// ---- solids_step.c: the first time in a step at which a pair of meshes starts to touch or has
// parted; INFINITY: none.
double rb_mechanism_inspect_solids(const Mechanism *m, const RbStepView *step);
// [m] Distance of a pair as it is placed now, up to `limit`; if they overlap, how deep with a minus: 2 V/S. One
// inside the other counts as apart: it never touched.
double rb_mechanism_solids_gap(const RbSolidsForce *f, MechanismWork *w, double limit);
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

double rb_mechanism_inspect(const Mechanism *m, const RbStepView *step, int *indicator, int *sign);

// ---- grains.c

RbStatus rb_mechanism_start_grains(Mechanism *m, RbSegment *segment);
// [s] When grains and bodies exchange forces next; INFINITY: never.
double rb_mechanism_grains_time(const Mechanism *m, const double *discrete);
// If an exchange is due. True: loads on bodies have jumped.
bool rb_mechanism_advance_grains(const Mechanism *m, RbEvent *event);
// Is nothing to be computed any more?
bool rb_mechanism_grains_end(const Mechanism *m);
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

// ---- soft.c: soft bodies; their states come last, behind the bristles

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
    return 3 * m->bristle_count + (m->soft ? rb_mechanism_soft_states(m) : 0);
}

// ---- ball.c
void rb_mechanism_find_balls(Mechanism *m, RbArena *arena);
static inline bool rb_mechanism_is_ball(const Mechanism *m, RbSpan span) {
    return span.end == span.first + 1 && m->balls[m->group[span.first]].is;
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
// Where are the bodies? False: a step was too long.
bool rb_mechanism_follow_rest(Mechanism *m, RbEvent *event);
// Contacts are known: who goes on, without speeds, and who is left as it was given.
void rb_mechanism_settle_rest(const Mechanism *m, RbEvent *event);
// The search has ended: do forces balance?
void rb_mechanism_check_rest(const Mechanism *m, RbEvent *event);

// ---- slots.c

// Is the pair in a slot one that can still touch, after a change of structure?
bool rb_mechanism_slot_lives(const Mechanism *m, const double *slots, int slot);
void rb_slot_index_open(const Mechanism *m, SlotIndex *index, RbArena *arena);
void rb_slot_index_update(const Mechanism *m, const double *discrete, SlotIndex *index);
void rb_slot_index_add(const Mechanism *m, SlotIndex *index, int slot, int a, int b);
void rb_slot_index_remove(const Mechanism *m, SlotIndex *index, int slot, int a, int b);

// The slot of a pair of elements, the first free one; RB_SLOT_NONE: there is none.
int rb_slot_index_find(const Mechanism *m, const SlotIndex *index, const double *slots, int a,
                       int b);
int rb_slot_index_free(const Mechanism *m, const SlotIndex *index);

// Slots of the bodies of a span; answers how many.
int rb_slot_index_gather(const SlotIndex *index, RbSpan span, int *list);

// ---- links.c
void rb_mechanism_index_links(Mechanism *m, RbArena *arena);
void rb_mechanism_links(const Mechanism *m, RbLinks *links);

// Names of two objects with those of their contact materials; and the latter alone.
#define PAIR_OF "'%s' (%s) and '%s' (%s)"
#define ADD_PAIR                                                                                   \
    "add the pair [\"%s\", \"%s\"] to a material file, or a Rattleback.Materials.Pair to the "     \
    "model"

// Names of two objects, depth and limit [m].
#define TOO_DEEP                                                                                   \
    "'%s' and '%s' penetrate each other by %g m, more than the elastic law can describe (%g m); "  \
    "the impact is too hard for these materials and shapes"

// Names of two objects, time. [s]
#define NO_DISTANCE                                                                                \
    "the distance of '%s' and '%s' at t = %.12g s is not a number: look at the places and shapes " \
    "of both"

// ---- island.c
void rb_mechanism_index_elements(Mechanism *m, RbArena *arena);
void rb_mechanism_open_near(const Mechanism *m, MechanismWork *w, RbArena *arena);

bool rb_mechanism_watch(const Mechanism *m, const RbStepView *step, RbWatch *found);
double rb_mechanism_watched(const Mechanism *m, const RbStepView *step, const RbWatch *watch,
                            double time);

// ---- crowd.c

// How near is near, once the balls are known; 0: there are no crowds.
void rb_mechanism_measure_crowds(Mechanism *m);

// Forces of time (force_time.c): look for the next jump when a segment begins, and when one was
// reached (false: none was); and the time to ask them for in an evaluation.
void rb_mechanism_start_breaks(Mechanism *m, RbSegment *g);
bool rb_mechanism_pass_break(const Mechanism *m, RbEvent *event, bool all);
double rb_mechanism_force_time(const Mechanism *m, const RbEval *e);

// Warn of bodies that go through what is fixed in the world (passing.c), when a run starts.
void rb_mechanism_tell_passing(const Mechanism *m, const RbEvent *event);

// What somebody pulls with, as a force element (pull.c); false: nobody does, or not at the
// groups wanted.
bool rb_mechanism_pulls(const Mechanism *m, const RbEval *e, RbWorldForce *out);

// No body is in one any more.
void rb_mechanism_forget_crowds(const Mechanism *m, MechanismWork *w);

// Groups that may be one island of any size.
bool rb_mechanism_may_crowd(const Mechanism *m, const int *groups, int count);

// The event of a crowd, or of a body that joins one; answers how many near pairs there are more or
// less.
int rb_mechanism_renew_crowd(const Mechanism *m, RbEvent *event, bool *parted);

// ---- kick_links.c, kicks.c
void rb_kicks_measure(Mechanism *m); // at the start of a segment: is it for this scene?
void rb_kicks_open(const Mechanism *m, MechanismWork *w, RbArena *arena);
bool rb_crowd_advances(const Mechanism *m, const int *groups, int count, double tolerance);
RbTooDeep rb_crowd_advance(const Mechanism *m, RbAdvance *advance);
