// SPDX-License-Identifier: MIT
// patch.h: the patch on which two convex cores press on each other, as moments of the overlap, and
// how these change with the relative pose (docs/theory/contact-patch.md).
//
// Over the plane across a normal n (from A to B) the cores, moved together by the two smoothing
// radii, overlap by w(p) = r_A + r_B + f_A(p) - f_B(p), the patch is where w > 0, and
//     A = ∫1, V = ∫w, W = ∫w².
// n is the direction along which V is largest, not that of the distance; W is the largest one along any (patch_cores.h).
// A law that presses by a potential U(V, W) needs these and their slopes and nothing else: what
// finds them (here: cores; elsewhere: meshes) and what makes forces of them are apart.
#pragma once

#include "collide/distance.h"
#include "math/spatial.h"

// Where rounded corners alone touch: a depth that is smooth also where the closest points jump from one end of short edges to the other.
// It is 0 where that of the closest points will do.
typedef struct RbSpot {
    double depth; // [m]
    Wrench
        slope; // when B moves: f for a shift of its point at the patch's origin, t for a turn about it
    double x, y; // [m] its centre, along u and v from the origin
} RbSpot;

typedef struct RbPatch {
    Vec3 origin;                 // [m] halfway between the closest points
    Vec3 u, v, n;                // right-handed; n from A to B
    double area, volume, square; // A [m²], V [m³], W [m⁴]
    // Of w over the plane, coordinates (x, y) along u and v from the origin:
    double x, y;       // [m] centroid
    double xx, xy, yy; // [m²] ∫w x²/V and so on
    // d(V) and d(W) when B moves as a rigid body while n stands still: f for a shift of its point at the origin,
    // t for a turn about it. A gets the opposite. d(W^1.5/V) is the same if n moves.
    Wrench volume_slope; // [m²], [m³]
    Wrench square_slope; // [m³], [m⁴]
    RbSpot spot;
    // Of a patch by the general rule (pressing.h), which needs no more: energy over E*, and its slope when B moves, as above; otherwise 0.
    double energy; // [m³]
    Wrench energy_slope;
} RbPatch;

// U = RB_PATCH_SHARE E* W^1.5/V: (8/15)/(2/3)^1.5/sqrt(pi), with which a rounded corner has Hertz's law to the last digit, and a face 2 % less than
// the rigid punch.
#define RB_PATCH_SHARE 0.5527906391541368

// gap: the result of rb_distance for the same pose, in the frame of shape A, as are all results.
// Without overlap of the cores so moved the moments are zero (two rounded corners: the spheres
// touch, the cores do not).
void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out);

// The sums over faces and surfaces alone, for every pair and pose: V, W and the spot, without energy. (Without the spot: where faces lie on each other.)
void rb_patch_by_sums(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out);
void rb_patch_by_faces(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out);

// X: of shape A.
RbPatch rb_patch_in_world(RbPatch patch, Pose X);

// A triangle of a plane face of any outline: corners counter-clockwise as seen from outside, and which of the sides from one to the
// next are edges of the body over which another one may leave the face.
typedef struct RbFacePart {
    Vec3 v[3]; // [m]
    bool edge[3];
} RbFacePart;

// Calls take for every triangle of a face that B may be on.
typedef void RbTakePart(void *taker, const RbFacePart *part);
typedef void RbFaceParts(void *user, RbTakePart *take, void *taker);

typedef struct RbFacePatch {
    RbPatch patch;
    double deepest; // [m] largest w on the face
    double area;    // [m²] also where it is too little for moments
    double edges;   // [m] length of edges in it
    bool covered;   // the face is where B is deepest behind its plane
} RbFacePatch;

// The patch of a polyhedral core B on that face of A, in the frame of A; gap: of B and the half-space behind the face. However the face is divided the
// moments are the same, and those on the whole plane if B is on the face altogether.
void rb_patch_on_face(RbFaceParts *parts, void *user, const RbCore *b, Pose X_AB, const RbGap *gap,
                      RbFacePatch *out);
