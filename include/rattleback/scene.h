// SPDX-License-Identifier: MIT
// scene.h: build a mechanical system of bodies, joints and forces that collide, and get a model
// that rb_simulate runs.
//
//     RbSceneBuilder *scene;
//     rb_builder_create(context, "drop", &scene);
//     RbSolid ground = rb_solid_default("ground", RB_SOLID_BOX, "Steel");
//     ground.lengths[0] = 1, ground.lengths[1] = 1, ground.lengths[2] = 0.1;
//     rb_builder_add_solid(scene, &ground, NULL);
//     ...
//     rb_builder_finish(scene, &model);
//     rb_simulate(context, model, &options, &summary);
//
// examples/c/scene.c is a complete program. SI units; positions are 3 doubles, rotations
// quaternions w, x, y, z (all zero: none). Every call that can fail answers a status; the reason is
// the last message of the context.
#pragma once

#include "rattleback/contact.h"
#include "rattleback/run.h"
#include "rattleback/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbSceneBuilder RbSceneBuilder;

// A scene that belongs to the context. Up is +z: gravity is 9.81 m/s2 along -z, and a half-space
// fills all below z = 0. The built-in materials are there.
RB_API RbStatus rb_builder_create(RbContext *context, const char *name, RbSceneBuilder **builder);

// The scenes that are built in: name and description of number i, false after the last one; and one
// of them, which may be changed before it is finished. Its model suggests a stop time and a tolerance.
RB_API bool rb_scene_example(int index, const char **name, const char **description);
RB_API RbStatus rb_builder_open(RbContext *context, const char *name, RbSceneBuilder **builder);

// What a scene consists of, in words and figures: a line for every object and joint, and the sums.
// Lives as long as the context. (Also of a finished one, as are the questions below.)
RB_API RbStatus rb_builder_describe(const RbSceneBuilder *builder, const char **text);

// Objects by number, 0 is the world; NULL: there is none. By name: -1.
RB_API const char *rb_builder_object(const RbSceneBuilder *builder, int object);
RB_API int rb_builder_find(const RbSceneBuilder *builder, const char *name);

// Names of the materials of the palette, NULL after the last one; how many pairs of them have
// contact data; and what the constants of a pair imply for a ball of the first on a plate of the
// second: constants, contact time, depth and force of an impact, creep speed.
RB_API const char *rb_builder_material(const RbSceneBuilder *builder, int index);
RB_API int rb_builder_pair_count(const RbSceneBuilder *builder);
// All of them as a table, with what was published and where; the text lives as long as the context.
RB_API RbStatus rb_builder_describe_materials(const RbSceneBuilder *builder, const char **text);
RB_API RbStatus rb_builder_describe_pair(const RbSceneBuilder *builder, const char *ball,
                                         const char *plate, const char **text);

// Add or override materials: a JSON file as data/materials.json.
RB_API RbStatus rb_builder_read_materials(RbSceneBuilder *builder, const char *file);

// Another direction is up, for gravity and for half-spaces that are added from now on.
RB_API RbStatus rb_builder_up(RbSceneBuilder *builder, const double up[3]);

// Gravity alone [m/s2]; zero: none.
RB_API RbStatus rb_builder_gravity(RbSceneBuilder *builder, const double g[3]);

// Bodies start at rest where forces balance, near where they are put: as deep in a table as their weight presses them, with
// springs as long as these hold them. What touches nothing, or has a speed, starts as it was given, with a warning.
RB_API RbStatus rb_builder_steady_start(RbSceneBuilder *builder, bool steady);

