// SPDX-License-Identifier: MIT
// repeated.h: a modification that gives the same thing twice, P p(q = 1, q = 2), is refused with both
// places. x(min = 1), x(max = 2), x = 3 are three things.
#pragma once

#include "syntax/parser.h"

void rb_refuse_repeated(RbParser *p, const RbAstMod *mod);
