// SPDX-License-Identifier: MIT
// print.h: expressions and flat models as readable text, close to Modelica: for messages, dumps and
// golden tests.
#pragma once

#include "expr/flat_model.h"

// Names come from the model and, inside a function, from its variables; both may be NULL (then v12,
// l3).
void rb_expr_print(const RbExpr *e, const RbFlatModel *model, const RbFunction *function,
                   RbText *out);

// The whole model: dump --stage=flat. Each equation ends with its position as a comment.
void rb_flat_print(const RbFlatModel *model, RbText *out);

// Its functions alone.
void rb_functions_print(const RbFlatModel *model, RbText *out);
