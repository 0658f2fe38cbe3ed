// SPDX-License-Identifier: MIT
// mesh_tree.h: a tree of boxes over the triangles of a mesh, in the frame of the mesh. Each node has
// a box along the axes and a slab across its mean normal: a smooth piece of surface is thin along
// its normal, and the slab tells two such pieces apart long before the boxes do.
#pragma once

#include "geom/aabb.h"
#include "geom/mesh.h"
#include "math/pose.h"

enum { RB_MESH_LEAF = 2 }; // triangles of a leaf, at most

typedef struct RbMeshNode {
    Vec3 centre, half; // [m] the box
    Vec3 normal;       // unit vector, mean normal of the triangles
    double radius;     // [m] of a ball about the centre of the box that holds all
    double low, high;  // [m] the slab: low <= normal . x <= high
    int first, count;  // triangles of a leaf, in RbMeshTree.triangles; count 0: inner node
    int left, right;   // children of an inner node
} RbMeshNode;

typedef struct RbMeshTree {
    const RbMeshNode *nodes; // the root is first
    int node_count;
    const int *triangles; // in the order of the leaves
    int depth;            // nodes on the longest way down
} RbMeshTree;

// A mesh without triangles has a tree without nodes.
RbMeshTree rb_mesh_tree(const RbMesh *mesh, RbArena *keep, RbArena scratch);

// The point of a triangle that is nearest to the origin.
Vec3 rb_triangle_nearest(const Vec3 corners[3]);

// Its solid angle seen from the origin, positive from behind (Van Oosterom, Strackee).
double rb_triangle_solid_angle(const Vec3 corners[3]);

// The frame of B in that of A, prepared for boxes.
typedef struct RbBoxPose {
    Pose X_AB;
    Mat3 size, size_back; // magnitudes of the elements of the rotation and of its transpose
} RbBoxPose;

RbBoxPose rb_box_pose(Pose X_AB);

// [m] Lower bound of the distance of what is in two nodes: the largest gap along eight axes, negative
// if they overlap along all; or, as soon as one is larger than `enough`, that one.
double rb_mesh_node_gap(const RbMeshNode *a, const RbMeshNode *b, const RbBoxPose *pose,
                        double enough);
