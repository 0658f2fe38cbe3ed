// SPDX-License-Identifier: MIT
// library.h: all classes that can be found, from the files given by the user, from library folders,
// and from the library that is compiled in, each file read only when a name needs it (Modelica
// specification, 13.4: mapping of packages to a file system).
#pragma once

#include "syntax/ast.h"

// Where a name is declared in a class.
typedef struct RbAstEntry {
    RbAstElement *element; // NULL: in a file that was not read yet
    int component;         // number of the component in its clause
    const char *path;      // file or folder of a class that is stored on its own
    const char *text;      // contents of the file, if it is compiled in
    bool is_folder;
    bool is_broken; // the file could not be read; was reported
} RbAstEntry;

typedef struct RbAstIndex {
    RbMap names; // RbName -> index into entries
    RB_ARRAY(RbAstEntry) entries;
    RB_ARRAY(RbAstElement *) imports;
    RB_ARRAY(RbAstElement *) extends;
} RbAstIndex;

typedef struct RbLibrary {
    RbNames *names;
    RbArena *keep;
    RbArena *scratch; // for tokens
    RbDiag *diag;
    RbAstClass *root; // the classes at top level are its elements
    RB_ARRAY(const char *) paths;
    RbMap missing; // top-level names that were searched in vain
    RbMap wanted;  // name of a library -> the version that the first package that uses it asks for
    RB_ARRAY(const char *) files; // that were read; those that are compiled in do not count
} RbLibrary;

RbLibrary *rb_library(RbNames *names, RbArena *keep, RbArena *scratch, RbDiag *diag);

// Folders in which packages are searched, in this order. MODELICAPATH-like lists are separated by
// ':'.
void rb_library_add_path(RbLibrary *library, const char *folder);
void rb_library_add_path_list(RbLibrary *library, const char *folders);

// Read a file or a package folder and add its classes. *last answers the full name of its last
// class, which is the one to simulate if the user names none. A file that belongs into a package
// (within A.B) brings package A along.
RbStatus rb_library_add_file(RbLibrary *library, const char *path, const char **last);
RbStatus rb_library_add_text(RbLibrary *library, const char *file, const char *text, size_t length,
                             const char **last);

// The index of a class; built at the first call. Elements declared twice are reported then.
RbAstIndex *rb_library_index(RbLibrary *library, RbAstClass *class);

// The declaration of a name in a class itself (not inherited, not imported), or NULL. Reads its
// file if need be.
const RbAstEntry *rb_library_find(RbLibrary *library, RbAstClass *class, RbName name);

// The last name of a path: "A.B.C" -> class C, or NULL.
RbAstClass *rb_library_class(RbLibrary *library, const char *full_name);