// ORDER kinds in src/api/api_scene.c
typedef enum RbSolidKind {
    RB_SOLID_SPHERE,    // diameter
    RB_SOLID_ELLIPSOID, // lengths
    RB_SOLID_BOX,       // lengths
    RB_SOLID_CYLINDER,  // axis, diameter, length
    RB_SOLID_CONE,      // axis, diameter, length, top_diameter; frame at the centre of the base
    RB_SOLID_CAPSULE,   // axis, diameter, length
    RB_SOLID_BEAM,      // length along the axis, width along the next of x, y, z, x, y, thickness along the one after
    RB_SOLID_HALFSPACE, // all points below its frame; without a rotation, as the scene says what is up
    RB_SOLID_HULL,      // convex hull of points, grown by radius
    RB_SOLID_PARTS,     // points of several convex parts that form one body; must not overlap
    RB_SOLID_MESH,      // mesh_file
} RbSolidKind;

typedef struct RbSolid {
    const char *name;
    RbSolidKind kind;
    double lengths[3];                                       // [m]
    int axis;                                                // 1, 2, 3
    double diameter, length, top_diameter, width, thickness; // [m]
    double inner_diameter;                                   // [m] cylinder: for its mass
    double smoothing; // [m] radius of edges, also of hulls (without a radius), parts and meshes; faces stay
    const double *points;                                    // [m] hull: x, y, z of each
    int point_count;
    double radius;          // [m] hull
    const int *part_counts; // parts: how many of the points belong to each
    int part_count;
    const char *mesh_file; // mesh: .stl, .obj or .ply, or a folder with a file for each convex part
                           // (rb_workpiece_read_folder)
    double mesh_scale;     // mesh: metres per unit of the file
    bool mesh_parts; // mesh: each object or group of the file is a convex part; false: contact
                     // is that of the hull of all
    const char *material;
    const char *contact_material; // NULL: material
    double mass;                  // [kg] 0: from the density
    bool has_inertia;             // mass, centre and inertia are as given here, not as of the shape
    double centre[3];             // [m] of mass, in its frame
    double inertia[6];            // [kg m2] about the centre: Ixx, Iyy, Izz, Ixy, Ixz, Iyz
    int parent;                   // object it is placed in; 0: the world
    bool free;                    // moves freely; false: fixed to its parent, or held by a joint
    bool held_by_joint;           // placed by a joint alone
    bool no_contact;
    double position[3], rotation[4];
    double velocity[3], angular_velocity[3]; // [m/s], [rad/s] at the start, if free
    unsigned char colour[4]; // red, green, blue, opacity in pictures; all zero: as its material looks
} RbSolid;

// Several shapes on one body: solids that are fixed to each other (parent) move as one, with the sum
// of their masses.

// Fixed to the world at its origin, unit dimensions, smoothing 1 mm.
RB_API RbSolid rb_solid_default(const char *name, RbSolidKind kind, const char *material);

// *object (may be NULL) answers its number.
RB_API RbStatus rb_builder_add_solid(RbSceneBuilder *builder, const RbSolid *solid, int *object);

// A body with given mass and no shape: centre of mass [m] and moments of inertia about it [kg m2]
// (Ixx, Iyy, Izz, Ixy, Ixz, Iyz) in its frame. Fixed to `parent`, or held by a joint (parent -1).
RB_API RbStatus rb_builder_add_mass(RbSceneBuilder *builder, const char *name, int parent,
                                    const double position[3], double mass, const double centre[3],
                                    const double inertia[6], int *object);

// A frame fixed to an object, without mass or shape.
RB_API RbStatus rb_builder_add_frame(RbSceneBuilder *builder, const char *name, int parent,
                                     const double position[3], const double rotation[4],
                                     int *object);

// ORDER joint_kinds in src/api/api_scene_force.c
typedef enum RbSceneJointKind {
    RB_SCENE_REVOLUTE,    // phi about axis
    RB_SCENE_PRISMATIC,   // s along axis
    RB_SCENE_CYLINDRICAL, // s along and phi about axis
    RB_SCENE_PLANAR,      // s1 along axis2, s2 perpendicular to both, phi about axis
    RB_SCENE_UNIVERSAL,   // phi1 about axis in a, phi2 about axis2 in b
    RB_SCENE_SPHERICAL,   // rotation
} RbSceneJointKind;

