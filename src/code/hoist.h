// SPDX-License-Identifier: MIT
// hoist.h: expressions over parameters and constants alone are computed once, when the parameters
// are known, and not in every evaluation: in area h, by section HOISTED. The interpreter computes
// them where they stand, with the same operations and so the same bits.
#pragma once

#include "code/lower.h"

void rb_hoist(RbLowered *l, RbArena *arena, RbArena scratch);

// Place of a node in h, or -1.
static inline int rb_hoisted(const RbLowered *l, const RbExpr *n) {
    return n->id < l->hoisted_count ? l->hoisted[n->id] - 1 : -1;
}
