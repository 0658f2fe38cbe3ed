// SPDX-License-Identifier: MIT
// Calls of functions that stand for actions of a component in C:
//
//     function attach "..."
//       ...
//       annotation(__Rattleback(component = "Multibody", role = "action", kind = 1));
//
//     when distance < 1e-3 then
//       Actions.attach(actions, "gripper", "part");
//       Actions.eventAfterPeriod(actions, 2);
//       Actions.release(actions, "part");
//     end when;
//
// The calls of a list of statements are steps of one program: members of the component with the
// arguments as values, by the names of the inputs. A counter in the list tells the component when the
// program starts (docs/decisions/programs.md).
#include <string.h>

#include "flatten/call.h"
#include "flatten/equations.h"

RbClass *rb_action_class(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    const RbAstExpr *ref = call->kids[0];
    if (ref->kind != RB_AST_REF) return NULL;
    RbElem *first = ref->global ? NULL : rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
    if (!ref->global && (!first || first->component)) return NULL; // nothing, or of a component
    int errors = fe->diag->error_count, messages = fe->diag->messages.count;
    RbVal v = rb_lower_callee(fe, ctx, ref);
    if (v.kind != RB_VAL_CLASS) { // reported when it is called
        fe->diag->error_count = errors;
        fe->diag->messages.count = messages;
        return NULL;
    }
    return rb_class_is_function(v.class) && rb_class_vendor(fe->classes, v.class)->role ? v.class
                                                                                        : NULL;
}

static bool check_place(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    const char *wrong = NULL;
    if (ctx->frame)
        wrong = "an action cannot be called in a function: call it in a when-clause of a model";
    else if (!ctx->in_when)
        wrong = "an action can only be called in a when-clause";
    else if (!ctx->program)
        wrong =
            "an action cannot be called in a while-loop, nor in an if-equation whose condition is "
            "not known at translation: write an if-statement in an algorithm";
    if (wrong) rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "%s", wrong);
    return !wrong;
}

// --- variables of our own ------------------------------------------------------------------------

static int add_variable(RbFrontEnd *fe, RbFlatVar var, RbClass *class,
                        RbAstVariability variability) {
    var.is_protected = var.hide_result = true;
    int index = rb_flat_add(fe->flat, &var);
    RbInst *leaf = rb_new(fe->arena, RbInst);
    *leaf = (RbInst){.kind = RB_INST_LEAF,
                     .class = class,
                     .path = var.name,
                     .var = index,
                     .parent = fe->root,
                     .rank = var.rank,
                     .variability = variability};
    memcpy(leaf->dims, var.dims, sizeof var.dims);
    rb_array_push(&fe->by_var, fe->arena, leaf);
    return index;
}

static RbName own_name(RbFrontEnd *fe, const char *path, const char *name) {
    return rb_intern(fe->names, rb_arena_printf(fe->temp, "%s.%s", path, name));
}

static const char *program_path(RbFrontEnd *fe, const RbInst *inst, int number) {
    const char *dot = *inst->path ? "." : "";
    return rb_arena_printf(fe->arena, "%s%s$program%d", inst->path, dot, number);
}

// A counter that the list increases, and the signal that the component sees.
static void open_program(RbFrontEnd *fe, const RbPlace *ctx, RbPos at) {
    RbActionList *p = ctx->program;
    p->number = ++fe->program_count;
    const char *path = program_path(fe, ctx->inst, p->number);
    RbFlatVar counter = {.name = own_name(fe, path, "count"),
                         .variability = RB_DISCRETE,
                         .type = RB_REAL,
                         .attributes = {.start = rb_real(fe->x, 0.0)},
                         .at = at};
    p->counter = add_variable(fe, counter, fe->classes->real, RB_AST_DISCRETE);
    RbFlatVar signal = {.name = own_name(fe, path, "signal"),
                        .variability = RB_CONTINUOUS,
                        .type = RB_REAL,
                        .binding = rb_flat_ref(fe->flat, p->counter),
                        .at = at};
    add_variable(fe, signal, fe->classes->real, RB_AST_CONTINUOUS);
}

