// SPDX-License-Identifier: MIT
// members.h: parts of a Modelica model that were gathered into one multibody system: which roles
// there are, the scene they make, and the joints that belong to the equations
// (docs/decisions/gathering.md).
#pragma once

#include "component/instance.h"
#include "scene/scene.h"

// ORDER rb_multibody_roles
typedef enum MemberRole {
    ROLE_WORLD,
    ROLE_SOLID,
    ROLE_BODY,
    ROLE_FIXED,
    ROLE_TRANSLATION,
    ROLE_CUT,
    ROLE_REVOLUTE,
    ROLE_PRISMATIC,
    ROLE_CYLINDRICAL,
    ROLE_UNIVERSAL,
    ROLE_PLANAR,
    ROLE_SPHERICAL,
    ROLE_FREE,
    ROLE_ROD,
    ROLE_CONSTRAINT,
    ROLE_WHEEL,
    ROLE_LINE,
    ROLE_SPRING,
    ROLE_BUSHING,
    ROLE_VISUAL,
    ROLE_COLLISION,
    ROLE_FORCE,
    ROLE_ABSOLUTE,
    ROLE_RELATIVE,
    ROLE_CONTACT,
    ROLE_MATERIAL,
    ROLE_PAIR,
    ROLE_SURFACE_PAIR,
    ROLE_ACTION,
    ROLE_PARTICLES,
    ROLE_REGION,
    ROLE_MEDIUM,
    ROLE_BORDERS,
    ROLE_PATH,
    ROLE_SOFT,
    ROLE_FLEXIBLE,
    ROLE_FLEXIBLE_BODY,
    ROLE_COUNT,
} MemberRole;

extern const RbRoleSpec rb_multibody_roles[];

// A joint as a class: its kind, the names of its axes, and of what belongs to each coordinate.
typedef struct JointRole {
    RbJointKind kind;
    const char *n, *n2; // NULL: none
    struct {
        const char *q, *v, *a, *tau;
    } coordinates[3]; // of those that equations may own
} JointRole;

// Holds, but carries nothing, or not all that it is connected to: it closes a loop.
static inline bool rb_role_holds(int role) {
    return role >= ROLE_ROD && role <= ROLE_LINE;
}

// Bends: a beam, or a part of finite elements.
static inline bool rb_role_is_flexible(int role) {
    return role == ROLE_FLEXIBLE || role == ROLE_FLEXIBLE_BODY;
}

// Frames that a part or a joint connects, the first ones; behind them are those that others refer to.
static inline int rb_member_joined(const RbMember *member) {
    return member->role != ROLE_FLEXIBLE_BODY && member->set_count > 2 ? 2 : member->set_count;
}

// A wheel that also carries its frame: it says where it starts.
static inline bool rb_wheel_carries(const RbMember *wheel) {
    return wheel->has_variable[0]; // ORDER variables of the role: x
}

// A line that has masses on it: otherwise it is only looked at.
bool rb_line_has_mass(const RbMember *line);

// NULL: the member is no joint.
const JointRole *rb_member_joint_role(int role);

// A coordinate of a joint that belongs to the equations.
typedef struct DrivenCoordinate {
    int member, coordinate;
    int q, v, a, tau;   // variables of the component
    bool looped;        // its row is that of a mechanism with loops
    int tree_q, tree_v; // where it is in the vectors of the tree, while a segment lasts
    int body;           // likewise: that the joint carries
    bool leads;         // likewise: it is the first of its row in its group
    bool jump_told;     // that its speed jumps
} DrivenCoordinate;

// The driven coordinates of bodies that hang together, which are one system of equations: a function
// of the component that hands out its matrix. Without loops tau = M a + h; with loops a = B tau + a_0,
// since these may tie driven joints to each other (multibody/driven_loops.c). Where joints may be locked
// the rows are residuals, M a - tau + h = 0 or B tau - a + a_0 = 0, so that one of them can be a = 0.
typedef struct DrivenRow {
    int *coordinates; // in Members.driven
    int count;
    bool looped;
} DrivenRow;

// A force and a torque whose components are inputs: where each begins among them, or -1.
typedef struct MemberForce {
    int member;
    int input[2];
} MemberForce;

