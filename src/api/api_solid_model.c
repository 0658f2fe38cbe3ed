// SPDX-License-Identifier: MIT
// The solids of Modelica models (include/rattleback/solid.h).
#include <string.h>

#include "api/api_solid.h"
#include "io/recipe.h"
#include "translate/equation_half.h"
#include "translate/translate.h"

typedef RB_ARRAY(RbNamedWorkpiece) Solids;

// The text that says how to make it; NULL: the variable is no solid.
static RbStatus recipe_of(const RbModel *model, const void *equations, int var,
                          const char **recipe) {
    const RbFlatVar *v = &model->translation->flat->vars.data[var];
    RbContext *c = model->context;
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

static RbStatus add_solid(RbContext *c, const RbFlatVar *v, const char *recipe, Solids *solids) {
    RbPos at = rb_flat_var_place(v);
    int length = (int)(strlen(v->name) - strlen(".recipe"));
    const char *name = rb_arena_printf(&c->arena, "%.*s", length, v->name);
    RbWorkpiece *form = rb_new(&c->arena, RbWorkpiece);
    form->context = c;
    RB_TRY(rb_recipe_solid(recipe, rb_recipe_folder(at, &c->arena), name, at, &c->arena, c->scratch,
                           &c->diag, &form->mesh));
    RbMeshReport report = rb_mesh_check(&form->mesh, c->scratch);
    RbNamedWorkpiece solid = {name, form, rb_mesh_findings(c, &form->mesh, &report)};
    rb_array_push(solids, &c->arena, solid);
    return RB_OK;
}

RbStatus rb_model_solids(RbModel *model, const RbNamedWorkpiece **solids, int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, solids);
    RB_NEED(model->context, count);
    RB_TRY(rb_model_check_free(model, __func__));
    *solids = NULL;
    *count = 0;
    RB_CALL(model->context);
    Solids found = {0};
    const RbInstance *equations = rb_model_equations(model);
    if (!model->translation || !equations) return RB_OK;
    RB_TRY(rb_equations_parameters(equations->self, model->start_time, &model->context->diag));
    for (int i = 0; i < model->translation->flat->vars.count; i++) {
        const RbFlatVar *v = &model->translation->flat->vars.data[i];
        const char *recipe;
        RB_TRY(recipe_of(model, equations->self, i, &recipe));
        if (recipe) RB_TRY(add_solid(model->context, v, recipe, &found));
    }
    *solids = found.data;
    *count = found.count;
    return RB_OK;
}
