// SPDX-License-Identifier: MIT
// record.h: the rows that a run writes to its journal: states, derivatives, quadratures, discrete
// values and results of all components, at output points and on both sides of every event.
#pragma once

#include "io/filter.h"
#include "io/journal.h"
#include "model/evaluator.h"

typedef struct RbRecorder {
    RbJournal *journal; // NULL: nothing is recorded
    RbFilter *filter;
    long next_output; // number of the next output point: start + next_output * interval
    long rows;
    double ahead; // [s] rows are written with times that are later by this
    // For the running segment:
    int width;      // columns in a full row
    int kept_count; // of these, those that the filter lets through
    int *kept;
    double *row;    // full
    double *values; // kept ones
    double *x;      // interpolated states
    double *q;      // and quadratures
    bool shows_quadratures; // some of the kept columns do, or are computed from them
    bool tells_nothing; // that no variable is kept was told
    double *results;
    bool drawn;         // there is something to see
    int *first_objects; // per part
    RbPicture picture;
} RbRecorder;

// Declare the columns of a segment.
RbStatus rb_recorder_begin_segment(RbRecorder *recorder, const RbSystem *system, RbArena *arena,
                                   RbArena scratch, RbDiag *diag, bool resumed);

// Write the row for (t, x, q, d). The evaluator must be on the same system and discrete values.
RbStatus rb_recorder_add(RbRecorder *recorder, RbEvaluator *evaluator, double t, const double *x,
                         const double *q, const double *d, RbDiag *diag);
