// SPDX-License-Identifier: MIT
#include "expr/builtins.h"

#include <math.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// values for numbers

static double absolute(double a) {
    return a < 0 ? -a : a;
}
static double sign(double a) {
    return (a > 0) - (a < 0);
}
static double quotient(double a, double b) {
    return trunc(a / b);
}
static double modulus(double a, double b) {
    return a - floor(a / b) * b;
}
static double remains(double a, double b) {
    return a - trunc(a / b) * b;
}
static double smaller(double a, double b) {
    return b < a ? b : a;
}
static double larger(double a, double b) {
    return b > a ? b : a;
}
static double same(double a) {
    return a;
}
static double first(double a, double b) {
    (void)b;
    return a;
}
static double second(double a, double b) {
    (void)a;
    return b;
}
static double semi_linear(double a, double up, double down) {
    return a >= 0 ? up * a : down * a;
}

// -------------------------------------------------------------------------------------------------
// f'(a) of functions of one variable, given e = f(a)

static const RbExpr *number(RbExprs *x, double value) {
    return rb_real(x, value);
}

const RbExpr *rb_quiet(RbExprs *x, const RbExpr *condition) {
    return rb_builtin1(x, RB_FN_NO_EVENT, condition);
}

static const RbExpr *slope_sin(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_builtin1(x, RB_FN_COS, a);
}
static const RbExpr *slope_cos(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_neg(x, rb_builtin1(x, RB_FN_SIN, a));
}
static const RbExpr *slope_tan(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)a;
    return rb_add(x, number(x, 1.0), rb_mul(x, e, e));
}
static const RbExpr *root_of_one_less(RbExprs *x, const RbExpr *a) {
    return rb_builtin1(x, RB_FN_SQRT, rb_sub(x, number(x, 1.0), rb_mul(x, a, a)));
}
static const RbExpr *slope_asin(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_div(x, number(x, 1.0), root_of_one_less(x, a));
}
static const RbExpr *slope_acos(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_div(x, number(x, -1.0), root_of_one_less(x, a));
}
static const RbExpr *slope_atan(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_div(x, number(x, 1.0), rb_add(x, number(x, 1.0), rb_mul(x, a, a)));
}
static const RbExpr *slope_sinh(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_builtin1(x, RB_FN_COSH, a);
}
static const RbExpr *slope_cosh(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_builtin1(x, RB_FN_SINH, a);
}
static const RbExpr *slope_tanh(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)a;
    return rb_sub(x, number(x, 1.0), rb_mul(x, e, e));
}
static const RbExpr *slope_exp(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)x, (void)a;
    return e;
}
static const RbExpr *slope_log(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_div(x, number(x, 1.0), a);
}
static const RbExpr *slope_log10(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    return rb_div(x, number(x, 0.43429448190325182765), a); // 1 / log(10)
}
static const RbExpr *slope_sqrt(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)a;
    return rb_div(x, number(x, 0.5), e);
}
static const RbExpr *slope_abs(RbExprs *x, const RbExpr *a, const RbExpr *e) {
    (void)e;
    const RbExpr *negative = rb_quiet(x, rb_relate(x, RB_OP_LT, a, number(x, 0.0)));
    return rb_if(x, negative, number(x, -1.0), number(x, 1.0));
}

// -------------------------------------------------------------------------------------------------
// the table

#define EACH .type = RB_GIVES_REAL, .rank = RB_RANK_OF_FIRST
#define LIBM(f)                                                                                    \
    .arg_count = 1, EACH, .traits = RB_TRAIT_MATHS | RB_TRAIT_SMOOTH, .in_c = #f, .one = f,        \
    .slope_rule = RB_SLOPE_FACTOR
#define STEPPING .traits = RB_TRAIT_MATHS | RB_TRAIT_EVENTS | RB_TRAIT_JUMPS | RB_TRAIT_STEPS

