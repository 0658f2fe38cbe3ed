// SPDX-License-Identifier: MIT
// patch_smooth.h: small patches of a round core, the cheap way (docs/theory/contact-patch.md, section 7). Where all that overlaps lies over one piece of the other
// body (a face, an edge, a corner, a rim, a side) and around the closest point, either inside of one sheet or at one edge of its own, the overlap is
// smooth, and a few points tell its moments. The integrals are those of patch_round.h.
#pragma once

#include "collide/wet_line.h"
#include "collide/round_sums.h"

// A small patch as it is sought.
typedef struct RbSmooth {
    const RbDepthField *field;
    Vec3 at;      // [m] the point of the round core that is closest to the other body
    double depth; // [m] there
    double
        near;  // [m] over no way does the overlap fall by half of it sooner, but for a few per cent
    int piece; // of the other body, over which that point is
} RbSmooth;

// Adds the moments. field: knows what is near; size: [m] of the round core; thin: [m] its smallest extent. False, and nothing is added: it is no such patch.
bool rb_patch_smooth(const RbDepthField *field, const RbSheet *sheets, int count, Vec3 at,
                     double size, double thin, RbRoundSums *sums);

// Around the closest point, which lies inside of the sheet.
bool rb_smooth_inside(const RbSmooth *smooth, const RbSheet *sheet, RbRoundSums *sums);

// On both sides of the edge in which the end meets the other sheet.
bool rb_smooth_edge(const RbSmooth *smooth, const RbSheet *end, const RbSheet *other,
                    RbRoundSums *sums);

// Overlap with that piece, and the direction in which it falls.
static inline double rb_smooth_depth(const RbSmooth *s, Vec3 p, Vec3 *m) {
    return s->field->radius - rb_near_piece_distance(&s->field->near->pieces[s->piece], p, m);
}

// Along a curve from the closest point on: where the overlap ends. It falls about with the square of the way. start: where to look first.
typedef double RbOverlapAlong(const void *curve, double x);
bool rb_smooth_border(RbOverlapAlong *overlap, const void *curve, double depth, double start,
                      double *out);