// A joint that places object b relative to object a.
typedef struct RbSceneJoint {
    const char *name;
    RbSceneJointKind kind;
    int a, b;
    double axis[3], axis2[3];
    double start[3];    // [m], [rad] coordinates in the order above
    double speed[3];    // their rates; spherical: angular velocity [rad/s] in a
    double rotation[4]; // spherical: w, x, y, z of b in a at the start; all zero: none
    bool can_collide;   // what is fixed to a may touch what is fixed to b
} RbSceneJoint;

// Axis z, axis2 x, at rest in its home position.
RB_API RbSceneJoint rb_scene_joint_default(const char *name, RbSceneJointKind kind, int a, int b);

// *joint (may be NULL) answers its number.
RB_API RbStatus rb_builder_add_joint(RbSceneBuilder *builder, const RbSceneJoint *joint,
                                     int *number);

// A law with one argument: force of a length or a speed. Pure: same x, same force.
typedef double (*RbCurve)(double x, void *user);

// Spring [N/m] and damper [N.s/m] between the origins of two objects; length: where the spring is
// relaxed.
RB_API RbStatus rb_builder_add_spring(RbSceneBuilder *builder, int a, int b, double length,
                                      double stiffness, double damping);

// The same with laws of your own: tension [N] of the elongation [m] and of its rate [m/s], instead
// of stiffness and damping where they are given.
typedef struct RbSpringElement {
    int a, b;
    double length;             // [m] where the spring is relaxed
    double stiffness, damping; // [N/m], [N.s/m]
    RbCurve spring, damper;    // NULL: linear
    void *user;
} RbSpringElement;
RB_API RbSpringElement rb_spring_element_default(int a, int b);
RB_API RbStatus rb_builder_add_spring_element(RbSceneBuilder *builder, const RbSpringElement *e);

// A law of a joint: force [N] or torque [N.m] from time, coordinate and speed. Pure.
typedef double (*RbJointLaw)(double time, double coordinate, double speed, void *user);

// Spring, damper and stops along one coordinate of a joint (0, 1 or 2; not of a spherical one); a
// law of your own; and an input of the model, which a run may set (run.h: motors, controllers).
typedef struct RbJointElement {
    int joint, coordinate;
    double stiffness, rest;              // [N/m], [m] or [N.m/rad], [rad]
    double damping;                      // [N.s/m] or [N.m.s/rad]
    double lower, upper;                 // stops, if stop_stiffness > 0
    double stop_stiffness, stop_damping; // beyond by x: k x (1 + d dx/dt), never pulling
    RbJointLaw law;                      // is added; NULL: none
    void *user;
    const char *input; // name of an input that is added; NULL: none
} RbJointElement;
RB_API RbJointElement rb_joint_element_default(int joint, int coordinate);
RB_API RbStatus rb_builder_add_joint_element(RbSceneBuilder *builder, const RbJointElement *e);

// Springs and dampers along and about the three axes of object a.
typedef struct RbBushingElement {
    int a, b;
    double stiffness[3], damping[3];                 // [N/m], [N.s/m]
    double angular_stiffness[3], angular_damping[3]; // [N.m/rad], [N.m.s/rad]
    bool large_angles; // Cardan angles; otherwise the small angles of the rotation matrix
} RbBushingElement;
RB_API RbBushingElement rb_bushing_element_default(int a, int b);
RB_API RbStatus rb_builder_add_bushing(RbSceneBuilder *builder, const RbBushingElement *e);

