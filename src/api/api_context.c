// SPDX-License-Identifier: MIT
// The context behind every handle: its messages, its log, its components (include/rattleback/context.h).
#include "api/api_context.h"

#include "base/build_id.h"

// -------------------------------------------------------------------------------------------------
// context

static RbStatus open_context(RbContext *c) {
    RB_CALL(c);
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
    if (open_context(c) == RB_OK) return c;
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

RbStatus rb_bad_argument(RbContext *c, const char *function, const char *argument,
                         const char *why) {
    if (!c) return RB_ERROR_USAGE;
    RB_CALL(c);
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE, "%s: argument '%s' %s", function, argument,
                   why);
}

// -------------------------------------------------------------------------------------------------
// messages

static const char *message_text(RbContext *c, int index, bool json) {
    if (!c || index < 0 || index >= c->diag.messages.count) return NULL;
    const RbMessage *m = &c->diag.messages.data[index];
    RB_PROTECT(&c->heap, m->text);
    RbText out = rb_text(&c->arena);
    if (json)
        rb_diag_print_json(m, &out);
    else
        rb_diag_print(&c->diag, m, &out);
    return out.data;
}

int rb_context_message_count(const RbContext *c) {
    return c ? c->diag.messages.count : 0;
}

const char *rb_context_message(const RbContext *c, int index) {
    return message_text((RbContext *)(uintptr_t)c, index, false);
}

const char *rb_context_message_json(const RbContext *c, int index) {
    return message_text((RbContext *)(uintptr_t)c, index, true);
}

RbStatus rb_context_message_data(const RbContext *c, int index, RbMessage *message) {
    if (!c || !message || index < 0 || index >= c->diag.messages.count) return RB_ERROR_USAGE;
    *message = c->diag.messages.data[index];
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
    RB_CALL(c);
    RbDiag *diag = &c->diag;
    if (message->severity == RB_ERROR)
        return rb_fail(diag, message->status, message->at, "%s", message->text);
    (message->severity == RB_WARNING ? rb_warn : rb_note)(diag, message->at, "%s", message->text);
    return RB_OK;
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

static RbStatus fail_topic(RbContext *c, const char *topic) {
    RB_CALL(c);
    RbNear near = {.wanted = topic};
    RbText all = rb_text(&c->arena);
    for (int i = 0; i < RB_LOG_TOPIC_COUNT; i++) {
        rb_text_try_near(&near, rb_log_topic(i));
        rb_text_printf(&all, "%s%s", i > 0 ? ", " : "", rb_log_topic(i));
    }
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no log topic '%s'; there are: %s%s", topic, all.data,
                   rb_text_near_question(&near, "", &c->arena));
}

RbStatus rb_context_log(RbContext *c, const char *topic, RbLogSink sink, void *user) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, topic);
    RB_NEED(c, sink);
    int found = rb_log_find_topic(topic);
    if (found < 0) return fail_topic(c, topic);
    c->log.topics |= 1u << found;
    c->log.sink = pass_line;
    c->log.user = c;
    c->log_sink = sink;
    c->log_user = user;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// components

RbStatus rb_context_add_component(RbContext *c, const RbComponentType *type) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, type);
    if (type->version != RB_COMPONENT_VERSION)
        return rb_bad_argument(c, __func__, "type->version", "is not RB_COMPONENT_VERSION");
    RB_NEED(c, type->name);
    RB_NEED(c, type->build);
    RB_NEED(c, type->start_segment);
    RB_NEED(c, type->evaluate);
    RB_CALL(c);
    return rb_registry_add(&c->registry, type, NULL, &c->diag);
}

RbStatus rb_context_load_plugin(RbContext *c, const char *path) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, path);
    RB_CALL(c);
    return rb_registry_load_plugin(&c->registry, path, &c->diag);
}

bool rb_context_component(const RbContext *c, int index, const char **name,
                          const char **description) {
    if (!c || index < 0 || index >= c->registry.types.count) return false;
    const RbComponentType *type = c->registry.types.data[index];
    if (name) *name = type->name;
    if (description) *description = type->description ? type->description : "";
    return true;
}
