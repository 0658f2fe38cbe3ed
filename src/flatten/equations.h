// SPDX-License-Identifier: MIT
// equations.h: what the files about equations and statements share: equations.c, equality.c,
// condition.c, effect.c, statements.c and assignment.c. Others include frontend.h.
#pragma once

#include "flatten/frontend.h"

// --- equations.c ---------------------------------------------------------------------------------

RbEquation *rb_new_equation(RbFrontEnd *fe, const RbPlace *ctx, RbEquationKind kind, RbPos at);

// --- equality.c ----------------------------------------------------------------------------------

// The variable that an expression is, or an element of; -1 if it is something else.
int rb_variable_of(const RbExpr *e);
// The equation a = b, or several for records.
void rb_equal(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at);
// The results of the call on the right of (a, , b) = f(x), as a TUPLE; false if they are too few.
bool rb_lower_results(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, RbVal *results);
// (a, , b) = f(x)
void rb_equal_tuple(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

// --- vector_loop.c -------------------------------------------------------------------------------

// A for-equation with slices instead of single elements; false if it has to be unrolled.
bool rb_lower_vector_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

// --- condition.c ---------------------------------------------------------------------------------

// A Boolean, or a vector of them if that is allowed; `what` names the clause for messages.
RbVal rb_lower_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, const char *what,
                         bool vector);

typedef enum RbDecision {
    RB_IS_FALSE,
    RB_IS_TRUE,
    RB_IS_OPEN, // only known during the simulation
    RB_IS_WRONG // was reported
} RbDecision;

// What is known at translation about the condition of an `if`; no condition (else) is true.
RbDecision rb_decide(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                     const RbExpr **condition);
// when {a, b}: active when one of them becomes true, even if another one is true already.
const RbExpr *rb_when_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
const RbExpr *rb_when_conditions(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);

// --- effect.c ------------------------------------------------------------------------------------

typedef enum RbEffectKind {
    RB_EFFECT_CALL,      // none of the following, but the call of a function
    RB_EFFECT_NOTHING,   // wrong (reported), or assert(true, ...)
    RB_EFFECT_ASSERT,    // left: condition, right: message
    RB_EFFECT_TERMINATE, // right: message
    RB_EFFECT_REINIT,    // left: state, right: its new value
} RbEffectKind;

typedef struct RbEffect {
    RbEffectKind kind;
    const RbExpr *left, *right;
    bool is_warning; // assert
} RbEffect;

RbEffect rb_lower_effect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call);

// --- action.c ------------------------------------------------------------------------------------

// Is this a function that stands for an action of a component in C?
RbClass *rb_action_class(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call);
// The call as a step of the program of its list.
void rb_lower_action(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbClass *class);
// Behind the list: the signal of its program, if it has one.
void rb_program_close(RbFrontEnd *fe, const RbActionList *program, RbStatements *list, RbPos at);

// --- assignment.c --------------------------------------------------------------------------------

void rb_lower_assignment(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st);
