// SPDX-License-Identifier: MIT
// api_solid.h: what the files behind include/rattleback/solid.h and scene.h share.
#pragma once

#include "api/api_context.h"
#include "geom/mesh_check.h"
#include "rattleback/solid.h"

struct RbWorkpiece {
    RbContext *context;
    RbMesh mesh;
};

// api_solid_file.c: what there is to tell of a mesh that was checked; as yet nothing of repairs.
RbMeshFindings rb_mesh_findings(RbContext *context, const RbMesh *mesh, const RbMeshReport *report);