// clang-format off
const RbBuiltinInfo rb_builtins[RB_BUILTIN_COUNT] = {
    [RB_FN_SIN] = {.name = "sin", LIBM(sin), .slope = slope_sin},
    [RB_FN_COS] = {.name = "cos", LIBM(cos), .slope = slope_cos},
    [RB_FN_TAN] = {.name = "tan", LIBM(tan), .slope = slope_tan},
    [RB_FN_ASIN] = {.name = "asin", LIBM(asin), .slope = slope_asin},
    [RB_FN_ACOS] = {.name = "acos", LIBM(acos), .slope = slope_acos},
    [RB_FN_ATAN] = {.name = "atan", LIBM(atan), .slope = slope_atan},
    [RB_FN_ATAN2] = {.name = "atan2", .arg_count = 2, EACH, .traits = RB_TRAIT_MATHS | RB_TRAIT_SMOOTH,
                     .in_c = "atan2", .two = atan2, .slope_rule = RB_SLOPE_OWN,
                     .unit = RB_UNIT_BOTH_AGREE, .units_text = "the arguments of atan2 have"},
    [RB_FN_SINH] = {.name = "sinh", LIBM(sinh), .slope = slope_sinh},
    [RB_FN_COSH] = {.name = "cosh", LIBM(cosh), .slope = slope_cosh},
    [RB_FN_TANH] = {.name = "tanh", LIBM(tanh), .slope = slope_tanh},
    [RB_FN_EXP] = {.name = "exp", LIBM(exp), .slope = slope_exp},
    [RB_FN_LOG] = {.name = "log", LIBM(log), .slope = slope_log},
    [RB_FN_LOG10] = {.name = "log10", LIBM(log10), .slope = slope_log10},
    [RB_FN_SQRT] = {.name = "sqrt", LIBM(sqrt), .slope = slope_sqrt, .unit = RB_UNIT_ROOT},

    // Numeric; abs and sign are events where they change, the six with steps where they jump.
    [RB_FN_ABS] = {.name = "abs", .arg_count = 1, .type = RB_GIVES_WIDEST, .rank = RB_RANK_OF_FIRST,
                   .traits = RB_TRAIT_MATHS | RB_TRAIT_EVENTS, .in_c = "rb_abs", .one = absolute,
                   .slope_rule = RB_SLOPE_FACTOR, .slope = slope_abs, .unit = RB_UNIT_OF_FIRST},
    [RB_FN_SIGN] = {.name = "sign", .arg_count = 1, .type = RB_GIVES_INTEGER,
                    .rank = RB_RANK_OF_FIRST,
                    .traits = RB_TRAIT_MATHS | RB_TRAIT_EVENTS | RB_TRAIT_JUMPS, .in_c = "rb_sign", .one = sign, .slope_rule = RB_SLOPE_ZERO},
    // Two scalars or one array.
    [RB_FN_MIN] = {.name = "min", .arg_count = -1, .type = RB_GIVES_WIDEST,
                   .traits = RB_TRAIT_EVENTS, .in_c = "rb_min", .two = smaller,
                   .slope_rule = RB_SLOPE_OWN, .unit = RB_UNIT_OF_BOTH, .units_text = "min or max compares"},
    [RB_FN_MAX] = {.name = "max", .arg_count = -1, .type = RB_GIVES_WIDEST,
                   .traits = RB_TRAIT_EVENTS, .in_c = "rb_max", .two = larger,
                   .slope_rule = RB_SLOPE_OWN, .unit = RB_UNIT_OF_BOTH, .units_text = "min or max compares"},
    [RB_FN_DIV] = {.name = "div", .arg_count = 2, .type = RB_GIVES_WIDEST, .rank = RB_RANK_OF_FIRST,
                   STEPPING, .in_c = "rb_div", .two = quotient, .slope_rule = RB_SLOPE_ZERO},
    [RB_FN_MOD] = {.name = "mod", .arg_count = 2, .type = RB_GIVES_WIDEST, .rank = RB_RANK_OF_FIRST,
                   STEPPING, .in_c = "rb_mod", .two = modulus, .slope_rule = RB_SLOPE_OWN},
    [RB_FN_REM] = {.name = "rem", .arg_count = 2, .type = RB_GIVES_WIDEST, .rank = RB_RANK_OF_FIRST,
                   STEPPING, .in_c = "rb_rem", .two = remains, .slope_rule = RB_SLOPE_OWN},
    [RB_FN_FLOOR] = {.name = "floor", .arg_count = 1, EACH, STEPPING, .in_c = "floor", .one = floor,
                     .slope_rule = RB_SLOPE_ZERO},
    [RB_FN_CEIL] = {.name = "ceil", .arg_count = 1, EACH, STEPPING, .in_c = "ceil", .one = ceil,
                    .slope_rule = RB_SLOPE_ZERO},
    [RB_FN_INTEGER] = {.name = "integer", .arg_count = 1, .type = RB_GIVES_INTEGER,
                       .rank = RB_RANK_OF_FIRST, STEPPING, .in_c = "floor", .one = floor,
                       .slope_rule = RB_SLOPE_ZERO},

    // Conversions. Integer: ordinal of an enumeration, or 0 and 1 of a Boolean. String: value; or value,
    // significantDigits, minimumLength, leftJustified; or value, format.
    [RB_FN_TO_REAL] = {.name = "Real", .arg_count = 1, EACH, .passes = 1, .one = same,
                       .slope_rule = RB_SLOPE_LINEAR, .unit = RB_UNIT_OF_FIRST},
    [RB_FN_TO_INTEGER] = {.name = "Integer", .arg_count = 1, .type = RB_GIVES_INTEGER,
                          .rank = RB_RANK_OF_FIRST, .passes = 1, .one = same},
    [RB_FN_TO_ENUM] = {.name = "enumeration", .arg_count = 1, .type = RB_GIVES_ENUM,
                       .rank = RB_RANK_OF_FIRST, .passes = 1, .one = same},
    [RB_FN_TO_STRING] = {.name = "String", .arg_count = -1, .type = RB_GIVES_STRING,
                         .rank = RB_RANK_OF_FIRST},
    [RB_FN_CONCAT] = {.name = "concat", .arg_count = 2, .type = RB_GIVES_STRING,
                      .rank = RB_RANK_OF_FIRST},

    // Events and time. smooth: order, expression; sample: start, interval [s], or of a clock: first tick
    // after the start of the run, interval, and what both are divided by; delay: expression, delay,
    // largest delay; homotopy: actual, simplified.
    [RB_FN_NO_EVENT] = {.name = "noEvent", .arg_count = 1, .type = RB_GIVES_FIRST,
                        .rank = RB_RANK_OF_FIRST, .passes = 1, .one = same,
                        .slope_rule = RB_SLOPE_OWN, .unit = RB_UNIT_OF_FIRST},
    [RB_FN_SMOOTH] = {.shape = RB_SHAPE_SECOND, .name = "smooth", .arg_count = 2, .type = RB_GIVES_SECOND,
                      .rank = RB_RANK_OF_SECOND, .passes = 2, .two = second,
                      .slope_rule = RB_SLOPE_OWN, .unit = RB_UNIT_OF_SECOND},
    [RB_FN_SAMPLE] = {.name = "sample", .arg_count = -1, .type = RB_GIVES_BOOLEAN,
                      .rank = RB_RANK_OF_FIRST, .traits = RB_TRAIT_TIME},
    [RB_FN_INITIAL] = {.name = "initial", .type = RB_GIVES_BOOLEAN,
                       .traits = RB_TRAIT_TIME},
    [RB_FN_TERMINAL] = {.name = "terminal", .type = RB_GIVES_BOOLEAN,
                        .traits = RB_TRAIT_TIME},
    [RB_FN_EDGE] = {.name = "edge", .arg_count = 1, .type = RB_GIVES_BOOLEAN,
                    .rank = RB_RANK_OF_FIRST, .traits = RB_TRAIT_TIME},
    [RB_FN_CHANGE] = {.name = "change", .arg_count = 1, .type = RB_GIVES_BOOLEAN,
                      .rank = RB_RANK_OF_FIRST, .traits = RB_TRAIT_TIME},
    [RB_FN_DELAY] = {.name = "delay", .arg_count = 3, EACH,
                     .traits = RB_TRAIT_TIME, .slope_rule = RB_SLOPE_OWN,
                     .unit = RB_UNIT_OF_FIRST},
    [RB_FN_TRANSPORT] = {.name = "transport", .arg_count = -1, .traits = RB_TRAIT_TIME,
                         .slope_rule = RB_SLOPE_OWN, .unit = RB_UNIT_OF_FIRST},
    [RB_FN_SEMI_LINEAR] = {.name = "semiLinear", .arg_count = 3, EACH,
                           .traits = RB_TRAIT_EVENTS, .in_c = "rb_semi",
                           .three = semi_linear, .slope_rule = RB_SLOPE_OWN},
    [RB_FN_HOMOTOPY] = {.name = "homotopy", .arg_count = 2, EACH,
                        .passes = 1, .two = first, .slope_rule = RB_SLOPE_OWN,
                        .unit = RB_UNIT_OF_BOTH, .units_text = "the arguments of homotopy have"},

    // Arrays. size: array, dimension (from 1); fill: value, n1, n2, ... (zeros and ones are fills); cat:
    // dimension (constant), arrays; solveLinear (ours): square matrix A, vector or matrix b: the x of
    // A x = b.
    [RB_FN_SIZE] = {.name = "size", .arg_count = 2, .type = RB_GIVES_INTEGER,
                    .shape = RB_SHAPE_SCALAR, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_ZERO},
    [RB_FN_FILL] = {.name = "fill", .arg_count = -1, .type = RB_GIVES_FIRST,
                    .rank = RB_RANK_OF_FILL, .shape = RB_SHAPE_FILL, .traits = RB_TRAIT_ARRAY,
                    .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_IDENTITY] = {.name = "identity", .arg_count = 1, .type = RB_GIVES_INTEGER, .rank = 2,
                        .shape = RB_SHAPE_IDENTITY, .traits = RB_TRAIT_ARRAY},
    [RB_FN_DIAGONAL] = {.name = "diagonal", .arg_count = 1, .type = RB_GIVES_FIRST, .rank = 2,
                        .shape = RB_SHAPE_DIAGONAL, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_LINSPACE] = {.name = "linspace", .arg_count = 3, .rank = 1, .shape = RB_SHAPE_LINSPACE, .traits = RB_TRAIT_ARRAY,
                        .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_TRANSPOSE] = {.name = "transpose", .arg_count = 1, .type = RB_GIVES_FIRST,
                         .rank = RB_RANK_OF_FIRST, .shape = RB_SHAPE_TRANSPOSE, .traits = RB_TRAIT_ARRAY,
                         .slope_rule = RB_SLOPE_LINEAR, .unit = RB_UNIT_OF_FIRST},
    [RB_FN_OUTER] = {.name = "outerProduct", .arg_count = 2, .type = RB_GIVES_WIDEST, .rank = 2,
                     .shape = RB_SHAPE_OUTER, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_BILINEAR},
    [RB_FN_SYMMETRIC] = {.name = "symmetric", .arg_count = 1, .type = RB_GIVES_FIRST,
                         .rank = RB_RANK_OF_FIRST, .traits = RB_TRAIT_ARRAY,
                         .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_CROSS] = {.name = "cross", .arg_count = 2, .type = RB_GIVES_WIDEST, .rank = 1,
                     .shape = RB_SHAPE_THREE, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_BILINEAR},
    [RB_FN_SKEW] = {.name = "skew", .arg_count = 1, .type = RB_GIVES_FIRST, .rank = 2,
                    .shape = RB_SHAPE_THREE, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_SUM] = {.name = "sum", .arg_count = 1, .type = RB_GIVES_WIDEST,
                   .shape = RB_SHAPE_SCALAR, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR,
                   .unit = RB_UNIT_OF_FIRST},
    [RB_FN_PRODUCT] = {.name = "product", .arg_count = 1, .type = RB_GIVES_WIDEST,
                       .shape = RB_SHAPE_SCALAR, .traits = RB_TRAIT_ARRAY},
    [RB_FN_CAT] = {.name = "cat", .arg_count = -1, .type = RB_GIVES_WIDEST_FROM_SECOND,
                   .rank = RB_RANK_OF_SECOND, .shape = RB_SHAPE_CAT, .traits = RB_TRAIT_ARRAY,
                   .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_SCALAR] = {.name = "scalar", .arg_count = 1, .type = RB_GIVES_FIRST,
                      .shape = RB_SHAPE_SCALAR, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR,
                      .unit = RB_UNIT_OF_FIRST},
    [RB_FN_VECTOR] = {.name = "vector", .arg_count = 1, .type = RB_GIVES_FIRST, .rank = 1,
                      .shape = RB_SHAPE_VECTOR, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR,
                      .unit = RB_UNIT_OF_FIRST},
    [RB_FN_MATRIX] = {.name = "matrix", .arg_count = 1, .type = RB_GIVES_FIRST, .rank = 2,
                      .shape = RB_SHAPE_MATRIX, .traits = RB_TRAIT_ARRAY, .slope_rule = RB_SLOPE_LINEAR},
    [RB_FN_SOLVE] = {.name = "solveLinear", .arg_count = 2, .rank = RB_RANK_OF_SECOND,
                     .shape = RB_SHAPE_SECOND, .traits = RB_TRAIT_ARRAY},
};
// clang-format on

