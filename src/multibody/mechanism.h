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

// A contact that sticks: its bristle is three states, world components, behind those of the joints; where it presses over a patch a fourth
// one, of twisting.
typedef struct Bristle {
    int slot;      // RB_NONE: a triple of meshes, in a seat
    double code;   // of the contact in the slot
    int at, count; // its states, from the first of all bristles on
} Bristle;

// Six states for the bristle of two meshes, its slide and its twist: two triples behind all other bristles (seats.c).
typedef struct Seat {
    int group;
    int owner; // pair that has it for good; RB_NONE: whichever of the group needs it
} Seat;

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
    double pressed_before;                        // [J] pressed_start less what patches stored
    double lent_before;                           // [J] lent_start less what laws without potential stored
    double driven_work;                           // [J] that drives put in at that instant
    int modes;                                    // discrete values per driven coordinate (blows.c)
    int *row_of_group;                            // whose joints it has; RB_NONE: no driven ones
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
    int touching;             // discrete values per pair of solids (touching_solids.h)
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
    bool *loose;        // per group: a free body of any convex shapes
    int *element_start; // per body, and one more: its elements in element_list
    int *element_list;
    RbAabb *fixed_boxes; // per element of the world, in the order of element_list
    double *lever;       // [m] per body: how far a turn by one radian moves a surface, at most
    double skin;         // [m] of crowds: pairs nearer than this are in slots
    bool *crowds;        // per group: it can be in a crowd
    bool *kicks;         // per group: in one that moves by kicks (kicks.c)
    double tolerance;    // that crowds are asked for
    int calm;            // discrete values per group: it hardly moves (crowd.c)
    const double *linked; // discrete values for which links were asked last
    double *reach;       // [m] per body: largest distance of one of its elements from its origin
    int slots;           // where the contact slots begin in the discrete block
    int slot_version;    // discrete value that changes whenever they do
    int energy_start;    // discrete value: energy at the start
    int pressed_start;   // discrete value: what patches stored then, and what actions changed of it
    int lent_start;      // likewise by laws without potential
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
    int bristle_states; // of all of them
    int first_seat;     // the first of the bristles in seats
    Seat *seats;
    int seat_count;
    int *start_seats;   // per pair of solids: where it sits when the segment begins, or RB_NONE
    int *bristle_list;  // bristles by group
    int *bristle_start; // per group, and one more
    GroupStates *group_states;
    int *bristle_of_slot;  // RB_NONE: it has none
    int *bristle_row;      // per bristle: first of its states in its group
    long block_count;      // values of all groups by themselves
    double told[MAX_TOLD]; // codes of slots
    int told_count;
    struct Grains *grains;   // NULL: none
    struct SoftParts *soft;  // NULL: none
    RbPull pull;             // by somebody outside
    struct RestSearch *rest; // while a start at rest is sought, and afterwards; NULL: it is not
    RbDiag *diag;            // of the run
    // From a checkpoint, for the segment that starts next.
    Bristle *restored;
    int restored_count;
    Seat *restored_seats;
    int restored_seat_count;
    RbLoader *waiting; // a checkpoint for the scene that is made next; NULL: none
    // Parameters of members that were changed (renew.c):
    const RbScene *next_scene; // with them, for the segment that starts next; NULL: none were
    RbArena *next_arena, *scene_arena, *last_arena; // of that scene, the present one and the last; NULL: that of the start
    long member_changes; // of the instance, that the scene knows
    bool was_renewed;    // this segment began with other parameters
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
    Mat3 turned;  // likewise, unless it is a ball
    double speed; // [m/s] at the end of its last step
    bool barred;  // it is linked with what cannot be in a crowd
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
    RbMeshOverlap **overlaps;      // per pair of solids, NULL: it has none yet (solids_room.c)
    RbArena *rooms[2];             // of them: of two meshes, of a mesh and a round body
    bool room_taken;               // since room was last made ready
    RbMeshMemory *closest;         // likewise
    RbSolidsMemory *solids;        // likewise
    RbSolidsResult *solid_results; // likewise, of the last evaluation
    int too_deep;                  // a pair that has sunk in too far; RB_NONE: none
    RbMoving *moving;              // per body
    RbBristle *bristles;           // per slot
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
    double *full, *full_rates;            // vectors of the tree, and bristles
    double *inputs;                       // coordinates and speeds of these joints, signals
    double *inputs_before, energy_before; // without signals, and [J]: before the present event
    double *M, *h;                        // what the equations see, in the order of dyn.driven
    bool seen;                            // these are those of the present inputs
    double *added;         // per speed: inertia of what drives a joint, while a row is solved
    bool *solved;          // per row: its joints were accelerated by its solution
    double *held_tau;      // per joint of the row: room
    int *place;            // per driven coordinate: there
    double *drive;         // likewise: what drives it, with the accelerations of motion
    double *accelerations; // likewise: these
    double *pushes;        // likewise: forces besides those that there are
    const double *push;    // NULL, or these: they act
    double *yield_unit;    // room for driven joints in loops, see driven_loops.c
    int *yield_list;
    // Per driven coordinate, then speed: where it was, where the mechanism wished it to start, and whether that was in vain.
    double *start_seen, *start_wish;
    bool *start_said;
    bool start_wished;    // in the present pass
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
enum { Q_DAMPING, Q_FRICTION, Q_ROLLING, Q_DAMPERS, Q_INPUT, Q_FALSE_WORK, Q_PRESSING, Q_COUNT };

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

// Does it have flexible bodies?
static inline bool rb_mechanism_bends(const Mechanism *m, int group) {
    for (int i = 0; i < m->structure.tree.modals.count; i++)
        if (m->group[m->structure.tree.modals.data[i].body] == group) return true;
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
bool rb_mechanism_doubt(const Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, RbPos *at,
                        char *text, size_t size);

// Energies at an output point: ORDER rb_mechanism_declare_results. [J]
typedef struct RbEnergyBalance {
    double kinetic, potential, elastic;
    double residual;            // what is missing
    double false_work, misfit;  // of contact
    double lost, supplied;      // so far; what is supplied may be negative
} RbEnergyBalance;
RbEnergyBalance rb_mechanism_balance(const Mechanism *m, const RbEval *e);

// Names of two objects, time. [s]
#define NO_DISTANCE                                                                                \
    "the distance of '%s' and '%s' at t = %.12g s is not a number: look at the places and shapes " \
    "of both"

// Whether two objects touch in the step cannot be told. at: where one of them is declared. speed: of both together. [m/s]
void rb_mechanism_lost_sight(const RbStepView *step, RbPos at, const char *a, const char *b,
                             double speed);
