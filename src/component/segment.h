// SPDX-License-Identifier: MIT
// segment.h: what one component declares for the segment that begins, and what it may ask
// meanwhile.
#pragma once

#include <math.h>

#include "component/instance.h"

// Values of the segment that ended, as the component saw them.
typedef struct RbOldValues {
    const double *x, *q, *discrete;
    int x_count, q_count, discrete_count;
} RbOldValues;

// See rb_segment_mechanical.
typedef struct RbMechanical {
    int position, velocity, count;
    double step; // [s]
} RbMechanical;

// See rb_segment_start_of.
typedef struct RbVariableStart {
    int variable;
    double value;
} RbVariableStart;

typedef struct RbWholeNumbers {
    int first, count, stride;
    double most;
} RbWholeNumbers;

struct RbSegment {
    RbArena *arena;
    RbArena scratch; // for the call of start_segment
    RbDiag *diag;
    const RbInstance *instance;
    double time;
    bool first;
    RbOldValues old;
    const RbEval
        *eval; // equation half: the components have started and can be called; NULL otherwise

    RB_ARRAY(RbStateSpec) states;
    RB_ARRAY(RbQuadratureSpec) quadratures;
    RB_ARRAY(RbIndicatorSpec) indicators;
    RB_ARRAY(RbDiscreteSpec) discretes;
    RB_ARRAY(RbWholeNumbers) whole;
    RB_ARRAY(RbResultSpec) results;
    RB_ARRAY(RbResultSpec) constants;
    RB_ARRAY(double) constant_values;
    RB_ARRAY(RbVariableStart) starts;
    double next_time;
    int quiet;       // discrete value plus one; 0: no time event is quiet
    double max_step; // [s] 0: any
    RB_ARRAY(RbMechanical) mechanical;
    size_t workspace;
    int group_count;
    bool autonomous;
    double jacobian_cost; // evaluations that a Jacobian takes as long as; 0: about two
    bool nonstiff;
    bool vibrates;
    bool projects;
    bool rests;
    const char *needs_solver; // why a caller cannot integrate; NULL: it can
    bool carries; // its values go on from those of the last segment, or not, as it has declared them
};

// Discrete values `first`, `first` + `stride`, ... are whole numbers from 0 to `most`: a checkpoint in which they are not is refused.
void rb_segment_whole(RbSegment *segment, int first, int count, int stride, double most);
// Of the first one that is not: its number; -1: all are.
int rb_segment_find_broken(const RbSegment *segment, const double *discrete);

// Many hidden discrete values of one name that start at 0; *first is the number of the first.
void rb_segment_discretes(RbSegment *segment, const char *name, int count, int *first);

// Values of gathered members have changed during a run: does the component accept them? Nothing else changes if it does not.
RbStatus rb_segment_renew(RbInstance *instance, double time, RbArena *arena, RbArena scratch,
                          RbDiag *diag);

// Let the component declare its segment. Everything lives in the arena. old may be NULL, and eval,
// which is for the equation half.
RbStatus rb_segment_start(RbInstance *instance, double time, const RbOldValues *old,
                          const RbEval *eval, RbArena *arena, RbArena scratch, RbDiag *diag,
                          RbSegment **out);
