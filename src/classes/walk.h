// SPDX-License-Identifier: MIT
// walk.h: all classes in a class, at any depth, in the order of the text: for lists of what there is
// and for names that were meant.
#pragma once

#include "classes/library.h"

// `class` is NULL if its file was not read.
typedef void RbClassVisitor(void *user, const char *full_name, RbName name, RbAstClass *class);

// The classes below `class`, whose full name is `name` ("" for all packages that were found so
// far). Files of a package in a folder are read if `read` is set; those compiled in always are.
void rb_classes_walk(RbLibrary *library, RbAstClass *class, const char *name, bool read,
                     RbClassVisitor *visit, void *user);

// Can it be simulated?
bool rb_class_runs(const RbAstClass *class);

// "; it has the models 'A.B', 'A.C'" with the first of them, or that there are none.
const char *rb_models_within(RbLibrary *library, RbAstClass *class, const char *full_name);
