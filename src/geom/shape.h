// SPDX-License-Identifier: MIT
// shape.h: the forms that bodies have: kind and parameters as the user gives them (names, frames
// and defaults of Modia3D), and the cores that distance queries work on (core.h). Formulas:
// docs/theory/shapes.md.
//
//     RbShape shape = rb_shape_box(v3(0.4, 0.3, 0.2));
//     shape.smoothing = 0.002;                           // optional; 0 switches smoothing off
//     RB_TRY(rb_shape_check(&shape, "crate", at, diag)); // all below needs a checked shape
//     RbCore core = rb_shape_core(&shape);
//
// Hulls and meshes are built, and checked, by rb_shape_hull and rb_shape_mesh, and are sharp until rb_shape_round; scenes round what they are given.
// A shape of several convex parts has one core for each of them: rb_shape_cores.
#pragma once

#include "base/diag.h"
#include "geom/core.h"
#include "geom/mesh.h"

// ORDER shape kinds: names in shape.c. The frame stands at the geometric centre unless another
// place is named. `axis` = 1, 2, 3 puts the axis of a shape along x, y, z.
typedef enum RbShapeKind {
    RB_SHAPE_SPHERE,
    RB_SHAPE_ELLIPSOID,
    RB_SHAPE_BOX,
    RB_SHAPE_CYLINDER,
    RB_SHAPE_CONE, // frame at the centre of the base circle, top (or apex) at +length on the axis
    RB_SHAPE_CAPSULE,
    RB_SHAPE_BEAM, // box with half cylinders at both ends, whose axes point along the thickness
    RB_SHAPE_HULL, // convex hull of points, grown by a radius
    RB_SHAPE_HALFSPACE, // all points with z <= 0 in the frame of the shape; has no mass
    RB_SHAPE_MESH,      // one rigid body of one or more convex parts
    // Visual only: data for the viewer, neither contact nor mass.
    RB_SHAPE_COORDINATE_SYSTEM,
    RB_SHAPE_GRID,   // axis is its normal; length and width along the next two axes, cyclically
    RB_SHAPE_SPRING, // frame at the centre of its lower end
    RB_SHAPE_GEARWHEEL,
    RB_SHAPE_TEXT,
    RB_SHAPE_KIND_COUNT,
} RbShapeKind;

// Where a text stands: always facing the viewer, or in a plane of its frame; what its point is to
// it.
typedef enum RbTextPlane { RB_TEXT_SCREEN, RB_TEXT_XY, RB_TEXT_XZ, RB_TEXT_YZ } RbTextPlane;
typedef enum RbTextAlign { RB_TEXT_CENTER, RB_TEXT_LEFT, RB_TEXT_RIGHT } RbTextAlign;

#define RB_DEFAULT_SMOOTHING 0.001 // [m]

// The parameters that a kind uses are listed beside it; the others are zero.
typedef struct RbShape {
    RbShapeKind kind;
    int axis;              // 1, 2, 3: cylinder, cone, capsule, beam, grid, spring, gear wheel
    double smoothing; // [m] wanted smoothing radius of edges: box, cylinder, cone, beam, hull, mesh
    double contact_radius; // [m] for Hertz contact; 0: from the dimensions

    Vec3 lengths;          // [m] edges of a box, axes of an ellipsoid
    double diameter;       // [m] sphere, cylinder, cone (base), capsule, spring, gear wheel
    double inner_diameter; // [m] cylinder (a pipe; counts for the mass only), gear wheel
    double top_diameter;   // [m] cone: 0 for a full cone
    double length;         // [m] along the axis (grid: across); without the rounded ends
    double width;          // [m] beam: also the diameter of its ends; grid
    double thickness;      // [m] beam
    double radius;         // [m] hull: added on all sides

    const RbCore *parts; // hull (one) and mesh: convex parts, made by the hull of their points
    int part_count;
    const RbCore *rounded; // hull and mesh: the parts with rounded edges; NULL: sharp
    const RbMesh *surface; // mesh: its closed surface if it has one (mass, viewer), otherwise NULL

    double distance;      // [m] grid: between lines
    double line_width;    // grid: in pixels
    double wire_diameter; // [m] spring
    double windings;      // spring
    double angle;         // [rad] gear wheel: bevel
    int teeth;            // gear wheel
    const char *text;     // text
    double char_size;     // [m] text: height of a letter
    Vec3 offset;          // [m] text: from the frame to the point that it is aligned to
    RbTextPlane plane;    // text
    RbTextAlign align;    // text
} RbShape;

