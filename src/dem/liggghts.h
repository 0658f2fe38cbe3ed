// SPDX-License-Identifier: MIT
// liggghts.h: a cloud computed by LIGGGHTS 3.8, which runs on many machines (docs/decisions/liggghts.md).
//
// The law of a cloud is the one that LIGGGHTS calls "hertz, tangential history, rolling_friction epsd2", so numbers are
// handed over as typed. Input, data and walls are written into a folder; the program is started there, over MPI; its frames are
// read as they appear, into the same cloud.
//
//     RB_TRY(rb_liggghts_write(cloud, &job, scratch, diag));
//     RB_TRY(rb_liggghts_start(&job, arena, diag, &run));
//     while (...) RB_TRY(rb_liggghts_frame(run, cloud, k, scratch, diag));
#pragma once

#include "base/diag.h"
#include "dem/cloud.h"
#include "geom/mesh.h"

typedef struct RbLiggghtsJob {
    const char *folder;     // made if it does not exist
    int ranks;              // processes
    long frame_steps;       // steps of the cloud between two frames
    long frames;            // besides the one of the start
    const RbElastic *solid; // per material of the cloud
    const RbMesh *walls;    // per wall: its surface, in its frame
} RbLiggghtsJob;

typedef struct RbLiggghtsRun RbLiggghtsRun;

// Write in.liggghts, data.liggghts, wall*.stl, and job.sh for a cluster. What LIGGGHTS cannot compute as
// we do is refused with the reason, before anything is written.
RbStatus rb_liggghts_write(const RbCloud *cloud, const RbLiggghtsJob *job, RbArena scratch,
                           RbDiag *diag);

// Start it. It ends with the arena at the latest.
RbStatus rb_liggghts_start(const RbLiggghtsJob *job, RbArena *arena, RbDiag *diag,
                           RbLiggghtsRun **run);

// Wait for frame k = 1, 2, ... and put the grains of the cloud where it has them. If the program ends
// before, the message says why, and where its own messages are. interrupt: see RbSimOptions; may be NULL.
RbStatus rb_liggghts_frame(RbLiggghtsRun *run, RbCloud *cloud, long k, RbArena scratch,
                           RbDiag *diag);
