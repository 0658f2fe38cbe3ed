// SPDX-License-Identifier: MIT
#include "translate/equation_calls.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"

// Arguments and results as component.c of the front end lays them out: time and token first, token
// last. The token counts the calls of this evaluation: a function that is called again with the same
// arguments finds the memory that it depends on as it was, and need not be called.
static bool call_component(void *user, int function, const double *args, double *results) {
    RbEquationHalf *q = user;
    const RbFunction *f = rb_equations_dae(q)->model->functions.data[function];
    const RbComponentCall *c = &f->component;
    RbComponentMemory *m = &q->memory[function];
    size_t in = (size_t)f->input_count * sizeof *args,
           out = (size_t)f->output_count * sizeof *results;
    if (!q->eval) return false;
    if (m->evaluation == q->evaluation && memcmp(m->args, args, in) == 0) {
        memcpy(results, m->results, out);
        return true;
    }
    int count = f->output_count - 1;
    const double *inputs = args + (c->after ? 2 : 1);
    RbEvalStatus status = c->matrix_rows > 0
                              ? rb_call_affine(q->eval, c->component, c->function, inputs, results,
                                               results + count - c->matrix_rows)
                              : rb_call(q->eval, c->component, c->function, inputs, results);
    results[count] = ++q->calls;
    m->evaluation = 0;
    if (status != RB_EVAL_OK) {
        q->called = status;
        return false;
    }
    for (int i = 0; i < count; i++) q->in->missing |= isnan(results[i]);
    memcpy(m->args, args, in);
    memcpy(m->results, results, out);
    m->evaluation = q->evaluation;
    return true;
}

static const char *why_component(void *user) {
    const RbEquationHalf *q = user;
    return rb_call_reason(q->eval);
}

static bool start_of(void *user, int state, double *value) {
    const RbEquationHalf *q = user;
    return q->eval && rb_eval_start_of(q->eval, state, value);
}

static int function_number(const RbEquationHalf *q, const RbFunction *f) {
    int i = 0;
    while (rb_equations_dae(q)->model->functions.data[i] != f) i++;
    return i;
}

// The same for the interpreter.
static bool call_function(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                          RbExprValue *results) {
    RbEquationHalf *q = user;
    if (f->kind == RB_FUNCTION_EXTERNAL)
        return rb_externals_call(q->externals, env, f, args, results);
    if (f->kind != RB_FUNCTION_COMPONENT || !q->eval) return false;
    double *inputs = rb_new_array(env->arena, double, f->input_count + 1);
    double *outputs = rb_new_array(env->arena, double, f->output_count + 1);
    for (int i = 0; i < f->input_count; i++) inputs[i] = args[i].data[0];
    bool done = call_component(q, function_number(q, f), inputs, outputs);
    for (int i = 0; i < f->output_count; i++)
        results[i] = rb_value_number(env->arena, RB_REAL, outputs[i]);
    return done;
}

void rb_equations_open_calls(RbEquationHalf *q, const RbEval *eval) {
    q->eval = eval;
    q->called = RB_EVAL_OK;
    q->evaluation++;
    q->calls = 0;
}

bool rb_equations_have_components(const RbFlatModel *model) {
    for (int i = 0; i < model->functions.count; i++) {
        if (model->functions.data[i]->kind == RB_FUNCTION_COMPONENT) return true;
    }
    return false;
}

static void open_memory(RbEquationHalf *q, RbArena *arena) {
    const RbFlatModel *model = rb_equations_dae(q)->model;
    q->memory = rb_new_array(arena, RbComponentMemory, model->functions.count + 1);
    for (int i = 0; i < model->functions.count; i++) {
        const RbFunction *f = model->functions.data[i];
        if (f->kind != RB_FUNCTION_COMPONENT) continue;
        q->memory[i].args = rb_new_array(arena, double, f->input_count + 1);
        q->memory[i].results = rb_new_array(arena, double, f->output_count + 1);
    }
}

void rb_equations_bind_calls(RbEquationHalf *q) {
    q->in->call = call_function;
    q->in->call_component = call_component;
    q->in->why_component = why_component;
    q->in->start_of = start_of;
    q->in->call_user = q;
    open_memory(q, q->arena);
}
