// SPDX-License-Identifier: MIT
// mesh_folder.h: a folder with the convex parts of one body, a file for each, as programs for
// convex decomposition write them.
#pragma once

#include "io/obj.h"

// The hull of a part may be larger than the part by this share of its volume: files round.
#define RB_CONVEX_SHARE 1e-3

// All files .stl, .obj and .ply in a folder, by the order of their names (other files are passed
// over); each is a part that is called as its file, an OBJ file with several objects has a part for
// each of them. Welded, repaired and multiplied by `scale` (as rb_mesh_map does it). Refused, with
// the file: nothing to read, more than a thousand parts, a part that is open or not convex.
// out->mesh is all of them in one list, which is no surface of one body where parts touch.
RbStatus rb_mesh_folder_read(const char *path, Vec3 scale, RbArena *keep, RbArena scratch,
                             RbDiag *diag, RbObj *out);
