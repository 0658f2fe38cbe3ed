// SPDX-License-Identifier: MIT
// expr.h: expressions as a hash-consed DAG. Equal expressions are the same node, so equality is ==,
// and a common subexpression exists once. Knows algebra, arrays and events, but no Modelica syntax.
//
//     RbExprs *x = rb_exprs(arena);
//     const RbExpr *e = rb_add(x, rb_var(x, 3, RB_REAL, 0), rb_real(x, 1.0));     // v3 + 1
//
// Nodes live in the arena of their pool and never change. A node has a larger id than its
// arguments, so ids order any set of nodes bottom-up: passes are loops over rb_expr_order, never
// deep recursion.
//
// The constructors simplify, by rules that hold exactly in floating-point arithmetic for finite
// values (constant folding with the same operation the program would execute, x + 0, 1 * x, --x, if
// true ...). Sums are not reordered: same text, same bits. Integer constants in a Real position may
// be given as integers; arithmetic of an Integer and a Real is Real.
//
// Long sums (flow sums of a node with thousands of connections) are built balanced, with rb_sum.
#pragma once

#include <stdbool.h>

#include "base/map.h"
#include "base/text.h"

// ORDER type names in print.c
typedef enum RbType {
    RB_REAL,
    RB_INTEGER,
    RB_BOOLEAN,
    RB_STRING,
    RB_ENUM,     // values are 1-based ordinals; the enumeration itself is known to the FlatModel
    RB_EXTERNAL, // an external object: an opaque pointer that only functions touch
    RB_CLOCK,    // only while a model is flattened: clocks become ticks (flatten/clock.h)
} RbType;

// ORDER op names in print.c
typedef enum RbOp {
    // leaves
    RB_OP_REAL,    // .real
    RB_OP_INTEGER, // .integer; also enumeration values (type RB_ENUM)
    RB_OP_BOOLEAN, // .integer 0 or 1
    RB_OP_STRING,  // .text
    RB_OP_VAR,     // .index into RbFlatModel.vars
    RB_OP_LOCAL,   // .index into RbFunction.vars, only inside that function; or an iterator
    RB_OP_TIME,
    RB_OP_ALL, // the subscript ':'
    // of a variable or an expression
    RB_OP_DER, // time derivative of args[0]
    RB_OP_PRE, // left limit of args[0] at an event; a discrete variable or its element
    // arithmetic; + and - of arrays are elementwise, * is the product of linear algebra (scalar,
    // dot, matrix)
    RB_OP_NEG,
    RB_OP_ADD,
    RB_OP_SUB,
    RB_OP_MUL,
    RB_OP_DIV, // the divisor is a scalar
    RB_OP_POW, // scalar ^ scalar; square matrix ^ integer
    // elementwise, with scalars repeated: .+ .- .* ./ .^ of Modelica where they differ from the
    // above
    RB_OP_EMUL,
    RB_OP_EDIV,
    RB_OP_EPOW,
    // relations of scalars; outside noEvent each is an event indicator if its arguments are Real
    // and vary with time
    RB_OP_LT,
    RB_OP_LE,
    RB_OP_GT,
    RB_OP_GE,
    RB_OP_EQ, // also of Boolean, String, enumeration
    RB_OP_NE,
    // logic
    RB_OP_NOT,
    RB_OP_AND,
    RB_OP_OR,
    RB_OP_IF, // args: condition, then, else
    // calls
    RB_OP_BUILTIN, // .index is an RbBuiltin
    RB_OP_CALL,    // .index into RbFlatModel.functions; its value is the first result
    RB_OP_RESULT,  // .index-th result (from 0) of the call in args[0]; result 0 is the call itself
    // arrays
    RB_OP_ARRAY,     // constructor {a, b, c}: one more dimension than its arguments
    RB_OP_RANGE,     // args: first, step, last
    RB_OP_SUBSCRIPT, // args: array, then per dimension a scalar (1-based), a vector of indices, or
                     // RB_OP_ALL
    RB_OP_REDUCE, // .index is an RbReduction; args: body, then pairs of iterator (RB_OP_LOCAL) and
                  // range (vector)
} RbOp;

