// SPDX-License-Identifier: MIT
// mesh_file.h: meshes and mesh shapes from files on disk, by the ending of the name (.stl, .obj,
// .ply, .dxf).
#pragma once

#include "geom/shape.h"
#include "io/obj.h"

// The mesh of a file; all but OBJ files are one part without a name. Nothing is welded.
RbStatus rb_mesh_file_read(const char *path, RbArena *keep, RbArena scratch, RbDiag *diag,
                           RbObj *out);

// Write .stl (binary, single precision), .obj or .ply (text, all digits).
RbStatus rb_mesh_file_write(const char *path, const RbMesh *mesh, RbArena *scratch, RbDiag *diag);

typedef struct RbMeshFileOptions {
    Vec3 scale;        // factor per axis, for files in other units than metres; not zero
    bool convex_parts; // each object or group of the file is a convex part; otherwise contact is
                       // that of the hull of all
} RbMeshFileOptions;

// Scale 1, contact of the hull.
RbMeshFileOptions rb_mesh_file_options(void);

// A mesh shape (shape.h) from a file. As a whole: repaired (mesh_check.h), with the mass of its
// surface if that is closed, otherwise, with a warning, of its hull. With convex parts, and from a
// folder (mesh_folder.h): contact and mass of the parts. `name` is what the user calls the shape, `at` where.
RbStatus rb_shape_from_file(const char *path, RbMeshFileOptions options, const char *name, RbPos at,
                            RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out);
