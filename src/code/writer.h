// SPDX-License-Identifier: MIT
// writer.h: for the files that write the C of sections and systems: what is known while a function
// is written. A node that is used once is written where it is used; one that is used more often
// gets a local variable. Before an expression can be written (write_expr.c) it is prepared
// (prepare.c): the statements that it needs come first.
#pragma once

#include "code/emit_function.h"
#include "code/hoist.h"
#include "code/parts.h"

enum { RB_USES_TIME = 1 << (RB_AREA_A + 1) };

typedef enum RbLocalKind { RB_LOCAL_NONE, RB_LOCAL_PLAIN, RB_LOCAL_HANDED_ON } RbLocalKind;

typedef struct RbLoopView RbLoopView;

typedef struct RbWriter {
    const RbLowered *l;
    RbArena *arena;   // the text
    RbArena *scratch; // tables and lists
    RbArena *pass;    // passed by value only
    RbText *out;
    RbText body; // of the function at hand
    RbConstants constants;
    RbFunctionCode functions;
    int *uses; // by node id, valid where stamp agrees
    int *temp; // by node id: number of the local variable, 0 = none
    int *stamps;
    int stamp;
    int temps;     // local variables of this function
    unsigned used; // areas that this function reads or writes, and RB_USES_TIME
    // Algebraic variables, by their place in w. Those that only one part of the derivatives uses
    // need no memory (parts.h).
    int *variables;         // the variable
    const RbExpr **inlined; // written in place of its only use, in the present function
    unsigned char *local;   // a local variable of the present function, RbLocalKind
    bool hoisting;          // the section at hand computes what others find in h
    // The loop that is being written, or NULL.
    const RbRolledRun *run;
    RB_ARRAY(RbLoopView) views; // how its cells reach their places
    int *carried; // by place in w that the first cell reads: the place that hands it on, plus one
    RB_ARRAY(int) trail; // ids with a local variable, so that a scope can forget them
    RbCSource *source;
    RbMap workspace_of; // array expression -> place among source->arrays
} RbWriter;

// --- scope.c: which nodes have a local variable --------------------------------------------------

// A new function: nothing is known of any node.
void rb_open_scope(RbWriter *w);
void rb_know(RbWriter *w, const RbExpr *n);
// How often each node is used by the roots of one function.
void rb_count_uses(RbWriter *w, const RbExpr *const *roots, int count);

bool rb_has_temp(RbWriter *w, const RbExpr *n);
int rb_new_temp(RbWriter *w, const RbExpr *n);
// Writes `double t<number> = n`.
void rb_assign_temp(RbWriter *w, const RbExpr *n);
// Local variables after the first `mark` of the trail are out of sight.
void rb_forget(RbWriter *w, int mark);

// --- write_expr.c: expressions whose nodes are prepared ------------------------------------------

void rb_write(RbWriter *w, const RbExpr *n);
void rb_write_condition(RbWriter *w, const RbExpr *n); // as a C condition
void rb_write_place(RbWriter *w, RbCodePlace place);
// Place of a scalar algebraic variable; area NONE if n is none.
RbCodePlace rb_algebraic_place(const RbWriter *w, const RbExpr *n);

// Computed before, when the parameters became known.
static inline bool rb_in_h(const RbWriter *w, const RbExpr *n) {
    return !w->hoisting && rb_hoisted(w->l, n) >= 0;
}

// --- prepare.c: statements before an expression --------------------------------------------------

void rb_prepare(RbWriter *w, const RbExpr *n);

// --- write_step.c: functions and their statements ------------------------------------------------

// Text of a function goes to a place of its own until it is known what it uses. Answers where text
// went before.
RbText *rb_begin_function(RbWriter *w);
// The function that was written to w->out, with what it uses declared before it.
void rb_close_function(RbWriter *w, RbText *text, const char *head);

// Uses of all nodes of some steps, and of more expressions.
void rb_count_steps(RbWriter *w, const RbStep *steps, int count, const RbExpr *const *more,
                    int more_count);
void rb_emit_assignment(RbWriter *w, RbCodePlace place, const RbExpr *value);
// In place where it is used once, a local variable where it is used more often. Answers false if
// it needs memory; nothing is written then.
bool rb_keep_local(RbWriter *w, const RbStep *s, int readers);
void rb_forget_locals(RbWriter *w, const RbStep *steps, int count);

// Steps one after the other, as a function. `readers` as of the first step (parts.h); NULL: all
// variables need memory.
void rb_emit_steps(RbWriter *w, const RbStep *steps, int count, const unsigned char *readers,
                   const char *head);

// --- write_loop.c: a run as a loop over its cells ------------------------------------------------

void rb_emit_loop(RbWriter *w, const RbRolledRun *run, const RbStep *cell,
                  const unsigned char *readers, const char *head);
// A place of the first cell that is another one in each cell. Answers false if it is not.
bool rb_write_cell_place(RbWriter *w, RbCodePlace place);

// --- emit_system.c -------------------------------------------------------------------------------

void rb_emit_system(RbWriter *w, int number, const RbSystemRuns *runs);

// --- write_call.c: calls of functions, and elements that are found by an index at run time -------

void rb_prepare_call(RbWriter *w, const RbExpr *n);
void rb_prepare_result(RbWriter *w, const RbExpr *n);
void rb_prepare_element(RbWriter *w, const RbExpr *n);

// A call whose arrays are handed over as they are (rb_whole_call): all its results.
void rb_prepare_whole_call(RbWriter *w, const RbExpr *n);

// --- write_array.c: whole arrays, and results in the workspace -----------------------------------

// Where the table of sizes tells about an array that has a place: 4 * entry.
int rb_array_entry(const RbWriter *w, const RbExpr *n);
void rb_write_pointer(RbWriter *w, const RbExpr *n);
void rb_write_size(RbWriter *w, const RbExpr *n); // size(a, k)
// A scalar that is a product or sum over arrays.
bool rb_is_over_array(const RbExpr *n);
void rb_write_over_array(RbWriter *w, const RbExpr *n);
// Number of the workspace array that is n, with a place of its own; it will be filled.
int rb_new_place(RbWriter *w, const RbExpr *n);
void rb_set_place(RbWriter *w, const RbExpr *n, int place); // it is filled
// A single element of a whole array, or of a result in the workspace.
bool rb_is_whole_element(const RbWriter *w, const RbExpr *n);
void rb_prepare_whole_element(RbWriter *w, const RbExpr *n);
void rb_write_whole_element(RbWriter *w, const RbExpr *n);
// The statements that an array expression needs; afterwards it can be written as an element in a
// loop. `target`: it is assigned as a whole, so it needs no workspace itself.
void rb_prepare_array(RbWriter *w, const RbExpr *n, bool target);
// As above, and with a place in memory.
void rb_need_place(RbWriter *w, const RbExpr *n);
void rb_emit_array(RbWriter *w, RbCodePlace place, const RbExpr *value);