// A part that equations move and that knows no mass: pose and velocity are inputs, the wrench of its
// contacts is what comes back. Accelerations come in too: how a unit force would move it is the mass
// that a contact feels.
enum { MOVED_INPUTS = 15, MOVED_ACCELERATIONS = 6, MOVED_OUTPUTS = 6 };
typedef struct MovedPart {
    int member;
    int inputs[MOVED_INPUTS];               // variables: r_0, e_x, e_y, v_0, w
    int accelerations[MOVED_ACCELERATIONS]; // a_0, z
    int outputs[MOVED_OUTPUTS];             // f, t
    int body;                               // in the tree, while a segment lasts
    bool jump_told;                         // that its speed jumps
} MovedPart;

// What touches a part: measured for equations, or a result.
enum { CONTACT_MEASURES = 10 };
typedef struct ContactSensor {
    int member;
    int outputs
        [CONTACT_MEASURES]; // variables: force, point, depth, slip, normalForce, power; -1: none
    int a, b; // objects of the scene, while a segment lasts; b = -1: whatever touches a
} ContactSensor;

enum { MEMBER_MEASURES = 9 };

// What equations want to know of a frame, on one level: a function of the component behind motion.
typedef struct MemberSensor {
    int member;
    RbLevel level;
    int measures[MEMBER_MEASURES], measure_count;
    int *outputs, output_count; // variables
} MemberSensor;

typedef struct Members {
    RbArena *arena; // as long as the component
    const RbGathered *gathered;
    RB_ARRAY(DrivenCoordinate) driven;
    RB_ARRAY(MovedPart) moved;
    RB_ARRAY(ContactSensor) contacts;
    bool has_contact;         // equations want to know of contacts: function 0
    RB_ARRAY(DrivenRow) rows; // functions 0 or 1, ...; their solutions; then comes motion
    bool solves;              // rows have functions that solve them
    bool locks;               // there are actions that lock joints, or take them away
    bool any_looped;          // rows; then motion knows tau of all driven coordinates too
    RB_ARRAY(int) inputs;     // variables: components of forces
    RB_ARRAY(MemberForce) forces;
    RB_ARRAY(MemberForce) triggers; // actions that a signal asks for; input[0]
    RB_ARRAY(int) region_outputs;   // variables: what equations want to know of sensors of grains
    RB_ARRAY(MemberSensor) sensors; // functions after motion
    RB_ARRAY(int) paths; // members that equations see: three functions each, after sensors
    int path_functions;  // the first of them
    // While a segment lasts:
    int *joint_of; // per member: joint of the scene, or -1; of one that holds, what holds
    bool
        *starts_carried; // per member: start values that are fixed are equations for who carries it
    int *carried_by;     // per member: joint that carries or holds a part of its own, or -1
    int *object_of;      // per connection set: object of the scene, or -1
    int *resolve;        // per member: whose axes its components refer to (Types.ResolveInFrame)
    bool
        *seen_from_axes; // per member: derivatives are taken in these axes, not in those of frame_a
} Members;

static inline const RbMember *rb_member(const Members *m, int i) {
    return &m->gathered->members[i];
}

// The number of the function of row 0.
static inline int rb_members_first_row(const Members *m) {
    return m->has_contact;
}

// That of the derivatives of its own states, behind rows and their solutions.
static inline int rb_members_motion(const Members *m) {
    return rb_members_first_row(m) + m->rows.count * (m->solves ? 2 : 1);
}

// Inputs of a row before its accelerations: coordinates and speeds of driven joints, poses and
// velocities of moved parts, signals. The place of the latter two.
static inline int rb_members_moved_at(const Members *m) {
    return 2 * m->driven.count;
}
static inline int rb_members_signals_at(const Members *m) {
    return rb_members_moved_at(m) + MOVED_INPUTS * m->moved.count;
}
static inline int rb_members_input_count(const Members *m) {
    return rb_members_signals_at(m) + m->inputs.count;
}

// ORDER Rattleback.Actions: kind 1, 2, ...; behind the actions come the steps of programs that are none
enum { KIND_WAIT = RB_SCENE_BREAK + 2, KIND_TRAVEL, KIND_CHANGE, KIND_CUT, KIND_GLUE };

// ---- names.c
// Names in actions, as far as they are known at translation.
RbStatus rb_members_check_names(const Members *m, const RbBuild *build);

// ---- start.c
// Start values that are fixed and cannot be met.
RbStatus rb_members_check_starts(Members *m, const RbBuild *build);

// The variables, equations and functions that the equations see of the members.
RbStatus rb_members_build(Members *m, RbBuild *build);

// Those inputs as variables, without signals; all of them. They return how many there are.
int rb_members_list_motion(const Members *m, int *inputs);
int rb_members_list_inputs(const Members *m, int *inputs);

