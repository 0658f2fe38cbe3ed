// SPDX-License-Identifier: MIT
#include "program/interpret.h"

#include <stdio.h>

#include <math.h>
#include <string.h>

#include "program/delay.h"
#include "program/program_instance.h"
#include "program/layout.h"
#include "expr/eval.h"

static double variable(const RbProgramInstance *in, int v) {
    const RbDaeVar *var = &in->program->dae->vars.data[v];
    if (var->kind == RB_DAE_ALIAS) return var->sign * variable(in, var->alias);
    RbCodePlace place = rb_place(in->program->lowered, v);
    if (place.area < 0) return 0;
    return rb_area(in, place.area)[place.index];
}

static bool lookup_size(const RbProgramInstance *in, const RbExpr *e, RbArena *arena,
                        RbExprValue *value) {
    const RbDaeVar *v = &in->program->dae->vars.data[e->args[0]->index];
    double k = 0;
    if (!v->whole || !rb_constant_value(e->args[1], &k) || !(k == 1 || k == 2)) return false;
    *value = rb_value_number(arena, RB_INTEGER, in->sizes[RB_SIZES * v->slot + 1 + (int)k]);
    return true;
}

// An array whose elements are variables of their own.
static bool lookup_elements(const RbProgramInstance *in, int var, RbArena *arena,
                            RbExprValue *value) {
    const RbFlatVar *flat = &in->program->dae->model->vars.data[var];
    int first = in->program->dae->vars.data[var].elements;
    *value = rb_value_array(arena, flat->type, flat->rank, flat->dims);
    for (int i = 0; i < value->count; i++) value->data[i] = variable(in, first + i);
    return true;
}

static bool lookup_array(const RbProgramInstance *in, int var, RbArena *arena, RbExprValue *value) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    const int *sizes = &in->sizes[RB_SIZES * v->slot];
    int rank = in->program->dae->model->vars.data[var].rank;
    *value = rb_value_array(arena, RB_REAL, rank, sizes + RB_SIZES_ROWS);
    for (int i = 0; i < value->count; i++) value->data[i] = rb_program_element(in, var, i);
    return true;
}

static bool lookup(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    RbProgramInstance *in = user;
    double number;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE)
        return lookup_size(in, leaf, env->arena, value);
    if (leaf->op == RB_OP_VAR && in->program->dae->vars.data[leaf->index].whole)
        return lookup_array(in, leaf->index, env->arena, value);
    if (leaf->op == RB_OP_VAR && in->program->dae->model->vars.data[leaf->index].rank > 0)
        return lookup_elements(in, leaf->index, env->arena, value);
    if (leaf->type == RB_STRING) { // strings are parameters
        if (leaf->op != RB_OP_VAR) return false;
        const char *set = rb_program_text(in, leaf->index);
        if (set) {
            *value = rb_value_array(env->arena, RB_STRING, 0, NULL);
            value->text[0] = set;
            return true;
        }
        const RbFlatVar *v = &in->program->dae->model->vars.data[leaf->index];
        return v->binding && rb_eval(env, v->binding, value);
    }
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_DELAY) {
        if (!rb_eval_number(env, leaf->args[1], &number)) return false;
        number = rb_delay_value(&in->frame, (int)leaf->args[0]->real, number);
        *value = rb_value_number(env->arena, RB_REAL, number);
        return !in->frame.failed;
    }
    if (leaf->op == RB_OP_TIME)
        number = in->frame.t;
    else if (leaf->op == RB_OP_VAR)
        number = variable(in, leaf->index);
    else if (leaf->op == RB_OP_PRE)
        number = in->frame.q[in->program->dae->vars.data[leaf->args[0]->index].slot];
    else
        return false;
    *value = rb_value_number(env->arena, (RbType)leaf->type, number);
    return true;
}

static bool call_other(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results) {
    RbProgramInstance *in = user;
    return in->call && in->call(in->call_user, env, f, args, results);
}

