// SPDX-License-Identifier: MIT
// visuals.h: what is seen of equations: instances that are drawn (RbFlatVisual), from the values of
// their variables. The names of these, and what they mean, are those of the classes Shape and Vector
// of ModelicaServices.Animation, which tools are asked to draw:
//
//     r, R.T          position, and rotation from the world into the frame of the object
//     r_shape, lengthDirection, widthDirection     of the shape, in that frame
//     length, width, height, extra, color          of the shape
//     coordinates, quantity                        of an arrow
//     vertices[:,3], triangles[:,3], colors[:,3]    of a mesh
//     r_0, nu, nv, surfaceCharacteristic           of a surface (drawn_surface.h)
#pragma once

#include "io/drawing.h"
#include "math/pose.h"
#include "program/program.h"

enum {
    RB_VISUAL_R,
    RB_VISUAL_T,
    RB_VISUAL_OFFSET,
    RB_VISUAL_ALONG,
    RB_VISUAL_ACROSS,
    RB_VISUAL_LENGTH,
    RB_VISUAL_WIDTH,
    RB_VISUAL_HEIGHT,
    RB_VISUAL_EXTRA,
    RB_VISUAL_COLOUR,
    RB_VISUAL_COORDINATES,
    RB_VISUAL_QUANTITY,
    RB_VISUAL_VERTICES,
    RB_VISUAL_TRIANGLES,
    RB_VISUAL_G,
    RB_VISUAL_N,
    RB_VISUAL_TRANSPARENCY,
    RB_VISUAL_COLOURS,
    RB_VISUAL_QUANTITIES
};

typedef struct RbVisual {
    const RbFlatVisual *flat;
    int vars[RB_VISUAL_QUANTITIES]; // -1: it has none
    // From here on as drawn in this segment.
    RbForm form;
    bool fixed, is_object;
    bool is_rigid;    // a surface whose points do not move in its frame
    bool has_colours; // ... of single points
    int object;
    double size[RB_DRAW_SIZES];
    unsigned char colour[4];
} RbVisual;

typedef struct RbVisuals {
    RbVisual *list;
    int count;
} RbVisuals;

RbVisuals rb_visuals(const RbProgram *program, RbArena *arena);

// What there is, once per segment; parameters are known.
void rb_visuals_draw(RbVisuals *v, RbProgramInstance *in, RbDrawing *drawing);
// Where it is, when all variables are known.
void rb_visuals_show(const RbVisuals *v, RbProgramInstance *in, RbPicture *picture);
