// SPDX-License-Identifier: MIT
#include "model/model.h"

#include "base/hash.h"
#include "component/registry.h"

#include <string.h>

#include "translate/equation_half.h"
#include "translate/translate.h"

RbModel *rb_model_new(const char *name, const char *description, RbArena *arena) {
    RbModel *model = rb_new(arena, RbModel);
    *model = (RbModel){.arena = arena,
                       .name = rb_arena_text(arena, name),
                       .description = rb_arena_text(arena, description),
                       .equations = RB_NONE,
                       .driver = RB_NONE};
    return model;
}

RbStatus rb_model_add(RbModel *model, const RbComponentType *type, const char *name, RbDiag *diag,
                      int *index) {
    return rb_model_add_with(model, type, name, NULL, diag, index);
}

// Read once for all components of a type.
static uint64_t library_hash(const RbModel *model, const RbComponentType *type) {
    for (int i = 0; i < model->instances.count; i++) {
        if (model->instances.data[i].type == type) return model->instances.data[i].library_hash;
    }
    return rb_component_library_hash(type);
}

static RbStatus add(RbModel *model, const RbComponentType *type, const char *name, const void *data,
                    const RbGathered *gathered, RbDiag *diag, int *index) {
    for (int i = 0; i < model->instances.count; i++) {
        // Equations and gathered bodies speak of everything by its full path.
        if (!name[0] || strcmp(model->instances.data[i].name, name) != 0) continue;
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there are two components named '%s'",
                       name);
    }
    RbInstance instance;
    if (gathered)
        RB_TRY(rb_instance_gather(type, name, gathered, model->arena, diag, &instance));
    else
        RB_TRY(rb_instance_create(type, name, data, model->arena, diag, &instance));
    instance.library_hash = library_hash(model, type);
    rb_array_push(&model->instances, model->arena, instance);
    if (index) *index = model->instances.count - 1;
    return RB_OK;
}

RbStatus rb_model_add_with(RbModel *model, const RbComponentType *type, const char *name,
                           const void *data, RbDiag *diag, int *index) {
    return add(model, type, name, data, NULL, diag, index);
}

RbStatus rb_model_add_gathered(RbModel *model, const RbComponentType *type, const char *name,
                               const RbGathered *gathered, RbDiag *diag, int *index) {
    return add(model, type, name, NULL, gathered, diag, index);
}

static RbStatus fail_unknown(const RbModel *model, const char *path, RbDiag *diag) {
    RbText names = rb_text(diag->arena);
    for (int i = 0; i < model->instances.count; i++) {
        rb_text_printf(&names, "%s%s", i ? ", " : "", model->instances.data[i].name);
    }
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' names no parameter: the components of '%s' are %s", path, model->name,
                   names.count ? names.data : "none");
}

RbInstance *rb_model_equations(RbModel *model) {
    for (int i = 0; i < model->instances.count; i++) {
        if (model->instances.data[i].type == &rb_equations) return &model->instances.data[i];
    }
    return NULL;
}

// Why the equations do not take a value.
static RbStatus explain_refusal(RbInstance *equations, const char *path, double value,
                                RbDiag *diag) {
    return rb_equations_set(equations->self, path, value, diag);
}

const char *rb_model_changed_sizes(const RbModel *model, RbArena *arena) {
    RbText text = rb_text(arena);
    const RbInstance *equations = rb_model_equations((RbModel *)model);
    if (equations) rb_equations_sizes(equations->self, &text);
    return text.count > 0 ? text.data : NULL;
}

bool rb_model_literal(RbModel *model, const char *path, const char *text, double *value) {
    const RbInstance *equations = rb_model_equations(model);
    return equations && rb_equations_literal(equations->self, path, text, value);
}

bool rb_model_is_string(const RbModel *model, const char *path) {
    const RbTranslation *t = model->translation;
    int var = t ? rb_program_find(t->program, path) : -1;
    return var >= 0 && t->program->dae->model->vars.data[var].type == RB_STRING;
}

