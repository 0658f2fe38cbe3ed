// SPDX-License-Identifier: MIT
// layer.h: the skin of a solid as a layer of one thickness under its surface, and how deep a point lies in it:
// a function that is zero on the surface, one from the inner side of the layer on, and linear in each of three
// tetrahedra under every triangle. It is continuous wherever one looks, also across edges and corners, which the
// distance to a surface would be too, but it can be integrated exactly (docs/theory/solids.md, section 5).
#pragma once

#include "base/diag.h"
#include "geom/skin.h"

// It stands under the surface as few triangles describe it: those of a plane that are narrower than the layer is thick would
// leave no room for their tetrahedra, and constructive geometry makes many.
//
// Of its skin it knows which triangles lie in one plane: how such a face is divided into triangles says nothing about the solid.
typedef struct RbFlatFace {
    Vec3 n,
        along; // unit vectors: outward normal, and one across it that depends on the normal alone
} RbFlatFace;

typedef struct RbFlatFaces {
    const int *of; // each triangle, in faces
    const RbFlatFace *faces;
    int count;
} RbFlatFaces;

// Which triangles of a skin lie in one plane.
RbFlatFaces rb_flat_faces(const RbSkin *skin, RbArena *keep, RbArena scratch);

typedef struct RbLayer {
    const RbSkin *skin; // whose
    RbFlatFaces flat;   // of the skin
    RbMesh mesh; // the same surface, up to rounding
    RbMeshTree tree;
    double size;         // [m] of the skin
    double thickness;    // [m]
    const Vec3 *inner;   // [m] the inner end of each vertex
    const Vec3 *corners; // [m] of each triangle six: rb_layer_corners
    const Vec3 *slopes;  // of each part, three by triangle: how depth rises in it; unit vectors but where more than three planes meet
    const RbAabb *boxes; // of each node of the tree: the layer under its triangles
    const RbAabb *part_boxes; // of each triangle
} RbLayer;

// The thickest layer that fits, up to an eighth of the size: no tetrahedron is turned over, and layers of
// opposite sides of a plate do not meet. False if none fits, since the surface has no thickness at *misfits_at.
// The skin must live as long.
bool rb_layer_find(const RbSkin *skin, RbArena *keep, RbArena scratch, RbLayer *out,
                   Vec3 *misfits_at);

// The same; a surface under which none fits is refused with the place. `name` and `at` are for the message.
RbStatus rb_layer(const RbSkin *skin, const char *name, RbPos at, RbArena *keep, RbArena scratch,
                  RbDiag *diag, RbLayer *out);

// The six corners under a triangle: three on the surface, three inside. In the order of the numbers of the vertices, so that neighbours have the
// corners they share in the same order; each part, a tetrahedron, is four in a row.
void rb_layer_corners(const RbLayer *layer, int triangle, Vec3 out[6]);
