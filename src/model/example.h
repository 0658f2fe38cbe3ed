// SPDX-License-Identifier: MIT
// example.h: models made of built-in components, by name: what `./run` shows before a user has
// written a model.
#pragma once

#include "model/model.h"

typedef struct RbExample {
    const char *name;
    const char *description;
    RbStatus (*build)(RbModel *model, RbDiag *diag);
    double stop_time; // [s]
    double tolerance;
    const char *solver; // NULL: auto
} RbExample;

// Ends with an entry without a name.
extern const RbExample rb_examples[];

// Build an example; an unknown name gets a message with the ones there are.
RbStatus rb_example_build(const char *name, RbArena *arena, RbDiag *diag, RbModel **out);
