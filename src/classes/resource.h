// SPDX-License-Identifier: MIT
// resource.h: files that belong to a library (Modelica specification, 13.5: external resources).
#pragma once

#include "classes/library.h"

// modelica://Package.Class/Resources/file and file:///path as a path; any other text is one
// already.
const char *rb_resource_path(RbLibrary *library, const char *uri);

// The folder of the package at top level that the class with this full name is in.
const char *rb_resource_folder(RbLibrary *library, const char *class_name);
