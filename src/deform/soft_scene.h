// SPDX-License-Identifier: MIT
// soft_scene.h: what a scene of soft bodies is made of: materials, objects and their molecules
// (docs/theory/soft.md). Plain data that a reader or a program fills in; network.h makes masses and
// springs of it.
#pragma once

#include "base/diag.h"
#include "math/vec3.h"
#include "rattleback/soft.h"

// A force on a molecule, linear between the times given, zero before the first and after the last.
typedef struct RbSoftForce {
    double time; // [s]
    Vec3 force;  // [N]
} RbSoftForce;

typedef struct RbMolecule {
    Vec3 r;        // [m] at the start
    Vec3 v;        // [m/s]
    double radius; // [m]
    double friction;
    int material;
    int object;
    bool fixed;
    int force, force_count; // in RbSoftScene.forces
    RbPos at;
} RbMolecule;

// An element by the molecules of its object: corners, then middles of edges (element.h).
typedef struct RbSoftTet {
    int node[10];
    int nodes; // 4 or 10: the same in an object
} RbSoftTet;

// The molecules of an object are one after another.
typedef struct RbSoftObject {
    const char *name;
    int first, count;
    RbPos at;
    int tet,
        tet_count; // in RbSoftScene.tets; none: elements, if its material wants them, are cut out of its grid
    double volume; // [m3] of the shape that it fills, which gives its mass; 0: that of its cells
    bool self_contact; // parts of it that are not neighbours touch each other
    RbSoftPlacement placement;
} RbSoftObject;

// What is done to the connections at a time: objects a and b are glued together where they touch; object a is cut along a plane.
typedef enum RbSoftChangeKind { RB_SOFT_GLUE, RB_SOFT_CUT } RbSoftChangeKind;

typedef struct RbSoftChange {
    RbSoftChangeKind kind;
    double time; // [s]
    const char *a, *b;
    Vec3 point, normal; // [m], any length
    RbPos at;
} RbSoftChange;

// What mass a molecule has: its share of the cells of the lattice, so that a body has the mass of
// its volume; or that of its sphere, as in the scenes of the thesis (spheres overlap).
typedef enum RbSoftMass { RB_SOFT_MASS_CELLS, RB_SOFT_MASS_SPHERES } RbSoftMass;

// Contact of objects: of the spheres of their molecules, or of their surfaces, looked at in the vertices or along all edges.
typedef enum RbSoftDetection { RB_SOFT_SPHERES, RB_SOFT_SURFACES, RB_SOFT_EDGES } RbSoftDetection;

typedef struct RbSoftScene {
    RbArena *arena;
    const char *name;
    Vec3 gravity;   // [m/s2]
    int neighbours; // 18 or 26
    RbSoftMass mass;
    double stiffness; // of contacts, in units of what Hertz's law gives for the materials
    RbSoftDetection detection;
    double resolution;      // [m] of surfaces; 0: by rb_surface_cell
    bool self_contact;      // of objects that are added
    double stop_time;       // [s] 0: not said
    double output_interval; // [s] 0: not said
    RB_ARRAY(RbSoftMaterial) materials;
    RB_ARRAY(RbSoftObject) objects;
    RB_ARRAY(RbMolecule) molecules;
    RB_ARRAY(RbSoftForce) forces;
    RB_ARRAY(RbSoftTet) tets;
    RB_ARRAY(RbSoftChange) changes; // one after another
} RbSoftScene;

RbSoftScene *rb_soft_scene_new(const char *name, RbArena *arena);
RbSoftScene *rb_soft_scene_copy(const RbSoftScene *scene, RbArena *arena); // that can be added to

// Numbers of what was added. The molecules that follow an object belong to it.
int rb_soft_scene_add_material(RbSoftScene *scene, const RbSoftMaterial *material);
int rb_soft_scene_add_object(RbSoftScene *scene, const char *name, RbPos at);
int rb_soft_scene_add_molecule(RbSoftScene *scene, const RbMolecule *molecule);
void rb_soft_scene_add_tet(RbSoftScene *scene, const RbSoftTet *tet);       // of the last object
void rb_soft_scene_add_force(RbSoftScene *scene, const RbSoftForce *force); // on the last molecule

void rb_soft_scene_add_change(RbSoftScene *scene, const RbSoftChange *change);

// -1: none has this name.
int rb_soft_scene_find_material(const RbSoftScene *scene, const char *name);
int rb_soft_scene_find_object(const RbSoftScene *scene, const char *name);

// Every value in its range, every object whole; names of objects are used once.
RbStatus rb_soft_scene_check(const RbSoftScene *scene, RbDiag *diag);