const char *rb_builtin_name(RbBuiltin f) {
    return rb_builtins[f].name;
}

int rb_builtin_find(const char *name) {
    for (int i = 0; i < RB_BUILTIN_COUNT; i++) {
        if (strcmp(rb_builtins[i].name, name) == 0) return i;
    }
    return -1;
}

static RbType widest(const RbExpr *const *args, int count) {
    RbType type = (RbType)args[0]->type;
    for (int i = 1; i < count; i++) {
        if (args[i]->type == RB_REAL) type = RB_REAL;
    }
    return type;
}

RbType rb_builtin_type(RbBuiltin f, const RbExpr *const *args, int count) {
    switch (rb_builtins[f].type) {
        case RB_GIVES_REAL: return RB_REAL;
        case RB_GIVES_INTEGER: return RB_INTEGER;
        case RB_GIVES_BOOLEAN: return RB_BOOLEAN;
        case RB_GIVES_STRING: return RB_STRING;
        case RB_GIVES_ENUM: return RB_ENUM;
        case RB_GIVES_FIRST: return (RbType)args[0]->type;
        case RB_GIVES_SECOND: return (RbType)args[1]->type;
        case RB_GIVES_WIDEST: return widest(args, count);
        case RB_GIVES_WIDEST_FROM_SECOND: return widest(args + 1, count - 1);
    }
    return RB_REAL;
}

