// SPDX-License-Identifier: MIT
// eval_function.c: the interpreter of functions: statements, loops, several results.
#include <string.h>

#include "expr/eval_array.h"
#include "expr/eval_text.h"

// A function that takes longer is reported instead of hanging the translator.
#define STEPS_MAX 20000000L
enum { CALLS_MAX = 200 };

typedef enum Flow { GO_ON, BREAK, RETURN, FAILED } Flow;

static Flow run(RbEnv *env, const RbStatements *list);

static bool too_many_steps(RbEnv *env) {
    return ++env->steps > (env->steps_max > 0 ? env->steps_max : STEPS_MAX);
}

// A loop that is running: what a round needs is given back at its end, down to the mark.
typedef struct RbEvalLoop {
    RbArena mark;
    struct RbEvalLoop *outer;
} RbEvalLoop;

static bool has_room(const RbExprValue *local, RbType type, const RbExprValue *value) {
    return local->data && local->type == type && local->rank == value->rank &&
           local->count == value->count &&
           memcmp(local->dims, value->dims, (size_t)value->rank * sizeof(int)) == 0;
}

// What was made in this round of the loops that run must stay.
static void keep_round(RbEnv *env) {
    for (RbEvalLoop *l = env->loop; l; l = l->outer) l->mark = *env->arena;
}

// Variable := value, which is copied: arrays have value semantics.
static bool set_local(RbEnv *env, int local, RbType type, const RbExprValue *value) {
    RbExprValue *own = &env->locals[local];
    bool is_input = local < env->function->input_count; // shares its memory with the caller
    bool fits = !is_input && has_room(own, type, value);
    RbExprValue copy = fits ? *own : rb_value_array(env->arena, type, value->rank, value->dims);
    if (copy.text && value->text)
        memcpy(copy.text, value->text, (size_t)value->count * sizeof *copy.text);
    else if (copy.data && value->data)
        memmove(copy.data, value->data, (size_t)value->count * sizeof *copy.data);
    else
        return rb_eval_error(env, "a value of the wrong type is assigned");
    *own = copy;
    if (!fits) keep_round(env);
    return true;
}

static bool assign(RbEnv *env, const RbExpr *target, const RbExprValue *value) {
    if (target->op == RB_OP_LOCAL)
        return set_local(env, target->index, (RbType)target->type, value);
    if (target->op != RB_OP_SUBSCRIPT || target->args[0]->op != RB_OP_LOCAL) {
        return rb_eval_error(env, "only variables of the function can be assigned");
    }
    RbExprValue *array = &env->locals[target->args[0]->index];
    int count = target->arg_count - 1;
    if (!array->data && !array->text)
        return rb_eval_error(env, "an element of an array of unknown size is assigned");
    if (!(array->text ? value->text != NULL : value->data != NULL))
        return rb_eval_error(env, "a value of the wrong type is assigned");
    RbExprValue *indices = rb_new_array(env->arena, RbExprValue, count + 1);
    if (!rb_eval_indices(env, target->args + 1, count, indices) ||
        !rb_eval_store(env, array, indices, count, value))
        return false;
    if (array->text) keep_round(env); // elements are pointers to texts
    return true;
}

static Flow assign_statement(RbEnv *env, const RbStatement *s) {
    RbExprValue value;
    return rb_eval(env, s->value, &value) && assign(env, s->target, &value) ? GO_ON : FAILED;
}

static Flow call_statement(RbEnv *env, const RbStatement *s) {
    const RbExpr *call = s->value;
    if (call->op != RB_OP_CALL || !env->model) {
        RbExprValue ignored;
        return rb_eval(env, call, &ignored) ? GO_ON : FAILED;
    }
    const RbFunction *f = env->model->functions.data[call->index];
    RbExprValue *args = rb_new_array(env->arena, RbExprValue, call->arg_count + 1);
    RbExprValue *results = rb_new_array(env->arena, RbExprValue, f->output_count + 1);
    for (int i = 0; i < call->arg_count; i++) {
        if (!rb_eval(env, call->args[i], &args[i])) return FAILED;
    }
    bool done = rb_eval_call(env, f, args, call->arg_count, results);
    for (int i = 0; done && i < s->targets.count && i < f->output_count; i++) {
        if (s->targets.data[i]) done = assign(env, s->targets.data[i], &results[i]);
    }
    return done ? GO_ON : FAILED;
}

