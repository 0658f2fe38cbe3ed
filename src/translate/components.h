// SPDX-License-Identifier: MIT
// components.h: the components in C that implement classes of a model, as they are found while it
// is flattened.
#pragma once

#include "component/registry.h"
#include "flatten/contribution.h"

// An instance of a class that a component implements.
typedef struct RbTranslatedComponent {
    const RbComponentType *type;
    struct RbFmi *data;         // the FMU that it is; NULL: none
    const char *path;           // "rod", "circuit.c1"; empty: the model itself
    const RbGathered *gathered; // NULL: it stands for one instance
    RbPos at;                   // of its declaration
    int *flat;                  // variable of the flat model for each variable of the component
} RbTranslatedComponent;

typedef RB_ARRAY(RbTranslatedComponent) RbTranslatedComponents;

// What the two functions below work on.
typedef struct RbComponentSearch {
    const RbRegistry *registry;
    bool no_external; // nothing may run that is not in the text of the model
    RB_ARRAY(struct RbFmi *) fmus; // that are open
    RbTranslatedComponents found;
    RbArena *arena;
    RbDiag *diag;
} RbComponentSearch;

// For RbFlattenOptions.
bool rb_contribute(void *search, const RbComponentClass *class, const char *path, RbPos at,
                   const RbGathered *gathered, RbContribution *out);
const RbRoleSpec *rb_find_roles(void *search, const char *type, RbPos at);
void rb_contributed(void *search, const RbContribution *c);
