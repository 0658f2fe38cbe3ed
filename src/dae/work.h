// SPDX-License-Identifier: MIT
// work.h: what the stages of the analysis share; for the files of this folder.
#pragma once

#include "dae/dae.h"
#include "expr/eval.h"

// A parameter value that was asked for; later stages decide by them (constant coefficients, sizes).
typedef struct RbKnownValue {
    bool asked, known;
    double number;
} RbKnownValue;

// Which arrays of the flat model must be taken apart, and why (whole.c), and which wishes cannot be
// fulfilled. Outlives attempts.
typedef struct RbApart {
    bool *apart;      // by variable
    const char **why; // part of a sentence; NULL: it was never meant to stay whole
    RbPos *at;
    int *root; // not 0: the array, minus one, that took this one with it
    int count;
    RbMap not_states; // preferred as states in vain: hashes of names
} RbApart;

typedef struct RbWork {
    RbSortedDae *dae;
    RbApart *arrays;
    RbFlatModel *model; // dae->model
    RbExprs *x;
    RbArena *arena;   // keep
    RbArena *scratch; // for this analysis
    RbArena *temp;    // only ever passed by value, for one pass over an expression
    RbArena *nested;  // the same for passes that a replacement makes inside such a pass
    RbDiag *diag;
    const RbDaeOptions *options;
    RbMap when_targets;  // discrete variables that when-equations assign
    RbMap when_vars;     // when-condition (expression id) -> its Boolean variable
    RbMap relation_vars; // relation (expression id) -> its Boolean variable
    RbMap text_vars;     // comparison of texts -> parameter
    RbMap delay_vars;    // delay(...) -> the variable that has its value
    RbMap remembered;    // expression -> number of the delay that remembers its past plus one
    RbMap pre_vars;      // continuous variable -> the discrete one that holds its left limit
    RB_ARRAY(RbKnownValue) values; // by variable: parameters that were evaluated
    RbCallMemory calls;            // of functions of parameters
    RB_ARRAY(RbDaeEq) token_eqs;   // put aside by rb_hide_tokens
    RbPos at;                      // of the equation being worked on
    bool has_texts;                // Strings that vary (texts.c)
    bool at_start;                 // initial equations are being read
    bool states_chosen;            // all functions wanted inline may be (inline.c)
    const RbExpr *when;            // the condition of the when-clause that is being read
} RbWork;

// Add a variable of our own; answers its index. The name must last as long as the result.
int rb_work_var(RbWork *w, const char *name, RbType type, RbDaeKind kind);

// The variable that is the derivative of v; made when there is none.
int rb_work_derivative(RbWork *w, int v);

// The variable that v is plus or minus of.
int rb_work_resolve(RbWork *w, int v, int *sign);

// Append an equation; answers its index.
int rb_work_eq(RbWork *w, const RbExpr *left, const RbExpr *right, RbPos at, const char *origin);

static inline const RbExpr *rb_work_ref(RbWork *w, int v) {
    return rb_flat_ref(w->model, v);
}
static inline RbDaeVar *rb_work_at(RbWork *w, int v) {
    return &w->dae->vars.data[v];
}

// The variables that an equation is about, ascending.
RbIndices rb_eq_vars(RbWork *w, const RbDaeEq *eq, RbArena *arena);

// RbEnv.lookup for parameters and constants, with the work as user; each is evaluated once.
bool rb_work_lookup(void *work, RbEnv *env, const RbExpr *leaf, RbExprValue *value);

// What decided the structure cannot be changed any more: parameter v, and all that its value
// follows from.
void rb_mark_structural(RbWork *w, int v);
// All parameters in an expression that did so.
void rb_mark_structural_expr(RbWork *w, const RbExpr *e);

// A wish that an earlier attempt could not fulfil (states.c), and one that this attempt cannot.
bool rb_was_no_state(RbWork *w, int v);
void rb_note_no_state(RbWork *w, int v);

