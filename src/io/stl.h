// SPDX-License-Identifier: MIT
// stl.h: triangle meshes in STL files, ASCII and binary. STL knows no units; numbers are taken as
// metres.
#pragma once

#include "base/file.h"
#include "geom/mesh.h"

// Read an STL file from memory; `file` names it in messages, which give the line (ASCII) or the
// byte offset (binary). Every triangle has three vertices of its own, as in the file:
// rb_mesh_repair joins them. Normals in the file are ignored; those of the vertices' order count.
// All solids of a file are read into one mesh. Needs memory of the order of the file, whatever its
// header claims.
RbStatus rb_stl_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbMesh *out);

// ASCII, with all digits: what is read back has the same vertices.
void rb_stl_write_ascii(const RbMesh *mesh, const char *name, RbText *out);

// Binary, in single precision. The bytes live in *keep.
RbBytes rb_stl_write_binary(const RbMesh *mesh, RbArena *keep);
