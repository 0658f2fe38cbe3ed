// SPDX-License-Identifier: MIT
// system.h: the components of a model composed into one system of equations for one segment:
//     der(x) = f(t, x),  der(q) = g(t, x),  z(t, x)
// or, for implicit solvers, 0 = F(t, x, der(x)), where some rows are residuals of the components.
// with x the states of all components one after another, and so for q, z, the discrete values d and
// the results.
#pragma once

#include "base/log.h"
#include "component/couplings.h"
#include "component/segment.h"
#include "model/model.h"
#include "solver/pattern.h"

// Where a component's share begins in the vectors of the system.
typedef struct RbSystemPart {
    RbInstance *instance;
    RbSegment *segment;
    int x, q, z, d, result, group;
    size_t workspace; // offset in bytes
} RbSystemPart;

typedef struct RbSystem {
    RbModel *model;
    RbSystemPart *parts;
    int part_count;
    bool *q_loose; // per quadrature, see RbQuadratureSpec
    int x_count, q_count, z_count, d_count, result_count, group_count;
    size_t workspace_size;
    int buffer_count;     // numbers that the widest function needs for its inputs and outputs
    double max_step;      // [s] 0: any
    int *rate;            // per state: the one that is its derivative, or -1
    double explicit_step; // [s] of leapfrog, where that is a good choice; 0: it is not
    double *nominal;      // of the states
    bool *absolute;       // states whose error counts in units of nominal
    double *range;        // of the states: by how much one may change under a Jacobian; 0: any
    bool *implicit;       // states whose equations can be taken as residuals
    int implicit_count;
    int *direction; // of the indicators
} RbSystem;

// Values of a system between two solver calls.
typedef struct RbValues {
    double *x, *q, *d;
    double *next_time; // per part: time event wanted
} RbValues;

// Start a segment: every component declares what it has. old and old_values may be NULL (first
// segment).
RbStatus rb_system_build(RbModel *model, double time, const RbSystem *old,
                         const RbValues *old_values, RbArena *arena, RbArena scratch, RbDiag *diag,
                         RbSystem **out);

// Zeroed vectors of the right sizes; and the start values that the components declared.
RbValues rb_system_values(const RbSystem *system, RbArena *arena);
void rb_system_start_values(const RbSystem *system, RbValues *values);

// Pattern of df/dx (`residual`: of F) from the couplings of the components at the discrete values
// d, and how their Jacobian values go into it.
typedef struct RbComposed {
    RbPattern pattern;
    bool has_jacobian; // all components compute their values
    int *place;      // where the values of all components, one after another, belong in the pattern
    int *part_start; // part_count + 1: the values of each
    int value_count, value_capacity;
    // Of residuals: where dF/dx can be nonzero; where the values of RbComponentType.slopes belong
    // in the pattern, all components one after another.
    RbPattern state_pattern;
    bool has_slopes; // all components that have given derivatives in their rows compute them
    int *slope_place, *slope_start;
    double *slopes; // room for them
} RbComposed;

RbComposed rb_system_couplings(const RbSystem *system, const double *d, bool residual,
                               RbArena *keep, RbArena scratch);

// Name of a state ("ball.h"), of what a discrete value or an indicator is called.
const char *rb_system_state_name(const RbSystem *system, int state, RbArena *arena);
const char *rb_system_discrete_name(const RbSystem *system, int index, RbArena *arena);
const char *rb_system_indicator_name(const RbSystem *system, int index, RbArena *arena);

// The part that owns state, discrete value or indicator number i.
const RbSystemPart *rb_system_part_of_state(const RbSystem *system, int i);
const char *rb_system_own_state_name(const RbSystem *system, int i); // as its component calls it
const RbSystemPart *rb_system_part_of_discrete(const RbSystem *system, int i);
const RbSystemPart *rb_system_part_of_indicator(const RbSystem *system, int i);
