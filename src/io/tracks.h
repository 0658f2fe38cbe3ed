// SPDX-License-Identifier: MIT
// tracks.h: what a result keeps of particles (docs/formats.md), row by row.
#pragma once

#include "io/codec.h"
#include "io/result.h"

typedef struct RbTrackReader {
    const RbResult *result;
    RbArena *arena;
    RbCodec codec;
    RbDrawn drawn;
    int segment; // whose drawing this is; -1: none yet
    int object;  // the particles in it; -1: there are none
    RbBlob picture;
} RbTrackReader;

RbTrackReader rb_track_reader(const RbResult *result, RbArena *arena);

// The next picture of a segment, from its first one on: `first` is true for that one.
RbStatus rb_tracks_next(RbTrackReader *reader, int segment, bool first, RbBlob coded,
                        RbDiag *diag);

// A quantity in it, places in single precision too; false: it is not recorded. Diameters: a track of 1, negative for polyhedra, 0 for
// those that are not there.
bool rb_tracks_find(const RbTrackReader *reader, RbTrack what, RbTrackView *out);
bool rb_tracks_diameters(const RbTrackReader *reader, RbTrackView *out);
