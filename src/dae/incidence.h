// SPDX-License-Identifier: MIT
// incidence.h: the graph of some equations against some unknowns.
#pragma once

#include "dae/graph.h"
#include "dae/work.h"

// Whether an unknown is a column, and of which group: 0 no, 1, 2, 3 first, second, third group.
typedef int (*RbUseVar)(RbWork *w, int var);
typedef bool (*RbUseEq)(const RbDaeEq *eq);

typedef struct RbIncidence {
    RbGraph graph;
    int *row_eqs;          // row -> equation
    int *column_vars;      // column -> variable
    int *column_of;        // variable -> column or -1
    int limits[RB_GROUPS]; // columns are in the order of their groups: where each ends
} RbIncidence;

RbIncidence rb_incidence(RbWork *w, RbUseEq use_eq, RbUseVar use_var);

// The same for a given list of equations.
RbIncidence rb_incidence_of(RbWork *w, const RbDaeEq *eqs, int count, RbUseEq use_eq,
                            RbUseVar use_var);
