// SPDX-License-Identifier: MIT
// filter.h: which variables go into a result: an extended regular expression of POSIX that must
// match the whole name. "ball.*|world\.gravity.*" keeps everything of the ball and the gravity.
#pragma once

#include "io/result.h"

typedef struct RbFilter RbFilter;

// Compile an expression; NULL or "" or ".*" match everything. It lives in *arena.
RbStatus rb_filter_compile(const char *expression, RbArena *arena, RbDiag *diag, RbFilter **out);

bool rb_filter_matches(const RbFilter *filter, const char *name);

// The variables of a result that match. Warns if none does.
RbResult *rb_filter_select(const RbFilter *filter, const RbResult *result, RbArena *arena,
                           RbArena scratch, RbDiag *diag);