// The builtin functions; all that is known about each is in builtins.c.
typedef enum RbBuiltin {
    RB_FN_SIN,
    RB_FN_COS,
    RB_FN_TAN,
    RB_FN_ASIN,
    RB_FN_ACOS,
    RB_FN_ATAN,
    RB_FN_ATAN2,
    RB_FN_SINH,
    RB_FN_COSH,
    RB_FN_TANH,
    RB_FN_EXP,
    RB_FN_LOG,
    RB_FN_LOG10,
    RB_FN_SQRT,
    RB_FN_ABS,
    RB_FN_SIGN,
    RB_FN_MIN,
    RB_FN_MAX,
    RB_FN_DIV,
    RB_FN_MOD,
    RB_FN_REM,
    RB_FN_FLOOR,
    RB_FN_CEIL,
    RB_FN_INTEGER,
    RB_FN_TO_REAL,
    RB_FN_TO_INTEGER,
    RB_FN_TO_ENUM,
    RB_FN_TO_STRING,
    RB_FN_CONCAT,
    RB_FN_NO_EVENT,
    RB_FN_SMOOTH,
    RB_FN_SAMPLE,
    RB_FN_INITIAL,
    RB_FN_TERMINAL,
    RB_FN_EDGE,
    RB_FN_CHANGE,
    RB_FN_DELAY,
    RB_FN_TRANSPORT, // of spatialDistribution: (in0, in1, x, side 0 or 1, points..., values...)
    RB_FN_SEMI_LINEAR,
    RB_FN_HOMOTOPY,
    RB_FN_SIZE,
    RB_FN_FILL,
    RB_FN_IDENTITY,
    RB_FN_DIAGONAL,
    RB_FN_LINSPACE,
    RB_FN_TRANSPOSE,
    RB_FN_OUTER,
    RB_FN_SYMMETRIC,
    RB_FN_CROSS,
    RB_FN_SKEW,
    RB_FN_SUM,
    RB_FN_PRODUCT,
    RB_FN_CAT,
    RB_FN_SCALAR,
    RB_FN_VECTOR,
    RB_FN_MATRIX,
    RB_FN_SOLVE,
    RB_BUILTIN_COUNT,
} RbBuiltin;

// ORDER reduction names in print.c
typedef enum RbReduction {
    RB_REDUCE_ARRAY, // {body for i in I, j in J} = {{body for i in I} for j in J}
    RB_REDUCE_SUM,
    RB_REDUCE_PRODUCT,
    RB_REDUCE_MIN,
    RB_REDUCE_MAX,
} RbReduction;

#define RB_RANK_MAX 4 // dimensions of an array

typedef struct RbExpr RbExpr;
struct RbExpr {
    unsigned char op;   // RbOp
    unsigned char type; // RbType of the (elements of the) value
    unsigned char rank; // number of dimensions of the value; 0: scalar
    unsigned char flags;
    int id; // from 1, larger than those of the arguments
    int arg_count;
    int index; // variable, builtin, function, result
    union {
        double real;
        int64_t integer;
        const char *text;
    };
    const RbExpr *args[];
};

// A place of the hash table: the node with this id has this hash. 0: free.
typedef struct RbExprSlot {
    uint32_t hash;
    int id;
} RbExprSlot;

// Of a node: its position in the latest rb_expr_order, if the stamp is the present one.
typedef struct RbExprMark {
    int stamp, position;
} RbExprMark;

typedef struct RbExprFrame {
    const RbExpr *e;
    int next; // argument to visit
} RbExprFrame;

// A pool of expressions.
typedef struct RbExprs {
    RbArena *arena;
    RbExprSlot *slots;             // hash table
    int slot_count;                // a power of two
    int count;                     // nodes; the last id
    const RbExpr **nodes;          // by id
    RbExprMark *marks;             // by id
    RB_ARRAY(const RbExpr *) vars; // by index of the variable: its node, or NULL
    int node_capacity;
    int stamp;
    // Room for a walk while it runs (walk.c); kept, so that walks need not allocate.
    RB_ARRAY(RbExprFrame) stack;
    RB_ARRAY(const RbExpr *) found;
    RB_ARRAY(int) found_vars;
} RbExprs;

RbExprs *rb_exprs(RbArena *arena);

// --- leaves --------------------------------------------------------------------------------------

const RbExpr *rb_real(RbExprs *x, double value);
const RbExpr *rb_integer(RbExprs *x, int64_t value);
const RbExpr *rb_boolean(RbExprs *x, bool value);
const RbExpr *rb_string(RbExprs *x, const char *text); // copies the text
const RbExpr *rb_enum(RbExprs *x, int64_t ordinal);
const RbExpr *rb_var(RbExprs *x, int index, RbType type, int rank); // see rb_flat_ref
const RbExpr *rb_local(RbExprs *x, int index, RbType type, int rank);
const RbExpr *rb_time(RbExprs *x);
const RbExpr *rb_all(RbExprs *x);

