// SPDX-License-Identifier: MIT
// The solids of Modelica models (include/rattleback/solid.h).
#include <string.h>

#include "api_solid.h"
#include "io/recipe.h"
#include "translate/equation_half.h"
#include "translate/translate.h"

typedef struct SolidsCall {
    RbModel *model;
    RB_ARRAY(RbNamedWorkpiece) solids;
} SolidsCall;

// The text that says how to make it; NULL: the variable is no solid.
static RbStatus recipe_of(const SolidsCall *call, const void *equations, int var,
                          const char **recipe) {
    const RbFlatVar *v = &call->model->translation->flat->vars.data[var];
    RbContext *c = call->model->context;
    const char *why, *text;
    *recipe = NULL;
    if (v->type != RB_STRING || v->rank > 0 || !rb_text_ends_with(v->name, ".recipe")) return RB_OK;
    text = rb_equations_text(equations, var, &c->arena, &why);
    if (why)
        return rb_fail(&c->diag, RB_ERROR_MODEL, rb_flat_var_place(v),
                       "the solid '%.*s' cannot be made: %s",
                       (int)(strlen(v->name) - strlen(".recipe")), v->name, why);
    if (text && rb_recipe_is_solid(text)) *recipe = text;
    return RB_OK;
}

static RbStatus add_solid(SolidsCall *call, const RbFlatVar *v, const char *recipe) {
    RbContext *c = call->model->context;
    RbPos at = rb_flat_var_place(v);
    int length = (int)(strlen(v->name) - strlen(".recipe"));
    const char *name = rb_arena_printf(&c->arena, "%.*s", length, v->name);
    RbWorkpiece *form = rb_new(&c->arena, RbWorkpiece);
    form->context = c;
    RB_TRY(rb_recipe_solid(recipe, rb_recipe_folder(at, &c->arena), name, at, &c->arena, c->scratch,
                           &c->diag, &form->mesh));
    RbMeshReport report = rb_mesh_check(&form->mesh, c->scratch);
    RbNamedWorkpiece solid = {name, form, rb_mesh_findings(c, &form->mesh, &report)};
    rb_array_push(&call->solids, &c->arena, solid);
    return RB_OK;
}

static RbStatus find_solids(void *argument) {
    SolidsCall *call = argument;
    RbModel *m = call->model;
    const RbInstance *equations = rb_model_equations(m);
    if (!m->translation || !equations) return RB_OK;
    RB_TRY(rb_equations_parameters(equations->self, m->start_time, &m->context->diag));
    for (int i = 0; i < m->translation->flat->vars.count; i++) {
        const char *recipe;
        RB_TRY(recipe_of(call, equations->self, i, &recipe));
        if (recipe) RB_TRY(add_solid(call, &m->translation->flat->vars.data[i], recipe));
    }
    return RB_OK;
}

RbStatus rb_model_solids(RbModel *model, const RbNamedWorkpiece **solids, int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, solids);
    RB_NEED(model->context, count);
    RB_TRY(rb_model_check_free(model, __func__));
    SolidsCall call = {.model = model};
    RbStatus status = rb_context_call(model->context, find_solids, &call);
    *solids = call.solids.data;
    *count = call.solids.count;
    return status;
}
