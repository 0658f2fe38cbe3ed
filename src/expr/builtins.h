// SPDX-License-Identifier: MIT
// builtins.h: all that is known about each builtin function, in one table (builtins.c): its name, the type,
// rank, shape and unit of its value, how it is evaluated for numbers, its derivative, its name in C. Those
// who take expressions apart ask here; only what has a form of its own (homotopy, delay, cat, ...) is
// written where it is needed.
#pragma once

#include "expr/expr.h"

// Type of the value.
typedef enum RbBuiltinType {
    RB_GIVES_REAL,
    RB_GIVES_INTEGER,
    RB_GIVES_BOOLEAN,
    RB_GIVES_STRING,
    RB_GIVES_ENUM,
    RB_GIVES_FIRST,  // that of the first argument
    RB_GIVES_SECOND, // of the second
    RB_GIVES_WIDEST, // Real if one of the arguments is
    RB_GIVES_WIDEST_FROM_SECOND,
} RbBuiltinType;

// Number of dimensions of the value, if it is not simply 0, 1 or 2.
enum { RB_RANK_OF_FIRST = -1, RB_RANK_OF_SECOND = -2, RB_RANK_OF_FILL = -3 };

// Sizes of the value.
typedef enum RbBuiltinShape {
    RB_SHAPE_EACH,      // those of the arrays among the arguments, which agree
    RB_SHAPE_SCALAR,    // a number
    RB_SHAPE_SECOND,    // those of the second argument
    RB_SHAPE_FILL,      // the arguments from the second on
    RB_SHAPE_IDENTITY,  // n by n, n the argument
    RB_SHAPE_DIAGONAL,  // n by n, n elements in the argument
    RB_SHAPE_LINSPACE,  // the third argument
    RB_SHAPE_TRANSPOSE, // those of the argument, exchanged
    RB_SHAPE_OUTER,     // elements of the first by elements of the second
    RB_SHAPE_THREE,     // 3 in every dimension
    RB_SHAPE_VECTOR,    // as many as the argument has
    RB_SHAPE_MATRIX,    // the first size, and what is left
    RB_SHAPE_CAT,       // those of the arrays, added along the dimension
} RbBuiltinShape;

// How the derivative comes about; `slope` is f'(a) of a function of one variable.
typedef enum RbBuiltinSlope {
    RB_SLOPE_NONE,     // it has none
    RB_SLOPE_FACTOR,   // slope times the derivative of the argument
    RB_SLOPE_ZERO,     // constant between events
    RB_SLOPE_LINEAR,   // the same function of the derivatives
    RB_SLOPE_BILINEAR, // f(a', b) + f(a, b')
    RB_SLOPE_OWN,      // a form of its own (diff.c)
} RbBuiltinSlope;

// Unit of the value.
typedef enum RbBuiltinUnit {
    RB_UNIT_ANY, // nothing is said
    RB_UNIT_OF_FIRST,
    RB_UNIT_OF_SECOND,
    RB_UNIT_OF_BOTH, // which must agree
    RB_UNIT_ROOT,
    RB_UNIT_BOTH_AGREE, // but nothing is said about the value
} RbBuiltinUnit;

enum {
    RB_TRAIT_MATHS = 1,  // a function of numbers, applied to every element of an array
    RB_TRAIT_SMOOTH = 2, // of libm: Real and smooth inside its domain
    RB_TRAIT_EVENTS = 4, // an event where its value, or its slope, changes by a jump
    RB_TRAIT_JUMPS = 8,  // its value does
    RB_TRAIT_STEPS = 16, // where a quotient or its argument passes a whole number
    RB_TRAIT_TIME = 32,  // tells of time and events: it is no function of its arguments alone
    RB_TRAIT_ARRAY = 64, // of whole arrays
};

typedef struct RbBuiltinInfo {
    const char *name;
    int arg_count; // -1: any
    RbBuiltinType type;
    int rank;
    RbBuiltinShape shape;
    unsigned traits;
    int passes;       // hands on argument number 1 or 2 unchanged; 0: it does not
    const char *in_c; // function of generated code; NULL: it has a form of its own there
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    RbBuiltinSlope slope_rule;
    const RbExpr *(*slope)(RbExprs *x, const RbExpr *a, const RbExpr *e); // of e = f(a)
    RbBuiltinUnit unit;
    const char *units_text; // what must agree, for a message; NULL: nothing must
} RbBuiltinInfo;

extern const RbBuiltinInfo rb_builtins[RB_BUILTIN_COUNT];

static inline bool rb_builtin_has(RbBuiltin f, unsigned trait) {
    return (rb_builtins[f].traits & trait) != 0;
}

// Is the expression a call of a builtin function with the trait?
static inline bool rb_is_builtin(const RbExpr *e, unsigned trait) {
    return e->op == RB_OP_BUILTIN && rb_builtin_has((RbBuiltin)e->index, trait);
}

const char *rb_builtin_name(RbBuiltin f);
int rb_builtin_find(const char *name); // -1: there is none

RbType rb_builtin_type(RbBuiltin f, const RbExpr *const *args, int count);
int rb_builtin_rank(RbBuiltin f, const RbExpr *const *args, int count);

// Sizes of a call, from those who know the sizes of arguments and the values of those that are sizes.
typedef struct RbShapeAsk {
    void (*sizes)(void *user, const RbExpr *e, int dims[RB_RANK_MAX]);
    int (*number)(void *user, const RbExpr *e);
    void (*misfit)(void *user); // sizes that do not fit together; NULL: nobody minds
    void *user;
} RbShapeAsk;
void rb_builtin_shape(const RbExpr *e, const RbShapeAsk *ask, int dims[RB_RANK_MAX]);

// Value for numbers; false if it has none (strings, arrays, events).
bool rb_call_builtin(RbBuiltin f, const double *args, int count, double *value);

// Condition without events.
const RbExpr *rb_quiet(RbExprs *x, const RbExpr *condition);
