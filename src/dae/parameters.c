// SPDX-License-Identifier: MIT
// parameters.c: the order in which parameters are computed from each other.
#include "dae/work.h"

#include "expr/print.h"

typedef struct Visit {
    int var;
    RbIndices uses;
    int next;
} Visit;

enum { NEW, OPEN, DONE };

static const RbExpr *value_of(const RbFlatVar *v) {
    return v->binding ? v->binding : v->attributes.start;
}

static RbStatus cycle(RbWork *w, const Visit *stack, int count, int var) {
    RbText names = rb_text(w->scratch);
    int first = count - 1;
    while (first > 0 && stack[first].var != var) first--;
    for (int i = first; i < count; i++) {
        rb_text_printf(&names, "%s'%s'", i > first ? " needs " : "",
                       w->model->vars.data[stack[i].var].name);
    }
    return rb_fail(w->diag, RB_ERROR_MODEL, w->model->vars.data[var].at,
                   "the values of parameters depend on each other in a circle: %s needs '%s'",
                   names.data, w->model->vars.data[var].name);
}

static RbStatus finish(RbWork *w, int v) {
    const RbFlatVar *var = &w->model->vars.data[v];
    if (!value_of(var) && var->variability == RB_CONSTANT)
        return rb_fail(w->diag, RB_ERROR_MODEL, var->at,
                       "the constant '%s' has no value; give it one, or declare it 'parameter'",
                       var->name);
    if (!value_of(var) && var->variability == RB_PARAMETER) {
        rb_warn(w->diag, var->at, "parameter '%s' has no value; %s is used", var->name,
                var->type == RB_BOOLEAN ? "false" : "0");
    }
    rb_array_push(&w->dae->parameters, w->arena,
                  (RbAssignment){.var = v, .value = value_of(var), .eq = -1});
    return RB_OK;
}

static RbIndices uses(RbWork *w, int v, RbArena *arena) {
    const RbExpr *e = value_of(&w->model->vars.data[v]);
    if (!e || rb_is_constant(e)) return (RbIndices){0}; // the common case
    return rb_expr_vars(w->x, e, arena);
}

static RbStatus visit(RbWork *w, int root, unsigned char *mark, RbArena scratch) {
    RB_ARRAY(Visit) stack = {0};
    rb_array_push(&stack, &scratch, (Visit){root, uses(w, root, &scratch), 0});
    mark[root] = OPEN;
    while (stack.count > 0) {
        Visit *top = &stack.data[stack.count - 1];
        if (top->next == top->uses.count) {
            mark[top->var] = DONE;
            RB_TRY(finish(w, top->var));
            stack.count--;
            continue;
        }
        int v = top->uses.data[top->next++];
        if (rb_work_at(w, v)->kind != RB_DAE_PARAMETER) {
            if (rb_work_at(w, v)->kind == RB_DAE_UNUSED) continue; // strings: constants of the text
            return rb_fail(
                w->diag, RB_ERROR_MODEL, w->model->vars.data[top->var].at,
                "the value of parameter '%s' depends on '%s', which is not known before the run",
                w->model->vars.data[top->var].name, w->model->vars.data[v].name);
        }
        if (mark[v] == OPEN) return cycle(w, stack.data, stack.count, v);
        if (mark[v] == DONE) continue;
        mark[v] = OPEN;
        rb_array_push(&stack, &scratch, (Visit){v, uses(w, v, &scratch), 0});
    }
    return RB_OK;
}

RbStatus rb_parameters(RbWork *w) {
    int count = w->model->vars.count;
    unsigned char *mark = rb_new_array(w->scratch, unsigned char, count);
    w->dae->parameters.count = 0;
    for (int v = 0; v < count; v++) {
        if (rb_work_at(w, v)->kind == RB_DAE_PARAMETER && mark[v] == NEW)
            RB_TRY(visit(w, v, mark, *w->temp));
    }
    return RB_OK;
}