static RbEnv environment(RbProgramInstance *in, RbArena *arena) {
    return (RbEnv){.model = in->program->dae->model,
                   .arena = arena,
                   .lookup = lookup,
                   .call = call_other,
                   .homotopy = &in->frame.homotopy,
                   .user = in};
}

// Why something has no value, as far as it can be told. The words must outlive the evaluation.
static const char *explain_missing(RbProgramInstance *in, const RbEnv *env, const char *otherwise) {
    in->failure_is_assertion = env->is_assertion;
    if (!env->error) return otherwise;
    in->failure_at = env->error_at;
    snprintf(in->failure_text, sizeof in->failure_text, "%s", env->error);
    return in->failure_text;
}

bool rb_interpret_value(RbProgramInstance *in, const RbExpr *e, RbArena *arena,
                        RbExprValue *value) {
    RbEnv env = environment(in, arena);
    if (rb_eval(&env, e, value) && (value->data || value->text)) return true;
    in->frame.failed = 1;
    in->failure = explain_missing(in, &env, "an expression has no value");
    return false;
}

bool rb_interpret_results(RbProgramInstance *in, const RbExpr *call, RbArena *arena,
                          RbExprValue *results) {
    RbEnv env = environment(in, arena);
    const RbFunction *f = env.model->functions.data[call->index];
    RbExprValue *args = rb_new_array(arena, RbExprValue, call->arg_count + 1);
    for (int i = 0; i < call->arg_count; i++) {
        if (!rb_eval(&env, call->args[i], &args[i])) return false;
    }
    return rb_eval_call(&env, f, args, call->arg_count, results);
}

double rb_interpret_number(RbProgramInstance *in, const RbExpr *e) {
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    double result = NAN;
    if (!rb_eval_number(&env, e, &result)) {
        in->frame.failed = 1;
        in->failure = explain_missing(in, &env, "an expression has no value");
        return NAN;
    }
    return result;
}

bool rb_interpret_call(RbProgramInstance *in, const RbExpr *call) {
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    RbExprValue value;
    if (rb_eval(&env, call, &value)) return true;
    in->frame.failed = 1;
    in->failure = explain_missing(in, &env, "a function cannot be evaluated");
    return false;
}

static void store_array(RbProgramInstance *in, const RbStep *s) {
    const int *sizes = &in->sizes[RB_SIZES * (s->place.array - 1)];
    double *to = rb_area(in, s->place.area) + sizes[RB_SIZES_AT];
    RbArena scratch = *in->call_arena;
    RbExprValue value = {0};
    bool known = rb_interpret_value(in, s->value, &scratch, &value);
    for (int i = 0; i < sizes[RB_SIZES_COUNT]; i++)
        to[i] = known ? value.data[value.rank > 0 ? i : 0] : NAN;
}

static void store(RbProgramInstance *in, RbCodePlace place, double value) {
    rb_area(in, place.area)[place.index] = value;
}

static void evaluate(RbCodeFrame *f, const double *y, double *r, double *a) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbCodeSystem *s = &in->program->lowered->systems.data[in->interpreted_system];
    int n = s->block->size;
    for (int i = 0; i < n; i++) store(in, s->unknowns[i], y[i]);
    for (int i = 0; i < s->inner.count; i++)
        store(in, s->inner.data[i].place, rb_interpret_number(in, s->inner.data[i].value));
    for (int i = 0; i < n; i++) r[i] = rb_interpret_number(in, s->block->residuals[i]);
    if (!a) return;
    const RbBlock *b = s->block;
    for (int i = 0; !b->sparse && i < n * n; i++) a[i] = 0;
    for (int k = 0; k < b->matrix_count; k++)
        a[rb_matrix_place(b, k)] = rb_interpret_number(in, b->matrix[k].value);
}

