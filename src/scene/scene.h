// SPDX-License-Identifier: MIT
// scene.h: a whole mechanical system as a user describes it: objects with shapes and materials,
// joints, force elements, gravity. The component of multibody.h runs it.
//
//     RbScene *s = rb_scene_new(arena);
//     RB_TRY(rb_scene_read_materials(s, NULL, diag)); // the palette that comes with us
//
//     int ground = rb_scene_add(s, rb_solid("ground", rb_shape_box(v3(4, 3, 0.1)), "Steel"));
//
//     RbSceneObject ball = rb_solid("ball", rb_shape_sphere(0.1), "Steel");
//     ball.object.moves_freely = true;
//     ball.object.pose.r = v3(0, 0, 1);
//     rb_scene_add(s, ball);
#pragma once

#include "contact/set.h"
#include "deform/soft_scene.h"
#include "dem/fill.h"
#include "dem/region.h"
#include "flexible/part_surface.h"
#include "rigid/force_bushing.h"
#include "rigid/force_gravity.h"
#include "rigid/force_joint.h"
#include "rigid/force_solids.h"
#include "rigid/force_spring.h"
#include "rigid/force_world.h"
#include "rigid/object.h"
#include "rigid/superobject.h"
#include "rattleback/component.h"

// A colour and an opacity that a model gives, in the meaning of RbDrawObject.
typedef struct RbPaint {
    unsigned char colour[4];
    bool only_opacity;
} RbPaint;

// What is seen and measured of a flexible part.
typedef struct RbFlexibleLook {
    RbPartSurface surface;
    double stress_scale; // [Pa] that has full colour; 0: the largest of the run
    double deformation;  // displacements are drawn so many times as large
} RbFlexibleLook;

typedef struct RbSceneObject {
    RbObject object;
    bool absent; // at the start; an action adds it
    bool has_shape;
    bool by_surface; // a mesh that touches by its surface, also where it is concave: see
                     // rb_scene_pair_surfaces
    RbShape shape;
    const char *solid;              // material; NULL: none
    const char *contact;            // material for contact pairs; NULL: solid
    double mass;                    // [kg] of the shape; 0: from the density of the material
    RbPaint paint;                  // how it looks
    const RbFlexibleLook *flexible; // of an object with modes; NULL: nothing of it is seen
    bool in_equations; // its position or velocity is a variable of equations, and no result
} RbSceneObject;

// An object with a shape of a material, collidable, fixed to the world at its origin.
RbSceneObject rb_solid(const char *name, RbShape shape, const char *material);

// An object with given mass properties and no shape, or none at all.
RbSceneObject rb_body(const char *name, RbMassProperties mass);
RbSceneObject rb_frame_object(const char *name, int parent, Pose pose);

// Force elements name objects; where these sit in the bodies is found out when a segment begins.
typedef struct RbSceneSpring {
    int a, b; // objects
    RbSpring element;
} RbSceneSpring;

typedef struct RbSceneBushing {
    int a, b;
    RbBushing element;
} RbSceneBushing;

typedef struct RbSceneWorldForce {
    int apply, axes; // axes: object whose axes the components refer to; 0: the world's
    RbWorldForce element;
} RbSceneWorldForce;

typedef struct RbSceneJointForce {
    int joint;         // index of the joint
    int coordinate;    // 0, 1, 2: which of its coordinates
    const char *input; // name of an input of the model that adds to the force; NULL: none
    RbJointForce element;
} RbSceneJointForce;

// Two objects whose surfaces touch as meshes, also concave ones; each mesh in the frame of its object.
typedef struct RbSceneSolids {
    int a, b;
    RbSolidsForce element;
    bool show;    // polygons with their pressure and the force of each region go into the pictures
    bool by_rule; // whether the two may touch follows from joints and ignored pairs, as for shapes
} RbSceneSolids;

// How two materials touch where one of the objects touches by its surface: law and numbers of `element`, whose
// a and b are those of the names. A modulus of 0 is that of the materials.
typedef struct RbSceneSurfaceLaw {
    const char *a, *b; // as in the table of contact pairs; the order does not matter
    const char *name;  // of what says it; NULL: nothing does
    RbPos at;
    bool used; // by a pair of this scene
    RbSolidsForce element;
} RbSceneSurfaceLaw;

