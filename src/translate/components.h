// SPDX-License-Identifier: MIT
// components.h: the components in C that implement classes of a model, as they are found while it
// is flattened.
#pragma once

#include "component/registry.h"
#include "flatten/contribution.h"

// An instance of a class that a component implements.
typedef struct RbTranslatedComponent {
    const RbComponentType *type;
    const char *path;           // "rod", "circuit.c1"
    const RbGathered *gathered; // NULL: it stands for one instance
    RbPos at;                   // of its declaration
    int *flat;                  // variable of the flat model for each variable of the component
} RbTranslatedComponent;

typedef RB_ARRAY(RbTranslatedComponent) RbTranslatedComponents;

// What the two functions below work on.
typedef struct RbComponentSearch {
    const RbRegistry *registry;
    RbTranslatedComponents found;
    RbArena *arena;
    RbDiag *diag;
} RbComponentSearch;

// For RbFlattenOptions.
bool rb_contribute(void *search, const char *type, const char *path, RbPos at,
                   const RbGathered *gathered, RbContribution *out);
const RbRoleSpec *rb_find_roles(void *search, const char *type, RbPos at);
void rb_contributed(void *search, const RbContribution *c);
