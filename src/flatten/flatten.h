// SPDX-License-Identifier: MIT
// flatten.h: a class of the library becomes a model without hierarchy.
//
//     RbLibrary *library = rb_library(&names, &keep, &scratch, &diag);
//     const char *model;
//     RB_TRY(rb_library_add_file(library, "Pendulum.mo", &model));
//     RbFlatModel *flat;
//     RB_TRY(rb_flatten(library, model, (RbFlattenOptions){0}, &flat));
#pragma once

#include "expr/flat_model.h"
#include "flatten/contribution.h"
#include "classes/library.h"

typedef struct RbFlattenOptions {
    bool strict_units; // a unit that does not fit is an error, not a warning
    bool ignore_units; // do not look at units at all
    bool skip_balance; // do not compare the numbers of equations and variables
    RbText *instances; // receives the tree of instances: dump --stage=inst
    // Packages whose classes stand for others, see RbClasses.replaced; NULL: none. *any_replaced tells
    // whether there were any.
    const char *const *replaced;
    bool *any_replaced;
    // Builds components in C for classes that name one; NULL: such a class is an error.
    RbContribute *contribute;
    RbFindRoles *find_roles;
    void (*contributed)(void *user, const RbContribution *c); // c->flat is known now; may be NULL
    void *contribute_user;
} RbFlattenOptions;

// Everything lives in library->keep. On failure the diagnostics say why; *out is NULL.
RbStatus rb_flatten(RbLibrary *library, const char *class_name, RbFlattenOptions options,
                    RbFlatModel **out);
