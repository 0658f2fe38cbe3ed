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

#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbResults RbResults;

// The results live as long as the context.
RB_API RbStatus rb_results_open(RbContext *context, const char *file, RbResults **results);

RB_API size_t
rb_results_rows(const RbResults *results); // both sides of an event are rows of their own
RB_API int rb_results_count(const RbResults *results); // variables
RB_API const char *rb_results_name(const RbResults *results, int variable);
RB_API const char *rb_results_unit(const RbResults *results, int variable);
RB_API int rb_results_find(const RbResults *results, const char *name); // -1: there is none
RB_API bool rb_results_complete(const RbResults *results);

// All times [s]; all values of a variable, NaN where it does not exist. Room for rb_results_rows
// numbers.
RB_API RbStatus rb_results_times(const RbResults *results, double *times);
RB_API RbStatus rb_results_values(const RbResults *results, int variable, double *values);

// Write them; the ending of the name decides about the format.
RB_API RbStatus rb_results_write(const RbResults *results, const char *file);

#ifdef __cplusplus
}
#endif