// --- operations ----------------------------------------------------------------------------------

const RbExpr *rb_der(RbExprs *x, const RbExpr *a);
const RbExpr *rb_pre(RbExprs *x, const RbExpr *a);
const RbExpr *rb_neg(RbExprs *x, const RbExpr *a);
const RbExpr *rb_add(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_sub(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_mul(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_div(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_pow(RbExprs *x, const RbExpr *a, const RbExpr *b);

// Any operator with arguments (RB_OP_NEG ... RB_OP_IF); the functions above are short for it.
const RbExpr *rb_apply(RbExprs *x, RbOp op, const RbExpr *const *args, int count);
const RbExpr *rb_relate(RbExprs *x, RbOp op, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_not(RbExprs *x, const RbExpr *a);
const RbExpr *rb_and(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_or(RbExprs *x, const RbExpr *a, const RbExpr *b);
const RbExpr *rb_if(RbExprs *x, const RbExpr *condition, const RbExpr *yes, const RbExpr *no);

// Sum as a balanced tree, whose depth is logarithmic; 0 for no terms.
const RbExpr *rb_sum(RbExprs *x, const RbExpr *const *terms, int count);

// Builtin functions; type and rank of the result follow from the arguments.
const RbExpr *rb_builtin(RbExprs *x, RbBuiltin function, const RbExpr *const *args, int count);
const RbExpr *rb_builtin1(RbExprs *x, RbBuiltin function, const RbExpr *a);
const RbExpr *rb_builtin2(RbExprs *x, RbBuiltin function, const RbExpr *a, const RbExpr *b);

// Call of function number `function` of the FlatModel; type and rank are those of its first result.
const RbExpr *rb_call_function(RbExprs *x, int function, RbType type, int rank,
                               const RbExpr *const *args, int count);
// The k-th result (from 0). Each result is an expression of its own: (a, b) = f(u) is handed over
// as the two equations a = result 0 and b = result 1 of the same call.
const RbExpr *rb_result(RbExprs *x, const RbExpr *call, int k, RbType type, int rank);

const RbExpr *rb_array(RbExprs *x, const RbExpr *const *elements, int count);
const RbExpr *rb_range(RbExprs *x, const RbExpr *first, const RbExpr *step, const RbExpr *last);
const RbExpr *rb_subscript(RbExprs *x, const RbExpr *array, const RbExpr *const *subscripts,
                           int count);
const RbExpr *rb_reduce(RbExprs *x, RbReduction kind, const RbExpr *body,
                        const RbExpr *const *iterators, const RbExpr *const *ranges, int count);

// The same operation as `like`, on other arguments.
const RbExpr *rb_rebuild(RbExprs *x, const RbExpr *like, const RbExpr *const *args);

// --- questions -----------------------------------------------------------------------------------

static inline bool rb_is_constant(const RbExpr *e) {
    return e->op <= RB_OP_STRING;
}
bool rb_is_elementwise(const RbExpr *e);          // an operator between elements in the same place
bool rb_is_number(const RbExpr *e, double value); // a Real or Integer constant of this value
// Value of a Real, Integer, Boolean or enumeration constant.
bool rb_constant_value(const RbExpr *e, double *value);


// All nodes below the roots, each once, arguments first. The result lives in *arena.
// Until the next call, rb_expr_position answers the position of a node in it.
typedef struct RbExprOrder {
    const RbExpr **nodes;
    int count;
} RbExprOrder;
RbExprOrder rb_expr_order(RbExprs *x, const RbExpr *const *roots, int root_count, RbArena *arena);
static inline int rb_expr_position(const RbExprs *x, const RbExpr *e) {
    return x->marks[e->id].position;
}

// Indices of the variables (RB_OP_VAR) that the value of e depends on, ascending, each once: not
// those inside of pre(...) and size(...).
typedef struct RbIndices {
    int *data;
    int count;
} RbIndices;
RbIndices rb_expr_vars(RbExprs *x, const RbExpr *e, RbArena *arena);

// The same for several expressions together, of which some may be NULL.
RbIndices rb_exprs_vars(RbExprs *x, const RbExpr *const *roots, int count, RbArena *arena);

// Set used[v] for all of them.
void rb_mark_vars(RbExprs *x, const RbExpr *const *roots, int count, unsigned char *used);

// Does variable v occur anywhere in e, also inside of pre(...) and size(...)?
bool rb_expr_has_var(RbExprs *x, const RbExpr *e, int v);
