// SPDX-License-Identifier: MIT
// reduce.h: a finite-element part becomes a modal body (docs/theory/flexible.md): Craig and Bampton's method with the interface frames as
// boundary, then orthonormal modes in the mean-axis frame. A part without frames keeps its lowest free modes.
#pragma once

#include "flexible/modal.h"
#include "flexible/part.h"

enum { RB_MOST_HELD_MODES = 400 };

typedef struct RbReduceOptions {
    int modes; // with frames held, or free ones without frames; 6 per frame but one come on top
    double highest; // [rad/s] instead of their number: all of these modes up to here; 0: the number
    double zeta;    // damping ratio of all modes
    bool second_order; // H and w, so that spinning parts stiffen
} RbReduceOptions;

typedef struct RbReducedPart {
    RbModalBody body;
    Vec3 origin;          // [m] centre of mass in the frame of the mesh
    const double *shapes; // n x nodes x 3: displacement per mode
    double factor_bytes;
} RbReducedPart;

// The part is assembled; its K gets a support that no result depends on.
RbStatus rb_part_reduce(RbElasticPart *part, RbReduceOptions options, RbPos at, RbArena *keep,
                        RbArena scratch, RbDiag *diag, RbReducedPart *out);
