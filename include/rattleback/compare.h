// SPDX-License-Identifier: MIT
// compare.h: does a result agree with a reference? Every signal must stay in a tube around the
// reference curve.
//
// The tube is the union of all rectangles of half-size (time_tol * duration) by (value_tol * range
// of the signal) whose centre is on the reference curve, where the steps at events belong to the
// curve. So a value may be off a little, and an event may come a little earlier or later.
// docs/formats.md has the rule in full.
//
//     RbCompareOptions options = rb_compare_options_default();
//     const RbComparison *comparison;
//     rb_results_compare(results, reference, &options, &comparison);
//     if (!comparison->inside) ...
#pragma once

#include "rattleback/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbCompareOptions {
    double value_tol;            // half height of the tube, in ranges (max - min) of the signal
    double time_tol;             // half width of the tube, in durations of the reference
    double relative_floor;       // least half height, in the largest magnitude of the signal
    double absolute_floor;       // least half height, in the unit of the signal
    bool common_end;             // accept a result that ends before its reference
    const char *variable_filter; // regular expression that a whole name must match; NULL: all
} RbCompareOptions;

RB_API RbCompareOptions rb_compare_options_default(void); // 2e-3, 2e-3, 1e-7, 1e-9, false, all

typedef enum RbVerdict {
    RB_VERDICT_INSIDE,
    RB_VERDICT_OUTSIDE,   // a value leaves the tube
    RB_VERDICT_STRUCTURE, // the signal exists at a time when it does not in the reference, or the
                          // other way round
    RB_VERDICT_ABSENT,    // the result has no such signal
} RbVerdict;

typedef struct RbComparedSignal {
    const char *name;
    const char *unit;
    RbVerdict verdict;
    double half_height; // of the tube
    double reach;  // largest distance from the reference, in half heights: inside means at most 1
    double excess; // largest distance from the tube: 0 if inside
    double time;   // [s] where that is,
    double value;  // what one of the curves has there (NaN: nothing),
    double lower, upper;  // and the tube around the other (NaN: it has nothing)
    bool reference_point; // the value is the reference's, the tube the result's; not the reverse
    size_t point_count;   // points of both that were looked at
    size_t outside_count; // of them
} RbComparedSignal;

typedef struct RbComparison {
    bool inside;               // everything is
    RbComparedSignal *signals; // variables of the reference, in its order; without parameters that
                               // the result does not have
    int signal_count;
    int bad_count;                  // signals that are not inside
    double half_width;              // [s] of the tube
    double start_time, end_time;    // [s] that were compared
    double reference_end, test_end; // [s]
    bool too_short;                 // the result ends before its reference
} RbComparison;

// Both of one context. Parameters that only the reference has are left out: not every format keeps
// them. An error only if there is nothing to compare: no signals, no common time. The answer lives as
// long as the context.
RB_API RbStatus rb_results_compare(const RbResults *results, const RbResults *reference,
                                   const RbCompareOptions *options,
                                   const RbComparison **comparison);

// A table: one line per signal that is not inside (or per signal, if all is true), and a closing
// line. Lives as long as the context.
RB_API RbStatus rb_comparison_text(RbContext *context, const RbComparison *comparison, bool all,
                                   const char **text);

#ifdef __cplusplus
}
#endif