int rb_builtin_rank(RbBuiltin f, const RbExpr *const *args, int count) {
    switch (rb_builtins[f].rank) {
        case RB_RANK_OF_FIRST: return args[0]->rank;
        case RB_RANK_OF_SECOND: return args[1]->rank;
        case RB_RANK_OF_FILL: return count - 1;
        default: return rb_builtins[f].rank;
    }
}

// -------------------------------------------------------------------------------------------------
// sizes

static int product(const int *dims, int rank) {
    int count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    return count;
}

static int elements(const RbShapeAsk *ask, const RbExpr *e) {
    int dims[RB_RANK_MAX] = {0};
    ask->sizes(ask->user, e, dims);
    return product(dims, e->rank);
}

static void complain(const RbShapeAsk *ask) {
    if (ask->misfit) ask->misfit(ask->user);
}

// Those of the arrays from argument `from` on; along dimension `along` (from 0; -1: none) they add up.
static void common_sizes(const RbExpr *e, const RbShapeAsk *ask, int from, int along, int *dims) {
    bool any = false;
    for (int i = from; i < e->arg_count; i++) {
        int own[RB_RANK_MAX] = {0};
        if (e->args[i]->rank == 0) continue; // a scalar goes with any size
        ask->sizes(ask->user, e->args[i], own);
        for (int d = 0; d < e->args[i]->rank; d++) {
            if (any && d != along && own[d] != dims[d]) complain(ask);
            dims[d] = d == along && any ? dims[d] + own[d] : own[d];
        }
        any = true;
    }
}

