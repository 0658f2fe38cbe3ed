// SPDX-License-Identifier: MIT
// force_solids.h: contact of two solids with any surface, also concave, as a force element: by the volume
// they share or by elastic layers on their surfaces.
#pragma once

#include "collide/mesh_distance.h"
#include "contact/polygonal.h"
#include "contact/set.h"
#include "contact/volume_law.h"
#include "rigid/force.h"

typedef enum RbSolidsLaw { RB_SOLIDS_VOLUME, RB_SOLIDS_POLYGONAL } RbSolidsLaw;

typedef struct RbSolidsForce {
    RbFrame a, b; // of the meshes
    const RbSkin *skin_a, *skin_b;
    const RbLayer *layers[2]; // of both, for a bedding; otherwise NULL
    const RbFlatFaces *flat;  // of a under a round b, for a bedding; otherwise NULL
    Vec3
        round; // [m] semi-axes of b if it is an ellipsoid, whose mesh is only what is drawn; zero: it is not
    Vec3 axis; // of b if it is a body of revolution about the origin of its frame, of which the mesh is a polygon; zero: it is not
    RbSolidsLaw law;
    RbVolumeLaw volume;
    RbPolygonal polygonal;
    int number; // which of the caller's work spaces is its own
    bool idle;  // one of them is not there, or both are one body
    bool observes; // contact is told, but nothing is pressed
} RbSolidsForce;

// What a pair remembers besides where its bodies are and how they move.
typedef struct RbSolidsMemory {
    double mass;       // [kg] effective, of the contact
    Vec3 slide, twist; // [m], [rad] bristle of a law that sticks, in the frame of a
    Quat reference;    // of the mesh of a body of revolution: rb_solids_mesh; zero: as b stands
} RbSolidsMemory;

// Where b is in the frame of a, and how it moves there.
typedef struct RbSolidsPlace {
    Pose X;
    Quat reference;
    RbVolumeMotion motion; // without its axis, which follows from the rest
} RbSolidsPlace;

RbSolidsPlace rb_solids_place(const RbSolidsForce *element, const RbSolidsMemory *memory,
                              const RbKin *kin);

// Where the mesh of b is in the frame of a. The surface of a body of revolution stays as it is when that turns about its axis; a polygon that
// turned along would have its corners pass through the contact. So it stands at its reference, turned by the least angle
// that brings its axis to where it is (docs/theory/solids.md, section 5). *axis: what its motion lacks; may be NULL.
Pose rb_solids_mesh(const RbSolidsForce *element, const RbSolidsPlace *place, RbVolumeAxis *axis);

// Has the axis turned so far away from the reference that a new one is due? Where it is opposite there is no least angle.
bool rb_solids_turned(const RbSolidsForce *element, const RbSolidsPlace *place);

// How the surfaces move against each other, at the origin of a.
Motion rb_solids_surface_motion(const RbSolidsForce *element, const RbSolidsPlace *place);

// On b, in the frame of a.
typedef struct RbSolidsResult {
    Vec3 force;                  // [N]
    Vec3 torque;                 // [N m] about the origin of a
    Vec3 point;                  // [m] where the regions have their common centroid; of layers: that of their pressure
    Vec3 n;                      // of layers: direction of their pressure
    double normal_force;         // [N] sum over the regions
    double volume;               // [m³] 0 for layers
    double area;                 // [m²]
    int regions;                 // of layers: triangles in contact
    double penetration;          // [m] of layers: the largest
    Vec3 slide_rate, twist_rate; // [m/s], [rad/s] of the bristle
    double lost;                 // [W] dissipated; set by rb_force_solids
} RbSolidsResult;

// A function of the place alone; `work` remembers where to look. No forces and powers of a pair that only observes.
RbSolidsResult rb_solids_evaluate(const RbSolidsForce *element, RbMeshOverlap *work,
                                  const RbSolidsPlace *place, RbContactPowers *powers);

// [J] What a pair stores: the potential of its law, or, if that has none, what layers or a flat patch with such a force would.
typedef struct RbSolidsStore {
    double exactly, nearly;
} RbSolidsStore;

// The forces do not tell it, since of a bedding it costs more than they do.
RbSolidsStore rb_solids_stored(const RbSolidsForce *element, const RbSolidsMemory *memory,
                               RbMeshOverlap *work, const RbKin *kin);

// Adds the forces to both bodies. The work of elastic forces is that of a patch if their law has a potential, otherwise work from
// nothing: minus what is nearly stored now, and what the law makes.
RbSolidsResult rb_force_solids(const RbSolidsForce *element, const RbSolidsMemory *memory,
                               RbMeshOverlap *work, const RbKin *kin, Wrench *forces,
                               RbContactPowers *powers);

// On layers under both surfaces; a round body has none.
static inline bool rb_solids_are_bedded(const RbSolidsForce *e) {
    return e->law == RB_SOLIDS_VOLUME && e->volume.form == RB_VOLUME_BEDDING && !(e->round.x > 0);
}

// In a few words, for people.
const char *rb_solids_law_name(const RbSolidsForce *element);

static inline bool rb_solids_is_round(const RbSolidsForce *e) {
    return e->round.x > 0;
}

// Room for the overlap of the pair.
void rb_solids_open(const RbSolidsForce *element, RbMeshOverlap *work, RbArena *arena);

// How far apart they are (mesh_distance.h; of a round body: round_overlap.h).
RbMeshGap rb_solids_distance(const RbSolidsForce *element, Pose X_AB, double limit,
                             RbMeshMemory *memory);

// [m] The smaller of both: what lengths of their contact are measured by.
static inline double rb_solids_size(const RbSolidsForce *e) {
    return fmin(e->skin_a->size, e->skin_b->size);
}

static inline bool rb_solids_stick(const RbSolidsForce *e) {
    return e->law == RB_SOLIDS_VOLUME && e->volume.sticks && e->volume.mu_static > 0 && !e->observes;
}
