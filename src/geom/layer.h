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
typedef struct RbLayer {
    const RbSkin *skin; // whose
    RbMesh mesh;        // the same surface, up to rounding
    RbMeshTree tree;
    double size;         // [m] of the skin
    double thickness;    // [m]
    const Vec3 *inner;   // [m] the inner end of each vertex
    const RbAabb *boxes; // of each node of the tree: the layer under its triangles
} RbLayer;

// The thickest layer that fits, up to an eighth of the size: no tetrahedron is turned over, and layers of
// opposite sides of a plate do not meet. False if none fits, since the surface has no thickness at *misfits_at.
// The skin must live as long.
bool rb_layer_find(const RbSkin *skin, RbArena *keep, RbArena scratch, RbLayer *out,
                   Vec3 *misfits_at);

// The same; a surface under which none fits is refused with the place. `name` and `at` are for the message.
RbStatus rb_layer(const RbSkin *skin, const char *name, RbPos at, RbArena *keep, RbArena scratch,
                  RbDiag *diag, RbLayer *out);

// A tetrahedron of a layer. Corners are in the order of numbers that belong to them in the whole layer, so that
// neighbours calculate the plane of a common face from the same numbers in the same order.
typedef struct RbLayerPart {
    Vec3 y[4];
    double depth[4]; // 0 on the surface, 1 inside
} RbLayerPart;

// The three parts under a triangle.
void rb_layer_parts(const RbLayer *layer, int triangle, RbLayerPart out[3]);
