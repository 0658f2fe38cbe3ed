// SPDX-License-Identifier: MIT
// mesh_overlap.h: what two solids with any surface, also concave, have in common: volume, centroid and
// area vectors of each connected region, and the polygons that bound it. Found from the touching part
// alone (geom/cut.h).
#pragma once

#include "geom/cut.h"
#include "geom/layer.h"

// All in the frame of A.
typedef struct RbOverlapRegion {
    double volume;    // [m³]
    Vec3 centroid;    // [m]
    Vec3 area_a;      // [m²] sum of the outward area vectors of A's polygons; B's are the opposite
    double area[2];   // [m²] sum of the areas of A's polygons, and of B's
    double low, high; // [m] extent along the direction of area_a, from the centroid
    Vec3 way;         // of layers: of the force on B
} RbOverlapRegion;

// A polygon of the boundary: a part of a triangle of A or B. With a hole it is several, and the hole
// has the opposite area vector.
typedef struct RbOverlapPolygon {
    int side; // 0: of A, 1: of B
    int triangle;
    int region;
    Vec3 centroid; // [m]
    Vec3 area;     // [m²] outward area vector
    int loop;      // in RbMeshCut.loops: its points
} RbOverlapPolygon;

// Of a round body (round_overlap.h) or of layers (layer_press.h): a place of the patch that stands for a part of it.
// The sums of area and of area times place are exact; of layers those of volume.
typedef struct RbOverlapPoint {
    Vec3 x;      // [m]
    Vec3 n;      // outward normal of A, or inward normal of B
    Vec3 way; // along which B leaves there: n, but of a round body that presses by depth its own normal, and of layers the one under which depth grows
    Vec3 at;  // [m] whose speed along it counts: x, but of such a body one for each face, since rolling is no approach
    double area; // [m²]
    double
        volume; // [m³] of what lies under it, as seen from the centre of the round body; 0 if that is behind.
    // Of layers half the depth integrated over the area: there are points on both surfaces.
    // Of a round body that presses by depth: [m²] force per modulus
    int region;
} RbOverlapPoint;

// Likewise: what a triangle adds, where the ellipsoid is the unit ball.
typedef struct RbRoundFace {
    int triangle, region;
    double volume;
    Vec3 moment, area;
    bool crossed[3]; // which sides are in the ball somewhere
} RbRoundFace;

// A place in a plane face, and how deep it lies in the layer of the other solid.
typedef struct RbPressedCorner {
    double q[2], depth; // [m], from 0 to 1
} RbPressedCorner;

// A convex part of a plane face on which depth is linear: three or four corners where the plane cuts a tetrahedron, and one more by each side of a triangle.
typedef struct RbPressedPiece {
    int first, count; // corners
    int next;         // piece of the face; -1: none
} RbPressedPiece;

enum { RB_PIECE_CORNERS = 4 + 3 };

// Integrals of the depth s over a part of a plane face.
typedef struct RbPressedSums {
    double area, s, sq[2], sqq[3]; // [m²] of 1, s, s q, s q q' (00, 01, 11)
} RbPressedSums;

// What of a plane face of one solid lies in the layer of the other; places q in it from `origin` along two axes [m].
typedef struct RbPressedFace {
    int side, face;
    int region; // one of those that it belongs to; if they are apart, the one
    Vec3 origin, n, axes[2]; // one within the overlap; unit vectors
    Vec3 way;   // of its points
    bool rolls; // all with the speed at one place:
    Vec3 at;    // [m]
    double inside;           // [m²] of what overlaps
    Vec3 inside_x;           // [m³] times its centroid from the origin
    RbPressedSums of;        // of what is in the layer; there also the integrals of
    double area_q[2], ss;    // [m³], [m²] q, s²
    int pieces;              // of layers: one of them, from which the others follow
    double rise[3]; // [m²] s times its slope in depth per metre along the axes and n; of layers alone
} RbPressedFace;

typedef struct RbMeshOverlap {
    RbMeshCut cut;
    RB_ARRAY(RbOverlapRegion) regions; // in order of first appearance
    RB_ARRAY(RbOverlapPolygon) polygons;
    RB_ARRAY(int) parent; // union-find over nodes
    RB_ARRAY(int) number; // region of a root
    Pose pose;            // of the last evaluation
    bool known;           // there was one
    double volume;        // [m³] of all regions
    double area; // [m²] sum of the lengths of their area vectors; of a round body of its faces
    Vec3 round;  // [m] semi-axes of B, if it is an ellipsoid; otherwise zero
    bool through; // such a B comes out of a face of A behind the one it went in
    RB_ARRAY(RbRoundFace) faces;
    RB_ARRAY(RbOverlapPoint) points;
    int *face_number;         // by triangle of A: 1 + its place in faces, or 0
    const RbLayer *layers[2]; // of A and B, if depths in them are wanted
    bool regions_apart;       // see rb_mesh_overlap_apart
    RB_ARRAY(RbPressedFace) pressed;
    RB_ARRAY(RbPressedPiece) pieces; // of layers
    RB_ARRAY(RbPressedCorner) corners;
    int *pressed_number[2];      // by face of A, of B: its place in `pressed`
    unsigned *pressed_stamp[2];  // if this is cut.stamp
    double stored;            // [m⁴] half the square of the depth, integrated over the patch: nearly the energy (layer_stored.h);
                              // of a round body that presses by depth [m³] energy per modulus
    double reached[2];        // of the layers of A and B: how deep the other surface goes, from 0 to 1
    RbFlatFaces flat;         // of A beside a round body that presses by depth (round_press.h)
    double round_bulk;        // [m⁶] likewise: the cube of the depth, integrated over what is shared
} RbMeshOverlap;

static inline bool rb_overlap_is_round(const RbMeshOverlap *o) {
    return o->round.x > 0;
}

static inline bool rb_overlap_presses_round(const RbMeshOverlap *o) {
    return o->flat.count > 0;
}

static inline bool rb_overlap_has_layers(const RbMeshOverlap *o) {
    return o->layers[0] != NULL;
}

// Room for two solids, which must live as long, in *arena. An evaluation takes no more from it as long as
// the part that touches fits in RbCutRoom (geom/cut.h).
void rb_mesh_overlap_open(RbMeshOverlap *o, const RbSkin *a, const RbSkin *b, RbArena *arena);

// Depths in layers are wanted too.
void rb_mesh_overlap_layers(RbMeshOverlap *o, const RbLayer *a, const RbLayer *b);

// The common part of A and B, posed in the frame of A. False if a surface crosses itself there
// (cut.tangled_at); the regions are then those of what could be told. The result is a function of
// the pose alone.
bool rb_mesh_overlap(RbMeshOverlap *o, Pose X_AB);

// The same, to be told what each region carries: the points of a face that lies in several regions stand for what is in each. (Otherwise
// for all of the face, which does not jump where regions merge; they then belong to one of them.)
bool rb_mesh_overlap_apart(RbMeshOverlap *o, Pose X_AB);

// Is there such a part, or do surfaces at least cross? What it is like, most of the work, is not found out.
bool rb_meshes_meet(RbMeshOverlap *o, Pose X_AB);

// For round_overlap.c: what belongs together in `parent`, by the least number of its region.
int rb_overlap_root(RbMeshOverlap *overlap, int i);
void rb_overlap_unite(RbMeshOverlap *overlap, int a, int b);