int rb_interpret(RbProgramInstance *in, RbSectionId section) {
    const RbSteps *steps = &in->program->lowered->sections[section];
    for (int i = 0; i < steps->count; i++) {
        const RbStep *s = &steps->data[i];
        if (s->system < 0 && s->place.array > 0) {
            store_array(in, s);
            continue;
        }
        if (s->system < 0) {
            store(in, s->place, rb_interpret_number(in, s->value));
            continue;
        }
        in->interpreted_system = s->system;
        if (in->frame.solve(&in->frame, s->system, evaluate)) return s->system + 1;
    }
    return 0;
}

// --- calls ---------------------------------------------------------------------------------------

static void take_dims(const RbExpr *e, RbExprValue *value) {
    for (int d = 0; d < value->rank && e->op == RB_OP_ARRAY; d++) {
        value->dims[d] = e->arg_count;
        if (e->arg_count > 0) e = e->args[0];
    }
}

// Numbers come from the caller; texts follow from parameters, and are evaluated here.
static RbExprValue argument(RbEnv *env, const RbExpr *e, const double **next) {
    RbExprValue shape = {.rank = e->rank};
    take_dims(e, &shape);
    RbExprValue v = rb_value_array(env->arena, (RbType)e->type, e->rank, shape.dims);
    if (v.text) {
        RbExprValue text;
        *next += v.count;
        return rb_eval(env, e, &text) && text.count == v.count ? text : v;
    }
    memcpy(v.data, *next, (size_t)v.count * sizeof *v.data);
    *next += v.count;
    return v;
}

static const char *explain_call(RbProgramInstance *in, const RbEnv *env, const RbFunction *f) {
    const char *why = env->error ? env->error : "it could not be evaluated";
    in->failure_at = env->error_at;
    in->failure_is_assertion = env->is_assertion;
    if (f->kind == RB_FUNCTION_EXTERNAL || f->name[0] == '$') // says which one it is; an algorithm
        snprintf(in->failure_text, sizeof in->failure_text, "%s", why);
    else
        snprintf(in->failure_text, sizeof in->failure_text, "in function '%s': %s", f->name, why);
    return in->failure_text;
}

// Straight from numbers to numbers.
static void call_component(RbProgramInstance *in, const RbCallSite *s, const RbFunction *function,
                           const double *args, double *results) {
    if (in->call_component(in->call_user, s->call->index, args, results)) return;
    in->frame.failed = 1;
    in->component_failed = true;
    in->failure = explain_call(in, &(RbEnv){0}, function);
    for (int k = 0; k < s->out_count; k++) results[k] = NAN;
}

// --- values of tables ------------------------------------------------------------------------------

struct RbSiteMemory {
    double *args, *results; // of the last call; NULL: none are kept
    bool known;
};

static bool is_table_value(const RbFunction *f) {
    const char *name = f->kind == RB_FUNCTION_EXTERNAL ? f->external.name : NULL;
    return name && !f->is_impure && strncmp(name, "ModelicaStandardTables_", 23) == 0 &&
           strstr(name, "_get");
}

struct RbSiteMemory *rb_site_memory(const RbProgram *program, RbArena *arena) {
    int count = program->lowered->sites.count;
    struct RbSiteMemory *memory = rb_new_array(arena, struct RbSiteMemory, count + 1);
    for (int i = 0; i < count; i++) {
        const RbCallSite *s = &program->lowered->sites.data[i];
        bool scalars = !s->whole && s->in_count == s->call->arg_count;
        if (!scalars || !is_table_value(program->dae->model->functions.data[s->call->index]))
            continue;
        memory[i].args = rb_new_array(arena, double, s->in_count + 1);
        memory[i].results = rb_new_array(arena, double, s->out_count + 1);
    }
    return memory;
}

void rb_forget_sites(RbProgramInstance *in) {
    for (int i = 0; i < in->program->lowered->sites.count; i++) in->site_memory[i].known = false;
}

