// SPDX-License-Identifier: MIT
// What a model consists of, and values as text (include/rattleback/model.h).
#include "api/api_context.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/overview.h"
#include "multibody/multibody.h"
#include "translate/array_text.h"

RbModelInfo rb_model_info(const RbModel *model) {
    if (!model) return (RbModelInfo){0};
    RbModelInfo info = rb_model_overview(model);
    for (int i = 0; i < model->instances.count; i++)
        info.bodies |= model->instances.data[i].type == &rb_multibody;
    return info;
}

// -------------------------------------------------------------------------------------------------
// lists

RbStatus rb_model_components(const RbModel *model, const RbModelComponent **components,
                             int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, components);
    RB_NEED(model->context, count);
    *count = 0;
    *components = NULL;
    if (model->translation) return RB_OK;
    RB_CALL(model->context);
    int n = model->instances.count;
    RbModelComponent *list = rb_new_array(&model->context->arena, RbModelComponent, n);
    for (int i = 0; i < n; i++) {
        const RbInstance *c = &model->instances.data[i];
        list[i] = (RbModelComponent){c->name, c->type->name,
                                     c->type->description ? c->type->description : ""};
    }
    *components = list;
    *count = n;
    return RB_OK;
}

RbStatus rb_model_variables(const RbModel *model, const RbModelVariable **variables, int *count) {
    if (!model) return RB_ERROR_USAGE;
    RB_NEED(model->context, variables);
    RB_NEED(model->context, count);
    *variables = NULL;
    *count = 0;
    RB_CALL(model->context);
    RbModelVariables list =
        rb_model_list_variables((RbModel *)(uintptr_t)model, &model->context->arena);
    *variables = list.data;
    *count = list.count;
    return RB_OK;
}

RbStatus rb_model_system(RbModel *model, const char **text) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, text);
    *text = NULL;
    RB_CALL(model->context);
    RbContext *c = model->context;
    RbText out = rb_text(&c->arena);
    RB_TRY(rb_model_describe_system(model, &c->arena, c->scratch, &c->diag, &out));
    *text = rb_text_done(&out);
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// values as text

RbStatus rb_model_record_contact(RbModel *model, const char *a, const char *b) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, a);
    RB_NEED(model->context, b);
    RB_CALL(model->context);
    RbNamePair pair = {rb_arena_text(model->arena, a), rb_arena_text(model->arena, b)};
    bool any = false;
    for (int i = 0; i < model->instances.count; i++) {
        if (!model->instances.data[i].declared.gathered) continue;
        rb_array_push(&model->instances.data[i].contacts, model->arena, pair);
        any = true;
    }
    if (any) return RB_OK;
    return rb_fail(&model->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' has no parts that could touch: there is no contact of '%s' and '%s'",
                   model->name, pair.a, pair.b);
}

RbStatus rb_model_set_text(RbModel *model, const char *path, const char *value) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    RB_NEED(model->context, value);
    RB_CALL(model->context);
    RbDiag *diag = &model->context->diag;
    double number;
    if (value[0] == '[' || value[0] == '{') {
        RbArrayText array;
        const char *wrong = rb_array_parse(value, &model->context->arena, &array);
        if (wrong)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': %s", path, value, wrong);
        return rb_model_override_array(model, path, array.rank, array.dims, array.values, diag);
    }
    if (rb_model_is_string(model, path)) return rb_model_override_text(model, path, value, diag);
    if (!rb_number_parse(value, value + strlen(value), &number) &&
        !rb_model_literal(model, path, value, &number))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': '%s' is not a number", path,
                       value, value);
    if (!isfinite(number))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s=%s': '%s' is not a finite number",
                       path, value, value);
    return rb_model_override(model, path, number, diag);
}
