// SPDX-License-Identifier: MIT
// mesh_make.h: solids as closed triangle meshes: bodies of revolution, extruded and swept polygons, and
// what is made of them by moving, refining and simplifying. Constructive geometry is in csg.h.
#pragma once

#include "base/diag.h"
#include "geom/contour.h"
#include "math/pose.h"

// From the origin to the corner `size`.
RbMesh rb_mesh_box(Vec3 size, RbArena *keep);

// About the z axis from z = 0 to `height`. One of the radii may be zero. All vertices lie on the
// surface; the volume is that of the prism or pyramid inscribed.
RbMesh rb_mesh_cone(double bottom, double top, double height, int segments, RbArena *keep);

// About the origin; the poles on the z axis.
RbMesh rb_mesh_sphere(double radius, int segments, RbArena *keep);

// About the z axis: a tube of radius `tube` around a circle of radius `radius` > tube.
RbMesh rb_mesh_torus(double radius, double tube, int segments, RbArena *keep);

// A polygon in the xy plane, drawn out from z = 0 to z = height (not zero).
RbMesh rb_mesh_extrude(const RbPolygon *polygon, double height, RbArena *keep, RbArena scratch);

// A polygon in the half-plane (r, z), r >= 0, turned about the z axis. A point with r < 0 is refused.
RbStatus rb_mesh_lathe(const RbPolygon *polygon, int segments, const char *name, RbPos at,
                       RbArena *keep, RbDiag *diag, RbMesh *out);

// A polygon that moves along a path with its origin on it, perpendicular to it and without turning
// about it more than it must; its y axis starts near `up`. Corners are mitred: the pieces are prisms. A closed path joins its ends (without a copy of
// the first point at the end). Where the path bends more sharply than the polygon is wide, the solid crosses itself.
RbStatus rb_mesh_sweep(const RbPolygon *polygon, const Vec3 *path, int count, bool closed, Vec3 up,
                       const char *name, RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag,
                       RbMesh *out);

// All vertices x become M x + r; a mirror image keeps its outside outside.
RbMesh rb_mesh_map(const RbMesh *mesh, Mat3 M, Vec3 r, RbArena *keep);

// Rotation about x, then about the new y, then about the new z by angles [rad]; exact at quarter
// turns.
Mat3 rb_clean_rotation(Vec3 angles);

// No side longer than `longest` [m]: sides are halved, the shape stays. Answers false, and no mesh, if
// that took more than `limit` triangles.
bool rb_mesh_refine(const RbMesh *mesh, double longest, int limit, RbArena *keep, RbArena scratch,
                    RbMesh *out);

// Fewer triangles: vertices go whose removal moves no point of the surface by more than tol [m] (sum of
// the moves of all steps). With a tol of rounding, what is plane gets as few triangles as edges allow, of
// the shapes of rb_mesh_delaunay.
RbMesh rb_mesh_simplify(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch);
// The same, and no side that was not there is longer than `longest` [m].
RbMesh rb_mesh_thin(const RbMesh *mesh, double tol, double longest, RbArena *keep, RbArena scratch);

// The same vertices and faces, without needles where they can be avoided: what lies in a plane within tol
// [m] is divided so that the smallest angles are as large as possible. Contact looks at fewer pairs then.
// Shares the vertices of `mesh`.
RbMesh rb_mesh_delaunay(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch);
