// SPDX-License-Identifier: MIT
// surface.h: the surface around the molecules of an object (docs/theory/soft.md, section 6): where a field of all of them
// has a certain value. It is made once, at rest, and then carried along by the molecules.
//
//     F(p) = 1/T sum of (1 - r²/b²)³ over molecules nearer than b,   T = (1 - R²/b²)³,   surface: F = 1
//
// One molecule has the sphere of its radius R as its surface. b² = R² + a² lets neighbours leave the tops of the outer molecules
// alone and closes everything inside.
#pragma once

#include "deform/network.h"
#include "geom/mesh.h"

typedef struct RbSoftField {
    double radius;    // [m] R, the largest of the object
    double reach;     // [m] b
    double threshold; // T
} RbSoftField;

RbSoftField rb_soft_field(const RbNetwork *network, int object);

// Triangles by marching through the tetrahedra of a body-centred grid: always closed, and oriented, and as symmetric as the body is. Vertices lie on F = 1. `cell` is
// the size of its cubes [m]. Places may be any, not only those at rest.
RbStatus rb_surface_make(const RbNetwork *network, int object, const Vec3 *r, double cell,
                         RbArena *keep, RbArena scratch, RbDiag *diag, RbMesh *out);

// The spacing of the thesis' rule (3.1), volume/20 + 5 mm in metres, times 2, since tetrahedra make more triangles of a
// cube; but between 0.42 and 1.26 radii.
double rb_surface_cell(const RbNetwork *network, int object);

enum { RB_SKIN_MOLECULES = 8 };

// A vertex moves with some molecules: p = sum of w r (+ h n, n the normal of three of them, where all lie in a plane).
typedef struct RbSkinVertex {
    int molecule[RB_SKIN_MOLECULES];
    double weight[RB_SKIN_MOLECULES];
    int count;
    int plane[3];  // molecules that span the plane; plane[0] < 0: none
    double height; // [m] h
    Vec3 offset;   // [m] what is left, in the world: of chains and single molecules
    double area;   // [m2] that it stands for: those of all are the surface
} RbSkinVertex;

// An edge of the triangles.
typedef struct RbSoftEdge {
    int a, b;    // vertices
    double area; // [m2] that it stands for: those of all are the surface
} RbSoftEdge;

typedef struct RbSoftSkin {
    RbMesh mesh; // at rest
    RbSkinVertex *vertices;
    double outreach; // [m] how far a vertex is from its nearest molecule, at most
    double follow;   // a vertex moves at most so many times as far as the molecules
    RbSoftEdge *edges; // if these touch, and not the vertices alone; NULL otherwise
    int edge_count;
} RbSoftSkin;

void rb_skin_find_edges(RbSoftSkin *skin, RbArena *keep, RbArena scratch);

RbSoftSkin rb_skin_attach(const RbNetwork *network, int object, RbMesh mesh, const Vec3 *r,
                          RbArena *keep);

Vec3 rb_skin_place(const RbSkinVertex *vertex, const Vec3 *r);
Vec3 rb_skin_velocity(const RbSkinVertex *vertex, const Vec3 *r, const Vec3 *v);
// Molecules that move the vertex, and the derivatives of its place by theirs, each one once: how many, at most
// RB_SKIN_MOST.
enum { RB_SKIN_MOST = RB_SKIN_MOLECULES + 3 };
int rb_skin_slopes(const RbSkinVertex *vertex, const Vec3 *r, int *molecule, Mat3 *by);
// Adds what a force on the vertex is on its molecules: the same power for every motion of them.
void rb_skin_push(const RbSkinVertex *vertex, const Vec3 *r, Vec3 force, Vec3 *f);