void rb_program_close(RbFrontEnd *fe, const RbActionList *p, RbStatements *list, RbPos at) {
    if (p->number == 0) return;
    const RbExpr *counter = rb_flat_ref(fe->flat, p->counter);
    RbStatement *out = rb_statement(list, fe->arena, RB_ST_ASSIGN, at);
    out->target = counter;
    out->value = rb_add(fe->x, rb_pre(fe->x, counter), rb_real(fe->x, 1.0));
}

// --- steps ---------------------------------------------------------------------------------------

// An argument as a parameter of its own; -1: it is wrong.
static int add_value(RbFrontEnd *fe, const char *path, const RbElem *input, const RbVal *value,
                     RbPos at) {
    if (value->kind != RB_VAL_EXPR) return -1;
    if (value->variability < RB_AST_PARAMETER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "'%s' of an action must be known before the run, but this changes in it",
                input->name);
        return -1;
    }
    RbFlatVar var = {.name = own_name(fe, path, input->name),
                     .variability = RB_PARAMETER,
                     .type = value->type,
                     .rank = value->rank,
                     .binding = value->e,
                     .is_final = true,
                     .at = at};
    if (value->type == RB_ENUM && value->class)
        var.enumeration = rb_flat_enumeration(fe, value->class);
    memcpy(var.dims, value->dims, sizeof var.dims);
    return add_variable(fe, var, value->class ? value->class : fe->classes->real, RB_AST_PARAMETER);
}

static bool check_type(RbFrontEnd *fe, const RbCall *call, int i, const RbActuals *actuals) {
    const RbElem *input = call->inputs[i];
    RbClass *class = rb_elem_class(fe->classes, (RbElem *)input);
    const RbVal *v = &call->args[i];
    bool text = class && class->is_type && class->type == RB_STRING;
    if (v->kind != RB_VAL_EXPR || (v->type == RB_STRING) == text) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, actuals->at, "'%s' of '%s' must be %s, but this is %s",
            input->name, call->class->full_name, text ? "String" : "a number",
            rb_val_type_name(fe, v));
    return false;
}

static bool check_given(RbFrontEnd *fe, const RbCall *call) {
    for (int i = 0; i < call->count; i++) {
        if (call->given[i] || rb_has_default(fe, call->inputs[i])) continue;
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "'%s' needs a value for its input '%s'",
                call->class->full_name, call->inputs[i]->name);
        return false;
    }
    return true;
}

void rb_lower_action(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *text, RbClass *class) {
    RbActuals actuals;
    RbCall call;
    if (!check_place(fe, ctx, text)) return;
    if (!rb_lower_actuals(fe, ctx, text, &actuals) ||
        !rb_place_actuals(fe, class, &actuals, &call, true) || !check_given(fe, &call))
        return;
    bool first = ctx->program->number == 0;
    if (first) open_program(fe, ctx, text->at);
    RbGatheredCall step = {.class = class,
                           .path = program_path(fe, ctx->inst, ctx->program->number),
                           .program = ctx->program->number,
                           .starts = first,
                           .names = rb_new_array(fe->arena, const char *, call.count + 1),
                           .vars = rb_new_array(fe->arena, int, call.count + 1),
                           .at = text->at};
    const char *path = rb_arena_printf(fe->arena, "%s.step%d", step.path, fe->flat->vars.count);
    for (int i = 0; i < call.count; i++) {
        if (!call.given[i]) continue;
        if (!check_type(fe, &call, i, &actuals)) return;
        int var = add_value(fe, path, call.inputs[i], &call.args[i], text->at);
        if (var < 0) continue; // the record of all actions, or reported
        step.names[step.count] = call.inputs[i]->name;
        step.vars[step.count++] = var;
    }
    rb_gather_call(fe, &step);
}