// A pair of the model, as it is said: entries of the table of pairs may be copies of it, or another's.
typedef struct RbScenePairSaid {
    const char *name; // of what says it
    RbPos at;
    const char *typed_a, *typed_b;
    const char *a, *b;  // in the table of contact pairs
    int part_a, part_b; // objects that are named; -1: a material is
} RbScenePairSaid;

// Times at which forces of time jump: once, or again after every period.
typedef struct RbSceneBreaks {
    const double *times; // [s]
    int count;
    double period; // [s] 0: once
} RbSceneBreaks;

// A pair whose contact forces are results.
typedef struct RbScenePair {
    int a, b; // objects
} RbScenePair;

// A change of structure at a given time (docs/theory/restructuring.md).
typedef enum RbSceneActionKind {
    RB_SCENE_ATTACH,  // object b to object a
    RB_SCENE_RELEASE, // objects a and b, or object a from what holds it
    RB_SCENE_LOCK,    // joint a, at its present position
    RB_SCENE_UNLOCK,  // joint a
    RB_SCENE_REPLACE, // joint a by one of another kind
    RB_SCENE_REMOVE,  // what object a is part of
    RB_SCENE_ADD,     // what object a is part of, which was absent
    RB_SCENE_MOVE,    // object a from what holds it to object b: release and attach
    RB_SCENE_FLIP,    // a chain of joints: end c lets go, end a holds on to object b; without b the
                      // chain moves freely, and a carries its motion instead of c
    RB_SCENE_BREAK,   // joint a is no more
    RB_SCENE_CHANGE,  // soft body a is made of another material
    RB_SCENE_CUT,     // soft body a is cut along a plane
    RB_SCENE_GLUE,    // soft bodies a and b are glued together where they touch
} RbSceneActionKind;

typedef struct RbSceneAction {
    double time; // [s] from the start of the run; unused in a program
    RbSceneActionKind kind;
    RbPos at;
    const char *a, *b, *c; // names of objects or of a joint; b and c may be NULL
    bool no_contact;       // nothing touches in the segment that follows
    bool require_rest;     // attach, lock: refuse if the two move against each other
    double max_distance;   // [m] attach: refuse if they are further apart; 0: any distance
    RbJointKind joint;     // replace
    Vec3 n, n2;            // replace: axes in the first object of the joint; cut: n, the normal
    Pose pose;             // add: where object a appears; cut: r, a point of the plane
    Motion velocity;       // add: how it moves then
    double youngs_modulus, density, damping, friction; // change; negative: as before
} RbSceneAction;

// A filling of grains. All fillings of a scene are one cloud, whose walls are the collidable objects.
typedef struct RbSceneGrains {
    RbFill fill;         // its material is found by name, and its density there if it is 0
    bool were_solids;    // World.particles: solids of the model
    const char *solid;   // material
    const char *contact; // for pairs; NULL: solid
    double
        adhesion; // [J/m2] work of adhesion among themselves; of two fillings: the geometric mean
    double wall_adhesion; // [J/m2] with walls
    double twisting;      // friction against twisting, also on walls; of two fillings: the mean
} RbSceneGrains;

// A sensor or a sink of grains.
typedef struct RbSceneRegion {
    RbRegion region;
    unsigned taken; // bit per measure: equations have it as a variable, so it is no result of ours
    int object;     // part: whose surface it is; -1: none has the name
    const char *part; // its name, as typed
} RbSceneRegion;

typedef struct RbSceneGrainOptions {
    double step;     // [s] of the cloud; 0: from the shortest contact at `speed`
    double speed;    // [m/s] largest that is expected; 0: from the height of the scene
    double coupling; // [m] error of the motion of bodies between two exchanges; 0: from the radii
    RbGrainMedium medium;
    RbBorders borders;
    const char *results;     // what journals keep of them, as RbSimOptions.particle_results; NULL, "": their places
    double results_interval; // [s] how often; 0: every row
    unsigned char colour[4]; // as of RbDrawObject
} RbSceneGrainOptions;

// References for joints, which programs move from point to point.
typedef struct RbScenePath {
    const char *name;
    RbPos at;
    int axes;
    const double *start;         // where it begins
    const double *v_max, *a_max; // limits of each axis
} RbScenePath;

