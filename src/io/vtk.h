// SPDX-License-Identifier: MIT
// vtk.h: binary VTK files of points or lines with values (PolyData, appended raw), and the list of frames with their times that
// ParaView opens (.pvd).
#pragma once

#include "base/diag.h"
#include "base/text.h"

typedef struct RbVtk {
    RbText head, data; // what is where; the bytes of all arrays, each after its size
} RbVtk;

// So many points, of which all are one set of vertices (verts 1) or pairs are lines. What follows is put into its head by the caller,
// array by array, between the elements of the format.
RbVtk rb_vtk(RbArena *scratch, int points, int verts, int lines);
void rb_vtk_floats(RbVtk *vtk, const char *name, int parts, const float *values, int count);
void rb_vtk_ints(RbVtk *vtk, const char *name, const int *values, int count);
RbStatus rb_vtk_write(RbVtk *vtk, const char *path, RbDiag *diag);

// The file of a frame: "grains_000012.vtp".
const char *rb_vtk_frame_name(const char *what, int number, RbArena *arena);

// Add a frame to folder/what.pvd, behind those of earlier ones; later ones are forgotten, as a run that is resumed writes them again.
RbStatus rb_vtk_list_frame(const char *folder, const char *what, int number, double time,
                           RbArena scratch, RbDiag *diag);