static bool recall(const RbProgramInstance *in, int site, const double *args, double *results) {
    const struct RbSiteMemory *m = &in->site_memory[site];
    const RbCallSite *s = &in->program->lowered->sites.data[site];
    if (!m->known || memcmp(m->args, args, (size_t)s->in_count * sizeof *args) != 0) return false;
    memcpy(results, m->results, (size_t)s->out_count * sizeof *results);
    return true;
}

static void keep(const RbProgramInstance *in, int site, const double *args, const double *results) {
    struct RbSiteMemory *m = &in->site_memory[site];
    const RbCallSite *s = &in->program->lowered->sites.data[site];
    if (!m->args) return;
    memcpy(m->args, args, (size_t)s->in_count * sizeof *args);
    memcpy(m->results, results, (size_t)s->out_count * sizeof *results);
    m->known = true;
}

void rb_call_site(RbCodeFrame *f, int site, const double *args, double *results) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    if (recall(in, site, args, results)) return;
    f->bad = f->depth = 0; // of a compiled function that failed
    const RbCallSite *s = &in->program->lowered->sites.data[site];
    const RbFunction *function = in->program->dae->model->functions.data[s->call->index];
    if (function->kind == RB_FUNCTION_COMPONENT && in->call_component) {
        call_component(in, s, function, args, results);
        return;
    }
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    RbExprValue *values = rb_new_array(&scratch, RbExprValue, s->call->arg_count + 1);
    RbExprValue *outputs = rb_new_array(&scratch, RbExprValue, function->output_count + 1);
    const double *next = args;
    for (int i = 0; i < s->call->arg_count; i++)
        values[i] = argument(&env, s->call->args[i], &next);
    bool done = rb_eval_call(&env, function, values, s->call->arg_count, outputs);
    if (!done) {
        in->frame.failed = 1;
        in->failure = explain_call(in, &env, function);
    }
    for (int k = 0; k < function->output_count; k++) {
        int end = k + 1 < function->output_count ? s->out_start[k + 1] : s->out_count,
            count = end - s->out_start[k];
        bool fits = done && outputs[k].data && outputs[k].count == count;
        for (int i = 0; i < count; i++)
            results[s->out_start[k] + i] = fits ? outputs[k].data[i] : NAN;
    }
    if (done) keep(in, site, args, results);
}

static RbExprValue as_value(const RbCodeArray *a, const RbExpr *e) {
    RbExprValue v = {.type = (RbType)e->type, .rank = a->rank, .count = a->count, .data = a->data};
    memcpy(v.dims, a->dims, sizeof v.dims);
    return v;
}

// Arguments and results of a function in the order of its variables: scalars and arrays apart.
void rb_call_whole(RbCodeFrame *f, int site, const double *s, const RbCodeArray *v, double *rs,
                   double **to, const int *count) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    f->bad = f->depth = 0; // of a compiled function that failed
    const RbExpr *call = in->program->lowered->sites.data[site].call;
    const RbFunction *g = in->program->dae->model->functions.data[call->index];
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    RbExprValue *values = rb_new_array(&scratch, RbExprValue, call->arg_count + 1);
    RbExprValue *outputs = rb_new_array(&scratch, RbExprValue, g->output_count + 1);
    for (int i = 0; i < call->arg_count; i++) {
        if (call->args[i]->rank == 0)
            values[i] = rb_value_number(&scratch, (RbType)call->args[i]->type, *s++);
        else
            values[i] = as_value(v++, call->args[i]);
    }
    bool done = rb_eval_call(&env, g, values, call->arg_count, outputs);
    if (!done) {
        in->frame.failed = 1;
        in->failure = explain_call(in, &env, g);
    }
    for (int k = 0; k < g->output_count; k++) {
        const RbExprValue *out = &outputs[k];
        bool scalar = g->vars.data[g->input_count + k].rank == 0;
        if (scalar) *rs++ = done && out->data ? out->data[0] : NAN;
        bool fits = done && out->data && out->count == count[k];
        for (int i = 0; !scalar && to[k] && i < count[k]; i++) to[k][i] = fits ? out->data[i] : NAN;
    }
}

