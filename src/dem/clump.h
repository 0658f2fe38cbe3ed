// SPDX-License-Identifier: MIT
// clump.h: the form of a particle that consists of spheres which are joined rigidly and may overlap
// (docs/theory/granular.md, section 9). Any number of particles have the same form, each with a size of its own.
// Or the form is a convex polyhedron (section 10), whose only sphere is the one around it.
#pragma once

#include "base/diag.h"
#include "geom/mesh.h"
#include "geom/shape.h"
#include "math/pose.h"
#include "math/quat.h"

enum { RB_CLUMP_MOST = 1000 }; // spheres

// As it is typed, in any frame.
typedef struct RbClumpSpec {
    const char *name; // of the particles, for messages
    RbPos at;
    int count;
    const double *spheres; // [m] x, y, z and radius of each
    double mass;           // [kg] 0: from the density of the material and what the spheres fill
    Vec3 centre;           // [m] with a mass: centre of it
    Mat3 inertia;          // [kg m2] with a mass: about that centre
} RbClumpSpec;

// Made from it: centre of mass and principal axes are the frame.
typedef struct RbClump {
    int count;
    const Vec3 *places;  // [m] centres of the spheres
    const double *radii; // [m]
    double reach;        // [m] of the farthest point
    double volume;       // [m3] of the union
    double mass;         // [kg] 0: density times volume
    Vec3 moments;        // of inertia about the axes: [kg m2], or [m5] per density where mass is 0
    Quat axes;           // of these axes in the frame as typed
    const RbCore *core;  // of a polyhedron, in the frame as typed; NULL: spheres touch
    Pose frame;          // of what was typed, in this one
    double face;         // [m2] of a polyhedron: its largest face
    double inner;        // [m] of a polyhedron: radius of the ball about its centre that is in it
    RbMesh surface;      // of a polyhedron, in the frame as typed: for pictures
} RbClump;

// Spheres that do not hang together are refused, as are none, and numbers that are not possible.
RbStatus rb_clump(const RbClumpSpec *spec, RbArena *keep, RbArena scratch, RbDiag *diag,
                  RbClump *out);

// A polyhedron as it is typed: a box, or points of which it is the convex hull.
typedef struct RbPolyhedronSpec {
    const char *name; // of the particles, for messages
    RbPos at;
    Vec3 lengths; // [m] box; all zero: points
    int count;
    const double *points; // [m] x, y, z of each
    double rounding;      // [m] radius of edges: inside a box, added to a hull
} RbPolyhedronSpec;

RbStatus rb_polyhedron(const RbPolyhedronSpec *spec, RbArena *keep, RbArena scratch, RbDiag *diag,
                       RbClump *out);

// [kg], [kg m2] of a particle of this form, `size` times as large as typed.
double rb_clump_mass(const RbClump *clump, double density, double size);
Vec3 rb_clump_moments(const RbClump *clump, double density, double size);

// [kg] The smallest mass that a contact may have to do with: 1/m = 1/M + (d x n) J⁻¹ (d x n) for the worst normal n, of
// the sphere whose contacts are the shortest; and the radius of that sphere [m].
double rb_clump_lightest(const RbClump *clump, double density, double size, double *radius);