// Shapes with the given parameters and defaults for the rest, not yet checked.
RbShape rb_shape_sphere(double diameter);
RbShape rb_shape_ellipsoid(Vec3 lengths);
RbShape rb_shape_box(Vec3 lengths);
RbShape rb_shape_cylinder(int axis, double diameter, double length);
RbShape rb_shape_cone(int axis, double diameter, double length, double top_diameter);
RbShape rb_shape_capsule(int axis, double diameter, double length);
RbShape rb_shape_beam(int axis, double length, double width, double thickness);
RbShape rb_shape_halfspace(void);
RbShape rb_shape_coordinate_system(double length);
RbShape rb_shape_grid(int axis, double length, double width, double distance);
RbShape rb_shape_spring(int axis, double length, double diameter);
RbShape rb_shape_gearwheel(int axis, double diameter, double length, int teeth);
RbShape rb_shape_text(const char *text);

// The convex hull of points, grown by a radius >= 0. The shape refers to memory in *keep.
RbStatus rb_shape_hull(const Vec3 *points, int count, double radius, const char *name, RbPos at,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out);

// A body whose contact is that of the convex hulls of its parts. The mass comes from `surface` if
// there is one (it must be closed and oriented: mesh_check.h), otherwise from the parts, which then
// must not overlap.
RbStatus rb_shape_mesh(const RbMesh *parts, int part_count, const RbMesh *surface, const char *name,
                       RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out);

// A warning if the parts of a shape overlap, by how much in all: where the mass comes from them it counts that twice.
// Of very many parts not all are compared.
void rb_shape_tell_overlap(const RbShape *shape, const char *name, RbPos at, RbArena *keep,
                           RbArena scratch, RbDiag *diag);

// Round the edges of a hull or a mesh with its smoothing radius, for its cores alone: at most a fifth of the way from the centroid of a part to its
// nearest face. Faces, mass and picture stay as they are. Where parts meet face to face their common faces have no edges. A hull with a radius is round
// already. The only error is that of no memory.
RbStatus rb_shape_round(RbShape *shape, RbArena *keep, RbArena scratch);

// "box", "cone", ...
const char *rb_shape_kind_name(RbShapeKind kind);

// Are the parameters sizes of a real body? `name` is what the user calls the shape, or NULL. The
// message names the parameter, its value and what is allowed.
RbStatus rb_shape_check(const RbShape *shape, const char *name, RbPos at, RbDiag *diag);

// Has the shape cores, so that it can touch something?
bool rb_shape_is_collidable(const RbShape *shape);

// [m] The smoothing radius in use: the wanted one, but at most a tenth of the smallest length; 0
// where nothing is smoothed. Hulls and meshes: rb_shape_round.
double rb_shape_smoothing(const RbShape *shape);

// What may touch has no edge sharper than a ten-thousandth of its smallest length: two sharp ones have no normal to rely on. (Of hulls and meshes
// rb_shape_round sees to that.)
#define RB_LEAST_SMOOTHING 1e-4
void rb_shape_blunt(RbShape *shape);

// Axes of the core's frame C in the frame of the shape (core.h: axis along z; beam: length, width,
// thickness).
Mat3 rb_shape_axes(const RbShape *shape);

// The core of a shape that has exactly one (all but meshes of several parts and visual shapes).
RbCore rb_shape_core(const RbShape *shape);

// All cores of a shape, in the arena; *count is 0 for visual shapes.
const RbCore *rb_shape_cores(const RbShape *shape, RbArena *keep, int *count);

// Data for the contact radius of a pair (thesis, Tables 7.1 and 7.2). A half-space is flat with an
// infinite radius.
bool rb_shape_is_flat(const RbShape *shape);
double rb_shape_contact_radius(const RbShape *shape); // [m]

// [m] R_geo of two shapes: the radius of the curved one if exactly one is flat, otherwise r1 r2 /
// (r1 + r2).
double rb_contact_radius(const RbShape *a, const RbShape *b);
