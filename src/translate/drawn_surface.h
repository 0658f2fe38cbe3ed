// SPDX-License-Identifier: MIT
// drawn_surface.h: a surface that a function of the model computes (ModelicaServices.Animation.Surface): a grid of points X[nu,nv],
// Y[nu,nv], Z[nu,nv] in its frame, and maybe a colour C[nu,nv,3] for each. The function is interpreted when a row is recorded, so
// that the run does not pay for points that nobody sees and the result does not have them as variables.
#pragma once

#include "program/program.h"

typedef struct RbSurfaceGrid {
    int rows, columns;      // nu, nv; 0: it cannot be drawn
    double *points;         // x, y, z each, row by row
    unsigned char *colours; // red, green, blue, opacity each; NULL: it has one for all
} RbSurfaceGrid;

// The grid at the present values of the variables, in memory of the arena.
RbSurfaceGrid rb_surface_grid(RbProgramInstance *in, const RbFlatVisual *surface, RbArena *arena);

// Two triangles for every cell; answers their number. Corners count from 0.
int rb_surface_triangles(int rows, int columns, RbArena *arena, int **triangles);

// Does the function depend on parameters alone?
bool rb_surface_stands_still(const RbProgramInstance *in, const RbFlatVisual *surface,
                             RbArena scratch);
