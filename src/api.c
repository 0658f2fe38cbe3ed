// SPDX-License-Identifier: MIT
// Models and their options (include/rattleback/sim.h): every entry is a protected call, so that running out of
// memory anywhere below comes back as RB_ERROR_MEMORY with everything given back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api_context.h"
#include "model/example.h"

// What the protected calls are about.
typedef struct ModelCall {
    RbContext *context;
    RbModel *model;
    const char *name, *type;
    double value;
    int rank; // of an array
    const int *dims;
    const double *values;
} ModelCall;

// ----------------------------------------------------------------------------------------------------
// models

static RbStatus create_model(void *argument) {
    ModelCall *call = argument;
    call->model = rb_model_new(call->name, "", &call->context->arena);
    call->model->context = call->context;
    return RB_OK;
}

static RbStatus open_example(void *argument) {
    ModelCall *call = argument;
    RB_TRY(rb_example_build(call->name, &call->context->arena, &call->context->diag, &call->model));
    call->model->context = call->context;
    return RB_OK;
}

static RbStatus add_component(void *argument) {
    ModelCall *call = argument;
    RbContext *c = call->context;
    const RbComponentType *type = rb_registry_find(&c->registry, call->type, &c->diag);
    return type ? rb_model_add(call->model, type, call->name, &c->diag, NULL) : RB_ERROR_MODEL;
}

static RbStatus set_array(void *argument) {
    ModelCall *call = argument;
    RbDiag *diag = &call->context->diag;
    int rank = call->rank;
    bool good = (rank == 1 && call->dims[0] >= 0) ||
                (rank == 2 && call->dims[0] >= 0 && call->dims[1] >= 0);
    if (!good) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' is set to an array of rank %d; vectors (1) and matrices (2) of sizes "
                       "that are not negative can be set",
                       call->name, rank);
    }
    return rb_model_override_array(call->model, call->name, rank, call->dims, call->values, diag);
}

static RbStatus set_value(void *argument) {
    ModelCall *call = argument;
    return rb_model_override(call->model, call->name, call->value, &call->context->diag);
}

RbStatus rb_model_create(RbContext *c, const char *name, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, name);
    ModelCall call = {.context = c, .name = name};
    RbStatus status = rb_context_call(c, create_model, &call);
    *model = call.model;
    return status;
}

RbStatus rb_example_open(RbContext *c, const char *name, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, name);
    ModelCall call = {.context = c, .name = name};
    RbStatus status = rb_context_call(c, open_example, &call);
    *model = call.model;
    return status;
}

RbStatus rb_model_check_free(const RbModel *model, const char *function) {
    if (!model) return RB_ERROR_USAGE;
    if (!model->running) return RB_OK;
    return rb_bad_argument(model->context, function, "model",
                           "has a run that is open: set values of the run instead");
}

RbStatus rb_model_add_component(RbModel *model, const char *type, const char *name) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, type);
    RB_NEED(model->context, name);
    ModelCall call = {.context = model->context, .model = model, .name = name, .type = type};
    return rb_context_call(model->context, add_component, &call);
}

RbStatus rb_model_set(RbModel *model, const char *path, double value) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    if (isnan(value)) return rb_bad_argument(model->context, __func__, "value", "is not a number");
    ModelCall call = {.context = model->context, .model = model, .name = path, .value = value};
    return rb_context_call(model->context, set_value, &call);
}

RbStatus rb_model_set_array(RbModel *model, const char *path, int rank, const int *dims,
                            const double *values) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    RB_NEED(model->context, dims);
    RB_NEED(model->context, values);
    ModelCall call = {.context = model->context,
                      .model = model,
                      .name = path,
                      .rank = rank,
                      .dims = dims,
                      .values = values};
    return rb_context_call(model->context, set_array, &call);
}

bool rb_example(int index, const char **name, const char **description) {
    if (index < 0) return false;
    for (int i = 0; i <= index; i++) {
        if (!rb_examples[i].name) return false;
    }
    if (name) *name = rb_examples[index].name;
    if (description) *description = rb_examples[index].description;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// running

RbSimOptions rb_sim_options_default(void) {
    return (RbSimOptions){.stop_time = 1.0,
                          .tolerance = 1e-6,
                          .output_interval = 1.0 / 500,
                          .solver = "auto",
                          .max_event_iterations = 100};
}

RbSimOptions rb_model_options(const RbModel *model) {
    RbSimOptions o = rb_sim_options_default();
    if (!model) return o;
    o.start_time = model->start_time;
    if (model->stop_time != 0 || model->says_when) o.stop_time = model->stop_time;
    if (model->tolerance > 0) o.tolerance = model->tolerance;
    if (model->solver) o.solver = model->solver;
    o.output_interval =
        model->output_interval > 0 ? model->output_interval : (o.stop_time - o.start_time) / 500;
    return o;
}
