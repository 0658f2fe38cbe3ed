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
} RbSolidKind;

typedef struct RbSolid {
    const char *name;
    RbSolidKind kind;
    double lengths[3];                                       // [m]
    int axis;                                                // 1, 2, 3
    double diameter, length, top_diameter, width, thickness; // [m]
    double smoothing;                                        // [m] radius of edges
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

// A frame fixed to an object, without mass or shape.
RB_API RbStatus rb_builder_add_frame(RbSceneBuilder *builder, const char *name, int parent,
                                     const double position[3], const double rotation[4],
                                     int *object);

typedef enum RbHinge {
    RB_HINGE_REVOLUTE,
    RB_HINGE_PRISMATIC,
    RB_HINGE_CYLINDRICAL,
    RB_HINGE_SPHERICAL
} RbHinge;

// A joint from object a to object b along or about the axis, given in a. start: first coordinate
// [rad] or [m]; speed: its rate.
RB_API RbStatus rb_builder_add_joint(RbSceneBuilder *builder, const char *name, RbHinge kind, int a,
                                     int b, const double axis[3], double start, double speed,
                                     bool can_collide, int *joint);

// Spring [N/m] and damper [N.s/m] between the origins of two objects; length: where the spring is
// relaxed.
RB_API RbStatus rb_builder_add_spring(RbSceneBuilder *builder, int a, int b, double length,
                                      double stiffness, double damping);

// Make force, point and depth of the contact of two objects results: contact(a,b).normal_force ...
RB_API RbStatus rb_builder_record_contact(RbSceneBuilder *builder, int a, int b);

// The model. The scene must not be changed any more.
RB_API RbStatus rb_builder_finish(RbSceneBuilder *builder, RbModel **model);

#ifdef __cplusplus
}
#endif
