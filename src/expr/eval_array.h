// SPDX-License-Identifier: MIT
// eval_array.h: the parts of the interpreter that deal with arrays; for eval.c only.
#pragma once

#include "expr/eval.h"

// Note the reason and answer false.
bool rb_eval_error(RbEnv *env, const char *why);

bool rb_eval_constructor(RbEnv *env, const RbExpr *e, RbExprValue *value);
bool rb_eval_range(RbEnv *env, const RbExpr *e, RbExprValue *value);
bool rb_eval_subscript(RbEnv *env, const RbExpr *e, RbExprValue *value);
bool rb_eval_reduction(RbEnv *env, const RbExpr *e, RbExprValue *value);
bool rb_eval_product(RbEnv *env, const RbExprValue *a, const RbExprValue *b, RbExprValue *value);
bool rb_eval_matrix_power(RbEnv *env, const RbExprValue *a, double n, RbExprValue *value);
bool rb_eval_array_builtin(RbEnv *env, RbBuiltin f, const RbExprValue *args, int count,
                           RbExprValue *value);

// Parts of equal size as the rows of an array.
bool rb_eval_rows(RbEnv *env, const RbExpr *e, const RbExprValue *parts, RbExprValue *value);

// Values of subscripts; that of ':' has no data.
bool rb_eval_indices(RbEnv *env, const RbExpr *const *subscripts, int count, RbExprValue *values);
bool rb_eval_part(RbEnv *env, const RbExprValue *array, const RbExprValue *subscripts, int count,
                  RbExprValue *value);

// The elements that subscripts pick out of an array of the given dims: indices from 0, row by row.
typedef struct RbPicked {
    int *indices;
    int count;
    int rank;
    int dims[RB_RANK_MAX];
} RbPicked;
bool rb_eval_pick(RbEnv *env, const RbExprValue *array, const RbExprValue *subscripts, int count,
                  RbPicked *picked);
