// SPDX-License-Identifier: MIT
// flexible_body.h: from a mesh, a material and interface frames to all that a simulation needs of an elastic part: its modes and its surface.
// A reduction that took a while is kept in a file, named by a hash of all that it depends on.
#pragma once

#include "flexible/part_interface.h"
#include "flexible/part_reduce.h"
#include "flexible/part_surface.h"

typedef struct RbFlexibleOptions {
    RbPartMaterial material;
    int modes; // with all frames held; 6 per frame but one come on top
    double
        highest_frequency; // [Hz] instead of a number of modes: all of these up to here; 0: the number
    double zeta;           // damping ratio of every mode
    double alpha, beta;    // [1/s], [s] damping alpha M + beta K on top
    bool stiffening;       // displacements of second order
    const char *cache;     // folder for reductions; NULL: none is kept
    int cache_least;       // nodes of the smallest mesh whose reduction is kept
} RbFlexibleOptions;

RbFlexibleOptions rb_flexible_options(void); // steel, 10 modes, 1 % damping, stiffening

typedef struct RbFlexibleBody {
    RbModalBody body;      // its frames are those of the interfaces, in the middle of their nodes
    RbPartSurface surface; // its origin is that of the mean frame in the frame of the mesh
    const Vec3 *places;    // [m] where the frames of the interfaces stand, in the frame of the mesh
    bool from_cache;
} RbFlexibleBody;

// A mesh in a file .msh or .inp, with its lengths times `scale`.
RbStatus rb_flexible_mesh(const char *file, Vec3 scale, RbPos at, RbArena *keep, RbArena scratch,
                          RbDiag *diag, RbTetMesh *out);

// Numbers of elements that are nearly flat, and the shape of the worst one: 1 is regular, 0 flat.
int rb_flat_elements(const RbTetMesh *mesh, double *worst);
enum { RB_FLAT_PER_MILLE = 100 }; // an element of a shape below this is nearly flat

RbStatus rb_flexible_body(const RbTetMesh *mesh, const RbInterface *interfaces, int count,
                          const RbFlexibleOptions *options, RbPos at, RbArena *keep,
                          RbArena scratch, RbDiag *diag, RbFlexibleBody *out);
