// SPDX-License-Identifier: MIT
// jumps.h: where a function of time jumps, found before a run gets there.
//
// The function is asked at 1000 times, evenly spread over the run. Between two that differ, halving
// follows the larger difference: where the function is smooth, it falls with the length of the
// interval; where it jumps, it stays. Guaranteed: a jump is found, to rounding, if it is at least a
// thousandth of the largest value that was seen, larger than the smooth change within a thousandth of
// the run, and if what follows it lasts for longer than that.
#pragma once

// How often what depends on time is looked at over a run: here, and wherever else one looks ahead.
enum { RB_LOOKS = 1000 };

enum { RB_JUMP_VALUES = 6, RB_JUMP_GROUP = 3 };

typedef struct RbJumpSearch {
    // Values at a time; what is no number never jumps.
    void (*values)(void *user, double t, double *values);
    void *user;
    int count;          // at most RB_JUMP_VALUES; each RB_JUMP_GROUP of them are a vector
    double start, stop; // [s] of the run
    double scale[RB_JUMP_VALUES / RB_JUMP_GROUP]; // largest norm of each vector
} RbJumpSearch;

// Measure the scales; the rest is set by the caller.
void rb_jumps_open(RbJumpSearch *search);

// First jump after t and before limit: a time at which the values are those after it. INFINITY: none.
double rb_jumps_next(const RbJumpSearch *search, double t, double limit);

// Times computed in different ways differ by less than this.
double rb_time_rounding(double t);

// A list of times at which a solver has to stop, in ascending order; and the first of them after `now`, INFINITY: none.
void rb_times_sort(double *times, int count);
double rb_times_after(const double *times, int count, double now);
