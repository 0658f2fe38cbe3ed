// SPDX-License-Identifier: MIT
// connect.h: what the files about connections share (connect*.c). Connect equations are collected
// from the whole tree of instances before any other equation is lowered; then each kind of variable
// in a connector has its own rules:
//
//     connect_sets.c    potentials and flows: sets of connected variables
//     connect_stream.c  streams: mixtures of what flows together
//     connect_bus.c     expandable connectors: which members they have
//     connect_member.c  ... and how these are made
//     connect_roots.c   overdetermined records: which connections are equalities
#pragma once

#include "flatten/frontend.h"

// A connector or a variable in one, as one side of a connection.
typedef struct RbEnd {
    RbInst *inst;
    int element;  // of a variable, from 0, row by row
    bool outside; // a connector of the class that has the connect equation
} RbEnd;

// One or several connectors that a reference names.
typedef struct RbEnds {
    RbVal *list; // kind INST
    int count;
    bool is_slice;        // elements, even if there is only one
    const RbInst *absent; // a conditional component that does not exist; then there are none
} RbEnds;

// A member of an expandable connector and what it was made like.
typedef struct RbMemberCopy {
    RbInst *copy, *original;
} RbMemberCopy;

typedef struct RbConnector {
    struct RbSets *sets;
    struct RbRoots *roots;
    struct RbBuses *buses;
    struct RbStreams *streams;
    RB_ARRAY(RbMemberCopy) copies;
} RbConnector;

RbConnector *rb_connector(RbFrontEnd *fe);

// --- connect.c -----------------------------------------------------------------------------------

// Join all variables of two instances of the same structure.
void rb_connect_whole(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at);

// The connectors that a reference names; false after a message.
bool rb_connect_ends(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbEnds *ends);
// A whole array on one side and single elements on the other: take the array apart.
void rb_connect_match(RbFrontEnd *fe, RbEnds *a, RbEnds *b);
void rb_connect_take_apart(RbFrontEnd *fe, RbEnds *ends);
// Form the sets of a connect equation whose connectors exist.
void rb_connect_now(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

// --- connect_check.c -----------------------------------------------------------------------------

// May two variables of connectors be connected? Reports why not.
bool rb_connect_fits(RbFrontEnd *fe, RbInst *a, RbInst *b, RbPos at);

// --- connect_sets.c ------------------------------------------------------------------------------

int rb_leaf_size(const RbInst *leaf);
void rb_sets_join(RbFrontEnd *fe, RbEnd a, RbEnd b, RbPos at);
// The element was connected by its subscripts, not with the whole array.
void rb_sets_name_alone(RbFrontEnd *fe, RbEnd end);
void rb_sets_equations(RbFrontEnd *fe);
// All members of the set that a variable is in; the variable itself is one of them.
int rb_sets_members(RbFrontEnd *fe, RbEnd end, RbEnd **list);

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

// --- connect_bus.c -------------------------------------------------------------------------------

bool rb_is_bus(const RbInst *i);
// Does a connect equation name a bus? Then it is kept until rb_bus_expand.
bool rb_bus_keep(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);
void rb_bus_expand(RbFrontEnd *fe);

// --- connect_member.c ----------------------------------------------------------------------------

// Give a bus a member like another connector.
void rb_member_add(RbFrontEnd *fe, RbInst *bus, RbName name, const RbVal *like);
// The same for an element of a member that is an array; it grows with its subscripts (from 1).
bool rb_member_add_item(RbFrontEnd *fe, RbInst *bus, RbName name, const int *subs, int rank,
                        const RbVal *like, RbPos at);
// An element of such an array; NULL if there is none yet.
RbInst *rb_member_item(const RbInst *array, const int *subs);

// --- connect_stream.c ----------------------------------------------------------------------------

// The equation of a stream variable of an outside connector.
void rb_stream_outside(RbFrontEnd *fe, RbEnd end, RbPos at);
// The equations of all inStream(...) that were asked for.
void rb_streams_equations(RbFrontEnd *fe);
