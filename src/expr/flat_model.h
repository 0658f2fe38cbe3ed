// SPDX-License-Identifier: MIT
// flat_model.h: a model without hierarchy: variables, equations and functions, as the front end
// hands them to dae and as components add to them (translate). No classes, no connectors, no
// records, no for-equations: these are expanded. Arrays of builtin types may stay arrays: dae takes
// them apart where an equation needs an element.
//
// Rules for who builds one:
//   * one variable per declared component of builtin type; `Real x[3]` is one variable of rank 1,
//   `Cell c[5]` with
//     `Real v` inside gives c[1].v ... c[5].v. Elements are counted row by row.
//   * a record is as many variables as it has fields; a record argument or result of a function
//   likewise.
//   * rb_flat_ref(model, i) is the expression that means variable i.
//   * declaration equations of continuous and discrete variables are `binding`; so are parameter
//   values.
//   * (a, b) = f(u) is a = rb_result(call, 0), b = rb_result(call, 1): equal calls are one node and
//   called once.
//   * assert, terminate, reinit and calls without results are equations of their kind.
//   * connections are already equations: e = e for potentials, rb_sum(...) = 0 for flows.
#pragma once

#include "base/diag.h"
#include "base/intern.h"
#include "expr/expr.h"

// ORDER names in flat_print.c
typedef enum RbVariability { RB_CONSTANT, RB_PARAMETER, RB_DISCRETE, RB_CONTINUOUS } RbVariability;
// Only inputs and outputs of the model itself; those of components inside are RB_LOCAL.
typedef enum RbCausality { RB_LOCAL, RB_INPUT, RB_OUTPUT } RbCausality;
typedef enum RbStateSelect {
    RB_STATE_NEVER = -2,
    RB_STATE_AVOID = -1,
    RB_STATE_DEFAULT = 0,
    RB_STATE_PREFER = 1,
    RB_STATE_ALWAYS = 2,
} RbStateSelect;

// What may be said of a variable. NULL: not given. For arrays either one value for all elements or
// an array expression.
typedef struct RbAttributes {
    const RbExpr *start, *fixed, *nominal, *min, *max;
    const char *unit, *display_unit, *quantity;
    RbStateSelect state_select;
} RbAttributes;

typedef struct RbFlatVar {
    RbName name; // "motor.inertia.phi"
    RbVariability variability;
    RbCausality causality;
    RbType type;
    int enumeration; // type RB_ENUM: index into RbFlatModel.enumerations
    int rank;
    int dims[RB_RANK_MAX];
    const RbExpr *dim_exprs[RB_RANK_MAX]; // not NULL: follows from parameters that may change after
                                          // translation
    bool has_free_size; // a dimension has such an expression or, of a parameter, is that of its
                        // value (':')
    bool dim_fixed[RB_RANK_MAX]; // this dimension may not change any more
    // What keeps the size as it is, as a part of a sentence, and where; NULL: nothing does.
    const char *size_use;
    RbPos size_use_at;
    RbAttributes attributes;
    const RbExpr *binding; // NULL: none
    const char *description;
    bool is_flow;       // for messages
    bool is_potential;  // of a connector, equal to those it is connected with; for messages
    bool is_protected;  // not among the results unless asked for
    bool hide_result;   // annotation(HideResult = true)
    bool is_structural; // a parameter whose value decided the structure (Evaluate, size,
                        // condition): fixed from now on
    bool is_final;      // may not be changed from outside
    RbPos at;
    RbPos top_at; // the component of the model itself that it belongs to; no file: it was made up
} RbFlatVar;

// Where a message about it points to: into the model that the user runs.
static inline RbPos rb_flat_var_place(const RbFlatVar *v) {
    return v->top_at.file ? v->top_at : v->at;
}

typedef struct RbEnumeration {
    RbName name;
    const char **literals;
    int count;
} RbEnumeration;

typedef struct RbEquation RbEquation;
typedef struct RbStatement RbStatement;
typedef RB_ARRAY(RbEquation *) RbEquations;
typedef RB_ARRAY(RbStatement *) RbStatements;

// ORDER names in flat_print.c
typedef enum RbEquationKind {
    RB_EQ_EQUAL,     // left = right, scalar or array
    RB_EQ_IF,        // branches; the last may have no condition (else)
    RB_EQ_WHEN,      // branches: when, elsewhen; contain EQUAL (left a variable), REINIT, ASSERT,
                     // TERMINATE, CALL, IF
    RB_EQ_ASSERT,    // left = condition, right = message, level
    RB_EQ_TERMINATE, // right = message
    RB_EQ_REINIT,    // left = state, right = new value; only below WHEN
    RB_EQ_CALL,      // right = call of a function for its effect
    RB_EQ_ALGORITHM, // statements: one block that assigns its left-hand sides, as many equations as
                     // variables
} RbEquationKind;

typedef struct RbBranch {
    const RbExpr *condition; // Boolean; NULL: else
    RbEquations equations;
} RbBranch;

