// SPDX-License-Identifier: MIT
// show.h: what can be seen of a run (io/drawing.h): of a whole system for its journal, and of the
// present moment for those who hold the run.
#pragma once

#include "io/drawing.h"
#include "sim/look.h"

// Ask every component what there is to see of it; its names are those of results. first_objects:
// number of the first object of each part.
RbDrawing rb_system_draw(const RbSystem *system, int *first_objects, RbArena *arena);

typedef struct RbShow {
    RbArena *meshes_arena; // as long as the run
    RbMap mesh_of;         // by hash
    RB_ARRAY(RbBlob) meshes;
    RbArena own; // of the drawing
    long build;  // segment that the drawing is of
    RbBlob drawing;
    int *first_objects;
    RbPicture picture;
} RbShow;

RbShow rb_show(RbHeap *heap, RbArena *arena);
void rb_show_free(RbShow *show);

// The look is up to date. Bytes live until states come or go, those of a picture until the next
// one; meshes keep their numbers while the run lasts.
RbStatus rb_show_drawing(RbShow *show, const RbLook *look, RbBlob *bytes);
RbStatus rb_show_picture(RbShow *show, RbLook *look, RbBlob *bytes);
