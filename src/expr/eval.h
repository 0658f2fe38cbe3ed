// SPDX-License-Identifier: MIT
// eval.h: the plain interpreter: the value of an expression, with arrays, strings and calls of
// functions written as algorithms. Serves constant and parameter evaluation, and is the oracle that
// compiled code is compared with.
#pragma once

#include "base/size.h"
#include "expr/flat_model.h"

// A value: `count` elements row by row. Numbers, Booleans (0, 1) and enumerations (ordinals) are in
// data, strings in text.
typedef struct RbExprValue {
    RbType type;
    int rank;
    int dims[RB_RANK_MAX];
    int count;
    double *data;
    const char **text;
} RbExprValue;

// Results of calls, for who evaluates many expressions with the same values of all variables: a
// function with a record of sixty parameters as result is called once, not sixty times.
typedef struct RbCallMemory {
    RbArena *arena;
    RbMap results; // call (expression id) -> RbExprValue *, one for each output
} RbCallMemory;

typedef struct RbEnv RbEnv;
struct RbEnv {
    const RbFlatModel *model; // for functions; may be NULL
    RbArena *arena;           // values live here
    // The value of a leaf that is not a constant: RB_OP_VAR, RB_OP_TIME, RB_OP_DER, RB_OP_PRE and
    // the event operators (sample, initial, terminal, delay); also size() of a RB_OP_VAR, which
    // otherwise follows from its value. NULL, or answering false, means: not
    // known. An expression that needs it has no value.
    bool (*lookup)(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value);
    // A function that is not an algorithm; results are filled in. May be NULL.
    bool (*call)(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                 RbExprValue *results);
    void *user;
    const double *homotopy; // 1: homotopy(actual, simplified) is the first, 0: the second; NULL: 1
    RbCallMemory *memory;   // of calls outside of functions; may be NULL
    // What went wrong, when rb_eval answers false; NULL if only a value was not known.
    const char *error;
    RbPos error_at;    // in the text of the model, where it is known (file not NULL)
    bool is_assertion; // the error is an assertion that does not hold
    // inside a function:
    const RbFunction *function;
    RbExprValue *locals;
    struct RbEvalLoop *loop; // the innermost loop that is running
    long steps;              // statements and iterations so far; a limit stops endless loops
    long steps_max;          // 0: the largest possible
    int depth;
};

bool rb_eval(RbEnv *env, const RbExpr *e, RbExprValue *value);

// The operation of e on values of its arguments, for operators, builtin functions, array
// constructors and subscripts (a subscript without data is ':').
bool rb_eval_values(RbEnv *env, const RbExpr *e, const RbExprValue *args, RbExprValue *value);

// A scalar number; false if e has no value or is no scalar number.
bool rb_eval_number(RbEnv *env, const RbExpr *e, double *number);

// Call a function with an algorithm. `results` has room for its outputs.
bool rb_eval_function(RbEnv *env, const RbFunction *f, const RbExprValue *args, int arg_count,
                      RbExprValue *results);

// Elements := value; both have numbers, or both have strings. Subscripts as above.
bool rb_eval_store(RbEnv *env, RbExprValue *array, const RbExprValue *subscripts, int count,
                   const RbExprValue *value);

// Call a function of any kind: an algorithm is interpreted, a function of strings that every
// Modelica library has in C is executed here, everything else goes through env->call.
bool rb_eval_call(RbEnv *env, const RbFunction *f, const RbExprValue *args, int arg_count,
                  RbExprValue *results);

// The call of an external function as its C code sees it. Arguments and result share their memory
// with the locals, so what is written there through an argument is in the locals afterwards.
typedef struct RbExternalCall {
    const RbFunction *function;
    RbExprValue *locals; // inputs, outputs and others; outputs exist, filled with zeros
    RbExprValue *args;   // of the external clause
    int arg_count;
    RbExprValue *result; // among the locals; NULL: none
} RbExternalCall;

bool rb_external_open(RbEnv *env, const RbFunction *f, const RbExprValue *inputs,
                      RbExternalCall *call);
void rb_external_close(const RbExternalCall *call, RbExprValue *results);

// Values.
RbExprValue rb_value_number(RbArena *arena, RbType type, double number);
RbExprValue rb_value_array(RbArena *arena, RbType type, int rank, const int *dims); // zeros
// The same for sizes that nobody has checked: false, with a reason, if such an array cannot be.
bool rb_eval_new(RbEnv *env, RbType type, int rank, const int *dims, RbExprValue *value);

// The value as an expression of constants.
const RbExpr *rb_value_expr(RbExprs *x, const RbExprValue *value, RbArena scratch);
