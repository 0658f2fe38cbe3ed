// SPDX-License-Identifier: MIT
// layer.h: the skin of a solid as a layer of one thickness under its surface, and how deep a point lies in it:
// a function that is zero on the surface, one from the inner side of the layer on, and linear in each of three
// tetrahedra under every triangle. It is continuous wherever one looks, also across edges and corners, which the
// distance to a surface would be too, but it can be integrated exactly (docs/theory/solids.md, section 5).
#pragma once

#include "base/diag.h"
#include "geom/skin.h"

typedef struct RbLayer {
    const RbSkin *skin;
    double thickness;    // [m]
    const Vec3 *inner;   // [m] the inner end of each vertex
    const RbAabb *boxes; // of each node of the tree of the skin: the layer under its triangles
} RbLayer;

// The thickest layer that fits, up to an eighth of the size: no tetrahedron is turned over, and layers of
// opposite sides of a plate do not meet. A surface under which none fits, since it has no thickness somewhere,
// is refused with the place; `name` and `at` are for the message. The skin must live as long.
RbStatus rb_layer(const RbSkin *skin, const char *name, RbPos at, RbArena *keep, RbDiag *diag,
                  RbLayer *out);

// A tetrahedron of a layer. Corners are in the order of numbers that belong to them in the whole layer, so that
// neighbours calculate the plane of a common face from the same numbers in the same order.
typedef struct RbLayerPart {
    Vec3 y[4];
    double depth[4]; // 0 on the surface, 1 inside
} RbLayerPart;

// The three parts under a triangle.
void rb_layer_parts(const RbLayer *layer, int triangle, RbLayerPart out[3]);