static Flow if_statement(RbEnv *env, const RbStatement *s) {
    for (int i = 0; i < s->branches.count; i++) {
        const RbStatementBranch *b = &s->branches.data[i];
        double yes = 1;
        if (b->condition && !rb_eval_number(env, b->condition, &yes)) return FAILED;
        if (yes != 0) return run(env, &b->statements);
    }
    return GO_ON;
}

static Flow for_statement(RbEnv *env, const RbStatement *s) {
    RbExprValue range;
    Flow flow = GO_ON;
    if (!rb_eval(env, s->value, &range)) return FAILED;
    RbEvalLoop loop = {*env->arena, env->loop};
    env->loop = &loop;
    for (int i = 0; i < range.count && s->branches.count > 0 && flow == GO_ON; i++) {
        RbExprValue number = {.type = range.type, .count = 1, .data = &range.data[i]};
        if (!set_local(env, s->target->index, range.type, &number)) flow = FAILED;
        if (flow == GO_ON) flow = run(env, &s->branches.data[0].statements);
        if (flow != FAILED) *env->arena = loop.mark;
    }
    env->loop = loop.outer;
    return flow == BREAK ? GO_ON : flow;
}

static Flow while_statement(RbEnv *env, const RbStatement *s) {
    RbEvalLoop loop = {*env->arena, env->loop};
    Flow flow = GO_ON;
    env->loop = &loop;
    while (flow == GO_ON) {
        double yes;
        if (!rb_eval_number(env, s->branches.data[0].condition, &yes)) flow = FAILED;
        if (flow == FAILED || yes == 0) break;
        flow = run(env, &s->branches.data[0].statements);
        if (flow == GO_ON && too_many_steps(env)) {
            rb_eval_error(env, "a loop does not end");
            flow = FAILED;
        }
        if (flow != FAILED) *env->arena = loop.mark;
    }
    env->loop = loop.outer;
    return flow == BREAK ? GO_ON : flow;
}

static Flow assert_statement(RbEnv *env, const RbStatement *s) {
    double holds;
    RbExprValue message;
    if (!rb_eval_number(env, s->target, &holds)) return FAILED;
    if (holds != 0 || s->is_warning) return GO_ON;
    if (!rb_eval(env, s->value, &message) || !message.text) return FAILED;
    env->is_assertion = true;
    return rb_eval_error(env, message.text[0]), FAILED;
}

static Flow one(RbEnv *env, const RbStatement *s) {
    switch (s->kind) {
        case RB_ST_ASSIGN: return assign_statement(env, s);
        case RB_ST_CALL: return call_statement(env, s);
        case RB_ST_IF: return if_statement(env, s);
        case RB_ST_FOR: return for_statement(env, s);
        case RB_ST_WHILE: return while_statement(env, s);
        case RB_ST_BREAK: return BREAK;
        case RB_ST_RETURN: return RETURN;
        case RB_ST_ASSERT: return assert_statement(env, s);
        default: return rb_eval_error(env, "a statement is not allowed in a function"), FAILED;
    }
}

static Flow run(RbEnv *env, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        if (too_many_steps(env)) return rb_eval_error(env, "a function takes too long"), FAILED;
        Flow flow = one(env, list->data[i]);
        if (flow == FAILED && !env->error_at.file) env->error_at = list->data[i]->at;
        if (flow != GO_ON) return flow;
    }
    return GO_ON;
}

// What went wrong inside of a call is known outside.
static void hand_over_error(RbEnv *env, const RbEnv *inner) {
    if (inner->error) env->error = inner->error;
    if (inner->error_at.file) env->error_at = inner->error_at;
    env->is_assertion |= inner->is_assertion;
}

