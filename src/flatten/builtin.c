// SPDX-License-Identifier: MIT
// Operators and functions that belong to the language (Modelica specification, 3.7 and 10.3).
#include <string.h>

#include "flatten/builtin.h"
#include "flatten/machine.h"

RbVal rb_builtin_fail(const RbBuiltinCall *c, RbPos at, const char *message) {
    rb_fail(c->fe->diag, RB_ERROR_MODEL, at, "%s", message);
    return rb_val_error();
}

RbVal rb_builtin_arg(const RbBuiltinCall *c, int i) {
    RbVal v = rb_val_single(rb_lower_expr(c->fe, c->ctx, c->args[i]));
    if (v.kind == RB_VAL_ABSENT) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at, "'%s' does not exist because %s",
                v.inst->path, rb_inst_absence(v.inst));
        return rb_val_error();
    }
    return v;
}

bool rb_builtin_typed(const RbBuiltinCall *c, int i, char kind, RbVal *v) {
    *v = rb_builtin_arg(c, i);
    return rb_builtin_check(c, i, kind, v);
}

bool rb_builtin_check(const RbBuiltinCall *c, int i, char kind, const RbVal *v) {
    if (v->kind == RB_VAL_ERROR) return false;
    bool fits = v->kind == RB_VAL_EXPR &&
                (kind == 'x' || (kind == 'r' && (v->type == RB_REAL || v->type == RB_INTEGER)) ||
                 (kind == 'i' && v->type == RB_INTEGER) || (kind == 'b' && v->type == RB_BOOLEAN) ||
                 (kind == 's' && v->type == RB_STRING));
    if (fits) return true;
    const char *wanted = kind == 'r'   ? "a number"
                         : kind == 'i' ? "Integer"
                         : kind == 'b' ? "Boolean"
                         : kind == 's' ? "String"
                                       : "a value";
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
            "argument %d of %s must be %s, but this is %s", i + 1, c->name, wanted,
            rb_val_type_name(c->fe, v));
    return false;
}

bool rb_builtin_count(const RbBuiltinCall *c, int least, int most) {
    if (c->count >= least && c->count <= most) return true;
    if (least == most) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s needs %d argument%s, but has %d",
                c->name, least, least == 1 ? "" : "s", c->count);
    } else {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s needs %d to %d arguments, but has %d",
                c->name, least, most, c->count);
    }
    return false;
}

// --- small ones ----------------------------------------------------------------------------------

static RbVal lower_cardinality(const RbBuiltinCall *c) {
    if (!rb_builtin_count(c, 1, 1)) return rb_val_error();
    RbVal v = rb_lower_component(c->fe, c->ctx, c->args[0]);
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind != RB_VAL_INST || !v.inst || !rb_class_is_connector(v.inst->class))
        return rb_builtin_fail(c, c->args[0]->at, "cardinality(...) needs a connector");
    return rb_val_scalar(rb_integer(c->fe->x, v.inst->connections), RB_AST_CONSTANT);
}

static RbVal lower_rooted(const RbBuiltinCall *c) {
    return rb_lower_connections(c->fe, c->ctx, c->e, c->name);
}

// "Vehicle.engine.controller" in MyLib.Vehicle: the model without its packages.
static RbVal lower_instance_name(const RbBuiltinCall *c) {
    const char *path = c->ctx->inst ? c->ctx->inst->path : "", *model = c->fe->flat->name;
    const char *dot = strrchr(model, '.');
    if (dot) model = dot + 1;
    const char *name = *path ? rb_arena_printf(c->fe->arena, "%s.%s", model, path) : model;
    return rb_val_scalar(rb_string(c->fe->x, name), RB_AST_CONSTANT);
}

static RbVal lower_pure(const RbBuiltinCall *c) {
    return rb_builtin_count(c, 1, 1) ? rb_builtin_arg(c, 0) : rb_val_error();
}

