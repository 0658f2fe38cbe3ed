// SPDX-License-Identifier: MIT
// externals.h: the external functions and external objects of one run. An external object is a
// number for everyone else: its place in the list here, from 1.
//
//     RbExternals *x = rb_externals(arena);
//     rb_externals_begin(x);                          // parameters are computed: objects are made
//     ... rb_externals_call(x, env, f, args, results) ...
//     rb_externals_end(x);                            // objects that nobody asked for again go
//
// Objects go in the opposite order of their making, at the latest with the arena.
#pragma once

#include "base/diag.h"
#include "base/pack.h"
#include "expr/eval.h"

typedef struct RbExternals RbExternals;

// While *event_number stays the same an impure function that is called again with the same
// arguments is not executed again: within one round of an event iteration it is called once, as the
// language wants, although the equations are evaluated until nothing changes.
RbExternals *rb_externals(const RbFlatModel *model, const long *event_number, RbArena *arena);

// Receives what external code says.
void rb_externals_listen(RbExternals *x, RbDiag *diag);

// Call an external function; false: env->error says why.
bool rb_externals_call(RbExternals *x, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results);

// Between these two a constructor that was called with the same arguments before answers the same
// object: parameters are computed several times before a run.
void rb_externals_begin(RbExternals *x);
void rb_externals_end(RbExternals *x);

// Checkpoints: which libraries were opened, with their checksums; and whether they are the same now
// (otherwise a message says which is not).
void rb_externals_save(const RbExternals *x, RbPacker *packer);
bool rb_externals_same(RbUnpacker *unpacker, RbArena scratch, RbPos at, RbDiag *diag);
