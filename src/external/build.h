// SPDX-License-Identifier: MIT
// build.h: where the libraries of an external function are, and how its C text becomes a shared
// object.
#pragma once

#include "base/array.h"
#include "expr/flat_model.h"

// What was found for the annotation Library.
typedef struct RbFound {
    RB_ARRAY(const char *) paths;   // libraries, shared or archives
    RB_ARRAY(const char *) sources; // C files of libraries that are not there
    RB_ARRAY(const char *) names;   // left to the linker
    bool has_archives;
    const char *report; // "searched as libx.so in ...": for messages
} RbFound;

RbFound rb_find_libraries(const RbFunction *f, RbArena *arena);

// The text compiled together with the sources and libraries, in the user's cache; made only if it
// is not there yet. *object is its path.
RbStatus rb_build_object(const RbFunction *f, const char *text, const RbFound *found,
                         RbArena *arena, RbDiag *diag, const char **object);