struct RbEquation {
    RbEquationKind kind;
    const RbExpr *left, *right;
    RB_ARRAY(RbBranch) branches;
    RbStatements statements;
    bool is_warning; // ASSERT with AssertionLevel.warning
    RbPos at;
    const char
        *origin; // instance it came from ("motor.inertia"), "" for the model itself; for messages
};

// ORDER names in flat_print.c
typedef enum RbStatementKind {
    RB_ST_ASSIGN, // target := value
    RB_ST_CALL,   // (targets) := call; targets may be NULL (skipped) or none at all
    RB_ST_IF,     // branches; the last may have no condition
    RB_ST_WHEN,   // only in models
    RB_ST_FOR,    // iterator (RB_OP_LOCAL) over value (a vector); body in branches[0]
    RB_ST_WHILE,  // branches[0]: condition and body
    RB_ST_BREAK,
    RB_ST_RETURN,
    RB_ST_ASSERT, // target = condition, value = message
    RB_ST_TERMINATE,
    RB_ST_REINIT, // target = state, value; only below WHEN
} RbStatementKind;

typedef struct RbStatementBranch {
    const RbExpr *condition;
    RbStatements statements;
} RbStatementBranch;

struct RbStatement {
    RbStatementKind kind;
    const RbExpr *target, *value; // target: RB_OP_VAR or RB_OP_LOCAL, or RB_OP_SUBSCRIPT of one
    RB_ARRAY(const RbExpr *) targets;
    RB_ARRAY(RbStatementBranch) branches;
    bool is_warning;
    RbPos at;
};

typedef enum RbFunctionKind {
    RB_FUNCTION_ALGORITHM, // body
    RB_FUNCTION_EXTERNAL,  // C code: RbExternal
    RB_FUNCTION_COMPONENT, // evaluated by a component in C: RbComponentCall
} RbFunctionKind;

// `external "C" result = name(args)`. Arguments are expressions over the locals; an output among
// them is passed by address, an array as pointer to its elements row by row, a size as size_t, a
// string as const char *, an external object as void *, a record as pointer to a struct.
typedef struct RbExternal {
    const char *language; // "C", "FORTRAN 77", "builtin"
    const char *name;
    const RbExpr *result;          // RB_OP_LOCAL or NULL
    RB_ARRAY(const RbExpr *) args; // records as their fields
    // What C sees: one text per argument. "" is one of args as it is; "{dis{d}}" is a struct of
    // double, int (also Boolean, enumeration), const char *, object (o) and structs.
    RB_ARRAY(const char *) layouts;
    RB_ARRAY(const char *) libraries;                                     // annotation Library
    const char *include;                                                  // C text; NULL: none
    const char *library_directory, *include_directory, *source_directory; // paths
    int destructor; // of the constructor of an external object: function of the model plus 1
} RbExternal;

// Rows of an affine function that another one can solve (component.h, RbFunctionSpec.solution).
typedef struct RbRowSolution {
    int function; // of the FlatModel: it has the inputs of the rows, c and k, and the results x
    int count;    // of x, y and rows
    int *x, *y;   // variables
    int entry;    // the first variable that is an entry of A or b
    int entries;  // how many there are, one after the other
} RbRowSolution;

// A pre-translated function of a component (docs/decisions/two-halves.md). Its arguments are time,
// so that nobody takes its results for constants (they depend on the hidden states), the token of
// the function that must have been called before, if any, and the inputs. Its results are the
// outputs and a token of its own.
typedef struct RbComponentCall {
    int component;   // which instance
    int function;    // its number within the component
    int matrix_rows; // not 0: the results are A, row by row, and b of an affine function with so
                     // many outputs
    const RbExpr *after; // the token among its arguments, or NULL
    int token;           // variable that is its last result: it is called in every evaluation
    int time_derivative; // function of the FlatModel with inputs (u, der u) that is the derivative;
                         // -1: none
    const RbRowSolution *solution; // affine functions: NULL if there is none
} RbComponentCall;

typedef enum RbInputDerivative {
    RB_INPUT_DIFFERENTIATED,
    RB_INPUT_IGNORED, // noDerivative: the function knows otherwise what changes with it
    RB_INPUT_ZERO,    // zeroDerivative: holds only if its derivative is zero
} RbInputDerivative;

// annotation(derivative = f(order, noDerivative, zeroDerivative))
typedef struct RbFunctionDerivative {
    int function; // index into RbFlatModel.functions; inputs: all inputs, then der of the Real
                  // inputs not marked
    int order;    // 1: first derivative
    bool made;    // not named by the author, but derived from the algorithm
    const unsigned char *inputs; // per input: RbInputDerivative
} RbFunctionDerivative;

typedef struct RbFunctionVar {
    RbName name;
    RbType type;
    int enumeration;
    int rank;
    const RbExpr *
        dims[RB_RANK_MAX]; // over the inputs; NULL for ':' of an input (its size is the argument's)
    const RbExpr *binding; // default of an input, start value of an output or local
    bool is_flexible;      // its sizes are those of its value, and change with the value
} RbFunctionVar;

