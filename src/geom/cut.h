// SPDX-License-Identifier: MIT
// cut.h: how the surfaces of two solids A and B cut each other: where edges of one pierce triangles of
// the other, which vertices lie inside the other solid, and which loops bound the parts of each
// triangle. Constructive geometry (csg.h) and contact (collide/mesh_overlap.h) both stand on it
// (docs/theory/solids.md).
//
// All decisions are signs of rb_orient3d_named: no vertex ever lies on a plane, no two edges ever meet,
// and all neighbours see the same. So whatever the rounding of the coordinates, what is found is
// closed. The work is proportional to the part that touches; arrays that are as long as the meshes
// are written once and then told apart by a stamp.
#pragma once

#include "base/sort_keys.h"
#include "geom/predicate.h"
#include "geom/skin.h"

// A triangle with its corners, as the predicates see them.
typedef struct RbCutFacet {
    int triangle;
    RbNamed x[3];
    RbAabb box; // [m]
} RbCutFacet;

// An edge of one solid that pierces a triangle of the other.
typedef struct RbCrossing {
    int side; // 0: edge of A, triangle of B; 1: edge of B, triangle of A
    int edge;
    int face;
    bool enters; // going from v[0] to v[1] of the edge it enters the other solid
    double t;    // from v[0] (0) to v[1] (1)
    Vec3 point;
} RbCrossing;

// A directed piece of the boundary of the part of a triangle that is kept. Its ends are nodes:
// a crossing c >= 0, or the vertex -1 - v.
typedef struct RbCutPiece {
    int triangle, from, to;
} RbCutPiece;

// A closed loop of pieces in a triangle, the part that is kept to its left seen from outside.
typedef struct RbCutLoop {
    int side, triangle;
    int first, count; // in RbMeshCut.nodes
} RbCutLoop;

typedef struct RbCutSide {
    const RbSkin *skin;
    bool given; // x and shown were filled by the caller
    bool moved; // vertices are given in another frame: X
    Pose X;
    Vec3 *x;     // [m] the vertices as the predicates see them
    Vec3 *shown; // [m] and as points are calculated from them; the same unless solids are grown
    unsigned *x_stamp, *vertex_stamp, *edge_stamp, *triangle_stamp, *component_stamp;
    // what belongs to them is valid if they equal RbMeshCut.stamp
    signed char *state;          // of a vertex: +1 inside the other solid, -1 outside
    int *edge_first;             // of a crossed edge: its first crossing in RbMeshCut.order
    int *vertex_node;            // number of an inside vertex in RbMeshCut.inside
    int *facet_number;           // of a triangle, if facets.data[it] is this triangle
    RB_ARRAY(RbCutFacet) facets; // all that are in near pairs
    unsigned name;               // of its first vertex, for the predicates
} RbCutSide;

typedef struct RbMeshCut {
    RbArena *arena;
    RbCutSide side[2];
    unsigned stamp;
    RB_ARRAY(RbCrossing) crossings;
    RB_ARRAY(RbKeyed) order; // crossings along each edge: side 0 first, by edge and place
    RB_ARRAY(RbKeyed) spare;
    RB_ARRAY(RbKeyed) pairs;   // crossings of each pair of triangles
    RB_ARRAY(int) segments[4]; // triangle of A, of B, crossings from and to (in A, B to the left)
    RB_ARRAY(int) inside[2];   // vertices inside the other solid
    RB_ARRAY(RbCutPiece) pieces;
    RB_ARRAY(RbCutLoop) loops;
    RB_ARRAY(int) nodes;
    RB_ARRAY(int) near; // pairs of facets that were near at near_pose: 2 per pair
    Pose near_pose;
    int near_uses;       // evaluations that used them
    double near_reach;   // [m] they are all pairs as long as B has moved by less
    RB_ARRAY(int) stack; // of the traversal
    double slack;        // [m] by which given vertices differ from those of the mesh
    bool tangled;        // the surfaces do not bound solids: one crosses itself
    Vec3 tangled_at;     // [m] near here
    long tests;          // of pairs of triangles
} RbMeshCut;

// Room for two surfaces, which must live as long. Arrays grow in *arena when a cut needs more than
// all before.
void rb_cut_open(RbMeshCut *cut, const RbSkin *a, const RbSkin *b, RbArena *arena);

// How much of two surfaces may touch before arrays grow.
typedef struct RbCutRoom {
    int crossings, vertices, triangles;
} RbCutRoom;

// Take room at once, for cuts in a loop that must not allocate: all of small meshes (up to about 4,000
// triangles together, each crossing on average one of the other), of larger ones a part of that size.
RbCutRoom rb_cut_reserve(RbMeshCut *cut);

// Find crossings and inside vertices for B posed in the frame of A. All results are in that frame.
void rb_cut_find(RbMeshCut *cut, Pose X_AB);

// The loops of what is kept of a side: what is inside the other solid (keep_inside) or outside it.
// Triangles that are kept whole have a loop if keep_inside; otherwise only those that were cut have.
// Adds to `loops`.
void rb_cut_loops(RbMeshCut *cut, int side, bool keep_inside);

static inline void rb_cut_clear_loops(RbMeshCut *cut) {
    cut->loops.count = cut->nodes.count = 0;
}

// The point of a node of a side.
Vec3 rb_cut_point(const RbMeshCut *cut, int side, int node);

// Is a vertex inside the other solid? Only for vertices of components that are cut, or after
// rb_cut_find found them inside.
static inline bool rb_cut_inside(const RbMeshCut *cut, int side, int vertex) {
    const RbCutSide *s = &cut->side[side];
    return s->vertex_stamp[vertex] == cut->stamp && s->state[vertex] > 0;
}

static inline bool rb_cut_touched(const RbMeshCut *cut, int side, int triangle) {
    return cut->side[side].triangle_stamp[triangle] == cut->stamp;
}
