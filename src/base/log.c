// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

// ORDER RbTopic
static const char *const topic_names[RB_LOG_TOPIC_COUNT] = {
    "STATS", "EVENTS", "INIT", "SOLVER", "NLS", "ZEROCROSSINGS", "STRUCTURE",
};

const char *rb_log_topic_name(RbTopic topic) {
    return topic_names[topic];
}

int rb_log_find_topic(const char *name) {
    if (strncasecmp(name, "LOG_", 4) == 0) name += 4;
    for (int i = 0; i < RB_LOG_TOPIC_COUNT; i++) {
        if (strcasecmp(name, topic_names[i]) == 0) return i;
    }
    return -1;
}

void rb_log(const RbLog *log, RbTopic topic, const char *format, ...) {
    if (!rb_log_on(log, topic)) return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log->sink(log->user, topic, line);
}
