// SPDX-License-Identifier: MIT
// ply.h: triangle meshes in PLY files (Stanford): ASCII and binary of both byte orders, as far as
// vertices (x, y, z) and faces (vertex_indices or vertex_index) go; other properties and elements are
// skipped. PLY knows no units; numbers are taken as metres.
#pragma once

#include "base/file.h"
#include "geom/mesh.h"

// Read a PLY file from memory; `file` names it in messages, which give the line (header, ASCII) or the
// byte offset (binary). Needs memory of the order of the file, whatever its header claims.
RbStatus rb_ply_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbMesh *out);

// ASCII with all digits: what is read back has the same vertices and triangles.
void rb_ply_write(const RbMesh *mesh, RbText *out);
