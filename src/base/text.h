// SPDX-License-Identifier: MIT
// text.h: building text of any length in an arena, and small questions about strings.
#pragma once

#include <stdbool.h>

#include "base/array.h"

// data is always a C string once something was added.
typedef struct RbText {
    RbArena *arena;
    char *data;
    int count; // without the final 0
    int capacity;
} RbText;

RbText rb_text(RbArena *arena);
void rb_text_add(RbText *text, const char *more);
void rb_text_add_bytes(RbText *text, const char *bytes, size_t length);
void rb_text_printf(RbText *text, const char *format, ...) RB_PRINTF(2, 3);

// A string as it stands between quotes in JSON (control characters, quote and backslash escaped).
void rb_text_add_json(RbText *text, const char *value);

// The shortest decimal number that reads back as the same double; nan, inf, -inf as such.
void rb_text_add_double(RbText *text, double value);

bool rb_text_ends_with(const char *text, const char *end);

// Number of edits from a to b (a letter more, less or another one, two that have changed places), at most
// limit + 1: for "did you mean ...?".
int rb_text_edit_distance(const char *a, const char *b, int limit);

// The candidate nearest to a wanted name, the first of several; name stays NULL if none is near.
//     RbNear near = {.wanted = name};
//     for (...) rb_text_try_near(&near, candidate);
//     rb_fail(..., "there is no '%s'%s", name, rb_text_near_question(&near, "", arena));
typedef struct RbNear {
    const char *wanted;
    const char *name;
    int distance;
} RbNear;

void rb_text_try_near(RbNear *near, const char *candidate);

// "; did you mean '<before>name'?", or "" if nothing is near.
const char *rb_text_near_question(const RbNear *near, const char *before, RbArena *arena);