static void solved_sizes(const RbExpr *e, const RbShapeAsk *ask, int *dims) {
    int own[RB_RANK_MAX] = {0};
    ask->sizes(ask->user, e->args[1], dims);
    if (e->args[0]->rank != 2) return; // smooth(order, expression)
    ask->sizes(ask->user, e->args[0], own);
    if (own[0] != own[1] || own[0] != dims[0]) complain(ask);
}

// Between vectors and matrices: as many elements as before.
static void other_sizes(const RbExpr *e, const RbShapeAsk *ask, RbBuiltinShape rule, int *dims) {
    const RbExpr *a = e->args[0];
    int own[RB_RANK_MAX] = {0};
    ask->sizes(ask->user, a, own);
    int count = product(own, a->rank);
    switch (rule) {
        case RB_SHAPE_DIAGONAL: dims[0] = dims[1] = count; break;
        case RB_SHAPE_VECTOR: dims[0] = count; break;
        case RB_SHAPE_TRANSPOSE: dims[0] = own[1], dims[1] = own[0]; break;
        case RB_SHAPE_OUTER: dims[0] = count, dims[1] = elements(ask, e->args[1]); break;
        case RB_SHAPE_MATRIX:
            dims[0] = a->rank > 0 ? own[0] : 1;
            dims[1] = dims[0] > 0 ? count / dims[0] : 0;
            break;
        default: break; // a number; its argument may not fit inside
    }
}

