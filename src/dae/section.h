// SPDX-License-Identifier: MIT
// section.h: an algorithm section while it becomes functions; for algorithm.c and section.c.
//
// Expressions inside of the section have provisional locals: inputs from 0, assigned variables from
// RB_SECTION_OUTPUTS, iterators from RB_SECTION_ITERATORS. A function gets its own numbers.
#pragma once

#include "dae/elements.h"

enum { RB_SECTION_OUTPUTS = 1 << 20, RB_SECTION_ITERATORS = 2 << 20 };

// Where the conversion is: in a branch of a statement, which is in a branch of the next one.
typedef struct RbSectionScope {
    const struct RbSectionScope *outer;
    const RbStatements *done; // the statements of this branch that come before
    const RbStatement *owner; // the statement with the branch; its earlier branches are complete
    const RbExpr *condition;  // of the branch
} RbSectionScope;

typedef struct RbSection {
    RbWork *w;
    RbPos at;
    RbElements elements;
    RB_ARRAY(const RbExpr *) args;   // what is handed in, as it stands outside
    RB_ARRAY(int) outputs;           // variables that are assigned
    RB_ARRAY(const RbExpr *) starts; // what they hold before; NULL: zero
    RbMap input_of;                  // outer expression (id) -> input
    RbMap output_of;                 // variable -> output
    RbMap local_of;                  // iterator (id) -> local
    RbMap value_of;                  // place in the text and output -> its value there (id)
    const RbSectionScope *scope;
    int place; // counts statements
    int loops; // that run more than once around this place
    int whens; // around this place
    bool has_when, quiet;
    bool unwatched; // a relation in a loop may switch at any time
} RbSection;

// A function that runs `list`. Outputs: all variables that the section assigns, or only those that
// the list is about; *result gets the number of the result that variable `output` has.
const RbExpr *rb_section_call(RbSection *s, const RbStatements *list, bool all, int output,
                              int *result);

// The value that an assigned variable has at this place of the section, as an expression outside of
// it; NULL if it can only be found inside.
const RbExpr *rb_section_value(RbSection *s, int output);
