// SPDX-License-Identifier: MIT
// intern.h: each distinct string once, so that equal names are equal pointers.
#pragma once

#include "base/map.h"

// A string that came from an RbNames: compare with ==, print with %s.
typedef const char *RbName;

typedef struct RbNames {
    RbArena *arena;
    RbMap by_hash; // hash of the text -> newest Name with that hash
} RbNames;

RbNames rb_names(RbArena *arena);
RbName rb_intern(RbNames *names, const char *text);
RbName rb_intern_bytes(RbNames *names, const char *bytes, size_t length);
