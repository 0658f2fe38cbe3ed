// SPDX-License-Identifier: MIT
// obj.h: triangle meshes in Wavefront OBJ files: vertices, faces (polygons are triangulated),
// objects and groups as parts. Normals, texture coordinates, materials, lines and points are
// skipped. OBJ knows no units; numbers are taken as metres.
#pragma once

#include "base/file.h"
#include "geom/mesh.h"

typedef struct RbObjPart {
    const char *name; // of the object or group; "" for faces before the first one
    RbMesh mesh;      // with vertices of its own, in order of first use
} RbObjPart;

typedef struct RbObj {
    RbMesh mesh;            // all faces, all vertices of the file
    const RbObjPart *parts; // in order of first appearance, none empty
    int part_count;
    const struct RbDxf *drawing; // of a DXF file, which says its unit; otherwise NULL
} RbObj;

// Read an OBJ file from memory; `file` names it in messages, which give line and column. Needs
// memory of the order of the file.
RbStatus rb_obj_read(RbBytes bytes, const char *file, RbArena *keep, RbArena scratch, RbDiag *diag,
                     RbObj *out);

// Text with all digits: what is read back has the same vertices and triangles.
void rb_obj_write(const RbObjPart *parts, int part_count, RbText *out);