// Force [N] and torque [N.m] at the origin of an object as functions of time, in the axes of
// another (0: the world). Both are zero on entry. Pure: same time, same force. Jumps by at
// least a thousandth of the value are found and are events, if what follows them lasts longer than a
// thousandth of the run. A run then takes at least 1000 steps, unless a maximum step is given: so
// smooth pulses of that length are seen as well. Declare what is shorter with rb_builder_add_breaks.
typedef void (*RbForceFunction)(double time, void *user, double force[3], double torque[3]);
RB_API RbStatus rb_builder_add_force(RbSceneBuilder *builder, int object, int axes,
                                     RbForceFunction function, void *user);

// Times [s] at which forces or laws of this scene jump, or where short pulses begin and end: the
// solver stops there and starts anew. period > 0: the same again at times + period, times + 2 period
// and so on; 0: once. On each side of such a time the functions are asked for their value on that
// side, a few roundings beside it.
RB_API RbStatus rb_builder_add_breaks(RbSceneBuilder *builder, const double *times, int count,
                                      double period);

// How an object moves in the world.
typedef struct RbObjectMotion {
    double position[3];         // [m]
    double rotation[4];         // w, x, y, z: from its components to those of the world
    double velocity[3];         // [m/s] of its origin
    double angular_velocity[3]; // [rad/s]
} RbObjectMotion;

// Force [N] and torque [N.m] on an object, in world components, acting at its origin, from the time
// and the motion of this object and of another one (0: the world), which gets the opposite. Both
// are zero on entry. Pure, and as smooth as the motion should be; its derivatives are found by
// difference quotients, so implicit solvers see stiff laws too.
typedef void (*RbForceLaw)(double time, const RbObjectMotion *object, const RbObjectMotion *other,
                           void *user, double force[3], double torque[3]);
RB_API RbStatus rb_builder_add_force_law(RbSceneBuilder *builder, int object, int other,
                                         RbForceLaw law, void *user);

// A material of your own: density [kg/m3], Young's modulus [Pa], Poisson's ratio.
RB_API RbStatus rb_builder_add_material(RbSceneBuilder *builder, const char *name, double density,
                                        double youngs_modulus, double poissons_ratio);

// What two materials do to each other (contact.h); replaces what the palette says.
RB_API RbStatus rb_builder_set_pair(RbSceneBuilder *builder, const char *material_a,
                                    const char *material_b, const RbPairLaw *law);

// What the palette says about two materials, and their modulus [Pa], 1/((1 - nu1²)/E1 + (1 - nu2²)/E2); 0: one has no Young's modulus.
RB_API RbStatus rb_builder_pair_law(const RbSceneBuilder *builder, const char *material_a,
                                    const char *material_b, RbPairLaw *law, double *modulus);

// How two meshes push each other (docs/theory/solids.md, sections 5 and 6). ORDER forms in src/api/api_scene_mesh.c
typedef enum RbMeshLaw {
    RB_MESH_VOLUME_AREA,      // by the volume they share: 2/sqrt(pi) E* V/sqrt(S)
    RB_MESH_VOLUME_DEPTH,     // 4/(3 sqrt(pi)) E* sqrt(V d), d the extent along the normal
    RB_MESH_VOLUME_POTENTIAL, // pressure E* V/L3: keeps energy; needs `length`
    RB_MESH_BEDDING,          // pressure E* depth/L at each place: keeps energy, and never jumps
    RB_MESH_LAYERS,           // elastic layers on both (polygonal contact model)
} RbMeshLaw;

// Two objects touch as meshes, also concave ones; the pages show the meshes. They are in the frames of
// the objects. (A solid with a shape of its own touches by that too, unless it has no_contact.)
typedef struct RbMeshContact {
    int a, b;
    const RbWorkpiece *mesh_a, *mesh_b; // of the context of the scene
    double round_b
        [3]; // [m] semi-axes of b if it is a ball or an ellipsoid about its origin: then it is
             // exactly round, and mesh_b is NULL; all 0: b is a mesh. Not for layers
    RbMeshLaw law;
    double modulus; // [Pa] E*; layers: Young's modulus of both
    double
        length; // [m] L of the potential and the bedding, for which 0 means what its layers say; layers: their depth
    double poisson;     // layers
    double restitution; // an impact returns with it; not for layers
    double damping; // [s/m] force x (1 + damping x speed of approach); 0: as the restitution says;
                    // layers: [N.s/m3]
    double mu_static, mu_kinetic; // layers: mu_kinetic
    double slip_speed;            // [m/s] where friction becomes kinetic
    bool sticks; // what rests does not creep; false: friction vanishes at rest. Not for layers
    bool show;   // polygons of the contact, their pressure and the force of each region
                 // go into the pictures; not for layers
} RbMeshContact;

