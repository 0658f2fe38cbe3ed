// SPDX-License-Identifier: MIT
// log.h: what the program did and why, by topic. The library writes lines to a sink and never
// prints.
#pragma once

#include <stdbool.h>

#include "base/text.h"

// ORDER topic names in log.c
typedef enum RbTopic {
    RB_LOG_STATS,         // checkpoints, and what the machine does besides
    RB_LOG_EVENTS,        // what happens: conditions, samples, impacts, contacts
    RB_LOG_INIT,          // states at the start
    RB_LOG_SOLVER,        // its choice, restarts, warnings
    RB_LOG_NLS,           // each solution of a nonlinear system
    RB_LOG_ZEROCROSSINGS, // event indicators that pass zero
    RB_LOG_STRUCTURE,     // segments, states that come and go
    RB_LOG_TOPIC_COUNT,
} RbTopic;

typedef struct RbLog {
    unsigned topics; // bit per topic
    void (*sink)(void *user, RbTopic topic, const char *line);
    void *user;
} RbLog;

const char *rb_log_topic_name(RbTopic topic);

// Topic by name, ignoring case and an optional LOG_ in front; -1 if there is none.
int rb_log_find_topic(const char *name);

static inline bool rb_log_on(const RbLog *log, RbTopic topic) {
    return log && log->sink && (log->topics >> topic & 1);
}

// Lines longer than about 1000 bytes are cut, so that logging never allocates.
void rb_log(const RbLog *log, RbTopic topic, const char *format, ...) RB_PRINTF(3, 4);
