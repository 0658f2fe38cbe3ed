// SPDX-License-Identifier: MIT
// services.h: what external C code may call: ModelicaError, ModelicaMessage, ModelicaAllocateString
// and their relatives (Modelica specification, 12.9.6). These functions have no argument that says
// who calls, so the call that is being made is known per thread.
#pragma once

#include <setjmp.h>

#include "base/diag.h"

typedef void RbForeignWrapper(void **args);

// One call of external code.
typedef struct RbServiceCall {
    RbArena *arena;       // strings of ModelicaAllocateString
    RbDiag *diag;         // receives messages; may be NULL
    RbPos at;             // of the function in the Modelica text
    const char *function; // its name
    int *messages_left;   // so that a call in every step does not fill the memory
    const char *error;    // out: text of ModelicaError
    // private
    jmp_buf jump;
    struct RbServiceCall *outer;
} RbServiceCall;

// Call the wrapper. False: the code called ModelicaError, which ended it; call->error has the text.
bool rb_service_run(RbServiceCall *call, RbForeignWrapper *wrapper, void **args);

// The C header of these functions.
extern const char rb_modelica_utilities[];
