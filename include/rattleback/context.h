// SPDX-License-Identifier: MIT
// context.h: what owns everything else: models, components, messages, log.
//
//     RbContext *context = rb_context_create(NULL);
//     rb_context_log(context, "EVENTS", print_line, NULL);
//     ...
//     for (int i = 0; i < rb_context_message_count(context); i++) puts(rb_context_message(context, i));
//     rb_context_free(context);
//
// One context per thread; contexts are independent of each other. Nothing here prints or exits.
#pragma once

#include <stdbool.h>

#include "rattleback/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbContext RbContext;

// NULL if there is no memory, or the allocator has no function. allocator may be NULL (the C library's).
RB_API RbContext *rb_context_create(const RbAllocator *allocator);
RB_API void rb_context_free(RbContext *context);

// -------------------------------------------------------------------------------------------------
// messages

// Errors, warnings and notes so far, each as text in the format of a compiler, with the line of the
// source it is about; as one line of JSON; or as data. NULL and RB_ERROR_USAGE: there is no such
// message.
RB_API int rb_context_message_count(const RbContext *context);
RB_API const char *rb_context_message(const RbContext *context, int index);
RB_API const char *rb_context_message_json(const RbContext *context, int index);
RB_API RbStatus rb_context_message_data(const RbContext *context, int index, RbMessage *message);

// Add a message of the program's own. Answers its status, so that a function can
// `return rb_context_tell(...)`.
RB_API RbStatus rb_context_tell(RbContext *context, const RbMessage *message);

// The first of the names that are nearest to the one that was wanted, for "did you mean ...?"; NULL:
// none is near.
RB_API const char *rb_nearest_name(const char *wanted, const char *const *names, int count);

// -------------------------------------------------------------------------------------------------
// log

// Lines of this topic ("EVENTS", "SOLVER", ...) and of those chosen before go to sink.
// RB_ERROR_USAGE for an unknown topic.
typedef void (*RbLogSink)(void *user, const char *topic, const char *line);
RB_API RbStatus rb_context_log(RbContext *context, const char *topic, RbLogSink sink, void *user);

// Name of topic i, NULL after the last one.
RB_API const char *rb_log_topic(int index);

// -------------------------------------------------------------------------------------------------
// components

// Add a component of the program's own, which must live as long as the context; or those of a
// shared object.
RB_API RbStatus rb_context_add_component(RbContext *context, const RbComponentType *type);
RB_API RbStatus rb_context_load_plugin(RbContext *context, const char *path);

// Component number i of those that are built in or were added; false after the last one. name and
// description may be NULL.
RB_API bool rb_context_component(const RbContext *context, int index, const char **name,
                                 const char **description);

#ifdef __cplusplus
}
#endif
