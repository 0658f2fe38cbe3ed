// SPDX-License-Identifier: MIT
// couplings.h: which of a component's derivatives, indicators and outputs depend on which of its
// states and inputs.
#pragma once

#include "base/array.h"
#include "rattleback/component.h"
#include "solver/pattern.h"

typedef RB_ARRAY(RbEntry) RbEntries;

struct RbCouplings {
    RbArena *arena;
    const double *discrete;
    bool residual;              // rows of implicit states are residuals
    RbEntries derivative_state; // in the order of the values of RbComponentType.jacobian
    RbEntries given;            // rows that depend on given derivatives
    bool unknown_slopes;        // some of these have no value
    RbEntries indicator_state;
    RbEntries derivative_input; // columns and rows below are variables
    RbEntries output_state;
    RbEntries output_input;
};

// Called for each pair of groups of a component that are linked.
struct RbLinks {
    const double *discrete;
    const int *groups; // NULL: all
    int group_count;
    void *workspace;
    void *user;
    void (*link)(void *user, int group_a, int group_b);
};