typedef enum RbSceneStepKind {
    RB_SCENE_ACT,    // change the structure
    RB_SCENE_WAIT,   // for a period
    RB_SCENE_TRAVEL, // along a path, to one point after the other
} RbSceneStepKind;

typedef struct RbSceneStep {
    RbSceneStepKind kind;
    RbPos at;
    RbSceneAction action; // act
    double period;        // [s] wait
    int path;             // travel
    const double *points; // travel: so many times the number of axes
    int point_count;
} RbSceneStep;

// What is done one after the other whenever a signal has risen.
typedef struct RbSceneProgram {
    int signal; // number of the signal of the equations plus one; 0: when the run begins
    RB_ARRAY(RbSceneStep) steps;
} RbSceneProgram;

// A molecule that moves with an object, from where it is at the start.
typedef struct RbSceneHold {
    int molecule, object;
} RbSceneHold;

// Soft bodies beside the rigid ones: they touch every collidable object.
typedef struct RbSceneSoft {
    RbSoftScene *bodies;  // NULL: none. Places are in the frame of an object
    RB_ARRAY(int) frames; // per soft body: that object
    RB_ARRAY(RbSceneHold) holds;
} RbSceneSoft;

// A function that a Modelica model has written.
typedef struct RbSceneFunction {
    const char *name; // for messages
    const RbFunctionValue *value;
} RbSceneFunction;

// What is fixed at the start of the place and velocity of b in the axes of a, where joints carry it.
typedef struct RbSceneStart {
    const char *name;
    RbPos at;
    int a, b;  // objects
    Vec3 r, v; // as a sees it
    bool r_held[3], v_held[3];
} RbSceneStart;

// What was said once about a place in the text of a model.
typedef struct RbSceneTold {
    RbPos at;
    const char *what;
} RbSceneTold;

typedef struct RbScene {
    RbArena *arena;
    RB_ARRAY(RbSceneObject) objects; // 0 is the world
    RB_ARRAY(RbObjectJoint) joints;
    RB_ARRAY(RbSceneStart) starts;
    RB_ARRAY(RbSceneSpring) springs;
    RB_ARRAY(RbSceneBushing) bushings;
    RB_ARRAY(RbSceneWorldForce) world_forces;
    RB_ARRAY(RbSceneJointForce) joint_forces;
    RB_ARRAY(RbSceneSolids) solids;
    RB_ARRAY(RbSceneBreaks) breaks;
    RB_ARRAY(RbScenePair) contact_results;
    RB_ARRAY(RbScenePair) ignored;   // pairs that do not touch
    RB_ARRAY(RbSceneAction) actions; // in the order of time
    RB_ARRAY(RbSceneGrains) grains;
    RB_ARRAY(RbSceneRegion) regions;
    RbSceneGrainOptions grain_options;
    RbSceneSoft soft;
    RB_ARRAY(RbSceneProgram) programs;
    RB_ARRAY(RbScenePath) paths;
    RbMaterials materials;
    RB_ARRAY(RbSceneSurfaceLaw) surface_laws; // the last one of two materials counts
    RB_ARRAY(RbScenePairSaid) pairs_said;
    RB_ARRAY(RbSceneTold) told;               // vain.c
    RbGravity gravity;                        // default: 9.81 m/s2 along -y
    RB_ARRAY(RbSceneFunction) functions;      // of the model, that gravity and contacts call
    bool contact;                             // collidable objects collide; default: true
    bool show_contacts;                       // what meshes have in common goes into the pictures
    bool steady_start;                        // bodies start at rest, where forces balance
    RbContactOptions contact_options;
    RbDampingRule damping; // other than typed: for all pairs
    bool modelica_names;   // coordinates are called as in Modelica, and frames are no results
    RbFaceLaw faces;       // point: for all pairs
} RbScene;

RbScene *rb_scene_new(RbArena *arena);

// vain.c: what is said of a pair of materials or parts, and of all pairs, but cannot act where a part touches by its surface
// (docs/guide/solids.md, table): a law of the force along the normal is refused, the rest is a warning, once for each place.
RbStatus rb_scene_check_pair_law(RbScene *s, const RbSceneObject *a, const RbSceneObject *b,
                                 const RbPairLaw *law, RbDiag *diag);
void rb_scene_warn_of_surface_law(RbScene *s, const RbSceneSurfaceLaw *law, const RbSceneObject *b,
                                  RbDiag *diag);
