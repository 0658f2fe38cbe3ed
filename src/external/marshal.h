// SPDX-License-Identifier: MIT
// marshal.h: values of Modelica as C sees them, and back: numbers as double or int, texts, arrays
// row by row, records as structs.
#pragma once

#include "expr/eval.h"
#include "external/foreign.h"

// The object behind a number; NULL: none.
typedef void *RbObjectOf(const void *user, double number);

// Call the wrapper of call->function with the arguments of the call; outputs and result go to the
// locals. *made: the object that a constructor returned. False: service->error, or env->error.
bool rb_marshal_call(const RbExternalCall *call, RbForeignWrapper *wrapper, RbServiceCall *service,
                     RbEnv *env, RbObjectOf *object, const void *user, void **made);
