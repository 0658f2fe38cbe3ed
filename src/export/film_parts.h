// SPDX-License-Identifier: MIT
// film_parts.h: the objects of all segments of a film as one list, as files want them that know one scene only, with their
// places in frames whose times grow.
#pragma once

#include "export/film.h"

// One thing that looks the same for as long as it is there.
typedef struct RbFilmPart {
    const RbDrawObject *object; // of the first segment in which it is
    const RbDrawn *drawn;
    int number;      // in that drawing
    int *in_segment; // per segment: number of the object, or -1
    bool always;     // it is there from the first frame to the last
    bool moves;      // or hangs on something that does
} RbFilmPart;

typedef struct RbFilmParts {
    const RbFilm *film;
    RB_ARRAY(RbFilmPart) parts;
    RB_ARRAY(RbMoment) frames; // one per time, as times of floats grow
    float *times;              // [s]
} RbFilmParts;

RbFilmParts rb_film_parts(const RbFilm *film, RbArena *arena);

// Where a part is in a frame, or was last, or will be first; false: it is not there.
bool rb_film_part_pose(const RbFilmParts *parts, const RbFilmPart *part, int frame, Pose *out);
