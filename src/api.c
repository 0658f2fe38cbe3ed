// SPDX-License-Identifier: MIT
// The public interface of simulation: every entry is a protected call, so that running out of
// memory anywhere below comes back as RB_ERROR_MEMORY with everything given back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api_context.h"
#include "io/result_file.h"
#include "model/example.h"

// What the protected calls are about.
typedef struct ModelCall {
    RbContext *context;
    RbModel *model;
    const RbComponentType *component;
    const char *name, *type;
    double value;
    int rank; // of an array
    const int *dims;
    const double *values;
} ModelCall;

// -------------------------------------------------------------------------------------------------
// context

static RbStatus open_context(void *argument) {
    RbContext *c = argument;
    c->arena = rb_arena(&c->heap);
    c->scratch = rb_arena(&c->heap);
    c->diag = rb_diag(&c->arena);
    c->registry = rb_registry(&c->arena);
    return RB_OK;
}

const char *rb_version(void) {
    return RB_VERSION_STRING;
}

RbContext *rb_context_create(const RbAllocator *allocator) {
    RbHeap heap = rb_heap(allocator);
    RbContext *c = heap.allocator.resize(heap.allocator.user, NULL, 0, sizeof *c);
    if (!c) return NULL;
    *c = (RbContext){.heap = heap};
    if (rb_protect(&c->heap, open_context, c) == RB_OK) return c;
    rb_context_free(c);
    return NULL;
}

void rb_context_free(RbContext *c) {
    if (!c) return;
    rb_close_runs(c);
    rb_arena_free(&c->scratch);
    rb_arena_free(&c->arena);
    RbAllocator allocator = c->heap.allocator;
    allocator.resize(allocator.user, c, sizeof *c, 0);
}

typedef struct BadArgument {
    RbContext *context;
    const char *function, *argument, *why;
} BadArgument;

static RbStatus tell_bad_argument(void *argument) {
    const BadArgument *a = argument;
    return rb_fail(&a->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "%s: argument '%s' %s",
                   a->function, a->argument, a->why);
}

RbStatus rb_bad_argument(RbContext *c, const char *function, const char *argument,
                         const char *why) {
    if (!c) return RB_ERROR_USAGE;
    return rb_context_call(c, tell_bad_argument, &(BadArgument){c, function, argument, why});
}

int rb_context_message_count(const RbContext *c) {
    if (!c) return 0;
    return c->diag.messages.count;
}

typedef struct PrintCall {
    RbContext *context;
    int index;
    const char *text;
} PrintCall;

static RbStatus print_message(void *argument) {
    PrintCall *call = argument;
    RbDiag *diag = &call->context->diag;
    RbText out = rb_text(&call->context->arena);
    rb_diag_print(diag, &diag->messages.data[call->index], &out);
    call->text = out.data;
    return RB_OK;
}

const char *rb_context_message(const RbContext *c, int index) {
    if (!c || index < 0 || index >= c->diag.messages.count) return NULL;
    PrintCall call = {.context = (RbContext *)(uintptr_t)c, .index = index};
    if (rb_protect(&call.context->heap, print_message, &call) != RB_OK)
        return c->diag.messages.data[index].text;
    return call.text;
}

static void pass_line(void *user, RbTopic topic, const char *line) {
    (void)topic;
    RbContext *c = user;
    c->log_sink(c->log_user, line);
}

static RbStatus fail_topic(void *argument) {
    ModelCall *call = argument;
    return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "there is no log topic '%s'",
                   call->name);
}

RbStatus rb_context_log(RbContext *c, const char *topic, void (*sink)(void *user, const char *line),
                        void *user) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, topic);
    RB_NEED(c, sink);
    int found = rb_log_find_topic(topic);
    if (found < 0) return rb_context_call(c, fail_topic, &(ModelCall){.context = c, .name = topic});
    c->log.topics |= 1u << found;
    c->log.sink = pass_line;
    c->log.user = c;
    c->log_sink = sink;
    c->log_user = user;
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// models

static RbStatus load_plugin(void *argument) {
    ModelCall *call = argument;
    return rb_registry_load_plugin(&call->context->registry, call->name, &call->context->diag);
}

static RbStatus add_type(void *argument) {
    ModelCall *call = argument;
    return rb_registry_add(&call->context->registry, call->component, NULL, &call->context->diag);
}

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

RbStatus rb_context_add_component(RbContext *c, const RbComponentType *type) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, type);
    if (type->version != RB_COMPONENT_VERSION)
        return rb_bad_argument(c, __func__, "type->version", "is not RB_COMPONENT_VERSION");
    RB_NEED(c, type->name);
    RB_NEED(c, type->build);
    RB_NEED(c, type->start_segment);
    RB_NEED(c, type->evaluate);
    return rb_context_call(c, add_type, &(ModelCall){.context = c, .component = type});
}

RbStatus rb_context_load_plugin(RbContext *c, const char *path) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, path);
    return rb_context_call(c, load_plugin, &(ModelCall){.context = c, .name = path});
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

// May the model be changed?
static RbStatus check_model(const RbModel *model, const char *function) {
    if (!model) return RB_ERROR_USAGE;
    if (!model->running) return RB_OK;
    return rb_bad_argument(model->context, function, "model",
                           "has a run that is open: set values of the run instead");
}

RbStatus rb_model_add_component(RbModel *model, const char *type, const char *name) {
    RB_TRY(check_model(model, __func__));
    RB_NEED(model->context, type);
    RB_NEED(model->context, name);
    ModelCall call = {.context = model->context, .model = model, .name = name, .type = type};
    return rb_context_call(model->context, add_component, &call);
}

RbStatus rb_model_set(RbModel *model, const char *path, double value) {
    RB_TRY(check_model(model, __func__));
    RB_NEED(model->context, path);
    if (isnan(value)) return rb_bad_argument(model->context, __func__, "value", "is not a number");
    ModelCall call = {.context = model->context, .model = model, .name = path, .value = value};
    return rb_context_call(model->context, set_value, &call);
}

RbStatus rb_model_set_array(RbModel *model, const char *path, int rank, const int *dims,
                            const double *values) {
    RB_TRY(check_model(model, __func__));
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
    if (model->stop_time != 0) o.stop_time = model->stop_time;
    if (model->tolerance > 0) o.tolerance = model->tolerance;
    if (model->solver) o.solver = model->solver;
    o.output_interval =
        model->output_interval > 0 ? model->output_interval : (o.stop_time - o.start_time) / 500;
    return o;
}

// ---------------------------------------------------------------------------------------------------
// results

typedef struct ConvertCall {
    RbContext *context;
    const char *from, *to;
    RbArena keep, scratch;
} ConvertCall;

static RbStatus convert(void *argument) {
    ConvertCall *call = argument;
    RbHeap *heap = &call->context->heap;
    RbResult *result;
    call->keep = rb_arena(heap);
    call->scratch = rb_arena(heap);
    RbDiag *diag = &call->context->diag;
    RB_TRY(
        rb_result_read(call->from, RB_JOURNAL_STREAM, &call->keep, call->scratch, diag, &result));
    return rb_result_write(call->to, result, &call->keep, call->scratch, diag);
}

RbStatus rb_convert(RbContext *c, const char *from, const char *to) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, from);
    RB_NEED(c, to);
    ConvertCall call = {.context = c, .from = from, .to = to};
    RbStatus status = rb_context_call(c, convert, &call);
    rb_arena_free(&call.scratch);
    rb_arena_free(&call.keep);
    return status;
}
