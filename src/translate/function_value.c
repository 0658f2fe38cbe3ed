// SPDX-License-Identifier: MIT
#include "translate/function_value.h"

#include <math.h>

#include "expr/simplify.h"

// --- the model of a function -----------------------------------------------------------------------

typedef struct Extract {
    const RbFlatModel *from;
    RbFlatModel *to;
    int argument; // variable of `from`
    RbFunctionProgram *out;
    RbArena *keep;
    const RbExpr **known; // per variable of `from`: what it is in `to`, or NULL
} Extract;

static int add_scalar(Extract *x, const RbFlatVar *like, int element, bool input) {
    RbText name = rb_text(x->keep);
    rb_flat_element_name(like, element, &name);
    RbFlatVar v = {.name = name.data,
                   .variability = input ? RB_CONTINUOUS : RB_PARAMETER,
                   .causality = input ? RB_INPUT : RB_LOCAL,
                   .type = like->type,
                   .enumeration = like->enumeration,
                   .at = like->at};
    RbExprs *e = x->to->exprs;
    if (!input)
        v.binding = v.type == RB_REAL      ? rb_real(e, 0.0)
                    : v.type == RB_BOOLEAN ? rb_boolean(e, false)
                                           : rb_integer(e, 1);
    return rb_flat_add(x->to, &v);
}

// Elements become variables; around them is an array again.
static const RbExpr *take_var(Extract *x, int index) {
    const RbFlatVar *v = &x->from->vars.data[index];
    bool input = index == x->argument;
    int size = rb_flat_size(v), columns = v->rank == 2 ? v->dims[1] : size;
    const RbExpr **items = rb_new_array(x->keep, const RbExpr *, size + 1);
    for (int i = 0; i < size; i++) {
        int var = add_scalar(x, v, i, input);
        items[i] = rb_flat_ref(x->to, var);
        if (!input)
            rb_array_push(&x->out->parameters, x->keep, (RbFunctionParameter){index, i, var});
        else
            x->out->inputs[i] = var;
    }
    if (v->rank == 0) return items[0];
    if (v->rank == 1) return rb_array(x->to->exprs, items, size);
    const RbExpr **rows = rb_new_array(x->keep, const RbExpr *, v->dims[0] + 1);
    for (int i = 0; i < v->dims[0]; i++)
        rows[i] = rb_array(x->to->exprs, items + i * columns, columns);
    return rb_array(x->to->exprs, rows, v->dims[0]);
}

static const RbExpr *replace(void *user, const RbExpr *e) {
    Extract *x = user;
    if (e->op != RB_OP_VAR) return NULL;
    const RbFlatVar *v = &x->from->vars.data[e->index];
    if (v->type == RB_STRING || v->rank > 2) return v->binding;
    if (!x->known[e->index]) x->known[e->index] = take_var(x, e->index);
    return x->known[e->index];
}

static void add_outputs(Extract *x, const RbFlatFunction *f, const RbExpr *body) {
    const RbFlatVar *v = &x->from->vars.data[f->value];
    RbExprs *e = x->to->exprs;
    for (int i = 0; i < x->out->output_count; i++) {
        const RbExpr *place = rb_integer(e, i + 1);
        const RbExpr *value = v->rank > 0 ? rb_subscript(e, body, &place, 1) : body;
        RbText name = rb_text(x->keep);
        rb_flat_element_name(v, i, &name);
        RbFlatVar y = {.name = name.data,
                       .variability = RB_CONTINUOUS,
                       .type = RB_REAL,
                       .binding = rb_builtin1(e, RB_FN_NO_EVENT, value),
                       .at = f->at};
        x->out->outputs[i] = rb_flat_add(x->to, &y);
    }
}

