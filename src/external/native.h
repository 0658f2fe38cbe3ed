// SPDX-License-Identifier: MIT
// native.h: external functions that are part of this program: found by the name of their C
// function, so that libraries which declare them need no library of C code.
#pragma once

#include "expr/eval.h"

// One call. Arguments and result are those of the external clause (RbExternalCall).
typedef struct RbNativeCall {
    RbEnv *env;
    const RbExternalCall *external;
    void *object;  // behind the first argument, if that is an external object
    RbArena *keep; // constructor: the object lives here
    void *made;    // constructor: the object
} RbNativeCall;

// False: env->error says why.
typedef bool RbNativeFunction(RbNativeCall *call);

typedef struct RbNative {
    const char *name;
    // The arguments: o object, s text, n number, m array of numbers; the result after a colon
    // (r number, o object). An external clause that differs is not ours.
    const char *signature;
    RbNativeFunction *function;
} RbNative;

// NULL: there is none of this name.
const RbNative *rb_native_find(const char *name);

// Does the external clause of f fit?
bool rb_native_fits(const RbNative *native, const RbExternalCall *call);

extern const RbNative rb_native_tables[];
extern const int rb_native_table_count;
extern const RbNative rb_native_lapack[];
extern const int rb_native_lapack_count;
extern const RbNative rb_native_solids[];
extern const int rb_native_solid_count;
