// SPDX-License-Identifier: MIT
// The context behind every handle: its messages, its log, its components (include/rattleback/context.h).
#include "api_context.h"

#include "base/build_id.h"

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

const char *rb_build_name(void) {
    return rb_build_id;
}

RbContext *rb_context_create(const RbAllocator *allocator) {
    if (allocator && !allocator->resize) return NULL;
    RbHeap heap = rb_heap(allocator);
    RbContext *c = heap.allocator.resize(heap.allocator.user, NULL, 0, sizeof *c);
    if (!c) return NULL;
    *c = (RbContext){.heap = heap};
    if (rb_protect(&c->heap, open_context, c) == RB_OK) return c;
    rb_context_free(c);
    return NULL;
}

void rb_context_free(RbContext *c) {
    if (!c || !rb_close_runs(c)) return;
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

// -------------------------------------------------------------------------------------------------
// messages

typedef struct MessageCall {
    RbContext *context;
    int index;
    bool json;
    const RbMessage *message;
    const char *text;
} MessageCall;

static RbStatus print_message(void *argument) {
    MessageCall *call = argument;
    RbDiag *diag = &call->context->diag;
    RbText out = rb_text(&call->context->arena);
    if (call->json)
        rb_diag_print_json(&diag->messages.data[call->index], &out);
    else
        rb_diag_print(diag, &diag->messages.data[call->index], &out);
    call->text = out.data;
    return RB_OK;
}

static const char *message_text(const RbContext *c, int index, bool json) {
    if (!c || index < 0 || index >= c->diag.messages.count) return NULL;
    MessageCall call = {.context = (RbContext *)(uintptr_t)c, .index = index, .json = json};
    if (rb_protect(&call.context->heap, print_message, &call) != RB_OK)
        return c->diag.messages.data[index].text;
    return call.text;
}

int rb_context_message_count(const RbContext *c) {
    return c ? c->diag.messages.count : 0;
}

const char *rb_context_message(const RbContext *c, int index) {
    return message_text(c, index, false);
}

const char *rb_context_message_json(const RbContext *c, int index) {
    return message_text(c, index, true);
}

RbStatus rb_context_message_data(const RbContext *c, int index, RbMessage *message) {
    if (!c || !message || index < 0 || index >= c->diag.messages.count) return RB_ERROR_USAGE;
    *message = c->diag.messages.data[index];
    return RB_OK;
}

static RbStatus tell(void *argument) {
    MessageCall *call = argument;
    RbDiag *diag = &call->context->diag;
    const RbMessage *m = call->message;
    if (m->severity == RB_ERROR) return rb_fail(diag, m->status, m->at, "%s", m->text);
    (m->severity == RB_WARNING ? rb_warn : rb_note)(diag, m->at, "%s", m->text);
    return RB_OK;
}

RbStatus rb_context_tell(RbContext *c, const RbMessage *message) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, message);
    RB_NEED(c, message->text);
    if (message->severity < RB_NOTE || message->severity > RB_ERROR)
        return rb_bad_argument(c, __func__, "message->severity", "is none of RbSeverity");
    if ((message->severity == RB_ERROR) != (message->status != RB_OK))
        return rb_bad_argument(c, __func__, "message->status",
                               "must say what kind of error it is, and RB_OK if it is none");
    return rb_context_call(c, tell, &(MessageCall){.context = c, .message = message});
}

const char *rb_nearest_name(const char *wanted, const char *const *names, int count) {
    if (!wanted || !names) return NULL;
    RbNear near = {.wanted = wanted};
    for (int i = 0; i < count; i++) {
        if (names[i]) rb_text_try_near(&near, names[i]);
    }
    return near.name;
}

// -------------------------------------------------------------------------------------------------
// log

static void pass_line(void *user, RbTopic topic, const char *line) {
    RbContext *c = user;
    c->log_sink(c->log_user, rb_log_topic_name(topic), line);
}

const char *rb_log_topic(int index) {
    return index >= 0 && index < RB_LOG_TOPIC_COUNT ? rb_log_topic_name((RbTopic)index) : NULL;
}

typedef struct ContextCall {
    RbContext *context;
    const char *text;
    const RbComponentType *type;
} ContextCall;

static RbStatus fail_topic(void *argument) {
    ContextCall *call = argument;
    RbContext *c = call->context;
    RbNear near = {.wanted = call->text};
    RbText all = rb_text(&c->arena);
    for (int i = 0; i < RB_LOG_TOPIC_COUNT; i++) {
        rb_text_try_near(&near, rb_log_topic(i));
        rb_text_printf(&all, "%s%s", i > 0 ? ", " : "", rb_log_topic(i));
    }
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no log topic '%s'; there are: %s%s", call->text, all.data,
                   rb_text_near_question(&near, "", &c->arena));
}

RbStatus rb_context_log(RbContext *c, const char *topic, RbLogSink sink, void *user) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, topic);
    RB_NEED(c, sink);
    int found = rb_log_find_topic(topic);
    if (found < 0)
        return rb_context_call(c, fail_topic, &(ContextCall){.context = c, .text = topic});
    c->log.topics |= 1u << found;
    c->log.sink = pass_line;
    c->log.user = c;
    c->log_sink = sink;
    c->log_user = user;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// components

static RbStatus load_plugin(void *argument) {
    ContextCall *call = argument;
    return rb_registry_load_plugin(&call->context->registry, call->text, &call->context->diag);
}

static RbStatus add_type(void *argument) {
    ContextCall *call = argument;
    return rb_registry_add(&call->context->registry, call->type, NULL, &call->context->diag);
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
    return rb_context_call(c, add_type, &(ContextCall){.context = c, .type = type});
}

RbStatus rb_context_load_plugin(RbContext *c, const char *path) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, path);
    return rb_context_call(c, load_plugin, &(ContextCall){.context = c, .text = path});
}

bool rb_context_component(const RbContext *c, int index, const char **name,
                          const char **description) {
    if (!c || index < 0 || index >= c->registry.types.count) return false;
    const RbComponentType *type = c->registry.types.data[index];
    if (name) *name = type->name;
    if (description) *description = type->description ? type->description : "";
    return true;
}
