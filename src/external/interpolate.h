// SPDX-License-Identifier: MIT
// interpolate.h: tables as functions: columns over one variable, a matrix over two, and columns
// over time with events at the grid points (docs/theory/tables.md). All are constant once made.
#pragma once

#include "base/diag.h"
#include "external/axis.h"

// A matrix of numbers, row by row.
typedef struct RbMatrix {
    int rows, columns;
    const double *data;
} RbMatrix;

// --- one variable: the first column is the grid --------------------------------------------------

typedef struct RbCurves {
    RbAxis axis;
    RbMatrix table;
    int column_count;
    const int *columns;   // that are used, from 0
    const double *slopes; // of each column that is used, at all grid points; NULL if not cubic
} RbCurves;

// Columns are counted from 1 here, as in Modelica. The matrix is copied. `name` is how messages
// call the table.
RbStatus rb_curves(const char *name, RbMatrix table, const double *columns, int column_count,
                   RbSmoothness smoothness, RbExtrapolation extrapolation, RbArena *arena,
                   RbArena scratch, RbDiag *diag, RbCurves **curves);

// Value, first and second derivative of the k-th used column (from 0) at u; see rb_axis_locate.
bool rb_curves_at(const RbCurves *curves, int k, double u, double bias, double derivatives[3]);

// --- two variables: first column and first row are the grids -------------------------------------

typedef struct RbSurface {
    RbAxis axes[2];
    RbMatrix z;                      // values
    const double *slopes[2], *twist; // first derivatives and the mixed one; NULL if not cubic
} RbSurface;

RbStatus rb_surface(const char *name, RbMatrix table, RbSmoothness smoothness,
                    RbExtrapolation extrapolation, RbArena *arena, RbArena scratch, RbDiag *diag,
                    RbSurface **surface);

typedef struct RbSurfacePoint {
    double z, z1, z2, z11, z12, z22; // value and derivatives
} RbSurfacePoint;

// False: outside of the table without extrapolation.
bool rb_surface_at(const RbSurface *surface, double u1, double u2, RbSurfacePoint *point);

// --- time ----------------------------------------------------------------------------------------

// ORDER Modelica.Blocks.Types.TimeEvents
typedef enum RbTimeEvents {
    RB_EVENTS_ALWAYS = 1,         // at all grid points
    RB_EVENTS_AT_DISCONTINUITIES, // where a time stands twice
    RB_EVENTS_NEVER,
} RbTimeEvents;

typedef struct RbTimeTable {
    const RbCurves *curves;
    double start, shift;  // [s] before `start` all values are 0; time minus shift is the grid
    const double *events; // [s] on the grid, ascending
    int event_count;
} RbTimeTable;

RbTimeTable *rb_time_table(const RbCurves *curves, double start, double shift, RbTimeEvents events,
                           RbArena *arena);

// The first event after `time`, or DBL_MAX. An event that is nearer than rounding counts as passed.
double rb_time_table_next(const RbTimeTable *table, double time);

// As rb_curves_at. next and before are the time of the next event and its left limit: while both
// are the same the event has not happened, so the values are those left of it; in the event
// iteration they differ, and the values are those to the right.
bool rb_time_table_at(const RbTimeTable *table, int k, double time, double next, double before,
                      double derivatives[3]);
