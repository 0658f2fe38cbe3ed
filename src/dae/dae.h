// SPDX-License-Identifier: MIT
// dae.h: sorted and solved equations: what is left to do when a flat model has been analysed
// (docs/theory/dae.md).
//
//     RbSortedDae *dae;
//     RB_TRY(rb_dae_sort(flat, &options, arena, scratch, diag, &dae));
//
// The variables of the flat model keep their indices; elements of arrays, derivatives, relations
// and when-conditions are appended as variables of their own. All unknowns are scalars, but for
// arrays whose size may change and that every equation uses whole (docs/theory/dae.md, section 12).
#pragma once

#include "expr/flat_model.h"

// ORDER names in sorted_print.c
typedef enum RbDaeKind {
    RB_DAE_UNUSED,     // an array taken apart, a string, an external object
    RB_DAE_PARAMETER,  // known before the run: constants, parameters and what follows from them
    RB_DAE_INPUT,      // known from outside at any time
    RB_DAE_STATE,      // integrated by the solver
    RB_DAE_DERIVATIVE, // of a state that is not a state itself
    RB_DAE_ALGEBRAIC,  // computed from the above at any time
    RB_DAE_DISCRETE,   // changes at events only
    RB_DAE_ALIAS,      // plus or minus another variable
} RbDaeKind;

typedef struct RbDaeVar {
    RbDaeKind kind;
    int alias;      // the variable it equals, or -1
    int sign;       // +1 or -1: v = sign * alias
    int derivative; // the variable that is its time derivative, or -1
    int integral;   // the variable whose derivative it is, or -1
    int elements;   // UNUSED arrays: index of the first element; the others follow row by row
    int slot;       // its place among the variables of its kind
    bool whole;     // an array that is one unknown or parameter; slot is its place in `arrays`
    bool auxiliary; // made here, not the user's: not among the results
    bool wished;    // differentiated only because it is preferred as a state
    bool is_der;    // a derivative that the model or the index reduction introduced: named der(x)
    bool only_initial; // an entry of rows that are needed at the start alone (row_solutions.c)
} RbDaeVar;

// left = right
typedef struct RbDaeEq {
    const RbExpr *left, *right;
    int derivative;   // its time derivative, another equation, or -1
    int integral;     // the equation it is the derivative of, or -1
    int assigns;      // the discrete variable that it must be solved for, or -1
    bool not_initial; // does not hold during initialisation
    bool only_initial; // holds then and is not needed later: something else has taken its place
    RbPos at;
    const char *origin;
} RbDaeEq;

// A Boolean variable `var` that stands for `left op right`; between events it keeps its value and
// left - right is an event indicator.
typedef struct RbRelation {
    int var;
    RbOp op; // LT, LE, GT, GE
    const RbExpr *left, *right;
    bool time_only; // depends on time, parameters and discrete variables only
    RbPos at;
} RbRelation;

// A Boolean variable that is true at start + k * interval; that of a clock at (start + k * interval) / resolution
// after the start of the run, so that clocks of rational intervals tick at times that are rounded once.
typedef struct RbSample {
    int var;
    const RbExpr *start, *interval; // [s]
    const RbExpr *resolution;       // NULL: not of a clock
    RbPos at;
} RbSample;

typedef enum RbDelayKind {
    RB_DELAY_TIME,    // what it was a time before
    RB_DELAY_HISTORY, // only remembered, for TRANSPORT
    RB_DELAY_TRANSPORT, // what comes out of a pipe; its argument is how far the medium has come
} RbDelayKind;

// An expression whose past is asked for; delay(e, T) is the builtin DELAY of its number and T.
typedef struct RbDelay {
    RbDelayKind kind;
    int in[2], x; // TRANSPORT: numbers of what goes in at its ends, and of how far the medium has come
    int side;     // the end that is asked for
    const RbExpr *const *points, *const *values; // at the start
    int point_count;
    int var;                      // that holds it
    const RbExpr *time, *longest; // [s]
    bool fixed;                   // the time follows from parameters
    bool is_slope;                // a derivative: before the start it is zero
    int slope;                    // the delay of its derivative plus one; 0: nobody needs it
    RbPos at;
} RbDelay;

typedef enum RbActionKind {
    RB_ACTION_REINIT,
    RB_ACTION_ASSERT,
    RB_ACTION_TERMINATE,
    RB_ACTION_CALL
} RbActionKind;

// What happens at an event (REINIT, TERMINATE, CALL) when the condition is true, or is checked
// (ASSERT) to be true: at any time, or if it is momentary (in a when-clause, at the start) in each
// round of an event iteration.
typedef struct RbAction {
    RbActionKind kind;
    const RbExpr *condition; // Boolean
    int state;               // REINIT
    const RbExpr *holds;     // REINIT: that of its when-clause, not only its edge; may be NULL
    const RbExpr *value;     // REINIT: new value; ASSERT, TERMINATE: message; CALL: the call
    bool is_warning;
    bool is_momentary;
    RbPos at;
} RbAction;

// ORDER names in sorted_print.c
typedef enum RbBlockKind {
    RB_BLOCK_ASSIGN,    // one variable := expression
    RB_BLOCK_LINEAR,    // residuals are linear in the iteration variables
    RB_BLOCK_NONLINEAR, // Newton's method
} RbBlockKind;

// One step of the evaluation. A system first computes its inner variables from the iteration
// variables, by explicit assignments, then has as many residuals as iteration variables (tearing).
typedef struct RbAssignment {
    int var;
    const RbExpr *value;
    int eq; // where it came from
} RbAssignment;

// An initial equation between parameters: it determines nothing, and must hold.
typedef struct RbStartEquation {
    const RbExpr *left, *right;
    const char *text;
    RbPos at;
} RbStartEquation;

