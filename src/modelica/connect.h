// SPDX-License-Identifier: MIT
// connect.h: what the files about connections share (connect*.c). Connect equations are collected
// from the whole tree of instances before any other equation is lowered; then each kind of variable
// in a connector has its own rules:
//
//     connect_sets.c    potentials and flows: sets of connected variables
//     connect_roots.c   overdetermined records: a spanning tree decides which connections are
//     equalities
#pragma once

#include "modelica/frontend.h"

// A connector or a variable in one, as one side of a connection.
typedef struct RbEnd {
    RbInst *inst;
    int element;  // of a variable, from 0, row by row
    bool outside; // a connector of the class that has the connect equation
} RbEnd;

typedef struct RbConnector {
    struct RbSets *sets;
    struct RbRoots *roots;
} RbConnector;

RbConnector *rb_connector(RbFrontEnd *fe);

// --- connect.c -----------------------------------------------------------------------------------

// Join all variables of two instances of the same structure.
void rb_connect_whole(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at);

// --- connect_sets.c ------------------------------------------------------------------------------

int rb_leaf_size(const RbInst *leaf);
void rb_sets_join(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at);
void rb_sets_equations(RbFrontEnd *fe);

// --- connect_roots.c -----------------------------------------------------------------------------

// Is an instance of this class a node of the connection graph: has it an equalityConstraint?
bool rb_is_overdetermined(RbFrontEnd *fe, RbClass *class);
void rb_roots_connect(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at);
// Connections.branch, root or potentialRoot as an equation.
bool rb_is_roots_equation(const RbAstEquation *eq);
void rb_roots_collect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);
// After all was collected: which nodes are roots, which connections are equalities.
void rb_roots_decide(RbFrontEnd *fe);
void rb_roots_equations(RbFrontEnd *fe);
