// SPDX-License-Identifier: MIT
// extent.h: the sizes of whole arrays, and of expressions with them, in an instance whose
// parameters are known. For the files of this folder.
#pragma once

#include "program/program.h"

typedef struct RbExtent {
    int rank, dims[2];
} RbExtent;

typedef struct RbExtents {
    RbProgramInstance *in;
    const RbSortedDae *dae;
    RbDiag *diag;
    RbArena *arena;
    RbExtent *arrays;     // by whole array
    unsigned char *state; // of these: NEW, BUSY, DONE
    bool misfit;          // two sizes in the expression at hand do not fit
    const char *why;      // if it is a subscript: in words
} RbExtents;

enum { RB_EXTENT_NEW, RB_EXTENT_BUSY, RB_EXTENT_DONE };

// What x[...] picks of its array: element (i, j) is at first + i * step[0] + j * step[1].
typedef struct RbSlice {
    RbExtent shape;
    int first, step[2];
} RbSlice;

RbExtents rb_extents(RbProgramInstance *in, RbArena *arena, RbDiag *diag);
// With the sizes that the instance has at present.
RbExtents rb_present_extents(const RbProgramInstance *in, RbArena *arena);
// The sizes of all arrays; checks that they fit together, in all equations and values.
RbStatus rb_find_extents(RbExtents *l);

int rb_extent_count(const RbExtent *s);
const char *rb_extent_text(const RbExtent *s, RbArena *arena);
// Of an expression; sets l->misfit.
RbExtent rb_extent_of(RbExtents *l, const RbExpr *e);
RbSlice rb_slice_of(RbExtents *l, const RbExpr *e);
// Every array of some expressions with its size and where it is declared.
const char *rb_extent_list(RbExtents *l, const RbExpr *const *list, int count);