// A bedding, for a round b by its own depth; E* 1e8 Pa, restitution 0.5, friction 0.3 and 0.25 at 1 mm/s, sticks.
RB_API RbMeshContact rb_mesh_contact_default(int a, const RbWorkpiece *mesh_a, int b,
                                             const RbWorkpiece *mesh_b);
RB_API RbStatus rb_builder_add_mesh_contact(RbSceneBuilder *builder, const RbMeshContact *contact);

// Make force, point and depth of the contact of two objects results: contact(a,b).normal_force ...
RB_API RbStatus rb_builder_record_contact(RbSceneBuilder *builder, int a, int b);

// The model. The scene cannot be changed any more.
RB_API RbStatus rb_builder_finish(RbSceneBuilder *builder, RbModel **model);

// -------------------------------------------------------------------------------------------------
// a scene in a run (run.h)

// How object number `object` moves now.
RB_API RbStatus rb_run_motion(RbRun *run, int object, RbObjectMotion *motion);

// Momentum [kg m/s] of all bodies and particles, and angular momentum [kg m2/s] about the origin of the world.
RB_API RbStatus rb_run_momentum(RbRun *run, double linear[3], double angular[3]);

// The number of an object by its name in the model; -1: there is none.
RB_API int rb_run_object(RbRun *run, const char *name);

// The name of an object by its number; 0 is the world; NULL: there is none. Lives as long as the run.
RB_API const char *rb_run_object_name(RbRun *run, int object);

// Pull at a point [m] of an object (in its frame) towards a place in the world, as with a spring
// [N/m] and a damper [N.s/m]: from now on, an event. Its work is energy from outside. One pull at a time; object 0 lets go. A saved run does not keep it.
RB_API RbStatus rb_run_pull(RbRun *run, int object, const double point[3], const double target[3],
                            double stiffness, double damping);

typedef struct RbRunContact {
    int a, b;            // objects
    double point[3];     // [m] where the force acts
    double normal[3];    // along which it presses, from a to b
    double depth;        // [m] of the penetration
    double depth_rate;   // [m/s]
    double slip[3];      // [m/s] of b on a
    double normal_force; // [N] pressure
    double friction[3];  // [N] on b
    double force[3];     // [N] all of it on b: normal_force normal + friction (of two meshes that touch in several places: their sum)
    double torque[3];    // [N.m] on b about the point
} RbRunContact;

// All contacts that exist now; two meshes have one, with all places where they touch. The array belongs to the run and
// is valid until its next call.
RB_API RbStatus rb_run_contacts(RbRun *run, const RbRunContact **contacts, int *count);

// Which contact the pairs of bodies get (at a point, over a patch, by volume, by layers), in words: a line for each two kinds of
// shapes and materials, and for each pair of meshes. The text belongs to the run and is valid until its next call.
RB_API RbStatus rb_run_contact_kinds(RbRun *run, const char **text);

// The energy account.
typedef struct RbRunEnergy {
    double kinetic, potential, elastic; // [J] now: of bodies, in gravity and springs, in contacts
    double residual;                    // [J] what is missing in the balance since the start
} RbRunEnergy;
RB_API RbStatus rb_run_energy(RbRun *run, RbRunEnergy *energy);

#ifdef __cplusplus
}
#endif
