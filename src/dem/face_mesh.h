// SPDX-License-Identifier: MIT
// face_mesh.h: a convex polyhedron on a patch of a surface of triangles (docs/theory/granular.md, section 10).
//
// Over the patch the overlap is that with the half-space behind it, as far as the patch goes: a polyhedron that is on a patch
// altogether is on a half-space, however the patch is divided. At an edge of the surface a patch may be entered from the side. Which
// of the patches that meet there holds the polyhedron is decided by how wide the overlap is from the edge on, over how deep it is:
// with λ = (1 + q⁸)^-1/4, q = depth / (area / length of edges in it), the energy of a patch counts λ. So it is that of the depth, or of the
// width where this is less, and the force leads out the shorter way.
#pragma once

#include "collide/patch.h"
#include "dem/grain_mesh.h"

typedef struct RbFaceOnMesh {
    bool touches;
    RbGap gap; // of the half-space behind the patch; this and the next in the frame of the surface
    RbPatch patch; // with λ in its moments, and in their slopes
    double
        spot; // what rounded corners count for: 1, or less near edges; 0: they are beside the patch
    double depth; // [m] largest overlap on the patch
} RbFaceOnMesh;

// core: of a polyhedron whose frame is at X and which is within `reach` [m] of `centre`, all in the frame of the surface.
RbFaceOnMesh rb_face_on_mesh(const RbGrainMesh *m, int patch, const RbCore *core, Pose X,
                             Vec3 centre, double reach);

// Is it in the surface by more than `slack` [m], or inside the body altogether?
bool rb_face_in_mesh(const RbGrainMesh *m, const RbCore *core, Pose X, Vec3 centre, double reach,
                     double slack);
