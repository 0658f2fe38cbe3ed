// SPDX-License-Identifier: MIT
// lower.h: sorted equations as a list of plain steps on arrays: what is printed as C, and what the
// interpreter executes.
#pragma once

#include "dae/dae.h"

// Where a value lives: the arrays of RbCodeFrame. ORDER area letters in emit_c.c
typedef enum RbArea {
    RB_AREA_P,
    RB_AREA_X,
    RB_AREA_DX,
    RB_AREA_U,
    RB_AREA_D,
    RB_AREA_Q,
    RB_AREA_W,
    RB_AREA_O,
    RB_AREA_H,
    RB_AREA_COUNT,
    RB_AREA_Y = RB_AREA_COUNT, // arguments of the function of a system: y, r and a
    RB_AREA_R,
    RB_AREA_A,
    RB_AREA_NONE = -1,
} RbArea;

typedef struct RbCodePlace {
    RbArea area;
    int index;
    int array; // not 0: a whole array, number array - 1 of RbSortedDae.arrays; index is not used
} RbCodePlace;

// place := value, or, if system >= 0, the solution of a system of equations.
typedef struct RbStep {
    RbCodePlace place;
    const RbExpr *value;
    int system;
    RbPos at; // of the equation, if it is one
} RbStep;

typedef RB_ARRAY(RbStep) RbSteps;

// A system: iteration variables y, inner steps, residuals r, matrix a.
typedef struct RbCodeSystem {
    const RbBlock *block;
    RbCodePlace *unknowns;
    RbSteps inner;
    RbSteps values; // all that its function does: unknowns from y, inner steps, residuals to r,
    RbSteps matrix; // then the matrix to a
    bool initial;   // belongs to the system at the start
} RbCodeSystem;

// A call of a function that generated code hands back to us: arguments and results are one row of
// numbers each.
typedef struct RbCallSite {
    const RbExpr *call;     // representative: function, sizes of the arguments
    const RbExpr **results; // the expressions that are results of it; NULL: not used
    bool whole;             // arrays are handed over as they are; what follows is not known
    int in_count, out_count;
    int *out_start;               // where each result begins
    int (*out_dims)[RB_RANK_MAX]; // sizes of each result
} RbCallSite;

// Sections that are evaluated as a whole. ORDER section names in emit_c.c
typedef enum RbSectionId {
    RB_SECTION_PARAMETERS,
    RB_SECTION_STARTS,  // o: start values of x, w, d, dx, one after the other
    RB_SECTION_SAMPLES, // o: start and interval of each sample
    RB_SECTION_INITIAL,
    RB_SECTION_DERIVATIVES, // what dx and the event indicators need
    RB_SECTION_OUTPUTS,     // all continuous variables
    RB_SECTION_EVENTS,      // everything, discrete variables too
    RB_SECTION_INDICATORS,  // o: left - right of each relation
    RB_SECTION_ACTIONS,     // o: condition and value of each action
    RB_SECTION_SETS,        // o: matrices of the state sets
    RB_SECTION_HOISTED,     // h: what follows from parameters; compiled code only (hoist.h)
    RB_SECTION_COUNT,
} RbSectionId;

typedef struct RbLowered {
    const RbSortedDae *dae;
    RbSteps sections[RB_SECTION_COUNT];
    RB_ARRAY(RbCodeSystem) systems;
    RB_ARRAY(RbCallSite) sites;
    RbMap site_of; // call expression id -> site
    int w_count;
    int o_count;  // the longest list
    int *hoisted; // by node id: place in h, plus one (hoist.h)
    int hoisted_count;
} RbLowered;

RbStatus rb_program_lower(const RbSortedDae *dae, RbArena *arena, RbArena scratch, RbDiag *diag,
                          RbLowered **lowered);

// The call that e, a CALL or RESULT, is about, if its arrays are handed over whole; otherwise NULL.
const RbExpr *rb_whole_call(const RbSortedDae *dae, const RbExpr *e);

// Scalars in an area.
int rb_area_size(const RbLowered *l, RbArea area);

// Where variable v lives; area NONE if it has no value of its own (alias, string).
RbCodePlace rb_place(const RbLowered *l, int v);

// The scalar elements of an argument, row by row, appended to *list.
typedef RB_ARRAY(const RbExpr *) RbExprList;
void rb_flatten_argument(const RbExpr *e, RbArena *arena, RbExprList *list);
void rb_argument_dims(const RbExpr *e, int dims[RB_RANK_MAX]);
