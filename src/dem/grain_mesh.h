// SPDX-License-Identifier: MIT
// grain_mesh.h: a surface of triangles as a wall of grains (docs/theory/granular.md, section 7).
//
// A grain touches a surface at every local minimum of the distance from its centre. Such a minimum lies
// in the inside of a *patch* (triangles that are joined and lie in one plane), on a *ridge* (a straight line
// where patches meet or a surface ends) or at a *corner*; exactly one of them owns it. Edges and vertices
// inside a patch, and vertices inside a ridge, own nothing: however a plane is divided into triangles, the
// contacts are the same, and what they remember stays with the patch.
#pragma once

#include "base/diag.h"
#include "geom/mesh_tree.h"

// A plane n . x = offset, and which triangles of it there are.
typedef struct RbGrainPatch {
    Vec3 n;
    double offset;    // [m]
    int first, count; // in RbGrainMesh.patch_triangles
} RbGrainPatch;

// From a to b, and along each patch that ends here: unit vectors in the patch, perpendicular to the ridge,
// towards its inside.
typedef struct RbGrainRidge {
    Vec3 a, b, along; // [m], [m], unit vector
    int first, count; // in RbGrainMesh.inward
} RbGrainRidge;

// With the directions in which the surface leaves it.
typedef struct RbGrainCorner {
    Vec3 r;           // [m]
    int first, count; // in RbGrainMesh.away
} RbGrainCorner;

// Which ridge the sides of a triangle are part of, and with which of its inward vectors.
typedef struct RbGrainTriangle {
    int patch;
    int ridge[3];  // -1: a side inside the patch
    int inward[3]; // in RbGrainMesh.inward
} RbGrainTriangle;

// Features are numbered: patches, then ridges, then corners.
typedef struct RbGrainMesh {
    RbMesh mesh;
    RbMeshTree tree;
    bool closed;     // it encloses a body: grains are outside; otherwise they may be on either side
    double slack;    // [m] what lies in a plane may be this far off it
    double rounding; // [m] of coordinates
    const RbGrainPatch *patches;
    const RbGrainRidge *ridges;
    const RbGrainCorner *corners;
    int patch_count, ridge_count, corner_count;
    const RbGrainTriangle *triangles;
    const int *patch_triangles; // all triangles, patch by patch
    const int *corner_of;       // per vertex; -1: none
    const Vec3 *inward, *away;
} RbGrainMesh;

// Prepare a mesh, whose memory must stay. Vertices in the same place are one, as in files without shared
// vertices. A mesh without triangles, or of too many, is refused.
RbStatus rb_grain_mesh(const RbMesh *mesh, const char *name, RbPos at, RbArena *keep,
                       RbArena scratch, RbDiag *diag, RbGrainMesh *out);

// Distance of a point from a feature that owns a local minimum for it, and the unit vector from there;
// INFINITY if it owns none that is nearer than `reach` [m]. *hint: a triangle where to look first, which changes nothing else.
double rb_grain_mesh_distance(const RbGrainMesh *m, int feature, Vec3 p, double reach, int *hint,
                              Vec3 *n);

// Features that own a minimum for a point which is within `reach` [m], now or after moving a little:
// at least once each.
typedef void RbGrainNear(void *user, int feature);
void rb_grain_mesh_near(const RbGrainMesh *m, Vec3 p, double reach, RbGrainNear *near, void *user);

// Is a point inside the body that a closed mesh encloses? (No, if it is not closed.)
bool rb_grain_mesh_encloses(const RbGrainMesh *m, Vec3 p);
