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
#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbSceneBuilder RbSceneBuilder;

// A scene that belongs to the context. Gravity is 9.81 m/s2 along -y until it is set; the built-in
// materials are there.
RB_API RbStatus rb_builder_create(RbContext *context, const char *name, RbSceneBuilder **builder);

// Add or override materials: a JSON file as data/materials.json.
RB_API RbStatus rb_builder_read_materials(RbSceneBuilder *builder, const char *file);

RB_API void rb_builder_gravity(RbSceneBuilder *builder, const double g[3]); // [m/s2]

// ORDER kinds in api_scene.c
typedef enum RbSolidKind {
    RB_SOLID_SPHERE,    // diameter
    RB_SOLID_ELLIPSOID, // lengths
    RB_SOLID_BOX,       // lengths
    RB_SOLID_CYLINDER,  // axis, diameter, length
    RB_SOLID_CONE,      // axis, diameter, length, top_diameter; frame at the centre of the base
    RB_SOLID_CAPSULE,   // axis, diameter, length
    RB_SOLID_BEAM,      // axis, length, width, thickness
    RB_SOLID_HALFSPACE, // all points with z <= 0
    RB_SOLID_HULL,      // convex hull of points, grown by radius
} RbSolidKind;

typedef struct RbSolid {
    const char *name;
    RbSolidKind kind;
    double lengths[3];                                       // [m]
    int axis;                                                // 1, 2, 3
    double diameter, length, top_diameter, width, thickness; // [m]
    double inner_diameter;                                   // [m] cylinder: for its mass
    double smoothing;                                        // [m] radius of edges
    const double *points;                                    // [m] hull: x, y, z of each
    int point_count;
    double radius; // [m] hull
    const char *material;
    const char *contact_material; // NULL: material
    double mass;                  // [kg] 0: from the density
    int parent;                   // object it is placed in; 0: the world
    bool free;                    // moves freely; false: fixed to its parent, or held by a joint
    bool held_by_joint;           // placed by a joint alone
    bool no_contact;
    double position[3], rotation[4];
    double velocity[3], angular_velocity[3]; // [m/s], [rad/s] at the start, if free
} RbSolid;

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

// ORDER joint_kinds in api_scene_force.c
typedef enum RbHingeKind {
    RB_HINGE_REVOLUTE,    // phi about axis
    RB_HINGE_PRISMATIC,   // s along axis
    RB_HINGE_CYLINDRICAL, // s along and phi about axis
    RB_HINGE_PLANAR,      // s1 along axis2, s2 perpendicular to both, phi about axis
    RB_HINGE_UNIVERSAL,   // phi1 about axis in a, phi2 about axis2 in b
    RB_HINGE_SPHERICAL,   // rotation
} RbHingeKind;

// A joint that places object b relative to object a.
typedef struct RbHinge {
    const char *name;
    RbHingeKind kind;
    int a, b;
    double axis[3], axis2[3];
    double start[3];    // [m], [rad] coordinates in the order above
    double speed[3];    // their rates; spherical: angular velocity [rad/s] in a
    double rotation[4]; // spherical: w, x, y, z of b in a at the start; all zero: none
    bool can_collide;   // what is fixed to a may touch what is fixed to b
} RbHinge;

// Axis z, axis2 x, at rest in its home position.
RB_API RbHinge rb_hinge_default(const char *name, RbHingeKind kind, int a, int b);

// *joint (may be NULL) answers its number.
RB_API RbStatus rb_builder_add_joint(RbSceneBuilder *builder, const RbHinge *hinge, int *joint);

// Spring [N/m] and damper [N.s/m] between the origins of two objects; length: where the spring is
// relaxed.
RB_API RbStatus rb_builder_add_spring(RbSceneBuilder *builder, int a, int b, double length,
                                      double stiffness, double damping);

// Spring, damper and stops along one coordinate of a joint (0, 1 or 2; not of a spherical one).
typedef struct RbJointElement {
    int joint, coordinate;
    double stiffness, rest;              // [N/m], [m] or [N.m/rad], [rad]
    double damping;                      // [N.s/m] or [N.m.s/rad]
    double lower, upper;                 // stops, if stop_stiffness > 0
    double stop_stiffness, stop_damping; // beyond by x: k x (1 + d dx/dt), never pulling
} RbJointElement;
RB_API RbStatus rb_builder_add_joint_element(RbSceneBuilder *builder, const RbJointElement *e);

// Springs and dampers along and about the three axes of object a.
typedef struct RbBushingElement {
    int a, b;
    double stiffness[3], damping[3];                 // [N/m], [N.s/m]
    double angular_stiffness[3], angular_damping[3]; // [N.m/rad], [N.m.s/rad]
    bool large_angles; // Cardan angles; otherwise the small angles of the rotation matrix
} RbBushingElement;
RB_API RbStatus rb_builder_add_bushing(RbSceneBuilder *builder, const RbBushingElement *e);

// Force [N] and torque [N.m] at the origin of an object as functions of time, in the axes of
// another (0: the world). Both are zero on entry. Pure: same time, same force. A run then takes at
// least 1000 steps, unless a maximum step is given: what lasts longer than a thousandth of the run is
// seen. For shorter pulses set options.max_step below their length.
typedef void (*RbForceFunction)(double time, void *user, double force[3], double torque[3]);
RB_API RbStatus rb_builder_add_force(RbSceneBuilder *builder, int object, int axes,
                                     RbForceFunction function, void *user);

// A material of your own: density [kg/m3], Young's modulus [Pa], Poisson's ratio.
RB_API RbStatus rb_builder_add_material(RbSceneBuilder *builder, const char *name, double density,
                                        double youngs_modulus, double poissons_ratio);

// What two materials do to each other (contact.h); replaces what the palette says.
RB_API RbStatus rb_builder_set_pair(RbSceneBuilder *builder, const char *material_a,
                                    const char *material_b, const RbPairLaw *law);

// Make force, point and depth of the contact of two objects results: contact(a,b).normal_force ...
RB_API RbStatus rb_builder_record_contact(RbSceneBuilder *builder, int a, int b);

// The model. The scene must not be changed any more.
RB_API RbStatus rb_builder_finish(RbSceneBuilder *builder, RbModel **model);

#ifdef __cplusplus
}
#endif
