// SPDX-License-Identifier: MIT
// diag.h: what went wrong, where, and what to do about it. The library collects messages here and
// never prints.
//
//     if (!(mass > 0)) {
//         return rb_fail(diag, RB_ERROR_MODEL, at, "mass of '%s' is %g kg; it must be positive",
//         name, mass);
//     }
//     RB_TRY(check_inertia(body, diag));
#pragma once

#include "base/text.h"

typedef struct RbSource {
    const char *file;
    const char *text;
    size_t length;
    int since; // number of messages that are older than this text
} RbSource;

typedef struct RbDiag {
    RbArena *arena;
    RB_ARRAY(RbMessage) messages;
    RB_ARRAY(RbSource) sources; // for the line with the caret
    int error_count;
    int error_limit; // further errors are counted but not kept
    // What is being worked on, for the message when that takes too long: "the class 'A'".
    const char *busy_kind, *busy_name;
    RbPos busy_at;
} RbDiag;

// Say what is being worked on. The name lives as long as the work.
static inline void rb_diag_busy(RbDiag *diag, const char *kind, const char *name, RbPos at) {
    diag->busy_kind = kind;
    diag->busy_name = name;
    diag->busy_at = at;
}

// Messages live in the arena.
RbDiag rb_diag(RbArena *arena);

// Let messages about this file show the line. The text must live as long as the diagnostics.
void rb_diag_add_source(RbDiag *diag, const char *file, const char *text, size_t length);

// Add an error and answer its status, so that a function can `return rb_fail(...)`.
RbStatus rb_fail(RbDiag *diag, RbStatus status, RbPos at, const char *format, ...) RB_PRINTF(4, 5);
void rb_warn(RbDiag *diag, RbPos at, const char *format, ...) RB_PRINTF(3, 4);
void rb_note(RbDiag *diag, RbPos at, const char *format, ...) RB_PRINTF(3, 4);

// One message of this diag as `file:line:col: error: text [code]`, then the source line and a caret
// where it is known.
void rb_diag_print(const RbDiag *diag, const RbMessage *message, RbText *out);

// One message as a JSON object on one line.
void rb_diag_print_json(const RbMessage *message, RbText *out);

// No place in a source text.
#define RB_NOWHERE ((RbPos){0})

// A whole file.
static inline RbPos rb_in_file(const char *file) {
    return (RbPos){.file = file};
}

// Leave the function if a call did not succeed; nothing else is hidden here.
#define RB_TRY(call)                                                                               \
    do {                                                                                           \
        RbStatus rb_try_status = (call);                                                           \
        if (rb_try_status != RB_OK) return rb_try_status;                                          \
    } while (0)
