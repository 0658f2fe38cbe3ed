// SPDX-License-Identifier: MIT
// What a model consists of, and values as text (include/rattleback/model.h).
#include "api_context.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/overview.h"
#include "multibody/multibody.h"
#include "translate/array_text.h"

typedef struct ModelTextCall {
    RbContext *context;
    RbModel *model;
    const char *path, *value;
    const char *text; // answers
    RbModelVariables variables;
    RbModelComponent *components;
} ModelTextCall;

RbModelInfo rb_model_info(const RbModel *model) {
    if (!model) return (RbModelInfo){0};
    RbModelInfo info = rb_model_overview(model);
    for (int i = 0; i < model->instances.count; i++)
        info.bodies |= model->instances.data[i].type == &rb_multibody;
    return info;
}

// -------------------------------------------------------------------------------------------------
// lists

static RbStatus list_components(void *argument) {
    ModelTextCall *call = argument;
    int count = call->model->instances.count;
    call->components = rb_new_array(&call->context->arena, RbModelComponent, count);
    for (int i = 0; i < count; i++) {
        const RbInstance *c = &call->model->instances.data[i];
        call->components[i] = (RbModelComponent){c->name, c->type->name,
                                                 c->type->description ? c->type->description : ""};
    }
    return RB_OK;
}

RbStatus rb_model_components(const RbModel *model, const RbModelComponent **components,
                             int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, components);
    RB_NEED(model->context, count);
    ModelTextCall call = {.context = model->context, .model = (RbModel *)(uintptr_t)model};
    *count = 0;
    *components = NULL;
    if (model->translation) return RB_OK;
    RB_TRY(rb_context_call(model->context, list_components, &call));
    *components = call.components;
    *count = model->instances.count;
    return RB_OK;
}

static RbStatus list_variables(void *argument) {
    ModelTextCall *call = argument;
    call->variables = rb_model_list_variables(call->model, &call->context->arena);
    return RB_OK;
}

RbStatus rb_model_variables(const RbModel *model, const RbModelVariable **variables, int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, variables);
    RB_NEED(model->context, count);
    ModelTextCall call = {.context = model->context, .model = (RbModel *)(uintptr_t)model};
    RbStatus status = rb_context_call(model->context, list_variables, &call);
    *variables = status == RB_OK ? call.variables.data : NULL;
    *count = status == RB_OK ? call.variables.count : 0;
    return status;
}

static RbStatus describe_system(void *argument) {
    ModelTextCall *call = argument;
    RbContext *c = call->context;
    RbText text = rb_text(&c->arena);
    RB_TRY(rb_model_describe_system(call->model, &c->arena, c->scratch, &c->diag, &text));
    call->text = rb_text_done(&text);
    return RB_OK;
}

RbStatus rb_model_system(RbModel *model, const char **text) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, text);
    ModelTextCall call = {.context = model->context, .model = model};
    RbStatus status = rb_context_call(model->context, describe_system, &call);
    *text = call.text;
    return status;
}

// -------------------------------------------------------------------------------------------------
// values as text

static RbStatus set_text(void *argument) {
    ModelTextCall *call = argument;
    RbDiag *diag = &call->context->diag;
    const char *value = call->value;
    double number;
    if (value[0] == '[' || value[0] == '{') {
        RbArrayText array;
        const char *wrong = rb_array_parse(value, &call->context->arena, &array);
        if (wrong)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': %s", call->path, value,
                           wrong);
        return rb_model_override_array(call->model, call->path, array.rank, array.dims,
                                       array.values, diag);
    }
    if (rb_model_is_string(call->model, call->path))
        return rb_model_override_text(call->model, call->path, value, diag);
    if (!rb_number_parse(value, value + strlen(value), &number) &&
        !rb_model_literal(call->model, call->path, value, &number))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': '%s' is not a number",
                       call->path, value, value);
    if (!isfinite(number))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': '%s' is not a finite number",
                       call->path, value, value);
    return rb_model_override(call->model, call->path, number, diag);
}

static RbStatus record_contact(void *argument) {
    ModelTextCall *call = argument;
    RbModel *m = call->model;
    RbNamePair pair = {rb_arena_text(m->arena, call->path), rb_arena_text(m->arena, call->value)};
    bool any = false;
    for (int i = 0; i < m->instances.count; i++) {
        if (!m->instances.data[i].declared.gathered) continue;
        rb_array_push(&m->instances.data[i].contacts, m->arena, pair);
        any = true;
    }
    if (any) return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' has no parts that could touch: there is no contact of '%s' and '%s'",
                   m->name, pair.a, pair.b);
}

RbStatus rb_model_record_contact(RbModel *model, const char *a, const char *b) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, a);
    RB_NEED(model->context, b);
    ModelTextCall call = {.context = model->context, .model = model, .path = a, .value = b};
    return rb_context_call(model->context, record_contact, &call);
}

RbStatus rb_model_set_text(RbModel *model, const char *path, const char *value) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    RB_NEED(model->context, value);
    ModelTextCall call = {.context = model->context, .model = model, .path = path, .value = value};
    return rb_context_call(model->context, set_text, &call);
}
