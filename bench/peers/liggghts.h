// SPDX-License-Identifier: MIT
// liggghts.h: a cloud as input files of LIGGGHTS 3.8: the law of a cloud is the one that it calls "hertz, tangential history,
// rolling_friction epsd2", so numbers are handed over as typed.
#pragma once

#include "base/diag.h"
#include "dem/cloud.h"
#include "geom/mesh.h"

typedef struct RbLiggghtsJob {
    const char *folder; // made if it does not exist
    int ranks;
    long frame_steps;       // steps of the cloud between two frames
    long frames;            // besides the one of the start
    const RbElastic *solid; // per material of the cloud
    const RbMesh *walls;    // per wall: its surface, in its frame
} RbLiggghtsJob;

// Write in.liggghts, data.liggghts, wall*.stl.
RbStatus rb_liggghts_write(const RbCloud *cloud, const RbLiggghtsJob *job, RbArena scratch,
                           RbDiag *diag);