RbStatus rb_model_override_text(RbModel *model, const char *path, const char *text, RbDiag *diag) {
    RbInstance *equations = rb_model_equations(model);
    RB_TRY(rb_equations_set_text(equations->self, path, text, diag));
    // A checkpoint belongs to this text: a number that is another one for others.
    uint64_t hash = rb_hash_bytes(RB_HASH_START, text, strlen(text));
    rb_instance_keep(equations, path, (double)(hash >> 11));
    return RB_OK;
}

RbStatus rb_model_override_array(RbModel *model, const char *path, int rank, const int *dims,
                                 const double *values, RbDiag *diag) {
    RbInstance *equations = rb_model_equations(model);
    if (!equations) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' cannot be set to an array: only Modelica models have arrays", path);
    }
    RB_TRY(rb_equations_set_array(equations->self, path, rank, dims, values, diag));
    int count = 1;
    for (int k = 0; k < rank; k++) count *= dims[k];
    RbFlatVar shape = {.name = path, .rank = rank};
    for (int k = 0; k < rank; k++) shape.dims[k] = dims[k];
    for (int i = 0; i < count; i++) { // a checkpoint belongs to these values
        RbText name = rb_text(model->arena);
        rb_flat_element_name(&shape, i, &name);
        rb_instance_keep(equations, name.data, values[i]);
    }
    return RB_OK;
}

RbStatus rb_model_override(RbModel *model, const char *path, double value, RbDiag *diag) {
    // What the equations know they also tell the components.
    RbInstance *equations = model->prepare ? &model->instances.data[model->equations] : NULL;
    if (equations && rb_instance_set(equations, path, value)) return RB_OK;
    for (int i = 0; i < model->instances.count; i++) {
        RbInstance *c = &model->instances.data[i];
        size_t length = strlen(c->name);
        if (length > 0 && strncmp(path, c->name, length) == 0 && path[length] == '.') {
            return rb_instance_override(c, path + length + 1, value, diag);
        }
    }
    // Equations and bodies have no name of their own.
    equations = rb_model_equations(model);
    if (equations && rb_instance_set(equations, path, value)) return RB_OK;
    for (int i = 0; equations && i < model->instances.count; i++) { // of bodies, beside equations
        RbInstance *c = &model->instances.data[i];
        if (!c->name[0] && rb_instance_has(c, path))
            return rb_instance_override(c, path, value, diag);
    }
    if (equations) return explain_refusal(equations, path, value, diag);
    for (int i = 0; i < model->instances.count; i++) {
        RbInstance *c = &model->instances.data[i];
        if (!c->name[0]) return rb_instance_override(c, path, value, diag);
    }
    return fail_unknown(model, path, diag);
}

// -------------------------------------------------------------------------------------------------
// inputs

static bool is_input(const RbInstance *c, int variable) {
    return !c->driven && c->declared.variables.data[variable].spec.kind == RB_VARIABLE_INPUT;
}

int rb_model_number_inputs(RbModel *model) {
    int count = 0;
    for (int i = 0; i < model->instances.count; i++) {
        RbInstance *c = &model->instances.data[i];
        for (int k = 0; k < c->declared.variables.count; k++) {
            if (is_input(c, k)) c->declared.variables.data[k].input = count++;
        }
    }
    const RbInstance *equations = rb_model_equations(model);
    return count + (equations ? rb_equations_input_count(equations->self) : 0);
}

RbModelInput rb_model_input(RbModel *model, int input) {
    int before = 0;
    for (int i = 0; i < model->instances.count; i++) {
        RbInstance *c = &model->instances.data[i];
        for (int k = 0; k < c->declared.variables.count; k++) {
            if (is_input(c, k) && before++ == input) return (RbModelInput){c, k, false};
        }
    }
    return (RbModelInput){rb_model_equations(model), input - before, true};
}

void rb_model_input_function(RbModel *model, RbInputFunction function, void *user) {
    RbInstance *equations = rb_model_equations(model);
    model->input_function = function;
    model->input_user = user;
    if (equations) rb_equations_input_function(equations->self, function, user);
}