// Arrays whose size is given exist (as zeros) before the first assignment to one of their elements.
static bool declare(RbEnv *env, const RbFunctionVar *v, int local) {
    int dims[RB_RANK_MAX];
    RbExprValue value;
    if (v->binding)
        return rb_eval(env, v->binding, &value) && set_local(env, local, v->type, &value);
    for (int k = 0; k < v->rank; k++) {
        double n;
        dims[k] = 0; // open: it is empty until it gets its size with a value
        if (!v->dims[k]) continue;
        if (!rb_eval_number(env, v->dims[k], &n)) return false;
        if (!rb_size_from(n, &dims[k]))
            return rb_eval_error(env, "an array size is negative or too large");
    }
    return rb_eval_new(env, v->type, v->rank, dims, &env->locals[local]);
}

// An argument; an empty array may have lost its dimensions.
static RbExprValue input_value(const RbFunctionVar *v, const RbExprValue *arg) {
    RbExprValue value = *arg;
    if (value.count == 0 && value.rank < v->rank) value.rank = v->rank;
    return value;
}

bool rb_external_open(RbEnv *env, const RbFunction *f, const RbExprValue *inputs,
                      RbExternalCall *call) {
    RbEnv inner = *env;
    int count = f->external.args.count;
    inner.function = f;
    inner.loop = NULL;
    inner.locals = rb_new_array(env->arena, RbExprValue, f->vars.count + 1);
    *call = (RbExternalCall){.function = f, .locals = inner.locals, .arg_count = count};
    call->args = rb_new_array(env->arena, RbExprValue, count + 1);
    bool done = true;
    for (int i = 0; i < f->input_count; i++)
        inner.locals[i] = input_value(&f->vars.data[i], &inputs[i]);
    for (int i = f->input_count; done && i < f->vars.count; i++) {
        int v = rb_function_declared(f, i);
        done = declare(&inner, &f->vars.data[v], v);
    }
    for (int i = 0; done && i < count; i++)
        done = rb_eval(&inner, f->external.args.data[i], &call->args[i]);
    if (f->external.result) call->result = &inner.locals[f->external.result->index];
    hand_over_error(env, &inner);
    return done;
}

void rb_external_close(const RbExternalCall *call, RbExprValue *results) {
    const RbFunction *f = call->function;
    for (int i = 0; i < f->output_count; i++) results[i] = call->locals[f->input_count + i];
}

bool rb_eval_call(RbEnv *env, const RbFunction *f, const RbExprValue *args, int arg_count,
                  RbExprValue *results) {
    if (f->kind == RB_FUNCTION_ALGORITHM) return rb_eval_function(env, f, args, arg_count, results);
    if (rb_eval_text_function(env, f, args, results)) return true;
    return env->call && env->call(env->user, env, f, args, results);
}

bool rb_eval_function(RbEnv *env, const RbFunction *f, const RbExprValue *args, int arg_count,
                      RbExprValue *results) {
    RbEnv inner = *env;
    inner.function = f;
    inner.loop = NULL;
    inner.locals = rb_new_array(env->arena, RbExprValue, f->vars.count + 1);
    inner.depth = env->depth + 10; // a call costs more stack than an operator
    bool done = arg_count <= f->input_count || rb_eval_error(&inner, "too many arguments");
    for (int i = 0; done && i < arg_count; i++)
        inner.locals[i] = input_value(&f->vars.data[i], &args[i]);
    for (int i = arg_count; done && i < f->vars.count; i++) {
        int v = i < f->input_count ? i : rb_function_declared(f, i);
        done = declare(&inner, &f->vars.data[v], v);
    }
    if (done && inner.depth > 10 * CALLS_MAX)
        done = rb_eval_error(&inner, "functions call each other too deeply");
    if (done) done = run(&inner, &f->statements) != FAILED;
    for (int i = 0; done && i < f->output_count; i++) results[i] = inner.locals[f->input_count + i];
    env->steps = inner.steps;
    hand_over_error(env, &inner);
    return done;
}
