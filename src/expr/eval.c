// SPDX-License-Identifier: MIT
// eval.c: values of expressions by recursion over the tree. Conditions are lazy, everything else is
// eager.
#include "expr/eval.h"

#include "expr/builtins.h"
#include <math.h>
#include <string.h>

#include "expr/eval_array.h"
#include "expr/eval_text.h"
#include "expr/fold.h"

// Expressions nest at most this deep, functions call each other at most this deep.
enum { DEPTH_MAX = 2000 };

bool rb_eval_error(RbEnv *env, const char *why) {
    if (!env->error) env->error = why;
    return false;
}

RbExprValue rb_value_array(RbArena *arena, RbType type, int rank, const int *dims) {
    RbExprValue v = {.type = type, .rank = rank, .count = rb_size_product(rank, dims)};
    for (int i = 0; i < rank; i++) v.dims[i] = dims[i];
    if (v.count < 0) rb_heap_fail(arena->heap); // who cannot know uses rb_eval_new
    if (type == RB_STRING) {
        v.text = rb_new_array(arena, const char *, v.count + 1);
        for (int i = 0; i < v.count; i++) v.text[i] = "";
    } else {
        v.data = rb_new_array(arena, double, v.count + 1);
    }
    return v;
}

bool rb_eval_new(RbEnv *env, RbType type, int rank, const int *dims, RbExprValue *value) {
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0) return rb_eval_error(env, "the size of an array is negative");
    }
    if (rb_size_product(rank, dims) < 0)
        return rb_eval_error(env, "an array has more than " RB_SIZE_MAX_TEXT " elements");
    *value = rb_value_array(env->arena, type, rank, dims);
    return true;
}

RbExprValue rb_value_number(RbArena *arena, RbType type, double number) {
    double *data = rb_new_array(arena, double, 2); // as rb_value_array, which takes its time
    data[0] = number;
    return (RbExprValue){.type = type, .count = 1, .data = data};
}

static RbExprValue text_value(RbEnv *env, const char *text) {
    RbExprValue v = rb_value_array(env->arena, RB_STRING, 0, NULL);
    v.text[0] = text;
    return v;
}

static bool leaf(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    double number;
    if (rb_constant_value(e, &number)) {
        *value = rb_value_number(env->arena, (RbType)e->type, number);
        return true;
    }
    if (e->op == RB_OP_STRING) {
        *value = text_value(env, e->text);
        return true;
    }
    if (e->op == RB_OP_LOCAL && env->locals) {
        *value = env->locals[e->index];
        return value->data || value->text ||
               rb_eval_error(env, "a variable is used before it has a value");
    }
    return env->lookup && env->lookup(env->user, env, e, value);
}

// --- operators -----------------------------------------------------------------------------------

static bool same_shape(const RbExprValue *a, const RbExprValue *b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(int)) == 0;
}

// An operator on every element; a scalar is repeated.
static bool map2(RbEnv *env, RbOp op, RbType type, const RbExprValue *a, const RbExprValue *b,
                 RbExprValue *value) {
    if (a->rank > 0 && b->rank > 0 && !same_shape(a, b)) {
        return rb_eval_error(env, "arrays of different size are combined");
    }
    const RbExprValue *shape = a->rank > 0 ? a : b;
    *value = rb_value_array(env->arena, type, shape->rank, shape->dims);
    for (int i = 0; i < value->count; i++) {
        value->data[i] = rb_operate(op, a->data[a->rank > 0 ? i : 0], b->data[b->rank > 0 ? i : 0]);
    }
    return true;
}

static bool compare_text(RbEnv *env, RbOp op, const RbExprValue *a, const RbExprValue *b,
                         RbExprValue *value) {
    *value =
        rb_value_number(env->arena, RB_BOOLEAN, rb_operate(op, strcmp(a->text[0], b->text[0]), 0));
    return true;
}

static bool combine(RbEnv *env, const RbExpr *e, const RbExprValue *a, const RbExprValue *b,
                    RbExprValue *value) {
    if (a->text && b->text) return compare_text(env, (RbOp)e->op, a, b, value);
    if (!a->data || !b->data) return rb_eval_error(env, "a string is used as a number");
    if (e->op == RB_OP_MUL && a->rank > 0 && b->rank > 0) return rb_eval_product(env, a, b, value);
    if (e->op == RB_OP_POW && a->rank == 2) return rb_eval_matrix_power(env, a, b->data[0], value);
    return map2(env, (RbOp)e->op, (RbType)e->type, a, b, value);
}

static bool binary(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbExprValue a, b;
    return rb_eval(env, e->args[0], &a) && rb_eval(env, e->args[1], &b) &&
           combine(env, e, &a, &b, value);
}

static bool unary(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbExprValue a;
    if (!rb_eval(env, e->args[0], &a)) return false;
    if (!a.data) return rb_eval_error(env, "a string is used as a number");
    return map2(env, (RbOp)e->op, (RbType)e->type, &a, &a, value);
}

