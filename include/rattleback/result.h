// SPDX-License-Identifier: MIT
// result.h: read the results of a run: journal (.rbj), MAT level 4 (.mat) or CSV (.csv), and write
// them in another format.
//
//     RbResults *results;
//     rb_results_open(context, "ball.rbj", &results);
//     double *t = malloc(n * sizeof *t), *h = ...;        // n = rb_results_rows(results)
//     rb_results_times(results, t);
//     rb_results_values(results, rb_results_find(results, "ball.h"), h);
#pragma once

#include "rattleback/drawing.h"
#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbResults RbResults;

// The results live as long as the context.
RB_API RbStatus rb_results_open(RbContext *context, const char *file, RbResults **results);

// A result as a whole. The texts live as long as the context, here and below.
typedef enum RbEnding {
    RB_ENDING_COMPLETE,
    RB_ENDING_INCOMPLETE, // the run ended before its stop time, or is still going on
    RB_ENDING_UNKNOWN,    // a CSV file does not tell
} RbEnding;

typedef struct RbResultsInfo {
    const char *model; // "": the file does not tell
    size_t rows;       // both sides of an event are rows of their own
    int variables, segments;
    RbEnding ending;
    const char *reason; // why it is incomplete; "" otherwise
} RbResultsInfo;
RB_API RbResultsInfo rb_results_info(const RbResults *results); // all zero for NULL

// What else the file tells of the run, such as the number of steps: false after the last one.
RB_API bool rb_results_figure(const RbResults *results, int index, const char **name,
                              double *value);

// A segment, from 0: between two changes of structure. False after the last one, and if the file does not
// tell (CSV, MAT).
typedef struct RbSegmentInfo {
    double time;       // [s] at which it begins
    const char *cause; // why: actions, or who wanted other states
    int states;
    double steps, events; // in it; NaN where the file ends before
} RbSegmentInfo;
RB_API bool rb_results_segment(const RbResults *results, int index, RbSegmentInfo *segment);

typedef enum RbSeriesKind {
    RB_SERIES_CONTINUOUS,
    RB_SERIES_DISCRETE,
    RB_SERIES_PARAMETER
} RbSeriesKind;

typedef struct RbSeries {
    const char *name, *unit, *description; // "": none
    RbSeriesKind kind;
} RbSeries;
RB_API RbStatus rb_results_variable(const RbResults *results, int variable, RbSeries *series);

// The same one by one.
RB_API size_t rb_results_rows(const RbResults *results);
RB_API int rb_results_count(const RbResults *results); // variables
RB_API const char *rb_results_name(const RbResults *results, int variable);
RB_API const char *rb_results_unit(const RbResults *results, int variable);
RB_API int rb_results_find(const RbResults *results, const char *name); // -1: there is none
RB_API bool rb_results_complete(const RbResults *results);

// All times [s]; all values of a variable, NaN where it does not exist. Room for rb_results_rows
// numbers.
RB_API RbStatus rb_results_times(const RbResults *results, double *times);
RB_API RbStatus rb_results_values(const RbResults *results, int variable, double *values);

// Particles that a journal has kept (RbSimOptions.particle_results), at a row: how many have come so far, 0 if none are recorded. They are
// spheres, those of a clump one by one, and have the numbers 0, 1, 2 ... Rows are read from the first of their segment on: go forward.
RB_API RbStatus rb_results_particles(RbResults *results, size_t row, int *count);

// A quantity of all of them: three numbers each, four of a rotation (w, x, y, z); what was rounded is off by half of its resolution at
// most. Not a number: this one is not there any more, or the quantity is not recorded. And their radii [m], of polyhedra that of the sphere around them.
RB_API RbStatus rb_results_particle_values(RbResults *results, size_t row, RbTrack what,
                                           double *values);
RB_API RbStatus rb_results_particle_radii(RbResults *results, size_t row, double *radii);

// Write them; the ending of the name decides about the format.
RB_API RbStatus rb_results_write(const RbResults *results, const char *file);

// Does the ending of the name, or "-", say a format that can be written?
RB_API bool rb_results_can_write(const char *file);

// From file to file, without having all of it in memory: .rbj (journal), .csv, .mat (level 4); "-" is
// the standard input, or CSV on the standard output. Only variables whose whole name matches a
// regular expression (NULL: all).
RB_API RbStatus rb_convert(RbContext *context, const char *from, const char *to);
RB_API RbStatus rb_convert_selected(RbContext *context, const char *from, const char *to,
                                    const char *variable_filter);

#ifdef __cplusplus
}
#endif
