// SPDX-License-Identifier: MIT
// references.h: where a text, and the files of its package, mean what a name at a place means.
#pragma once

#include "editor/names.h"

typedef struct RbReferenceSearch {
    RbClasses *classes;
    const char *file, *text; // what is being edited
    RbEditorPlace place;
    const char *new_name; // what it is to be called; NULL: nothing is changed
    bool in_package;      // the file is one of a package in a folder, whose other files count, too
    RbArena *arena, *scratch;
    RbDiag *diag;
} RbReferenceSearch;

typedef RB_ARRAY(RbPos) RbReferences;

RbStatus rb_references(const RbReferenceSearch *search, RbReferences *out);
