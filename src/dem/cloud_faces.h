// SPDX-License-Identifier: MIT
// cloud_faces.h: contacts of which at least one side is a convex polyhedron (docs/theory/granular.md, section 10): distance and
// patch of the two shapes (src/collide), pressure by the potential of the patch (contact/press.h), friction by a spring that remembers.
#pragma once

#include "dem/cloud.h"

// What acts at a contact; body A is the one with the lower identity, or the wall; forces act on B.
typedef struct RbFaceContact {
    bool touches;
    Vec3 point, n;     // [m]; from A to B
    Vec3 force;        // [N] on B
    Wrench on_a, on_b; // about the centres of the grains, or the origin of the wall
    Vec3 turned;       // [N m] on B beside the force at the point
    double depth;      // [m]
    RbGrip grip;
    Vec3 slide;                              // as in RbGrainList
    double normal_stored, tangential_stored; // [J]
    double damping, sliding;                 // [W]
    double stiffness;                        // [1/s2] (d force / d depth) / m*
} RbFaceContact;

// start: no time has passed since the last evaluation.
RbFaceContact rb_cloud_face_contact(const RbCloud *cloud, const RbFacePair *pair, bool start);

// [m] From the centre of the other particle, or from the point at a wall, to that of the grain's.
Vec3 rb_cloud_face_branch(const RbCloud *cloud, const RbFacePair *pair, Vec3 point);

// [m] Signed distance of a shape, where X is, from a grain.
double rb_cloud_face_distance(const RbCloud *cloud, int grain, const RbCore *core, Pose X);

// Is a grain the bounding sphere of a polyhedron?
bool rb_cloud_is_face(const RbCloud *cloud, int grain);

// Forces of all such contacts of a chunk on its own grains and on walls; then what acts on the second grains of all chunks.
void rb_cloud_press_faces(RbCloud *cloud, RbGrainChunk *chunk, bool start);
void rb_cloud_collect_faces(RbCloud *cloud);
