// SPDX-License-Identifier: MIT
// registry.h: component types by name: those built in, and those a plugin adds.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "rattleback/component.h"

typedef struct RbRegistry {
    RbArena *arena;
    RB_ARRAY(const RbComponentType *) types;
} RbRegistry;

// The built-in types are there from the start. Everything lives in the arena; plugins are closed
// with it.
RbRegistry rb_registry(RbArena *arena);

// A type of another version, without a name or a needed function, or with a name that is taken is
// refused. origin (may be NULL) is the file it comes from.
RbStatus rb_registry_add(RbRegistry *registry, const RbComponentType *type, const char *origin,
                         RbDiag *diag);

// Open a shared object and add all its types.
RbStatus rb_registry_load_plugin(RbRegistry *registry, const char *path, RbDiag *diag);

// NULL and a message with a near name if there is none.
const RbComponentType *rb_registry_find(const RbRegistry *registry, const char *name, RbDiag *diag);

// Checksum of the plugin that a component comes from, as its file is now; 0: it is built in.
uint64_t rb_component_library_hash(const RbComponentType *type);