// Is it said for the first time about this place?
bool rb_scene_tell_once(RbScene *s, RbPos at, const char *what);

// unused_pairs.c: of pairs of the model and laws of surfaces that no contact will ask for.
void rb_scene_warn_of_unused_pairs(RbScene *s, RbDiag *diag);

// blunt_tips.c: of hulls that lose much of a sharp corner as their edges are rounded.
void rb_scene_warn_of_blunt_tips(const RbScene *s, RbDiag *diag);

// cut_smoothing.c: of smoothing radii that were typed but are too large for a body, or of no use to it.
void rb_scene_warn_of_cut_smoothing(const RbScene *s, RbDiag *diag);

// Is the object of an array whose elements stand at one place of the model, and not the first? To tell of that one is enough.
bool rb_scene_is_of_array(const RbScene *s, int object);

// Do grains and soft bodies touch it?
static inline bool rb_scene_is_wall(const RbSceneObject *o) {
    return o->has_shape && o->object.collidable && rb_shape_is_collidable(&o->shape);
}

// Steps that a run takes at least (model.h): where forces are functions of time, nothing else tells a
// solver that something will happen. 0: any.
int rb_scene_least_steps(const RbScene *scene);

// Is there a force that may depend on time?
bool rb_scene_has_time(const RbScene *scene);

// The palette that is built in, or a file of the user that adds to it.
RbStatus rb_scene_read_materials(RbScene *scene, const char *file, RbDiag *diag);

// Answers the index of the object or joint.
int rb_scene_add(RbScene *scene, RbSceneObject object);
int rb_scene_add_joint(RbScene *scene, RbObjectJoint joint);

// A joint between two objects; axes, coordinates at the start and speeds may be set in the answer
// before it is added.
RbObjectJoint rb_scene_joint(const char *name, RbJointKind kind, int a, int b, Vec3 n);

// Let two objects touch as meshes by the law of `element`; the meshes are in the frames of the objects and
// must live as long as the scene. A surface that is not closed is refused. (Objects that are collidable by
// their shapes touch by these too: make them not collidable.)
RbStatus rb_scene_add_solids(RbScene *scene, int a, const RbMesh *mesh_a, int b,
                             const RbMesh *mesh_b, RbSolidsForce element, RbDiag *diag);

// The same where b is a ball or an ellipsoid about its origin, which is not made of triangles: what it has in
// common with a is found in closed form. Only for laws by volume.
RbStatus rb_scene_add_round(RbScene *scene, int a, const RbMesh *mesh_a, int b, Vec3 semi_axes,
                            RbSolidsForce element, RbDiag *diag);

// Let each object that touches by its surface touch all others that are collidable, by a surface law of their
// materials or else by one from their numbers: meshes and round bodies as they are, other shapes as meshes of 48 segments. Both are there when it is called.
RbStatus rb_scene_pair_surfaces(RbScene *scene, RbDiag *diag);

// Contact laws as the thesis has them, where nothing else was chosen: friction regularised below
// v_small, nothing against twisting at a point, faces that press at one point.
void rb_scene_published_laws(RbScene *scene);

// Index of an object or of a joint, or -1. Of a wheel, which also moves freely by a joint of its name: that it rolls.
int rb_scene_find(const RbScene *scene, const char *name);
int rb_scene_find_joint(const RbScene *scene, const char *name);

// Actions that come at the same time keep their order.
void rb_scene_add_action(RbScene *scene, RbSceneAction action);

// Is its object a joint?
static inline bool rb_scene_is_about_joint(RbSceneActionKind kind) {
    return kind == RB_SCENE_LOCK || kind == RB_SCENE_UNLOCK || kind == RB_SCENE_REPLACE ||
           kind == RB_SCENE_BREAK;
}

static inline bool rb_scene_is_about_soft(RbSceneActionKind kind) {
    return kind == RB_SCENE_CHANGE || kind == RB_SCENE_CUT || kind == RB_SCENE_GLUE;
}

// A step at the end of a program; the program follows the last one if its number is that of programs so far.
void rb_scene_add_step(RbScene *scene, int program, RbSceneStep step);

// May the structure change, or a path be travelled?
static inline bool rb_scene_acts(const RbScene *scene) {
    return scene->actions.count > 0 || scene->programs.count > 0;
}
