// SPDX-License-Identifier: MIT
// eval_text.h: the functions of strings that Modelica libraries call by their names in C; pure, so
// they have values at translation already.
#pragma once

#include "expr/eval.h"

// False: it is none of these (or its arguments are not as they should be).
bool rb_eval_text_function(RbEnv *env, const RbFunction *f, const RbExprValue *args,
                           RbExprValue *results);

// String(value), String(value, format) or String(value, digits, minimum length, left?); NULL: the
// format is none.
const char *rb_eval_string(RbEnv *env, const RbExprValue *args, int count);