// --- for compiled functions ----------------------------------------------------------------------

// A copy on the stack of the frame.
static int take_value(RbCodeFrame *f, const RbExprValue *value, RbCodeArray *array) {
    if (!value->data || value->count >= f->stack_end - f->stack) return 1;
    *array = (RbCodeArray){
        .data = f->stack, .rank = value->rank, .count = value->count, .room = value->count};
    memcpy(array->dims, value->dims, sizeof array->dims);
    memcpy(f->stack, value->data, (size_t)value->count * sizeof *value->data);
    f->stack += value->count + 1;
    return 0;
}

int rb_apply_arrays(RbCodeFrame *f, int node, const RbCodeArray *args, RbCodeArray *value) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbExpr *e = in->program->source.nodes.data[node];
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    RbExprValue *values = rb_new_array(&scratch, RbExprValue, e->arg_count + 1), result;
    for (int i = 0; i < e->arg_count; i++) {
        if (args[i].data) values[i] = as_value(&args[i], e->args[i]);
    }
    return !rb_eval_values(&env, e, values, &result) || take_value(f, &result, value);
}

int rb_store_elements(RbCodeFrame *f, int node, RbCodeArray *array, const RbCodeArray *subscripts,
                      const RbCodeArray *value) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbExpr *e = in->program->source.nodes.data[node];
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    int count = e->arg_count - 1;
    RbExprValue *indices = rb_new_array(&scratch, RbExprValue, count + 1);
    for (int i = 0; i < count; i++) {
        if (subscripts[i].data) indices[i] = as_value(&subscripts[i], e->args[1 + i]);
    }
    RbExprValue whole = as_value(array, e), part = as_value(value, e);
    return !rb_eval_store(&env, &whole, indices, count, &part);
}

// A function that is not compiled, from one that is.
int rb_invoke_function(RbCodeFrame *f, int function, const double *s, const RbCodeArray *v,
                       double *rs, RbCodeArray *rv) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbFunction *g = in->program->dae->model->functions.data[function];
    RbArena scratch = *in->call_arena;
    RbEnv env = environment(in, &scratch);
    RbExprValue *values = rb_new_array(&scratch, RbExprValue, g->input_count + 1);
    RbExprValue *outputs = rb_new_array(&scratch, RbExprValue, g->output_count + 1);
    for (int i = 0; i < g->input_count; i++) {
        const RbFunctionVar *var = &g->vars.data[i];
        if (var->rank == 0) {
            values[i] = rb_value_number(&scratch, var->type, *s++);
            continue;
        }
        values[i] =
            (RbExprValue){.type = var->type, .rank = v->rank, .count = v->count, .data = v->data};
        memcpy(values[i].dims, v->dims, sizeof v->dims);
        v++;
    }
    bool done = rb_eval_call(&env, g, values, g->input_count, outputs);
    for (int k = 0; done && k < g->output_count; k++) {
        if (!outputs[k].data)
            done = false;
        else if (g->vars.data[g->input_count + k].rank == 0)
            *rs++ = outputs[k].data[0];
        else
            done = take_value(f, &outputs[k], rv++) == 0;
    }
    return !done;
}

// Elements are taken before the expression around them is evaluated, which may be an if-expression
// that does not use them: if i == 0 then 0 else a[i]. So a wrong index is no failure yet, but its
// value is none, and who uses it will notice.
double rb_checked_element(RbCodeFrame *f, const double *array, int count, double index) {
    if (index >= 1 && index <= count) return array[(int)index - 1];
    ((RbProgramInstance *)f)->failure = "a subscript is out of range";
    return NAN;
}

const char *rb_message_text(RbProgramInstance *in, const RbExpr *message) {
    RbEnv env = environment(in, in->call_arena);
    RbExprValue value;
    return rb_eval(&env, message, &value) && value.text ? value.text[0]
                                                        : "(the message cannot be evaluated)";
}