typedef struct RbMatrixEntry {
    int row, column;
    const RbExpr *value;
} RbMatrixEntry;

typedef struct RbBlock {
    RbBlockKind kind;
    bool discrete;         // evaluated at events only
    bool needed;           // needed for derivatives or event indicators, not only for results
    bool constant_matrix;  // LINEAR: the matrix depends on parameters only
    RbAssignment *assigns; // ASSIGN: one; systems: the inner variables in order
    int assign_count;
    int *unknowns; // iteration variables
    int *eqs;      // the residual equations
    const RbExpr **residuals;
    int size;
    // Derivatives of the residuals with respect to the iteration variables, through the inner ones,
    // where they can be nonzero: column by column, each from top to bottom. NULL: by differences.
    RbMatrixEntry *matrix;
    int matrix_count;
    bool sparse;        // LINEAR: it is solved by sparse elimination
    bool residual_form; // LINEAR: all unknowns are derivatives of states, and there are so many of
                        // them that an implicit solver may be given the residuals instead
    int full_size;      // unknowns before tearing
} RbBlock;

// Where entry k of the matrix of a block is kept: in the order above if it is sparse, otherwise in
// a full matrix by columns.
static inline int rb_matrix_place(const RbBlock *b, int k) {
    return b->sparse ? k : b->matrix[k].row + b->size * b->matrix[k].column;
}

typedef RB_ARRAY(RbBlock) RbBlocks;

// A choice of states at run time: of n candidates constrained by m equations, n - m are states.
// `selection` are the discrete variables of the (n - m) x n matrix A with one 1 in each row: states
// = A * candidates.
typedef struct RbStateSet {
    int *candidates;
    int candidate_count;
    int *states;
    int state_count;
    int *selection;
    const RbExpr **jacobian; // m x n: derivatives of the constraints with respect to the candidates
    int constraint_count;
    int level; // 0: this set has a matrix of its own; else it uses that of set `master`, for a
               // higher derivative
    int master;
} RbStateSet;

// An expression of whole arrays that equations of single elements read: its size has to stay.
typedef struct RbSizeCheck {
    const RbExpr *value;
    int rank, dims[RB_RANK_MAX];
    RbPos at;
} RbSizeCheck;

// What was found on the way, for the log and the tests.
typedef struct RbDaeStats {
    int equations_in, unknowns_in; // scalars before alias elimination
    int aliases, constants_found;
    int equations; // after alias elimination
    int differentiated;
    int largest_system, largest_torn;
} RbDaeStats;

typedef struct RbSortedDae {
    RbFlatModel *model; // a copy with the additional variables
    RbExprs *exprs;
    RbArena *arena;
    RB_ARRAY(RbDaeVar) vars; // as many as model->vars
    RB_ARRAY(RbDaeEq) eqs;
    RB_ARRAY(RbDaeEq) initial_eqs;
    RB_ARRAY(RbAssignment) parameters; // in order of evaluation; value NULL: its start value
    RB_ARRAY(int) states;              // scalars first, then whole arrays
    RB_ARRAY(int) arrays;              // whole arrays: their sizes may change before a run
    RB_ARRAY(int) discretes;
    RB_ARRAY(int) inputs;
    RB_ARRAY(RbRelation) relations;
    RB_ARRAY(RbSample) samples;
    RB_ARRAY(RbDelay) delays;
    RB_ARRAY(RbAction) actions;
    RB_ARRAY(RbStateSet) sets;
    RB_ARRAY(RbAssignment)
    left_limits; // discrete variables that hold pre(v) of a continuous one: value is that variable
    RB_ARRAY(RbAssignment) pre_starts; // initial equations pre(var) = value
    RB_ARRAY(RbAssignment) start_checks; // fixed start values that follow from the rest: they must agree
    RB_ARRAY(RbStartEquation) start_equations;
    bool any_wished; // a derivative was made because its variable is preferred as a state
    RB_ARRAY(RbSizeCheck) size_checks;
    bool any_whole;          // some arrays are whole
    RbBlocks blocks;         // states known -> everything else
    RbBlocks initial_blocks; // parameters known -> everything
    int initial_var;         // discrete Boolean that is initial(), or -1
    int terminal_var;
    bool uses_terminal;                // terminal() occurs
    int kind_counts[RB_DAE_ALIAS + 1]; // variables of each kind
    RbDaeStats stats;
} RbSortedDae;

// Linear systems of at least this many derivatives of states may be handed to an implicit solver in
// residual form (the thesis, chapter 3.3).
enum { RB_RESIDUAL_MIN = 50 };

typedef struct RbDaeOptions {
    int residual_min; // 0: RB_RESIDUAL_MIN
    bool no_tearing;  // for tests: whole systems
    bool no_alias;
    bool no_whole_arrays;  // take all arrays apart
    bool no_row_solutions; // for tests: rows of components are linear systems (row_solutions.c)
    bool only_derivatives; // only what is differentiated may become a state, whatever is preferred
} RbDaeOptions;

// A call with arrays among its arguments and results that may be whole: anything but texts.
bool rb_takes_whole(const RbFlatModel *model, const RbExpr *call);

RbStatus rb_dae_sort(const RbFlatModel *flat, const RbDaeOptions *options, RbArena *arena,
                     RbArena scratch, RbDiag *diag, RbSortedDae **dae);

// dump --stage=sorted: kinds of variables, then the blocks with source positions.
void rb_sorted_print(const RbSortedDae *dae, RbText *out);

// A number for what is to be computed; equations that differ have different ones.
uint64_t rb_sorted_hash(const RbSortedDae *dae, RbArena scratch);
