// SPDX-License-Identifier: MIT
// round_press.h: how a ball or an ellipsoid presses on a solid by the depth at each place of its surface
// (docs/theory/solids.md, section 5). The force is the gradient of an energy in every pose, on faces, edges, corners and in
// grooves, and on a face it is Hertz's. How a plane face is divided into triangles changes nothing.
#pragma once

#include "collide/mesh_overlap.h"

// Is wanted of an overlap that is round: then its points are these. flat: of the mesh, whose faces must stay.
void rb_round_press_open(RbMeshOverlap *overlap, const RbFlatFaces *flat);

// The part of a triangle in the ball, where the ellipsoid is the unit ball: places from the foot of its centre along two axes.
typedef struct RbRoundPiece {
    Pose X;    // of the ellipsoid
    Vec3 semi; // [m]
    int triangle;
    Vec3 n, axes[2];
    double away;                // of the plane, along n
    double radius;              // of its circle
    double middle[2];           // within; the borders are seen from here
    struct RbPressedFace *sums; // the rest is set by rb_round_press_start
    double *bulk;
    double stretch; // [m²] of an area there
    Vec3 y;         // the middle in the ball
    double q[2];    // [m] in the face
    double depth;   // likewise, where the ball has the radius 1
} RbRoundPiece;

// While an overlap is found: for each piece a start, and its borders.
void rb_round_press_clear(RbMeshOverlap *overlap);
void rb_round_press_start(RbMeshOverlap *overlap, RbRoundPiece *piece);
void rb_round_press_side(const RbRoundPiece *piece, const double from[2], const double to[2]);
void rb_round_press_arc(const RbRoundPiece *piece, const double from[2], double angle);
void rb_round_press_end(RbMeshOverlap *overlap, Pose X);