// Inputs come first among the vars, then outputs, then locals and iterators.
typedef struct RbFunction {
    RbName name;
    RbFunctionKind kind;
    RB_ARRAY(RbFunctionVar) vars;
    int input_count, output_count;
    // In which order the variables behind the inputs get the values of their declarations: one may
    // follow from another that stands below it. NULL: as they stand.
    const int *order;
    RbStatements statements;
    RbExternal external;
    RbComponentCall component;
    RB_ARRAY(RbFunctionDerivative) derivatives;
    bool not_differentiable; // was tried
    bool is_impure;
    bool is_none; // annotation(__Rattleback(none = true)): stands where a component goes without a function
    bool
        is_inline; // annotation(Inline = true): a single assignment may be put in place of the call
    bool inline_after_index; // annotation(InlineAfterIndexReduction = true)
    int smooth_order;
    RbPos at;
} RbFunction;

typedef struct RbExperiment {
    double start_time, stop_time; // [s]
    double interval;              // [s] 0: not given
    double tolerance;             // relative; 0: not given
    bool given;                   // is there an experiment annotation at all
} RbExperiment;

// An instance that is drawn (translate/visuals.h): which of its variables say how follows from its
// kind. ORDER flatten/visual.c
typedef enum RbVisualKind {
    RB_VISUAL_NONE,
    RB_VISUAL_SHAPE,   // a form with sizes
    RB_VISUAL_VECTOR,  // an arrow
    RB_VISUAL_MESH,    // triangles whose corners may move
    RB_VISUAL_WORLD,   // says which way is down
    RB_VISUAL_SURFACE, // a grid of points that a function computes
} RbVisualKind;

typedef struct RbFlatVisual {
    RbVisualKind kind;
    const char *path;      // of the instance
    const char *file;      // of a shape that is read from one; NULL: none
    const RbExpr *surface; // the call that computes the points of a surface; NULL: not drawn
    RbPos at;
} RbFlatVisual;

// Two Reals that are compared for equality, outside of functions.
typedef struct RbFlatEquality {
    RbPos at;
    const RbExpr *e; // the relation
} RbFlatEquality;

// A parameter that a component in C wants as a function of another one (component.h,
// RB_VALUE_FUNCTION): what its declaration says. In the model itself it is zero.
typedef struct RbFlatFunction {
    int argument, value; // variables
    const RbExpr *body;  // over the argument and other parameters
    RbPos at;
} RbFlatFunction;

// What is said if something goes wrong.
typedef struct RbFlatNote {
    RbPos at;
    const char *text;
} RbFlatNote;

typedef struct RbFlatModel {
    const char *name; // class name
    const char *description;
    RbArena *arena; // everything here lives in it
    RbExprs *exprs;
    RB_ARRAY(RbFlatVar) vars;
    RB_ARRAY(RbEnumeration) enumerations;
    RB_ARRAY(RbFunction *) functions;
    RbEquations equations;
    RbEquations initial_equations;
    RB_ARRAY(RbFlatVisual) visuals;
    RB_ARRAY(RbFlatEquality) equalities;
    RB_ARRAY(RbFlatFunction) component_functions;
    RbExperiment experiment;
    // "'A' has 3 equations for 4 variables: 1 more is needed"; who finds out which ones says it.
    const char *imbalance; // of equations and variables; NULL: there are as many
    // Connections that are left out because one end does not exist, and nothing else is connected to the other: why.
    RB_ARRAY(RbFlatNote) left_out;
    bool no_external;     // C code of others must not be compiled or loaded
} RbFlatModel;

RbFlatModel *rb_flat_model(RbArena *arena, const char *name);

// Add a variable (a copy of *var); answers its index. rb_flat_real is short for a continuous Real.
int rb_flat_add(RbFlatModel *model, const RbFlatVar *var);
int rb_flat_real(RbFlatModel *model, const char *name);

// The expression that means variable i.
const RbExpr *rb_flat_ref(RbFlatModel *model, int i);

// Append an empty equation or statement of a kind and answer it.
RbEquation *rb_equation(RbEquations *list, RbArena *arena, RbEquationKind kind, RbPos at);
RbStatement *rb_statement(RbStatements *list, RbArena *arena, RbStatementKind kind, RbPos at);

// left = right
RbEquation *rb_flat_equal(RbFlatModel *model, RbEquations *list, const RbExpr *left,
                          const RbExpr *right, RbPos at);

// Find the order in which the declarations of a function are to be evaluated (f->order).
void rb_function_sort(RbFunction *f, RbExprs *x, RbArena *arena, RbArena scratch);
// The variable whose declaration is the k-th to be evaluated; both count from the first behind the
// inputs.
static inline int rb_function_declared(const RbFunction *f, int k) {
    return f->order ? f->order[k - f->input_count] : k;
}

// Number of elements (1 for a scalar).
int rb_flat_size(const RbFlatVar *var);

// Name of element k (from 0, row by row) of a variable: x[2,1]; the name itself for a scalar.
void rb_flat_element_name(const RbFlatVar *var, int k, RbText *out);
