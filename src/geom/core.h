// SPDX-License-Identifier: MIT
// core.h: the geometry that distance queries work on. Every collidable convex shape is a core plus
// a sphere: all points within `radius` of the core. A smoothed box is a smaller box plus the
// smoothing radius, a capsule a segment plus its own radius. While two shapes penetrate by less
// than the sum of their radii the cores are disjoint, so the signed distance is the core distance
// minus the radii.
//
// Cores stand in their own frame C: axis of symmetry along z, centred at the origin (frustum: see
// below). `frame` places C in the frame of the shape, so that shapes with another axis or origin
// share one code.
#pragma once

#include "math/pose.h"

// ORDER core kinds: collide dispatches on unordered pairs of them
typedef enum RbCoreKind {
    RB_CORE_POINT,
    RB_CORE_SEGMENT,  // half length h.z along z
    RB_CORE_BOX,      // half lengths h
    RB_CORE_CYLINDER, // radius h.x (= h.y), half length h.z along z
    RB_CORE_FRUSTUM,  // radius h.x at z = -h.z, radius h.y <= h.x at z = +h.z; h.y = 0: cone
    RB_CORE_BEAM, // stadium prism: half length h.x of the straight part along x, radius h.y of the
                  // rounded ends, half thickness h.z along z
    RB_CORE_ELLIPSOID, // half lengths h
    RB_CORE_POLYTOPE,  // convex hull of points
    RB_CORE_HALFSPACE, // all points with z <= 0
    RB_CORE_KIND_COUNT,
} RbCoreKind;

// Faces, vertices and edges of a convex polytope, in frame C. Faces are convex polygons (coplanar
// triangles are merged).
typedef struct RbPolytope {
    int vertex_count;
    const Vec3 *vertices;
    const int *neighbour_start; // vertex_count + 1: start of the neighbours of each vertex
    const int *neighbours;      // vertices joined to it by an edge: hill climbing finds supports
    const int *vertex_faces;    // faces at each vertex, as many as it has neighbours: neighbour_start
    int face_count;
    const Vec3 *face_normals;   // outward unit normals
    const double *face_offsets; // n . x = offset on the face, largest over all vertices
    const int *face_start;      // face_count + 1: start of the vertices of each face
    const int *face_vertices;   // counter-clockwise seen from outside
    int edge_count;
    const int (*edges)[2];      // vertex pairs, smaller index first
    const int (*edge_faces)[2]; // the two faces that meet in each edge
} RbPolytope;

typedef struct RbCore {
    RbCoreKind kind;
    Vec3 h;        // [m] see RbCoreKind
    double radius; // [m] of the sphere that is added
    double
        size;   // [m] largest extent of the whole shape, radius included; infinite for a half-space
    Pose frame; // C in the frame of the shape
    const RbPolytope *polytope;
} RbCore;