// --- which operator is it ------------------------------------------------------------------------

// The position of an argument that the language gives a name; -1 if there is none of this name.
static int named_position(const char *function, const char *argument) {
    static const struct {
        const char *function, *argument;
        int position;
    } named[] = {{"homotopy", "actual", 0},
                 {"homotopy", "simplified", 1},
                 {"smooth", "p", 0},
                 {"smooth", "expr", 1},
                 {"semiLinear", "x", 0},
                 {"semiLinear", "positiveSlope", 1},
                 {"semiLinear", "negativeSlope", 2},
                 {"sample", "start", 0},
                 {"sample", "interval", 1},
                 {"sample", "u", 0},
                 {"sample", "clock", 1},
                 {"Clock", "intervalCounter", 0},
                 {"Clock", "interval", 0},
                 {"Clock", "condition", 0},
                 {"Clock", "c", 0},
                 {"Clock", "resolution", 1},
                 {"Clock", "startInterval", 1},
                 {"Clock", "solverMethod", 1},
                 {"subSample", "u", 0},
                 {"subSample", "factor", 1},
                 {"superSample", "u", 0},
                 {"superSample", "factor", 1},
                 {"shiftSample", "u", 0},
                 {"shiftSample", "shiftCounter", 1},
                 {"shiftSample", "resolution", 2},
                 {"backSample", "u", 0},
                 {"backSample", "backCounter", 1},
                 {"backSample", "resolution", 2},
                 {"delay", "expr", 0},
                 {"delay", "delayTime", 1},
                 {"delay", "delayMax", 2},
                 {"spatialDistribution", "in0", 0},
                 {"spatialDistribution", "in1", 1},
                 {"spatialDistribution", "x", 2},
                 {"spatialDistribution", "positiveVelocity", 3},
                 {"spatialDistribution", "initialPoints", 4},
                 {"spatialDistribution", "initialValues", 5},
                 {"linspace", "x1", 0},
                 {"linspace", "x2", 1},
                 {"linspace", "n", 2}};
    for (size_t k = 0; k < sizeof named / sizeof named[0]; k++) {
        if (strcmp(named[k].function, function) == 0 && strcmp(named[k].argument, argument) == 0)
            return named[k].position;
    }
    return -1;
}

static bool put_argument(RbBuiltinCall *c, const RbAstExpr *arg) {
    bool is_named = arg->kind == RB_AST_NAMED;
    int at = is_named ? named_position(c->name, arg->name) : c->count;
    if (at < 0) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, arg->at, "%s(...) has no argument '%s'", c->name,
                arg->name);
        return false;
    }
    if (is_named) arg = arg->kids[0];
    c->args[at] = arg;
    if (at >= c->count) c->count = at + 1;
    return true;
}

static bool collect(RbBuiltinCall *c) {
    enum { NAMED_MAX = 8 }; // positions of named arguments
    c->args = rb_new_array(c->fe->arena, const RbAstExpr *, c->e->kid_count + NAMED_MAX);
    for (int i = 1; i < c->e->kid_count; i++) {
        if (!put_argument(c, c->e->kids[i])) return false;
    }
    for (int i = 0; i < c->count; i++) {
        if (c->args[i]) continue;
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "argument %d of %s(...) is missing", i + 1,
                c->name);
        return false;
    }
    return true;
}

