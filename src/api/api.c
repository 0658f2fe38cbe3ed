// SPDX-License-Identifier: MIT
// Models and their options (include/rattleback/sim.h): every entry is a protected call, so that running out of
// memory anywhere below comes back as RB_ERROR_MEMORY with everything given back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_context.h"
#include "model/example.h"

// What the protected calls are about.
// ----------------------------------------------------------------------------------------------------
// models

RbStatus rb_model_create(RbContext *c, const char *name, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, name);
    RB_CALL(c);
    *model = rb_model_new(name, "", &c->arena);
    (*model)->context = c;
    return RB_OK;
}

RbStatus rb_example_open(RbContext *c, const char *name, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, name);
    RB_CALL(c);
    RB_TRY(rb_example_build(name, &c->arena, &c->diag, model));
    (*model)->context = c;
    return RB_OK;
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
    RB_CALL(model->context);
    RbContext *c = model->context;
    const RbComponentType *found = rb_registry_find(&c->registry, type, &c->diag);
    return found ? rb_model_add(model, found, name, &c->diag, NULL) : RB_ERROR_MODEL;
}

RbStatus rb_model_set(RbModel *model, const char *path, double value) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    if (isnan(value)) return rb_bad_argument(model->context, __func__, "value", "is not a number");
    RB_CALL(model->context);
    return rb_model_override(model, path, value, &model->context->diag);
}

RbStatus rb_model_set_array(RbModel *model, const char *path, int rank, const int *dims,
                            const double *values) {
    RB_TRY(rb_model_check_free(model, __func__));
    RB_NEED(model->context, path);
    RB_NEED(model->context, dims);
    RB_NEED(model->context, values);
    RB_CALL(model->context);
    RbDiag *diag = &model->context->diag;
    bool good = (rank == 1 && dims[0] >= 0) || (rank == 2 && dims[0] >= 0 && dims[1] >= 0);
    if (!good) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' is set to an array of rank %d; vectors (1) and matrices (2) of sizes "
                       "that are not negative can be set",
                       path, rank);
    }
    return rb_model_override_array(model, path, rank, dims, values, diag);
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
