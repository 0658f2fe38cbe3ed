// SPDX-License-Identifier: MIT
// foreign.h: external functions in C that are not ours: from a shared library, or from C text that
// is compiled. Each is reached through a small wrapper, void wrapper(void **a), so that who calls
// need not know the types: a[0] is where the result goes, a[k] where argument k is (inputs that are
// scalars), or the pointer that is passed (arrays, structs, outputs).
//
//   * without C text (annotation Include) the function is looked up in the libraries, and the
//   wrapper
//     is compiled in memory;
//   * with it, the text, the wrappers of all functions with the same text and the libraries become
//   a
//     shared object, made by the system's compiler and kept in the user's cache.
#pragma once

#include "expr/flat_model.h"
#include "external/services.h"

typedef struct RbForeign RbForeign;

// Libraries stay open as long as the arena.
RbForeign *rb_foreign(const RbFlatModel *model, RbArena *arena);

// The libraries of the user that were opened, with the checksums that they had.
typedef struct RbForeignLibrary {
    const char *path;
    uint64_t hash;
} RbForeignLibrary;
const RbForeignLibrary *rb_foreign_libraries(const RbForeign *foreign, int *count);

RbStatus rb_foreign_find(RbForeign *foreign, const RbFunction *f, RbDiag *diag,
                         RbForeignWrapper **wrapper);

// How an argument of the external clause is passed.
typedef enum RbArgumentPassing {
    RB_PASS_VALUE,  // a scalar input
    RB_PASS_SIZE,   // size(a, n): size_t
    RB_PASS_OUTPUT, // a scalar output, by address
    RB_PASS_ARRAY,
    RB_PASS_STRUCT,
} RbArgumentPassing;

// k counts what C sees (layouts), first is the index of its first part among external.args.
RbArgumentPassing rb_foreign_passing(const RbFunction *f, int k, int first);

// Parts (external.args) that argument k consists of.
int rb_foreign_parts(const RbFunction *f, int k);