static bool logic(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbExprValue a;
    if (!rb_eval(env, e->args[0], &a)) return false;
    bool decided = a.rank == 0 && (e->op == RB_OP_AND ? a.data[0] == 0 : a.data[0] != 0);
    if (decided) {
        *value = a;
        return true;
    }
    return binary(env, e, value);
}

static bool choose(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    double condition;
    if (!rb_eval_number(env, e->args[0], &condition)) return false;
    return rb_eval(env, e->args[condition != 0 ? 1 : 2], value);
}

// --- calls ---------------------------------------------------------------------------------------

static bool map_builtin(RbEnv *env, const RbExpr *e, const RbExprValue *args, RbExprValue *value) {
    double numbers[3];
    if (e->arg_count > 3) return rb_eval_error(env, "too many arguments");
    const RbExprValue *shape = &args[0];
    for (int k = 1; k < e->arg_count; k++) {
        if (args[k].rank > shape->rank) shape = &args[k];
    }
    *value = rb_value_array(env->arena, (RbType)e->type, shape->rank, shape->dims);
    for (int i = 0; i < value->count; i++) {
        for (int k = 0; k < e->arg_count; k++) {
            if (!args[k].data) return rb_eval_error(env, "a string is used as a number");
            numbers[k] = args[k].data[args[k].rank > 0 ? i : 0];
        }
        if (!rb_call_builtin((RbBuiltin)e->index, numbers, e->arg_count, &value->data[i])) {
            return env->lookup && env->lookup(env->user, env, e, value);
        }
    }
    return true;
}

// As compiled code computes it, bit for bit.
static bool homotopy(RbEnv *env, const RbExprValue *args, RbExprValue *value) {
    double actual = *env->homotopy;
    if (!args[0].data || !args[1].data || !same_shape(&args[0], &args[1]))
        return rb_eval_error(env, "the arguments of homotopy do not fit to each other");
    *value = rb_value_array(env->arena, RB_REAL, args[0].rank, args[0].dims);
    for (int i = 0; i < value->count; i++)
        value->data[i] = actual * args[0].data[i] + (1.0 - actual) * args[1].data[i];
    return true;
}

static bool builtin_value(RbEnv *env, const RbExpr *e, const RbExprValue *args,
                          RbExprValue *value) {
    RbBuiltin f = (RbBuiltin)e->index;
    if (f == RB_FN_TO_STRING) {
        const char *text = rb_eval_string(env, args, e->arg_count);
        *value = text_value(env, text);
        return text || rb_eval_error(env, "String(...) has a format that is none; one is \".3f\"");
    }
    if (f == RB_FN_CONCAT && args[0].text && args[1].text) {
        if (strlen(args[0].text[0]) + strlen(args[1].text[0]) > RB_SIZE_MAX)
            return rb_eval_error(env, "a string has more than " RB_SIZE_MAX_TEXT " bytes");
        *value =
            text_value(env, rb_arena_printf(env->arena, "%s%s", args[0].text[0], args[1].text[0]));
        return true;
    }
    if (f == RB_FN_NO_EVENT || f == RB_FN_SMOOTH) {
        *value = args[rb_builtins[f].passes - 1];
        return true;
    }
    if (f == RB_FN_HOMOTOPY && env->homotopy && *env->homotopy != 1.0)
        return homotopy(env, args, value);
    bool array_function = rb_builtin_has(f, RB_TRAIT_ARRAY) ||
                          ((f == RB_FN_MIN || f == RB_FN_MAX) && e->arg_count == 1);
    return array_function ? rb_eval_array_builtin(env, f, args, e->arg_count, value)
                          : map_builtin(env, e, args, value);
}

static bool builtin(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbBuiltin f = (RbBuiltin)e->index;
    if (rb_builtin_has(f, RB_TRAIT_TIME))
        return env->lookup && env->lookup(env->user, env, e, value);
    bool size = f == RB_FN_SIZE && e->args[0]->op == RB_OP_VAR; // may be known without the values
    if (size && env->lookup && env->lookup(env->user, env, e, value)) return true;
    RbExprValue *args = rb_new_array(env->arena, RbExprValue, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        if (!rb_eval(env, e->args[i], &args[i])) return false;
    }
    return builtin_value(env, e, args, value);
}

static RbExprValue keep_value(RbArena *arena, const RbExprValue *v) {
    RbExprValue kept = rb_value_array(arena, v->type, v->rank, v->dims);
    for (int i = 0; v->data && i < v->count; i++) kept.data[i] = v->data[i];
    for (int i = 0; v->text && i < v->count; i++) kept.text[i] = rb_arena_text(arena, v->text[i]);
    return kept;
}