// ---- moved.c
void rb_members_declare_moved(Members *m, RbBuild *build);
void rb_members_declare_contact(const Members *m, RbBuild *build);

// ---- contact.c
void rb_members_declare_contact_sensors(Members *m, RbBuild *build);
// A file that a member names, where it stands; NULL: none is named.
const char *rb_members_find_file(const Members *m, const RbMember *member, const char *name);

// Of sensors of grains: they are outputs of the same function.
void rb_members_declare_regions(Members *m, RbBuild *build);
int rb_members_contact_outputs(const Members *m, int *outputs);

void rb_members_declare_forces(Members *m, RbBuild *build);
void rb_members_declare_sensors(Members *m, RbBuild *build, int motion);

void rb_members_declare_paths(Members *m, RbBuild *build, int first);

// The scene with the values that its members have when the first segment begins.
RbStatus rb_members_scene(Members *m, const RbSegment *segment, RbScene **scene);

// ---- materials.c
// Materials and pairs that the model brings along; the objects of the scene are known. find: the object that
// a member means by a name; -1: none.
RbStatus rb_members_add_materials(Members *m, const RbSegment *segment, RbScene *scene,
                                  int (*find)(void *user, int member, const char *name),
                                  void *user);

// ---- grains.c
RbStatus rb_members_grains(const Members *m, const RbSegment *segment, RbScene *scene);

// ---- cloud.c: spheres that are solids of the model, as grains (World.particles)

// Per member: it is one of them. *loose is NULL if they stay bodies.
RbStatus rb_members_loose_spheres(const Members *m, const RbSegment *segment, int world,
                                  const bool **loose);
void rb_members_cloud(const Members *m, const RbSegment *segment, const bool *loose,
                      RbScene *scene);

// ---- soft.c
RbStatus rb_members_soft(const Members *m, const RbSegment *segment, RbScene *scene);
// Parameters of soft bodies that can be changed while they run.
typedef struct SoftMemberValues {
    RbSoftMaterial *materials; // of the scene; none belongs to two bodies
    double *friction;          // per body
} SoftMemberValues;

// Parameters that were changed since they were `known` are changed in the scene.
void rb_members_soft_values(const Members *m, const RbSegment *segment, RbSoftScene *soft,
                            const SoftMemberValues *known);

// A value of a member by its name; NULL: its class has none (a text: or it is empty).
const double *rb_member_numbers(const Members *m, const RbSegment *segment, int i,
                                const char *name);
const char *rb_member_text(const Members *m, const RbSegment *segment, int i, const char *name);
// A function that the model says; NULL: there is none.
const RbFunctionValue *rb_member_function(const Members *m, const RbSegment *segment, int i,
                                          const char *name);

// A text that is known at translation; NULL: there is none, or it is not known yet.
const char *rb_member_known_text(const Members *m, int i, const char *name);

// One member at a time: a number or a vector, with what it is if there is none.
typedef struct RbReading {
    const Members *m;
    const RbSegment *segment;
    int member;
} RbReading;

static inline double rb_read_number(const RbReading *r, const char *name, double otherwise) {
    const double *v = rb_member_numbers(r->m, r->segment, r->member, name);
    return v ? *v : otherwise;
}

static inline Vec3 rb_read_vector(const RbReading *r, const char *name) {
    const double *v = rb_member_numbers(r->m, r->segment, r->member, name);
    return v ? v3_load(v) : V3_ZERO;
}

// Turned about x, y, z of the turned frame, one after the other.
static inline Pose rb_member_place(Vec3 r, Vec3 angles) {
    bool turned = angles.x != 0 || angles.y != 0 || angles.z != 0;
    return turned ? pose(r, q_from_cardan(angles)) : (Pose){.r = r, .R = M3_IDENTITY};
}

// The object or joint of the scene that is meant by a name, which may be said from where a member stands.
const char *rb_members_full_name(const Members *m, const RbScene *scene, int member,
                                 const char *name, bool joint);

// Actions, programs and paths; parts and joints are in the scene already.
RbStatus rb_members_add_actions(Members *m, const RbSegment *segment, RbScene *scene);

// How many numbers it is; 0: the class has none.
int rb_member_size(const Members *m, int i, const char *name);

// The shape of a member that has one.
// Colour and transparency of what is drawn of it.
RbStatus rb_member_paint(const RbReading *reading, RbPaint *out);

RbStatus rb_member_shape(const Members *m, const RbSegment *segment, int i, RbShape *out);

// Has a drive, or equations that speak of its coordinates.
bool rb_member_is_driven(const Members *m, int i);