static RbFlatModel *extract(const RbFlatModel *model, const RbFlatFunction *f, RbArena *keep,
                            RbArena scratch, RbFunctionProgram *out) {
    RbFlatModel *to = rb_flat_model(keep, model->vars.data[f->value].name);
    to->exprs = model->exprs; // what functions are made of
    to->enumerations = model->enumerations;
    to->no_external = model->no_external;
    // Calls keep their numbers. Those of components speak of variables of the model; nobody calls them here.
    RbFunction *nothing = rb_new(keep, RbFunction);
    nothing->name = to->name;
    for (int i = 0; i < model->functions.count; i++) {
        RbFunction *known = model->functions.data[i];
        bool component = known->kind == RB_FUNCTION_COMPONENT;
        rb_array_push(&to->functions, keep, component ? nothing : known);
    }
    out->input_count = rb_flat_size(&model->vars.data[f->argument]);
    out->inputs = rb_new_array(keep, int, out->input_count + 1);
    out->output_count = rb_flat_size(&model->vars.data[f->value]);
    out->outputs = rb_new_array(keep, int, out->output_count + 1);
    Extract x = {.from = model, .to = to, .argument = f->argument, .out = out, .keep = keep};
    x.known = rb_new_array(keep, const RbExpr *, model->vars.count + 1);
    x.known[f->argument] = take_var(&x, f->argument); // also one that nothing depends on
    add_outputs(&x, f, rb_substitute_leaves(model->exprs, f->body, replace, &x, scratch));
    return to;
}

RbStatus rb_function_programs(const RbFlatModel *model, const RbProgramOptions *options,
                              RbArena *keep, RbArena scratch, RbDiag *diag,
                              RbFunctionProgram **out) {
    int count = model->component_functions.count;
    *out = count > 0 ? rb_new_array(keep, RbFunctionProgram, count) : NULL;
    RbProgramOptions code = *options;
    code.background = false;
    for (int i = 0; i < count; i++) {
        const RbFlatFunction *f = &model->component_functions.data[i];
        RbFlatModel *small = extract(model, f, keep, scratch, &(*out)[i]);
        RbSortedDae *dae;
        RB_TRY(rb_dae_sort(small, NULL, keep, scratch, diag, &dae));
        RB_TRY(rb_program(dae, &code, keep, scratch, diag, &(*out)[i].program));
    }
    return RB_OK;
}

// --- while it runs ---------------------------------------------------------------------------------

typedef struct Callable {
    RbFunctionValue value; // first
    const RbFunctionProgram *program;
    RbProgramInstance *in;
    bool failed;
} Callable;

static bool call(void *user, const double *argument, double *result) {
    Callable *c = user;
    for (int i = 0; i < c->program->input_count; i++)
        rb_program_set(c->in, c->program->inputs[i], argument[i]);
    bool done = rb_program_outputs(c->in, 0, c->in->frame.x) == RB_OK;
    for (int i = 0; i < c->program->output_count; i++)
        result[i] = done ? rb_program_value(c->in, c->program->outputs[i]) : NAN;
    c->failed = c->failed || !done;
    return done;
}

static const char *why(void *user) {
    Callable *c = user;
    bool failed = c->failed;
    c->failed = false;
    if (!failed) return NULL;
    return c->in->failure ? c->in->failure : "it has no value";
}

RbFunctionValue *rb_function_value(const RbFunctionProgram *program, RbArena *arena) {
    Callable *c = rb_new(arena, Callable);
    *c = (Callable){{call, why, c, program->input_count, program->output_count},
                    program,
                    rb_program_instance(program->program, arena)};
    return &c->value;
}

RbStatus rb_function_value_set(RbFunctionValue *f,
                               bool (*find)(const void *user, int var, int element, double *value),
                               const void *user, RbDiag *diag) {
    Callable *c = (Callable *)f;
    for (int i = 0; i < c->program->parameters.count; i++) {
        const RbFunctionParameter *p = &c->program->parameters.data[i];
        double value;
        if (find(user, p->model_var, p->element, &value)) rb_program_set(c->in, p->var, value);
    }
    return rb_program_parameters(c->in, 0, diag);
}