void rb_builtin_shape(const RbExpr *e, const RbShapeAsk *ask, int dims[RB_RANK_MAX]) {
    RbBuiltinShape rule = rb_builtins[e->index].shape;
    switch (rule) {
        case RB_SHAPE_EACH: common_sizes(e, ask, 0, -1, dims); break;
        case RB_SHAPE_SECOND: solved_sizes(e, ask, dims); break;
        case RB_SHAPE_FILL:
            for (int i = 1; i < e->arg_count; i++) dims[i - 1] = ask->number(ask->user, e->args[i]);
            break;
        case RB_SHAPE_IDENTITY: dims[0] = dims[1] = ask->number(ask->user, e->args[0]); break;
        case RB_SHAPE_LINSPACE: dims[0] = ask->number(ask->user, e->args[2]); break;
        case RB_SHAPE_THREE:
            for (int d = 0; d < e->rank; d++) dims[d] = 3;
            break;
        case RB_SHAPE_CAT:
            common_sizes(e, ask, 1, ask->number(ask->user, e->args[0]) - 1, dims);
            break;
        default: other_sizes(e, ask, rule, dims);
    }
}

bool rb_call_builtin(RbBuiltin f, const double *args, int count, double *value) {
    const RbBuiltinInfo *b = &rb_builtins[f];
    if (b->one && count == 1)
        *value = b->one(args[0]);
    else if (b->two && count == 2)
        *value = b->two(args[0], args[1]);
    else if (b->three && count == 3)
        *value = b->three(args[0], args[1], args[2]);
    else
        return false;
    return true;
}