static void remember(RbCallMemory *memory, const RbExpr *call, const RbExprValue *results,
                     int count) {
    RbExprValue *kept = rb_new_array(memory->arena, RbExprValue, count + 1);
    for (int i = 0; i < count; i++) kept[i] = keep_value(memory->arena, &results[i]);
    rb_map_set(&memory->results, memory->arena, (uint64_t)call->id, rb_map_key(kept));
}

static bool call(RbEnv *env, const RbExpr *e, int result, RbExprValue *value) {
    if (!env->model) return rb_eval_error(env, "a function is called outside of a model");
    const RbFunction *f = env->model->functions.data[e->index];
    RbCallMemory *memory = env->function || f->is_impure ? NULL : env->memory;
    const uint64_t *known = memory ? rb_map_find(&memory->results, (uint64_t)e->id) : NULL;
    if (known) {
        *value = ((const RbExprValue *)(uintptr_t)*known)[result];
        return true;
    }
    RbExprValue *args = rb_new_array(env->arena, RbExprValue, e->arg_count + 1);
    RbExprValue *results = rb_new_array(env->arena, RbExprValue, f->output_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        if (!rb_eval(env, e->args[i], &args[i])) return false;
    }
    bool done = rb_eval_call(env, f, args, e->arg_count, results);
    if (done && memory) remember(memory, e, results, f->output_count);
    *value = results[result];
    return done;
}

// --- nodes ---------------------------------------------------------------------------------------

static bool node(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    switch ((RbOp)e->op) {
        case RB_OP_DER:
        case RB_OP_PRE: return env->lookup && env->lookup(env->user, env, e, value);
        case RB_OP_NEG:
        case RB_OP_NOT: return unary(env, e, value);
        case RB_OP_AND:
        case RB_OP_OR: return logic(env, e, value);
        case RB_OP_IF: return choose(env, e, value);
        case RB_OP_BUILTIN: return builtin(env, e, value);
        case RB_OP_CALL: return call(env, e, 0, value);
        case RB_OP_RESULT: return call(env, e->args[0], e->index, value);
        case RB_OP_ARRAY: return rb_eval_constructor(env, e, value);
        case RB_OP_RANGE: return rb_eval_range(env, e, value);
        case RB_OP_SUBSCRIPT: return rb_eval_subscript(env, e, value);
        case RB_OP_REDUCE: return rb_eval_reduction(env, e, value);
        default: return binary(env, e, value);
    }
}

bool rb_eval(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    if (e->op < RB_OP_DER) return leaf(env, e, value);
    if (++env->depth > DEPTH_MAX) return rb_eval_error(env, "the expression is nested too deeply");
    bool done = node(env, e, value);
    env->depth--;
    return done;
}

bool rb_eval_values(RbEnv *env, const RbExpr *e, const RbExprValue *args, RbExprValue *value) {
    switch ((RbOp)e->op) {
        case RB_OP_NEG:
        case RB_OP_NOT: return map2(env, (RbOp)e->op, (RbType)e->type, &args[0], &args[0], value);
        case RB_OP_BUILTIN: return builtin_value(env, e, args, value);
        case RB_OP_ARRAY: return rb_eval_rows(env, e, args, value);
        case RB_OP_SUBSCRIPT: return rb_eval_part(env, &args[0], args + 1, e->arg_count - 1, value);
        default: return combine(env, e, &args[0], &args[1], value);
    }
}

bool rb_eval_number(RbEnv *env, const RbExpr *e, double *number) {
    RbExprValue value;
    if (rb_constant_value(e, number)) return true;
    if (!rb_eval(env, e, &value) || value.rank > 0 || !value.data) return false;
    *number = value.data[0];
    return true;
}

// --- back to expressions -------------------------------------------------------------------------

static const RbExpr *element_expr(RbExprs *x, const RbExprValue *v, int i) {
    switch (v->type) {
        case RB_INTEGER: return rb_integer(x, (int64_t)v->data[i]);
        case RB_BOOLEAN: return rb_boolean(x, v->data[i] != 0);
        case RB_ENUM: return rb_enum(x, (int64_t)v->data[i]);
        case RB_STRING: return rb_string(x, v->text[i]);
        default: return rb_real(x, v->data[i]);
    }
}

static const RbExpr *part_expr(RbExprs *x, const RbExprValue *v, int dim, int first, int below,
                               RbArena *scratch) {
    if (dim == v->rank) return element_expr(x, v, first);
    int n = v->dims[dim];
    int size = n > 0 ? below / n : 0;
    const RbExpr **parts = rb_new_array(scratch, const RbExpr *, n + 1);
    for (int i = 0; i < n; i++)
        parts[i] = part_expr(x, v, dim + 1, first + i * size, size, scratch);
    return rb_array(x, parts, n);
}

const RbExpr *rb_value_expr(RbExprs *x, const RbExprValue *value, RbArena scratch) {
    return part_expr(x, value, 0, 0, value->count, &scratch);
}