static const struct {
    const char *name;
    RbLowerBuiltin *lower;
    RbBuiltin function;
} operators[] = {
    {"der", rb_builtin_der, 0},
    {"pre", rb_builtin_pre, 0},
    {"edge", rb_builtin_pre, RB_FN_EDGE},
    {"change", rb_builtin_pre, RB_FN_CHANGE},
    {"sample", rb_builtin_sample, 0},
    {"Clock", rb_builtin_clock, 0},
    {"hold", rb_builtin_clocked, 0},
    {"previous", rb_builtin_clocked, 0},
    {"subSample", rb_builtin_clocked, 0},
    {"superSample", rb_builtin_clocked, 0},
    {"shiftSample", rb_builtin_clocked, 0},
    {"backSample", rb_builtin_clocked, 0},
    {"noClock", rb_builtin_clocked, 0},
    {"interval", rb_builtin_clocked, 0},
    {"firstTick", rb_builtin_clocked, 0},
    {"activeState", rb_builtin_state, (RbBuiltin)RB_ASKED_ACTIVE},
    {"ticksInState", rb_builtin_state, (RbBuiltin)RB_ASKED_TICKS},
    {"timeInState", rb_builtin_state, (RbBuiltin)RB_ASKED_TIME},
    {"initial", rb_builtin_instant, RB_FN_INITIAL},
    {"terminal", rb_builtin_instant, RB_FN_TERMINAL},
    {"noEvent", rb_builtin_no_event, 0},
    {"smooth", rb_builtin_smooth, 0},
    {"homotopy", rb_builtin_homotopy, 0},
    {"semiLinear", rb_builtin_three, RB_FN_SEMI_LINEAR},
    {"delay", rb_builtin_three, RB_FN_DELAY},
    {"spatialDistribution", rb_builtin_transport, 0},
    {"size", rb_builtin_size, 0},
    {"ndims", rb_builtin_ndims, 0},
    {"fill", rb_builtin_fill, 0},
    {"zeros", rb_builtin_fill, 0},
    {"ones", rb_builtin_fill, 0},
    {"identity", rb_builtin_identity, 0},
    {"diagonal", rb_builtin_of_array, RB_FN_DIAGONAL},
    {"transpose", rb_builtin_of_array, RB_FN_TRANSPOSE},
    {"symmetric", rb_builtin_of_array, RB_FN_SYMMETRIC},
    {"skew", rb_builtin_of_array, RB_FN_SKEW},
    {"sum", rb_builtin_of_array, RB_FN_SUM},
    {"product", rb_builtin_of_array, RB_FN_PRODUCT},
    {"scalar", rb_builtin_of_array, RB_FN_SCALAR},
    {"vector", rb_builtin_of_array, RB_FN_VECTOR},
    {"matrix", rb_builtin_of_array, RB_FN_MATRIX},
    {"cross", rb_builtin_two_vectors, RB_FN_CROSS},
    {"outerProduct", rb_builtin_two_vectors, RB_FN_OUTER},
    {"linspace", rb_builtin_linspace, 0},
    {"cat", rb_builtin_cat, 0},
    {"min", rb_builtin_min_max, RB_FN_MIN},
    {"max", rb_builtin_min_max, RB_FN_MAX},
    {"Integer", rb_builtin_integer, 0},
    {"cardinality", lower_cardinality, 0},
    {"inStream", rb_builtin_stream, 0},
    {"actualStream", rb_builtin_stream, 0},
    {"rooted", lower_rooted, 0},
    {"array", rb_builtin_elements, 0},
    {"getInstanceName", lower_instance_name, 0},
    {"pure", lower_pure, 0},
    {"rattleback_traced_points", rb_builtin_traced_points, 0},
};

static RbLowerBuiltin *find_operator(const char *name, RbBuiltin *function) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (strcmp(operators[i].name, name) != 0) continue;
        *function = operators[i].function;
        return operators[i].lower;
    }
    return rb_is_maths(name) ? rb_builtin_maths : NULL;
}

bool rb_lower_builtin(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbName name,
                      RbVal *out) {
    if (strcmp(name, "String") == 0) {
        *out = rb_lower_string(fe, ctx, e);
        return true;
    }
    RbBuiltinCall call = {.fe = fe, .ctx = ctx, .e = e, .name = name};
    RbLowerBuiltin *lower = find_operator(name, &call.function);
    *out = rb_val_error();
    if (lower) {
        if (collect(&call)) *out = lower(&call);
        return true;
    }
    return false;
}
