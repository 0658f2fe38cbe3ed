// SPDX-License-Identifier: MIT
// tet_file.h: finite-element meshes of tetrahedra (4 or 10 nodes): gmsh's .msh (text, version 2.2; node sets are its physical
// surfaces), and .inp of Abaqus and CalculiX (*NODE, *ELEMENT of type C3D4 and C3D10, *NSET). Nodes that no tetrahedron has are left out.
#pragma once

#include "base/file.h"
#include "geom/tet_mesh.h"

RbStatus rb_msh_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbTetMesh *out);
RbStatus rb_inp_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbTetMesh *out);
