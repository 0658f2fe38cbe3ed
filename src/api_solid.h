// SPDX-License-Identifier: MIT
// api_solid.h: what the files behind include/rattleback/solid.h and scene.h share.
#pragma once

#include "api_context.h"
#include "geom/mesh.h"
#include "rattleback/solid.h"

struct RbWorkpiece {
    RbContext *context;
    RbMesh mesh;
};