// A variable of our own with the size of whole array v.
int rb_work_array_like(RbWork *w, int v, const char *name, RbDaeKind kind);

// --- whole arrays: whole.c and sizes.c, see there ---

// Parts of arrays that together are whole get one equation: pieces.c. Replaces the lists of
// equations.
void rb_join_pieces(RbWork *w, RbFlatModel *flat);
// Before anything is taken apart: which arrays stay whole. Answers whether any does.
bool rb_choose_whole(RbWork *w, const RbFlatModel *flat);
// The sizes of arrays that are taken apart are structural.
void rb_fix_sizes(RbWork *w);
bool rb_has_whole(RbWork *w, const RbExpr *e);
// The variable x if e is x, x[...], der(x) or der(x[...]); otherwise NULL.
const RbExpr *rb_sliced_var(const RbExpr *e);
// Is it a list {2, 4, 6} of numbers at even distances?
bool rb_is_progression(const RbExpr *e, int64_t *first, int64_t *step);
// This equation cannot be solved with whole arrays: take those in it apart, and start again.
// Answers an error without a message.
RbStatus rb_blame_arrays(RbWork *w, const RbDaeEq *eq, const char *why);
// The same for one variable, if it is whole.
void rb_blame_array(RbWork *w, int v, const char *why, RbPos at);

// A continuous or discrete unknown (not known before the run or from outside).
bool rb_is_unknown(const RbDaeVar *v);

// Stages, in order; each in the file of its name.
RbStatus rb_scalarize(RbWork *w, const RbFlatModel *flat);
RbStatus rb_collect(RbWork *w); // bindings, if- and when-equations, algorithms -> plain equations
void rb_warn_of_equalities(RbWork *w); // of Reals that vary with time
RbStatus rb_texts(RbWork *w);      // Strings that vary: what their equations give stands for them
RbStatus rb_relations(RbWork *w);  // relations, samples -> Boolean variables
RbStatus rb_parameters(RbWork *w); // order of evaluation
RbStatus rb_simplify_model(RbWork *w);
RbStatus rb_drop_vanishing(RbWork *w); // vanishing.c
RbStatus rb_aliases(RbWork *w);
RbStatus rb_simplify_pairs(RbWork *w);
RbStatus rb_eliminate_sums(RbWork *w); // sums.c
void rb_hide_tokens(RbWork *w);
// Is this a result of a component's function; is this the equation of a token?
bool rb_is_component_call(const RbWork *w, const RbExpr *e);
bool rb_is_token_eq(const RbWork *w, const RbDaeEq *eq);
RbStatus rb_pantelides(RbWork *w);
void rb_inline_calls(RbWork *w); // inline.c
RbStatus rb_select_states(RbWork *w);
void rb_show_tokens(RbWork *w);
void rb_use_row_solutions(RbWork *w); // row_solutions.c
RbStatus rb_sort_blocks(RbWork *w);
RbStatus rb_sort_initial(RbWork *w);

// Replace der(...) by derivative variables; discrete variables for pre(...) of continuous ones.
const RbExpr *rb_plain(RbWork *w, const RbExpr *e, RbPos at);

// The parameter that a comparison of texts known before the run becomes.
const RbExpr *rb_text_relation(RbWork *w, const RbExpr *e);

// The condition under which a when-clause is active, from its condition (a Boolean or an array of
// them).
const RbExpr *rb_when_active(RbWork *w, const RbExpr *condition, RbPos at);

// What an expression contains once functions that ask for it stand in the equations: inline.c
const RbExpr *rb_inlined(RbWork *w, const RbExpr *e);

// An algorithm section as equations v = result k of a function.
RbStatus rb_algorithm(RbWork *w, const RbEquation *eq, RbEquations *out);

// A total time derivative: every variable by its derivative variable, which is made if needed. NULL
// and an error if not possible.
const RbExpr *rb_time_derivative(RbWork *w, const RbExpr *e, RbPos at);
